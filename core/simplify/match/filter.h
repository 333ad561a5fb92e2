/* Necessary conditions for running a plan: derived from its steps once, and checked for each
 * candidate. */
#ifndef CORE_SIMPLIFY_FILTER_H
#define CORE_SIMPLIFY_FILTER_H

#include "core/simplify/engine.h"

/* Fills plan->filter. */
void plan_filter(MatchPlan *plan);

/* The bounds that a constraint's filters use, computed once for all plans. */
typedef struct Reach {
  bool is_known, is_bounded;
  Interval bounds; /* of the sum, from all facts */
} Reach;

/* False: the plan does not match the constraint. True implies nothing. */
[[nodiscard]] bool filter_constraint(
    Simplifier *simplifier, const MatchPlan *plan, const Demand *demand, Reach *reach);
/* The same for a plan on a division, and for one on any atom. */
[[nodiscard]] bool filter_atom(Simplifier *simplifier, const MatchPlan *plan, NormalAtom *atom);

#endif
