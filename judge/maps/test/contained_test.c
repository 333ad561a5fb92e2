/* Containment of relations: both judges against the brute-force reference, on random maps and on
 * copies with a changed bound, constraint or result, with runtime variables matched by position.
 * The reference list uses the engine's evaluation of points, which neither judge uses. smt judges
 * every smt_step-th pair. AFFIRM_CONTAINED_PAIRS sets the number of pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/map/evaluate.h"
#include "core/map/test/random_map.h"
#include "core/map/text.h"
#include "judge/maps/same.h"

static constexpr size_t most_points = 4096;
static constexpr uint64_t smt_step = 50;

typedef struct ContainedFixture {
  Judge *judge;
  RandomMaps random;
  uint64_t seed, pairs, contained, not_contained, proved, refuted, unknown;
} ContainedFixture;

static int64_t contained_draw(ContainedFixture *world, int64_t lo, int64_t hi) {
  return random_between(&world->random, lo, hi);
}

/* ---- a second map ---- */

static void change_bounds(ContainedFixture *world, Map *map) {
  Variable *kinds[] = {map->dims, map->ranges, map->runtimes};
  uint32_t counts[] = {map->dim_count, map->range_count, map->runtime_count},
           kind = (uint32_t)contained_draw(world, 0, 2);
  if (counts[kind] == 0) return;
  Interval *bounds = &kinds[kind][contained_draw(world, 0, counts[kind] - 1)].bounds;
  bounds->lo += contained_draw(world, -1, 1);
  bounds->hi += contained_draw(world, -1, 2);
}

static void contained_change(ContainedFixture *world, Map *map) {
  switch (contained_draw(world, 0, 4)) {
    case 0:
    case 1: change_bounds(world, map); return;
    case 2: map->constraint_count -= map->constraint_count > 0; return;
    case 3:
      if (map->constraint_count > 0) map->constraints[0].in.hi += contained_draw(world, -1, 1);
      return;
    default:
      if (map->result_count > 0)
        map->results[0] = random_expr(world->judge->context, &world->random, map, 1);
      return;
  }
}

static const Map *draw_second(ContainedFixture *world, const Map *first) {
  Error error = {};
  for (uint32_t tries = 0; tries < 10; tries++) {
    Map *second = map_copy(world->judge->context->arena, first);
    for (int64_t changes = contained_draw(world, 0, 5); changes > 0; changes--)
      contained_change(world, second);
    if (map_check(world->judge->context, second, &error)) return second;
  }
  return first;
}

/* ---- brute-force enumeration of (d, rt, e) ---- */

typedef struct ContainedTuples {
  size_t count, width;
  int64_t *items;
} ContainedTuples;

static size_t tuple_width;
static int by_tuple(const void *a, const void *b) {
  const int64_t *x = a, *y = b;
  for (size_t i = 0; i < tuple_width; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

static bool next(uint32_t count, const Variable *variables, int64_t *values) {
  for (uint32_t i = count; i-- > 0;) {
    if (values[i]++ < variables[i].bounds.hi) return true;
    values[i] = variables[i].bounds.lo;
  }
  return false;
}

static bool first_value(
    uint32_t count, const Variable *variables, int64_t *values, uint64_t *size) {
  for (uint32_t i = 0; i < count; i++) {
    Interval bounds = variables[i].bounds;
    values[i] = bounds.lo;
    *size *= bounds.lo > bounds.hi ? 0 : (uint64_t)(bounds.hi - bounds.lo) + 1;
    if (*size == 0 || *size > most_points) return false;
  }
  return true;
}

/* Returns false if there are too many points. */
static bool contained_list(ContainedFixture *world, const Map *map, ContainedTuples *tuples) {
  int64_t d[8], s[8], rt[8], e[8];
  uint64_t size = 1;
  *tuples = (ContainedTuples){.width = map->dim_count + map->runtime_count + map->result_count};
  if (!first_value(map->dim_count, map->dims, d, &size) ||
      !first_value(map->range_count, map->ranges, s, &size) ||
      !first_value(map->runtime_count, map->runtimes, rt, &size))
    return size == 0;
  tuples->items = ARENA_NEW(world->judge->context->arena, int64_t, size * tuples->width + 1);
  do {
    PointState state = map_evaluate(world->judge->context, map, &(Point){d, s, rt}, e);
    assert_true(state != POINT_OVERFLOW);
    if (state != POINT_INSIDE) continue;
    int64_t *at = tuples->items + tuples->count++ * tuples->width;
    memcpy(at, d, map->dim_count * sizeof *d);
    memcpy(at + map->dim_count, rt, map->runtime_count * sizeof *rt);
    memcpy(at + map->dim_count + map->runtime_count, e, map->result_count * sizeof *e);
  } while (next(map->range_count, map->ranges, s) || next(map->runtime_count, map->runtimes, rt) ||
           next(map->dim_count, map->dims, d));
  tuple_width = tuples->width;
  if (tuples->width > 0 && tuples->count > 0)
    qsort(tuples->items, tuples->count, tuples->width * sizeof(int64_t), by_tuple);
  return true;
}

static bool are_contained(const ContainedTuples *inner, const ContainedTuples *outer) {
  tuple_width = inner->width;
  if (inner->count == 0 || inner->width == 0) return inner->count == 0 || outer->count > 0;
  for (size_t i = 0; i < inner->count; i++)
    if (outer->count == 0 || bsearch(inner->items + i * inner->width, outer->items, outer->count,
                                 inner->width * sizeof(int64_t), by_tuple) == nullptr)
      return false;
  return true;
}

/* ---- the judges ---- */

static void fail_at(ContainedFixture *world, const char *who, const char *decided, const Map *first,
    const Map *second) {
  Text text = text_create(world->judge->context->arena);
  map_print(&text, world->judge->context, first, MAP_STYLE_LINE);
  text_string(&text, " ; ");
  map_print(&text, world->judge->context, second, MAP_STYLE_LINE);
  print_message(
      "seed %llu, %s says %s: %s\n", (unsigned long long)world->seed, who, decided, text.bytes);
  fail();
}

static void query_oracle(
    ContainedFixture *world, const Map *first, const Map *second, bool is_contained) {
  Verdict verdict;
  Error error = {};
  assert_true(oracle_contained(world->judge->oracle, first, second, 1 << 22, &verdict, &error));
  if (verdict.status != (is_contained ? VERDICT_PROVED : VERDICT_REFUTED))
    fail_at(world, "the oracle", verdict_text(&verdict), first, second);
}

static void query_smt(
    ContainedFixture *world, const Map *first, const Map *second, bool is_contained) {
  Verdict verdict;
  Error error = {};
  assert_true(smt_contained(world->judge->smt, first, second, &verdict, &error));
  world->unknown += verdict.status == VERDICT_UNKNOWN;
  world->proved += verdict.status == VERDICT_PROVED;
  world->refuted += verdict.status == VERDICT_REFUTED;
  if (verdict.status != VERDICT_UNKNOWN && (verdict.status == VERDICT_PROVED) != is_contained)
    fail_at(world, "smt", verdict_text(&verdict), first, second);
}

static void check_pair(ContainedFixture *world) {
  world->random = (RandomMaps){.state = world->seed * 7919,
      .max_variables = 4,
      .max_depth = 2,
      .max_results = 2,
      .max_constraints = 2,
      .max_coefficient = 6,
      .max_bound = 5};
  const Map *first = random_map(world->judge->context, &world->random),
            *second = draw_second(world, first);
  if (contained_draw(world, 0, 1) == 0) {
    const Map *former = first;
    first = second;
    second = former;
  }
  ContainedTuples inner, outer;
  if (!contained_list(world, first, &inner) || !contained_list(world, second, &outer)) return;
  bool is_contained = are_contained(&inner, &outer);
  world->pairs++;
  world->contained += is_contained;
  world->not_contained += !is_contained;
  query_oracle(world, first, second, is_contained);
  if (world->seed % smt_step == 0) query_smt(world, first, second, is_contained);
}

static uint64_t pair_goal(void) {
  const char *text = getenv("AFFIRM_CONTAINED_PAIRS");
  if (text != nullptr) return strtoull(text, nullptr, 10);
  return getenv("AFFIRM_FEW") == nullptr ? 20000 : 1000;
}

static void judges_say_what_is_there(void **state) {
  (void)state;
  Error error = {};
  ContainedFixture world = {.judge = judge_create(&(JudgeOptions){}, &error)};
  assert_non_null(world.judge);
  uint64_t goal = pair_goal();
  for (world.seed = 1; world.seed <= goal; world.seed++) {
    MapMark mark = map_context_mark(world.judge->context);
    check_pair(&world);
    map_context_rewind(world.judge->context, mark);
  }
  print_message(
      "%llu pairs: contained %llu, not %llu; smt proved %llu, refuted %llu, unknown %llu\n",
      (unsigned long long)world.pairs, (unsigned long long)world.contained,
      (unsigned long long)world.not_contained, (unsigned long long)world.proved,
      (unsigned long long)world.refuted, (unsigned long long)world.unknown);
  assert_true(world.contained * 5 > world.pairs && world.not_contained * 8 > world.pairs &&
              world.proved > 0 && world.refuted > 0);
  assert_true(world.unknown * 50 <= world.proved + world.refuted);
  judge_destroy(world.judge);
}

/* ---- runtime variables of one map alone ---- */

/* (d0){rt0, ..} -> (d0), or d0 plus the runtime variable `added` - 1. */
typedef struct ContainedAlone {
  uint32_t count, added;
  Interval bounds[2];
} ContainedAlone;

static ContainedAlone contained_alone(uint32_t code) {
  static const Interval bounds[] = {{0, 1}, {1, 0}, {1, 2}};
  ContainedAlone alone = {
      .count = code % 3, .bounds = {bounds[code / 3 % 3], bounds[code / 9 % 3]}};
  alone.added = code / 27 % 3 <= alone.count ? code / 27 % 3 : 0;
  return alone;
}

static const Map *map_of_alone(MapContext *context, const ContainedAlone *alone) {
  Map *map = map_create(context, 1, 0, alone->count, 1, 0);
  map->dims[0].bounds = (Interval){0, 1};
  for (uint32_t i = 0; i < alone->count; i++) map->runtimes[i].bounds = alone->bounds[i];
  map->results[0] = expr_var(context->pool, VAR_DIM, 0);
  if (alone->added > 0)
    map->results[0] = expr_binary(context->pool, EXPR_ADD, map->results[0],
        expr_var(context->pool, VAR_RUNTIME, alone->added - 1));
  return map;
}

static bool has_value(const ContainedAlone *alone, uint32_t at, int64_t value) {
  return at >= alone->count || (value >= alone->bounds[at].lo && value <= alone->bounds[at].hi);
}

/* Whether there is a value for the variable: of either map, or, if neither has one, a value that
 * neither has. */
static bool is_considered(
    const ContainedAlone *inner, const ContainedAlone *outer, uint32_t at, int64_t value) {
  static constexpr int64_t nowhere = 3;
  bool is_of_inner = at < inner->count && has_value(inner, at, value),
       is_of_outer = at < outer->count && has_value(outer, at, value), has_none = true;
  for (int64_t one = 0; one < nowhere; one++)
    has_none &= !(at < inner->count && has_value(inner, at, one)) &&
                !(at < outer->count && has_value(outer, at, one));
  return is_of_inner || is_of_outer || (has_none && value == nowhere);
}

static bool are_alone_contained(const ContainedAlone *inner, const ContainedAlone *outer) {
  for (int64_t first = 0; first <= 3; first++)
    for (int64_t second = 0; second <= 3; second++) {
      const int64_t values[] = {first, second};
      bool is_of_inner = true, is_of_outer = true, counts = true;
      for (uint32_t at = 0; at < 2; at++) {
        counts &= is_considered(inner, outer, at, values[at]);
        is_of_inner &= has_value(inner, at, values[at]);
        is_of_outer &= has_value(outer, at, values[at]);
      }
      int64_t inner_sum = inner->added == 0 ? 0 : values[inner->added - 1],
              outer_sum = outer->added == 0 ? 0 : values[outer->added - 1];
      if (counts && is_of_inner && (!is_of_outer || inner_sum != outer_sum)) return false;
    }
  return true;
}

static void runtime_variables_of_one_map_take_all_their_values(void **) {
  static constexpr uint32_t codes = 81;
  Error error = {};
  ContainedFixture world = {.judge = judge_create(&(JudgeOptions){}, &error)};
  assert_non_null(world.judge);
  uint32_t contained = 0;
  for (uint32_t code = 0; code < codes * codes; code++) {
    ContainedAlone first = contained_alone(code % codes), second = contained_alone(code / codes);
    MapMark mark = map_context_mark(world.judge->context);
    const Map *inner = map_of_alone(world.judge->context, &first),
              *outer = map_of_alone(world.judge->context, &second);
    bool is_contained = are_alone_contained(&first, &second);
    query_oracle(&world, inner, outer, is_contained);
    if (code % 23 == 0) query_smt(&world, inner, outer, is_contained);
    contained += is_contained;
    map_context_rewind(world.judge->context, mark);
  }
  assert_true(
      contained > codes * codes / 4 && contained < codes * codes * 3 / 4 && world.unknown == 0);
  judge_destroy(world.judge);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(judges_say_what_is_there),
      cmocka_unit_test(runtime_variables_of_one_map_take_all_their_values)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
