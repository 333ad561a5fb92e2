/* Verdicts on maps: correct maps, and maps with a seeded fault. */
#include "oracle/test/test_module.h"

typedef struct VerdictCase {
  const char *name;
  const char *lines;
  uint32_t operand;
  bool is_backward;
  const char *maps[3];
  VerdictReason answer;
  const char *words; /* part of the sentence */
} VerdictCase;

#define REVERSE "a = f32[4] parameter(0)\nROOT r = f32[4] reverse(a), dimensions={0}"
#define PAD \
  "a = f32[3] parameter(0)\nv = f32[] parameter(1)\nROOT r = f32[7] pad(a, v), padding=1_1_1"
#define CONCATENATE \
  "a = f32[2] parameter(0)\nb = f32[3] parameter(1)\nROOT r = f32[5] concatenate(a, b), dimensions={0}"
#define SLICE "a = f32[10] parameter(0)\nROOT r = f32[3] slice(a), slice={[1:8:3]}"
#define REDUCE \
  "a = f32[2,3] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[2] reduce(a, z), dimensions={1}, to_apply=add"
#define EMPTY "a = f32[0,3] parameter(0)\nROOT r = f32[3,0] transpose(a), dimensions={1,0}"
#define SCALAR "p = pred[] parameter(0)\na = f32[2] parameter(1)\nROOT r = f32[2] select(p, a, a)"
#define GATHER \
  "a = f32[4,2] parameter(0)\ni = s32[3,1] parameter(1)\nROOT r = f32[3,2] gather(a, i), offset_dims={1}, " \
  "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}"
#define GATHER_MAP(results, lowest) \
  "(d0, d1)[s0]{rt0} -> (" results \
  "), domain: d0 in [0, 3], d1 in [0, 1], s0 in [0, 2], rt0 in [" lowest \
  ", 3], d0 - rt0 in [0, 0]\nruntime variables:\nrt0: i clamped to [0, 3]; (d0, d1)[s0]{rt0} -> (s0, 0), " \
  "domain: d0 in [0, 3], d1 in [0, 1], s0 in [0, 2], rt0 in [" lowest ", 3]"
#define SCATTER \
  "a = f32[4] parameter(0)\ni = s32[2,1] parameter(1)\nu = f32[2] parameter(2)\nROOT r = f32[4] scatter(a, i, u), " \
  "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"
#define SCATTER_MAP(results) \
  "(d0)[s0]{rt0} -> (" results \
  "), domain: d0 in [0, 3], s0 in [0, 1], rt0 in [0, 3], d0 - rt0 in [0, 0]\n" \
  "runtime variables:\nrt0: i; (d0)[s0]{rt0} -> (s0, 0), domain: d0 in [0, 3], s0 in [0, 1], rt0 in [0, 3]"
#define NO_SLICE \
  "a = f32[4] parameter(0)\ni = s32[] parameter(1)\nROOT r = f32[0] dynamic-slice(a, i), dynamic_slice_sizes={0}"
#define NO_SLICE_MAP(constraint) \
  "(d0){rt0} -> (0), domain: d0 in [0, 3], rt0 in [2, 4], " constraint "\nruntime variables:\n" \
  "rt0: i clamped to [0, 4]; (d0){rt0} -> (), domain: d0 in [0, 3], rt0 in [2, 4]"

static const VerdictCase verdict_cases[] = {
    {"reverse", REVERSE, 0, false, {"(d0) -> (-d0 + 3), domain: d0 in [0, 3]"}, REASON_EXACT,
        "'r' and 'a': the map says exactly what is read"},
    {"reverse off by one", REVERSE, 0, false, {"(d0) -> (-d0 + 4), domain: d0 in [0, 3]"},
        REASON_WRONG, "(4), outside of 'a'"},
    {"reverse forgotten", REVERSE, 0, false, {"(d0) -> (d0), domain: d0 in [0, 3]"}, REASON_WRONG,
        "(0) of 'r' reads (3) of 'a'"},
    {"reverse, domain short", REVERSE, 0, false, {"(d0) -> (-d0 + 3), domain: d0 in [0, 2]"},
        REASON_WRONG, "(3) of 'r' reads (0) of 'a'"},
    {"reverse, domain long", REVERSE, 0, false, {"(d0) -> (-d0 + 4), domain: d0 in [1, 4]"},
        REASON_WRONG, "outside of 'r'"},
    {"reverse, everything", REVERSE, 0, false,
        {"(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 3]"}, REASON_EXTRA, "12 such pairs"},
    {"reverse, two halves", REVERSE, 0, false,
        {"(d0) -> (-d0 + 3), domain: d0 in [0, 1]", "(d0) -> (-d0 + 3), domain: d0 in [2, 3]"},
        REASON_EXACT, ""},
    {"reverse, claimed empty", REVERSE, 0, false, {"KNOWN EMPTY"}, REASON_WRONG, "reads (3)"},
    {"reverse, no maps", REVERSE, 0, false, {}, REASON_WRONG, "reads (3)"},
    {"reverse, undefined", REVERSE, 0, false, {"UNDEFINED"}, REASON_UNSUPPORTED, "undefined"},
    {"reverse, rank", REVERSE, 0, false, {"(d0) -> (d0, d0), domain: d0 in [0, 3]"}, REASON_WRONG,
        "2 results"},
    {"reverse back", REVERSE, 0, true, {"(d0) -> (-d0 + 3), domain: d0 in [0, 3]"}, REASON_EXACT,
        ""},
    {"reverse back off by one", REVERSE, 0, true, {"(d0) -> (-d0 + 2), domain: d0 in [0, 2]"},
        REASON_WRONG, "reads"},
    {"pad", PAD, 0, false,
        {"(d0) -> ((d0 - 1) floordiv 2), domain: d0 in [1, 5], (d0 - 1) mod 2 in [0, 0]"},
        REASON_EXACT, ""},
    {"pad, interior forgotten", PAD, 0, false, {"(d0) -> (d0 - 1), domain: d0 in [1, 3]"},
        REASON_WRONG, "(3) of 'r' reads (1)"},
    {"pad, constraint dropped", PAD, 0, false,
        {"(d0) -> ((d0 - 1) floordiv 2), domain: d0 in [1, 5]"}, REASON_EXTRA,
        "(2) of 'r' does not read (0)"},
    {"pad value", PAD, 1, false, {"(d0) -> (), domain: d0 in [0, 6], d0 mod 2 in [0, 0]"},
        REASON_EXACT, ""},
    {"pad value everywhere", PAD, 1, false, {"(d0) -> (), domain: d0 in [0, 6]"}, REASON_EXTRA,
        "3 such pairs"},
    {"pad back", PAD, 0, true, {"(d0) -> (d0 * 2 + 1), domain: d0 in [0, 2]"}, REASON_EXACT, ""},
    {"pad value back", PAD, 1, true, {"()[s0] -> (s0 * 2), domain: s0 in [0, 3]"}, REASON_EXACT,
        ""},
    {"concatenate", CONCATENATE, 1, false, {"(d0) -> (d0 - 2), domain: d0 in [2, 4]"}, REASON_EXACT,
        ""},
    {"concatenate, all of it", CONCATENATE, 1, false, {"(d0) -> (d0 - 2), domain: d0 in [0, 4]"},
        REASON_WRONG, "(-2), outside"},
    {"slice", SLICE, 0, false, {"(d0) -> (d0 * 3 + 1), domain: d0 in [0, 2]"}, REASON_EXACT, ""},
    {"slice back", SLICE, 0, true,
        {"(d0) -> ((d0 - 1) floordiv 3), domain: d0 in [1, 7], (d0 - 1) mod 3 in [0, 0]"},
        REASON_EXACT, ""},
    {"slice back, mod dropped", SLICE, 0, true,
        {"(d0) -> ((d0 - 1) floordiv 3), domain: d0 in [1, 7]"}, REASON_EXTRA, ""},
    {"reduce", REDUCE, 0, false, {"(d0)[s0] -> (d0, s0), domain: d0 in [0, 1], s0 in [0, 2]"},
        REASON_EXACT, ""},
    {"reduce, short", REDUCE, 0, false,
        {"(d0)[s0] -> (d0, s0), domain: d0 in [0, 1], s0 in [0, 1]"}, REASON_WRONG, "2 such pairs"},
    {"reduce initial value", REDUCE, 1, false, {"(d0) -> (), domain: d0 in [0, 1]"}, REASON_EXACT,
        ""},
    {"reduce back", REDUCE, 0, true, {"(d0, d1) -> (d0), domain: d0 in [0, 1], d1 in [0, 2]"},
        REASON_EXACT, ""},
    {"reduce initial value back", REDUCE, 1, true, {"()[s0] -> (s0), domain: s0 in [0, 1]"},
        REASON_EXACT, ""},
    {"no elements", EMPTY, 0, false, {"KNOWN EMPTY"}, REASON_EXACT, ""},
    {"no elements, none named", EMPTY, 0, false,
        {"(d0, d1) -> (d1, d0), domain: d0 in [0, 2], d1 in [0, -1]"}, REASON_EXACT, ""},
    {"no elements, some named", EMPTY, 0, false,
        {"(d0, d1) -> (d1, d0), domain: d0 in [0, 2], d1 in [0, 0]"}, REASON_WRONG,
        "outside of 'r'"},
    {"scalar", SCALAR, 0, false, {"(d0) -> (), domain: d0 in [0, 1]"}, REASON_EXACT, ""},
    {"scalar back", SCALAR, 0, true, {"()[s0] -> (s0), domain: s0 in [0, 1]"}, REASON_EXACT, ""},
    {"scalar back, one", SCALAR, 0, true, {"() -> (0)"}, REASON_WRONG,
        "(1) of 'r' reads () of 'p'"},
    {"gather back", GATHER, 0, true, {GATHER_MAP("s0, d1", "0")}, REASON_EXACT, ""},
    {"gather back, for some values no element", GATHER, 0, true,
        {GATHER_MAP("s0, d1", "0"), GATHER_MAP("s0, d1 + 10", "1")}, REASON_WRONG,
        "rt0 = 1 where i[0,0] = -1, i[1,0] = -1, i[2,0] = 1: the map leads to (2, 10), outside"},
    {"scatter, updates that are none", SCATTER, 2, false,
        {SCATTER_MAP("s0"), SCATTER_MAP("s0 + 5")}, REASON_WRONG,
        "the map leads to (5), outside of 'u'"},
    {"slice of nothing back, for some values an element", NO_SLICE, 0, true,
        {NO_SLICE_MAP("d0 + rt0 in [2, 7]")}, REASON_WRONG, "outside of 'r'"},
    {"slice of nothing back, for no value an element", NO_SLICE, 0, true,
        {NO_SLICE_MAP("d0 + rt0 in [8, 9]")}, REASON_EXACT, ""},
};

static const Instruction *root_with_reducer(OracleFixture *bench, const char *lines) {
  return read_root(bench, arena_printf(bench->arena,
                              "HloModule m\nadd {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\n"
                              "ROOT s = f32[] add(x, y)\n}\nENTRY e {\n%s\n}\n",
                              lines));
}

static void check_same_point(
    uint32_t rank, const int64_t *point, uint32_t other_rank, const int64_t *other) {
  assert_int_equal(rank, other_rank);
  if (rank > 0) assert_memory_equal(point, other, rank * sizeof *point);
}

/* Without sentences a verdict has the same reason, numbers and witness. */
static void check_without_words(const Verdict *with, const Verdict *without) {
  assert_int_equal(with->reason, without->reason);
  assert_int_equal(with->status, without->status);
  assert_int_equal(with->scope, without->scope);
  assert_true(with->missing == without->missing && with->extra == without->extra &&
              with->work == without->work);
  check_same_point(with->point_rank, with->point, without->point_rank, without->point);
  check_same_point(with->element_rank, with->element, without->element_rank, without->element);
  if (with->reason == REASON_EXACT) assert_string_equal(verdict_text(without), "");
}

static void check_verdict(const VerdictCase *row) {
  OracleFixture bench = bench_create();
  const Instruction *root = root_with_reducer(&bench, row->lines);
  uint32_t count = 0;
  while (count < 3 && row->maps[count] != nullptr) count++;
  Verdict verdict = judge_maps(&bench, root, row->is_backward, 0, row->operand, count, row->maps);
  if (verdict.reason != row->answer || strstr(verdict_text(&verdict), row->words) == nullptr)
    fail_msg("%s: answer %u, %s", row->name, verdict.reason, verdict_text(&verdict));
  assert_true(verdict_text(&verdict)[0] != '\0');
  oracle_use_words(bench.oracle, false);
  Verdict without = judge_maps(&bench, root, row->is_backward, 0, row->operand, count, row->maps);
  check_without_words(&verdict, &without);
  bench_destroy(&bench);
}

static void maps_are_judged(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof verdict_cases / sizeof *verdict_cases; i++)
    check_verdict(&verdict_cases[i]);
}

static void witness_is_filled(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  const Instruction *root = root_of(
      &bench, "a = f32[2,3] parameter(0)\nROOT r = f32[3,2] transpose(a), dimensions={1,0}");
  Verdict verdict =
      judge_map(&bench, root, 0, "(d0, d1) -> (d1, d0), domain: d0 in [0, 1], d1 in [0, 1]");
  assert_int_equal(verdict.reason, REASON_WRONG);
  assert_int_equal(verdict.point_rank, 2);
  assert_int_equal(verdict.element_rank, 2);
  assert_int_equal(verdict.point[0], 2);
  assert_int_equal(verdict.point[1], 0);
  assert_int_equal(verdict.element[0], 0);
  assert_int_equal(verdict.element[1], 2);
  assert_int_equal(verdict.missing, 2);
  assert_int_equal(verdict.extra, 0);
  assert_int_equal(verdict.work, 1);
  assert_true(verdict.scope == SCOPE_WHOLE);
  bench_destroy(&bench);
}

static void limits_are_reported(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  const Instruction *root =
      root_of(&bench, "a = f32[4097] parameter(0)\nROOT r = f32[4097] negate(a)");
  Verdict verdict = judge_map(&bench, root, 0, "(d0) -> (d0), domain: d0 in [0, 4096]");
  assert_int_equal(verdict.reason, REASON_TOO_LARGE);
  assert_non_null(strstr(verdict_text(&verdict), "4097"));
  root = root_of(&bench, "a = f32[4096] parameter(0)\nROOT r = f32[4096] negate(a)");
  verdict = judge_map(&bench, root, 0, "(d0) -> (d0), domain: d0 in [0, 4095]");
  assert_int_equal(verdict.reason, REASON_EXACT);
  verdict = judge_map(&bench, root, 0,
      "(d0)[s0, s1] -> (d0), domain: d0 in [0, 4095], s0 in [0, 999999], s1 in [0, 999999]");
  assert_int_equal(verdict.reason, REASON_TOO_LARGE);
  OracleLimits limits = {.elements = 100, .pairs = 50};
  oracle_destroy(bench.oracle);
  bench.oracle = oracle_create(bench.maps, &limits);
  root = root_of(&bench,
      "a = f32[4,5] parameter(0)\nb = f32[5,4] parameter(1)\n"
      "ROOT r = f32[4,4] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  verdict = judge_map(&bench, root, 0,
      "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 3], d1 in [0, 3], s0 in [0, 4]");
  assert_int_equal(verdict.reason, REASON_TOO_LARGE);
  bench_destroy(&bench);
}

static void leaving_int64_is_wrong(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  const Instruction *root = root_of(&bench, "a = f32[4] parameter(0)\nROOT r = f32[4] negate(a)");
  ExprPool *pool = bench.maps->pool;
  Map *map = map_create(bench.maps, 1, 0, 0, 1, 0);
  Expr far = expr_binary(pool, EXPR_MUL, expr_var(pool, VAR_DIM, 0), expr_const(pool, INT64_MAX));
  map->dims[0].bounds = (Interval){0, 3};
  map->results[0] = expr_binary(pool, EXPR_FLOORDIV, far, expr_const(pool, INT64_MAX));
  Verdict verdict;
  Error error = {};
  const Map *maps[1] = {map};
  assert_true(oracle_output_to_input(bench.oracle, root, 0, 0, 0, 1, maps, &verdict, &error));
  assert_int_equal(verdict.reason, REASON_WRONG);
  assert_non_null(strstr(verdict_text(&verdict), "at d0 = 2"));
  assert_non_null(strstr(verdict_text(&verdict), "leaves int64"));
  bench_destroy(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(maps_are_judged),
      cmocka_unit_test(witness_is_filled),
      cmocka_unit_test(limits_are_reported),
      cmocka_unit_test(leaving_int64_is_wrong),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
