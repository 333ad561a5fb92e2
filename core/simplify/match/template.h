/* Right sides of rules as templates. */
#ifndef CORE_SIMPLIFY_MATCH_TEMPLATE_H
#define CORE_SIMPLIFY_MATCH_TEMPLATE_H

#include "core/simplify/match/plan.h"

/* nullptr if the term is no linear sum of letters and operators, such as a product of two
 * letters. */
[[nodiscard]] PlanTemplate *template_compile(Arena *arena, const RuleTerm *term);

#endif
