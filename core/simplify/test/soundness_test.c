/* Random maps against their simplified form, point by point over the bounding box: the same domain
 * and the same values. Simplifying again changes nothing; nothing becomes larger; the text does not
 * depend on the order of operands and constraints. AFFIRM_SOUNDNESS_RUNS=N makes it a campaign (the
 * test itself runs a few thousand maps); AFFIRM_SOUNDNESS_SEED sets the first seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/test/length.h"
#include "core/map/evaluate.h"
#include "core/map/points.h"
#include "core/map/test/random_map.h"
#include "core/map/text.h"
#include "core/simplify/normal/size.h"
#include "core/simplify/simplify.h"

static constexpr uint32_t max_values = 64;
static constexpr uint64_t max_points = UINT64_C(1) << 16;

typedef struct CoreSoundnessRun {
  MapContext *context;
  Simplifier *simplifier;
  RandomMaps random;
  uint64_t maps, points, rejected, too_large, longer;
} CoreSoundnessRun;

static char *soundness_map_print(MapContext *context, const Map *map) {
  Text text = text_create(context->arena);
  map_print(&text, context, map, MAP_STYLE_LINE);
  return text.bytes;
}

static void soundness_run_report(
    CoreSoundnessRun *run, const Map *raw, const Map *simplified, const char *what) {
  fprintf(stderr, "%s\n  raw        %s\n  simplified %s\n", what,
      soundness_map_print(run->context, raw), soundness_map_print(run->context, simplified));
}

static bool same_at(
    CoreSoundnessRun *run, const Map *raw, const Map *simplified, const int64_t *values) {
  int64_t a[max_values], b[max_values];
  Point point = map_point(raw, values);
  PointState first = map_evaluate(run->context, raw, &point, a);
  PointState second = map_evaluate(run->context, simplified, &point, b);
  run->points++;
  return first == second &&
         (first != POINT_INSIDE || memcmp(a, b, raw->result_count * sizeof *a) == 0);
}

static bool same_everywhere(CoreSoundnessRun *run, const Map *raw, const Map *simplified) {
  uint64_t points;
  uint32_t count = map_variable_count(raw);
  if (!map_points_count(raw, max_points, &points)) {
    run->too_large++;
    return true;
  }
  int64_t *values = ARENA_NEW(run->context->arena, int64_t, count + 1);
  if (!map_points_begin(raw, values)) return true;
  do {
    if (same_at(run, raw, simplified, values)) continue;
    soundness_run_report(run, raw, simplified, "different at a point");
    for (uint32_t i = 0; i < count; i++) fprintf(stderr, " %lld", (long long)values[i]);
    fprintf(stderr, "\n");
    return false;
  } while (map_points_next(raw, values));
  return true;
}

/* The same expression, with operands of commutative operators exchanged at random. */
static Expr shuffled(CoreSoundnessRun *run, Expr expr) {
  ExprNode node = *expr_node(run->context->pool, expr);
  if (node.op == EXPR_CONST || node.op == EXPR_VAR) return expr;
  Expr left = shuffled(run, node.left), right = shuffled(run, node.right);
  bool commutes =
      node.op == EXPR_ADD || node.op == EXPR_MUL || node.op == EXPR_MIN || node.op == EXPR_MAX;
  bool exchange = commutes && random_between(&run->random, 0, 1) == 1;
  return expr_binary(run->context->pool, node.op, exchange ? right : left, exchange ? left : right);
}

static const Map *shuffled_map(CoreSoundnessRun *run, const Map *map) {
  Map *copy =
      map_copy_variables(run->context->arena, map, map->result_count, map->constraint_count);
  copy->sources = nullptr;
  for (uint32_t i = 0; i < map->result_count; i++)
    copy->results[i] = shuffled(run, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    const Constraint *from = &map->constraints[map->constraint_count - 1 - i];
    copy->constraints[i] = (Constraint){shuffled(run, from->expr), from->in};
  }
  return copy;
}

static bool simplified_or_rejected(CoreSoundnessRun *run, const Map *map, const Map **simplified) {
  Error error = {};
  if (simplify_map(run->simplifier, map, nullptr, simplified, nullptr, &error)) return true;
  assert_true(error.kind == ERROR_OVERFLOW || error.kind == ERROR_LIMIT);
  run->rejected++;
  return false;
}

static bool check_one(CoreSoundnessRun *run, const Map *raw) {
  const Map *simplified, *again, *other;
  Error error = {};
  run->maps++;
  if (!simplified_or_rejected(run, raw, &simplified)) return true;
  if (!map_check(run->context, simplified, &error)) {
    soundness_run_report(run, raw, simplified, error.message);
    return false;
  }
  if (!same_everywhere(run, raw, simplified)) return false;
  if (!simplify_map(run->simplifier, simplified, nullptr, &again, nullptr, &error) ||
      !map_identical(run->context, simplified, again)) {
    soundness_run_report(run, simplified, again,
        error.kind == ERROR_NONE ? "simplifying again changes it" : error.message);
    return false;
  }
  if (strlen(soundness_map_print(run->context, simplified)) >
      strlen(soundness_map_print(run->context, raw))) {
    run->longer++;
    if (getenv("AFFIRM_SOUNDNESS_LONGER") != nullptr)
      soundness_run_report(run, raw, simplified, "longer");
  }
  if (size_of_text(soundness_map_print(run->context, simplified)) >
      size_of_text(soundness_map_print(run->context, raw))) {
    soundness_run_report(run, raw, simplified, "larger");
    return false;
  }
  const Map *permuted = shuffled_map(run, raw);
  if (map_check(run->context, permuted, &error) && simplified_or_rejected(run, permuted, &other) &&
      strcmp(soundness_map_print(run->context, simplified),
          soundness_map_print(run->context, other)) != 0) {
    soundness_run_report(run, raw, simplified, "depends on the order");
    soundness_run_report(run, permuted, other, "other order");
    return false;
  }
  return true;
}

/* Maps of few parts that recur often: quotients and remainders of the same sums, sums of their
 * multiples, constraints on them. */
static constexpr uint32_t pool_size = 14;

static Expr any_of(CoreSoundnessRun *run, const Expr *parts, uint32_t count) {
  return parts[random_between(&run->random, 0, count - 1)];
}

static Expr scaled_part(CoreSoundnessRun *run, Expr part) {
  static const int64_t factors[] = {1, 1, 1, -1, 2, 3, 4, 6, 8, 12, -2, -3, -4, -6, 5, 24};
  int64_t factor = factors[random_between(&run->random, 0, 15)];
  return factor == 1 ? part
                     : expr_binary(run->context->pool, EXPR_MUL, part,
                           expr_const(run->context->pool, factor));
}

static Expr next_part(CoreSoundnessRun *run, const Expr *parts, uint32_t count) {
  static const int64_t divisors[] = {2, 3, 4, 6, 8, 12, 24, 5};
  ExprPool *pool = run->context->pool;
  Expr divisor = expr_const(pool, divisors[random_between(&run->random, 0, 7)]);
  switch (random_between(&run->random, 0, 7)) {
    case 0:
    case 1: return expr_binary(pool, EXPR_FLOORDIV, any_of(run, parts, count), divisor);
    case 2:
    case 3: return expr_binary(pool, EXPR_MOD, any_of(run, parts, count), divisor);
    case 4:
      return expr_binary(pool, random_between(&run->random, 0, 1) == 0 ? EXPR_MIN : EXPR_MAX,
          any_of(run, parts, count), any_of(run, parts, count));
    case 5:
      return expr_binary(pool, EXPR_ADD, any_of(run, parts, count),
          expr_const(pool, random_between(&run->random, -30, 30)));
    default:
      return expr_binary(pool, EXPR_ADD, scaled_part(run, any_of(run, parts, count)),
          scaled_part(run, any_of(run, parts, count)));
  }
}

static const Map *related_map(CoreSoundnessRun *run) {
  for (;;) {
    MapMark mark = map_context_mark(run->context);
    uint32_t dims = (uint32_t)random_between(&run->random, 1, 3),
             constraints = (uint32_t)random_between(&run->random, 0, 3);
    Map *map = map_create(run->context, dims, 0, 0, 2, constraints);
    Expr parts[pool_size];
    for (uint32_t i = 0; i < dims; i++) {
      parts[i] = expr_var(run->context->pool, VAR_DIM, i);
      int64_t lo =
          random_between(&run->random, 0, 3) == 0 ? random_between(&run->random, -9, 9) : 0;
      map->dims[i].bounds = (Interval){lo, lo + random_between(&run->random, 0, 30)};
    }
    for (uint32_t i = dims; i < pool_size; i++) parts[i] = next_part(run, parts, i);
    for (uint32_t i = 0; i < 2; i++) map->results[i] = parts[pool_size - 1 - i];
    for (uint32_t i = 0; i < constraints; i++) {
      int64_t lo = random_between(&run->random, -5, 12);
      map->constraints[i] = (Constraint){
          any_of(run, parts, pool_size), {lo, lo + (random_between(&run->random, 0, 1) == 0
                                                           ? 0
                                                           : random_between(&run->random, 0, 25))}};
    }
    Error error = {};
    if (map_check(run->context, map, &error)) return map;
    map_context_rewind(run->context, mark);
  }
}

/* A sum of one to three multiples of variables among the first `dims`, sometimes plus a
 * constant. */
static Expr sum_of_some(CoreSoundnessRun *run, uint32_t dims) {
  ExprPool *pool = run->context->pool;
  Expr sum = {0};
  for (uint32_t terms = (uint32_t)random_between(&run->random, 1, 3); terms > 0; terms--) {
    Expr one = scaled_part(
        run, expr_var(pool, VAR_DIM, (uint32_t)random_between(&run->random, 0, dims - 1)));
    sum = sum.at == 0 ? one : expr_binary(pool, EXPR_ADD, sum, one);
  }
  return random_between(&run->random, 0, 2) > 0
             ? sum
             : expr_binary(
                   pool, EXPR_ADD, sum, expr_const(pool, random_between(&run->random, -9, 9)));
}

/* Minima of sums over variables that share bounds. At most points no single variable changes the
 * value, so that little distinguishes the variables. */
static const Map *tied_map(CoreSoundnessRun *run) {
  uint32_t dims = (uint32_t)random_between(&run->random, 2, 4),
           constraints = (uint32_t)random_between(&run->random, 0, 1);
  Map *map = map_create(run->context, dims, 0, 0, 1, constraints);
  int64_t hi = random_between(&run->random, 1, 9);
  for (uint32_t i = 0; i < dims; i++) map->dims[i].bounds = (Interval){0, hi};
  Expr least = sum_of_some(run, dims);
  for (uint32_t i = (uint32_t)random_between(&run->random, 2, 4); i > 0; i--)
    least = expr_binary(run->context->pool, EXPR_MIN, least, sum_of_some(run, dims));
  map->results[0] = constraints > 0 ? expr_const(run->context->pool, 0) : least;
  if (constraints > 0)
    map->constraints[0] = (Constraint){least, {0, random_between(&run->random, 0, 2)}};
  return map;
}

static const Map *next_map(CoreSoundnessRun *run, uint64_t turn) {
  switch (turn % 3) {
    case 0: return random_map(run->context, &run->random);
    case 1: return related_map(run);
    default: return tied_map(run);
  }
}

static uint64_t number_from(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text == nullptr ? otherwise : strtoull(text, nullptr, 10);
}

typedef struct SoundnessSize {
  uint32_t variables, depth, constraints;
  int64_t coefficient, bound;
} SoundnessSize;

static const SoundnessSize sizes[] = {
    {2, 3, 1, 9, 9},
    {3, 4, 2, 12, 6},
    {5, 6, 3, 16, 4},
    {2, 4, 3, 24, 40},
    {3, 5, 2, INT64_C(1) << 40, 9},
    {5, 6, 5, 8, 5},
};

static void simplified_maps_are_the_same_maps(void **state) {
  (void)state;
  uint64_t runs = number_from("AFFIRM_SOUNDNESS_RUNS", test_length(6000, 6000, 3000)),
           seed = number_from("AFFIRM_SOUNDNESS_SEED", 1);
  CoreSoundnessRun run = {.context = map_context_create()};
  Error error = {};
  run.simplifier = simplifier_create(run.context, nullptr, &error);
  assert_non_null(run.simplifier);
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < runs && wrong < 10; i++) {
    const SoundnessSize *size = &sizes[i % (sizeof sizes / sizeof *sizes)];
    MapMark mark = map_context_mark(run.context);
    run.random = (RandomMaps){.state = seed + i,
        .max_variables = size->variables,
        .max_depth = size->depth,
        .max_results = 2,
        .max_constraints = size->constraints,
        .max_coefficient = size->coefficient,
        .max_bound = size->bound};
    if (!check_one(&run, next_map(&run, i / (sizeof sizes / sizeof *sizes)))) {
      fprintf(stderr, "  seed %llu size %llu\n", (unsigned long long)(seed + i),
          (unsigned long long)(i % (sizeof sizes / sizeof *sizes)));
      wrong++;
    }
    map_context_rewind(run.context, mark);
  }
  print_message(
      "%llu maps, %llu points, %llu rejected, %llu too large to enumerate, %llu longer, %llu wrong\n",
      (unsigned long long)run.maps, (unsigned long long)run.points,
      (unsigned long long)run.rejected, (unsigned long long)run.too_large,
      (unsigned long long)run.longer, (unsigned long long)wrong);
  simplifier_destroy(run.simplifier);
  map_context_destroy(run.context);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(simplified_maps_are_the_same_maps)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
