/* The sign of a constraint. x in [a, b] and -x in [-b, -a] are equivalent. If x is negated, a
 * quotient rounds the other way and a summand inside it moves, so one form may be larger than the
 * other. The smaller form is written. If both have the same size, the form with a positive first
 * coefficient is written, as the rules of order "sign" produce it. */
#include "core/simplify/facts/signs.h"

#include "core/simplify/match/filter.h"
#include "core/simplify/match/match.h"
#include "core/simplify/normal/size.h"

static constexpr uint16_t rounding = 1u << EXPR_FLOORDIV | 1u << EXPR_CEILDIV | 1u << EXPR_MOD;
static constexpr uint32_t most_summands =
    256; /* with more summands the sign is kept: each negation visits all of them */

/* Applies the rules of order "text" to one constraint, and rewrites its sum again, since it may
 * have gained a constant. */
static bool shorten(Simplifier *simplifier, Demand *demand) {
  const PlanList *plans = &simplifier->text_on_constraints;
  demand->sum = rewrite_sum(simplifier, demand->sum);
  for (uint32_t i = 0; demand->sum != nullptr && i < plans->count; i++) {
    Demand after;
    Reach reach = reach_of_constraint(demand);
    if (!filter_constraint(simplifier, plans->items[i], demand, &reach) ||
        !match_constraint(simplifier, plans->items[i], *demand, &after))
      continue;
    assert(!sum_is_constant(after.sum));
    *demand = after;
    i = UINT32_MAX;
  }
  return demand->sum != nullptr && !simplifier->has_failed;
}

/* Negates the constraint. False, and the constraint is unchanged, if there is no such rule, or the
 * result would leave int64. */
static bool signs_turn(Simplifier *simplifier, Demand *demand) {
  const PlanList *plans = &simplifier->on_constraints;
  for (uint32_t i = 0; i < plans->count; i++) {
    Demand after;
    if (plans->items[i]->order != ORDER_SIGN ||
        !match_any_sign(simplifier, plans->items[i], *demand, &after))
      continue;
    if (!shorten(simplifier, &after)) return false;
    assert(summands_are_canonical(after.sum->items, after.sum->count));
    *demand = after;
    return true;
  }
  return false;
}

static uint64_t size_of(Simplifier *simplifier, const Demand *demand) {
  Expr expr = convert_out(simplifier, demand->sum);
  return expr.at == 0 ? UINT64_MAX : size_of_expr(simplifier->context, expr);
}

/* The size of the negated constraint, computed without recording. */
static uint64_t size_negated(Simplifier *simplifier, Demand demand) {
  uint64_t fired = simplifier->fired, size = UINT64_MAX;
  Tracer *tracer = simplifier->tracer == nullptr ? nullptr : memo_try(simplifier);
  if (signs_turn(simplifier, &demand)) size = size_of(simplifier, &demand);
  if (tracer != nullptr) memo_record(simplifier, tracer);
  assert(simplifier->fired >= fired && simplifier->memo % 2 == 0);
  simplifier->fired = fired;
  return size;
}

static bool can_differ(const Demand *demand) {
  return (demand->sum->all_ops & rounding) != 0 && demand->sum->count > 1 &&
         demand->sum->count <= most_summands;
}

bool sign_shorten(Simplifier *simplifier, Demand *demand) {
  if (!shorten(simplifier, demand)) return false;
  if (can_differ(demand) && size_negated(simplifier, *demand) < size_of(simplifier, demand))
    (void)signs_turn(simplifier, demand);
  return !simplifier->has_failed;
}
