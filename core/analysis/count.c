/* Counts the points of a domain exactly. Variables that occur in a common constraint form a group,
 * and the number of points is the product over the groups. A group without constraint counts as its
 * box. The box of any other group is halved until the bounds decide its constraints: a part in
 * which all hold everywhere counts fully, one in which some constraint holds nowhere counts zero,
 * and a small part is enumerated. Periodic constraints, which bounds never decide, are first split
 * into quotient and remainder (count_split.c).
 *
 * The budget limits parts and points; the time is limited by the budget of the question
 * (core/base/budget.h). If either is exceeded, the count is rejected, never estimated. */
#include <assert.h>
#include <stdckdint.h>

#include "core/base/budget.h"
#include "core/expr/memo.h"
#include "core/expr/visit.h"
#include "core/map/bounds.h"
#include "core/analysis/count_split.h"
#include "core/analysis/algebra.h"

typedef struct CountNumbers {
  uint32_t count, capacity;
  uint32_t *items;
} CountNumbers;

typedef struct CountGroups {
  MapContext *context;
  Map box;          /* a copy whose bounds are those of the current part; it has only dimensions */
  uint32_t *leader; /* union-find */
  bool *is_constrained; /* of a leader */
  CountNumbers *uses;   /* of a constraint: its variables */
  uint64_t budget;
  Error *error;
} CountGroups;

static constexpr uint32_t nobody = UINT32_MAX;
/* Boxes with at most this many points are enumerated. */
static constexpr uint64_t few_points = 16;
/* Nested halvings; more are ERROR_LIMIT. */
static constexpr uint32_t most_halvings = 2000;

static uint32_t find_leader(CountGroups *groups, uint32_t number) {
  while (groups->leader[number] != number)
    number = groups->leader[number] = groups->leader[groups->leader[number]];
  return number;
}

/* Joins the variables of an expression with those already found in its constraint. The recursion is
 * as deep as the expression, at most expr_max_depth. */
typedef struct VariableJoin {
  CountGroups *groups;
  CountNumbers *uses;
} VariableJoin;

static bool join_variable(void *state, Expr, ExprNode node) {
  CountGroups *groups = ((VariableJoin *)state)->groups;
  CountNumbers *uses = ((VariableJoin *)state)->uses;
  if (node.op != EXPR_VAR) return false;
  assert(node.var_kind == VAR_DIM);
  if (uses->count > 0)
    groups->leader[find_leader(groups, node.var_index)] = find_leader(groups, uses->items[0]);
  *ARENA_PUSH(groups->context->arena, uses) = node.var_index;
  return false;
}

static CountGroups find_groups(
    MapContext *context, const Map *points, uint64_t budget, Error *error) {
  CountGroups groups = {.context = context, .box = *points, .budget = budget, .error = error};
  groups.box.dims = ARENA_NEW(context->arena, Variable, points->dim_count);
  map_take_variables(&groups.box, points, VAR_DIM);
  groups.leader = ARENA_NEW(context->arena, uint32_t, points->dim_count);
  groups.is_constrained = ARENA_NEW(context->arena, bool, points->dim_count);
  groups.uses = ARENA_NEW(context->arena, CountNumbers, points->constraint_count);
  for (uint32_t i = 0; i < points->dim_count; i++) groups.leader[i] = i;
  for (uint32_t i = 0; i < points->constraint_count; i++) {
    Memo seen = memo_create(context->arena);
    VariableJoin joining = {&groups, &groups.uses[i]};
    (void)expr_any(context->pool, &seen, points->constraints[i].expr, join_variable, &joining);
  }
  for (uint32_t i = 0; i < points->constraint_count; i++)
    if (groups.uses[i].count > 0)
      groups.is_constrained[find_leader(&groups, groups.uses[i].items[0])] = true;
  return groups;
}

static bool spend(CountGroups *groups) {
  if (groups->budget == 0)
    return error_set(groups->error, ERROR_LIMIT, "counting points needs more steps than allowed");
  if (budget_is_spent())
    return error_set(groups->error, ERROR_LIMIT, "counting points: %s", budget_reason());
  groups->budget--;
  return true;
}

static bool overflow(Error *error) {
  return error_set(error, ERROR_OVERFLOW, "the number of points leaves 64 bits");
}

/* ---- one part of a group's box ---- */

typedef enum Decided : uint8_t { HOLDS_NOWHERE, HOLDS_EVERYWHERE, HOLDS_SOMEWHERE } Decided;

static Decided count_decide(Bounds *bounds, const Constraint *constraint) {
  Interval value;
  if (!bounds_of(bounds, constraint->expr, &value)) return HOLDS_SOMEWHERE;
  if (value.hi < constraint->in.lo || value.lo > constraint->in.hi) return HOLDS_NOWHERE;
  return constraint->in.lo <= value.lo && value.hi <= constraint->in.hi ? HOLDS_EVERYWHERE
                                                                        : HOLDS_SOMEWHERE;
}

/* Keeps in `open` the constraints that the part's bounds do not decide; false if one holds
 * nowhere. */
static bool keep_open(CountGroups *groups, CountNumbers *open) {
  ArenaMark mark = arena_mark(groups->context->arena);
  Bounds *bounds = bounds_create(groups->context, &groups->box);
  uint32_t kept = 0;
  bool holds = true;
  for (uint32_t i = 0; holds && i < open->count; i++) {
    Decided decided = count_decide(bounds, &groups->box.constraints[open->items[i]]);
    holds = decided != HOLDS_NOWHERE;
    if (decided == HOLDS_SOMEWHERE) open->items[kept++] = open->items[i];
  }
  open->count = kept;
  arena_rewind(groups->context->arena, mark);
  return holds;
}

static uint64_t width_of(Interval bounds) {
  return (uint64_t)bounds.hi - (uint64_t)bounds.lo;
} /* one less than the number of values */

/* The number of points of the members' box; false if it exceeds 64 bits. */
static bool volume(const CountGroups *groups, const CountNumbers *members, uint64_t *product) {
  *product = 1;
  for (uint32_t i = 0; i < members->count; i++) {
    uint64_t width = width_of(groups->box.dims[members->items[i]].bounds);
    if (width == UINT64_MAX || ckd_mul(product, *product, width + 1)) return false;
  }
  return true;
}

/* The widest variable of an undecided constraint; halving any other one decides nothing. */
static uint32_t widest(const CountGroups *groups, const CountNumbers *open) {
  uint32_t best = nobody;
  for (uint32_t i = 0; i < open->count; i++)
    for (uint32_t k = 0; k < groups->uses[open->items[i]].count; k++) {
      uint32_t variable = groups->uses[open->items[i]].items[k];
      uint64_t width = width_of(groups->box.dims[variable].bounds);
      if (width > 0 && (best == nobody || width > width_of(groups->box.dims[best].bounds)))
        best = variable;
    }
  return best;
}

static bool count_part(CountGroups *groups, const CountNumbers *members, const CountNumbers *open,
    uint32_t depth, uint64_t *count);

static bool count_half(CountGroups *groups, const CountNumbers *members, const CountNumbers *open,
    uint32_t depth, uint32_t variable, Interval half, uint64_t *count) {
  uint64_t of_half;
  Interval *bounds = &groups->box.dims[variable].bounds, whole = *bounds;
  *bounds = half;
  bool counted = count_part(groups, members, open, depth + 1, &of_half);
  *bounds = whole;
  return counted && (!ckd_add(count, *count, of_half) || overflow(groups->error));
}

static bool halve(CountGroups *groups, const CountNumbers *members, const CountNumbers *open,
    uint32_t depth, uint64_t *count) {
  uint32_t variable = widest(groups, open);
  if (variable == nobody)
    return error_set(groups->error, ERROR_OVERFLOW, "a constraint leaves int64");
  if (depth == most_halvings)
    return error_set(groups->error, ERROR_LIMIT,
        "counting points halves the domain more than %u times", most_halvings);
  Interval whole = groups->box.dims[variable].bounds;
  int64_t middle = (int64_t)((uint64_t)whole.lo + width_of(whole) / 2);
  assert(whole.lo <= middle && middle < whole.hi);
  return count_half(groups, members, open, depth, variable, (Interval){whole.lo, middle}, count) &&
         count_half(
             groups, members, open, depth, variable, (Interval){middle + 1, whole.hi}, count);
}

static bool holds_at(const CountGroups *groups, const CountNumbers *open, const int64_t *values) {
  for (uint32_t i = 0; i < open->count; i++) {
    const Constraint *constraint = &groups->box.constraints[open->items[i]];
    int64_t value;
    if (!expr_evaluate(groups->context->pool, constraint->expr, &(Point){.dims = values}, &value))
      return false;
    if (value < constraint->in.lo || value > constraint->in.hi) return false;
  }
  return true;
}

static bool next_point(const CountGroups *groups, const CountNumbers *members, int64_t *values) {
  for (uint32_t i = members->count; i-- > 0;) {
    uint32_t variable = members->items[i];
    if (values[variable] < groups->box.dims[variable].bounds.hi) {
      values[variable]++;
      return true;
    }
    values[variable] = groups->box.dims[variable].bounds.lo;
  }
  return false;
}

static bool go_through(
    CountGroups *groups, const CountNumbers *members, const CountNumbers *open, uint64_t *count) {
  int64_t *values = ARENA_NEW(groups->context->arena, int64_t, groups->box.dim_count);
  for (uint32_t i = 0; i < members->count; i++)
    values[members->items[i]] = groups->box.dims[members->items[i]].bounds.lo;
  do {
    if (!spend(groups)) return false;
    *count += holds_at(groups, open, values);
  } while (next_point(groups, members, values));
  return true;
}

/* The recursion is at most most_halvings deep. */
static bool count_part(CountGroups *groups, const CountNumbers *members, const CountNumbers *open,
    uint32_t depth, uint64_t *count) {
  ArenaMark mark = arena_mark(groups->context->arena);
  *count = 0;
  if (!spend(groups)) return false;
  CountNumbers left = {
      .count = open->count, .items = ARENA_NEW(groups->context->arena, uint32_t, open->count)};
  for (uint32_t i = 0; i < open->count; i++) left.items[i] = open->items[i];
  uint64_t size;
  bool counted = true;
  if (keep_open(groups, &left)) {
    bool fits = volume(groups, members, &size);
    if (left.count == 0) counted = fits || overflow(groups->error);
    if (left.count == 0) *count = size;
    else
      counted = fits && size <= few_points ? go_through(groups, members, &left, count)
                                           : halve(groups, members, &left, depth, count);
  }
  arena_rewind(groups->context->arena, mark);
  return counted;
}

/* ---- the whole ---- */

/* Counts one group. Constraints without variables form a group without members, which has one point
 * or none. */
static bool count_group(CountGroups *groups, uint32_t leader, uint64_t *count) {
  CountNumbers members = {}, open = {};
  for (uint32_t i = 0; i < groups->box.dim_count; i++)
    if (leader != nobody && find_leader(groups, i) == leader)
      *ARENA_PUSH(groups->context->arena, &members) = i;
  for (uint32_t i = 0; i < groups->box.constraint_count; i++) {
    uint32_t of =
        groups->uses[i].count == 0 ? nobody : find_leader(groups, groups->uses[i].items[0]);
    if (of == leader) *ARENA_PUSH(groups->context->arena, &open) = i;
  }
  return count_part(groups, &members, &open, 0, count);
}

static bool is_empty_box(const Map *points) {
  for (uint32_t i = 0; i < points->dim_count; i++)
    if (points->dims[i].bounds.lo > points->dims[i].bounds.hi) return true;
  return false;
}

/* An empty group makes the product 0 however large the others are, so free groups are counted
 * last. */
static bool count_groups(CountGroups *groups, uint64_t *count) {
  uint64_t product = 1, of_group;
  if (!count_group(groups, nobody, &product)) return false;
  for (uint32_t free = 0; free < 2; free++)
    for (uint32_t i = 0; product != 0 && i < groups->box.dim_count; i++) {
      if (find_leader(groups, i) != i || groups->is_constrained[i] == (free == 1)) continue;
      bool counted = free == 0
                         ? count_group(groups, i, &of_group)
                         : volume(groups, &(CountNumbers){.count = 1, .items = &i}, &of_group) ||
                               overflow(groups->error);
      if (!counted) return false;
      if (of_group == 0) product = 0;
      else if (ckd_mul(&product, product, of_group)) return overflow(groups->error);
    }
  *count = product;
  return true;
}

static bool count_plain(
    Simplifier *simplifier, const Map *map, uint64_t budget, uint64_t *count, Error *error) {
  MapContext *context = simplifier_context(simplifier);
  const Map *points = count_split(simplifier, map);
  if (points->state == MAP_KNOWN_EMPTY || is_empty_box(points)) return true;
  CountGroups groups = find_groups(context, points, budget, error);
  return count_groups(&groups, count);
}

bool map_count_points(
    Simplifier *simplifier, const Map *map, uint64_t budget, uint64_t *count, Error *error) {
  *count = 0;
  if (map->state == MAP_UNDEFINED)
    return error_set(error, ERROR_UNSUPPORTED, "an undefined map has no number of points");
  if (map->state == MAP_KNOWN_EMPTY) return true;
  MapContext *context = simplifier_context(simplifier);
  MapMark mark = map_context_mark(context);
  bool counted = count_plain(simplifier, map, budget, count, error);
  map_context_rewind(context, mark);
  return counted;
}
