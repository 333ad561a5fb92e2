/* Read sets of elementwise and rearranging operations, compared with sets written by hand. */
#include "oracle/test/test_module.h"

static void elementwise_reads_the_same_element(void **state) {
  (void)state;
  static const ReadCase cases[] = {
      {"a = f32[2,2] parameter(0)\nROOT r = f32[2,2] exponential(a)", 0, "0|1|2|3"},
      {"a = f32[3] parameter(0)\nb = f32[3] parameter(1)\nROOT r = f32[3] add(a, b)", 1, "0|1|2"},
      {"a = f32[] parameter(0)\nROOT r = f32[] negate(a)", 0, "0"},
      {"a = f32[0] parameter(0)\nROOT r = f32[0] negate(a)", 0, ""},
      {"p = pred[] parameter(0)\na = f32[2] parameter(1)\nb = f32[2] parameter(2)\nROOT r = f32[2] select(p, a, b)",
          0, "0|0"},
      {"p = pred[] parameter(0)\na = f32[2] parameter(1)\nb = f32[2] parameter(2)\nROOT r = f32[2] select(p, a, b)",
          2, "0|1"},
      {"l = f32[] parameter(0)\na = f32[3] parameter(1)\nh = f32[] parameter(2)\nROOT r = f32[3] clamp(l, a, h)",
          2, "0|0|0"},
      {"a = f32[3] parameter(0)\nROOT r = s32[3] convert(a)", 0, "0|1|2"},
  };
  check_reads(cases, sizeof cases / sizeof *cases);
}

static void shape_operations_read_one_element(void **state) {
  (void)state;
  static const ReadCase cases[] = {
      {"a = f32[2] parameter(0)\nROOT r = f32[2,3] broadcast(a), dimensions={0}", 0, "0|0|0|1|1|1"},
      {"a = f32[3] parameter(0)\nROOT r = f32[2,3] broadcast(a), dimensions={1}", 0, "0|1|2|0|1|2"},
      {"a = f32[] parameter(0)\nROOT r = f32[3] broadcast(a), dimensions={}", 0, "0|0|0"},
      {"a = f32[2,3] parameter(0)\nROOT r = f32[3,2] transpose(a), dimensions={1,0}", 0,
          "0|3|1|4|2|5"},
      {"a = f32[2,1,3] parameter(0)\nROOT r = f32[3,2,1] transpose(a), dimensions={2,0,1}", 0,
          "0|3|1|4|2|5"},
      {"a = f32[4] parameter(0)\nROOT r = f32[4] reverse(a), dimensions={0}", 0, "3|2|1|0"},
      {"a = f32[2,3] parameter(0)\nROOT r = f32[2,3] reverse(a), dimensions={1}", 0, "2|1|0|5|4|3"},
      {"a = f32[7] parameter(0)\nROOT r = f32[2] slice(a), slice={[1:6:3]}", 0, "1|4"},
      {"a = f32[3,4] parameter(0)\nROOT r = f32[2,2] slice(a), slice={[1:3], [0:4:2]}", 0,
          "4|6|8|10"},
      {"a = f32[4] parameter(0)\nROOT r = f32[0] slice(a), slice={[2:2]}", 0, ""},
      {"a = f32[2,3] parameter(0)\nROOT r = f32[3,2] reshape(a)", 0, "0|1|2|3|4|5"},
      {"a = f32[1,1] parameter(0)\nROOT r = f32[] reshape(a)", 0, "0"},
      {"a = f32[2,0] parameter(0)\nROOT r = f32[0,5] reshape(a)", 0, ""},
  };
  check_reads(cases, sizeof cases / sizeof *cases);
}

static void concatenate_reads_only_its_part(void **state) {
  (void)state;
  static const ReadCase cases[] = {
      {"a = f32[2] parameter(0)\nb = f32[1] parameter(1)\nROOT r = f32[3] concatenate(a, b), dimensions={0}",
          0, "0|1|"},
      {"a = f32[2] parameter(0)\nb = f32[1] parameter(1)\nROOT r = f32[3] concatenate(a, b), dimensions={0}",
          1, "||0"},
      {"a = f32[2] parameter(0)\nROOT r = f32[4] concatenate(a, a), dimensions={0}", 0, "0|1||"},
      {"a = f32[2] parameter(0)\nROOT r = f32[4] concatenate(a, a), dimensions={0}", 1, "||0|1"},
      {"a = f32[0] parameter(0)\nb = f32[2] parameter(1)\nROOT r = f32[2] concatenate(a, b), dimensions={0}",
          0, "|"},
      {"a = f32[2,1] parameter(0)\nb = f32[2,2] parameter(1)\nROOT r = f32[2,3] concatenate(a, b), dimensions={1}",
          1, "|0|1||2|3"},
  };
  check_reads(cases, sizeof cases / sizeof *cases);
}

static void pad_reads_the_value_only_where_it_pads(void **state) {
  (void)state;
  static const ReadCase cases[] = {
      {"a = f32[2] parameter(0)\nv = f32[] parameter(1)\nROOT r = f32[5] pad(a, v), padding=1_1_1",
          0, "|0||1|"},
      {"a = f32[2] parameter(0)\nv = f32[] parameter(1)\nROOT r = f32[5] pad(a, v), padding=1_1_1",
          1, "0||0||0"},
      {"a = f32[4] parameter(0)\nv = f32[] parameter(1)\nROOT r = f32[2] pad(a, v), padding=-1_-1",
          0, "1|2"},
      {"a = f32[3] parameter(0)\nv = f32[] parameter(1)\nROOT r = f32[4] pad(a, v), padding=-1_0_1",
          0, "|1||2"},
      {"a = f32[0] parameter(0)\nv = f32[] parameter(1)\nROOT r = f32[2] pad(a, v), padding=1_1", 1,
          "0|0"},
      {"a = f32[1,2] parameter(0)\nv = f32[] parameter(1)\nROOT r = f32[2,3] pad(a, v), padding=1_0x0_1",
          0, "|||0|1|"},
  };
  check_reads(cases, sizeof cases / sizeof *cases);
}

static void bitcast_follows_memory(void **state) {
  (void)state;
  static const ReadCase cases[] = {
      {"a = f32[2,3]{1,0} parameter(0)\nROOT r = f32[6]{0} bitcast(a)", 0, "0|1|2|3|4|5"},
      {"a = f32[2,3]{0,1} parameter(0)\nROOT r = f32[6]{0} bitcast(a)", 0, "0|3|1|4|2|5"},
      {"a = f32[2,3]{1,0} parameter(0)\nROOT r = f32[3,2]{0,1} bitcast(a)", 0, "0|3|1|4|2|5"},
      {"a = f32[2,3]{0,1} parameter(0)\nROOT r = f32[3,1,2]{0,1,2} bitcast(a)", 0, "0|4|3|2|1|5"},
      {"a = s32[4]{0} parameter(0)\nROOT r = f32[2,2]{0,1} bitcast(a)", 0, "0|2|1|3"},
      {"a = f32[4] parameter(0)\nROOT r = s32[4] bitcast-convert(a)", 0, "0|1|2|3"},
      {"a = u8[2,4] parameter(0)\nROOT r = f32[2] bitcast-convert(a)", 0, "0 1 2 3|4 5 6 7"},
      {"a = f32[2] parameter(0)\nROOT r = u16[2,2] bitcast-convert(a)", 0, "0|0|1|1"},
  };
  check_reads(cases, sizeof cases / sizeof *cases);
}

static void bitcast_follows_tiles(void **state) {
  (void)state;
  static const ReadCase cases[] = {
      {"a = f32[2,4]{1,0:T(2,2)} parameter(0)\nROOT r = f32[8]{0} bitcast(a)", 0,
          "0|1|4|5|2|3|6|7"},
      {"a = f32[8]{0} parameter(0)\nROOT r = f32[2,4]{1,0:T(2,2)} bitcast(a)", 0,
          "0|1|4|5|2|3|6|7"},
      {"a = f32[2,4]{1,0:T(2,4)(2,1)} parameter(0)\nROOT r = f32[8]{0} bitcast(a)", 0,
          "0|4|1|5|2|6|3|7"},
      {"a = f32[2,3]{1,0:T(2,2)} parameter(0)\nROOT r = f32[3,2]{0,1:T(2,2)} bitcast(a)", 0,
          "0|3|1|4|2|5"},
      {"a = f32[1,3]{1,0:T(1,2)} parameter(0)\nROOT r = f32[3]{0:T(4)} bitcast(a)", 0, "0|1|2"},
      {"a = f32[3]{0:T(4)} parameter(0)\nROOT r = f32[3,1,1]{0,2,1:T(2)} bitcast(a)", 0, "0|1|2"},
      {"a = u16[2,4]{1,0:T(2,4)(2,1)} parameter(0)\nROOT r = u32[4]{0} bitcast(a)", 0,
          "0 4|1 5|2 6|3 7"},
      {"a = s4[4]{0:E(4)} parameter(0)\nROOT r = s8[2]{0} bitcast(a)", 0, "0 1|2 3"},
      {"a = s4[2]{0:E(8)S(1)} parameter(0)\nROOT r = s4[2]{0:E(8)} bitcast(a)", 0, "0|1"},
      {"a = f32[3]{0:T(2)S(1)} parameter(0)\nROOT r = f32[3]{0:S(5)T(4)} bitcast(a)", 0, "0|1|2"},
  };
  check_reads(cases, sizeof cases / sizeof *cases);
}

/* Memory of the first: 0 - 1 - 2 -; of the fourth: 0 1 3 4 2 - 5 -. */
static void bitcast_of_padding_reads_nothing(void **state) {
  (void)state;
  static const ReadCase cases[] = {
      {"a = f32[3,1]{1,0:T(1,2)} parameter(0)\nROOT r = f32[3]{0:T(6)} bitcast(a)", 0, "0||1"},
      {"a = f32[3,1]{1,0:T(1,2)} parameter(0)\nROOT r = bf16[6]{0:T(12)} bitcast(a)", 0,
          "0|0|||1|1"},
      {"a = f32[3]{0:T(6)} parameter(0)\nROOT r = f32[3,1]{1,0:T(1,2)} bitcast(a)", 0, "0|2|"},
      {"a = u16[2,3]{1,0:T(2,2)} parameter(0)\nROOT r = u32[3]{0:T(4)} bitcast(a)", 0, "0 1|3 4|2"},
  };
  check_reads(cases, sizeof cases / sizeof *cases);
}

static void bitcasts_that_are_not_followed_are_rejected(void **state) {
  (void)state;
  static const ReadCase cases[] = {
      {"a = f32[3]{0} parameter(0)\nROOT r = f32[3]{0:T(4)} bitcast(a)", 0,
          "rejected: bitcast 'r' changes the amount of memory"},
      {"a = s4[4]{0:E(8)} parameter(0)\nROOT r = s8[2]{0} bitcast(a)", 0,
          "rejected: bitcast 'r' changes the number of bits"},
      {"a = s8[4]{0:E(4)} parameter(0)\nROOT r = s8[4]{0} bitcast(a)", 0,
          "rejected: bitcast 'r' has a layout that is not followed"},
      {"a = f32[2,2]{1,0:T(0,2)} parameter(0)\nROOT r = f32[4]{0} bitcast(a)", 0,
          "rejected: bitcast 'r' has a layout that is not followed"},
      {"a = f32[2,2]{1,0:T(*,2)} parameter(0)\nROOT r = f32[4]{0} bitcast(a)", 0,
          "rejected: bitcast 'r' has a layout that is not followed"},
      {"a = f32[4]{0:L(8)} parameter(0)\nROOT r = f32[4]{0} bitcast(a)", 0,
          "rejected: bitcast 'r' has a layout that is not followed"},
      {"a = f32[4]{0:T(99999999999999999999)} parameter(0)\nROOT r = f32[4]{0} bitcast(a)", 0,
          "rejected: bitcast 'r' has a layout that is not followed"},
      {"a = f32[4]{0:T(9223372036854775807)} parameter(0)\nROOT r = f32[4]{0} bitcast(a)", 0,
          "rejected: bitcast 'r' occupies more than 4194304 positions in memory"},
  };
  check_reads(cases, sizeof cases / sizeof *cases);
}

/* Either side may be too large. */
static void arrays_past_the_limit_are_rejected(void **state) {
  (void)state;
  static const ReadCase cases[] = {
      {"a = f32[] parameter(0)\nROOT r = f32[4097] broadcast(a), dimensions={}", 0,
          "rejected: 'r' has 4097 elements, at most 4096 are judged"},
      {"a = f32[4097] parameter(0)\nROOT r = f32[1] slice(a), slice={[0:1]}", 0,
          "rejected: 'a' has 4097 elements, at most 4096 are judged"},
      {"a = f32[4096] parameter(0)\nROOT r = f32[1] slice(a), slice={[4095:4096]}", 0, "4095"},
  };
  check_reads(cases, sizeof cases / sizeof *cases);
}

/* More points than are evaluated together: those of the first block are outside of the domain, and
 * of the operand. */
static void points_outside_of_the_domain_are_no_reads(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  const Instruction *root = root_of(
      &bench, "a = f32[600] parameter(0)\nROOT r = f32[1,600] broadcast(a), dimensions={1}");
  Verdict verdict = judge_map(&bench, root, 0,
      "(d0, d1)[s0] -> (s0), domain: d0 in [0, 0], d1 in [0, 599], s0 in [-700, 599], d1 - s0 in [0, 0]");
  assert_int_equal(verdict.reason, REASON_EXACT);
  bench_destroy(&bench);
}

static void sources_read_nothing(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  const Instruction *root = root_of(&bench, "ROOT r = s32[3] iota(), iota_dimension=0");
  Verdict verdict;
  Error error = {};
  assert_false(oracle_output_to_input(bench.oracle, root, 0, 0, 0, 0, nullptr, &verdict, &error));
  assert_int_equal(error.kind, ERROR_INPUT);
  bench_destroy(&bench);
}

static void unsupported_names_the_operation(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  const Instruction *root = root_of(
      &bench, "a = f32[2] parameter(0)\nROOT r = f32[2] custom-call(a), custom_call_target=\"t\"");
  Verdict verdict = judge_map(&bench, root, 0, "(d0) -> (d0), domain: d0 in [0, 1]");
  assert_int_equal(verdict.reason, REASON_UNSUPPORTED);
  assert_non_null(strstr(verdict_text(&verdict), "custom-call"));
  bench_destroy(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elementwise_reads_the_same_element),
      cmocka_unit_test(shape_operations_read_one_element),
      cmocka_unit_test(concatenate_reads_only_its_part),
      cmocka_unit_test(pad_reads_the_value_only_where_it_pads),
      cmocka_unit_test(bitcast_follows_memory),
      cmocka_unit_test(bitcast_follows_tiles),
      cmocka_unit_test(bitcast_of_padding_reads_nothing),
      cmocka_unit_test(bitcasts_that_are_not_followed_are_rejected),
      cmocka_unit_test(arrays_past_the_limit_are_rejected),
      cmocka_unit_test(points_outside_of_the_domain_are_no_reads),
      cmocka_unit_test(sources_read_nothing),
      cmocka_unit_test(unsupported_names_the_operation),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
