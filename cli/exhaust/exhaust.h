/* What exhaust, merge, score and the gate share: the table of a run, and how a scope is rejected. */
#ifndef CLI_EXHAUST_EXHAUST_H
#define CLI_EXHAUST_EXHAUST_H

#include "cli/session.h"
#include "exhaust/exhaust_run.h"

/* `NAME  TIER  cases 4320, exact 17280` and what else was counted. */
void exhaust_print_tally(
    Text *text, const char *scope, const char *tier, const ExhaustTally *tally);

/* The same as an object of JSON; `milliseconds` below 0: not known. */
void exhaust_print_json(Text *text, const char *scope, const char *tier, const ExhaustTally *tally,
    uint64_t cases, int64_t milliseconds);

/* Says that there is no such scope, and which one may be meant; `where` follows the name. */
[[nodiscard]] Status exhaust_reject_scope(const char *name, const char *where);

#endif
