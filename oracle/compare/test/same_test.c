/* Same map and same relation by enumeration, on pairs that agree and on pairs that differ in one
 * thing. */

#include "core/base/budget.h"
#include "core/base/clock.h"
#include "oracle/test/test_module.h"

typedef struct SameCase {
  const char *before, *after;
  VerdictStatus map, relation;
  const char *words; /* part of the sentence of the first verdict that is not VERDICT_PROVED */
} SameCase;

static const SameCase same_cases[] = {
    {"(d0, d1) -> (d0 + d1 floordiv 16, d1 mod 16), domain: d0 in [0, 6], d1 in [0, 14]",
        "(d0, d1) -> (d0, d1), domain: d0 in [0, 6], d1 in [0, 14]", VERDICT_PROVED, VERDICT_PROVED,
        ""},
    {"(d0) -> (d0 mod 8), domain: d0 in [0, 8]", "(d0) -> (d0), domain: d0 in [0, 8]",
        VERDICT_REFUTED, VERDICT_REFUTED, "d0 = 8"},
    {"(d0) -> (d0), domain: d0 in [0, 8], d0 mod 2 in [0, 0]", "(d0) -> (d0), domain: d0 in [0, 8]",
        VERDICT_REFUTED, VERDICT_REFUTED, "d0 = 1"},
    {"(d0) -> (d0), domain: d0 in [0, 8], d0 in [3, 5]", "(d0) -> (d0), domain: d0 in [3, 5]",
        VERDICT_PROVED, VERDICT_PROVED, ""},
    {"(d0) -> (d0), domain: d0 in [0, 3]", "(d0) -> (d0), domain: d0 in [0, 4]", VERDICT_REFUTED,
        VERDICT_REFUTED, "d0 = 4"},
    {"(d0)[s0] -> (d0), domain: d0 in [0, 3], s0 in [0, 1]", "(d0) -> (d0), domain: d0 in [0, 3]",
        VERDICT_REFUTED, VERDICT_PROVED,
        "1 dimension and 1 range variable before, 1 dimension after"},
    {"(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 1]",
        "(d0)[s0] -> (1 - s0), domain: d0 in [0, 3], s0 in [0, 1]", VERDICT_REFUTED, VERDICT_PROVED,
        "s0 = 0"},
    {"(d0)[s0, s1] -> (s0 * 2 + s1), domain: d0 in [0, 1], s0 in [0, 2], s1 in [0, 1]",
        "(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 5]", VERDICT_REFUTED, VERDICT_PROVED,
        ""},
    {"(d0)[s0, s1] -> (s0 * 2 + s1), domain: d0 in [0, 1], s0 in [0, 2], s1 in [0, 1]",
        "(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 6]", VERDICT_REFUTED, VERDICT_REFUTED,
        ""},
    {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 2]",
        "(d0){rt0} -> (rt0 + d0), domain: d0 in [0, 3], rt0 in [0, 2]", VERDICT_PROVED,
        VERDICT_PROVED, ""},
    {"(d0){rt0, rt1} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 2], rt1 in [0, 2]",
        "(d0){rt0, rt1} -> (d0 + rt1), domain: d0 in [0, 3], rt0 in [0, 2], rt1 in [0, 2]",
        VERDICT_REFUTED, VERDICT_REFUTED, "rt1 = 1"},
    {"KNOWN EMPTY", "KNOWN EMPTY", VERDICT_PROVED, VERDICT_PROVED, ""},
    {"KNOWN EMPTY", "(d0) -> (d0), domain: d0 in [0, 3], d0 in [5, 6]", VERDICT_PROVED,
        VERDICT_PROVED, ""},
    {"(d0) -> (d0), domain: d0 in [0, 3], d0 in [3, 6]", "KNOWN EMPTY", VERDICT_REFUTED,
        VERDICT_REFUTED, "d0 = 3"},
    {"() -> ()", "KNOWN EMPTY", VERDICT_REFUTED, VERDICT_REFUTED, "known empty"},
    {"(d0) -> (d0), domain: d0 in [3, 2]", "KNOWN EMPTY", VERDICT_PROVED, VERDICT_PROVED, ""},
    {"UNDEFINED", "UNDEFINED", VERDICT_PROVED, VERDICT_PROVED, ""},
    {"UNDEFINED", "KNOWN EMPTY", VERDICT_REFUTED, VERDICT_REFUTED, "undefined"},
    {"() -> ()", "() -> ()", VERDICT_PROVED, VERDICT_PROVED, ""},
    {"() -> (3)", "() -> (4)", VERDICT_REFUTED, VERDICT_REFUTED, "(3)"},
    {"(d0) -> (d0)", "(d0, d1) -> (d0)", VERDICT_REFUTED, VERDICT_REFUTED,
        "1 dimension before, 2 dimensions after"},
    {"(d0) -> (d0), domain: d0 in [0, 9], d0 * 2 in [3, 3]",
        "(d0)[s0] -> (d0, s0), domain: d0 in [0, 9], s0 in [1, 0]", VERDICT_REFUTED, VERDICT_PROVED,
        "1 dimension before, 1 dimension and 1 range variable after"},
    {"() -> ()", "(){rt0} -> (), domain: rt0 in [0, 1]", VERDICT_REFUTED, VERDICT_PROVED,
        "no variables before, 1 runtime variable after"},
    {"(d0) -> (d0), domain: d0 in [0, 9], d0 * 2 in [3, 3]",
        "(d0) -> (d0, d0), domain: d0 in [1, 0]", VERDICT_PROVED, VERDICT_PROVED, ""},
    {"(d0) -> (d0), domain: d0 in [0, 9]", "(d0) -> (d0, d0), domain: d0 in [0, 9]",
        VERDICT_REFUTED, VERDICT_REFUTED, "1 result before, 2 after"},
    {"(d0) -> (d0), domain: d0 in [0, 9], d0 * 2 in [4, 4]",
        "(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [1, 0]", VERDICT_REFUTED, VERDICT_REFUTED,
        "1 dimension before"},
};

static const char *with_domain(OracleFixture *bench, const char *text) {
  if (strcmp(text, "(d0) -> (d0)") == 0) return "(d0) -> (d0), domain: d0 in [0, 3]";
  if (strcmp(text, "(d0, d1) -> (d0)") == 0)
    return "(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, 0]";
  (void)bench;
  return text;
}

static void check_same(const SameCase *same, bool is_exchanged) {
  OracleFixture bench = bench_create();
  Error error = {};
  Verdict map, relation;
  const Map *before =
      map_of(&bench, with_domain(&bench, is_exchanged ? same->after : same->before));
  const Map *after = map_of(&bench, with_domain(&bench, is_exchanged ? same->before : same->after));
  assert_true(oracle_same_map(bench.oracle, before, after, 1000, &map, &error));
  assert_true(oracle_same_relation(bench.oracle, before, after, 10000, &relation, &error));
  if (map.status != same->map || relation.status != same->relation)
    fail_msg("%s\n%s\nmap %u (%s), relation %u (%s)", same->before, same->after, map.status,
        verdict_text(&map), relation.status, verdict_text(&relation));
  if (map.status != VERDICT_PROVED && !is_exchanged &&
      strstr(verdict_text(&map), same->words) == nullptr)
    fail_msg("'%s' lacks '%s'", verdict_text(&map), same->words);
  bench_destroy(&bench);
}

static void sameness_is_symmetric(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof same_cases / sizeof *same_cases; i++) {
    check_same(&same_cases[i], false);
    check_same(&same_cases[i], true);
  }
}

static void past_the_limit_is_too_large(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  Error error = {};
  Verdict verdict;
  const Map *map = map_of(&bench, "(d0, d1) -> (d0), domain: d0 in [0, 99], d1 in [0, 99]");
  assert_true(oracle_same_map(bench.oracle, map, map, 9999, &verdict, &error));
  assert_int_equal(verdict.status, VERDICT_UNKNOWN);
  assert_true(oracle_same_map(bench.oracle, map, map, 10000, &verdict, &error));
  assert_int_equal(verdict.status, VERDICT_PROVED);
  assert_int_equal(verdict.work, 10000);
  assert_true(oracle_same_relation(bench.oracle, map, map, 9999, &verdict, &error));
  assert_int_equal(verdict.status, VERDICT_UNKNOWN);
  bench_destroy(&bench);
}

/* Maps with different numbers of results are the same only if both are empty: a point that is found
 * decides, a search that the limit ends does not. */
static void other_results_are_not_decided_by_a_limit(void **state) {
  (void)state;
  static const struct {
    const char *before, *after;
    VerdictStatus answer;
  } cases[] = {
      {"(d0, d1) -> (d0), domain: d0 in [0, 999], d1 in [0, 0]",
          "(d0, d1) -> (d0, d1), domain: d0 in [0, 999], d1 in [0, 9], d0 + d1 in [-9, -1]",
          VERDICT_REFUTED},
      {"(d0, d1) -> (d0), domain: d0 in [0, 999], d1 in [0, 0], d0 * 2 in [-9, -1]",
          "(d0, d1) -> (d0, d1), domain: d0 in [0, 999], d1 in [0, 9], d0 + d1 in [-9, -1]",
          VERDICT_UNKNOWN},
      {"(d0, d1) -> (d0), domain: d0 in [0, 99], d1 in [0, 0], d0 * 2 in [-9, -1]",
          "(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 9], d0 + d1 in [-9, -1]",
          VERDICT_PROVED},
      {"(d0, d1) -> (d0), domain: d0 in [0, 999], d1 in [0, 0], d0 in [999, 999]",
          "(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 9], d0 + d1 in [-9, -1]",
          VERDICT_UNKNOWN},
      {"(d0, d1) -> (d0), domain: d0 in [0, 99], d1 in [0, 0], d0 in [99, 99]",
          "(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 9], d0 + d1 in [-9, -1]",
          VERDICT_REFUTED},
  };
  for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
    OracleFixture bench = bench_create();
    Error error = {};
    Verdict map, relation;
    const Map *before = map_of(&bench, cases[i / 2].before),
              *after = map_of(&bench, cases[i / 2].after);
    assert_true(oracle_same_map(
        bench.oracle, i % 2 == 0 ? before : after, i % 2 == 0 ? after : before, 100, &map, &error));
    assert_true(oracle_same_relation(bench.oracle, i % 2 == 0 ? before : after,
        i % 2 == 0 ? after : before, 100, &relation, &error));
    if (map.status != cases[i / 2].answer || relation.status != cases[i / 2].answer)
      fail_msg("%zu: map %u (%s), relation %u (%s)", i, map.status, verdict_text(&map),
          relation.status, verdict_text(&relation));
    bench_destroy(&bench);
  }
}

/* Built by hand: the parser rejects maps that leave int64. */
static const Map *far_map(OracleFixture *bench, Interval bounds, int64_t factor) {
  Map *map = map_create(bench->maps, 1, 0, 0, 1, 0);
  ExprPool *pool = bench->maps->pool;
  Expr far = expr_binary(pool, EXPR_MUL, expr_var(pool, VAR_DIM, 0), expr_const(pool, factor));
  map->dims[0].bounds = bounds;
  map->results[0] = expr_binary(pool, EXPR_FLOORDIV, far, expr_const(pool, factor));
  return map;
}

static void leaving_int64_is_reported(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  Error error = {};
  Verdict verdict;
  const Map *near = map_of(&bench, "(d0) -> (d0), domain: d0 in [0, 3]");
  assert_true(oracle_same_map(
      bench.oracle, far_map(&bench, (Interval){0, 3}, INT64_MAX), near, 100, &verdict, &error));
  assert_int_equal(verdict.status, VERDICT_REFUTED);
  assert_int_equal(verdict.reason, REASON_LEAVES_INT64);
  assert_non_null(strstr(verdict_text(&verdict), "d0 = 2: before leaves int64"));
  assert_int_equal(verdict.work, 3);
  assert_true(oracle_same_relation(
      bench.oracle, far_map(&bench, (Interval){0, 3}, INT64_MAX), near, 100, &verdict, &error));
  assert_int_equal(verdict.status, VERDICT_REFUTED);
  assert_non_null(strstr(verdict_text(&verdict), "leaves int64"));
  assert_true(oracle_same_map(
      bench.oracle, far_map(&bench, (Interval){0, 3}, INT64_MAX / 3), near, 100, &verdict, &error));
  assert_int_equal(verdict.status, VERDICT_PROVED);
  bench_destroy(&bench);
}

/* Compares columns with points: the same programs, evaluated both ways, over negative numbers and
 * every operator. */
static void columns_agree_with_points(void **state) {
  (void)state;
  static const char *const texts[] = {
      ("(d0, d1)[s0] -> ((d0 * 7 + d1 - s0) floordiv 5, (d0 - d1 * 3) mod 7, (s0 - d0) ceildiv 3), domain: d0 in [-20, 20], "
       "d1 in [-3, 17], s0 in [-5, 4], (d0 + d1) mod 3 in [0, 1]"),
      "(d0) -> (d0 floordiv 1000000007, d0 mod 13, d0 ceildiv 4096), domain: d0 in [2147480000, 2147490000]",
      "(d0) -> (min(d0, 5) * max(d0, -5), d0 mod 1, d0 floordiv 1), domain: d0 in [-2000, 2000]",
      "(d0) -> (d0 floordiv 2147483647, d0 mod 2147483646), domain: d0 in [-4000, 4000]",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    OracleFixture bench = bench_create();
    const Map *map = map_of(&bench, texts[i]);
    Program program;
    program_compile(&program, bench.arena, bench.maps, map, nullptr);
    assert_true(program.is_narrow);
    Box box = {.count = program.variable_count, .of = program.box};
    assert_true(box_count(&box, 1 << 20));
    int64_t **columns = columns_create(bench.arena, &program, box.points, 0, nullptr);
    uint8_t *inside = ARENA_NEW(bench.arena, uint8_t, box_block);
    int64_t *slots = ARENA_NEW(bench.arena, int64_t, program.slot_count);
    for (int64_t first = 0; first < box.points; first += box_block) {
      uint32_t count = box.points - first < box_block ? (uint32_t)(box.points - first) : box_block;
      box_columns(&box, first, count, columns);
      program_columns(&program, count, columns, inside);
      for (uint32_t k = 0; k < count; k++) {
        box_point(&box, first + k, slots);
        assert_int_equal(program_point(&program, slots, 0) == ANSWER_INSIDE, inside[k]);
        for (uint32_t slot = 0; slot < program.slot_count; slot++)
          if (inside[k]) assert_int_equal(slots[slot], columns[slot][k]);
      }
    }
    bench_destroy(&bench);
  }
}

/* Bounds may be tighter than the clamp: a value that is clamped to outside of them has no point. */
static void values_are_clamped_out_of_the_bounds(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  Error error = {};
  Verdict verdict;
  Map near = *map_of(&bench, "(d0){rt0} -> (rt0), domain: d0 in [0, 1], rt0 in [1, 2]");
  RuntimeSource at_d0 = {.name = "i",
      .index = map_of(&bench, "(d0){rt0} -> (d0), domain: d0 in [0, 1], rt0 in [1, 2]"),
      .clamp = {1, 2}};
  near.sources = &at_d0;
  for (int side = 0; side < 2; side++) {
    RuntimeSource source = at_d0;
    Map further = near;
    if (side == 0) source.clamp.lo = 0;
    else source.clamp.hi = 3;
    further.sources = &source;
    assert_true(oracle_same_relation(bench.oracle, &further, &near, 1000, &verdict, &error));
    assert_int_equal(verdict.status, VERDICT_REFUTED);
    assert_true(oracle_contained(bench.oracle, &further, &near, 1000, &verdict, &error));
    assert_int_equal(verdict.status, VERDICT_PROVED);
    assert_true(oracle_same_relation(bench.oracle, &further, &near, 4, &verdict, &error));
    assert_int_equal(verdict.status, VERDICT_UNKNOWN);
  }
  bench_destroy(&bench);
}

static void many_pairs_a_second(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  Error error = {};
  Verdict verdict;
  const Map *before = map_of(&bench,
      "(d0, d1)[s0] -> ((d0 * 8 + d1) floordiv 4, (d0 * 8 + d1) mod 4 + s0), domain: d0 in [0, 3], "
      "d1 in [0, 7], s0 in [0, 2], d0 + s0 in [0, 4]");
  const Map *after = map_of(&bench,
      "(d0, d1)[s0] -> (d0 * 2 + d1 floordiv 4, d1 mod 4 + s0), domain: d0 in [0, 3], "
      "d1 in [0, 7], s0 in [0, 2], d0 + s0 in [0, 4]");
  size_t before_bytes = arena_bytes(bench.oracle->arena);
  double start = clock_processor();
  for (int i = 0; i < 5000; i++) {
    assert_true(oracle_same_map(bench.oracle, before, after, 1000, &verdict, &error));
    assert_int_equal(verdict.status, VERDICT_PROVED);
  }
  double seconds = clock_processor() - start;
#ifdef NDEBUG
  assert_true(5000 / seconds > 20000);
#endif
  print_message("same map: %.0f pairs of 96 points a second\n", 5000 / seconds);
  start = clock_processor();
  for (int i = 0; i < 5000; i++)
    assert_true(oracle_same_relation(bench.oracle, before, after, 1000, &verdict, &error));
  seconds = clock_processor() - start;
  print_message("same relation: %.0f pairs a second\n", 5000 / seconds);
  assert_true(arena_bytes(bench.oracle->arena) - before_bytes < (size_t)8 << 20);
  bench_destroy(&bench);
}

static bool stops_at_once(void) { return true; }

/* By columns, by points, and by pairs. */
static void a_spent_budget_leaves_maps_open(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  for (size_t i = 0; i < 2; i++) {
    const Map *map = i == 0 ? map_of(&bench, "(d0) -> (d0), domain: d0 in [0, 3]")
                            : far_map(&bench, (Interval){0, 3}, INT64_MAX / 3);
    Verdict by_points, by_pairs;
    Error error = {};
    bool began = budget_begin(1, stops_at_once);
    assert_true(oracle_same_map(bench.oracle, map, map, 100, &by_points, &error));
    assert_true(oracle_same_relation(bench.oracle, map, map, 100, &by_pairs, &error));
    budget_end(began);
    assert_int_equal(by_points.reason, REASON_TOO_LARGE);
    assert_string_equal(verdict_text(&by_points), "interrupted");
    assert_int_equal(by_pairs.reason, REASON_TOO_LARGE);
    assert_string_equal(verdict_text(&by_pairs), "interrupted");
  }
  bench_destroy(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sameness_is_symmetric),
      cmocka_unit_test(past_the_limit_is_too_large),
      cmocka_unit_test(other_results_are_not_decided_by_a_limit),
      cmocka_unit_test(leaving_int64_is_reported),
      cmocka_unit_test(columns_agree_with_points),
      cmocka_unit_test(values_are_clamped_out_of_the_bounds),
      cmocka_unit_test(many_pairs_a_second),
      cmocka_unit_test(a_spent_budget_leaves_maps_open),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
