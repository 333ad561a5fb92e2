/* Whether two rules say the same, term by term: what a rule that is printed and read again is held
 * to, since two different rules may print alike. */
#ifndef JUDGE_SAME_RULE_H
#define JUDGE_SAME_RULE_H

#include "core/rules/rule.h"

[[nodiscard]] bool rule_is_same(const Rule *a, const Rule *b);

#endif
