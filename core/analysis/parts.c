/* Parts are the connected components of variables, where a result or a constraint connects the
 * variables that it mentions. A result without variables is a part of its own. Enumeration visits
 * only the product of the part's own variables. The recursion is as deep as an expression, at most
 * expr_max_depth. */
#define _GNU_SOURCE /* qsort_r */
#include "core/analysis/parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/expr/memo.h"

typedef struct Grouping {
  const MapContext *context;
  const Map *map;
  uint32_t count;   /* nodes: variables, then results, then constraints */
  uint32_t *leader; /* [count], union-find */
  Memo seen;
} Grouping;

static PartVariable variable_at(const Map *map, uint32_t number) {
  VariableId id = map_variable_id(map, number);
  return (PartVariable){id.kind, id.index, map_variable(map, number)->bounds};
}

static uint32_t parts_find(Grouping *grouping, uint32_t node) {
  while (grouping->leader[node] != node)
    node = grouping->leader[node] = grouping->leader[grouping->leader[node]];
  return node;
}

static void parts_join(Grouping *grouping, uint32_t a, uint32_t b) {
  a = parts_find(grouping, a);
  b = parts_find(grouping, b);
  grouping->leader[a > b ? a : b] = a > b ? b : a;
}

static void connect(Grouping *grouping, uint32_t node, Expr expr) {
  uint32_t known;
  const ExprNode *here = expr_node(grouping->context->pool, expr);
  if (here->op == EXPR_CONST) return;
  if (here->op == EXPR_VAR) {
    parts_join(grouping, node, map_first_number(grouping->map, here->var_kind) + here->var_index);
    return;
  }
  if (memo_find(&grouping->seen, expr, &known)) {
    parts_join(grouping, node, known);
    return;
  }
  memo_insert(&grouping->seen, expr, node);
  connect(grouping, node, here->left);
  connect(grouping, node, here->right);
}

static Grouping group(const MapContext *context, const Map *map) {
  uint32_t variables = map_variable_count(map);
  Grouping grouping = {.context = context,
      .map = map,
      .count = variables + map->result_count + map->constraint_count};
  grouping.leader = ARENA_NEW(context->arena, uint32_t, grouping.count);
  grouping.seen = memo_create(context->arena);
  for (uint32_t i = 0; i < grouping.count; i++) grouping.leader[i] = i;
  for (uint32_t i = 0; i < map->result_count; i++)
    connect(&grouping, variables + i, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    connect(&grouping, variables + map->result_count + i, map->constraints[i].expr);
  return grouping;
}

static Part part_led_by(Grouping *grouping, uint32_t leader) {
  const Map *map = grouping->map;
  Arena *arena = grouping->context->arena;
  uint32_t variables = map_variable_count(map);
  Part part = {.variables = ARENA_NEW(arena, PartVariable, variables),
      .results = ARENA_NEW(arena, uint32_t, map->result_count),
      .constraints = ARENA_NEW(arena, uint32_t, map->constraint_count)};
  for (uint32_t i = 0; i < grouping->count; i++) {
    if (parts_find(grouping, i) != leader) continue;
    if (i < variables) part.variables[part.variable_count++] = variable_at(map, i);
    else if (i < variables + map->result_count) part.results[part.result_count++] = i - variables;
    else part.constraints[part.constraint_count++] = i - variables - map->result_count;
  }
  return part;
}

Parts parts_of(const MapContext *context, const Map *map) {
  assert(map->state == MAP_PLAIN);
  Grouping grouping = group(context, map);
  uint32_t variables = map_variable_count(map);
  Parts parts = {.items = ARENA_NEW(context->arena, Part, grouping.count)};
  bool *taken = ARENA_NEW(context->arena, bool, grouping.count);
  for (uint32_t i = 0; i < grouping.count; i++) {
    uint32_t node = (i + variables) % grouping.count;
    uint32_t leader = parts_find(&grouping, node);
    if (taken[leader]) continue;
    taken[leader] = true;
    parts.items[parts.count++] = part_led_by(&grouping, leader);
  }
  return parts;
}

typedef struct PartWalk {
  const MapContext *context;
  const Map *map;
  const Part *part;
  int64_t *values[3];
  int64_t *row;  /* [result_count] */
  uint64_t left; /* points that may still be visited */
  bool first_only;
  PartImage image;
  uint64_t capacity;
  Error *error;
} PartWalk;

static bool parts_evaluate(PartWalk *walk, Expr expr, int64_t *value) {
  Point point = {walk->values[VAR_DIM], walk->values[VAR_RANGE], walk->values[VAR_RUNTIME]};
  return expr_evaluate(walk->context->pool, expr, &point, value) ||
         error_set(walk->error, ERROR_OVERFLOW, "a value leaves int64");
}

static void keep_row(PartWalk *walk) {
  uint32_t width = walk->part->result_count;
  PartImage *image = &walk->image;
  if (image->count == walk->capacity) {
    walk->capacity = walk->capacity == 0 ? 64 : 2 * walk->capacity;
    image->rows = arena_grow(walk->context->arena, image->rows, image->count * width,
        walk->capacity * width, sizeof *walk->row);
  }
  if (width > 0) memcpy(image->rows + image->count * width, walk->row, width * sizeof *walk->row);
  image->count++;
}

static bool parts_visit(PartWalk *walk) {
  const Part *part = walk->part;
  if (walk->left-- == 0)
    return error_set(walk->error, ERROR_LIMIT, "more points than may be enumerated");
  for (uint32_t i = 0; i < part->constraint_count; i++) {
    const Constraint *constraint = &walk->map->constraints[part->constraints[i]];
    int64_t value;
    if (!parts_evaluate(walk, constraint->expr, &value)) return false;
    if (value < constraint->in.lo || value > constraint->in.hi) return true;
  }
  for (uint32_t i = 0; i < part->result_count; i++)
    if (!parts_evaluate(walk, walk->map->results[part->results[i]], &walk->row[i])) return false;
  keep_row(walk);
  return true;
}

static bool is_done(const PartWalk *walk) { return walk->first_only && walk->image.count > 0; }

/* Enumerates the part's variables like an odometer. */
static bool walk_points(PartWalk *walk) {
  const Part *part = walk->part;
  for (uint32_t i = 0; i < part->variable_count; i++) {
    const PartVariable *variable = &part->variables[i];
    if (variable->bounds.lo > variable->bounds.hi) return true;
    walk->values[variable->kind][variable->index] = variable->bounds.lo;
  }
  for (;;) {
    if (!parts_visit(walk)) return false;
    uint32_t i = part->variable_count;
    while (i > 0 && walk->values[part->variables[i - 1].kind][part->variables[i - 1].index] ==
                        part->variables[i - 1].bounds.hi) {
      i--;
      walk->values[part->variables[i].kind][part->variables[i].index] =
          part->variables[i].bounds.lo;
    }
    if (i == 0 || is_done(walk)) return true;
    walk->values[part->variables[i - 1].kind][part->variables[i - 1].index]++;
  }
}

static PartWalk walk_start(
    const MapContext *context, const Map *map, const Part *part, uint64_t limit, Error *error) {
  Arena *arena = context->arena;
  return (PartWalk){.context = context,
      .row = ARENA_NEW(arena, int64_t, part->result_count),
      .map = map,
      .part = part,
      .left = limit,
      .error = error,
      .values = {ARENA_NEW(arena, int64_t, map->dim_count),
          ARENA_NEW(arena, int64_t, map->range_count),
          ARENA_NEW(arena, int64_t, map->runtime_count)}};
}

static int compare_rows(const void *a, const void *b, void *width) {
  const int64_t *x = a, *y = b;
  for (uint32_t i = 0; i < *(const uint32_t *)width; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

static void sort_distinct(PartImage *image, uint32_t width) {
  if (image->count == 0 || width == 0) {
    image->count = image->count > 0;
    return;
  }
  qsort_r(image->rows, image->count, width * sizeof(int64_t), compare_rows, &width);
  uint64_t kept = 1;
  for (uint64_t i = 1; i < image->count; i++) {
    if (compare_rows(image->rows + i * width, image->rows + (kept - 1) * width, &width) == 0)
      continue;
    memmove(image->rows + kept * width, image->rows + i * width, width * sizeof(int64_t));
    kept++;
  }
  image->count = kept;
}

/* Checks the limit before the first point is visited. */
static bool is_within(const Part *part, uint64_t limit) {
  uint64_t points = 1;
  for (uint32_t i = 0; i < part->variable_count; i++) {
    Interval bounds = part->variables[i].bounds;
    if (bounds.lo > bounds.hi) return true;
  }
  for (uint32_t i = 0; i < part->variable_count; i++) {
    uint64_t width =
        (uint64_t)part->variables[i].bounds.hi - (uint64_t)part->variables[i].bounds.lo;
    if (width >= limit || points * (width + 1) > limit) return false;
    points *= width + 1;
  }
  return true;
}

bool part_image(const MapContext *context, const Map *map, const Part *part, uint64_t limit,
    PartImage *image, Error *error) {
  PartWalk walk = walk_start(context, map, part, limit, error);
  assert(limit <= UINT32_MAX);
  if (!is_within(part, limit))
    return error_set(error, ERROR_LIMIT, "more points than may be enumerated");
  if (!walk_points(&walk)) return false;
  *image = walk.image;
  sort_distinct(image, part->result_count);
  return true;
}

bool part_has_point(const MapContext *context, const Map *map, const Part *part, uint64_t limit,
    bool *has_point, Error *error) {
  PartWalk walk = walk_start(context, map, part, limit, error);
  walk.first_only = true;
  if (!walk_points(&walk)) return false;
  *has_point = walk.image.count > 0;
  return true;
}
