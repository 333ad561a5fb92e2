/* Runtime variables through fusions and chains: each has the value of the instruction that it
 * names, wherever that instruction is. */
#include "oracle/test/test_module.h"

typedef struct RuntimeCase {
  const char *name, *module;
  uint32_t operand;
  const char *maps[3];
  VerdictReason answer;
  const char *words;
} RuntimeCase;

#define RT(head, domain, runtimes) head ", domain: " domain "\nruntime variables:\n" runtimes

#define FUSED \
  "HloModule m\nf {\np = f32[8] parameter(0)\nq = s32[] parameter(1)\nn = s32[] not(q)\n" \
  "s = f32[4] dynamic-slice(p, n), dynamic_slice_sizes={4}\nROOT v = f32[4] reverse(s), dimensions={0}\n}\n" \
  "ENTRY e {\na = f32[8] parameter(0)\ni = s32[] parameter(1)\nROOT r = f32[4] fusion(a, i), kind=kLoop, calls=f\n}\n"
#define FUSED_MAP(results, clamp, name) \
  RT("(d0){rt0} -> (" results ")", "d0 in [0, 3], rt0 in " clamp, \
      "rt0: " name "; (d0){rt0} -> (), domain: d0 in [0, 3], rt0 in " clamp)

#define TWICE \
  "HloModule m\nf {\np = f32[6] parameter(0)\nq = s32[2] parameter(1)\na0 = s32[1] slice(q), slice={[0:1]}\n" \
  "a1 = s32[1] slice(q), slice={[1:2]}\ni = s32[] reshape(a0)\nj = s32[] reshape(a1)\n" \
  "s = f32[4] dynamic-slice(p, i), dynamic_slice_sizes={4}\nROOT t = f32[2] dynamic-slice(s, j), dynamic_slice_sizes={2}\n}\n" \
  "ENTRY e {\na = f32[6] parameter(0)\nb = s32[2] parameter(1)\nROOT r = f32[2] fusion(a, b), kind=kLoop, calls=f\n}\n"
#define TWICE_MAP(first, second) \
  RT("(d0){rt0, rt1} -> (d0 + rt0 + rt1)", "d0 in [0, 1], rt0 in [0, 2], rt1 in [0, 2]", \
      "rt0: " first ", domain: d0 in [0, 1], rt0 in [0, 2], rt1 in [0, 2]\nrt1: " second \
      ", domain: d0 in [0, 1], rt0 in [0, 2], rt1 in [0, 2]")

#define CHAINED \
  "HloModule m\nf {\nt = f32[3] parameter(0)\nk = s32[3,1] parameter(1)\nl = s32[2,1] parameter(2)\n" \
  "g = s32[2,1] gather(k, l), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, " \
  "slice_sizes={1,1}\n" \
  "ROOT h = f32[2] gather(t, g), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, " \
  "slice_sizes={1}\n}\n" \
  "ENTRY e {\na = f32[3] parameter(0)\nb = s32[3,1] parameter(1)\nc = s32[2,1] parameter(2)\n" \
  "ROOT r = f32[2] fusion(a, b, c), kind=kLoop, calls=f\n}\n"
#define CHAINED_DOMAIN "d0 in [0, 1], rt0 in [0, 2], rt1 in [0, 2]"

#define ROLLED \
  "HloModule m\nf {\np = f32[4] parameter(0)\nu = f32[1] parameter(1)\ni = s32[] parameter(2)\n" \
  "d = f32[4] dynamic-update-slice(p, u, i)\nx = f32[3] slice(d), slice={[1:4]}\ny = f32[1] slice(d), slice={[0:1]}\n" \
  "ROOT c = f32[4] concatenate(x, y), dimensions={0}\n}\n" \
  "ENTRY e {\na = f32[4] parameter(0)\nb = f32[1] parameter(1)\no = s32[] parameter(2)\n" \
  "ROOT r = f32[4] fusion(a, b, o), kind=kLoop, calls=f\n}\n"
#define ROLLED_MAP(results, dims, constraint) \
  RT("(d0){rt0} -> (" results ")", "d0 in " dims ", rt0 in [0, 3], " constraint, \
      "rt0: i; (d0){rt0} -> (), domain: d0 in " dims ", rt0 in [0, 3]")

/* An index that may count from the end: its value is used on three paths. */
#define FROM_END \
  "HloModule m\nENTRY e {\na = f32[6] parameter(0)\nx = s32[] parameter(1)\nl = s32[] constant(1)\nh = s32[] constant(5)\n" \
  "u = s32[] maximum(x, l)\nv = s32[] minimum(u, h)\nb = s32[] subtract(v, l)\nz = s32[] constant(0)\nn = s32[] constant(6)\n" \
  "p = pred[] compare(b, z), direction=LT\ns = s32[] add(b, n)\ni = s32[] select(p, s, b)\n" \
  "ROOT r = f32[1] dynamic-slice(a, i), dynamic_slice_sizes={1}\n}\n"
#define FROM_END_MAP(results, clamp, name) \
  RT("(d0){rt0} -> (" results ")", "d0 in [0, 0], rt0 in " clamp, \
      "rt0: " name "; (d0){rt0} -> (), domain: d0 in [0, 0], rt0 in " clamp)

#define CALLED \
  "HloModule m\ng {\np = f32[4] parameter(0)\ni = s32[] parameter(1)\nROOT s = f32[2] dynamic-slice(p, i), " \
  "dynamic_slice_sizes={2}\n}\nf {\np = f32[4] parameter(0)\nj = s32[] parameter(1)\nk = s32[] parameter(2)\n" \
  "x = f32[2] call(p, j), to_apply=g\ny = f32[2] call(p, k), to_apply=g\nROOT c = f32[4] concatenate(x, y), " \
  "dimensions={0}\n}\nENTRY e {\na = f32[4] parameter(0)\nj0 = s32[] parameter(1)\nk0 = s32[] parameter(2)\n" \
  "ROOT r = f32[4] fusion(a, j0, k0), kind=kLoop, calls=f\n}\n"
#define CALLED_MAP(results, dims, name) \
  RT("(d0){rt0} -> (" results ")", "d0 in " dims ", rt0 in [0, 2]", \
      "rt0: " name "; (d0){rt0} -> (), domain: d0 in " dims ", rt0 in [0, 2]")

static const RuntimeCase cases[] = {
    {"offset inside", FUSED, 0, {FUSED_MAP("-d0 + rt0 + 3", "[0, 4]", "n")}, REASON_EXACT, ""},
    {"offset inside, by what it is made of", FUSED, 0,
        {FUSED_MAP("-d0 - rt0 + 2", "[-5, -1]", "q")}, REASON_EXACT, ""},
    {"offset outside", FUSED, 0, {FUSED_MAP("-d0 - rt0 + 2", "[-5, -1]", "i")}, REASON_EXACT, ""},
    {"offset inside, not negated", FUSED, 0, {FUSED_MAP("-d0 + rt0 + 3", "[0, 4]", "q")},
        REASON_WRONG, ""},
    {"two slices", TWICE, 0, {TWICE_MAP("i; (d0){rt0, rt1} -> ()", "j; (d0){rt0, rt1} -> ()")},
        REASON_EXACT, ""},
    {"two slices, by elements", TWICE, 0,
        {TWICE_MAP("b; (d0){rt0, rt1} -> (0)", "b; (d0){rt0, rt1} -> (1)")}, REASON_EXACT, ""},
    {"two slices, one element", TWICE, 0,
        {TWICE_MAP("b; (d0){rt0, rt1} -> (0)", "b; (d0){rt0, rt1} -> (0)")}, REASON_WRONG, "where"},
    {"two slices, either way round", TWICE, 0,
        {TWICE_MAP("j; (d0){rt0, rt1} -> ()", "i; (d0){rt0, rt1} -> ()")}, REASON_EXACT, ""},
    {"gathered indices", CHAINED, 0,
        {RT("(d0){rt0, rt1} -> (rt1)", CHAINED_DOMAIN,
            "rt0: c; (d0){rt0, rt1} -> (d0, 0), domain: " CHAINED_DOMAIN
            "\nrt1: b; (d0){rt0, rt1} -> (rt0, 0), domain: " CHAINED_DOMAIN)},
        REASON_EXACT, ""},
    {"gathered indices, by the inner gather", CHAINED, 0,
        {RT("(d0){rt0} -> (rt0)", "d0 in [0, 1], rt0 in [0, 2]",
            "rt0: g; (d0){rt0} -> (d0, 0), domain: d0 in [0, 1], rt0 in [0, 2]")},
        REASON_EXACT, ""},
    {"gathered indices, rows turned", CHAINED, 0,
        {RT("(d0){rt0, rt1} -> (rt1)", CHAINED_DOMAIN,
            "rt0: c; (d0){rt0, rt1} -> (1 - d0, 0), domain: " CHAINED_DOMAIN
            "\nrt1: b; (d0){rt0, rt1} -> (rt0, 0), domain: " CHAINED_DOMAIN)},
        REASON_WRONG, "where"},
    {"gathered indices, table", CHAINED, 1,
        {RT("(d0){rt0} -> (rt0, 0)", "d0 in [0, 1], rt0 in [0, 2]",
            "rt0: c; (d0){rt0} -> (d0, 0), domain: d0 in [0, 1], rt0 in [0, 2]")},
        REASON_EXACT, ""},
    {"gathered indices, of themselves", CHAINED, 0,
        {RT("(d0){rt0, rt1} -> (rt1)", CHAINED_DOMAIN,
            "rt0: b; (d0){rt0, rt1} -> (rt1, 0), domain: " CHAINED_DOMAIN
            "\nrt1: b; (d0){rt0, rt1} -> (rt0, 0), domain: " CHAINED_DOMAIN)},
        REASON_UNSUPPORTED, "comes from itself"},
    {"update under a roll", ROLLED, 1,
        {ROLLED_MAP("d0 - rt0 + 1", "[0, 2]", "d0 - rt0 + 1 in [0, 0]"),
            ROLLED_MAP("d0 - rt0 - 3", "[3, 3]", "d0 - rt0 - 3 in [0, 0]")},
        REASON_EXACT, ""},
    {"update under a roll, not rolled", ROLLED, 1,
        {ROLLED_MAP("d0 - rt0", "[0, 3]", "d0 - rt0 in [0, 0]")}, REASON_WRONG, ""},
    {"operand under a roll", ROLLED, 0,
        {ROLLED_MAP("d0 + 1", "[0, 2]", "d0 - rt0 in [0, 2]"),
            ROLLED_MAP("d0 + 1", "[0, 2]", "d0 - rt0 in [-4, -2]"),
            ROLLED_MAP("d0 - 3", "[3, 3]", "rt0 in [1, 3]")},
        REASON_EXACT, ""},
    {"from the end", FROM_END, 0, {FROM_END_MAP("d0 + rt0", "[0, 5]", "i")}, REASON_EXACT, ""},
    {"from the end, never", FROM_END, 0, {FROM_END_MAP("d0 + rt0 - 1", "[1, 5]", "x")},
        REASON_EXACT, ""},
    {"from the end, one less", FROM_END, 0, {FROM_END_MAP("d0 + rt0 - 1", "[1, 4]", "x")},
        REASON_WRONG, "x = 5"},
    {"more elements than there are", FUSED, 0,
        {RT("(d0){rt0} -> (-d0 + rt0 + 3)", "d0 in [0, 4], rt0 in [0, 4]",
            "rt0: n; (d0){rt0} -> (), domain: d0 in [0, 4], rt0 in [0, 4]")},
        REASON_WRONG, ""},
    {"more elements than there are, by a constraint on dimensions", FUSED, 0,
        {RT("(d0){rt0} -> (-d0 + rt0 + 3)", "d0 in [0, 4], rt0 in [0, 4], d0 mod 4 in [0, 3]",
            "rt0: n; (d0){rt0} -> (), domain: d0 in [0, 4], rt0 in [0, 4]")},
        REASON_WRONG, ""},
    {"more elements than there are, unless a value excludes them", FUSED, 0,
        {RT("(d0){rt0} -> (-d0 + rt0 + 3)", "d0 in [0, 4], rt0 in [0, 4], d0 + rt0 in [0, 7]",
            "rt0: n; (d0){rt0} -> (), domain: d0 in [0, 4], rt0 in [0, 4]")},
        REASON_UNSUPPORTED, "exceed the tensor"},
    {"more elements than there are, by the second of two constraints", FUSED, 0,
        {RT("(d0){rt0} -> (-d0 + rt0 + 3)",
            "d0 in [0, 4], rt0 in [0, 4], d0 mod 4 in [0, 3], rt0 * 5 + d0 in [0, 23]",
            "rt0: n; (d0){rt0} -> (), domain: d0 in [0, 4], rt0 in [0, 4]")},
        REASON_UNSUPPORTED, "exceed the tensor"},
    {"more elements than there are, unless the bounds of a value exclude them", FUSED, 0,
        {FUSED_MAP("-d0 + rt0 + 3", "[0, 4]", "n"),
            RT("(d0){rt0} -> (0)", "d0 in [0, 4], rt0 in [1, 2]",
                "rt0: n clamped to [0, 4]; (d0){rt0} -> (), domain: d0 in [0, 4], rt0 in [1, 2]")},
        REASON_UNSUPPORTED, "exceed the tensor"},
    {"bounds of a value that does not exist", TWICE, 0,
        {TWICE_MAP("b; (d0){rt0, rt1} -> (0)", "b; (d0){rt0, rt1} -> (1)"),
            RT("(d0){rt0} -> (0)", "d0 in [0, 1], rt0 in [0, 1]",
                "rt0: b clamped to [0, 2]; (d0){rt0} -> (2), domain: d0 in [0, 1], rt0 in [0, 1]")},
        REASON_WRONG, "does not have"},
    {"body called twice", CALLED, 0,
        {CALLED_MAP("d0 + rt0", "[0, 1]", "j"), CALLED_MAP("d0 + rt0 - 2", "[2, 3]", "k")},
        REASON_EXACT, ""},
    {"body called twice, swapped", CALLED, 0,
        {CALLED_MAP("d0 + rt0", "[0, 1]", "k"), CALLED_MAP("d0 + rt0 - 2", "[2, 3]", "j")},
        REASON_WRONG, ""},
};

static void runtime_check(const RuntimeCase *row) {
  OracleFixture bench = bench_create();
  const Instruction *root = read_root(&bench, row->module);
  uint32_t count = 0;
  while (count < 3 && row->maps[count] != nullptr) count++;
  Verdict verdict = judge_maps(&bench, root, false, 0, row->operand, count, row->maps);
  if (verdict.reason != row->answer || strstr(verdict_text(&verdict), row->words) == nullptr ||
      (verdict.scope == SCOPE_WHOLE) != (row->answer != REASON_UNSUPPORTED))
    fail_msg("%s: answer %u, %s", row->name, verdict.reason, verdict_text(&verdict));
  bench_destroy(&bench);
}

static void named_instructions_give_the_values(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) runtime_check(&cases[i]);
}

/* For an instruction that runs twice, the run that supplies the value is ambiguous. */
static void ambiguous_instruction_is_not_judged(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  const Instruction *root = read_root(&bench, CALLED);
  const char *text = CALLED_MAP("d0 + rt0", "[0, 1]", "j");
  const Map *map = map_of(&bench, text);
  const Instruction *slice = instruction_named(&bench, "s");
  map->sources[0].instruction = slice->operands[1];
  Verdict verdict;
  Error error = {};
  assert_true(oracle_output_to_input(bench.oracle, root, 0, 0, 0, 1, &map, &verdict, &error));
  assert_int_equal(verdict.reason, REASON_UNSUPPORTED);
  assert_non_null(strstr(verdict_text(&verdict), "several times"));
  bench_destroy(&bench);
}

/* Too many values to enumerate: the verdict states that it is a sample, and still finds maps that
 * are wrong everywhere. */
static void large_enumerations_are_samples(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  const Instruction *root = root_of(&bench,
      "a = f32[10,10,10] parameter(0)\ni = s32[] parameter(1)\nj = s32[] parameter(2)\n"
      "k = s32[] parameter(3)\nROOT r = f32[8,8,8] dynamic-slice(a, i, j, k), "
      "dynamic_slice_sizes={8,8,8}");
  Verdict verdict = judge_map(&bench, root, 0,
      "(d0, d1, d2)[s0, s1, s2] -> (s0, s1, s2), domain: d0 in [0, 7], d1 in [0, 7], "
      "d2 in [0, 7], s0 in [0, 9], s1 in [0, 9], s2 in [0, 9]");
  assert_int_equal(verdict.reason, REASON_EXTRA);
  assert_true(verdict.scope == SCOPE_WHOLE);
  root = root_of(&bench,
      "a = f32[60,60] parameter(0)\ni = s32[] parameter(1)\nj = s32[] parameter(2)\n"
      "ROOT r = f32[2,16] dynamic-slice(a, i, j), dynamic_slice_sizes={2,16}");
  verdict = judge_map(&bench, root, 0,
      "(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 1], d1 in [0, 15], s0 in [0, 59], s1 in [0, 59]");
  assert_int_equal(verdict.reason, REASON_EXTRA);
  assert_true(verdict.scope == SCOPE_WHOLE);
  root = read_root(&bench,
      "HloModule m\nadd {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] add(x, y)\n}\n"
      "ENTRY e {\na = f32[9] parameter(0)\ni = s32[8,1] parameter(1)\nu = f32[8] parameter(2)\n"
      "ROOT r = f32[9] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0}, "
      "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add\n}\n");
  verdict = judge_map(&bench, root, 2, "(d0)[s0] -> (s0), domain: d0 in [0, 8], s0 in [0, 7]");
  assert_int_equal(verdict.reason, REASON_EXTRA);
  assert_true(verdict.scope == SCOPE_WHOLE);
  verdict = judge_back(&bench, root, 2, "(d0)[s0] -> (s0), domain: d0 in [0, 7], s0 in [0, 8]");
  assert_int_equal(verdict.reason, REASON_EXTRA);
  assert_true(verdict.scope == SCOPE_WHOLE);
  verdict = judge_map(&bench, root, 2, "(d0)[s0] -> (s0), domain: d0 in [0, 8], s0 in [0, 6]");
  assert_int_equal(verdict.reason, REASON_WRONG);
  assert_non_null(
      strstr(verdict_text(&verdict), "element (0) of 'r' reads (7) of 'u' where i[7,0] = 0,"));
#define SCATTERED "d0 in [0, 8], s0 in [0, 7], rt0 in [0, 8]"
  verdict = judge_map(&bench, root, 2,
      RT("(d0)[s0]{rt0} -> (s0)", SCATTERED ", d0 - rt0 in [0, 0]",
          "rt0: i; (d0)[s0]{rt0} -> (s0, 0), domain: " SCATTERED));
  assert_int_equal(verdict.reason, REASON_EXTRA);
  assert_int_equal(verdict.extra, 8 * 2);
  assert_true(verdict.scope == SCOPE_WHOLE);
  verdict = judge_map(&bench, root, 2,
      RT("(d0)[s0]{rt0} -> (s0)", SCATTERED ", d0 - rt0 in [0, 0]",
          "rt0: i; (d0)[s0]{rt0} -> (7 - s0, 0), domain: " SCATTERED));
  assert_int_equal(verdict.reason, REASON_WRONG);
  bench_destroy(&bench);
}

#define SCATTERED_FUSION(update, prepared) \
  "HloModule m\nadd {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] add(x, y)\n}\n" \
  "f {\na = f32[9] parameter(0)\ni = s32[8,1] parameter(1)\nw = " update \
  " parameter(2)\n" prepared \
  "t = f32[9] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0}, " \
  "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add\nROOT n = f32[9] reverse(t), dimensions={0}\n}\n" \
  "ENTRY e {\na = f32[9] parameter(0)\ni = s32[8,1] parameter(1)\nw = " update " parameter(2)\n" \
  "ROOT r = f32[9] fusion(a, i, w), kind=kLoop, calls=f\n}\n"
#define ROWS(results, row, domain) \
  RT("(d0)[s0]{rt0} -> (" results ")", domain ", 8 - d0 - rt0 in [0, 0]", \
      "rt0: i; (d0)[s0]{rt0} -> (" row ", 0), domain: " domain)

typedef struct ScatterCase {
  const char *name, *module, *map;
  VerdictReason answer;
  bool is_complete;
} ScatterCase;

/* A row of indices places only its own updates: eight rows are eight small enumerations, not a
 * product of all. */
static void scatters_are_gone_through_row_by_row(void **state) {
  (void)state;
#define REVERSED "u = f32[8] reverse(w), dimensions={0}\n"
#define DOUBLED "z = f32[4,2] broadcast(w), dimensions={0}\nu = f32[8] reshape(z)\n"
#define ALL "u = f32[8] broadcast(w), dimensions={}\n"
  static const ScatterCase rows[] = {
      {"everything", SCATTERED_FUSION("f32[8]", REVERSED),
          "(d0)[s0] -> (s0), domain: d0 in [0, 8], s0 in [0, 7]", REASON_EXTRA, true},
      {"the row's own", SCATTERED_FUSION("f32[8]", REVERSED),
          ROWS("s0", "7 - s0", "d0 in [0, 8], s0 in [0, 7], rt0 in [0, 8]"), REASON_EXTRA, true},
      {"another row's", SCATTERED_FUSION("f32[8]", REVERSED),
          ROWS("s0", "s0", "d0 in [0, 8], s0 in [0, 7], rt0 in [0, 8]"), REASON_WRONG, true},
      {"the last row missing", SCATTERED_FUSION("f32[8]", REVERSED),
          ROWS("s0", "7 - s0", "d0 in [0, 8], s0 in [1, 7], rt0 in [0, 8]"), REASON_WRONG, true},
      {"two rows with one update", SCATTERED_FUSION("f32[4]", DOUBLED),
          ROWS("s0 floordiv 2", "s0", "d0 in [0, 8], s0 in [0, 7], rt0 in [0, 8]"), REASON_EXTRA,
          true},
      {"one of two rows", SCATTERED_FUSION("f32[4]", DOUBLED),
          ROWS("s0 floordiv 2", "s0 - s0 mod 2", "d0 in [0, 8], s0 in [0, 7], rt0 in [0, 8]"),
          REASON_WRONG, true},
      {"one update for all rows", SCATTERED_FUSION("f32[]", ALL),
          "(d0) -> (), domain: d0 in [0, 8]", REASON_EXTRA, false},
      {"one update, one place missing", SCATTERED_FUSION("f32[]", ALL),
          "(d0) -> (), domain: d0 in [0, 7]", REASON_WRONG, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OracleFixture bench = bench_create();
    Verdict verdict = judge_map(&bench, read_root(&bench, rows[i].module), 2, rows[i].map);
    bool states_sample = strstr(verdict_text(&verdict), "a sample") != nullptr;
    if (verdict.reason != rows[i].answer || (verdict.scope == SCOPE_WHOLE) != rows[i].is_complete ||
        states_sample == rows[i].is_complete)
      fail_msg("%s: answer %u, %s", rows[i].name, verdict.reason, verdict_text(&verdict));
    bench_destroy(&bench);
  }
}

/* A computed number has few values: those that would lead to every outcome may not be among them.
 * Each map lacks the reads at an offset that some parameter leads to. */
static void a_few_values_of_a_computed_operand_are_a_sample(void **) {
  static const char *const without[] = {"(d0)[s0] -> (d0 + s0), domain: d0 in [0, 3], s0 in [1, 2]",
      "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 3], s0 in [0, 2], s0 mod 2 in [0, 0]",
      "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 3], s0 in [0, 1]"};
  static const struct {
    const char *offset;
    uint32_t missing;
    bool is_onto; /* the operand has all values */
  } rows[] = {
      {"m = s32[] maximum(x, a)\nl = pred[] compare(m, y), direction=LT\ns = s32[] convert(l)", 1,
          false},
      {"m = s32[] maximum(x, b)\ns = s32[] remainder(m, c)", 0, false},
      {"m = s32[] clamp(e, x, g)\ns = s32[] shift-left(m, h)", 0, false},
      {"m = s32[] clamp(e, x, g)\ns = s32[] and(m, k)", 0, false},
      {"m = s32[] negate(x)\ns = s32[] add(m, y)", 1, true},
      {"m = s32[] add(x, a)\ns = s32[] subtract(m, y)", 2, true},
      {"s = s32[] remainder(x, c)", 2, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OracleFixture bench = bench_create();
    Verdict all = {}, less;
    const Instruction *root = read_root(&bench,
        arena_printf(bench.arena,
            "HloModule m\nENTRY n {\np = f32[6] parameter(0)\nx = s32[] parameter(1)\n"
            "y = s32[] parameter(2)\na = s32[] constant(5)\nb = s32[] constant(13)\n"
            "c = s32[] constant(10)\ne = s32[] constant(1000000)\ng = s32[] constant(1030000)\n"
            "h = s32[] constant(20)\nk = s32[] constant(8)\n%s\n"
            "ROOT r = f32[4] dynamic-slice(p, s), dynamic_slice_sizes={4}\n}\n",
            rows[i].offset));
    all = judge_map(&bench, root, 0, "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 3], s0 in [0, 2]");
    less = judge_map(&bench, root, 0, without[rows[i].missing]);
    if (rows[i].is_onto ? less.reason != REASON_WRONG
                        : less.reason != REASON_WRONG && less.scope == SCOPE_WHOLE)
      fail_msg("%s: %s", rows[i].offset, verdict_text(&less));
    if ((all.scope == SCOPE_WHOLE) != rows[i].is_onto || all.reason == REASON_WRONG)
      fail_msg("%s: %s", rows[i].offset, verdict_text(&all));
    bench_destroy(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(named_instructions_give_the_values),
      cmocka_unit_test(ambiguous_instruction_is_not_judged),
      cmocka_unit_test(large_enumerations_are_samples),
      cmocka_unit_test(a_few_values_of_a_computed_operand_are_a_sample),
      cmocka_unit_test(scatters_are_gone_through_row_by_row),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
