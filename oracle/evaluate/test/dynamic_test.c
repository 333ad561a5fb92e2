/* Operations whose offsets are values: constants are folded and clamped, drawn values are all
 * enumerated, and a runtime variable has the value of the instruction that it names. */
#include "oracle/test/test_module.h"

static void known_offsets_are_clamped(void **state) {
  (void)state;
  static const ReadCase cases[] = {
      {"a = f32[5] parameter(0)\ni = s32[] constant(1)\nROOT r = f32[2] dynamic-slice(a, i), dynamic_slice_sizes={2}",
          0, "1|2"},
      {"a = f32[5] parameter(0)\ni = s32[] constant(4)\nROOT r = f32[2] dynamic-slice(a, i), dynamic_slice_sizes={2}",
          0, "3|4"},
      {"a = f32[5] parameter(0)\ni = s32[] constant(-7)\nROOT r = f32[2] dynamic-slice(a, i), dynamic_slice_sizes={2}",
          0, "0|1"},
      {"a = f32[5] parameter(0)\ni = u32[] constant(4294967295)\nROOT r = f32[2] dynamic-slice(a, i), dynamic_slice_sizes={2}",
          0, "3|4"},
      {"a = f32[5] parameter(0)\ni = s32[] constant(1)\nROOT r = f32[2] dynamic-slice(a, i), dynamic_slice_sizes={2}",
          1, "0|0"},
      {"a = f32[5] parameter(0)\nc = s8[] constant(100)\ni = s8[] add(c, c)\nROOT r = f32[2] dynamic-slice(a, i), "
       "dynamic_slice_sizes={2}",
          0, "0|1"},
      {"a = f32[5] parameter(0)\nc = s32[] constant(-7)\nt = s32[] constant(2)\nd = s32[] divide(c, t)\nn = s32[] negate(d)\n"
       "ROOT r = f32[1] dynamic-slice(a, n), dynamic_slice_sizes={1}",
          0, "3"},
      {"a = f32[5] parameter(0)\nv = s32[4] iota(), iota_dimension=0\ns = s32[1] slice(v), slice={[2:3]}\ni = s32[] reshape(s)\n"
       "ROOT r = f32[1] dynamic-slice(a, i), dynamic_slice_sizes={1}",
          0, "2"},
      {"a = f32[5] parameter(0)\nc = s32[1,1] constant({{2}})\ni = s32[] bitcast(c)\n"
       "ROOT r = f32[1] dynamic-slice(a, i), dynamic_slice_sizes={1}",
          0, "2"},
      {"a = f32[5] parameter(0)\nc = u8[] constant(255)\ni = s8[] bitcast-convert(c)\n"
       "ROOT r = f32[1] dynamic-slice(a, i), dynamic_slice_sizes={1}",
          0, "0"},
      {"a = f32[4] parameter(0)\nu = f32[2] parameter(1)\ni = s32[] constant(1)\nROOT r = f32[4] dynamic-update-slice(a, u, i)",
          0, "0|||3"},
      {"a = f32[4] parameter(0)\nu = f32[2] parameter(1)\ni = s32[] constant(1)\nROOT r = f32[4] dynamic-update-slice(a, u, i)",
          1, "|0|1|"},
      {"a = f32[4] parameter(0)\nu = f32[2] parameter(1)\ni = s32[] constant(9)\nROOT r = f32[4] dynamic-update-slice(a, u, i)",
          0, "0|1||"},
      {"a = f32[4] parameter(0)\nu = f32[4] parameter(1)\ni = s32[] constant(9)\nROOT r = f32[4] dynamic-update-slice(a, u, i)",
          0, "|||"},
      {"a = f32[4] parameter(0)\nu = f32[0] parameter(1)\ni = s32[] constant(9)\nROOT r = f32[4] dynamic-update-slice(a, u, i)",
          0, "0|1|2|3"},
  };
  check_reads(cases, sizeof cases / sizeof *cases);
}

#define GATHER \
  "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}"

static void known_indices_gather_and_scatter(void **state) {
  (void)state;
  static const ReadCase cases[] = {
      {"a = f32[3,2] parameter(0)\ni = s32[2,1] constant({{2}, {0}})\nROOT r = f32[2,2] gather(a, i), " GATHER,
          0, "4|5|0|1"},
      {"a = f32[3,2] parameter(0)\ni = s32[2,1] constant({{7}, {-1}})\nROOT r = f32[2,2] gather(a, i), " GATHER,
          0, "4|5|0|1"},
      {"a = f32[3,2] parameter(0)\ni = s32[2,1] constant({{2}, {0}})\nROOT r = f32[2,2] gather(a, i), " GATHER,
          1, "0|0|1|1"},
      {"a = f32[3,4] parameter(0)\ni = s32[2] constant({1, 5})\nROOT r = f32[2] gather(a, i), offset_dims={0}, "
       "collapsed_slice_dims={0}, start_index_map={1,0}, index_vector_dim=0, slice_sizes={1,2}",
          0, "9|10"},
      {"a = f32[3,4] parameter(0)\ni = s32[2] constant({1, 5})\nROOT r = f32[2] gather(a, i), offset_dims={0}, "
       "collapsed_slice_dims={0}, start_index_map={1,0}, index_vector_dim=0, slice_sizes={1,2}",
          1, "0 1|0 1"},
      {"a = f32[3] parameter(0)\ni = s32[2] constant({1, 0})\nROOT r = f32[2] gather(a, i), offset_dims={}, "
       "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}",
          0, "1|0"},
      {"a = f32[2,3] parameter(0)\ni = s32[2,1] constant({{2}, {1}})\nROOT r = f32[2] gather(a, i), offset_dims={}, "
       "collapsed_slice_dims={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, start_index_map={1}, "
       "index_vector_dim=1, slice_sizes={1,1}",
          0, "2|4"},
      {"a = f32[4] parameter(0)\ni = s32[2,1] constant({{2}, {0}})\nu = f32[2] parameter(1)\nROOT r = f32[4] scatter(a, i, u), "
       "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add",
          2, "1||0|"},
      {"a = f32[4] parameter(0)\ni = s32[2,1] constant({{2}, {2}})\nu = f32[2] parameter(1)\nROOT r = f32[4] scatter(a, i, u), "
       "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add",
          2, "||0 1|"},
      {"a = f32[4] parameter(0)\ni = s32[2,1] constant({{3}, {-1}})\nu = f32[2,2] parameter(1)\nROOT r = f32[4] scatter(a, i, u), "
       "update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add",
          2, "|||"},
      {"a = f32[4] parameter(0)\ni = s32[2,1] constant({{2}, {1}})\nu = f32[2,2] parameter(1)\nROOT r = f32[4] scatter(a, i, u), "
       "update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add",
          2, "|2|0 3|1"},
      {"a = f32[4] parameter(0)\ni = s32[2,1] constant({{2}, {1}})\nu = f32[2,2] parameter(1)\nROOT r = f32[4] scatter(a, i, u), "
       "update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add",
          0, "0|1|2|3"},
      {"a = f32[2] parameter(0)\ni = s32[2,1] constant({{2}, {1}})\nu = f32[2] parameter(1)\nROOT r = f32[2] scatter(a, i, u), "
       "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add",
          1, "0 1|0 1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    OracleFixture bench = bench_create();
    const Instruction *root =
        read_root(&bench, arena_printf(bench.arena,
                              "HloModule m\nadd {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\n"
                              "ROOT s = f32[] add(x, y)\n}\nENTRY e {\n%s\n}\n",
                              cases[i].lines));
    const char *reads = reads_of(&bench, root, cases[i].operand);
    if (strcmp(reads, cases[i].reads) != 0)
      fail_msg("%s\noperand %u: %s\nexpected: %s", cases[i].lines, cases[i].operand, reads,
          cases[i].reads);
    bench_destroy(&bench);
  }
}

typedef struct ChosenCase {
  const char *name, *module;
  uint32_t operand;
  bool is_backward;
  const char *maps[3];
  VerdictReason answer;
  bool is_complete;
  const char *words;
} ChosenCase;

#define ENTRY(lines) "HloModule m\nENTRY e {\n" lines "\n}\n"
#define SLICE \
  ENTRY("a = f32[4,5] parameter(0)\ni = s32[] parameter(1)\nj = s32[] parameter(2)\n" \
        "ROOT r = f32[2,2] dynamic-slice(a, i, j), dynamic_slice_sizes={2,2}")
#define SLICE_MAP(first, second) \
  "(d0, d1){rt0, rt1} -> (d0 + rt0, d1 + rt1), domain: d0 in [0, 1], d1 in [0, 1], rt0 in [0, 2], rt1 in [0, 3]\n" \
  "runtime variables:\nrt0: " first \
  "; (d0, d1){rt0, rt1} -> (), domain: d0 in [0, 1], d1 in [0, 1], rt0 in [0, 2], rt1 in " \
  "[0, 3]\nrt1: " second \
  "; (d0, d1){rt0, rt1} -> (), domain: d0 in [0, 1], d1 in [0, 1], rt0 in [0, 2], rt1 in [0, 3]\n"
#define ONE(dims, results, domain, clamp, name, index) \
  CUT(dims, results, domain, clamp, "", name, index)
#define CUT(dims, results, domain, clamp, constraint, name, index) \
  "(" dims "){rt0} -> (" results "), domain: " domain ", rt0 in " clamp constraint \
  "\nruntime variables:\nrt0: " name "; (" dims "){rt0} -> (" index "), domain: " domain \
  ", rt0 in " clamp "\n"
#define LINE(offset) \
  ENTRY("a = f32[6] parameter(0)\n" offset \
        "\nROOT r = f32[2] dynamic-slice(a, i), dynamic_slice_sizes={2}")
#define LINE_MAP(name) ONE("d0", "d0 + rt0", "d0 in [0, 1]", "[0, 4]", name, "")
/* So many points that the judge does not keep what it computes for each. */
#define MANY_MAP(more) \
  "(d0)[s0]{rt0} -> (d0 + rt0 + " more \
  "), domain: d0 in [0, 1], s0 in [0, 59999], rt0 in [0, 4]\n" \
  "runtime variables:\nrt0: i; (d0)[s0]{rt0} -> (), domain: d0 in [0, 1], s0 in [0, 59999], rt0 in [0, 4]\n"
/* The third offset has values of its own only between those of the others. */
#define APART \
  ENTRY("a = f32[6,6,6] parameter(0)\nb = s16[] parameter(1)\np = s32[] convert(b)\nc = s32[] constant(200)\n" \
        "d = s32[] constant(100)\ns = s32[] subtract(p, c)\nt = s32[] subtract(p, d)\n" \
        "ROOT r = f32[2,2,2] dynamic-slice(a, p, s, t), dynamic_slice_sizes={2,2,2}")
#define APART_DOMAIN(clamp) \
  "domain: d0 in [0, 1], d1 in [0, 1], d2 in [0, 1], rt0 in [0, 4], rt1 in [0, 4], rt2 in " clamp
#define APART_MAP(clamp, third) \
  "(d0, d1, d2){rt0, rt1, rt2} -> (d0 + rt0, d1 + rt1, d2 + " third "), " APART_DOMAIN(clamp) \
  "\nruntime variables:\nrt0: p; (d0, d1, d2){rt0, rt1, rt2} -> (), " APART_DOMAIN(clamp) \
  "\nrt1: s; (d0, d1, d2){rt0, rt1, rt2} -> (), " APART_DOMAIN(clamp) \
  "\nrt2: p; (d0, d1, d2){rt0, rt1, rt2} -> (), " APART_DOMAIN(clamp) "\n"
#define UPDATE \
  ENTRY( \
      "a = f32[5] parameter(0)\nu = f32[2] parameter(1)\ni = s32[] parameter(2)\nROOT r = f32[5] dynamic-update-slice(a, u, i)")
#define GATHERED \
  ENTRY( \
      "a = f32[4,2] parameter(0)\ni = s32[3,1] parameter(1)\nROOT r = f32[3,2] gather(a, i), " GATHER)

#define WITHOUT_ELEMENTS \
  ENTRY("a = f32[3] parameter(0)\ni = s32[] parameter(1)\nROOT r = f32[] gather(a, i), offset_dims={}, " \
        "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=0, slice_sizes={0}")
#define LONG \
  ENTRY( \
      "a = f32[10] parameter(0)\ni = s32[20,1] parameter(1)\nROOT r = f32[20] gather(a, i), offset_dims={}, " \
      "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}")
#define SCATTERED \
  "HloModule m\nadd {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] add(x, y)\n}\nENTRY e {\n" \
  "a = f32[4] parameter(0)\ni = s32[2,1] parameter(1)\nu = f32[2] parameter(2)\nROOT r = f32[4] scatter(a, i, u), " \
  "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add\n}\n"

static const ChosenCase chosen_cases[] = {
    {"slice", SLICE, 0, false, {SLICE_MAP("i", "j")}, REASON_EXACT, true, "under all"},
    {"slice, sources swapped", SLICE, 0, false, {SLICE_MAP("j", "i")}, REASON_WRONG, true, "reads"},
    {"slice, one source twice", SLICE, 0, false, {SLICE_MAP("i", "i")}, REASON_WRONG, true,
        "reads"},
    {"slice offset", SLICE, 1, false, {"(d0, d1) -> (), domain: d0 in [0, 1], d1 in [0, 1]"},
        REASON_EXACT, true, ""},
    {"slice, everything", SLICE, 0, false,
        {"(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 1], d1 in [0, 1], s0 in [0, 3], s1 in [0, 4]"},
        REASON_EXTRA, true, "does not read"},
    {"slice, unknown source", SLICE, 0, false,
        {"(d0, d1){rt0, rt1} -> (d0 + rt0, d1 + rt1), domain: d0 in [0, 1], d1 in [0, 1], "
         "rt0 in [0, 2], rt1 in [0, 3]"},
        REASON_UNSUPPORTED, false, "where runtime variable 0 comes from"},
    {"slices without elements", WITHOUT_ELEMENTS, 0, false,
        {"()[s0] -> (s0), domain: s0 in [0, 2]"}, REASON_UNSUPPORTED, false, "without elements"},
    {"slices without elements, an index", WITHOUT_ELEMENTS, 1, false, {"() -> ()"}, REASON_EXACT,
        true, ""},
    {"line", LINE("i = s32[] parameter(1)"), 0, false, {LINE_MAP("i")}, REASON_EXACT, true,
        "under all"},
    {"line, many points", LINE("i = s32[] parameter(1)"), 0, false,
        {MANY_MAP("s0 floordiv 60000")}, REASON_EXACT, true, "under all"},
    {"line, many points, the second is extra", LINE("i = s32[] parameter(1)"), 0, false,
        {MANY_MAP("max(1 - d0 - max(s0 - 1, 1 - s0), 0)")}, REASON_EXTRA, true, "does not read"},
    {"line, many points, the last is wrong", LINE("i = s32[] parameter(1)"), 0, false,
        {MANY_MAP("s0 floordiv 59999")}, REASON_WRONG, true, "(6), outside of 'a'"},
    {"line, not clamped enough", LINE("i = s32[] parameter(1)"), 0, false,
        {ONE("d0", "d0 + rt0", "d0 in [0, 1]", "[0, 5]", "i", "")}, REASON_WRONG, true,
        "(6), outside of 'a'"},
    {"line, clamped too much", LINE("i = s32[] parameter(1)"), 0, false,
        {ONE("d0", "d0 + rt0", "d0 in [0, 1]", "[0, 3]", "i", "")}, REASON_WRONG, true, "i = 4"},
    {"line, offset moved",
        LINE("p = s32[] parameter(1)\nc = s32[] constant(3)\ni = s32[] add(p, c)"), 0, false,
        {LINE_MAP("i")}, REASON_EXACT, true, ""},
    {"line, offset moved, wrong one",
        LINE("p = s32[] parameter(1)\nc = s32[] constant(3)\ni = s32[] add(p, c)"), 0, false,
        {LINE_MAP("p")}, REASON_WRONG, true, ""},
    {"line, offset stretched",
        LINE("p = s32[] parameter(1)\nc = s32[] constant(-2)\ni = s32[] multiply(p, c)"), 0, false,
        {LINE_MAP("i")}, REASON_EXACT, true, ""},
    {"line, even offsets",
        LINE("p = s32[] parameter(1)\nc = s32[] constant(2)\ni = s32[] multiply(p, c)"), 0, false,
        {ONE("d0", "d0 + rt0 * 2", "d0 in [0, 1]", "[0, 2]", "p", "")}, REASON_WRONG, true,
        "where p = -2147483647"},
    {"line, divided", LINE("p = s32[] parameter(1)\nc = s32[] constant(2)\ni = s32[] divide(p, c)"),
        0, false, {ONE("d0", "d0 + rt0 floordiv 2", "d0 in [0, 1]", "[0, 9]", "p", "")},
        REASON_EXACT, true, ""},
    {"line, divided, one short",
        LINE("p = s32[] parameter(1)\nc = s32[] constant(2)\ni = s32[] divide(p, c)"), 0, false,
        {ONE("d0", "d0 + rt0 floordiv 2", "d0 in [0, 1]", "[0, 7]", "p", "")}, REASON_WRONG, true,
        ""},
    {"line, remainder",
        LINE("p = s32[] parameter(1)\nc = s32[] constant(3)\ni = s32[] remainder(p, c)"), 0, false,
        {LINE_MAP("i")}, REASON_EXACT, true, ""},
    {"line, doubled", LINE("p = s32[] parameter(1)\ni = s32[] add(p, p)"), 0, false,
        {LINE_MAP("i")}, REASON_EXACT, false, ""},
    {"line, negated", LINE("p = s32[] parameter(1)\ni = s32[] negate(p)"), 0, false,
        {ONE("d0", "d0 - rt0", "d0 in [0, 1]", "[-4, 0]", "p", "")}, REASON_WRONG, true,
        "where p = -2147483648"},
    {"line, added beyond the type",
        LINE("p = s32[] parameter(1)\nc = s32[] constant(3)\ni = s32[] add(p, c)"), 0, false,
        {ONE("d0", "d0 + rt0 + 3", "d0 in [0, 1]", "[-3, 1]", "p", "")}, REASON_WRONG, true,
        "where p = 2147483645"},
    {"line, converted", LINE("p = u32[] parameter(1)\ni = u8[] convert(p)"), 0, false,
        {LINE_MAP("i")}, REASON_EXACT, true, "under all"},
    {"line, converted, by its source", LINE("p = u32[] parameter(1)\ni = u8[] convert(p)"), 0,
        false, {LINE_MAP("p")}, REASON_WRONG, false, "where p = 256"},
    {"line, converted, with another user",
        LINE("p = u32[] parameter(1)\nb = u8[] convert(p)\nw = u32[] convert(b)\n"
             "i = u32[] maximum(w, p)"),
        0, false, {LINE_MAP("i")}, REASON_EXACT, false, "a sample"},
    {"line, bits of another type",
        LINE("p = s32[] parameter(1)\ni = u32[] bitcast-convert(p)"), 0, false, {LINE_MAP("p")},
        REASON_WRONG, true, "where p = -1"},
    {"line, remainder, by its source",
        LINE("p = u32[] parameter(1)\nc = u32[] constant(100)\ni = u32[] remainder(p, c)"), 0, false,
        {LINE_MAP("p")}, REASON_WRONG, false, "where p = 100"},
    {"line, masked, by its source",
        LINE("p = u32[] parameter(1)\nc = u32[] constant(1023)\ni = u32[] and(p, c)"), 0, false,
        {LINE_MAP("p")}, REASON_WRONG, false, "where p = 1024"},
    {"line, shifted out and back",
        LINE("p = u32[] parameter(1)\nc = u32[] constant(256)\nm = u32[] multiply(p, c)\n"
             "i = u32[] divide(m, c)"),
        0, false, {LINE_MAP("i")}, REASON_EXACT, true, ""},
    {"line, shifted out and back, by its source",
        LINE("p = u32[] parameter(1)\nc = u32[] constant(256)\nm = u32[] multiply(p, c)\n"
             "i = u32[] divide(m, c)"),
        0, false, {LINE_MAP("p")}, REASON_WRONG, false, "where p = 16777216"},
    {"line, product", LINE("p = s32[] parameter(1)\nq = s32[] parameter(2)\ni = s32[] multiply(p, q)"),
        0, false, {LINE_MAP("i")}, REASON_EXACT, true, ""},
    {"line, number of ones", LINE("p = u32[] parameter(1)\ni = u32[] popcnt(p)"), 0, false,
        {LINE_MAP("i")}, REASON_EXACT, false, "a sample"},
    {"three offsets of one value", APART, 0, false, {APART_MAP("[103, 104]", "(rt2 - 103) * 4")},
        REASON_WRONG, true, "where b = 101"},
    {"line, pred", LINE("p = pred[] parameter(1)\ni = s32[] convert(p)"), 0, false, {LINE_MAP("i")},
        REASON_EXACT, true, "(4 comp"},
    {"line, compared",
        LINE(
            "p = s32[] parameter(1)\nc = s32[] constant(30)\nq = pred[] compare(p, c), direction=LT\n"
            "x = s32[] constant(1)\ny = s32[] constant(3)\ni = s32[] select(q, x, y)"),
        0, false, {LINE_MAP("i")}, REASON_EXACT, true, ""},
    {"line, compared, one branch",
        LINE(
            "p = s32[] parameter(1)\nc = s32[] constant(30)\nq = pred[] compare(p, c), direction=LT\n"
            "x = s32[] constant(1)\ny = s32[] constant(3)\ni = s32[] select(q, x, y)"),
        0, false, {"(d0) -> (d0 + 1), domain: d0 in [0, 1]"}, REASON_WRONG, true, "p = 30"},
    {"line, from a float", LINE("p = f32[] parameter(1)\ni = s32[] convert(p)"), 0, false,
        {LINE_MAP("i")}, REASON_EXACT, true, ""},
    {"line, element of a vector",
        LINE("p = s32[3] parameter(1)\ns = s32[1] slice(p), slice={[1:2]}\ni = s32[] reshape(s)"),
        0, false, {ONE("d0", "d0 + rt0", "d0 in [0, 1]", "[0, 4]", "p", "1")}, REASON_EXACT, true,
        ""},
    {"line, other element of a vector",
        LINE("p = s32[3] parameter(1)\ns = s32[1] slice(p), slice={[1:2]}\ni = s32[] reshape(s)"),
        0, false, {ONE("d0", "d0 + rt0", "d0 in [0, 1]", "[0, 4]", "p", "2")}, REASON_WRONG, true,
        ""},
    {"line, element that is not there",
        LINE("p = s32[3] parameter(1)\ns = s32[1] slice(p), slice={[1:2]}\ni = s32[] reshape(s)"),
        0, false, {ONE("d0", "d0 + rt0", "d0 in [0, 1]", "[0, 4]", "p", "3")}, REASON_WRONG, true,
        "'p' does not have"},
    {"line, constant folded", LINE("i = s32[] constant(99)"), 0, false,
        {"(d0) -> (d0 + 4), domain: d0 in [0, 1]"}, REASON_EXACT, true, ""},
    {"line, constant not clamped", LINE("i = s32[] constant(5)"), 0, false,
        {"(d0) -> (d0 + 5), domain: d0 in [0, 1]"}, REASON_WRONG, true, "outside"},
    {"line, constant not folded", LINE("i = s32[] constant(99)"), 0, false, {LINE_MAP("i")},
        REASON_EXACT, true, ""},
    {"update", UPDATE, 1, false,
        {CUT("d0", "d0 - rt0", "d0 in [0, 4]", "[0, 3]", ", d0 - rt0 in [0, 1]", "i", "")},
        REASON_EXACT, true, ""},
    {"update, constraint dropped", UPDATE, 1, false,
        {ONE("d0", "d0 - rt0", "d0 in [0, 4]", "[0, 3]", "i", "")}, REASON_WRONG, true,
        "outside of 'u'"},
    {"update, operand", UPDATE, 0, false,
        {CUT("d0", "d0", "d0 in [0, 4]", "[0, 3]", ", d0 - rt0 in [-4, -1]", "i", ""),
            CUT("d0", "d0", "d0 in [0, 4]", "[0, 3]", ", d0 - rt0 in [2, 4]", "i", "")},
        REASON_EXACT, true, ""},
    {"update, whole operand", UPDATE, 0, false, {"(d0) -> (d0), domain: d0 in [0, 4]"},
        REASON_EXTRA, true, "does not read"},
    {"update, offset", UPDATE, 2, false, {"(d0) -> (), domain: d0 in [0, 4]"}, REASON_EXACT, true,
        ""},
    {"gather", GATHERED, 0, false,
        {ONE("d0, d1", "rt0, d1", "d0 in [0, 2], d1 in [0, 1]", "[0, 3]", "i", "d0, 0")},
        REASON_EXACT, true, "(36 comp"},
    {"gather, row of another", GATHERED, 0, false,
        {ONE("d0, d1", "rt0, d1", "d0 in [0, 2], d1 in [0, 1]", "[0, 3]", "i", "0, 0")},
        REASON_WRONG, true, "i[1,0]"},
    {"line back", LINE("i = s32[] parameter(1)"), 0, true,
        {CUT("d0", "d0 - rt0", "d0 in [0, 5]", "[0, 4]", ", d0 - rt0 in [0, 1]", "i", "")},
        REASON_EXACT, true, "under all"},
    {"line back, short", LINE("i = s32[] parameter(1)"), 0, true,
        {CUT("d0", "d0 - rt0", "d0 in [0, 4]", "[0, 4]", ", d0 - rt0 in [0, 1]", "i", "")},
        REASON_WRONG, true, "reads (5) of 'a' where i = 4"},
    {"line back, offset", LINE("i = s32[] parameter(1)"), 1, true,
        {"()[s0] -> (s0), domain: s0 in [0, 1]"}, REASON_EXACT, true, ""},
    {"update back", UPDATE, 1, true, {ONE("d0", "d0 + rt0", "d0 in [0, 1]", "[0, 3]", "i", "")},
        REASON_EXACT, true, ""},
    {"gather back", GATHERED, 0, true,
        {"(d0, d1)[s0]{rt0} -> (s0, d1), domain: d0 in [0, 3], d1 in [0, 1], s0 in [0, 2], rt0 in [0, 3], d0 - rt0 in [0, 0]\n"
         "runtime variables:\nrt0: i; (d0, d1)[s0]{rt0} -> (s0, 0), domain: d0 in [0, 3], d1 in [0, 1], s0 in [0, 2], rt0 in [0, 3]"},
        REASON_EXACT, true, ""},
    {"gather back, row of another", GATHERED, 0, true,
        {"(d0, d1)[s0]{rt0} -> (s0, d1), domain: d0 in [0, 3], d1 in [0, 1], s0 in [0, 2], rt0 in [0, 3], d0 - rt0 in [0, 0]\n"
         "runtime variables:\nrt0: i; (d0, d1)[s0]{rt0} -> (2 - s0, 0), domain: d0 in [0, 3], d1 in [0, 1], s0 in [0, 2], rt0 in [0, 3]"},
        REASON_WRONG, true, "i["},
    {"long gather back", LONG, 0, true,
        {"(d0)[s0]{rt0} -> (s0), domain: d0 in [0, 9], s0 in [0, 19], rt0 in [0, 9], d0 - rt0 in [0, 0]\n"
         "runtime variables:\nrt0: i; (d0)[s0]{rt0} -> (s0, 0), domain: d0 in [0, 9], s0 in [0, 19], rt0 in [0, 9]"},
        REASON_EXACT, true, "(240 comp"},
    {"long gather back, short", LONG, 0, true,
        {"(d0)[s0]{rt0} -> (s0), domain: d0 in [0, 9], s0 in [0, 18], rt0 in [0, 9], d0 - rt0 in [0, 0]\n"
         "runtime variables:\nrt0: i; (d0)[s0]{rt0} -> (s0, 0), domain: d0 in [0, 9], s0 in [0, 18], rt0 in [0, 9]"},
        REASON_WRONG, true, "(19) of 'r' reads (0) of 'a' where i[19,0] = -1"},
    {"scatter", SCATTERED, 2, false,
        {"(d0)[s0]{rt0} -> (s0), domain: d0 in [0, 3], s0 in [0, 1], rt0 in [0, 3], d0 - rt0 in [0, 0]\n"
         "runtime variables:\nrt0: i; (d0)[s0]{rt0} -> (s0, 0), domain: d0 in [0, 3], s0 in [0, 1], rt0 in [0, 3]"},
        REASON_EXTRA, true, "does not read"},
    {"scatter operand", SCATTERED, 0, false, {"(d0) -> (d0), domain: d0 in [0, 3]"}, REASON_EXACT,
        true, ""},
    {"gather, indices", GATHERED, 1, false,
        {"(d0, d1) -> (d0, 0), domain: d0 in [0, 2], d1 in [0, 1]"}, REASON_EXACT, true, ""},
};

static void check_chosen(const ChosenCase *row) {
  OracleFixture bench = bench_create();
  const Instruction *root = read_root(&bench, row->module);
  uint32_t count = 0;
  while (count < 3 && row->maps[count] != nullptr) count++;
  Verdict verdict = judge_maps(&bench, root, row->is_backward, 0, row->operand, count, row->maps);
  if (verdict.reason != row->answer || (verdict.scope == SCOPE_WHOLE) != row->is_complete ||
      strstr(verdict_text(&verdict), row->words) == nullptr)
    fail_msg("%s: answer %u, %s", row->name, verdict.reason, verdict_text(&verdict));
  bench_destroy(&bench);
}

static void values_are_chosen_for_the_named_instruction(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof chosen_cases / sizeof *chosen_cases; i++)
    check_chosen(&chosen_cases[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_offsets_are_clamped),
      cmocka_unit_test(known_indices_gather_and_scatter),
      cmocka_unit_test(values_are_chosen_for_the_named_instruction),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
