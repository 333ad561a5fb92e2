/* The verdict on a rule as it stands, scope aside: what prove_rule is made of. */
#ifndef SMT_PROVE_PLAIN_H
#define SMT_PROVE_PLAIN_H

#include "smt/rules/prove.h"

typedef enum PlainState : uint8_t {
  PLAIN_DECIDED,
  PLAIN_VACUOUS, /* proved: nothing satisfies the guard */
} PlainState;

[[nodiscard]] PlainState prove_plain(
    Arena *arena, const Rule *rule, const ProveOptions *options, RuleVerdict *verdict);

#endif
