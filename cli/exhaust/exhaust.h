/* What exhaust, merge and the gate share: the table of a run. */
#ifndef CLI_EXHAUST_EXHAUST_H
#define CLI_EXHAUST_EXHAUST_H

#include "exhaust/exhaust_run.h"

/* `NAME  TIER  cases 4320, exact 17280` and what else was counted. */
void exhaust_print_tally(
    Text *text, const char *scope, const char *tier, const ExhaustTally *tally);

/* The same as an object of JSON; `milliseconds` below 0: not known. */
void exhaust_print_json(Text *text, const char *scope, const char *tier, const ExhaustTally *tally,
    uint64_t cases, int64_t milliseconds);

#endif
