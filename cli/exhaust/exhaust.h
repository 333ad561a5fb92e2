/* Shared by exhaust, merge, score and the gate: the table of a run, and the error for an unknown
 * scope. */
#ifndef CLI_EXHAUST_EXHAUST_H
#define CLI_EXHAUST_EXHAUST_H

#include "cli/session.h"
#include "exhaust/exhaust_run.h"

/* Prints `NAME  TIER  4320 cases  exact 17280` and the other counts that are not 0. */
void exhaust_print_tally(
    Text *text, const char *scope, const char *tier, const ExhaustTally *tally);

/* Whether a run over this number of cases has none, as some shards, or --opcodes excluded all: then
 * it is no success, and it adds no result. */
[[nodiscard]] bool exhaust_asks_nothing(const ExhaustTally *tally, uint64_t cases);

/* The same as a JSON object; `milliseconds` < 0: unknown. `explained`: the text of faults and
 * cases; empty: none. */
void exhaust_print_json(Text *text, const char *scope, const char *tier, const ExhaustTally *tally,
    uint64_t cases, int64_t milliseconds, const char *explained);

/* Prints for each of [count] cases the command that prints it, and how a lost one ended; then how
 * many more of the tally failed or are open. */
void exhaust_print_cases(Text *text, const char *scope, const char *tier, const KeptCase *cases,
    uint64_t count, const ExhaustTally *tally);

/* Reports that the scope does not exist, and which one may be meant; `where` follows its name. */
[[nodiscard]] Status exhaust_reject_scope(const char *name, const char *where);

#endif
