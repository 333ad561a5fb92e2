/* Reads of elements whose values are equal for all tried inputs. The reads of one part do not
 * determine those of the whole: another part may read the same elements. */
#include "oracle/equivalence/test/values_cases.h"
#include "oracle/equivalence/test/values_modules.h"

#define PQ "p = f32[4] parameter(0)\nq = f32[4] parameter(1)\n"
#define ZEROS "k = f32[] constant(0)\nz = f32[4] broadcast(k), dimensions={}\n"
#define ZERO_BY(x) "z = f32[4] subtract(" x ", " x ")\n"
#define CALL(name, target, operands) \
  name " = f32[4] custom-call(" operands "), custom_call_target=\"" target "\"\n"
#define SUM "ROOT r = f32[4] add(f, g)"
#define BOTH(first, second) \
  E(PQ "k = f32[] constant(0)\nz = f32[4] broadcast(k), dimensions={}\n" \
       "zp = f32[4] subtract(p, p)\nzq = f32[4] subtract(q, q)\n" CALL("f", "f", first) \
           CALL("g", "g", second) SUM)

/* The loop reads q in one body alone, and the sum reads p on the other side alone. */
#define LOOP_STATE "s = (s32[], f32[4], s32[], f32[4]) parameter(0)\n"
#define READING_LOOP(addend, call) \
  "HloModule m\nstep {\n" LOOP_STATE "i = s32[] get-tuple-element(s), index=0\n" \
  "x = f32[4] get-tuple-element(s), index=1\nn = s32[] get-tuple-element(s), index=2\n" \
  "y = f32[4] get-tuple-element(s), index=3\no = s32[] constant(1)\nj = s32[] add(i, o)\n" \
  "k = f32[] constant(0)\nz = f32[4] broadcast(k), dimensions={}\nt = f32[4] subtract(y, y)\n" \
  "c = f32[4] custom-call(x), custom_call_target=\"h\"\nw = f32[4] add(c, " addend ")\n" \
  "ROOT r = (s32[], f32[4], s32[], f32[4]) tuple(j, w, n, y)\n}\ngoes {\n" LOOP_STATE \
  "i = s32[] get-tuple-element(s), index=0\nn = s32[] get-tuple-element(s), index=2\n" \
  "ROOT l = pred[] compare(i, n), direction=LT\n}\nENTRY e {\n" PQ "n = s32[] parameter(2)\n" \
  "x = f32[4] parameter(3)\no = s32[] constant(0)\nk = f32[] constant(0)\n" \
  "z = f32[4] broadcast(k), dimensions={}\nzp = f32[4] subtract(p, p)\n" \
  "s = (s32[], f32[4], s32[], f32[4]) tuple(o, x, n, q)\n" \
  "l = (s32[], f32[4], s32[], f32[4]) while(s), condition=goes, body=step\n" \
  "f = f32[4] get-tuple-element(l), index=1\n" CALL("g", "g", call) SUM "\n}\n"

/* The terms of eight thousand elements are many; the last element reads one element more. */
#define MANY \
  "x = f32[8000] parameter(0)\nk = f32[] constant(0)\n" \
  "z = f32[8000] broadcast(k), dimensions={}\na = f32[8000] add(x, z)\nb = f32[8000] negate(a)\n" \
  "c = f32[8000] add(b, z)\nd = f32[8000] negate(c)\ne = f32[8000] add(d, z)\n" \
  "f = f32[8000] negate(e)\n"
#define MANY_BEFORE E(MANY "ROOT g = f32[8000] add(f, z)")
#define MANY_AFTER \
  E(MANY "g = f32[7999] slice(f), slice={[0:7999]}\nl = f32[1] slice(f), slice={[7999:8000]}\n" \
         "h = f32[1] slice(x), slice={[0:1]}\ni = f32[1] subtract(h, h)\nm = f32[1] add(l, i)\n" \
         "ROOT r = f32[8000] concatenate(g, m), dimensions={0}")

static const ValuesCase rows[] = {
    {"a part alone reads less",
        E(PQ ZERO_BY("p") CALL("g", "g", "z, q") "ROOT r = f32[4] negate(g)"),
        E(PQ ZEROS CALL("g", "g", "z, q") "ROOT r = f32[4] negate(g)"), "fewer reads"},
    {"a part alone reads more", E(PQ ZEROS CALL("g", "g", "z, q") "ROOT r = f32[4] negate(g)"),
        E(PQ ZERO_BY("p") CALL("g", "g", "z, q") "ROOT r = f32[4] negate(g)"), "more reads"},
    {"another part still reads it",
        E(PQ ZERO_BY("p") CALL("f", "f", "p") CALL("g", "g", "z, q") SUM),
        E(PQ ZEROS CALL("f", "f", "p") CALL("g", "g", "z, q") SUM), "unknown"},
    {"another part read it before", E(PQ ZEROS CALL("f", "f", "p") CALL("g", "g", "z, q") SUM),
        E(PQ ZERO_BY("p") CALL("f", "f", "p") CALL("g", "g", "z, q") SUM), "unknown"},
    {"one part reads less and another more", BOTH("zp", "z"), BOTH("z", "zq"), "unknown"},
    {"one part reads more and another less", BOTH("z", "zp"), BOTH("zq", "z"), "unknown"},
    {"parts exchange what they read", BOTH("zp", "zq"), BOTH("zq", "zp"), "unknown"},
    {"a loop reads less and a part more", READING_LOOP("t", "z"), READING_LOOP("z", "zp"),
        "unknown"},
    {"a loop reads more and a part less", READING_LOOP("z", "zp"), READING_LOOP("t", "z"),
        "unknown"},
    {"a loop alone reads less", READING_LOOP("t", "z"), READING_LOOP("z", "z"), "unknown"},
    {"the last of many elements reads more", MANY_BEFORE, MANY_AFTER, "more reads"},
    {"the last of many elements reads less", MANY_AFTER, MANY_BEFORE, "fewer reads"},
};

static void reads_are_those_of_the_whole(void **) {
  assert_int_equal(values_cases_faults(sizeof rows / sizeof *rows, rows, nullptr), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reads_are_those_of_the_whole)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
