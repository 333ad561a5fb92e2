/* Rates of the exhaustive checker: cases a second of one core with all judgements, and the parts of
 * a case's time. */
#ifndef BENCH_EXHAUST_SCOPES_H
#define BENCH_EXHAUST_SCOPES_H

/* Prints a row for each named scope of the gate; without names for each scope. Returns the exit
 * status: 1 if a case fails, is open or cannot be judged, or if the rate of all single operations
 * is below the limit; else 0. */
int bench_scopes(int count, char **names);

#endif
