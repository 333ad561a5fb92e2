/* Random maps whose runtime variables are elements of instructions, against definitions:
 * containment and inverses under all values of all elements, where the same element has the same
 * value, and a variable has it clamped, inside of its bounds; and the same map point by point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/map/evaluate.h"
#include "core/map/points.h"
#include "core/map/text.h"
#include "judge/maps/inverse_relation.h"
#include "judge/maps/same.h"

static uint64_t state_of_sources = 13;

static uint32_t source_below(uint32_t end) {
  state_of_sources =
      state_of_sources * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_sources >> 33) % end;
}

/* ---- maps (d0)[s0]{rt0, rt1} -> (sum) over d0 and s0 in [0, 1] ---- */

typedef enum SourceIndex : uint8_t {
  INDEX_ZERO,
  INDEX_ONE,
  INDEX_DIM,
  INDEX_OTHER_DIM, /* 1 - d0 */
  INDEX_RANGE,
  INDEX_RUNTIME, /* rt0 mod 2, of the second variable */
} SourceIndex;

static constexpr uint32_t most_runtimes = 2;

typedef struct SourcedMap {
  uint32_t ranges, runtimes;
  struct {
    uint32_t instruction; /* of two */
    SourceIndex index;
    Interval clamp, bounds;
  } sources[most_runtimes];
  int64_t factors[2 + most_runtimes]; /* of d0, s0, rt0, rt1 in the result */
  bool is_constrained;                /* the sum of rt0 and s0 is in [0, 2] */
} SourcedMap;

static Interval source_interval(void) {
  int64_t lo = source_below(3);
  return (Interval){lo, lo + source_below(3)};
}

static SourcedMap draw_sourced(void) {
  SourcedMap map = {.ranges = source_below(2), .runtimes = source_below(most_runtimes + 1)};
  for (uint32_t i = 0; i < map.runtimes; i++) {
    map.sources[i].instruction = source_below(4) == 0;
    map.sources[i].clamp = source_interval();
    map.sources[i].bounds = source_below(3) == 0 ? source_interval() : map.sources[i].clamp;
    do map.sources[i].index = (SourceIndex)source_below(INDEX_RUNTIME + 1);
    while ((map.sources[i].index == INDEX_RANGE && map.ranges == 0) ||
           (map.sources[i].index == INDEX_RUNTIME && i == 0));
  }
  for (uint32_t i = 0; i < 2 + most_runtimes; i++)
    map.factors[i] = source_below(2) * (i == 1 ? map.ranges : i < 2 || i - 2 < map.runtimes);
  map.is_constrained = map.runtimes > 0 && source_below(4) == 0;
  return map;
}

/* The map with one thing changed. */
static SourcedMap change_sourced(SourcedMap map) {
  uint32_t at = map.runtimes == 0 ? 0 : source_below(map.runtimes);
  SourcedMap other = draw_sourced();
  switch (source_below(6)) {
    case 0: return other;
    case 1: map.sources[at].clamp = source_interval(); break;
    case 2: map.sources[at].bounds = source_interval(); break;
    case 3: map.sources[at].instruction ^= 1; break;
    case 4: map.sources[at].index = (SourceIndex)source_below(INDEX_RANGE); break;
    default: map.is_constrained = map.runtimes > 0; break;
  }
  return map;
}

static Expr variable_sum(ExprPool *pool, Expr sum, Expr variable, int64_t factor) {
  return factor == 0 ? sum : expr_binary(pool, EXPR_ADD, sum, variable);
}

static Expr index_expr(ExprPool *pool, SourceIndex index) {
  Expr dim = expr_var(pool, VAR_DIM, 0);
  switch (index) {
    case INDEX_ZERO: return expr_const(pool, 0);
    case INDEX_ONE: return expr_const(pool, 1);
    case INDEX_DIM: return dim;
    case INDEX_OTHER_DIM:
      return expr_binary(pool, EXPR_ADD, expr_const(pool, 1),
          expr_binary(pool, EXPR_MUL, dim, expr_const(pool, -1)));
    case INDEX_RANGE: return expr_var(pool, VAR_RANGE, 0);
    case INDEX_RUNTIME:
      return expr_binary(pool, EXPR_MOD, expr_var(pool, VAR_RUNTIME, 0), expr_const(pool, 2));
  }
  return dim;
}

static Map *sourced_begin(MapContext *context, const SourcedMap *sourced, uint32_t constraints) {
  Map *map = map_create(context, 1, sourced->ranges, sourced->runtimes, 1, constraints);
  map->dims[0].bounds = (Interval){0, 1};
  if (sourced->ranges > 0) map->ranges[0].bounds = (Interval){0, 1};
  for (uint32_t i = 0; i < sourced->runtimes; i++)
    map->runtimes[i].bounds = sourced->sources[i].bounds;
  return map;
}

static const Map *map_of_sourced(MapContext *context, const SourcedMap *sourced) {
  static const char *const names[] = {"a", "b"};
  ExprPool *pool = context->pool;
  Map *map = sourced_begin(context, sourced, sourced->is_constrained);
  Expr dim = expr_var(pool, VAR_DIM, 0), range = expr_var(pool, VAR_RANGE, 0);
  Expr sum = variable_sum(pool, expr_const(pool, 0), dim, sourced->factors[0]);
  sum = variable_sum(pool, sum, range, sourced->factors[1]);
  map->sources = ARENA_NEW(context->arena, RuntimeSource, sourced->runtimes + 1);
  for (uint32_t i = 0; i < sourced->runtimes; i++) {
    sum = variable_sum(pool, sum, expr_var(pool, VAR_RUNTIME, i), sourced->factors[2 + i]);
    Map *index = sourced_begin(context, sourced, 0);
    index->results[0] = index_expr(pool, sourced->sources[i].index);
    map->sources[i] = (RuntimeSource){.name = names[sourced->sources[i].instruction],
        .index = index,
        .clamp = sourced->sources[i].clamp};
  }
  map->results[0] = sum;
  if (sourced->is_constrained) {
    Expr first = expr_var(pool, VAR_RUNTIME, 0);
    map->constraints[0] = (Constraint){
        .expr = sourced->ranges == 0 ? first : expr_binary(pool, EXPR_ADD, first, range),
        .in = {0, 2}};
  }
  return map;
}

/* ---- all values of all elements ---- */

static constexpr int64_t least_value = -1, value_count = 7; /* past both ends of every interval */
static constexpr uint32_t assignment_count = 7 * 7 * 7 * 7;

/* Each of two instructions has two elements. */
static void element_values(uint32_t assignment, int64_t values[2][2]) {
  for (uint32_t i = 0; i < 4; i++, assignment /= value_count)
    values[i / 2][i % 2] = least_value + assignment % value_count;
}

static int64_t index_value(SourceIndex index, int64_t dim, int64_t range, int64_t first) {
  const int64_t values[] = {0, 1, dim, 1 - dim, range, first % 2};
  return values[index];
}

/* The set of results at d0, as bits. */
static uint64_t sourced_results(const SourcedMap *map, int64_t values[2][2], int64_t dim) {
  uint64_t results = 0;
  for (int64_t range = 0; range <= map->ranges; range++) {
    int64_t runtimes[most_runtimes] = {}, sum = dim * map->factors[0] + range * map->factors[1];
    bool is_inside = true;
    for (uint32_t i = 0; i < map->runtimes; i++) {
      Interval clamp = map->sources[i].clamp, bounds = map->sources[i].bounds;
      int64_t index = index_value(map->sources[i].index, dim, range, runtimes[0]),
              value = values[map->sources[i].instruction][index];
      runtimes[i] = value < clamp.lo ? clamp.lo : value > clamp.hi ? clamp.hi : value;
      is_inside &= runtimes[i] >= bounds.lo && runtimes[i] <= bounds.hi;
      sum += runtimes[i] * map->factors[2 + i];
    }
    if (map->is_constrained) is_inside &= runtimes[0] + range <= 2;
    if (is_inside) results |= UINT64_C(1) << sum;
  }
  return results;
}

static bool are_sourced_contained(const SourcedMap *inner, const SourcedMap *outer) {
  for (uint32_t assignment = 0; assignment < assignment_count; assignment++) {
    int64_t values[2][2];
    element_values(assignment, values);
    for (int64_t dim = 0; dim <= 1; dim++)
      if ((sourced_results(inner, values, dim) & ~sourced_results(outer, values, dim)) != 0)
        return false;
  }
  return true;
}

/* ---- the judges ---- */

static void fail_sourced(
    MapContext *context, const Map *inner, const Map *outer, const char *who, bool is_contained) {
  Text text = text_create(context->arena);
  map_print(&text, context, inner, MAP_STYLE_LINE);
  text_string(&text, "\n");
  map_print(&text, context, outer, MAP_STYLE_LINE);
  fail_msg("%s, not %s:\n%s", who, is_contained ? "contained" : "refuted", text.bytes);
}

static void elements_have_one_value_wherever_they_are_used(void **) {
  static constexpr uint32_t smt_step = 12;
  const uint32_t rounds = test_length(3000, 3000, 900);
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){}, &error);
  assert_non_null(judge);
  uint32_t contained = 0, unknown = 0;
  for (uint32_t round = 0; round < rounds; round++) {
    MapMark mark = map_context_mark(judge->context);
    SourcedMap one = draw_sourced(), other = change_sourced(one);
    bool is_contained = are_sourced_contained(&one, &other);
    const Map *inner = map_of_sourced(judge->context, &one),
              *outer = map_of_sourced(judge->context, &other);
    VerdictStatus status = is_contained ? VERDICT_PROVED : VERDICT_REFUTED;
    Verdict verdict;
    assert_true(oracle_contained(judge->oracle, inner, outer, 1 << 20, &verdict, &error));
    if (verdict.status != status)
      fail_sourced(judge->context, inner, outer, "oracle", is_contained);
    contained += is_contained;
    if (round % smt_step == 0) {
      assert_true(smt_contained(judge->smt, inner, outer, &verdict, &error));
      unknown += verdict.status == VERDICT_UNKNOWN;
      if (verdict.status != VERDICT_UNKNOWN && verdict.status != status)
        fail_sourced(judge->context, inner, outer, "smt", is_contained);
    }
    map_context_rewind(judge->context, mark);
  }
  assert_true(contained > rounds / 5 && contained < rounds - rounds / 5);
  assert_true(unknown < rounds / smt_step / 10);
  judge_destroy(judge);
}

/* ---- the same map ---- */

typedef struct SourcedPoint {
  bool is_inside;
  int64_t result, indices[most_runtimes];
} SourcedPoint;

static SourcedPoint sourced_point(
    const SourcedMap *map, int64_t dim, int64_t range, const int64_t *runtimes) {
  SourcedPoint point = {
      .is_inside = true, .result = dim * map->factors[0] + range * map->factors[1]};
  for (uint32_t i = 0; i < map->runtimes; i++) {
    Interval bounds = map->sources[i].bounds;
    point.is_inside &= runtimes[i] >= bounds.lo && runtimes[i] <= bounds.hi;
    point.indices[i] = index_value(map->sources[i].index, dim, range, runtimes[0]);
    point.result += runtimes[i] * map->factors[2 + i];
  }
  if (map->is_constrained) point.is_inside &= runtimes[0] + range <= 2;
  return point;
}

/* At every point both are outside, or both inside with the same result and elements. If there is a
 * point, the variables have the same instructions and clamps. */
static bool are_sourced_same(const SourcedMap *a, const SourcedMap *b) {
  bool has_point = false, have_same_sources = true;
  if (a->ranges != b->ranges || a->runtimes != b->runtimes) return false;
  for (uint32_t i = 0; i < a->runtimes; i++)
    have_same_sources &= a->sources[i].instruction == b->sources[i].instruction &&
                         a->sources[i].clamp.lo == b->sources[i].clamp.lo &&
                         a->sources[i].clamp.hi == b->sources[i].clamp.hi;
  for (uint32_t code = 0; code < 2 * 2 * 5 * 5; code++) {
    int64_t dim = code % 2, range = code / 2 % 2, runtimes[] = {code / 4 % 5, code / 20};
    SourcedPoint one = sourced_point(a, dim, range, runtimes),
                 other = sourced_point(b, dim, range, runtimes);
    if (range >= 1 + (int64_t)a->ranges) continue;
    if (one.is_inside != other.is_inside) return false;
    has_point |= one.is_inside;
    if (!one.is_inside) continue;
    if (one.result != other.result) return false;
    for (uint32_t i = 0; i < a->runtimes; i++)
      if (one.indices[i] != other.indices[i]) return false;
  }
  return !has_point || have_same_sources;
}

static void maps_with_sources_are_the_same_point_by_point(void **) {
  static constexpr uint32_t rounds = 3000, smt_step = 10;
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){}, &error);
  assert_non_null(judge);
  uint32_t same = 0, unknown = 0;
  for (uint32_t round = 0; round < rounds; round++) {
    MapMark mark = map_context_mark(judge->context);
    SourcedMap one = draw_sourced(), other = change_sourced(one);
    bool is_same = are_sourced_same(&one, &other);
    const Map *before = map_of_sourced(judge->context, &one),
              *after = map_of_sourced(judge->context, &other);
    VerdictStatus status = is_same ? VERDICT_PROVED : VERDICT_REFUTED;
    Verdict verdict;
    assert_true(oracle_same_map(judge->oracle, before, after, 1 << 20, &verdict, &error));
    if (verdict.status != status)
      fail_sourced(judge->context, before, after, "oracle, same map", is_same);
    same += is_same;
    if (round % smt_step == 0) {
      assert_true(smt_same_map(judge->smt, before, after, &verdict, &error));
      unknown += verdict.status == VERDICT_UNKNOWN;
      if (verdict.status != VERDICT_UNKNOWN && verdict.status != status)
        fail_sourced(judge->context, before, after, "smt, same map", is_same);
    }
    map_context_rewind(judge->context, mark);
  }
  assert_true(same > rounds / 10 && same < rounds - rounds / 10);
  assert_true(unknown < rounds / smt_step / 5);
  judge_destroy(judge);
}

/* ---- inverses ---- */

/* The results of any such map at one index, as bits: its runtime variables are elements at the
 * values of their index maps. */
static uint64_t mapped_results(
    MapContext *context, const Map *map, int64_t values[2][2], int64_t dim) {
  uint64_t results = 0;
  int64_t all[8] = {dim}, result[1];
  uint32_t ranges = map->range_count;
  assert_true(map->dim_count == 1 && map->result_count == 1 && map_variable_count(map) < 8);
  for (uint32_t code = 0; code < 1u << ranges; code++) {
    bool is_inside = true;
    for (uint32_t i = 0; i < ranges; i++) all[1 + i] = code >> i & 1;
    for (uint32_t i = 0; i < map->runtime_count; i++)
      all[1 + ranges + i] = map->runtimes[i].bounds.lo;
    for (uint32_t i = 0; i < map->runtime_count && is_inside; i++) {
      const RuntimeSource *source = &map->sources[i];
      Point at = map_point(source->index, all);
      is_inside = map_evaluate(context, source->index, &at, result) == POINT_INSIDE;
      if (!is_inside) break;
      assert_true(result[0] >= 0 && result[0] <= 1);
      int64_t value = values[source->name[0] - 'a'][result[0]];
      if (value < source->clamp.lo) value = source->clamp.lo;
      if (value > source->clamp.hi) value = source->clamp.hi;
      all[1 + ranges + i] = value;
      is_inside = value >= map->runtimes[i].bounds.lo && value <= map->runtimes[i].bounds.hi;
    }
    Point at = map_point(map, all);
    if (is_inside && map_evaluate(context, map, &at, result) == POINT_INSIDE)
      results |= UINT64_C(1) << result[0];
  }
  return results;
}

static void inverses_have_the_exchanged_pairs(void **) {
  static constexpr int64_t sizes[] = {11};
  MapContext *context = map_context_create();
  uint64_t pairs = 0;
  for (uint32_t round = 0; round < 400; round++) {
    MapMark mark = map_context_mark(context);
    SourcedMap sourced = draw_sourced();
    const Map *map = map_of_sourced(context, &sourced), *inverse;
    Error error = {};
    assert_true(relation_inverse(context, map, 1, sizes, &inverse, &error));
    for (uint32_t draws = 0; draws < 20; draws++) {
      int64_t values[2][2];
      element_values(source_below(assignment_count), values);
      uint64_t forward[] = {
          sourced_results(&sourced, values, 0), sourced_results(&sourced, values, 1)};
      for (int64_t dim = 0; dim <= 1; dim++)
        assert_true(mapped_results(context, map, values, dim) == forward[dim]);
      for (int64_t result = 0; result < sizes[0]; result++) {
        uint64_t back = mapped_results(context, inverse, values, result);
        assert_true(back == ((forward[0] >> result & 1) | (forward[1] >> result & 1) << 1));
        pairs += back != 0;
      }
    }
    map_context_rewind(context, mark);
  }
  assert_true(pairs > 2000);
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_have_one_value_wherever_they_are_used),
      cmocka_unit_test(maps_with_sources_are_the_same_point_by_point),
      cmocka_unit_test(inverses_have_the_exchanged_pairs),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
