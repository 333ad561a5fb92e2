/* Pairs of operations that are different although most of their texts, types or elements agree.
 * They differ in attributes, layouts, the wrapping of a type, precisions, or the order of a
 * sort. */
#include "oracle/symbolic/build.h"
#include "oracle/equivalence/test/values_cases.h"
#include "oracle/equivalence/test/values_modules.h"

#define CALLED(attributes) E("a = f32[4] parameter(0)\nROOT r = f32[4] custom-call(a), " attributes)
#define CALLED_WITH(function, target) \
  M(function, "a = f32[4] parameter(0)\n" \
              "ROOT r = f32[4] custom-call(a), custom_call_target=\"" target \
              "\", called_computations={add}")
#define IOTA_AT(type, size, at, rest) \
  E("p = f32[" size "] parameter(0)\ni = " type "[" size "] iota(), iota_dimension=0\n" \
    "s = " type "[1] slice(i), slice={[" at ":" rest "]}\nj = " type "[] reshape(s)\n" \
    "ROOT r = f32[1] dynamic-slice(p, j), dynamic_slice_sizes={1}")
#define SLICE_AT(size, at, rest) \
  E("p = f32[" size "] parameter(0)\nROOT r = f32[1] slice(p), slice={[" at ":" rest "]}")
#define IOTA(type, size) E("ROOT r = " type "[" size "] iota(), iota_dimension=0")
#define DOT_BY(precision) \
  E("a = f32[2,3] parameter(0)\nb = f32[3,2] parameter(1)\nROOT r = f32[2,2] dot(a, b), " \
    "lhs_contracting_dims={1}, rhs_contracting_dims={0}" precision)
#define DOT_EXCHANGED_BY(precision) \
  E("a = f32[2,3] parameter(0)\nb = f32[3,2] parameter(1)\nd = f32[2,2] dot(b, a), " \
    "lhs_contracting_dims={0}, rhs_contracting_dims={1}" precision \
    "\nROOT r = f32[2,2] transpose(d), dimensions={1,0}")
#define BY(left, right) ", operand_precision={" left "," right "}"
#define HALVED \
  "less {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\no = s32[] constant(1)\n" \
  "a = s32[] shift-right-arithmetic(x, o)\nb = s32[] shift-right-arithmetic(y, o)\n" \
  "ROOT c = pred[] compare(a, b), direction=LT\n}\n"
#define LESS_REVERSED \
  "less {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\n" \
  "ROOT s = pred[] compare(y, x), direction=LT\n}\n"
#define NOT_MORE \
  "less {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\n" \
  "ROOT s = pred[] compare(x, y), direction=LE\n}\n"
#define SORTED(order, rest) \
  M(order, "a = s32[4,2] parameter(0)\n" \
           "ROOT s = s32[4,2] sort(a), dimensions={0}, to_apply=less" rest)
#define SORTED_ACROSS(order, rest) \
  M(order, "a = s32[4,2] parameter(0)\nt = s32[2,4] transpose(a), dimensions={1,0}\n" \
           "s = s32[2,4] sort(t), dimensions={1}, to_apply=less" rest \
           "\nROOT u = s32[4,2] transpose(s), dimensions={1,0}")

/* A custom call of the parameter, and of a copy of it. */
#define RAW(layout, attributes) \
  E("a = f32[2,3]" layout " parameter(0)\n" \
    "ROOT r = f32[6]{0} custom-call(a), custom_call_target=\"raw\"" attributes)
#define RAW_COPY(layout, attributes) \
  E("a = f32[2,3]{1,0} parameter(0)\nb = f32[2,3]" layout " copy(a)\n" \
    "ROOT r = f32[6]{0} custom-call(b), custom_call_target=\"raw\"" attributes)
#define RAW_TUPLE(layout) \
  E("a = f32[2,3]{1,0} parameter(0)\nb = f32[2,3]" layout " copy(a)\n" \
    "t = (f32[2,3]{1,0}, f32[2,3]" layout ") tuple(a, b)\n" \
    "ROOT r = f32[6]{0} custom-call(t), custom_call_target=\"raw\"")
#define CONSTRAINED ", operand_layout_constraints={f32[2,3]{0,1}}"

#define FOLD(in, out) \
  M("f {\nx = " in "[] parameter(0)\ny = " in "[] parameter(1)\nROOT s = " in "[] add(x, y)\n}\n", \
      "a = " out "[2] parameter(0)\nz = " out "[] constant(0)\n" \
      "ROOT r = " in "[] reduce(a, z), dimensions={0}, to_apply=f")
#define ZERO(in, out) E("a = " in "[2] parameter(0)\nROOT z = " out "[] constant(0)")
#define SUM_IN(type) \
  "f {\nx = " type "[] parameter(0)\ny = " type "[] parameter(1)\nROOT s = " type \
  "[] add(x, y)\n}\n"
/* Whether a sum is 257, which bf16 does not represent. */
#define IS_257(in, out) \
  M(SUM_IN(in), "p = u16[2] parameter(0)\na = f32[2] convert(p)\nz = f32[] constant(0)\n" \
                "r = " out "[] reduce(a, z), dimensions={0}, to_apply=f\nc = s32[] convert(r)\n" \
                "k = s32[] constant(257)\nROOT q = pred[] compare(c, k), direction=EQ")
#define NEVER E("p = u16[2] parameter(0)\nROOT q = pred[] constant(false)")
#define FOLD_257(in) \
  M(SUM_IN(in), "a = f32[2] constant({256, 1})\nz = f32[] constant(0)\n" \
                "ROOT r = f32[] reduce(a, z), dimensions={0}, to_apply=f")
#define CONSTANT_257 E("ROOT r = f32[] constant(257)")
#define SORTED_BESIDE(values) \
  M("less {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\n" \
    "ROOT s = pred[] compare(x, y), direction=LT\n}\n", \
      "a = f32[3] constant({" values "})\n" \
      "ROOT s = f32[3] sort(a), dimensions={0}, is_stable=true, to_apply=less")
#define CONSTANT(values) E("ROOT a = f32[3] constant({" values "})")
#define SORTED_LINES(direction) \
  M("less {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\n" \
    "ROOT s = pred[] compare(x, y), direction=" direction "\n}\n", \
      "a = s32[200000000,2] parameter(0)\n" \
      "ROOT s = s32[200000000,2] sort(a), dimensions={1}, to_apply=less")

/* 0/0 is a NaN of no literal. */
#define POWER_OF_NAN(rest) \
  E("p = f32[] parameter(0)\nn = f32[] constant(nan)\nz = f32[] constant(0)\n" \
    "o = f32[] constant(1)\nd = f32[] divide(p, p)\nw = f32[] power(n, z)\n" rest)
#define BY_FIRST ", lhs_contracting_dims={0}, rhs_contracting_dims={0}"
#define BY_ROW ", lhs_contracting_dims={1}, rhs_contracting_dims={0}"
#define UNSIGNED_PRODUCT(rest) E("p = u64[1,2] parameter(0)\nq = f32[2] parameter(1)\n" rest)

static const ValuesCase rows[] = {
    {"nan_beside_a_number_of_a_literal_nan", POWER_OF_NAN("ROOT r = f32[] multiply(w, d)"),
        POWER_OF_NAN("ROOT r = f32[] multiply(w, o)"), "fewer reads"},
    {"product_of_unsigned_numbers_and_floats", UNSIGNED_PRODUCT("ROOT r = f32[1] dot(p, q)" BY_ROW),
        UNSIGNED_PRODUCT("c = f32[1,2] convert(p)\nROOT r = f32[1] dot(c, q)" BY_ROW),
        "same reads"},
    {"product_of_floats_as_an_integer",
        E("a = f32[2] parameter(0)\nb = f32[2] parameter(1)\nROOT r = s32[] dot(a, b)" BY_FIRST),
        E("a = f32[2] parameter(0)\nb = f32[2] parameter(1)\nd = f32[] dot(a, b)" BY_FIRST
          "\nROOT r = s32[] convert(d)"),
        "unknown"},
    {"product_of_numbers_as_a_predicate",
        E("a = s32[1] parameter(0)\nb = s32[1] parameter(1)\nROOT r = pred[] dot(a, b)" BY_FIRST),
        E("a = s32[1] parameter(0)\nb = s32[1] parameter(1)\nd = s32[] dot(a, b)" BY_FIRST
          "\nROOT r = pred[] convert(d)"),
        "unknown"},
    {"function_of_a_narrower_parameter",
        M("f {\nx = bf16[] parameter(0)\nROOT y = f32[] convert(x)\n}\n",
            "a = f32[2] parameter(0)\nROOT r = f32[2] map(a), dimensions={0}, to_apply=f"),
        E("ROOT a = f32[2] parameter(0)"), "unknown"},
    {"elements_that_are_rounded_alike",
        E("a = f64[2,3] parameter(0)\nt = f32[3,2] transpose(a), dimensions={1,0}\n"
          "ROOT r = f32[6] reshape(t)"),
        E("a = f64[2,3] parameter(0)\nt = f64[3,2] transpose(a), dimensions={1,0}\n"
          "c = f32[3,2] copy(t)\nROOT r = f32[6] reshape(c)"),
        "same values"},
    {"fold_of_narrower_parameters", FOLD("bf16", "f32"), ZERO("f32", "bf16"), "different"},
    {"fold_of_arguments_that_are_no_narrower_floats", IS_257("bf16", "bf16"), NEVER, "fewer reads"},
    {"fold_whose_result_is_no_narrower_float", IS_257("f32", "bf16"), NEVER, "fewer reads"},
    {"fold_of_a_float_that_is_kept", IS_257("f32", "f32"), NEVER, "different"},
    {"fold_of_constants_that_are_no_narrower_floats", FOLD_257("bf16"), CONSTANT_257, "unknown"},
    {"fold_of_constants", FOLD_257("f32"), CONSTANT_257, "same values"},
    {"sort_of_a_nan_among_other_numbers", SORTED_BESIDE("1, nan, 2"), CONSTANT("2, nan, 1"),
        "unknown"},
    {"sort_of_numbers_and_a_nan", SORTED_BESIDE("nan, nan, nan"), CONSTANT("nan, 1, nan"),
        "different"},
    {"sort_of_more_lines_than_are_kept", SORTED_LINES("LT"), SORTED_LINES("GT"), "different"},
    {"fold_of_wider_parameters", FOLD("f32", "bf16"), ZERO("bf16", "f32"), "different"},
    {"product_of_unsigned_numbers_and_other_floats",
        UNSIGNED_PRODUCT("ROOT r = f32[1] dot(p, q)" BY_ROW),
        UNSIGNED_PRODUCT("s = f32[2] add(q, q)\nROOT r = f32[1] dot(p, s)" BY_ROW), "different"},
    {"text_like_a_called_computation",
        CALLED("custom_call_target=\"f\", backend_config=\"x={t 1\""),
        CALLED("custom_call_target=\"f\", backend_config=\"x={t 2\""), "unknown"},
    {"text_like_a_called_computation_before_the_target",
        CALLED("backend_config=\"x={t\", custom_call_target=\"f\""),
        CALLED("backend_config=\"x={t\", custom_call_target=\"g\""), "unknown"},
    {"target_like_a_called_computation", CALLED("custom_call_target=\"x={t_a\""),
        CALLED("custom_call_target=\"x={t_b\""), "unknown"},
    {"one_text_is_the_start_of_the_other", CALLED("custom_call_target=\"f\""),
        CALLED("custom_call_target=\"f\", backend_config=\"x={t\""), "unknown"},
    {"called_computation_that_is_exchanged", CALLED_WITH(ADD, "f"), CALLED_WITH(ADD_EXCHANGED, "f"),
        "unknown"},
    {"called_computation_that_is_another", CALLED_WITH(ADD, "f"),
        CALLED_WITH(
            "add {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] maximum(x, y)\n}\n",
            "f"),
        "unknown"},
    {"called_computation_of_another_target", CALLED_WITH(ADD, "f"), CALLED_WITH(ADD, "g"),
        "unknown"},
    {"custom_call_of_an_operand_of_another_layout", RAW("{1,0}", ""), RAW_COPY("{0,1}", ""),
        "unknown"},
    {"custom_call_of_an_operand_of_another_memory_space", RAW("{1,0}", ""),
        RAW_COPY("{1,0:S(1)}", ""), "unknown"},
    {"custom_call_of_a_tuple_of_another_layout", RAW_TUPLE("{1,0}"), RAW_TUPLE("{0,1}"), "unknown"},
    {"custom_call_of_an_operand_of_the_same_layout", RAW("{1,0}", ""), RAW_COPY("{1,0}", ""),
        "same values"},
    {"custom_call_of_an_operand_of_the_usual_layout", RAW("", ""), RAW_COPY("{1,0}", ""),
        "same values"},
    {"custom_call_that_states_its_layouts", RAW("{1,0}", CONSTRAINED),
        RAW_COPY("{0,1}", CONSTRAINED), "same values"},
    {"iota_that_wraps", IOTA_AT("u8", "300", "256", "257"), SLICE_AT("300", "256", "257"),
        "different"},
    {"iota_that_wraps_to_the_first", IOTA_AT("u8", "300", "256", "257"), SLICE_AT("300", "0", "1"),
        "same values"},
    {"iota_before_it_wraps", IOTA_AT("u8", "300", "255", "256"), SLICE_AT("300", "255", "256"),
        "same values"},
    {"iota_below_zero", IOTA_AT("s8", "300", "200", "201"), SLICE_AT("300", "0", "1"),
        "same values"},
    {"iota_of_four_bits",
        E("i = u4[20] iota(), iota_dimension=0\nROOT r = u4[4] slice(i), slice={[16:20]}"),
        IOTA("u4", "4"), "same values"},
    {"iota_of_eight_bits_of_floats",
        E("i = f8e4m3fn[20] iota(), iota_dimension=0\nROOT r = f8e4m3fn[4] slice(i), slice={[16:20]}"),
        IOTA("f8e4m3fn", "4"), "unknown"},
    {"iota_of_complex_numbers", IOTA("c64", "4"), IOTA("c64", "4"), "same values"},
    {"operands_of_one_precision", DOT_BY(BY("highest", "highest")),
        DOT_EXCHANGED_BY(BY("highest", "highest")), "same values"},
    {"operands_without_a_precision", DOT_BY(""), DOT_EXCHANGED_BY(""), "same values"},
    {"two_numbers_in_each_byte", DOT_BY(BY("packed_nibble", "packed_nibble")), DOT_BY(""),
        "unknown"},
    {"operands_of_two_precisions", DOT_BY(BY("highest", "default")),
        DOT_BY(BY("highest", "default")), "same values"},
    {"operands_of_two_precisions_exchanged", DOT_BY(BY("highest", "default")),
        DOT_EXCHANGED_BY(BY("highest", "default")), "same reads"},
    {"order_of_numbers", SORTED(LESS, ""), SORTED_ACROSS(LESS, ""), "same values"},
    {"order_of_numbers_downwards", SORTED(LESS_REVERSED, ""), SORTED_ACROSS(LESS_REVERSED, ""),
        "same values"},
    {"order_of_halved_numbers", SORTED(HALVED, ""), SORTED_ACROSS(HALVED, ""), "same reads"},
    {"order_of_halved_numbers_in_one_place", SORTED(HALVED, ""), SORTED(HALVED, ""), "same values"},
    {"stable_order_of_halved_numbers", SORTED(HALVED, ", is_stable=true"),
        SORTED_ACROSS(HALVED, ", is_stable=true"), "same values"},
    {"order_that_is_not_strict", SORTED(NOT_MORE, ""), SORTED_ACROSS(NOT_MORE, ""), "same reads"},
};

static void operations_are_told_apart(void **state) {
  (void)state;
  assert_int_equal(
      values_cases_faults(sizeof rows / sizeof *rows, rows, &(ValuesLimits){.grade = LAW_EXACT}),
      0);
}

/* The limit of the work is not reached here. */
static void an_argument_that_is_too_large_is_rejected(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  TermBuilder builder;
  uint64_t work = 0;
  Rejection rejection = {};
  Term term = no_term;
  const Computation *entry = values_case_entry(
      &bench, E("a = f32[5000000] parameter(0)\nb = f32[5000000] reverse(a), dimensions={0}\n"
                "ROOT r = f32[] custom-call(b), custom_call_target=\"f\""));
  assert_true(builder_create(&builder, bench.arena, terms_create(bench.arena), build_element, entry,
      false, &work, 10'000'000, &rejection));
  assert_false(build_opaque(&builder, builder.flow.root, 0, 0, &term));
  assert_int_equal(rejection.answer, REASON_TOO_LARGE);
  assert_string_equal(
      rejection.text, "too large: more than 4194304 elements are one argument (at reverse 'b')");
  bench_destroy(&bench);
}

/* A call with the results f32[] to 65,536 and a large array: no two elements are one term. */
static void elements_of_many_results_are_told_apart(void **state) {
  (void)state;
  static constexpr uint32_t most_results = 65'536;
  static constexpr int64_t most_elements = INT64_C(1) << 48;
  static const struct {
    uint32_t leaf;
    int64_t element;
    bool is_built;
  } places[] = {{1, 0, true}, {1, 1, true}, {1, most_elements - 1, true}, {1, most_elements, false},
      {2, 0, true}, {most_results - 1, 0, true}, {most_results, 0, false}, {0, 0, true}};
  OracleFixture bench = bench_create();
  TermBuilder builder;
  uint64_t work = 0;
  Rejection rejection = {};
  Term terms[sizeof places / sizeof *places];
  Text text = text_create(bench.arena);
  text_string(&text, "HloModule m\nENTRY e {\na = f32[4] parameter(0)\nROOT r = (f32[]");
  for (uint32_t i = 1; i <= most_results; i++)
    text_string(&text, i == 1 ? ", s8[281474976710657]" : ", f32[]");
  text_string(&text, ") custom-call(a), custom_call_target=\"f\"\n}\n");
  assert_true(builder_create(&builder, bench.arena, terms_create(bench.arena), build_element,
      values_case_entry(&bench, text.bytes), false, &work, 10'000'000, &rejection));
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    rejection = (Rejection){};
    terms[i] = no_term;
    assert_int_equal(
        build_opaque(&builder, builder.flow.root, places[i].leaf, places[i].element, &terms[i]),
        places[i].is_built);
    assert_true(places[i].is_built || rejection.answer == REASON_TOO_LARGE);
    for (size_t k = 0; k < i; k++)
      assert_true(!places[i].is_built || !places[k].is_built || terms[i] != terms[k]);
  }
  bench_destroy(&bench);
}

/* The element of each dimension is that of the clamped offset and the index within the slice. */
static void a_lookup_is_the_element_at_the_clamped_offsets(void **state) {
  (void)state;
  static const char *const modules[] = {
      E("x = f32[5000,6] parameter(0)\ni = s32[] parameter(1)\nj = s32[] parameter(2)\n"
        "ROOT r = f32[3,2] dynamic-slice(x, i, j), dynamic_slice_sizes={3,2}"),
      E("x = f32[5000,6] parameter(0)\ni = s32[2] parameter(1)\n"
        "ROOT r = f32[3,2] gather(x, i), offset_dims={0,1}, collapsed_slice_dims={}, "
        "start_index_map={0,1}, index_vector_dim=0, slice_sizes={3,2}")};
  static const int64_t offsets[] = {
      INT32_MIN, -5000, -1, 0, 1, 3, 4, 5, 2500, 4996, 4997, 4998, 4999, 5000, INT32_MAX};
  static constexpr size_t count = sizeof offsets / sizeof *offsets;
  for (size_t k = 0; k < count * count * 6 * 2; k++) {
    if (k % (count * count * 6) != 0 && k % 7 != 0) continue;
    OracleFixture bench = bench_create();
    TermBuilder builder;
    uint64_t work = 0;
    uint32_t rank;
    Rejection rejection = {};
    Term term, terms[oracle_max_rank];
    assert_true(builder_create(&builder, bench.arena, terms_create(bench.arena), build_element,
        values_case_entry(&bench, modules[k / (count * count * 6)]), false, &work, 1'000'000,
        &rejection));
    int64_t element = (int64_t)(k % 6),
            at[oracle_max_rank] = {offsets[k / 6 % count], offsets[k / 6 / count % count]};
    assert_true(dynamic_offsets(&builder, builder.flow.root, element, &rank, terms));
    assert_int_equal(rank, 2);
    assert_true(terms[0] != no_term && terms[1] != no_term && terms[0] != terms[1]);
    assert_true(dynamic_candidate(&builder, builder.flow.root, element, at, &term));
    int64_t row = at[0] < 0      ? 0
                  : at[0] > 4997 ? 4997
                                 : at[0],
            column = at[1] < 0   ? 0
                     : at[1] > 4 ? 4
                                 : at[1];
    assert_int_equal(term_data(builder.terms, term)->kind, TERM_ATOM);
    assert_int_equal(
        term_data(builder.terms, term)->payload, (row + element / 2) * 6 + column + element % 2);
    bench_destroy(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(operations_are_told_apart),
      cmocka_unit_test(an_argument_that_is_too_large_is_rejected),
      cmocka_unit_test(elements_of_many_results_are_told_apart),
      cmocka_unit_test(a_lookup_is_the_element_at_the_clamped_offsets)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
