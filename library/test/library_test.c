/* The C library as its callers see it: results, and that no argument ends the process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "include/affirm.h"

static AffirmContext *context;

static int library_begin(void **) {
  context = affirm_context_create();
  return context == nullptr ? -1 : 0;
}
static int library_end(void **) {
  affirm_context_destroy(context);
  return 0;
}

static const AffirmMap *library_parsed(const char *text) {
  const AffirmMap *map = affirm_map_parse(context, "<map>", text);
  if (map == nullptr) fail_msg("%s", affirm_error_text(context));
  return map;
}
static void expect_text(const char *text, const AffirmMap *map) {
  assert_non_null(map);
  assert_string_equal(affirm_map_text(context, map), text);
}
static void expect_error(AffirmErrorKind kind, const char *part) {
  assert_int_equal(affirm_error(context)->kind, kind);
  if (strstr(affirm_error(context)->message, part) == nullptr)
    fail_msg("'%s' is not in '%s'", part, affirm_error(context)->message);
  affirm_error_clear(context);
  assert_int_equal(affirm_error(context)->kind, AFFIRM_ERROR_NONE);
}

static void errors_have_the_position_in_the_input(void **) {
  assert_null(affirm_map_parse(context, "my.map", "(d0) -> (d0),\ndomain: d0 in [0, x]"));
  const AffirmError *error = affirm_error(context);
  assert_int_equal(error->kind, AFFIRM_ERROR_INPUT);
  assert_string_equal(error->source, "my.map");
  assert_int_equal(error->line, 2);
  assert_int_equal(error->column, 19);
  assert_non_null(strstr(affirm_error_text(context), "my.map:2:19: error: "));
  assert_non_null(strstr(affirm_error_text(context), "^"));
}

static void first_error_stays(void **) {
  assert_null(affirm_map_parse(context, "first", "("));
  assert_null(affirm_map_parse(context, "second", "("));
  assert_string_equal(affirm_error(context)->source, "first");
  expect_text(
      "(d0) -> (d0), domain: d0 in [0, 3]", library_parsed("(d0) -> (d0), domain: d0 in [0, 3]"));
  assert_string_equal(affirm_error(context)->source, "first");
}

static void parts_of_a_map_are_readable(void **) {
  const AffirmMap *map = library_parsed(
      "(d0, d1)[s0]{rt0} -> (d0 + rt0, s0), domain: d0 in [0, 9], d1 in [0, 3], s0 in [0, 7], rt0 in [0, 5], d0 + s0 in [1, 12]");
  AffirmInterval interval;
  assert_int_equal(affirm_map_state(map), AFFIRM_MAP_PLAIN);
  assert_int_equal(affirm_map_variable_count(map, AFFIRM_DIMENSION), 2);
  assert_int_equal(affirm_map_variable_count(map, AFFIRM_RANGE), 1);
  assert_int_equal(affirm_map_variable_count(map, AFFIRM_RUNTIME), 1);
  assert_int_equal(affirm_map_variable_count(map, (AffirmVariableKind)9), 0);
  assert_true(affirm_map_bounds(context, map, AFFIRM_RUNTIME, 0, &interval));
  assert_true(interval.lo == 0 && interval.hi == 5);
  assert_string_equal(affirm_map_result(context, map, 0), "d0 + rt0");
  assert_string_equal(affirm_map_constraint(context, map, 0, &interval), "d0 + s0");
  assert_true(interval.lo == 1 && interval.hi == 12);
  assert_null(affirm_map_result(context, map, 2));
  expect_error(AFFIRM_ERROR_INPUT, "there is no result 2");
  assert_false(affirm_map_bounds(context, map, AFFIRM_RANGE, 1, &interval));
  expect_error(AFFIRM_ERROR_INPUT, "there is no variable 1");
  assert_false(affirm_map_bounds(context, map, (AffirmVariableKind)9, 0, &interval));
  expect_error(AFFIRM_ERROR_INPUT, "there is no kind 9 of variables");
}

static void simplifying_records_its_steps(void **) {
  const AffirmTrace *trace;
  AffirmStep step;
  const AffirmMap *map = library_parsed("(d0) -> (d0 mod 8), domain: d0 in [0, 7]");
  expect_text("(d0) -> (d0), domain: d0 in [0, 7]", affirm_map_simplify(context, map, &trace));
  assert_true(affirm_trace_count(trace) >= 1);
  assert_true(affirm_trace_step(context, trace, 0, &step));
  assert_string_equal(step.rule, "mod-known");
  assert_string_equal(step.bindings, "c = 8, x = d0");
  assert_string_equal(step.before, "(d0) -> (d0 mod 8), domain: d0 in [0, 7]");
  assert_true(step.line > 0 && step.result == 0 && step.constraint == -1);
  assert_false(affirm_trace_step(context, trace, affirm_trace_count(trace), &step));
  expect_error(AFFIRM_ERROR_INPUT, "there is no step");
}

static void maps_are_composed_inverted_and_compared(void **) {
  const AffirmMap *a = library_parsed("(d0) -> (d0 + 1), domain: d0 in [0, 3]");
  const AffirmMap *b = library_parsed("(d0) -> (d0 * 2), domain: d0 in [0, 4]");
  const AffirmMap *both = affirm_map_simplify(context, affirm_map_compose(context, a, b), nullptr);
  AffirmVerdict verdict;
  expect_text("(d0) -> (d0 * 2 + 2), domain: d0 in [0, 3]", both);
  expect_text("(d0) -> (d0 - 1), domain: d0 in [1, 4]", affirm_map_inverse(context, a));
  assert_int_equal(affirm_maps_same(context, both, both, &verdict), AFFIRM_PROVED);
  assert_string_equal(verdict.verdict, "proved");
  assert_int_equal(affirm_maps_same(context, a, both, &verdict), AFFIRM_REFUTED);
  assert_string_equal(verdict.verdict, "refuted");
  assert_non_null(strstr(verdict.text, "d0"));
  assert_int_equal(affirm_maps_same_relation(context, a, a, nullptr), AFFIRM_PROVED);
  assert_int_equal(affirm_maps_contained(context,
                       library_parsed("(d0) -> (d0 + 1), domain: d0 in [1, 2]"), a, nullptr),
      AFFIRM_PROVED);
  assert_int_equal(affirm_maps_contained(context, a, both, nullptr), AFFIRM_REFUTED);
  assert_int_equal(affirm_map_injective(context, a, nullptr), AFFIRM_PROVED);
  assert_int_equal(
      affirm_map_injective(context, library_parsed("(d0) -> (0), domain: d0 in [0, 3]"), nullptr),
      AFFIRM_REFUTED);
  const AffirmMap *undefined = library_parsed("UNDEFINED");
  assert_int_equal(affirm_maps_same(context, undefined, undefined, &verdict), AFFIRM_UNKNOWN);
}

static void points_are_all_those_of_the_bounds(void **) {
  const AffirmMap *map = library_parsed(
      "(d0)[s0] -> (d0 * 10 + s0), domain: d0 in [0, 2], s0 in [0, 3], d0 + s0 in [0, 3]");
  int64_t values[2], result, sum = 0;
  uint64_t count = 0, inside = 0;
  for (bool more = affirm_points_begin(map, 2, values); more;
      more = affirm_points_next(map, 2, values)) {
    AffirmPoint point = affirm_map_evaluate(context, map, 2, values, &result);
    if (point == AFFIRM_POINT_INSIDE) {
      inside++;
      sum += result;
    } else {
      assert_int_equal(point, AFFIRM_POINT_OUTSIDE);
    }
  }
  assert_true(affirm_map_point_count(context, map, &count));
  assert_int_equal(inside, 9); /* 4 + 3 + 2 */
  assert_int_equal(count, 9);
  assert_int_equal(sum, 6 + 33 + 41);
  AffirmInterval bounds;
  assert_true(affirm_map_image(context, map, &bounds));
  assert_true(bounds.lo <= 0 && bounds.hi >= 21);
  assert_int_equal(affirm_map_evaluate(context, map, 1, values, &result), AFFIRM_POINT_ERROR);
  expect_error(AFFIRM_ERROR_INPUT, "1 values for a map of 2 variables");
  assert_false(affirm_points_begin(map, 1, values));
}

static const char reverse[] =
    "HloModule m\nENTRY e {\n  p = f32[4,3] parameter(0)\n  ROOT r = f32[4,3] reverse(p), dimensions={0}\n}\n";

static void maps_of_an_operand_are_judged(void **) {
  const AffirmModule *module = affirm_module_read(context, "m.hlo", reverse);
  assert_non_null(module);
  AffirmQuestion question = {.instruction = affirm_module_root(module)};
  assert_string_equal(affirm_instruction_opcode(question.instruction), "reverse");
  assert_ptr_equal(affirm_module_find(context, module, "r"), question.instruction);
  assert_int_equal(affirm_module_instruction_count(module), 2);
  assert_non_null(strstr(affirm_instruction_text(context, question.instruction), "reverse("));
  const AffirmMaps *maps = affirm_maps_compute(context, &question);
  AffirmVerdict verdict;
  assert_int_equal(affirm_maps_count(maps), 1);
  assert_null(affirm_maps_reason(maps));
  expect_text("(d0, d1) -> (-d0 + 3, d1), domain: d0 in [0, 3], d1 in [0, 2]",
      affirm_maps_at(context, maps, 0));
  assert_int_equal(affirm_maps_judge(context, &question, maps, &verdict), AFFIRM_PROVED);
  assert_string_equal(verdict.verdict, "exact");

  const AffirmMap *wrong =
      library_parsed("(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 2]");
  maps = affirm_maps_create(context, 1, &wrong);
  assert_int_equal(affirm_maps_judge(context, &question, maps, &verdict), AFFIRM_REFUTED);
  assert_string_equal(verdict.verdict, "wrong");
  const AffirmMap *misfit = library_parsed("(d0) -> (d0), domain: d0 in [0, 3]");
  maps = affirm_maps_create(context, 1, &misfit);
  assert_int_equal(affirm_maps_judge(context, &question, maps, &verdict), AFFIRM_FAILED);
  expect_error(AFFIRM_ERROR_INPUT, "map 0 goes from 1 to 1 dimensions");
}

static void questions_outside_the_instruction_are_errors(void **) {
  const AffirmModule *module = affirm_module_read(context, "m.hlo", reverse);
  const AffirmInstruction *root = affirm_module_root(module);
  assert_null(affirm_maps_compute(context, &(AffirmQuestion){.instruction = root, .operand = 1}));
  expect_error(AFFIRM_ERROR_INPUT, "there is no operand 1");
  assert_null(affirm_maps_compute(context, &(AffirmQuestion){.instruction = root, .output = 1}));
  expect_error(AFFIRM_ERROR_INPUT, "there is no output 1");
  assert_null(
      affirm_maps_compute(context, &(AffirmQuestion){.instruction = root, .operand_leaf = 7}));
  expect_error(AFFIRM_ERROR_INPUT, "there is no operand leaf 7");
  assert_null(affirm_maps_compute(
      context, &(AffirmQuestion){.instruction = root, .direction = (AffirmDirection)5}));
  expect_error(AFFIRM_ERROR_INPUT, "there is no direction 5");
  assert_null(affirm_module_find(context, module, "q"));
  expect_error(AFFIRM_ERROR_INPUT, "there is no instruction q");
}

static void modules_are_compared_by_value(void **) {
  static const char twice[] =
      "HloModule m\nENTRY e {\n  p = f32[4,3] parameter(0)\n  a = f32[4,3] reverse(p), dimensions={1}\n"
      "  b = f32[4,3] reverse(a), dimensions={0}\n  ROOT r = f32[4,3] reverse(b), dimensions={1}\n}\n";
  static const char other[] =
      "HloModule m\nENTRY e {\n  p = f32[4,3] parameter(0)\n  ROOT r = f32[4,3] reverse(p), dimensions={1}\n}\n";
  const AffirmModule *a = affirm_module_read(context, "a", reverse),
                     *b = affirm_module_read(context, "b", twice),
                     *c = affirm_module_read(context, "c", other);
  AffirmVerdict verdict;
  assert_int_equal(affirm_module_output_count(a), 1);
  assert_int_equal(
      affirm_modules_equivalent(context, a, b, AFFIRM_LAWS_EXACT, 0, &verdict), AFFIRM_PROVED);
  assert_int_equal(
      affirm_modules_equivalent(context, a, c, AFFIRM_LAWS_EXACT, 0, &verdict), AFFIRM_REFUTED);
  assert_non_null(strstr(verdict.text, " before, "));
  assert_int_equal(
      affirm_modules_equivalent(context, a, b, AFFIRM_LAWS_EXACT, 1, &verdict), AFFIRM_FAILED);
  expect_error(AFFIRM_ERROR_INPUT, "there is no output 1");
}

/* The oracle's limit of elements is below the size of these arrays, so only a proof decides. */
static void modules_at_production_sizes_are_proved(void **) {
  static const char once[] = "HloModule m\nENTRY e {\n  p = f32[40960,3072] parameter(0)\n"
                             "  ROOT t = f32[3072,40960] transpose(p), dimensions={1,0}\n}\n";
  static const char thrice[] = "HloModule m\nENTRY e {\n  p = f32[40960,3072] parameter(0)\n"
                               "  a = f32[3072,40960] transpose(p), dimensions={1,0}\n"
                               "  b = f32[40960,3072] transpose(a), dimensions={1,0}\n"
                               "  ROOT t = f32[3072,40960] transpose(b), dimensions={1,0}\n}\n";
  static const char unknown_size[] =
      "HloModule m\nENTRY e {\n  p = f32[?,4] parameter(0)\n  ROOT n = f32[?,4] negate(p)\n}\n";
  const AffirmModule *a = affirm_module_read(context, "a", once),
                     *b = affirm_module_read(context, "b", thrice),
                     *c = affirm_module_read(context, "c", unknown_size);
  AffirmVerdict verdict;
  assert_int_equal(
      affirm_modules_equivalent(context, a, b, AFFIRM_LAWS_EXACT, 0, &verdict), AFFIRM_PROVED);
  assert_int_equal(
      affirm_modules_equivalent(context, c, c, AFFIRM_LAWS_EXACT, 0, &verdict), AFFIRM_PROVED);
}

static void rules_are_proved_and_refuted(void **) {
  const AffirmRules *rules = affirm_rules_parse(context, "my.rules",
      "rule fine\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) < c\n"
      "rule wide\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) <= c\n");
  AffirmVerdict verdict;
  assert_int_equal(affirm_rules_count(rules), 2);
  assert_string_equal(affirm_rule_name(context, rules, 1), "wide");
  assert_int_equal(affirm_rule_prove(context, rules, 0, &verdict), AFFIRM_PROVED);
  assert_int_equal(affirm_rule_prove(context, rules, 1, &verdict), AFFIRM_REFUTED);
  assert_non_null(strstr(verdict.text, "left"));
  assert_int_equal(affirm_rule_prove(context, rules, 2, &verdict), AFFIRM_FAILED);
  expect_error(AFFIRM_ERROR_INPUT, "there is no rule 2");
}

static void null_arguments_are_errors(void **) {
  assert_null(affirm_map_text(context, affirm_map_simplify(context, nullptr, nullptr)));
  expect_error(AFFIRM_ERROR_INPUT, "map is null");
  assert_null(affirm_map_parse(context, nullptr, "x"));
  expect_error(AFFIRM_ERROR_INPUT, "name is null");
  assert_int_equal(affirm_maps_same(context, nullptr, nullptr, nullptr), AFFIRM_FAILED);
  assert_null(affirm_map_parse(nullptr, "a", "b"));
  assert_int_equal(affirm_error(nullptr)->kind, AFFIRM_ERROR_INPUT);
  assert_int_equal(affirm_map_state(nullptr), AFFIRM_MAP_UNDEFINED);
  assert_non_null(affirm_maps_reason(affirm_maps_compute(context, nullptr)));
  affirm_error_clear(context);
  assert_null(affirm_module_root(nullptr));
  affirm_context_destroy(nullptr);
}

/* Each error names the function that the caller has called. */
static void errors_name_the_public_function(void **) {
  uint64_t count;
  AffirmInterval bounds;
  assert_null(affirm_map_drop_unused(context, nullptr));
  expect_error(AFFIRM_ERROR_INPUT, "affirm_map_drop_unused: map is null");
  assert_null(affirm_map_inverse(context, nullptr));
  expect_error(AFFIRM_ERROR_INPUT, "affirm_map_inverse: map is null");
  assert_false(affirm_map_point_count(context, nullptr, &count));
  expect_error(AFFIRM_ERROR_INPUT, "affirm_map_point_count: map is null");
  assert_false(affirm_map_image(context, nullptr, &bounds));
  expect_error(AFFIRM_ERROR_INPUT, "affirm_map_image: map is null");
  assert_int_equal(affirm_map_injective(context, nullptr, nullptr), AFFIRM_FAILED);
  expect_error(AFFIRM_ERROR_INPUT, "affirm_map_injective: map is null");
}

/* What affirm prove accepts; one rule that does not parse is an error of the whole text. */
static void statements_are_rules(void **) {
  AffirmVerdict verdict;
  const AffirmRules *rules = affirm_rules_parse(context, "my.rules",
      "rule right x => x + k - k\nconstant i; expression s\nrule declared s + i - i => s\n");
  assert_int_equal(affirm_rules_count(rules), 2);
  assert_int_equal(affirm_rule_prove(context, rules, 0, &verdict), AFFIRM_PROVED);
  assert_string_equal(verdict.text, "all values");
  assert_int_equal(affirm_rule_prove(context, rules, 1, nullptr), AFFIRM_PROVED);
  assert_null(affirm_rules_parse(
      context, "my.rules", "rule good x => x\nrule bad x => \nrule worse x =>\n"));
  assert_int_equal(affirm_error(context)->line, 3);
  affirm_error_clear(context);
}

static void maps_without_points_are_values(void **) {
  const AffirmMap *empty = library_parsed("KNOWN EMPTY"), *undefined = library_parsed("UNDEFINED");
  uint64_t count = 7;
  int64_t value = 0;
  AffirmInterval bounds;
  assert_int_equal(affirm_map_state(empty), AFFIRM_MAP_KNOWN_EMPTY);
  assert_true(affirm_map_point_count(context, empty, &count));
  assert_int_equal(count, 0);
  assert_false(affirm_points_begin(empty, 0, &value));
  assert_int_equal(affirm_map_evaluate(context, empty, 0, &value, &value), AFFIRM_POINT_OUTSIDE);
  expect_text("KNOWN EMPTY", affirm_map_simplify(context, empty, nullptr));
  expect_text("UNDEFINED", affirm_map_simplify(context, undefined, nullptr));
  assert_int_equal(affirm_map_injective(context, undefined, nullptr), AFFIRM_UNKNOWN);
  (void)affirm_map_image(context, empty, &bounds);
  (void)affirm_map_image(context, undefined, &bounds);
  (void)affirm_map_inverse(context, empty);
  (void)affirm_map_inverse(context, undefined);
  (void)affirm_map_compose(context, undefined, empty);
  affirm_error_clear(context);
  assert_null(affirm_maps_create(context, 1, &undefined));
  expect_error(AFFIRM_ERROR_INPUT, "map 0 is undefined");
  const int64_t negative = -1;
  assert_null(affirm_map_identity(context, 1, &negative));
  expect_error(AFFIRM_ERROR_INPUT, "size 0 is -1");
  assert_null(affirm_map_identity(context, 1'000'000, &negative));
  expect_error(AFFIRM_ERROR_LIMIT, "rank 1000000: a map has at most 1000 dimensions");
  int64_t sizes[1000];
  for (size_t i = 0; i < 1000; i++) sizes[i] = 1;
  assert_int_equal(
      affirm_map_variable_count(affirm_map_identity(context, 1000, sizes), AFFIRM_DIMENSION), 1000);
}

/* As many intervals as results; none if the simplifier finds the domain empty. */
static void images_are_of_domains_with_points(void **) {
  AffirmInterval bounds = {-1, -1};
  assert_false(affirm_map_image(context,
      library_parsed("(d0) -> (d0), domain: d0 in [0, 9], d0 mod 4 in [1, 1], d0 mod 4 in [2, 2]"),
      &bounds));
  assert_int_equal(affirm_error(context)->kind, AFFIRM_ERROR_NONE);
  assert_int_equal(bounds.lo, -1);
  assert_true(affirm_map_image(
      context, library_parsed("(d0) -> (d0), domain: d0 in [0, 9], d0 mod 4 in [1, 1]"), &bounds));
  assert_true(bounds.lo <= 1 && bounds.hi >= 9);
  assert_true(affirm_map_image(context, library_parsed("() -> ()"), nullptr));
  assert_false(affirm_map_image(context, library_parsed("() -> (3)"), nullptr));
  expect_error(AFFIRM_ERROR_INPUT, "affirm_map_image: bounds is null");
}

static void reset_frees_and_the_context_works_on(void **) {
  for (int i = 0; i < 3; i++) {
    maps_are_composed_inverted_and_compared(nullptr);
    maps_of_an_operand_are_judged(nullptr);
    assert_null(affirm_map_parse(context, "first", "("));
    affirm_context_reset(context);
    assert_int_equal(affirm_error(context)->kind, AFFIRM_ERROR_NONE);
  }
}

/* A failed count sets no number, not even 0. */
static void points_that_are_not_counted_are_an_error(void **) {
  uint64_t count = 7;
  assert_false(affirm_map_point_count(context,
      library_parsed("(d0, d1) -> (d0), domain: d0 in [0, 4611686018427387904], "
                     "d1 in [0, 4611686018427387904]"),
      &count));
  assert_int_equal(count, 7);
  expect_error(AFFIRM_ERROR_OVERFLOW, "the number of points leaves 64 bits");
  assert_false(affirm_map_point_count(context, library_parsed("UNDEFINED"), &count));
  expect_error(AFFIRM_ERROR_UNSUPPORTED, "an undefined map has no number of points");
  assert_true(affirm_map_point_count(context, library_parsed("KNOWN EMPTY"), &count));
  assert_int_equal(count, 0);
}

/* Values outside the bounds have no next point, also in builds with assertions. */
static void points_outside_have_no_next(void **) {
  const AffirmMap *map =
      library_parsed("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 2], s0 in [0, 3]");
  int64_t below[2] = {1, -5}, above[2] = {100, 0}, far[2] = {INT64_MAX, INT64_MIN};
  assert_false(affirm_points_next(map, 2, below));
  assert_false(affirm_points_next(map, 2, above));
  assert_false(affirm_points_next(map, 2, far));
  assert_int_equal(below[1], -5);
}

/* A failed call leaves no old result, and its verdict's text survives affirm_error_clear. */
static void results_of_an_error_stay(void **) {
  const AffirmTrace *trace = (const AffirmTrace *)&context;
  AffirmVerdict verdict;
  assert_null(affirm_map_simplify(context, nullptr, &trace));
  assert_null(trace);
  affirm_error_clear(context);
  assert_int_equal(affirm_maps_same(context, nullptr, nullptr, &verdict), AFFIRM_FAILED);
  expect_error(AFFIRM_ERROR_INPUT, "affirm_maps_same: a is null");
  assert_string_equal(verdict.text, "affirm_maps_same: a is null");
}

/* Expressions are numbers in their context: d0 + 9 of one context is d0 + 7 of another. */
static void things_of_another_context_are_errors(void **) {
  AffirmContext *other = affirm_context_create();
  const AffirmMap *nine =
      affirm_map_parse(other, "<map>", "(d0) -> (d0 + 9), domain: d0 in [0, 3]");
  const AffirmMap *seven = library_parsed("(d0) -> (d0 + 7), domain: d0 in [0, 3]");
  assert_int_equal(affirm_maps_same(context, seven, nine, nullptr), AFFIRM_FAILED);
  expect_error(AFFIRM_ERROR_INPUT, "affirm_maps_same: b is not of this context");
  assert_null(affirm_map_simplify(context, nine, nullptr));
  expect_error(AFFIRM_ERROR_INPUT, "affirm_map_simplify: map is not of this context");
  assert_null(affirm_maps_create(context, 1, &nine));
  expect_error(AFFIRM_ERROR_INPUT, "is not of this context");
  const AffirmModule *module = affirm_module_read(
      other, "<module>", "HloModule m\nENTRY e {\n  ROOT p = f32[3] parameter(0)\n}\n");
  assert_null(affirm_module_text(context, module));
  expect_error(AFFIRM_ERROR_INPUT, "affirm_module_text: module is not of this context");
  assert_non_null(affirm_module_text(other, module));
  affirm_context_destroy(other);
  expect_text("KNOWN EMPTY", library_parsed("KNOWN EMPTY"));
  affirm_context_reset(context);
  assert_null(affirm_map_text(context, seven));
  expect_error(AFFIRM_ERROR_INPUT, "affirm_map_text: map is not of this context");
}

/* An error names the called function and no other. */
static void null_arguments_name_the_function(void **) {
  const AffirmMaps *none = affirm_maps_create(context, 0, nullptr);
  const AffirmMap *map = library_parsed("(d0) -> (d0), domain: d0 in [0, 3]");
  assert_null(affirm_map_text(context, nullptr));
  expect_error(AFFIRM_ERROR_INPUT, "affirm_map_text: map is null");
  assert_int_equal(affirm_maps_contained(context, map, nullptr, nullptr), AFFIRM_FAILED);
  expect_error(AFFIRM_ERROR_INPUT, "affirm_maps_contained: outer is null");
  assert_null(affirm_maps_compute(context, &(AffirmQuestion){}));
  expect_error(AFFIRM_ERROR_INPUT, "affirm_maps_compute: question->instruction is null");
  assert_int_equal(affirm_maps_judge(context, nullptr, none, nullptr), AFFIRM_FAILED);
  expect_error(AFFIRM_ERROR_INPUT, "affirm_maps_judge: question is null");
  assert_null(affirm_rule_text(context, nullptr, 0));
  expect_error(AFFIRM_ERROR_INPUT, "affirm_rule_text: rules is null");
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define UNIT(name) cmocka_unit_test_setup_teardown(name, library_begin, library_end)
      UNIT(things_of_another_context_are_errors),
      UNIT(points_that_are_not_counted_are_an_error),
      UNIT(points_outside_have_no_next),
      UNIT(results_of_an_error_stay),
      UNIT(null_arguments_name_the_function),
      UNIT(errors_have_the_position_in_the_input),
      UNIT(first_error_stays),
      UNIT(parts_of_a_map_are_readable),
      UNIT(simplifying_records_its_steps),
      UNIT(maps_are_composed_inverted_and_compared),
      UNIT(points_are_all_those_of_the_bounds),
      UNIT(maps_of_an_operand_are_judged),
      UNIT(questions_outside_the_instruction_are_errors),
      UNIT(modules_are_compared_by_value),
      UNIT(modules_at_production_sizes_are_proved),
      UNIT(rules_are_proved_and_refuted),
      UNIT(null_arguments_are_errors),
      UNIT(errors_name_the_public_function),
      UNIT(statements_are_rules),
      UNIT(maps_without_points_are_values),
      UNIT(images_are_of_domains_with_points),
      UNIT(reset_frees_and_the_context_works_on),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
