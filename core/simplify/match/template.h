/* Right sides of rules as templates. */
#ifndef CORE_SIMPLIFY_TEMPLATE_H
#define CORE_SIMPLIFY_TEMPLATE_H

#include "core/simplify/match/plan.h"

/* nullptr when the term is no linear sum of letters and operators (a product of two letters,
 * say). */
[[nodiscard]] PlanTemplate *template_compile(Arena *arena, const RuleTerm *term);

#endif
