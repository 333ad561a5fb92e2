/* A SplitMix64 generator: the same seed produces the same maps everywhere. */
#include "core/map/test/random_map.h"

#include <assert.h>

#include "core/base/edges.h"

uint64_t random_next(RandomMaps *random) {
  uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

int64_t random_between(RandomMaps *random, int64_t lo, int64_t hi) {
  assert(lo <= hi);
  uint64_t span = (uint64_t)hi - (uint64_t)lo + 1;
  uint64_t draw = random_next(random);
  return (int64_t)((uint64_t)lo + (span == 0 ? draw : draw % span));
}

/* A quarter of the constants are edges. Each constant is >= `lo`, and lo <= 1. */
static int64_t random_constant(RandomMaps *random, int64_t lo) {
  if (random_between(random, 0, 3) == 0) {
    int64_t edge = edge_integer(random_next(random));
    while (edge < lo) edge = edge_integer(random_next(random));
    return edge;
  }
  return random_between(random, lo > -random->max_coefficient ? lo : -random->max_coefficient,
      random->max_coefficient);
}

static Expr random_leaf(MapContext *context, RandomMaps *random, const Map *box) {
  uint32_t variables = box->dim_count + box->range_count + box->runtime_count;
  int64_t at = random_between(random, -1, (int64_t)variables);
  if (at < 0 || at == variables || variables == 0)
    return expr_const(context->pool, random_constant(random, INT64_MIN));
  uint32_t index = (uint32_t)at;
  if (index < box->dim_count) return expr_var(context->pool, VAR_DIM, index);
  index -= box->dim_count;
  if (index < box->range_count) return expr_var(context->pool, VAR_RANGE, index);
  return expr_var(context->pool, VAR_RUNTIME, index - box->range_count);
}

Expr random_expr(MapContext *context, RandomMaps *random, const Map *box, uint32_t depth) {
  if (depth == 0 || random_between(random, 0, 5) == 0) return random_leaf(context, random, box);
  ExprOp op = (ExprOp)random_between(random, EXPR_ADD, EXPR_MAX);
  Expr left = random_expr(context, random, box, depth - 1);
  bool divides = op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD;
  if (divides)
    return expr_binary(
        context->pool, op, left, expr_const(context->pool, random_constant(random, 1)));
  if (op == EXPR_MUL && random_between(random, 0, 7) != 0)
    return expr_binary(
        context->pool, op, left, expr_const(context->pool, random_constant(random, INT64_MIN)));
  return expr_binary(context->pool, op, left, random_expr(context, random, box, depth - 1));
}

static void random_bounds(RandomMaps *random, uint32_t count, Variable *variables) {
  for (uint32_t i = 0; i < count; i++) {
    int64_t lo = random_between(random, 0, 3) == 0
                     ? random_between(random, -random->max_bound, random->max_bound)
                     : 0;
    int64_t hi = random_between(random, lo, random->max_bound);
    variables[i] = (Variable){
        .bounds = {lo, hi}, .name = random_between(random, 0, 15) == 0 ? "th_x" : nullptr};
    if (i > 0 && variables[i].name != nullptr) variables[i].name = nullptr;
  }
}

static Map *random_draft(MapContext *context, RandomMaps *random) {
  uint32_t all = (uint32_t)random_between(random, 0, random->max_variables);
  uint32_t dims = (uint32_t)random_between(random, 0, all);
  uint32_t ranges = (uint32_t)random_between(random, 0, all - dims);
  Map *map = map_create(context, dims, ranges, all - dims - ranges,
      (uint32_t)random_between(random, 0, random->max_results),
      (uint32_t)random_between(random, 0, random->max_constraints));
  random_bounds(random, dims, map->dims);
  random_bounds(random, ranges, map->ranges);
  random_bounds(random, map->runtime_count, map->runtimes);
  for (uint32_t i = 0; i < ranges; i++) map->ranges[i].name = nullptr;
  for (uint32_t i = 0; i < map->runtime_count; i++) map->runtimes[i].name = nullptr;
  for (uint32_t i = 0; i < map->result_count; i++)
    map->results[i] = random_expr(context, random, map, random->max_depth);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    int64_t lo = random_between(random, -random->max_bound, random->max_bound);
    map->constraints[i].expr = random_expr(context, random, map, random->max_depth / 2);
    map->constraints[i].in = (Interval){lo, random_between(random, lo, random->max_bound)};
  }
  return map;
}

const Map *random_map(MapContext *context, RandomMaps *random) {
  for (;;) {
    MapMark mark = map_context_mark(context);
    Map *map = random_draft(context, random);
    Error error = {};
    if (map_check(context, map, &error)) return map;
    map_context_rewind(context, mark);
  }
}
