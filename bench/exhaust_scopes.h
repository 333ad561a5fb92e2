/* Rates of the exhaustive checker: cases a second of one core with all judgements, and where the
 * time of a case goes. */
#ifndef BENCH_EXHAUST_SCOPES_H
#define BENCH_EXHAUST_SCOPES_H

/* A row for each scope of the gate; the exit status of the command. */
int bench_scopes(void);

#endif
