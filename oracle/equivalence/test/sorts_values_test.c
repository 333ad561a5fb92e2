/* Sorts that differ in their operands: in the order of these, in operands that neither the result
 * nor the comparison uses, and in whether they are stable. */
#include "oracle/equivalence/test/values_cases.h"

#define COMPARES(number, one, other, direction) \
  " c" number " = pred[] compare(" one ", " other "), direction=" direction "\n"
#define KEY " a = s32[] parameter(0)\n b = s32[] parameter(1)\n"
#define SECOND " x = s16[] parameter(2)\n y = s16[] parameter(3)\n"
#define VALUE(first, second) " v = f32[] parameter(" first ")\n w = f32[] parameter(" second ")\n"
#define BY_KEY " ROOT r = pred[] compare(a, b), direction=LT\n"
#define BY_BOTH \
  " q = pred[] compare(a, b), direction=EQ\n" COMPARES("0", "a", "b", "LT") \
      COMPARES("1", "x", "y", "GT") " ROOT r = pred[] select(q, c1, c0)\n"
#define MODULE(compared, sorted) \
  "HloModule m\nless {\n" compared "}\nENTRY e {\n" \
  " k = s32[4] parameter(0)\n l = s16[4] parameter(1)\n v = f32[4] parameter(2)\n" sorted "}\n"
#define STABLE ", is_stable=true"
#define OF_KEY(rest) \
  MODULE(KEY BY_KEY, " ROOT r = s32[4] sort(k), dimensions={0}, to_apply=less" rest "\n")
#define KEY_AND_VALUE(direction, rest, number, type) \
  MODULE(KEY VALUE("2", "3") " ROOT r = pred[] compare(a, b), direction=" direction "\n", \
      " s = (s32[4], f32[4]) sort(k, v), dimensions={0}, to_apply=less" rest "\n ROOT r = " type \
      "[4] get-tuple-element(s), index=" number "\n")
#define VALUE_AND_KEY(rest) \
  MODULE(" a = s32[] parameter(2)\n b = s32[] parameter(3)\n" VALUE("0", "1") BY_KEY, \
      " s = (f32[4], s32[4]) sort(v, k), dimensions={0}, to_apply=less" rest \
      "\n ROOT r = f32[4] get-tuple-element(s), index=0\n")
#define WITH_ANOTHER(rest) \
  MODULE(KEY SECOND VALUE("4", "5") BY_KEY, \
      " s = (s32[4], s16[4], f32[4]) sort(k, l, v), dimensions={0}, to_apply=less" rest \
      "\n ROOT r = f32[4] get-tuple-element(s), index=2\n")
#define TWO_KEYS \
  MODULE(KEY SECOND VALUE("4", "5") BY_BOTH, \
      " s = (s32[4], s16[4], f32[4]) sort(k, l, v), dimensions={0}, to_apply=less" STABLE \
      "\n ROOT r = f32[4] get-tuple-element(s), index=2\n")
#define TWO_KEYS_EXCHANGED(compared) \
  MODULE(" x = s16[] parameter(0)\n y = s16[] parameter(1)\n a = s32[] parameter(2)\n" \
         " b = s32[] parameter(3)\n" VALUE("4", "5") compared, \
      " s = (s16[4], s32[4], f32[4]) sort(l, k, v), dimensions={0}, to_apply=less" STABLE \
      "\n ROOT r = f32[4] get-tuple-element(s), index=2\n")

#define MANY(compared, sorted) \
  "HloModule m\nless {\n" compared "}\nENTRY e {\n p = s32[64,256] parameter(0)\n" sorted "}\n"
#define MANY_LINES \
  MANY(KEY BY_KEY, " ROOT r = s32[64,256] sort(p), dimensions={1}, to_apply=less\n")
#define MANY_LINES_ACROSS \
  MANY(KEY BY_KEY, " t = s32[256,64] transpose(p), dimensions={1,0}\n" \
                   " s = s32[256,64] sort(t), dimensions={0}, to_apply=less\n" \
                   " ROOT r = s32[64,256] transpose(s), dimensions={1,0}\n")

static const ValuesCase sort_cases[] = {
    {"lines_of_many_elements", MANY_LINES, MANY_LINES_ACROSS, "same values"},
    {"stable_or_not", OF_KEY(""), OF_KEY(STABLE), "same values"},
    {"value_stable_or_not", KEY_AND_VALUE("LT", "", "1", "f32"),
        KEY_AND_VALUE("LT", STABLE, "1", "f32"), "same reads"},
    {"key_without_its_value", KEY_AND_VALUE("LT", "", "0", "s32"), OF_KEY(""), "same values"},
    {"key_without_its_value_stable", KEY_AND_VALUE("LT", STABLE, "0", "s32"), OF_KEY(""),
        "same values"},
    {"key_the_other_way", KEY_AND_VALUE("GT", "", "0", "s32"), OF_KEY(""), "different"},
    {"operands_exchanged", KEY_AND_VALUE("LT", STABLE, "1", "f32"), VALUE_AND_KEY(STABLE),
        "same values"},
    {"operands_exchanged_unstable", KEY_AND_VALUE("LT", "", "1", "f32"), VALUE_AND_KEY(""),
        "same reads"},
    {"operand_that_is_unused", WITH_ANOTHER(STABLE), KEY_AND_VALUE("LT", STABLE, "1", "f32"),
        "same values"},
    {"two_keys_exchanged", TWO_KEYS, TWO_KEYS_EXCHANGED(BY_BOTH), "same values"},
    {"two_keys_of_another_order", TWO_KEYS,
        TWO_KEYS_EXCHANGED(" q = pred[] compare(x, y), direction=EQ\n" COMPARES("0", "a", "b", "LT")
                COMPARES("1", "x", "y", "GT") " ROOT r = pred[] select(q, c0, c1)\n"),
        "different"},
    {"second_key_unused", TWO_KEYS, TWO_KEYS_EXCHANGED(BY_KEY), "different"},
};

static void sorts_are_told_apart(void **) {
  ValuesLimits limits = {.grade = LAW_EXACT};
  assert_int_equal(
      values_cases_faults(sizeof sort_cases / sizeof *sort_cases, sort_cases, &limits), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sorts_are_told_apart)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
