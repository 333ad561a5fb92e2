/* affirm prove --order: proves that rewriting by the rules terminates. */
#ifndef CLI_PROVE_PROVE_ORDER_H
#define CLI_PROVE_PROVE_ORDER_H

#include "core/rules/rule.h"
#include "cli/report/results.h"
#include "cli/session.h"

typedef struct ProveOrderOptions {
  bool json, quiet, explain;
  const char *part;        /* rows that are not proved are JSON objects of this part; or nullptr */
  const char *certificate; /* output directory, or nullptr */
  int64_t rlimit, seed;
  Results *results; /* receives a result for each rule; nullptr: none */
  int input_count;  /* files and directories that the run reads, which it does not overwrite */
  char *const *inputs;
} ProveOrderOptions;

typedef struct OrderTally {
  uint32_t rules, decreasing; /* rules with all obligations proved and the twin refuted */
  uint32_t obligations, proved, twins;
} OrderTally;

/* Proves one set of rules; adds to the tally. */
[[nodiscard]] Status prove_order_set(
    const ProveOrderOptions *options, Arena *arena, const RuleSet *rules, OrderTally *tally);
/* Proves the rules of the inputs, or the engine's own rules if there are none. */
[[nodiscard]] Status prove_order(const ProveOrderOptions *options);

#endif
