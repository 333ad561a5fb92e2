/* Compares two rules term by term. A rule that is printed and parsed again must be the same rule;
 * comparing texts is not enough, because two different rules may print alike. */
#ifndef JUDGE_MAPS_SAME_RULE_H
#define JUDGE_MAPS_SAME_RULE_H

#include "core/rules/rule.h"

[[nodiscard]] bool rule_is_same(const Rule *a, const Rule *b);

#endif
