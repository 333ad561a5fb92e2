/* Bytes to rules: one of the given rules, or of their negative examples, with a few terms changed
 * (a number, an operator, a relation, a guard gone), as text that reads back. Most are false, some
 * are equivalent, some have no values: what a prover must tell apart. */
#ifndef FUZZ_MUTATE_RULE_H
#define FUZZ_MUTATE_RULE_H

#include "core/rules/rule.h"

/* Total; the rule lives in the arena and shares what has not changed. */
[[nodiscard]] Rule fuzz_mutate_rule(
    Arena *arena, const RuleSet *rules, const uint8_t *bytes, size_t size);

#endif
