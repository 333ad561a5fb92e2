/* Negative twins of a rule, derived from it in a fixed order: a condition left out, a comparison
 * weakened, a number moved by one, a sign exchanged, the right side moved by one. Most are false;
 * whether one is, values say. */
#ifndef GENERATE_RULE_TWIN_H
#define GENERATE_RULE_TWIN_H

#include "core/rules/rule.h"

/* The twin number `number`; `what` says what was changed. False for a number that stands for no
 * change of this rule. */
[[nodiscard]] bool rule_twin(
    Arena *arena, const Rule *rule, uint32_t number, Rule *twin, const char **what);
/* No twin has this number or a higher one. */
[[nodiscard]] uint32_t rule_twin_limit(const Rule *rule);

#endif
