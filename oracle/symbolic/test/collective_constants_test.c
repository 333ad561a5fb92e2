/* Collectives of constants. A gathered constant is the constant, and a reduced one is the
 * function's value of as many copies as a group has devices. Where the number of devices is not
 * known, where the order decides, or where a device may receive nothing, nothing is decided. */
#include "oracle/equivalence/test/values_cases.h"
#include "oracle/equivalence/test/values_modules.h"

#define REDUCED(type, function, value, collective) \
  "HloModule m\nf {\nx = " type "[] parameter(0)\ny = " type "[] parameter(1)\nROOT s = " type \
  "[] " function "(x, y)\n}\nENTRY e {\nc = " type "[] constant(" value ")\na = " type \
  "[4] broadcast(c), dimensions={}\nROOT r = " type collective ", to_apply=f\n}\n"
#define SUMMED(groups) REDUCED("s32", "add", "3", "[4] all-reduce(a), " groups)
#define GATHERED(values, size, collective) \
  E("a = s32[" size "] constant({" values "})\nROOT r = s32" collective)
#define CONSTANT(type, size, value) \
  E("c = " type "[] constant(" value ")\nROOT r = " type "[" size "] broadcast(c), dimensions={}")
#define TWO "replica_groups={{0,1}}"

static const ValuesCase rows[] = {
    {"gathered", GATHERED("7, 7", "2", "[4] all-gather(a), dimensions={0}, " TWO),
        CONSTANT("s32", "4", "7"), "same values"},
    {"gathered_another", GATHERED("7, 7", "2", "[4] all-gather(a), dimensions={0}, " TWO),
        CONSTANT("s32", "4", "8"), "different"},
    {"gathered_elements", GATHERED("7, 9", "2", "[4] all-gather(a), dimensions={0}, " TWO),
        E("ROOT r = s32[4] constant({7, 9, 7, 9})"), "same values"},
    {"gathered_elements_in_another_order",
        GATHERED("7, 9", "2", "[4] all-gather(a), dimensions={0}, " TWO),
        E("ROOT r = s32[4] constant({7, 7, 9, 9})"), "different"},
    {"gathered_parameter",
        E("a = s32[2] parameter(0)\nROOT r = s32[4] all-gather(a), dimensions={0}, " TWO),
        E("a = s32[2] parameter(0)\nROOT r = s32[4] concatenate(a, a), dimensions={0}"), "unknown"},
    {"permuted", GATHERED("7, 7", "2", "[2] collective-permute(a), source_target_pairs={{0,1}}"),
        CONSTANT("s32", "2", "7"), "unknown"},
    {"sent_to_some", GATHERED("7, 7", "2", "[2] collective-broadcast(a), replica_groups={{0,1}}"),
        CONSTANT("s32", "2", "7"), "unknown"},
    {"summed", SUMMED("replica_groups={{0,1,2},{3,4,5}}"), CONSTANT("s32", "4", "9"),
        "same values"},
    {"summed_over_another_number", SUMMED("replica_groups={{0,1,2},{3,4,5}}"),
        CONSTANT("s32", "4", "6"), "different"},
    {"summed_over_groups_of_two_sizes", SUMMED("replica_groups={{0,1},{2}}"),
        CONSTANT("s32", "4", "6"), "unknown"},
    {"summed_over_an_unknown_number", SUMMED("replica_groups={}"), CONSTANT("s32", "4", "3"),
        "unknown"},
    {"summed_over_replicas_and_all_partitions", SUMMED("channel_id=1, " TWO),
        CONSTANT("s32", "4", "6"), "unknown"},
    {"summed_over_devices", SUMMED("channel_id=1, use_global_device_ids=true, " TWO),
        CONSTANT("s32", "4", "6"), "same values"},
    {"zeros_summed_over_an_unknown_number",
        REDUCED("f32", "add", "0", "[4] all-reduce(a), replica_groups={}"),
        CONSTANT("f32", "4", "0"), "same values"},
    {"minus_zeros_summed", REDUCED("f32", "add", "-0", "[4] all-reduce(a), replica_groups={}"),
        CONSTANT("f32", "4", "0"), "same reads"},
    {"largest", REDUCED("f32", "maximum", "1.5", "[4] all-reduce(a), replica_groups={}"),
        CONSTANT("f32", "4", "1.5"), "same values"},
    {"summed_floats", REDUCED("f32", "add", "1.5", "[4] all-reduce(a), " TWO),
        CONSTANT("f32", "4", "3"), "same values"},
    {"summed_by_a_narrower_function",
        "HloModule m\nf {\nx = bf16[] parameter(0)\ny = bf16[] parameter(1)\nROOT s = bf16[] "
        "add(x, y)\n}\nENTRY e {\nc = f32[] constant(128.5)\nROOT r = f32[] all-reduce(c), " TWO
        ", to_apply=f\n}\n",
        E("ROOT r = f32[] constant(257)"), "unknown"},
    {"summed_floats_with_roundings",
        REDUCED("f32", "add", "1.1", "[4] all-reduce(a), replica_groups={{0,1,2,3}}"),
        CONSTANT("f32", "4", "4.4"), "unknown"},
    {"scattered_sum", REDUCED("u8", "add", "200", "[2] reduce-scatter(a), dimensions={0}, " TWO),
        CONSTANT("u8", "2", "144"), "same values"},
    {"scattered_sum_of_other_elements",
        "HloModule m\nf {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = s32[] "
        "add(x, y)\n}\nENTRY e {\na = s32[4] constant({1, 1, 1, 2})\nROOT r = s32[2] "
        "reduce-scatter(a), dimensions={0}, to_apply=f, " TWO "\n}\n",
        CONSTANT("s32", "2", "2"), "unknown"},
};

static void collectives_of_constants_are_constants(void **) {
  assert_int_equal(values_cases_faults(sizeof rows / sizeof *rows, rows, nullptr), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(collectives_of_constants_are_constants)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
