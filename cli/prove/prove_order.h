/* affirm prove --order: that rewriting by rules ends. */
#ifndef CLI_PROVE_PROVE_ORDER_H
#define CLI_PROVE_PROVE_ORDER_H

#include "core/rules/rule.h"
#include "cli/session.h"

typedef struct ProveOrderOptions {
  bool json, quiet, explain;
  const char *certificate; /* a directory, or nullptr */
  int64_t rlimit, seed;
} ProveOrderOptions;

typedef struct OrderTally {
  uint32_t rules, decreasing; /* rules whose every obligation is proved and whose twin is refuted */
  uint32_t obligations, proved, twins;
} OrderTally;

/* Of one set; adds to the tally. */
[[nodiscard]] Status prove_order_set(
    const ProveOrderOptions *options, Arena *arena, const RuleSet *rules, OrderTally *tally);
/* Of the files, or of the engine's own rules where none is named. */
[[nodiscard]] Status prove_order(const ProveOrderOptions *options, int count, char **paths);

#endif
