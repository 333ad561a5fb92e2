/* Necessary conditions for running a plan: derived from its steps once, and checked for each
 * candidate. */
#ifndef CORE_SIMPLIFY_MATCH_FILTER_H
#define CORE_SIMPLIFY_MATCH_FILTER_H

#include "core/simplify/engine.h"

/* Fills plan->filter. */
void plan_filter(MatchPlan *plan);

/* The numbers that guards compare, computed once for all plans on a constraint or an atom. */
typedef struct Reach {
  bool is_known, is_bounded; /* the numbers from FILTER_LO on */
  int64_t ends[FILTER_HI_QUOTIENT + 1];
} Reach;
[[nodiscard]] static inline Reach reach_of_constraint(const Demand *demand) {
  return (Reach){.ends = {[FILTER_FROM] = demand->in.lo, [FILTER_TO] = demand->in.hi}};
}
[[nodiscard]] static inline Reach reach_of_atom(const NormalAtom *atom) {
  return (Reach){.ends = {[FILTER_DIVISOR] = atom->divisor}};
}

/* False: the plan does not match the constraint. True implies nothing. */
[[nodiscard]] bool filter_constraint(
    Simplifier *simplifier, const MatchPlan *plan, const Demand *demand, Reach *reach);
/* The same for a plan on a division, and for one on any atom. */
[[nodiscard]] bool filter_atom(
    Simplifier *simplifier, const MatchPlan *plan, NormalAtom *atom, Reach *reach);
/* The same for all plans on `u op c`, where u is a variable with these bounds, and nothing is known
 * from constraints. */
[[nodiscard]] bool filter_variable(
    Simplifier *simplifier, ExprOp op, Interval bounds, int64_t divisor);
/* The same for a plan on a sum. */
[[nodiscard]] bool filter_sum(const MatchPlan *plan, const NormalSum *sum);

/* ---- filter_spread.c ---- */

/* FILTER_SPREAD or FILTER_SPREAD_NEGATIVE if the plan has such a guard; else FILTER_NONE. */
[[nodiscard]] FilterKind spread_kind(const MatchPlan *plan);
/* False: the guard does not hold for any summand of the dividend. */
[[nodiscard]] bool spread_may_hold(Simplifier *simplifier, FilterKind kind, NormalAtom *atom);

#endif
