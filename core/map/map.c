/* Builds maps, checks that they are well-formed, and compares their representations. */
#include "core/map/map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/expr/visit.h"
#include "core/map/bounds.h"

MapContext *map_context_create(void) {
  MapContext *context = malloc(sizeof *context);
  if (context == nullptr) arena_out_of_memory(sizeof *context);
  *context = (MapContext){.pool = expr_pool_create(), .arena = arena_create()};
  return context;
}

void map_context_destroy(MapContext *context) {
  if (context == nullptr) return;
  expr_pool_destroy(context->pool);
  arena_destroy(context->arena);
  free(context);
}

MapMark map_context_mark(const MapContext *context) {
  assert(context->pool->count >= 1);
  return (MapMark){.arena = arena_mark(context->arena), .pool = expr_pool_mark(context->pool)};
}

void map_context_rewind(MapContext *context, MapMark mark) {
  assert(mark.pool >= 1 && mark.pool <= context->pool->count);
  arena_rewind(context->arena, mark.arena);
  expr_pool_rewind(context->pool, mark.pool);
  context->rewinds++;
  assert(context->rewinds != 0);
}

static size_t map_times(uint32_t count, size_t size) { return count * size; }

/* One block: the map, then its arrays, those with wider alignment first. */
Map *map_create_unset(MapContext *context, uint32_t dims, uint32_t ranges, uint32_t runtimes,
    uint32_t results, uint32_t constraints) {
  static_assert(sizeof(Map) % alignof(Variable) == 0 && sizeof(Variable) % alignof(Expr) == 0 &&
                sizeof(Constraint) % alignof(Variable) == 0 &&
                sizeof(Variable) % alignof(Constraint) == 0);
  size_t bytes = sizeof(Map) + map_times(dims, sizeof(Variable)) +
                 map_times(ranges, sizeof(Variable)) + map_times(runtimes, sizeof(Variable)) +
                 map_times(constraints, sizeof(Constraint)) + map_times(results, sizeof(Expr));
  Map *map = arena_take(context->arena, (bytes + 15) & ~(size_t)15);
  Variable *variables = (Variable *)(map + 1);
  Constraint *first = (Constraint *)(variables + dims + ranges + runtimes);
  *map = (Map){.state = MAP_PLAIN,
      .dim_count = dims,
      .range_count = ranges,
      .runtime_count = runtimes,
      .result_count = results,
      .constraint_count = constraints,
      .dims = variables,
      .ranges = variables + dims,
      .runtimes = variables + dims + ranges,
      .results = (Expr *)(first + constraints),
      .constraints = first};
  assert((unsigned char *)(map->results + results) == (unsigned char *)map + bytes);
  return map;
}

Map *map_create(MapContext *context, uint32_t dims, uint32_t ranges, uint32_t runtimes,
    uint32_t results, uint32_t constraints) {
  Map *map = map_create_unset(context, dims, ranges, runtimes, results, constraints);
  memset(map->dims, 0,
      (size_t)((unsigned char *)(map->results + results) - (unsigned char *)map->dims));
  return map;
}

/* Known-empty and undefined maps have no variables, results or constraints, so each is one
 * constant. */
static const Variable no_variables[1];
static const Expr no_results[1];
static const Constraint no_constraints[1];
#define MAP_OF_STATE(is) \
  {.state = (is), \
      .dims = (Variable *)no_variables, \
      .ranges = (Variable *)no_variables, \
      .runtimes = (Variable *)no_variables, \
      .results = (Expr *)no_results, \
      .constraints = (Constraint *)no_constraints}
static const Map known_empty = MAP_OF_STATE(MAP_KNOWN_EMPTY),
                 undefined = MAP_OF_STATE(MAP_UNDEFINED);

const Map *map_known_empty(MapContext *) { return &known_empty; }
const Map *map_undefined(MapContext *) { return &undefined; }

const Map *map_identity(MapContext *context, uint32_t rank, const int64_t *sizes) {
  Map *map = map_create(context, rank, 0, 0, rank, 0);
  for (uint32_t i = 0; i < rank; i++) {
    if (sizes[i] <= 0) return map_known_empty(context);
    map->dims[i].bounds = (Interval){0, sizes[i] - 1};
    map->results[i] = expr_var(context->pool, VAR_DIM, i);
  }
  assert(map_is_whole(context, map));
  return map;
}

typedef struct MapCheck {
  const MapContext *context;
  const Map *map;
  Memo seen;
  Error *error;
} MapCheck;

static bool check_divisor(MapCheck *check, const ExprNode *node) {
  assert(node->op > EXPR_VAR && node->op <= EXPR_MAX);
  bool divides = node->op == EXPR_FLOORDIV || node->op == EXPR_CEILDIV || node->op == EXPR_MOD;
  int64_t divisor;
  if (!divides || (expr_is_const(check->context->pool, node->right, &divisor) && divisor > 0))
    return true;
  return error_set(check->error, ERROR_INPUT, "the divisor of %s is not a positive constant",
      expr_op_text(node->op));
}

/* True if the node is invalid; expr_any then stops. */
static bool check_node(void *state, Expr, ExprNode node) {
  MapCheck *check = state;
  if (node.op == EXPR_CONST) return false;
  if (node.op != EXPR_VAR) return !check_divisor(check, &node);
  uint32_t count = map_kind_count(check->map, node.var_kind);
  if (node.var_index < count) return false;
  error_set(check->error, ERROR_INPUT,
      "an expression uses variable %u of its kind, and the map has %u", node.var_index, count);
  return true;
}

static bool is_leaf_of(const MapContext *context, Expr expr) {
  ExprOp op = expr_node(context->pool, expr)->op;
  return op == EXPR_CONST || op == EXPR_VAR;
}

static bool check_expr(MapCheck *check, Expr expr) {
  if (is_leaf_of(check->context, expr))
    return !check_node(check, expr, *expr_node(check->context->pool, expr));
  return !expr_any(check->context->pool, &check->seen, expr, check_node, check);
}

bool map_has_leaves_only(const MapContext *context, const Map *map) {
  for (uint32_t i = 0; i < map->result_count; i++)
    if (!is_leaf_of(context, map->results[i])) return false;
  for (uint32_t i = 0; i < map->constraint_count; i++)
    if (!is_leaf_of(context, map->constraints[i].expr)) return false;
  return true;
}

static bool check_overflow(MapContext *context, const Map *map, Error *error) {
  if (map_has_empty_bounds(map)) return true;
  Bounds *bounds = bounds_create(context, map);
  Interval ignored;
  assert(map->state == MAP_PLAIN);
  for (uint32_t i = 0; i < map->result_count; i++)
    if (!bounds_of(bounds, map->results[i], &ignored))
      return error_set(error, ERROR_OVERFLOW, "result %u can leave int64 on the domain", i);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    if (!bounds_of(bounds, map->constraints[i].expr, &ignored))
      return error_set(error, ERROR_OVERFLOW, "constraint %u can leave int64 on the domain", i);
  return true;
}

static bool check_size(MapContext *context, const Map *map, Error *error) {
  bool fits = true;
  for (uint32_t i = 0; i < map->result_count; i++)
    fits &= expr_tree_size(context->pool, map->results[i]) <= expr_max_tree;
  for (uint32_t i = 0; i < map->constraint_count; i++)
    fits &= expr_tree_size(context->pool, map->constraints[i].expr) <= expr_max_tree;
  return fits || error_set(error, ERROR_LIMIT, "an expression of the map has more than %u nodes",
                     expr_max_tree);
}

/* True if the expression is small, without an error, and cannot leave int64. */
static bool check_small(
    const MapContext *context, const Map *map, Expr expr, uint32_t depth, Interval *bounds) {
  const ExprNode *node = expr_node(context->pool, expr);
  if (node->op == EXPR_CONST) {
    *bounds = (Interval){node->value, node->value};
    return true;
  }
  if (node->op == EXPR_VAR) {
    if (node->var_index >= map_kind_count(map, node->var_kind)) return false;
    *bounds = map_variables(map, node->var_kind)[node->var_index].bounds;
    return bounds->lo <= bounds->hi;
  }
  bool divides = node->op == EXPR_FLOORDIV || node->op == EXPR_CEILDIV || node->op == EXPR_MOD;
  Interval left, right;
  return depth > 0 && (!divides || expr_is_const(context->pool, node->right, nullptr)) &&
         check_small(context, map, node->left, depth - 1, &left) &&
         check_small(context, map, node->right, depth - 1, &right) &&
         bounds_apply(node->op, left, right, bounds);
}

static bool check_all_small(const MapContext *context, const Map *map) {
  static constexpr uint32_t most_depth = 3;
  Interval ignored;
  for (uint32_t i = 0; i < map->result_count; i++)
    if (!check_small(context, map, map->results[i], most_depth, &ignored)) return false;
  for (uint32_t i = 0; i < map->constraint_count; i++)
    if (!check_small(context, map, map->constraints[i].expr, most_depth, &ignored)) return false;
  return true;
}

bool map_check(MapContext *context, const Map *map, Error *error) {
  if (map->state != MAP_PLAIN || check_all_small(context, map)) return true;
  if (!check_size(context, map, error)) return false;
  ArenaMark mark = arena_mark(context->arena);
  MapCheck check = {
      .context = context, .map = map, .seen = memo_create(context->arena), .error = error};
  bool well_formed = true;
  for (uint32_t i = 0; well_formed && i < map->result_count; i++)
    well_formed = check_expr(&check, map->results[i]);
  for (uint32_t i = 0; well_formed && i < map->constraint_count; i++)
    well_formed = check_expr(&check, map->constraints[i].expr);
  well_formed = well_formed && check_overflow(context, map, error);
  arena_rewind(context->arena, mark);
  assert(!well_formed || map_is_whole(context, map));
  return well_formed;
}

bool map_is_checked(MapContext *context, const Map *map) {
  Error ignored = {};
  return map_check(context, map, &ignored);
}

static bool same_bounds(const Map *a, const Map *b) {
  assert(map_same_kinds(a, b));
  for (VarKind kind = VAR_DIM; kind <= VAR_RUNTIME; kind++) {
    const Variable *x = map_variables(a, kind), *y = map_variables(b, kind);
    for (uint32_t i = 0; i < map_kind_count(a, kind); i++)
      if (x[i].bounds.lo != y[i].bounds.lo || x[i].bounds.hi != y[i].bounds.hi) return false;
  }
  return true;
}

static bool has_constraint(const Map *map, const Constraint *wanted) {
  assert(wanted->expr.at != 0);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    const Constraint *one = &map->constraints[i];
    if (expr_same(one->expr, wanted->expr) && one->in.lo == wanted->in.lo &&
        one->in.hi == wanted->in.hi)
      return true;
  }
  return false;
}

static bool same_sources(const MapContext *context, const Map *a, const Map *b) {
  if (a->runtime_count == 0) return true;
  if ((a->sources == nullptr) != (b->sources == nullptr)) return false;
  if (a->sources == nullptr) return true;
  for (uint32_t i = 0; i < a->runtime_count; i++) {
    const RuntimeSource *x = &a->sources[i], *y = &b->sources[i];
    if (x->instruction != y->instruction || x->clamp.lo != y->clamp.lo ||
        x->clamp.hi != y->clamp.hi)
      return false;
    if (x->instruction == nullptr && strcmp(x->name, y->name) != 0) return false;
    if ((x->index == nullptr) != (y->index == nullptr)) return false;
    if (x->index != nullptr && !map_identical(context, x->index, y->index)) return false;
  }
  return true;
}

bool map_identical(const MapContext *context, const Map *a, const Map *b) {
  assert(map_is_whole(context, a) && map_is_whole(context, b));
  if (a->state != b->state) return false;
  if (a->state != MAP_PLAIN) return true;
  if (!map_same_kinds(a, b) || a->has_own_variables != b->has_own_variables ||
      a->result_count != b->result_count || a->constraint_count != b->constraint_count)
    return false;
  if (!same_bounds(a, b)) return false;
  for (uint32_t i = 0; i < a->result_count; i++)
    if (!expr_same(a->results[i], b->results[i])) return false;
  for (uint32_t i = 0; i < a->constraint_count; i++)
    if (!has_constraint(b, &a->constraints[i]) || !has_constraint(a, &b->constraints[i]))
      return false;
  return same_sources(context, a, b);
}
