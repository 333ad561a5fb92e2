/* Read sets of operations that read whole lines, of collectives, tuples, control flow and fusions,
 * compared with sets written by hand. */
#include "oracle/test/test_module.h"

typedef struct FlowCase {
  const char *module;
  uint32_t leaf, operand, operand_leaf;
  const char *reads;
} FlowCase;

static void structure_check(const FlowCase *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    OracleFixture bench = bench_create();
    const Instruction *root = read_root(&bench, cases[i].module);
    const char *reads =
        reads_of_leaf(&bench, root, cases[i].leaf, cases[i].operand, cases[i].operand_leaf);
    if (strcmp(reads, cases[i].reads) != 0)
      fail_msg("%s\nleaf %u operand %u: %s\nexpected: %s", cases[i].module, cases[i].leaf,
          cases[i].operand, reads, cases[i].reads);
    bench_destroy(&bench);
  }
}

#define ADD "add {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] add(x, y)\n}\n"
#define LT \
  "lt {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = pred[] compare(x, y), direction=LT\n}\n"
#define LT2 \
  "lt {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nv = s32[] parameter(2)\nw = s32[] parameter(3)\n" \
  "ROOT s = pred[] compare(x, y), direction=LT\n}\n"
#define MODULE(computations, lines) "HloModule m\n" computations "ENTRY e {\n" lines "\n}\n"

static void orders_read_whole_lines(void **state) {
  (void)state;
  static const FlowCase cases[] = {
      {MODULE(
           LT, "a = f32[2,2] parameter(0)\nROOT r = f32[2,2] sort(a), dimensions={1}, to_apply=lt"),
          0, 0, 0, "0 1|0 1|2 3|2 3"},
      {MODULE(
           LT, "a = f32[2,2] parameter(0)\nROOT r = f32[2,2] sort(a), dimensions={0}, to_apply=lt"),
          0, 0, 0, "0 2|1 3|0 2|1 3"},
      {MODULE(LT2,
           "a = f32[2] parameter(0)\nb = s32[2] parameter(1)\nROOT r = (f32[2], s32[2]) sort(a, b), dimensions={0}, to_apply=lt"),
          1, 0, 0, "0 1|0 1"},
      {MODULE("",
           "a = f32[2,3] parameter(0)\nROOT r = (f32[2,1], s32[2,1]) topk(a), k=1, largest=true"),
          1, 0, 0, "0 1 2|3 4 5"},
      {MODULE("", "a = f32[3,3] parameter(0)\nROOT r = f32[3,3] cholesky(a), lower=true"), 0, 0, 0,
          "0|||0 3|0 3 4||0 6|0 3 4 6 7|0 3 4 6 7 8"},
      {MODULE("", "a = f32[2,2] parameter(0)\nROOT r = f32[2,2] cholesky(a), lower=false"), 0, 0, 0,
          "0|0 1||0 1 3"},
      {MODULE("",
           "a = f32[2,2] parameter(0)\nb = f32[2,1] parameter(1)\nROOT r = f32[2,1] triangular-solve(a, b), left_side=true, "
           "lower=true, transpose_a=NO_TRANSPOSE"),
          0, 0, 0, "0|0 2 3"},
      {MODULE("",
           "a = f32[2,2] parameter(0)\nb = f32[2,1] parameter(1)\nROOT r = f32[2,1] triangular-solve(a, b), left_side=true, "
           "lower=true, transpose_a=NO_TRANSPOSE"),
          0, 1, 0, "0|0 1"},
      {MODULE("",
           "a = f32[2,2] parameter(0)\nb = f32[2,1] parameter(1)\nROOT r = f32[2,1] triangular-solve(a, b), left_side=true, "
           "lower=true, transpose_a=TRANSPOSE"),
          0, 0, 0, "0 2 3|3"},
      {MODULE("",
           "a = f32[2,2] parameter(0)\nb = f32[2,1] parameter(1)\nROOT r = f32[2,1] triangular-solve(a, b), left_side=true, "
           "lower=false, unit_diagonal=true, transpose_a=NO_TRANSPOSE"),
          0, 0, 0, "1|"},
      {MODULE("",
           "a = f32[2,2] parameter(0)\nb = f32[1,2] parameter(1)\nROOT r = f32[1,2] triangular-solve(a, b), left_side=false, "
           "lower=true, transpose_a=NO_TRANSPOSE"),
          0, 0, 0, "0 2 3|3"},
      {MODULE("",
           "a = f32[2,2] parameter(0)\nb = f32[1,2] parameter(1)\nROOT r = f32[1,2] triangular-solve(a, b), left_side=false, "
           "lower=true, transpose_a=NO_TRANSPOSE"),
          0, 1, 0, "0 1|1"},
      {MODULE(
           "", "a = c64[2,2] parameter(0)\nROOT r = c64[2,2] fft(a), fft_type=FFT, fft_length={2}"),
          0, 0, 0, "0 1|0 1|2 3|2 3"},
      {MODULE("", "a = f32[4] parameter(0)\nROOT r = c64[3] fft(a), fft_type=RFFT, fft_length={4}"),
          0, 0, 0, "0 1 2 3|0 1 2 3|0 1 2 3"},
  };
  structure_check(cases, sizeof cases / sizeof *cases);
}

static void collectives_read_their_groups(void **state) {
  (void)state;
  static const FlowCase cases[] = {
      {MODULE(ADD,
           "a = f32[2] parameter(0)\nROOT r = f32[2] all-reduce(a), replica_groups={{0,1}}, to_apply=add"),
          0, 0, 0, "0|1"},
      {MODULE("",
           "a = f32[2,1] parameter(0)\nROOT r = f32[2,2] all-gather(a), replica_groups={{0,1}}, dimensions={1}"),
          0, 0, 0, "0|0|1|1"},
      {MODULE(ADD,
           "a = f32[4] parameter(0)\nROOT r = f32[2] reduce-scatter(a), replica_groups={{0,1}}, dimensions={0}, to_apply=add"),
          0, 0, 0, "0 2|1 3"},
      {MODULE("",
           "a = f32[4] parameter(0)\nROOT r = f32[4] all-to-all(a), replica_groups={{0,1}}, dimensions={0}"),
          0, 0, 0, "0 2|1 3|0 2|1 3"},
      {MODULE("",
           "a = f32[2] parameter(0)\nb = f32[2] parameter(1)\nROOT r = (f32[2], f32[2]) all-to-all(a, b), replica_groups={{0,1}}"),
          1, 0, 0, "0|1"},
      {MODULE("",
           "a = f32[2] parameter(0)\nROOT r = f32[2] collective-permute(a), source_target_pairs={{0,1},{1,0}}"),
          0, 0, 0, "0|1"},
  };
  structure_check(cases, sizeof cases / sizeof *cases);
}

static void structure_is_followed(void **state) {
  (void)state;
  static const FlowCase cases[] = {
      {MODULE("",
           "a = f32[2] parameter(0)\nb = f32[1] parameter(1)\nROOT r = (f32[2], f32[1]) tuple(a, b)"),
          0, 1, 0, "|"},
      {MODULE("",
           "a = f32[2] parameter(0)\nb = f32[1] parameter(1)\nROOT r = (f32[2], f32[1]) tuple(a, b)"),
          1, 1, 0, "0"},
      {MODULE("",
           "t = (f32[2], (f32[1], f32[3])) parameter(0)\nROOT r = (f32[1], f32[3]) get-tuple-element(t), index=1"),
          1, 0, 2, "0|1|2"},
      {MODULE("",
           "t = (f32[2], (f32[1], f32[3])) parameter(0)\nROOT r = (f32[1], f32[3]) get-tuple-element(t), index=1"),
          1, 0, 1, "||"},
      {MODULE("", "a = f32[2] parameter(0)\nROOT r = (f32[2], f32[2], u32[]) copy-start(a)"), 1, 0,
          0, "0|1"},
      {MODULE("", "a = f32[2] parameter(0)\nROOT r = (f32[2], f32[2], u32[]) copy-start(a)"), 2, 0,
          0, ""},
      {MODULE("neg {\np = f32[2] parameter(0)\nROOT n = f32[2] reverse(p), dimensions={0}\n}\n",
           "a = f32[2] parameter(0)\nROOT s = ((f32[2]), f32[2], u32[]) async-start(a), calls=neg"),
          1, 0, 0, "1|0"},
      {MODULE("neg {\np = f32[2] parameter(0)\nROOT n = f32[2] reverse(p), dimensions={0}\n}\n",
           "a = f32[2] parameter(0)\nROOT s = ((f32[2]), f32[2], u32[]) async-start(a), calls=neg"),
          0, 0, 0, "0|1"},
      {MODULE(
           "l {\np = f32[2] parameter(0)\nROOT n = f32[2] reverse(p), dimensions={0}\n}\nk {\np = f32[2] parameter(0)\nROOT n = f32[2] "
           "negate(p)\n}\n",
           "c = pred[] parameter(0)\na = f32[2] parameter(1)\nROOT s = f32[2] conditional(c, a, a), true_computation=l, "
           "false_computation=k"),
          0, 1, 0, "1|0"},
      {MODULE(
           "l {\np = f32[2] parameter(0)\nROOT n = f32[2] reverse(p), dimensions={0}\n}\nk {\np = f32[2] parameter(0)\nROOT n = f32[2] "
           "negate(p)\n}\n",
           "c = pred[] parameter(0)\na = f32[2] parameter(1)\nROOT s = f32[2] conditional(c, a, a), true_computation=l, "
           "false_computation=k"),
          0, 0, 0, "0|0"},
      {MODULE(
           "one {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] negate(y)\n}\n",
           "a = f32[2] parameter(0)\nb = f32[2] parameter(1)\nROOT s = f32[2] map(a, b), dimensions={0}, to_apply=one"),
          0, 0, 0, "|"},
      {MODULE(
           "one {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] negate(y)\n}\n",
           "a = f32[2] parameter(0)\nb = f32[2] parameter(1)\nROOT s = f32[2] map(a, b), dimensions={0}, to_apply=one"),
          0, 1, 0, "0|1"},
      {MODULE(
           "c {\nt = (s32[], f32[2]) parameter(0)\nn = s32[] constant(3)\ni = s32[] get-tuple-element(t), index=0\nROOT p = pred[] "
           "compare(i, n), direction=LT\n}\nb {\nROOT t = (s32[], f32[2]) parameter(0)\n}\n",
           "s = (s32[], f32[2]) parameter(0)\nROOT w = (s32[], f32[2]) while(s), condition=c, body=b"),
          1, 0, 0, "0|0"},
  };
  structure_check(cases, sizeof cases / sizeof *cases);
}

static void fusions_compose(void **state) {
  (void)state;
  static const FlowCase cases[] = {
      {MODULE(
           "f {\np = f32[2,2] parameter(0)\nt = f32[2,2] transpose(p), dimensions={1,0}\nROOT a = f32[2,2] add(p, t)\n}\n",
           "a = f32[2,2] parameter(0)\nROOT r = f32[2,2] fusion(a), kind=kLoop, calls=f"),
          0, 0, 0, "0|1 2|1 2|3"},
      {MODULE(
           "f {\np = f32[2] parameter(0)\nq = f32[2] parameter(1)\nROOT a = f32[2] negate(p)\n}\n",
           "a = f32[2] parameter(0)\nROOT r = f32[2] fusion(a, a), kind=kLoop, calls=f"),
          0, 1, 0, "|"},
      {MODULE("f {\np = f32[2] parameter(0)\nROOT q = f32[2] parameter(1)\n}\n",
           "a = f32[2] parameter(0)\nb = f32[2] parameter(1)\nROOT r = f32[2] fusion(a, b), kind=kLoop, calls=f"),
          0, 1, 0, "0|1"},
      {MODULE(
           "g {\np = f32[3] parameter(0)\nROOT a = f32[3] reverse(p), dimensions={0}\n}\n"
           "f {\np = f32[3] parameter(0)\ng1 = f32[3] fusion(p), kind=kLoop, calls=g\ng2 = f32[3] call(g1), to_apply=g\n"
           "s = f32[2] slice(g2), slice={[0:2]}\nROOT t = (f32[2], f32[3]) tuple(s, g1)\n}\n",
           "a = f32[3] parameter(0)\nROOT r = (f32[2], f32[3]) fusion(a), kind=kLoop, calls=f"),
          0, 0, 0, "0|1"},
      {MODULE(
           "g {\np = f32[3] parameter(0)\nROOT a = f32[3] reverse(p), dimensions={0}\n}\n"
           "f {\np = f32[3] parameter(0)\ng1 = f32[3] fusion(p), kind=kLoop, calls=g\ng2 = f32[3] call(g1), to_apply=g\n"
           "s = f32[2] slice(g2), slice={[0:2]}\nROOT t = (f32[2], f32[3]) tuple(s, g1)\n}\n",
           "a = f32[3] parameter(0)\nROOT r = (f32[2], f32[3]) fusion(a), kind=kLoop, calls=f"),
          1, 0, 0, "2|1|0"},
      {MODULE(ADD
           "f {\np = f32[2,2] parameter(0)\nz = f32[] constant(0)\ns = f32[2] reduce(p, z), dimensions={1}, to_apply=add\n"
           "b = f32[2,2] broadcast(s), dimensions={0}\nROOT d = f32[2,2] divide(p, b)\n}\n",
           "a = f32[2,2] parameter(0)\nROOT r = f32[2,2] fusion(a), kind=kLoop, calls=f"),
          0, 0, 0, "0 1|0 1|2 3|2 3"},
      {MODULE(
           "f {\np = f32[4] parameter(0)\ni = s32[] parameter(1)\nROOT s = f32[1] dynamic-slice(p, i), dynamic_slice_sizes={1}\n}\n",
           "a = f32[4] parameter(0)\ni = s32[] constant(9)\nROOT r = f32[1] fusion(a, i), kind=kLoop, calls=f"),
          0, 0, 0, "3"},
  };
  structure_check(cases, sizeof cases / sizeof *cases);
}

/* Leaves that do not depend on each other are recognised without enumerating their elements. */
static void sizes_of_other_leaves_do_not_matter(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  const Instruction *root =
      root_of(&bench, "t = (f32[1000000], f32[2], f32[1000000]) parameter(0)\n"
                      "ROOT r = f32[2] get-tuple-element(t), index=1");
  assert_string_equal(reads_of_leaf(&bench, root, 0, 0, 1), "0|1");
  Verdict verdict;
  Error error = {};
  const Map *all = map_of(&bench, "(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 999999]");
  assert_true(oracle_output_to_input(bench.oracle, root, 0, 0, 2, 0, nullptr, &verdict, &error));
  assert_int_equal(verdict.reason, REASON_EXACT);
  assert_true(oracle_output_to_input(bench.oracle, root, 0, 0, 2, 1, &all, &verdict, &error));
  assert_int_equal(verdict.reason, REASON_TOO_LARGE);
  assert_true(oracle_input_to_output(bench.oracle, root, 0, 0, 0, 0, nullptr, &verdict, &error));
  assert_int_equal(verdict.reason, REASON_EXACT);
  root = root_of(
      &bench, "t = (f32[3], f32[2]) parameter(0)\nROOT r = f32[2] get-tuple-element(t), index=1");
  const Map *one = map_of(&bench, "(d0) -> (d0), domain: d0 in [0, 1]");
  assert_true(oracle_output_to_input(bench.oracle, root, 0, 0, 0, 1, &one, &verdict, &error));
  assert_int_equal(verdict.reason, REASON_EXTRA);
  assert_int_equal(verdict.extra, 2);
  assert_true(oracle_input_to_output(bench.oracle, root, 0, 0, 0, 1, &one, &verdict, &error));
  assert_int_equal(verdict.reason, REASON_EXTRA);
  assert_true(oracle_output_to_input(bench.oracle, root, 0, 0, 1, 0, nullptr, &verdict, &error));
  assert_int_equal(verdict.reason, REASON_WRONG);
  bench_destroy(&bench);
}

/* A body of 10,000 operations whose paths double at every level needs linear work. */
static void diamonds_are_read_once(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  Text text = text_create(bench.arena);
  text_string(&text, "HloModule m\nf {\nx0 = f32[1000] parameter(0)\n");
  for (int i = 0; i < 10000; i++)
    text_printf(&text, "x%d = f32[1000] add(x%d, x%d)\n", i + 1, i, i);
  text_string(&text,
      "ROOT r = f32[1000] reverse(x10000), dimensions={0}\n}\nENTRY e {\na = f32[1000] parameter(0)\n"
      "ROOT r = f32[1000] fusion(a), kind=kLoop, calls=f\n}\n");
  const Instruction *root = read_root(&bench, text.bytes);
  Verdict verdict = judge_map(&bench, root, 0, "(d0) -> (-d0 + 999), domain: d0 in [0, 999]");
  assert_int_equal(verdict.reason, REASON_EXACT);
  bench_destroy(&bench);
}

/* Index arithmetic whose paths double at every level: each value is computed once, and arithmetic
 * past the depth limit is rejected. */
static void index_diamonds_are_computed_once(void **state) {
  (void)state;
  for (int levels = 40; levels <= 1200; levels += 1160) {
    OracleFixture bench = bench_create();
    Text text = text_create(bench.arena);
    text_string(
        &text, "HloModule m\nENTRY e {\na = f32[8] parameter(0)\nx0 = s32[] parameter(1)\n");
    for (int i = 0; i < levels; i++)
      text_printf(&text, "x%d = s32[] %s(x%d, x%d)\n", i + 1, i % 2 ? "maximum" : "add", i, i);
    text_printf(
        &text, "ROOT r = f32[1] dynamic-slice(a, x%d), dynamic_slice_sizes={1}\n}\n", levels);
    const Instruction *root = read_root(&bench, text.bytes);
    Verdict verdict =
        judge_map(&bench, root, 0, "(d0)[s0] -> (s0), domain: d0 in [0, 0], s0 in [0, 7]");
    assert_int_equal(verdict.reason, levels == 40 ? REASON_EXTRA : REASON_TOO_LARGE);
    bench_destroy(&bench);
  }
}

typedef struct BoundCase {
  const char *name, *module;
  uint32_t leaf, operand;
  const char *map; /* nullptr: no map */
  VerdictReason answer;
} BoundCase;

#define LOOP \
  "c {\nt = (f32[2], s32[]) parameter(0)\nn = s32[] constant(3)\ni = s32[] get-tuple-element(t), index=1\n" \
  "ROOT p = pred[] compare(i, n), direction=LT\n}\nb {\nROOT t = (f32[2], s32[]) parameter(0)\n}\n"
#define WHILE "(f32[2], s32[]) while(s), condition=c, body=b\n"
#define SORT "a = f32[2] parameter(0)\nb = s32[2] parameter(1)\nROOT r = (f32[2], s32[2]) sort(a, b), dimensions={0}, to_apply=lt"

/* What a loop or an unused operand of a sort may read does not show that a map lacks a read. */
static void reads_that_are_a_bound_decide_less(void **state) {
  (void)state;
#define ALONE MODULE(LOOP, "s = (f32[2], s32[]) parameter(0)\nROOT w = " WHILE)
#define FUSED_LOOP \
  MODULE(LOOP \
      "f {\np = f32[3] parameter(0)\nq = s32[] parameter(1)\nx = f32[2] slice(p), slice={[0:2]}\n" \
      "s = (f32[2], s32[]) tuple(x, q)\nw = " WHILE \
      "ROOT g = f32[2] get-tuple-element(w), index=0\n}\n", \
      "a = f32[3] parameter(0)\ni = s32[] parameter(1)\nROOT r = f32[2] fusion(a, i), kind=kLoop, calls=f")
#define CALL2 \
  "in {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nu = s32[] parameter(2)\nv = s32[] parameter(3)\n" \
  "ROOT c = pred[] compare(x, y), direction=LT\n}\nlt {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\n" \
  "u = s32[] parameter(2)\nv = s32[] parameter(3)\nROOT c = pred[] call(x, y, u, v), to_apply=in\n}\n"
#define CALLING_MAP \
  MODULE("in {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] negate(y)\n}\n" \
         "f {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT c = f32[] call(x, y), to_apply=in\n}\n", \
      "a = f32[2] parameter(0)\nb = f32[2] parameter(1)\nROOT r = f32[2] map(a, b), dimensions={0}, to_apply=f")
  static const BoundCase rows[] = {
      {"a loop, all of the state", ALONE, 0, 0,
          "(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 1]", REASON_CONTAINS},
      {"a loop, its own element", ALONE, 0, 0, "(d0) -> (d0), domain: d0 in [0, 1]", REASON_OPEN},
      {"a loop in a fusion", FUSED_LOOP, 0, 0,
          "(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 1]", REASON_CONTAINS},
      {"a loop in a fusion, too much", FUSED_LOOP, 0, 0,
          "(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 2]", REASON_EXTRA},
      {"a loop in a fusion, too much and less", FUSED_LOOP, 0, 0,
          "(d0) -> (d0 + 1), domain: d0 in [0, 1]", REASON_OPEN},
      {"a permutation of devices without pairs",
          MODULE("", "a = f32[2] parameter(0)\nROOT r = f32[2] collective-permute(a), source_target_pairs={}"),
          0, 0, "(d0) -> (d0), domain: d0 in [0, 1]", REASON_EXTRA},
      {"a permutation of devices",
          MODULE("", "a = f32[2] parameter(0)\nROOT r = f32[2] collective-permute(a), source_target_pairs={{0,1}}"),
          0, 0, "(d0) -> (d0), domain: d0 in [0, 1]", REASON_EXACT},
      {"keys of a sort", MODULE(LT2, SORT), 0, 0,
          "(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 1]", REASON_EXACT},
      {"keys of sorted values", MODULE(LT2, SORT), 1, 0,
          "(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 1]", REASON_EXACT},
      {"keys of sorted values, one missing", MODULE(LT2, SORT), 1, 0,
          "(d0) -> (d0), domain: d0 in [0, 1]", REASON_WRONG},
      {"values of a sort", MODULE(LT2, SORT), 1, 1,
          "(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 1]", REASON_EXACT},
      {"values of sorted keys", MODULE(LT2, SORT), 0, 1,
          "(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 1]", REASON_CONTAINS},
      {"values of sorted keys, none", MODULE(LT2, SORT), 0, 1, nullptr, REASON_OPEN},
      {"values that the comparison ignores in a call", MODULE(CALL2, SORT), 0, 1, nullptr, REASON_OPEN},
      {"keys that the comparison uses in a call", MODULE(CALL2, SORT), 1, 0,
          "(d0) -> (d0), domain: d0 in [0, 1]", REASON_WRONG},
      {"an operand that a map ignores in a call", CALLING_MAP, 0, 0, nullptr, REASON_EXACT},
      {"an operand that a map uses in a call", CALLING_MAP, 0, 1, nullptr, REASON_WRONG},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OracleFixture bench = bench_create();
    const Instruction *root = read_root(&bench, rows[i].module);
    Verdict verdict = judge_maps(&bench, root, false, rows[i].leaf, rows[i].operand,
        rows[i].map != nullptr, &rows[i].map);
    if (verdict.reason != rows[i].answer)
      fail_msg("%s: answer %u, %s", rows[i].name, verdict.reason, verdict_text(&verdict));
    bench_destroy(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_read_whole_lines),
      cmocka_unit_test(collectives_read_their_groups),
      cmocka_unit_test(structure_is_followed),
      cmocka_unit_test(fusions_compose),
      cmocka_unit_test(sizes_of_other_leaves_do_not_matter),
      cmocka_unit_test(diamonds_are_read_once),
      cmocka_unit_test(reads_that_are_a_bound_decide_less),
      cmocka_unit_test(index_diamonds_are_computed_once),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
