/* The verdict on a rule without its scope; prove_rule is built on it. */
#ifndef SMT_RULES_PROVE_PLAIN_H
#define SMT_RULES_PROVE_PLAIN_H

#include "smt/rules/prove.h"

/* Returns false if it is proved that no values satisfy the guard. */
[[nodiscard]] bool prove_plain(
    Arena *arena, const Rule *rule, const ProveOptions *options, RuleVerdict *verdict);

#endif
