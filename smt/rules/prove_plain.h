/* The verdict on a rule as it stands, scope aside: what prove_rule is made of. */
#ifndef SMT_PROVE_PLAIN_H
#define SMT_PROVE_PLAIN_H

#include "smt/rules/prove.h"

/* False where it is proved that nothing satisfies the guard. */
[[nodiscard]] bool prove_plain(
    Arena *arena, const Rule *rule, const ProveOptions *options, RuleVerdict *verdict);

#endif
