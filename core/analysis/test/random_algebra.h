/* Random maps for the algebra: negative and empty bounds, sources of runtime variables, results as
 * operations produce them. */
#ifndef CORE_ANALYSIS_TEST_RANDOM_ALGEBRA_H
#define CORE_ANALYSIS_TEST_RANDOM_ALGEBRA_H

#include <stdint.h>

#include "core/map/points.h"
#include "core/map/test/defined.h"
#include "core/map/test/random_map.h"
#include "core/map/text.h"
#include "core/analysis/algebra.h"

static constexpr uint32_t most_rts = 4;
static constexpr size_t most_points = 2048;

typedef struct AlgebraFixture {
  MapContext *context;
  Simplifier *simplifier;
  RandomMaps random;
  uint64_t seed;
  uint64_t maps, points, counted, too_many, one_to_one, not_one_to_one, open, onto, not_onto,
      onto_open, inverses, rescaled, dims_gone, variables_gone;
} AlgebraFixture;

/* ---- random maps ---- */

static inline int64_t algebra_draw(AlgebraFixture *world, int64_t lo, int64_t hi) {
  return random_between(&world->random, lo, hi);
}

static inline Interval draw_bounds(AlgebraFixture *world) {
  int64_t lo = algebra_draw(world, 0, 2) == 0 ? algebra_draw(world, -9, 9) : 0;
  if (algebra_draw(world, 0, 39) == 0)
    lo = algebra_draw(world, 0, 1) == 0 ? INT64_MIN / 2 : INT64_MAX / 2 - 20;
  if (algebra_draw(world, 0, 59) == 0)
    lo = algebra_draw(world, 0, 1) == 0 ? INT64_MIN : INT64_MAX - 8;
  bool may_be_empty = algebra_draw(world, 0, 24) == 0 && lo > INT64_MIN;
  return (Interval){lo, lo + algebra_draw(world, may_be_empty ? -1 : 0, 8)};
}

static inline Expr draw_variable(AlgebraFixture *world, const Map *map) {
  uint32_t all = map_variable_count(map);
  if (all == 0) return expr_const(world->context->pool, algebra_draw(world, -3, 3));
  VariableId id = map_variable_id(map, (uint32_t)algebra_draw(world, 0, all - 1));
  return expr_var(world->context->pool, id.kind, id.index);
}

static inline Expr algebra_binary(AlgebraFixture *world, ExprOp op, Expr left, Expr right) {
  return expr_binary(world->context->pool, op, left, right);
}
static inline Expr number(AlgebraFixture *world, int64_t value) {
  return expr_const(world->context->pool, value);
}

/* Typical expressions of operations: sums, splits and mirrored variables. */
static inline Expr draw_usual(AlgebraFixture *world, const Map *map) {
  Expr x = draw_variable(world, map);
  switch (algebra_draw(world, 0, 6)) {
    case 0:
      return algebra_binary(world, EXPR_ADD,
          algebra_binary(world, EXPR_MUL, x, number(world, algebra_draw(world, 1, 9))),
          draw_variable(world, map));
    case 1:
      return algebra_binary(world, EXPR_FLOORDIV, x, number(world, algebra_draw(world, 1, 5)));
    case 2: return algebra_binary(world, EXPR_MOD, x, number(world, algebra_draw(world, 1, 9)));
    case 3:
      return algebra_binary(world, EXPR_ADD, algebra_binary(world, EXPR_MUL, x, number(world, -1)),
          number(world, algebra_draw(world, -9, 20)));
    default: return x;
  }
}

static inline void draw_results(AlgebraFixture *world, Map *map) {
  for (uint32_t i = 0; i < map->result_count; i++) {
    map->results[i] = algebra_draw(world, 0, 3) == 0
                          ? random_expr(world->context, &world->random, map, 3)
                          : draw_usual(world, map);
    if (i > 0 && algebra_draw(world, 0, 9) == 0) map->results[i] = map->results[i - 1];
  }
}

static inline void draw_constraints(AlgebraFixture *world, Map *map) {
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    Constraint *constraint = &map->constraints[i];
    int64_t lo = algebra_draw(world, -6, 9), modulus = algebra_draw(world, 2, 7);
    *constraint = (Constraint){
        random_expr(world->context, &world->random, map, 2), {lo, lo + algebra_draw(world, 0, 9)}};
    if (algebra_draw(world, 0, 1) == 0) continue;
    Expr x = algebra_binary(
        world, EXPR_ADD, draw_variable(world, map), number(world, algebra_draw(world, -9, 9)));
    lo = algebra_draw(world, 0, modulus - 1);
    *constraint = (Constraint){algebra_binary(world, EXPR_MOD, x, number(world, modulus)),
        {lo, algebra_draw(world, 0, 3) == 0 ? modulus - 1 : lo}};
  }
}

static inline void draw_sources(AlgebraFixture *world, Map *map) {
  static const char *const names[] = {"0", "1", "2", "3"};
  map->sources = ARENA_NEW(world->context->arena, RuntimeSource, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    Map *index = map_copy_variables(world->context->arena, map, 1, 0);
    index->sources = nullptr;
    index->results[0] = algebra_draw(world, 0, 1) == 0 ? draw_usual(world, map) : number(world, 0);
    map->sources[i] =
        (RuntimeSource){.name = names[i], .index = index, .clamp = map->runtimes[i].bounds};
    if (algebra_draw(world, 0, 3) == 0 && map->sources[i].clamp.lo > INT64_MIN)
      map->sources[i].clamp.lo--;
  }
}

static inline bool is_well_formed(AlgebraFixture *world, const Map *map) {
  Error error = {};
  if (!map_check(world->context, map, &error)) return false;
  for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++)
    if (!map_check(world->context, map->sources[i].index, &error)) return false;
  return true;
}

static const Map *draw_map(AlgebraFixture *world) {
  static const int64_t coefficients[] = {4, 9, 9, 30, INT64_C(1) << 40, INT64_MAX / 2};
  for (;;) {
    world->random.max_coefficient = coefficients[algebra_draw(world, 0, 5)];
    Map *map = map_create(world->context, (uint32_t)algebra_draw(world, 0, 3),
        (uint32_t)algebra_draw(world, 0, 2),
        algebra_draw(world, 0, 2) == 0 ? (uint32_t)algebra_draw(world, 1, 2) : 0,
        (uint32_t)algebra_draw(world, 0, 3), (uint32_t)algebra_draw(world, 0, 2));
    for (uint32_t i = 0; i < map_variable_count(map); i++)
      map_variable(map, i)->bounds = draw_bounds(world);
    draw_results(world, map);
    draw_constraints(world, map);
    if (map->runtime_count > 0 && algebra_draw(world, 0, 3) != 0) draw_sources(world, map);
    uint64_t points;
    if (map_points_count(map, most_points, &points) && is_well_formed(world, map)) return map;
  }
}

#endif
