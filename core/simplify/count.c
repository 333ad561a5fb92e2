/* Counting points, and what is decided by counting. Variables are joined by the constraints in which they occur together; the number
 * of points is the product over the joined groups. A group without constraint counts as its box, any other is enumerated. */
#include <assert.h>
#include <stdckdint.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/expr/memo.h"
#include "core/map/bounds.h"
#include "core/map/evaluate.h"
#include "core/simplify/variables.h"

typedef struct Groups {
  MapContext *context;
  const Map *map;
  uint32_t count;       /* of variables: dims, then ranges, then runtimes */
  uint32_t *leader;     /* union-find */
  bool *is_constrained; /* of a leader */
  uint32_t *first;      /* of a constraint: one of its variables, or nobody */
  uint64_t budget;
} Groups;

static uint32_t number_of(const Map *map, const ExprNode *variable) {
  switch (variable->var_kind) {
    case VAR_DIM: return variable->var_index;
    case VAR_RANGE: return map->dim_count + variable->var_index;
    case VAR_RUNTIME: return map->dim_count + map->range_count + variable->var_index;
  }
  return 0;
}

static Interval bounds_of_variable(const Map *map, uint32_t number) {
  if (number < map->dim_count) return map->dims[number].bounds;
  number -= map->dim_count;
  return number < map->range_count ? map->ranges[number].bounds : map->runtimes[number - map->range_count].bounds;
}

static uint32_t find_leader(Groups *groups, uint32_t number) {
  while (groups->leader[number] != number) number = groups->leader[number] = groups->leader[groups->leader[number]];
  return number;
}

static constexpr uint32_t nobody = UINT32_MAX;

/* Joins the variables of an expression with `first`. Recursion is as deep as the expression. */
static void join_variables(Groups *groups, Memo *seen, Expr expr, uint32_t *first) {
  const ExprNode *node = expr_node(groups->context->pool, expr);
  uint32_t known;
  if (node->op == EXPR_CONST) return;
  if (node->op == EXPR_VAR) {
    uint32_t leader = find_leader(groups, number_of(groups->map, node));
    if (*first != nobody) groups->leader[leader] = find_leader(groups, *first);
    *first = leader;
    return;
  }
  if (memo_find(seen, expr, &known)) return;
  memo_insert(seen, expr, 1);
  join_variables(groups, seen, node->left, first);
  join_variables(groups, seen, node->right, first);
}

static Groups find_groups(MapContext *context, const Map *map, uint64_t budget) {
  Groups groups = {.context = context, .map = map, .count = map->dim_count + map->range_count + map->runtime_count, .budget = budget};
  groups.leader = ARENA_NEW(context->arena, uint32_t, groups.count);
  groups.is_constrained = ARENA_NEW(context->arena, bool, groups.count);
  uint32_t *first = groups.first = ARENA_NEW(context->arena, uint32_t, map->constraint_count);
  for (uint32_t i = 0; i < groups.count; i++) groups.leader[i] = i;
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    Memo seen = memo_create(context->arena);
    first[i] = nobody;
    join_variables(&groups, &seen, map->constraints[i].expr, &first[i]);
  }
  for (uint32_t i = 0; i < map->constraint_count; i++)
    if (first[i] != nobody) groups.is_constrained[find_leader(&groups, first[i])] = true;
  return groups;
}

static bool holds(const Groups *groups, const Constraint *constraint, const int64_t *values) {
  const Map *map = groups->map;
  Point point = {values, values + map->dim_count, values + map->dim_count + map->range_count};
  int64_t value;
  if (!expr_evaluate(groups->context->pool, constraint->expr, &point, &value)) return false;
  return constraint->in.lo <= value && value <= constraint->in.hi;
}

/* Whether the constraints of a group hold; `nobody` for those without variables. */
static bool inside(Groups *groups, const int64_t *values, uint32_t leader) {
  for (uint32_t i = 0; i < groups->map->constraint_count; i++) {
    uint32_t of = groups->first[i] == nobody ? nobody : find_leader(groups, groups->first[i]);
    if (of == leader && !holds(groups, &groups->map->constraints[i], values)) return false;
  }
  return true;
}

/* The next point of a group's box. */
static bool advance(Groups *groups, uint32_t leader, int64_t *values) {
  for (uint32_t i = groups->count; i-- > 0;) {
    if (find_leader(groups, i) != leader) continue;
    Interval bounds = bounds_of_variable(groups->map, i);
    if (values[i] < bounds.hi) {
      values[i]++;
      return true;
    }
    values[i] = bounds.lo;
  }
  return false;
}

static bool count_group(Groups *groups, uint32_t leader, int64_t *values, uint64_t *count, Error *error) {
  *count = 0;
  do {
    if (groups->budget == 0) return error_set(error, ERROR_LIMIT, "counting points takes more evaluations than allowed");
    groups->budget--;
    *count += inside(groups, values, leader);
  } while (advance(groups, leader, values));
  return true;
}

static bool multiply(uint64_t *product, uint64_t factor, Error *error) {
  return !ckd_mul(product, *product, factor) || error_set(error, ERROR_OVERFLOW, "the number of points leaves 64 bits");
}

static bool count_box(uint64_t *product, Interval bounds, Error *error) {
  uint64_t width = (uint64_t)bounds.hi - (uint64_t)bounds.lo + 1;
  return width == 0 ? error_set(error, ERROR_OVERFLOW, "the number of points leaves 64 bits") : multiply(product, width, error);
}

bool map_count_points(MapContext *context, const Map *map, uint64_t budget, uint64_t *count, Error *error) {
  *count = 0;
  if (map->state == MAP_UNDEFINED) return error_set(error, ERROR_UNSUPPORTED, "an undefined map has no number of points");
  if (map->state == MAP_KNOWN_EMPTY) return true;
  Groups groups = find_groups(context, map, budget);
  int64_t *values = ARENA_NEW(context->arena, int64_t, groups.count);
  for (uint32_t i = 0; i < groups.count; i++) {
    values[i] = bounds_of_variable(map, i).lo;
    if (values[i] > bounds_of_variable(map, i).hi) return true;
  }
  if (!inside(&groups, values, nobody)) return true;
  uint64_t product = 1;
  for (uint32_t i = 0; i < groups.count; i++) {
    uint32_t leader = find_leader(&groups, i);
    uint64_t of_group = 1;
    if (!groups.is_constrained[leader]) {
      if (!count_box(&product, bounds_of_variable(map, i), error)) return false;
      continue;
    }
    if (leader != i) continue;
    if (!count_group(&groups, leader, values, &of_group, error) || !multiply(&product, of_group, error)) return false;
  }
  *count = product;
  return true;
}

bool map_image_bounds(MapContext *context, const Map *map, Interval *bounds) {
  assert(map->state == MAP_PLAIN);
  for (uint32_t i = 0; i < map->result_count; i++)
    if (!expr_bounds(context, map, map->results[i], &bounds[i])) return false;
  return true;
}

/* ---- injective by enumeration ---- */

typedef struct Seen {
  uint32_t width;     /* results of a point */
  uint64_t mask;
  int64_t *rows;      /* [mask + 1][width] */
  bool *is_used;
} Seen;

/* False when the row is there already. */
static bool add_row(Seen *seen, const int64_t *row) {
  uint64_t hash = seen->width;
  for (uint32_t i = 0; i < seen->width; i++) hash = hash_mix(hash, (uint64_t)row[i]);
  uint64_t at = hash & seen->mask;
  for (; seen->is_used[at]; at = (at + 1) & seen->mask)
    if (memcmp(&seen->rows[at * seen->width], row, seen->width * sizeof *row) == 0) return false;
  seen->is_used[at] = true;
  memcpy(&seen->rows[at * seen->width], row, seen->width * sizeof *row);
  return true;
}

static bool box_size(const Map *map, uint32_t count, uint64_t budget, uint64_t *size) {
  *size = 1;
  for (uint32_t i = 0; i < count; i++) {
    Interval bounds = bounds_of_variable(map, i);
    uint64_t width = bounds.lo > bounds.hi ? 0 : (uint64_t)bounds.hi - (uint64_t)bounds.lo + 1;
    if (width > budget || ckd_mul(size, *size, width) || *size > budget) return false;
  }
  return true;
}

static Seen create_seen(MapContext *context, const Map *map, uint64_t size) {
  Seen seen = {.width = map->result_count, .mask = 15};
  while (seen.mask < 2 * size) seen.mask = 2 * seen.mask + 1;
  seen.rows = ARENA_NEW(context->arena, int64_t, (seen.mask + 1) * (map->result_count == 0 ? 1 : map->result_count));
  seen.is_used = ARENA_NEW(context->arena, bool, seen.mask + 1);
  return seen;
}

static bool next_point(const Map *map, uint32_t count, int64_t *values) {
  for (uint32_t i = count; i-- > 0;) {
    Interval bounds = bounds_of_variable(map, i);
    if (values[i]++ < bounds.hi) return true;
    values[i] = bounds.lo;
  }
  return false;
}

static MapAnswer injective_by_points(MapContext *context, const Map *map, uint64_t budget) {
  uint32_t count = map->dim_count + map->range_count + map->runtime_count;
  uint64_t size;
  if (!box_size(map, count, budget, &size)) return MAP_UNKNOWN;
  if (size == 0) return MAP_YES;
  Seen seen = create_seen(context, map, size);
  int64_t *values = ARENA_NEW(context->arena, int64_t, count), *row = ARENA_NEW(context->arena, int64_t, map->result_count);
  for (uint32_t i = 0; i < count; i++) values[i] = bounds_of_variable(map, i).lo;
  do {
    PointState state = map_evaluate(context, map, &(Point){values, values + map->dim_count, values + map->dim_count + map->range_count}, row);
    if (state == POINT_OVERFLOW) return MAP_UNKNOWN;
    if (state == POINT_INSIDE && !add_row(&seen, row)) return MAP_NO;
  } while (next_point(map, count, values));
  return MAP_YES;
}

MapAnswer map_is_injective(Simplifier *simplifier, const Map *map, uint64_t budget) {
  MapContext *context = simplifier_context(simplifier);
  if (map->state != MAP_PLAIN) return map->state == MAP_KNOWN_EMPTY ? MAP_YES : MAP_UNKNOWN;
  const Map *inverse;
  Error error = {};
  if (map->runtime_count == 0 && map_inverse(simplifier, map_ranges_to_dims(context, map), &inverse, &error)) return MAP_YES;
  ArenaMark mark = arena_mark(context->arena);
  MapAnswer answer = injective_by_points(context, map, budget);
  arena_rewind(context->arena, mark);
  return answer;
}

/* An injective map whose image lies in the box hits every index if and only if there are as many points as indices. */
MapAnswer map_is_bijective(Simplifier *simplifier, const Map *map, const int64_t *sizes, uint64_t budget) {
  MapContext *context = simplifier_context(simplifier);
  uint64_t indices = 1, points;
  Error error = {};
  if (map->state == MAP_UNDEFINED) return MAP_UNKNOWN;
  for (uint32_t i = 0; i < map->result_count; i++)
    if (ckd_mul(&indices, indices, sizes[i] <= 0 ? 0 : (uint64_t)sizes[i])) return MAP_UNKNOWN;
  if (map->state == MAP_KNOWN_EMPTY) return indices == 0 ? MAP_YES : MAP_NO;
  Interval *image = ARENA_NEW(context->arena, Interval, map->result_count);
  if (!map_count_points(context, map, budget, &points, &error) || !map_image_bounds(context, map, image)) return MAP_UNKNOWN;
  if (points != indices) return MAP_NO;
  for (uint32_t i = 0; i < map->result_count; i++)
    if (image[i].lo < 0 || image[i].hi >= sizes[i]) return MAP_UNKNOWN;
  return map_is_injective(simplifier, map, budget);
}
