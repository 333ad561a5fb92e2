/* Negative variants of a rule, derived in a fixed order: a removed condition, a weakened
 * comparison, a number moved by one, a changed sign, the right side moved by one. Most are false;
 * concrete values decide. */
#ifndef GENERATE_RULE_TWIN_H
#define GENERATE_RULE_TWIN_H

#include "core/rules/rule.h"

/* Writes variant `number`; `what` describes the change. Returns false if the number is no change of
 * this rule. */
[[nodiscard]] bool rule_twin(
    Arena *arena, const Rule *rule, uint32_t number, Rule *twin, const char **what);
/* All variants have smaller numbers than this. */
[[nodiscard]] uint32_t rule_twin_limit(const Rule *rule);

#endif
