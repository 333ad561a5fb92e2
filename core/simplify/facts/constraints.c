/* Constraints: rules rewrite each one, bounds of variables absorb what it implies, and both repeat
 * until nothing changes. Bookkeeping without rules: a constraint on a constant is true (removed) or
 * false (no points); one on a single variable becomes its bounds; two on the same sum are
 * intersected; two remainders of the same sum are joined (congruences.c).
 *
 * A round uses a snapshot of the bounds, so that the order of constraints does not matter. If
 * constraints still tighten bounds after max_rounds (they creep towards each other), the given
 * bounds are restored and never tightened. */
#include "core/simplify/facts/constraints.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/checked.h"
#include "core/simplify/match/filter.h"
#include "core/simplify/match/match.h"

static constexpr uint32_t max_rounds = 100;
/* Firings on one constraint. A user's rule may fire on its own result for ever. */
static constexpr uint32_t max_firings = 1 << 14;

/* ---- one constraint ---- */

static bool fail_endless(Simplifier *simplifier) {
  simplifier->has_failed = simplifier->is_endless = true;
  return false;
}

static bool apply_rules(Simplifier *simplifier, Demand *demand) {
  const PlanList *plans = &simplifier->on_constraints;
  uint32_t firings = 0;
  Reach reach = reach_of_constraint(demand);
  for (uint32_t i = 0; i < plans->count && !sum_is_constant(demand->sum); i++) {
    Demand after;
    if (simplifier->has_failed) return false;
    if (simplifier->fired >= simplifier->fuel) return fail_endless(simplifier);
    if ((plans->items[i]->needs & ~demand->sum->ops) != 0 ||
        !filter_constraint(simplifier, plans->items[i], demand, &reach) ||
        !match_constraint(simplifier, plans->items[i], *demand, &after))
      continue;
    if (++firings > max_firings && simplifier->has_users_rules) return fail_endless(simplifier);
    assert(summands_are_canonical(after.sum->items, after.sum->count));
    *demand = after;
    reach = reach_of_constraint(demand);
    i = UINT32_MAX;
  }
  return !simplifier->has_failed;
}

static bool settle_one(Simplifier *simplifier, Demand *demand) {
  demand->sum = rewrite_sum(simplifier, demand->sum);
  assert(demand->sum == nullptr || summands_are_canonical(demand->sum->items, demand->sum->count));
  return demand->sum != nullptr && apply_rules(simplifier, demand);
}

static bool constraints_holds(const Demand *demand) {
  return demand->in.lo <= demand->sum->constant && demand->sum->constant <= demand->in.hi;
}

/* True if the constraint is done: decided, or absorbed into a variable's bounds. */
static bool absorb(Simplifier *simplifier, Demands *demands, const Demand *demand, bool *moved) {
  if (sum_is_constant(demand->sum)) {
    if (!constraints_holds(demand)) demands->is_empty = true;
    return true;
  }
  const NormalAtom *atom = demand->sum->items[0].atom;
  if (!sum_is_atom(demand->sum) || atom->op != EXPR_VAR) return false;
  Interval *bounds = &simplifier->bounds[atom->var_kind][atom->var_index];
  Interval before = *bounds;
  bounds->lo = max64(bounds->lo, demand->in.lo);
  bounds->hi = min64(bounds->hi, demand->in.hi);
  *moved |= bounds->lo != before.lo || bounds->hi != before.hi;
  assert(bounds->lo >= before.lo && bounds->hi <= before.hi);
  if (bounds->lo > bounds->hi) demands->is_empty = true;
  return true;
}

/* ---- all constraints ---- */

static int compare_demands(const void *a, const void *b) {
  return sum_compare(((const Demand *)a)->sum, ((const Demand *)b)->sum);
}

/* Sorts into the canonical order. */
static void constraints_sort(Demands *demands) {
  if (demands->count > 1)
    qsort(demands->items, demands->count, sizeof *demands->items, compare_demands);
}

/* Only rules fold constants and detect empty intervals. */
static bool is_decided(const Demand *demand) {
  return sum_is_constant(demand->sum) || demand->in.lo > demand->in.hi;
}

bool demands_are_canonical(const Simplifier *simplifier, const Demands *demands) {
  for (uint32_t i = 0; i < demands->count; i++) {
    const Demand *demand = &demands->items[i];
    if (!summands_are_canonical(demand->sum->items, demand->sum->count) ||
        (!simplifier->has_users_rules && is_decided(demand)))
      return false;
  }
  return true;
}

static void merge_equal(Demands *demands) {
  constraints_sort(demands);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < demands->count; i++) {
    Demand *last = kept == 0 ? nullptr : &demands->items[kept - 1];
    if (last == nullptr || last->sum != demands->items[i].sum) {
      demands->items[kept++] = demands->items[i];
      continue;
    }
    last->in.lo = max64(last->in.lo, demands->items[i].in.lo);
    last->in.hi = min64(last->in.hi, demands->items[i].in.hi);
    if (last->in.lo > last->in.hi) demands->is_empty = true;
  }
  assert(kept <= demands->count);
  demands->count = kept;
}

/* Applies rules to each constraint under one snapshot of the bounds; bounds change only
 * afterwards. */
static bool settle_round(Simplifier *simplifier, Demands *demands, bool *moved) {
  for (uint32_t i = 0; i < demands->count; i++) {
    trace_at_constraint(simplifier, i);
    if (!settle_one(simplifier, &demands->items[i])) return false;
  }
  trace_canonical(simplifier, demands, "constraints rewritten");
  uint32_t kept = 0;
  for (uint32_t i = 0; i < demands->count; i++)
    if (!absorb(simplifier, demands, &demands->items[i], moved))
      demands->items[kept++] = demands->items[i];
  demands->count = kept;
  trace_canonical(simplifier, demands, "constraints on constants and variables become bounds");
  merge_equal(demands);
  if (congruences_join(simplifier, demands)) *moved = true;
  trace_canonical(simplifier, demands, "constraints ordered, those on one sum joined");
  return true;
}

static uint32_t settled_count(const Simplifier *simplifier) {
  const uint32_t *count = simplifier->variable_count;
  return count[VAR_DIM] + count[VAR_RANGE] + count[VAR_RUNTIME];
}

static void copy_bounds(const Simplifier *simplifier, const Interval *from, Interval *to) {
  for (uint32_t i = 0; i < settled_count(simplifier); i++) to[i] = from[i];
}

/* A copy of the bounds, one array as they are. */
static void new_bounds(Simplifier *simplifier, Interval *bounds[variable_kinds]) {
  bounds[VAR_DIM] = BUMP_NEW(&simplifier->normal.temp, Interval, settled_count(simplifier));
  for (uint32_t kind = VAR_RANGE; kind < variable_kinds; kind++)
    bounds[kind] = bounds[kind - 1] + simplifier->variable_count[kind - 1];
  copy_bounds(simplifier, simplifier->bounds[VAR_DIM], bounds[VAR_DIM]);
}

/* Takes over the bounds. Returns whether any changed; sets is_empty if any is empty. */
static bool take_bounds(Simplifier *simplifier, Demands *demands, const Interval *next) {
  bool moved = false;
  for (uint32_t i = 0; i < settled_count(simplifier); i++) {
    Interval *now = &simplifier->bounds[VAR_DIM][i];
    assert(next[i].lo >= now->lo && next[i].hi <= now->hi);
    moved |= now->lo != next[i].lo || now->hi != next[i].hi;
    *now = next[i];
    demands->is_empty |= now->lo > now->hi;
  }
  return moved;
}

static bool tighten_round(Simplifier *simplifier, Demands *demands) {
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  Interval *next[variable_kinds];
  new_bounds(simplifier, next);
  for (uint32_t i = 0; i < demands->count; i++) tighten_by(simplifier, demands->items[i], next);
  bool moved = take_bounds(simplifier, demands, next[VAR_DIM]);
  trace_canonical(simplifier, demands, "bounds tightened by constraints");
  assert(demands->is_empty || demands_are_canonical(simplifier, demands));
  bump_release(&simplifier->normal.temp, mark);
  return moved;
}

/* False on a limit. `creeps`: the bounds did not converge. A round that moves without tightening
 * removes a constraint, so that such rounds end. They are not counted: a result has no such
 * constraint any more, and simplifying it must take the same number of rounds. */
static bool settle_by_bounds(
    Simplifier *simplifier, Demands *demands, bool may_tighten, bool *creeps) {
  *creeps = false;
  for (uint32_t tightened = 0; tightened <= max_rounds;) {
    bool moved = false;
    if (!settle_round(simplifier, demands, &moved)) return false;
    if (demands->is_empty) return true;
    if (!moved) {
      if (!may_tighten || !tighten_round(simplifier, demands) || demands->is_empty) return true;
      tightened++;
    }
    simplifier_new_epoch(simplifier);
  }
  *creeps = true;
  return true;
}

static bool settle_or_give_up(Simplifier *simplifier, Demands *demands) {
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  Interval *given[variable_kinds];
  new_bounds(simplifier, given);
  Demands copy = {
      .count = demands->count, .items = BUMP_NEW(&simplifier->normal.temp, Demand, demands->count)};
  memcpy(copy.items, demands->items, demands->count * sizeof *copy.items);
  bool creeps;
  bool canonical = settle_by_bounds(simplifier, demands, true, &creeps);
  if (canonical && creeps) {
    copy_bounds(simplifier, given[VAR_DIM], simplifier->bounds[VAR_DIM]);
    memcpy(demands->items, copy.items, copy.count * sizeof *copy.items);
    assert(copy.count >= demands->count);
    demands->count = copy.count;
    simplifier_new_epoch(simplifier);
    trace_canonical(simplifier, demands, "bounds creep: taken back");
    canonical = settle_by_bounds(simplifier, demands, false, &creeps);
  }
  bump_release(&simplifier->normal.temp, mark);
  return canonical;
}

/* ---- facts from other constraints ---- */

static bool is_primitive(const Demand *demand) {
  const NormalSum *sum = demand->sum;
  return sum->constant == 0 && sum->items[0].coefficient > 0 &&
         summands_content(sum->items, sum->count, 0) == 1;
}

/* A rule set that folds no constants leaves empty intervals, which are no facts. */
static bool is_fact(const Simplifier *simplifier, const Demand *demand) {
  bool has_values = demand->in.lo <= demand->in.hi;
  assert(has_values || simplifier->has_users_rules);
  (void)simplifier;
  return is_primitive(demand) && has_values;
}

void constraints_publish(Simplifier *simplifier, const Demands *demands) {
  simplifier_new_epoch(simplifier);
  if (demands->count > simplifier->known_capacity) {
    simplifier->known_capacity = 2 * demands->count;
    simplifier->known = ARENA_NEW(simplifier->arena, KnownSum, simplifier->known_capacity);
  }
  for (uint32_t i = 0; i < demands->count; i++)
    if (is_fact(simplifier, &demands->items[i])) facts_remember(simplifier, demands->items[i], i);
  simplifier->known_except = UINT32_MAX;
  assert(simplifier->known_count <= demands->count);
}

static bool differs(const Demand *a, const Demand *b) {
  return a->sum != b->sum || a->in.lo != b->in.lo || a->in.hi != b->in.hi;
}

/* Removes the facts of a constraint: about its sum, and about its remainder's argument. */
static void constraints_forget(Simplifier *simplifier, const Demand *demand) {
  assert(demand->sum->known_epoch <= simplifier->epoch);
  demand->sum->known_epoch = 0;
  const NormalAtom *atom = sum_is_atom(demand->sum) ? demand->sum->items[0].atom : nullptr;
  if (atom == nullptr || atom->op != EXPR_MOD) return;
  const NormalSum *argument = atom->arguments[0];
  sum_intern(&simplifier->normal, argument->items, argument->count, 0)->congruent_epoch = 0;
}

/* Rewrites each constraint with the facts of the others, one after another. When a constraint
 * changes, its old fact is removed at once, since the change may depend on a later constraint. */
static bool settle_by_others(Simplifier *simplifier, Demands *demands, bool *changed) {
  *changed = false;
  if (demands->count < 2) return true;
  constraints_publish(simplifier, demands);
  for (uint32_t i = 0; i < demands->count; i++) {
    Demand before = demands->items[i];
    assert(simplifier->known_count <= simplifier->known_capacity);
    simplifier->known_except = i;
    memo_forget(simplifier);
    trace_at_constraint(simplifier, i);
    if (!settle_one(simplifier, &demands->items[i])) return false;
    if (!differs(&before, &demands->items[i])) continue;
    constraints_forget(simplifier, &before);
    *changed = true;
  }
  simplifier_new_epoch(simplifier);
  trace_canonical(simplifier, demands, "constraints rewritten");
  return true;
}

/* Joins stated constraints on the same sum before any rule is applied. */
static void merge_stated(Simplifier *simplifier, Demands *demands) {
  if (demands->count < 2) return;
  merge_equal(demands);
  trace_canonical(simplifier, demands, "constraints ordered, those on one sum joined");
}

bool constraints_settle(Simplifier *simplifier, Demands *demands) {
  merge_stated(simplifier, demands);
  if (demands->is_empty) return true;
  for (bool changed = demands->count > 0; changed;) {
    if (!settle_or_give_up(simplifier, demands)) return false;
    if (demands->is_empty) return true;
    if (!settle_by_others(simplifier, demands, &changed)) return false;
  }
  return true;
}
