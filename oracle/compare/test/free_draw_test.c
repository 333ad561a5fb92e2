/* Maps are wrong only if inputs can show it: by values of parameters and of what no rule states, or
 * by every value of what is computed. */
#include "oracle/test/test_module.h"

typedef struct DrawCase {
  const char *name, *lines, *maps[2];
  VerdictReason answer;
  const char *words;
} DrawCase;

#define SLICE(lines) \
  "p = f32[6] parameter(0)\nz = s32[] constant(0)\n" lines \
  "ROOT r = f32[4] dynamic-slice(p, s), dynamic_slice_sizes={4}"
#define TWO_SLICES(lines) \
  "p = f32[6] parameter(0)\nz = s32[] constant(0)\n" lines \
  "ROOT r = f32[4] fusion(p, s, t), kind=kLoop, calls=two"
#define WIDE_SLICE(type) \
  "p = f32[300] parameter(0)\nx = " type \
  "[] parameter(1)\ns = s32[] convert(x)\nROOT r = f32[1] dynamic-slice(p, s), dynamic_slice_sizes={1}"
#define SUM "s = s32[] reduce(x, z), dimensions={0}, to_apply=sum\n"
#define OF(x) "x = s32[3] " x "\n" SUM
#define MAP(results, source) \
  "(d0){rt0} -> (" results \
  "), domain: d0 in [0, 3], rt0 in [0, 2]\nruntime variables:\nrt0: " source \
  "; (d0){rt0} -> (), domain: d0 in [0, 3], rt0 in [0, 2]"

static const DrawCase cases[] = {
    {"a sum of constants", SLICE(OF("constant({1, 1, 0})")),
        {"(d0) -> (d0 + 2), domain: d0 in [0, 3]"}, REASON_OPEN,
        "reads (0) of 'p' where s = -1, the map does not say so; whether these values occur"},
    {"for no value of the sum", SLICE(OF("constant({1, 1, 0})")),
        {"(d0) -> (0), domain: d0 in [0, 3]"}, REASON_WRONG, "element (1) of 'r' reads (1) of 'p'"},
    {"a parameter", SLICE("s = s32[] parameter(1)\n"), {"(d0) -> (d0 + 2), domain: d0 in [0, 3]"},
        REASON_WRONG, "where s = -1"},
    {"what a custom call gives", SLICE("s = s32[] custom-call(), custom_call_target=\"f\"\n"),
        {"(d0) -> (d0 + 2), domain: d0 in [0, 3]"}, REASON_WRONG, "where s = -1"},
    {"what a custom call gives for a constant",
        SLICE("s = s32[] custom-call(z), custom_call_target=\"Sharding\"\n"),
        {"(d0) -> (d0), domain: d0 in [0, 3]"}, REASON_OPEN, "whether these values occur"},
    {"what a custom call gives for a sum of constants",
        SLICE("x = s32[3] constant({1, 1, 0})\n"
              "y = s32[] reduce(x, z), dimensions={0}, to_apply=sum\n"
              "s = s32[] custom-call(y), custom_call_target=\"Sharding\"\n"),
        {"(d0) -> (d0 + 2), domain: d0 in [0, 3]"}, REASON_OPEN, "whether these values occur"},
    {"what a custom call gives for arithmetic that loses its operand",
        SLICE("x = s32[] parameter(1)\ny = s32[] and(x, z)\n"
              "s = s32[] custom-call(y), custom_call_target=\"Sharding\"\n"),
        {"(d0) -> (d0 + 2), domain: d0 in [0, 3]"}, REASON_OPEN, "whether these values occur"},
    {"what a custom call gives for a size",
        SLICE("x = s32[1] parameter(1)\ny = s32[] get-dimension-size(x), dimensions={0}\n"
              "s = s32[] custom-call(y), custom_call_target=\"Sharding\"\n"),
        {"(d0) -> (d0 + 2), domain: d0 in [0, 3]"}, REASON_OPEN, "whether these values occur"},
    {"what a custom call gives for no elements",
        SLICE("x = s32[0] parameter(1)\n"
              "s = s32[] custom-call(x), custom_call_target=\"Sharding\"\n"),
        {"(d0) -> (d0 + 2), domain: d0 in [0, 3]"}, REASON_OPEN, "whether these values occur"},
    {"what a custom call gives for an element of a parameter",
        SLICE("x = s32[2] parameter(1)\ny = s32[1] slice(x), slice={[1:2]}\n"
              "s = s32[] custom-call(y), custom_call_target=\"f\"\n"),
        {"(d0) -> (d0 + 2), domain: d0 in [0, 3]"}, REASON_WRONG, "where s = -1"},
    {"what a custom call gives for another one",
        SLICE("y = s32[] custom-call(), custom_call_target=\"f\"\n"
              "s = s32[] custom-call(y), custom_call_target=\"g\"\n"),
        {"(d0) -> (d0 + 2), domain: d0 in [0, 3]"}, REASON_WRONG, "where s = -1"},
    {"what a custom call gives for what a barrier passes on",
        SLICE("x = s32[] parameter(1)\ny = s32[] opt-barrier(x)\n"
              "s = s32[] custom-call(y), custom_call_target=\"f\"\n"),
        {"(d0) -> (d0 + 2), domain: d0 in [0, 3]"}, REASON_WRONG, "where s = -1"},
    {"one number, by way of a float",
        SLICE("x = s32[] parameter(1)\nf = f32[] convert(x)\ns = s32[] convert(f)\n"),
        {MAP("d0 + rt0", "x")}, REASON_OPEN, "where s = -1, x = 1"},
    {"an integer that a float of a parameter is",
        SLICE("x = f32[2] parameter(1)\ny = s32[2] convert(x)\nw = s32[1] slice(y), slice={[1:2]}\n"
              "s = s32[] reshape(w)\n"),
        {"(d0) -> (d0 + 2), domain: d0 in [0, 3]"}, REASON_WRONG, "where y[1] = -1"},
    {"two floats of a parameter",
        TWO_SLICES(
            "x = f32[2] parameter(1)\ny = s32[2] convert(x)\nw = s32[1] slice(y), slice={[0:1]}\n"
            "s = s32[] reshape(w)\nk = s32[1] slice(y), slice={[1:2]}\nt = s32[] reshape(k)\n"),
        {MAP("d0 + rt0", "s")}, REASON_WRONG, "where y[1] = -1, y[0] = 1"},
    {"one float of a parameter, converted twice",
        TWO_SLICES("x = f32[] parameter(1)\ns = s32[] convert(x)\nt = s32[] convert(x)\n"),
        {MAP("d0 + rt0", "s")}, REASON_OPEN, "whether these values occur"},
    {"a float of a parameter and a sum with it",
        TWO_SLICES(
            "x = f32[] parameter(1)\ns = s32[] convert(x)\nk = f32[] add(x, x)\nt = s32[] convert(k)\n"),
        {MAP("d0 + rt0", "s")}, REASON_OPEN, "whether these values occur"},
    {"an integer that a computed float may not be",
        SLICE("x = f32[] parameter(1)\ny = f32[] multiply(x, x)\ns = s32[] convert(y)\n"),
        {"(d0) -> (d0 + 2), domain: d0 in [0, 3]"}, REASON_OPEN, "whether these values occur"},
    {"integers that the type lacks", WIDE_SLICE("bf16"),
        {"(d0) -> (d0 + 299), domain: d0 in [0, 0]"}, REASON_OPEN, "whether these values occur"},
    {"integers that the type has", WIDE_SLICE("f16"), {"(d0) -> (d0 + 299), domain: d0 in [0, 0]"},
        REASON_WRONG, "where s = "},
    {"equal sums",
        TWO_SLICES(OF("parameter(1)") "t = s32[] reduce(x, z), dimensions={0}, to_apply=sum\n"),
        {MAP("d0 + rt0", "s")}, REASON_OPEN, "whether these values occur"},
    {"a sum and a parameter", TWO_SLICES(OF("parameter(1)") "t = s32[] parameter(2)\n"),
        {MAP("d0 + rt0", "s")}, REASON_WRONG, "where"},
    {"a sum and its summand",
        TWO_SLICES(OF("parameter(1)") "y = s32[1] slice(x), slice={[0:1]}\nt = s32[] reshape(y)\n"),
        {MAP("d0 + rt0", "s")}, REASON_OPEN, "whether these values occur"},
    {"one function twice",
        TWO_SLICES("x = s32[] parameter(1)\ns = s32[] custom-call(x), custom_call_target=\"f\"\n"
                   "t = s32[] custom-call(x), custom_call_target=\"f\"\n"),
        {MAP("d0 + rt0", "s")}, REASON_OPEN, "whether these values occur"},
    {"for some value outside", SLICE(OF("parameter(1)")),
        {MAP("d0 + rt0", "s"),
            "(d0){rt0} -> (9), domain: d0 in [0, 3], rt0 in [2, 2]\nruntime variables:\n"
            "rt0: s clamped to [0, 2]; (d0){rt0} -> (), domain: d0 in [0, 3], rt0 in [2, 2]"},
        REASON_OPEN,
        "where s = 2: the map leads to (9), outside of 'p'; whether these values occur"},
    {"for each value outside", SLICE(OF("parameter(1)")), {MAP("d0 + rt0 + 3", "s")}, REASON_WRONG,
        "outside of 'p'"},
    {"for some value outside at the first point alone", SLICE(OF("parameter(1)")),
        {"(d0){rt0} -> (9), domain: d0 in [0, 0], rt0 in [2, 2]\nruntime variables:\n"
         "rt0: s clamped to [0, 2]; (d0){rt0} -> (), domain: d0 in [0, 0], rt0 in [2, 2]",
            MAP("d0 + rt0", "s")},
        REASON_OPEN,
        "where s = 2: the map leads to (9), outside of 'p'; whether these values occur"},
    {"for some value outside, then for each one", SLICE(OF("parameter(1)")),
        {"(d0){rt0} -> (9), domain: d0 in [0, 3], rt0 in [2, 2]\nruntime variables:\n"
         "rt0: s clamped to [0, 2]; (d0){rt0} -> (), domain: d0 in [0, 3], rt0 in [2, 2]",
            MAP("d0 + rt0 + 3", "s")},
        REASON_WRONG, "the map leads to (6), outside of 'p'"},
    {"for some value too much", SLICE(OF("parameter(1)")),
        {MAP("d0 + rt0", "s"), "(d0) -> (d0 + 1), domain: d0 in [0, 3]"}, REASON_CONTAINS,
        "does not read (1) of 'p' where s = -1"},
    {"for each value too much", SLICE(OF("parameter(1)")),
        {"(d0)[s0] -> (d0 + s0), domain: d0 in [0, 3], s0 in [0, 2]"}, REASON_EXTRA,
        "none is missing"},
};

static void only_values_that_occur_refute(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const DrawCase *row = &cases[i];
    OracleFixture bench = bench_create();
    const Instruction *root = read_root(&bench,
        arena_printf(bench.arena,
            "HloModule m\nsum {\nl = s32[] parameter(0)\nm = s32[] parameter(1)\nROOT n = s32[] add(l, m)\n}\n"
            "two {\nq = f32[6] parameter(0)\nu = s32[] parameter(1)\nv = s32[] parameter(2)\n"
            "a = f32[4] dynamic-slice(q, u), dynamic_slice_sizes={4}\n"
            "b = f32[4] dynamic-slice(q, v), dynamic_slice_sizes={4}\nROOT c = f32[4] add(a, b)\n}\n"
            "ENTRY e {\n%s\n}\n",
            row->lines));
    Verdict verdict =
        judge_maps(&bench, root, false, 0, 0, row->maps[1] == nullptr ? 1 : 2, row->maps);
    if (verdict.reason != row->answer || strstr(verdict_text(&verdict), row->words) == nullptr)
      fail_msg("%s: answer %u, %s", row->name, verdict.reason, verdict_text(&verdict));
    bench_destroy(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(only_values_that_occur_refute)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
