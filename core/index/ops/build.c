/* Lists that grow in the context's arena, and the map built from them. */
#include "core/index/ops/build.h"

#include <assert.h>
#include <string.h>

#include "core/base/checked.h"

Build build_start(MapContext *context) { return (Build){.context = context}; }

Build build_over(MapContext *context, const Shape *shape) {
  assert(shape_is_array(shape));
  Build build = build_start(context);
  build.dims = (BuildVariables){
      .count = shape->rank,
      .capacity = shape->rank,
      .items = ARENA_NEW(context->arena, Variable, shape->rank),
  };
  for (uint32_t i = 0; i < shape->rank; i++)
    build.dims.items[i].bounds = (Interval){0, shape->sizes[i] - 1};
  return build;
}

Expr build_dim(const Build *build, uint32_t index) {
  assert(index < build->dims.count);
  return expr_var(build->context->pool, VAR_DIM, index);
}

static Expr add_variable(Build *build, BuildVariables *variables, VarKind kind, Interval bounds) {
  *ARENA_PUSH(build->context->arena, variables) = (Variable){.bounds = bounds};
  return expr_var(build->context->pool, kind, variables->count - 1);
}

Expr build_add_dim(Build *build, Interval bounds) {
  return add_variable(build, &build->dims, VAR_DIM, bounds);
}

Expr build_range(Build *build, int64_t lo, int64_t hi) {
  return add_variable(build, &build->ranges, VAR_RANGE, (Interval){lo, hi});
}

Expr build_span(Build *build, int64_t size) {
  return size == 1 ? build_const(build, 0) : build_range(build, 0, size - 1);
}

bool type_interval(ElementType type, Interval *range) {
  if (!element_type_is_integral(type)) return false;
  uint32_t bits = type == TYPE_pred ? 1 : element_type_bits(type);
  if (element_type_is_signed(type))
    *range = bits >= 64 ? (Interval){INT64_MIN, INT64_MAX}
                        : (Interval){-(INT64_C(1) << (bits - 1)), (INT64_C(1) << (bits - 1)) - 1};
  else *range = (Interval){0, bits >= 63 ? INT64_MAX : (INT64_C(1) << bits) - 1};
  return true;
}

/* Every clamp starts at 0, which is a value of every type, so the intersection is not empty. */
static Interval of_type(Interval clamp, ElementType type) {
  Interval values;
  if (!type_interval(type, &values)) return clamp;
  assert(clamp.lo == 0 && values.lo <= 0 && values.hi >= 0);
  return (Interval){clamp.lo, min64(clamp.hi, values.hi)};
}

Expr build_runtime(Build *build, Interval clamp, const Instruction *source, uint32_t index_count,
    const Expr *index) {
  Arena *arena = build->context->arena;
  assert(shape_is_array(source->shape));
  clamp = of_type(clamp, source->shape->type);
  BuildSource *entry = ARENA_PUSH(arena, &build->sources);
  *entry =
      (BuildSource){.instruction = source, .name = source->name, .clamp = clamp, .has_index = true};
  for (uint32_t i = 0; i < index_count; i++) *ARENA_PUSH(arena, &entry->index) = index[i];
  return add_variable(build, &build->runtimes, VAR_RUNTIME, clamp);
}

void build_result(Build *build, Expr result) {
  *ARENA_PUSH(build->context->arena, &build->results) = result;
}

void build_require(Build *build, Expr expr, int64_t lo, int64_t hi) {
  *ARENA_PUSH(build->context->arena, &build->constraints) =
      (Constraint){.expr = expr, .in = {lo, hi}};
}

int64_t build_sum(Build *build, int64_t a, int64_t b) {
  int64_t sum;
  if (add64(a, b, &sum)) return sum;
  build->overflow = true;
  return 0;
}

int64_t build_difference(Build *build, int64_t a, int64_t b) {
  int64_t difference;
  if (sub64(a, b, &difference)) return difference;
  build->overflow = true;
  return 0;
}

int64_t build_product(Build *build, int64_t a, int64_t b) {
  int64_t product;
  if (mul64(a, b, &product)) return product;
  build->overflow = true;
  return 0;
}

Expr build_const(const Build *build, int64_t value) {
  return expr_const(build->context->pool, value);
}

static bool is_const(const Build *build, Expr expr, int64_t *value) {
  return expr_is_const(build->context->pool, expr, value);
}

Expr build_plus(Build *build, Expr left, Expr right) {
  int64_t a, b;
  bool left_const = is_const(build, left, &a), right_const = is_const(build, right, &b);
  if (left_const && right_const) return build_const(build, build_sum(build, a, b));
  if (left_const && a == 0) return right;
  if (right_const && b == 0) return left;
  if (left_const) return expr_binary(build->context->pool, EXPR_ADD, right, left);
  return expr_binary(build->context->pool, EXPR_ADD, left, right);
}

Expr build_plus_const(Build *build, Expr left, int64_t right) {
  return build_plus(build, left, build_const(build, right));
}

Expr build_minus(Build *build, Expr left, Expr right) {
  return build_plus(build, left, build_times(build, right, -1));
}

Expr build_times(Build *build, Expr left, int64_t right) {
  int64_t value;
  if (is_const(build, left, &value)) return build_const(build, build_product(build, value, right));
  if (right == 0) return build_const(build, 0);
  if (right == 1) return left;
  return expr_binary(build->context->pool, EXPR_MUL, left, build_const(build, right));
}

Expr build_floordiv(Build *build, Expr left, int64_t divisor) {
  assert(divisor > 0);
  int64_t value;
  if (divisor == 1) return left;
  if (is_const(build, left, &value)) return build_const(build, floordiv64(value, divisor));
  return expr_binary(build->context->pool, EXPR_FLOORDIV, left, build_const(build, divisor));
}

Expr build_mod(Build *build, Expr left, int64_t divisor) {
  assert(divisor > 0);
  int64_t value;
  if (divisor == 1) return build_const(build, 0);
  if (is_const(build, left, &value)) return build_const(build, mod64(value, divisor));
  return expr_binary(build->context->pool, EXPR_MOD, left, build_const(build, divisor));
}

static bool has_empty(const BuildVariables *variables) {
  return variables_have_empty(variables->count, variables->items);
}

static void copy_variables(Map *map, const Build *build) {
  if (map->dim_count > 0) memcpy(map->dims, build->dims.items, map->dim_count * sizeof(Variable));
  if (map->range_count > 0)
    memcpy(map->ranges, build->ranges.items, map->range_count * sizeof(Variable));
  if (map->runtime_count > 0)
    memcpy(map->runtimes, build->runtimes.items, map->runtime_count * sizeof(Variable));
}

static Map *map_over_variables(
    const Build *build, const BuildExprs *results, uint32_t constraints) {
  Map *map = map_create_unset(build->context, build->dims.count, build->ranges.count,
      build->runtimes.count, results->count, constraints);
  copy_variables(map, build);
  if (results->count > 0) memcpy(map->results, results->items, results->count * sizeof(Expr));
  return map;
}

static void finish_sources(const Build *build, Map *map) {
  assert(build->sources.count == build->runtimes.count);
  if (map->runtime_count == 0) return;
  map->sources = ARENA_NEW(build->context->arena, RuntimeSource, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    const BuildSource *source = &build->sources.items[i];
    map->sources[i] = (RuntimeSource){
        .instruction = source->instruction,
        .name = source->name,
        .index = source->has_index ? map_over_variables(build, &source->index, 0) : nullptr,
        .clamp = source->clamp,
    };
  }
}

static bool has_impossible(const Build *build) {
  int64_t value;
  for (uint32_t i = 0; i < build->constraints.count; i++) {
    const Constraint *constraint = &build->constraints.items[i];
    if (constraint->in.lo > constraint->in.hi) return true;
    if (is_const(build, constraint->expr, &value) &&
        (value < constraint->in.lo || value > constraint->in.hi))
      return true;
  }
  return false;
}

static void copy_constraints(const Build *build, Map *map) {
  int64_t value;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < build->constraints.count; i++)
    if (!is_const(build, build->constraints.items[i].expr, &value))
      map->constraints[kept++] = build->constraints.items[i];
  map->constraint_count = kept;
}

bool build_finish(Build *build, const Map **map, Error *error) {
  *map = nullptr;
  if (build->overflow)
    return error_set(error, ERROR_OVERFLOW, "a coefficient or bound leaves int64");
  if (has_empty(&build->dims) || has_empty(&build->ranges) || has_empty(&build->runtimes) ||
      has_impossible(build))
    return true;
  Map *made = map_over_variables(build, &build->results, build->constraints.count);
  copy_constraints(build, made);
  finish_sources(build, made);
  *map = made;
  return map_check(build->context, made, error);
}
