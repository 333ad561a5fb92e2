/* What must hold before a plan is worth running: read off its steps once, looked at each time. */
#ifndef CORE_SIMPLIFY_FILTER_H
#define CORE_SIMPLIFY_FILTER_H

#include "core/simplify/engine.h"

/* Fills plan->filter. */
void plan_filter(MatchPlan *plan);

/* What a constraint's filters ask for, found once for all plans. */
typedef struct Reach {
  bool is_known, is_bounded;
  Interval bounds; /* of the sum, by all that is known */
} Reach;

/* False: the plan does not match the constraint. True says nothing. */
[[nodiscard]] bool filter_constraint(
    Simplifier *simplifier, const MatchPlan *plan, const Demand *demand, Reach *reach);
/* The same of a plan on a division, and of one on any atom. */
[[nodiscard]] bool filter_atom(Simplifier *simplifier, const MatchPlan *plan, NormalAtom *atom);

#endif
