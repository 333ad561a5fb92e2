/* Decodes bytes to rules: a given rule, or its negative example, with a few changed terms (a
 * number, an operator, a relation, a removed guard), as a text that reads back. Most of them are
 * false, some are equivalent, some have no values; a prover must distinguish these. */
#ifndef GENERATE_MUTATE_RULE_H
#define GENERATE_MUTATE_RULE_H

#include "core/rules/rule.h"

/* Total. The rule is in the arena and shares its unchanged parts. */
[[nodiscard]] Rule fuzz_mutate_rule(
    Arena *arena, const RuleSet *rules, const uint8_t *bytes, size_t size);

#endif
