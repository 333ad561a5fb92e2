/* Differences that refute nothing: under indices that break a promise of a graph, and with initial
 * values that are neutral for no fold or are computed. Each has a neighbor that is refuted. */
#include "oracle/equivalence/test/values_cases.h"

#define PROMISED(lines) \
  "HloModule m\nadd {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n ROOT c = s32[] add(a, b)\n}\n" \
  "or {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n ROOT c = s32[] or(a, b)\n}\n" \
  "less {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n ROOT c = pred[] compare(a, b), direction=LT\n}\n" \
  "ENTRY e {\n i = s32[2] parameter(0)\n u = s32[2] parameter(1)\n z = s32[] constant(0)\n" \
  " one = s32[] constant(1)\n zeros = s32[4] broadcast(z), dimensions={}\n" \
  " ones = s32[4] broadcast(one), dimensions={}\n j = s32[2,1] reshape(i)\n" lines "}\n"
#define SCATTER(into, indices, function) \
  " ROOT r = s32[4] scatter(" into ", " indices ", u), update_window_dims={}, " \
  "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=" function
#define WINDOWS(indices, function) \
  " w = s32[2,2] broadcast(u), dimensions={0}\n ROOT r = s32[4] scatter(zeros, " indices ", w), " \
  "update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, " \
  "index_vector_dim=1, to_apply=" function
#define GATHER(indices) \
  " k = s32[2,1] reshape(" indices ")\n ROOT r = s32[2] gather(u, k), offset_dims={}, " \
  "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}"
#define UNIQUE ", unique_indices=true\n"
#define SORTED ", indices_are_sorted=true\n"
#define SORTS " s = s32[2] sort(i), dimensions={0}, to_apply=less\n"
#define REVERSED " v = s32[2] reverse(i), dimensions={0}\n"

static const ValuesCase promised_cases[] = {
    {"sum_of_unique_updates", PROMISED(SCATTER("zeros", "j", "add") UNIQUE),
        PROMISED(SCATTER("zeros", "j", "or") UNIQUE), "unknown"},
    {"sum_of_any_updates", PROMISED(SCATTER("zeros", "j", "add") "\n"),
        PROMISED(SCATTER("zeros", "j", "or") "\n"), "different"},
    {"sum_of_updates_unique_before", PROMISED(SCATTER("zeros", "j", "add") UNIQUE),
        PROMISED(SCATTER("zeros", "j", "or") "\n"), "unknown"},
    {"sum_of_unique_updates_and_ones", PROMISED(SCATTER("ones", "j", "add") UNIQUE),
        PROMISED(SCATTER("ones", "j", "or") UNIQUE), "different"},
    {"unique_windows_overlap", PROMISED(WINDOWS("j", "add") UNIQUE),
        PROMISED(WINDOWS("j", "or") UNIQUE), "unknown"},
    {"sorted_indices_sorted", PROMISED(GATHER("i") SORTED), PROMISED(SORTS GATHER("s") SORTED),
        "unknown"},
    {"indices_sorted", PROMISED(GATHER("i") "\n"), PROMISED(SORTS GATHER("s") "\n"), "different"},
    {"sorted_indices_reversed", PROMISED(GATHER("i") SORTED), PROMISED(REVERSED GATHER("v") "\n"),
        "different"},
};

static void differences_keep_promises(void **) {
  ValuesLimits limits = {};
  assert_int_equal(
      values_cases_faults(sizeof promised_cases / sizeof *promised_cases, promised_cases, &limits),
      0);
}

/* Of a loop's or a function's promise nothing is known. */
static void promises_of_functions_are_not_shown(void **) {
#define MAPPED(value, promise) \
  "HloModule m\nf {\n a = s32[] parameter(0)\n i = s32[1] constant({0})\n" \
  " x = s32[1] broadcast(a), dimensions={}\n" \
  " g = s32[] gather(x, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, " \
  "index_vector_dim=0, slice_sizes={1}" promise "\n c = s32[] constant(" value ")\n" \
  " ROOT s = s32[] add(g, c)\n}\nENTRY e {\n x = s32[2] parameter(0)\n" \
  " ROOT r = s32[2] map(x), dimensions={0}, to_apply=f\n}\n"
  static const ValuesCase cases[] = {
      {"with_promise", MAPPED("1", ", indices_are_sorted=true"), MAPPED("2", ""), "unknown"},
      {"without", MAPPED("1", ""), MAPPED("2", ""), "different"},
  };
  ValuesLimits limits = {};
  assert_int_equal(values_cases_faults(sizeof cases / sizeof *cases, cases, &limits), 0);
}

/* The body of an operation in two halves runs once, also where both halves name it. */
#define IN_HALVES(lines, promise, calls) \
  "HloModule m\ng {\n i = s32[2] parameter(0)\n u = s32[2] parameter(1)\n" lines \
  " k = s32[2,1] reshape(v)\n ROOT r = s32[2] gather(u, k), offset_dims={}, " \
  "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}" promise \
  "\n}\nENTRY e {\n i = s32[2] parameter(0)\n u = s32[2] parameter(1)\n" \
  " s = ((s32[2], s32[2]), s32[2], u32[]) async-start(i, u), calls=g\n" \
  " ROOT d = s32[2] async-done(s)" calls "\n}\n"
#define STRAIGHT " v = s32[2] copy(i)\n"

static void promises_in_two_halves_are_shown(void **) {
  static const ValuesCase cases[] = {
      {"reversed", IN_HALVES(STRAIGHT, ", indices_are_sorted=true", ""),
          IN_HALVES(REVERSED, "", ""), "different"},
      {"reversed, named twice", IN_HALVES(STRAIGHT, ", indices_are_sorted=true", ", calls=g"),
          IN_HALVES(REVERSED, "", ", calls=g"), "different"},
      {"the same", IN_HALVES(STRAIGHT, ", indices_are_sorted=true", ", calls=g"),
          IN_HALVES(STRAIGHT, "", ""), "same values"},
  };
  ValuesLimits limits = {};
  assert_int_equal(values_cases_faults(sizeof cases / sizeof *cases, cases, &limits), 0);
}

/* The same computation, called by the entry with constants and by a loop with a parameter. */
#define CALLED_TWICE(function) \
  "HloModule m\nadd {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n ROOT c = s32[] add(a, b)\n}\n" \
  "or {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n ROOT c = s32[] or(a, b)\n}\n" \
  "g {\n i = s32[2,1] parameter(0)\n u = s32[2] constant({1, 1})\n z = s32[4] constant({0, 0, 0, 0})\n" \
  " ROOT r = s32[4] scatter(z, i, u), update_window_dims={}, inserted_window_dims={0}, " \
  "scatter_dims_to_operand_dims={0}, index_vector_dim=1, unique_indices=true, to_apply=" function \
  "\n}\n" \
  "body {\n s = (s32[], s32[2,1], s32[4]) parameter(0)\n i = s32[] get-tuple-element(s), index=0\n" \
  " k = s32[] constant(1)\n j = s32[] add(i, k)\n x = s32[2,1] get-tuple-element(s), index=1\n" \
  " y = s32[4] call(x), to_apply=g\n ROOT t = (s32[], s32[2,1], s32[4]) tuple(j, x, y)\n}\n" \
  "more {\n s = (s32[], s32[2,1], s32[4]) parameter(0)\n i = s32[] get-tuple-element(s), index=0\n" \
  " k = s32[] constant(1)\n ROOT c = pred[] compare(i, k), direction=LT\n}\n" \
  "ENTRY e {\n p = s32[2,1] parameter(0)\n q = s32[2,1] constant({{0}, {1}})\n o = s32[] constant(0)\n" \
  " a = s32[4] call(q), to_apply=g\n s = (s32[], s32[2,1], s32[4]) tuple(o, p, a)\n" \
  " w = (s32[], s32[2,1], s32[4]) while(s), condition=more, body=body\n" \
  " ROOT r = s32[4] get-tuple-element(w), index=2\n}\n"

static void a_promise_in_a_loop_is_not_shown_by_another_call(void **) {
  static const ValuesCase cases[] = {
      {"called_twice", CALLED_TWICE("add"), CALLED_TWICE("or"), "unknown"}};
  ValuesLimits limits = {};
  assert_int_equal(values_cases_faults(sizeof cases / sizeof *cases, cases, &limits), 0);
}

#define FOLDS(lines) \
  "HloModule m\nadd {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n ROOT c = s32[] add(a, b)\n}\n" \
  "mul {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n ROOT c = s32[] multiply(a, b)\n}\n" \
  "ENTRY e {\n x = s32[2,2] parameter(0)\n p = s32[] parameter(1)\n n = s32[] negate(p)\n" lines \
  "}\n"
#define ONCE(init) " r = s32[] reduce(x, " init "), dimensions={0,1}, to_apply=add\n"
#define TWICE(init) \
  " q = s32[2] reduce(x, " init "), dimensions={1}, to_apply=add\n" \
  " r = s32[] reduce(q, " init "), dimensions={0}, to_apply=add\n"
#define PRODUCT(init) " m = s32[] reduce(x, " init "), dimensions={0,1}, to_apply=mul\n"
#define BOTH " ROOT t = s32[] xor(m, r)\n"
#define ALONE " ROOT t = s32[] copy(r)\n"
#define NEGATED " ROOT t = s32[] negate(r)\n"

static const ValuesCase fold_cases[] = {
    {"parameter", FOLDS(ONCE("p") ALONE), FOLDS(TWICE("p") ALONE), "same reads"},
    {"parameter_of_two_folds", FOLDS(PRODUCT("p") ONCE("p") BOTH),
        FOLDS(PRODUCT("p") TWICE("p") BOTH), "unknown"},
    {"computed", FOLDS(ONCE("n") ALONE), FOLDS(TWICE("n") ALONE), "same reads"},
    {"constant", FOLDS(" c = s32[] constant(5)\n" ONCE("c") ALONE),
        FOLDS(" c = s32[] constant(5)\n" TWICE("c") ALONE), "different"},
    {"neutral_constant", FOLDS(" c = s32[] constant(0)\n" PRODUCT("p") ONCE("c") BOTH),
        FOLDS(" c = s32[] constant(0)\n" PRODUCT("p") TWICE("c") ALONE), "different"},
    {"computed_and_negated", FOLDS(ONCE("n") ALONE), FOLDS(TWICE("n") NEGATED), "different"},
};

static void initial_values_are_folded_any_number_of_times(void **) {
  ValuesLimits limits = {};
  assert_int_equal(
      values_cases_faults(sizeof fold_cases / sizeof *fold_cases, fold_cases, &limits), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(differences_keep_promises),
      cmocka_unit_test(promises_of_functions_are_not_shown),
      cmocka_unit_test(promises_in_two_halves_are_shown),
      cmocka_unit_test(a_promise_in_a_loop_is_not_shown_by_another_call),
      cmocka_unit_test(initial_values_are_folded_any_number_of_times)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
