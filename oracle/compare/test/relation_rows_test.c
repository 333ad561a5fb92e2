/* Relations with many results at one index, against the plain sets, and runtime variables that are
 * matched by their instructions and index maps. */
#include "oracle/test/test_module.h"

static uint64_t state_of_rows = 37;

static uint32_t rows_below(uint32_t end) {
  state_of_rows = state_of_rows * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_rows >> 33) % end;
}

/* ---- many results ---- */

/* (d0)[s0, s1] -> (a * s0 + b * s1 + d0, (s0 + c * s1) mod m), where s0 + s1 is at most `most`. */
typedef struct RowsMap {
  int64_t sizes[2], a, b, c, m, most;
} RowsMap;

static RowsMap draw_rows_map(void) {
  return (RowsMap){.sizes = {1 + rows_below(14), 1 + rows_below(14)},
      .a = (int64_t)rows_below(9) - 4,
      .b = (int64_t)rows_below(9) - 4,
      .c = rows_below(3),
      .m = 1 + rows_below(4),
      .most = rows_below(2) == 0 ? 99 : 4 + rows_below(20)};
}

/* The same relation with exchanged ranges, or another map. */
static RowsMap change_rows_map(RowsMap map) {
  switch (rows_below(5)) {
    case 0: map.a++; break;
    case 1: map.most--; break;
    case 2: map.sizes[rows_below(2)]++; break;
    case 3: map.m++; break;
    default: break;
  }
  return map;
}

static Expr rows_scaled(ExprPool *pool, Expr expr, int64_t factor) {
  return expr_binary(pool, EXPR_MUL, expr, expr_const(pool, factor));
}

/* With `is_exchanged`, s0 and s1 have each other's place. */
static const Map *map_of_rows(MapContext *context, const RowsMap *rows, bool is_exchanged) {
  ExprPool *pool = context->pool;
  Map *map = map_create(context, 1, 2, 0, 2, 1);
  uint32_t first = is_exchanged ? 1 : 0, second = 1 - first;
  Expr s0 = expr_var(pool, VAR_RANGE, first), s1 = expr_var(pool, VAR_RANGE, second);
  map->dims[0].bounds = (Interval){0, 2};
  map->ranges[first].bounds = (Interval){0, rows->sizes[0] - 1};
  map->ranges[second].bounds = (Interval){0, rows->sizes[1] - 1};
  Expr sum =
      expr_binary(pool, EXPR_ADD, rows_scaled(pool, s0, rows->a), rows_scaled(pool, s1, rows->b));
  map->results[0] = expr_binary(pool, EXPR_ADD, sum, expr_var(pool, VAR_DIM, 0));
  map->results[1] = expr_binary(pool, EXPR_MOD,
      expr_binary(pool, EXPR_ADD, s0, rows_scaled(pool, s1, rows->c)), expr_const(pool, rows->m));
  map->constraints[0] =
      (Constraint){.expr = expr_binary(pool, EXPR_ADD, s0, s1), .in = {0, rows->most}};
  return map;
}

static constexpr int64_t rows_offset = 200;

/* The results at d0 = 0, by both; the other indices only shift the first one. */
static uint32_t rows_set(const RowsMap *rows, bool has[2 * rows_offset][8]) {
  uint32_t count = 0;
  memset(has, 0, sizeof(bool) * 2 * rows_offset * 8);
  for (int64_t s0 = 0; s0 < rows->sizes[0]; s0++)
    for (int64_t s1 = 0; s1 < rows->sizes[1]; s1++) {
      bool *at = &has[rows->a * s0 + rows->b * s1 + rows_offset][(s0 + rows->c * s1) % rows->m];
      if (s0 + s1 > rows->most) continue;
      count += !*at;
      *at = true;
    }
  return count;
}

static void check_rows(
    OracleFixture *bench, const Map *one, const Map *other, bool is_within, bool is_same) {
  Verdict verdict;
  Error error = {};
  assert_true(oracle_contained(bench->oracle, one, other, 1 << 20, &verdict, &error));
  assert_int_equal(verdict.status, is_within ? VERDICT_PROVED : VERDICT_REFUTED);
  assert_true(oracle_same_relation(bench->oracle, one, other, 1 << 20, &verdict, &error));
  assert_int_equal(verdict.status, is_same ? VERDICT_PROVED : VERDICT_REFUTED);
}

static void relations_are_the_sets_of_their_results(void **) {
  static bool before[2 * rows_offset][8], after[2 * rows_offset][8];
  uint32_t many = 0, same = 0, within = 0;
  static constexpr uint32_t rounds = 500;
  for (uint32_t round = 0; round < rounds; round++) {
    OracleFixture bench = bench_create();
    RowsMap one = draw_rows_map(), other = change_rows_map(one);
    many += rows_set(&one, before) > 40;
    (void)rows_set(&other, after);
    bool is_within = true, is_around = true;
    for (uint32_t i = 0; i < 2 * rows_offset; i++)
      for (uint32_t k = 0; k < 8; k++) {
        is_within &= !before[i][k] || after[i][k];
        is_around &= before[i][k] || !after[i][k];
      }
    check_rows(&bench, map_of_rows(bench.maps, &one, false), map_of_rows(bench.maps, &other, true),
        is_within, is_within && is_around);
    same += is_within && is_around;
    within += is_within && !is_around;
    bench_destroy(&bench);
  }
  assert_true(many > rounds / 5 && same > rounds / 10 && within > rounds / 20);
}

/* ---- matched runtime variables ---- */

static constexpr uint32_t most_matched = 4;

/* Runtime variables with different sources: an instruction and the constant of its index map, or
 * no index map. The result is their sum with the weights. */
typedef struct MatchedSource {
  const char *name;
  int64_t index; /* -1: no index map */
  int64_t weight;
} MatchedSource;

static const Map *map_of_matched(
    MapContext *context, uint32_t count, const MatchedSource *sources) {
  ExprPool *pool = context->pool;
  Map *map = map_create(context, 0, 0, count, 1, 0);
  map->results[0] = expr_const(pool, 0);
  map->sources = ARENA_NEW(context->arena, RuntimeSource, count);
  for (uint32_t i = 0; i < count; i++) {
    map->runtimes[i].bounds = (Interval){0, 2};
    map->results[0] = expr_binary(pool, EXPR_ADD, map->results[0],
        rows_scaled(pool, expr_var(pool, VAR_RUNTIME, i), sources[i].weight));
    map->sources[i] = (RuntimeSource){.name = sources[i].name, .clamp = {0, 2}};
    if (sources[i].index < 0) continue;
    Map *index = map_create(context, 0, 0, count, 1, 0);
    for (uint32_t k = 0; k < count; k++) index->runtimes[k].bounds = (Interval){0, 2};
    index->results[0] = expr_const(pool, sources[i].index);
    map->sources[i].index = index;
  }
  return map;
}

static void exchange_sources(MatchedSource *a, MatchedSource *b) {
  MatchedSource kept = *a;
  *a = *b;
  *b = kept;
}

/* In another order the sum is the same; with one weight changed it is not. */
static void variables_are_matched_by_instruction_and_index(void **) {
  static const MatchedSource all[] = {{"a", 0, 1}, {"a", 1, 3}, {"b", 0, 9}, {"c", -1, 27}};
  for (uint32_t round = 0; round < 300; round++) {
    OracleFixture bench = bench_create();
    MatchedSource before[most_matched], after[most_matched];
    memcpy(before, all, sizeof all);
    for (uint32_t i = most_matched; i > 1; i--)
      exchange_sources(&before[i - 1], &before[rows_below(i)]);
    memcpy(after, before, sizeof before);
    for (uint32_t i = most_matched; i > 1; i--)
      exchange_sources(&after[i - 1], &after[rows_below(i)]);
    bool is_same = rows_below(2) == 0;
    if (!is_same) after[rows_below(most_matched)].weight += 81;
    const Map *one = map_of_matched(bench.maps, most_matched, before),
              *other = map_of_matched(bench.maps, most_matched, after);
    check_rows(&bench, one, other, is_same, is_same);
    bench_destroy(&bench);
  }
}

static const Map *row_map(OracleFixture *bench, const char *text) {
  Error error = {};
  const Map *map = nullptr;
  const Source source = {.name = "m", .text = text, .length = strlen(text), .first_line = 1};
  if (!map_parse(bench->maps, &source, &map, &error)) fail_msg("%s: %s", text, error.message);
  return map;
}

/* The variables of an index map go by name, whatever bounds and constraints it states. */
static void elements_are_at_variables_with_their_names(void **) {
  static const struct {
    const char *index;
    bool is_first; /* of the dimensions */
  } rows[] = {{"(d0) -> (d0), domain: d0 in [0, 3]", true},
      {"(d1) -> (d1), domain: d1 in [0, 3]", false}, {"(d1) -> (d1), domain: d1 in [0, 5]", false},
      {"(d1) -> (d1), domain: d1 in [0, 3], d1 mod 2 in [0, 1]", false},
      {"(d1, d0) -> (d0), domain: d1 in [0, 3], d0 in [1, 2]", true},
      {"(d1, d0) -> (d1), domain: d1 in [0, 3], d0 in [0, 3], d0 in [0, 2]", false}};
  static constexpr size_t count = sizeof rows / sizeof *rows;
  OracleFixture bench = bench_create();
  Error error = {};
  const Map *maps[count] = {};
  for (size_t i = 0; i < count; i++)
    maps[i] = row_map(
        &bench, arena_printf(bench.arena,
                    "(d0, d1){rt0} -> (rt0), domain: d0 in [0, 3], d1 in [0, 3], rt0 in [0, 3]\n"
                    "runtime variables:\nrt0: a; %s",
                    rows[i].index));
  for (size_t i = 0; i < count * count; i++) {
    Verdict verdict;
    const Map *one = maps[i / count], *other = maps[i % count];
    bool is_same = rows[i / count].is_first == rows[i % count].is_first;
    VerdictStatus expected = is_same ? VERDICT_PROVED : VERDICT_REFUTED;
    assert_true(oracle_contained(bench.oracle, one, other, 1 << 20, &verdict, &error));
    assert_int_equal(verdict.status, expected);
    assert_true(oracle_same_relation(bench.oracle, one, other, 1 << 20, &verdict, &error));
    assert_int_equal(verdict.status, expected);
  }
  bench_destroy(&bench);
}

/* With a source that is not known, elements at range variables have no value in common: those of
 * the first map and of the second are at ranges of their own. */
static void check_moving_elements(const char *other) {
  static const char *const results[] = {"s0 + rt0 + rt1", "s1 + rt0 + rt1"};
  OracleFixture bench = bench_create();
  Error error = {};
  const Map *maps[2] = {};
  for (uint32_t i = 0; i < 2; i++)
    maps[i] = row_map(&bench,
        arena_printf(bench.arena,
            "(d0)[s0, s1]{rt0, rt1} -> (%s), domain: d0 in [0, 1], s0 in [0, 1], s1 in [0, 1], "
            "rt0 in [0, 3], rt1 in [0, 1]\nruntime variables:\n"
            "rt0: a; (d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 1]\nrt1: %s; KNOWN EMPTY",
            results[i], i == 0 ? "b" : other));
  for (uint32_t i = 0; i < 4; i++) {
    Verdict verdict;
    VerdictStatus expected = i / 2 == i % 2 ? VERDICT_PROVED : VERDICT_UNKNOWN;
    assert_true(
        oracle_same_relation(bench.oracle, maps[i / 2], maps[i % 2], 1 << 20, &verdict, &error));
    assert_int_equal(verdict.status, expected);
  }
  bench_destroy(&bench);
}

static void elements_at_ranges_beside_an_unknown_one_decide_nothing(void **) {
  check_moving_elements("b");
  check_moving_elements("c");
}

/* An index map over variables of its own names an element that may be another one. */
static void own_variables_of_an_index_decide_nothing(void **) {
  static const char *const indices[] = {"(d0) -> (d0), domain: d0 in [0, 7]",
      "(d0)[s0] -> (7 - d0), domain: d0 in [0, 7], s0 in [0, 1]", "KNOWN EMPTY",
      "(x){rt0} -> (x), domain: x in [0, 7], rt0 in [0, 3]"};
  static constexpr uint32_t count = sizeof indices / sizeof *indices;
  OracleFixture bench = bench_create();
  Error error = {};
  const Map *maps[count] = {};
  for (uint32_t i = 0; i < count; i++) {
    const char *text = arena_printf(bench.arena,
        "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 7], rt0 in [0, 3]\nruntime variables:\nrt0: p; %s",
        indices[i]);
    maps[i] = row_map(&bench, text);
  }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count; k++) {
      Verdict verdict;
      VerdictStatus expected = i == k ? VERDICT_PROVED : VERDICT_UNKNOWN;
      assert_true(oracle_contained(bench.oracle, maps[i], maps[k], 1 << 20, &verdict, &error));
      assert_int_equal(verdict.status, expected);
      assert_true(oracle_same_relation(bench.oracle, maps[i], maps[k], 1 << 20, &verdict, &error));
      assert_int_equal(verdict.status, expected);
    }
  bench_destroy(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(relations_are_the_sets_of_their_results),
      cmocka_unit_test(variables_are_matched_by_instruction_and_index),
      cmocka_unit_test(own_variables_of_an_index_decide_nothing),
      cmocka_unit_test(elements_are_at_variables_with_their_names),
      cmocka_unit_test(elements_at_ranges_beside_an_unknown_one_decide_nothing),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
