/* Laws of arithmetic. A line of core/rules/values.laws is applied at its own grade, mostly on these
 * graphs, and at no stricter grade. With another variable or constant at one position it is another
 * claim and proves nothing. The solver decides for each type whether a law holds. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/file.h"
#include "core/base/test/length.h"
#include "core/hlo/test/law_modules.h"
#include "smt/values/test/values_status.h"

static const Computation *graph_of(const char *side, const char *type, int changed) {
  return values_entry(law_module(side, type, changed, nullptr));
}

static bool are_proved(const Computation *before, const Computation *after, LawGrade grade) {
  return values_status(before, after, grade) == VERDICT_PROVED;
}

/* The names of the laws that the proof uses; nullptr: it is not proved. */
static const char *laws_used(const Computation *before, const Computation *after, LawGrade grade) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  SmtValues *values = smt_values_create(smt, before, after, grade);
  Verdict verdict;
  Error error = {};
  const char *used = nullptr;
  assert_true(smt_values_query(values, 0, &verdict, &error));
  if (verdict.status == VERDICT_PROVED) {
    used = smt_values_laws(values);
    used = used == nullptr ? "" : arena_printf(arena, "%s", used);
  }
  smt_values_destroy(values);
  smt_destroy(smt);
  map_context_destroy(context);
  return used;
}

/* A proof names laws if there is none without laws. */
static void check_names(const LawLine *law, const Computation *left, const Computation *right) {
  const char *used = laws_used(left, right, law->grade),
             *without = laws_used(left, right, LAW_NONE);
  if (without != nullptr) assert_string_equal(without, "");
  if (used != nullptr && without == nullptr && used[0] == 0)
    fail_msg("%s: proved by a law that is not named", law->text);
}

static void check_changes(const LawLine *law, const Computation *right) {
  int leaves;
  (void)law_module(law->left, law->type, -1, &leaves);
  for (int i = 0; i < leaves; i++)
    if (leaf_counts(law, i) && are_proved(graph_of(law->left, law->type, i), right, LAW_FAST))
      fail_msg("%s: proved with another leaf %d", law->text, i);
}

/* No float is an operand of these. */
static bool is_of_bits(const LawLine *law) {
  static const char *const names[] = {"and(", "or(", "xor(", "not("};
  bool found = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    found |= strstr(law->left, names[i]) != nullptr || strstr(law->right, names[i]) != nullptr;
  return found;
}

static void check_law(const LawLine *law, uint32_t *proved) {
  const Computation *left = graph_of(law->left, law->type, -1),
                    *right = graph_of(law->right, law->type, -1);
  bool is_proved = are_proved(left, right, law->grade);
  *proved += is_proved;
  if (law->grade > LAW_EXACT && are_proved(left, right, (LawGrade)(law->grade - 1)))
    fail_msg("%s: proved at a stricter grade", law->text);
  bool is_integral = strcmp(law->type, "s32") == 0;
  if (is_integral && !is_of_bits(law) &&
      are_proved(graph_of(law->left, "f32", -1), graph_of(law->right, "f32", -1), LAW_EXACT))
    fail_msg("%s: proved exact of floats", law->text);
  check_names(law, left, right);
  check_changes(law, right);
}

static void each_law_proves_what_it_states(void **) {
  Source source;
  Error error = {};
  if (!file_read(arena, OWN_LAWS, 1 << 20, &source, &error)) fail_msg("%s", error.message);
  uint32_t count = 0, proved = 0, step = test_length(1, 1, 3);
  for (const char *at = source.text; *at != 0;) {
    ArenaMark mark = arena_mark(arena);
    LawLine law;
    if (law_of_next(&at, &law) && count++ % step == 0) check_law(&law, &proved);
    arena_rewind(arena, mark);
  }
  print_message("%u of %u laws proved\n", proved, count);
  assert_true(count >= 125 &&
              proved >= 81 / (2 * step - 1)); /* the others have no form that is used here */
}

typedef struct LawRow {
  const char *claim;
  VerdictStatus status;
} LawRow;

static const LawRow rows[] = {
    {"xor(x, x) => 0 on integral grade exact", VERDICT_PROVED},
    {"xor(x, y) => 0 on integral grade exact", VERDICT_REFUTED},
    {"and(x, or(x, y)) => x on integral grade exact", VERDICT_PROVED},
    {"and(x, or(z, y)) => x on integral grade exact", VERDICT_REFUTED},
    {"not(and(x, y)) => or(not(x), not(y)) on integral grade exact", VERDICT_PROVED},
    {"not(and(x, y)) => and(not(x), not(y)) on integral grade exact", VERDICT_REFUTED},
    {"negate(x) => subtract(0, x) on integral grade exact", VERDICT_PROVED},
    {"negate(x) => not(x) on integral grade exact", VERDICT_REFUTED},
    {"subtract(x, y) => subtract(y, x) on integral grade exact", VERDICT_REFUTED},
    {"add(x, y) => or(x, y) on integral grade exact", VERDICT_REFUTED},
    {"multiply(x, 2) => add(x, x) on integral grade exact", VERDICT_PROVED},
    {"shift-left(x, 1) => multiply(x, 2) on integral grade exact", VERDICT_PROVED},
    {"shift-left(x, 64) => 0 on integral grade exact", VERDICT_PROVED},
    {"shift-left(x, 63) => 0 on integral grade exact", VERDICT_REFUTED}, /* of 64 bits */
    {"shift-right-logical(x, 64) => 0 on integral grade exact", VERDICT_PROVED},
    {"shift-right-arithmetic(x, 64) => 0 on integral grade exact", VERDICT_REFUTED},
    {"shift-right-arithmetic(x, 1) => shift-right-logical(x, 1) on integral grade exact",
        VERDICT_REFUTED},
    {"shift-right-logical(x, 1) => divide(x, 2) on integral grade exact", VERDICT_REFUTED},
    {"abs(abs(x)) => abs(x) on integral grade exact", VERDICT_PROVED},
    {"abs(x) => x on integral grade exact", VERDICT_REFUTED},
    {"abs(negate(x)) => abs(x) on integral grade exact", VERDICT_REFUTED}, /* unsigned */
    {"abs(negate(x)) => abs(x) on floating grade ieee", VERDICT_PROVED},
    {"abs(x) => x on floating grade ieee", VERDICT_REFUTED},
    {"remainder(x, 0) => x on integral grade exact", VERDICT_PROVED},
    {"remainder(x, 2) => and(x, 1) on integral grade exact", VERDICT_REFUTED}, /* negative */
    {"divide(x, 0) => not(0) on integral grade exact", VERDICT_PROVED},
    {"divide(x, 0) => 0 on integral grade exact", VERDICT_REFUTED},
    {"maximum(x, 0) => x on integral grade exact", VERDICT_REFUTED}, /* of signed integers */
    {"minimum(x, 0) => 0 on integral grade exact", VERDICT_REFUTED},
    {"maximum(x, y) => minimum(x, y) on integral grade exact", VERDICT_REFUTED},
    {"maximum(x, minimum(x, y)) => x on integral grade exact", VERDICT_PROVED},
    {"or(x, 1) => 1 on pred grade exact", VERDICT_PROVED},
    {"and(x, 1) => 1 on pred grade exact", VERDICT_REFUTED},
    {"not(x) => xor(x, 1) on pred grade exact", VERDICT_PROVED},
    {"add(x, y) => or(x, y) on pred grade exact", VERDICT_UNKNOWN},
    {"add(x, 0) => x on floating grade ieee", VERDICT_PROVED},
    {"add(x, 0) => x on floating grade exact", VERDICT_REFUTED}, /* of -0 */
    {"add(x, -0) => x on floating grade exact", VERDICT_UNKNOWN},
    {"add(x, 1) => x on floating grade ieee", VERDICT_REFUTED},
    {"subtract(x, 0) => x on floating grade ieee", VERDICT_PROVED},
    {"subtract(x, x) => 0 on floating grade ieee", VERDICT_REFUTED}, /* of an infinity */
    {"multiply(x, 0) => 0 on floating grade ieee", VERDICT_REFUTED},
    {"multiply(x, 1) => x on floating grade ieee", VERDICT_PROVED},
    {"divide(x, 1) => x on floating grade ieee", VERDICT_PROVED},
    {"divide(x, x) => 1 on floating grade ieee", VERDICT_REFUTED},
    {"negate(negate(x)) => x on floating grade ieee", VERDICT_PROVED},
    {"negate(x) => subtract(0, x) on floating grade exact", VERDICT_REFUTED}, /* of a zero */
    {"maximum(x, x) => x on floating grade ieee", VERDICT_PROVED},
    {"maximum(x, y) => maximum(y, x) on floating grade ieee", VERDICT_PROVED},
    {"maximum(x, y) => minimum(x, y) on floating grade ieee", VERDICT_REFUTED},
    {"maximum(x, minimum(x, y)) => x on floating grade ieee", VERDICT_REFUTED}, /* y is NaN */
    {"add(add(x, y), z) => add(x, add(y, z)) on floating grade fast", VERDICT_UNKNOWN},
    {"and(x, x) => x on floating grade ieee", VERDICT_UNKNOWN},
    {"popcnt(x) => x on integral grade exact", VERDICT_UNKNOWN},
    {"add(x, -0) => x on integral grade exact", VERDICT_PROVED},
    {"negate(x, y) => negate(x) on integral grade exact", VERDICT_UNKNOWN},
    {"not(x, y) => not(x) on pred grade exact", VERDICT_UNKNOWN},
    {"add(x) => multiply(x, 2) on integral grade exact", VERDICT_UNKNOWN},
    {"maximum(x) => add(x, 0) on integral grade exact", VERDICT_UNKNOWN},
    {"add(x, 0) => add(x) on floating grade ieee", VERDICT_UNKNOWN},
    {"negate(x, x) => negate(x) on floating grade ieee", VERDICT_UNKNOWN},
    {"add(x, 0) => x on integral", VERDICT_UNKNOWN},
    {"add(x => x on integral grade exact", VERDICT_UNKNOWN},
};

static bool law_always(void) { return true; }

/* A reduction of the operand as it is, or beside rows of a constant. */
static const Computation *padded_fold(
    const char *op, const char *type, const char *neutral, const char *padding) {
  const char *operand = padding == nullptr ? "x" : "p";
  Text lines = text_create(arena);
  text_printf(&lines,
      "HloModule m\nf {\na = %s[] parameter(0)\nb = %s[] parameter(1)\nROOT c = %s[] %s(a, b)\n}\n"
      "ENTRY e {\nx = %s[4,3] parameter(0)\nn = %s[] constant(%s)\n",
      type, type, type, op, type, type, neutral);
  if (padding != nullptr)
    text_printf(&lines, "v = %s[] constant(%s)\np = %s[7,3] pad(x, v), padding=1_2x0_0\n", type,
        padding, type);
  text_printf(
      &lines, "ROOT r = %s[3] reduce(%s, n), dimensions={0}, to_apply=f\n}\n", type, operand);
  return values_entry(lines.bytes);
}

/* Rows of the neutral element change no reduction whose operation has the laws; others do. */
static void neutral_elements_change_no_fold(void **) {
  static const struct {
    const char *op, *type, *neutral, *other;
  } folds[] = {{"add", "s32", "0", "1"}, {"multiply", "s32", "1", "2"}, {"and", "s32", "-1", "0"},
      {"or", "s32", "0", "1"}, {"xor", "s32", "0", "1"}, {"and", "pred", "true", "false"},
      {"or", "pred", "false", "true"}, {"xor", "pred", "false", "true"},
      {"maximum", "s32", "-2147483648", "0"}, {"minimum", "s32", "2147483647", "0"}};
  for (size_t i = 0; i < sizeof folds / sizeof *folds; i++) {
    const char *op = folds[i].op, *type = folds[i].type, *neutral = folds[i].neutral;
    const Computation *plain = padded_fold(op, type, neutral, nullptr);
    if (!are_proved(plain, padded_fold(op, type, neutral, neutral), LAW_EXACT))
      fail_msg("%s of %s: not proved", op, type);
    if (are_proved(plain, padded_fold(op, type, neutral, folds[i].other), LAW_FAST))
      fail_msg("%s of %s: proved with other padding", op, type);
  }
}

static void the_solver_decides_each_type(void **) {
  static constexpr uint64_t rlimit = 4'000'000;
  uint32_t failed = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *why, *line = arena_printf(arena, "law a: %s", rows[i].claim);
    VerdictStatus status = smt_law(arena, line, rlimit, nullptr, &why);
    bool holds = status == rows[i].status && why != nullptr;
    if (!holds) print_message("%s: %d, %s\n", line, status, why);
    failed += !holds;
  }
  assert_int_equal(failed, 0);
  const char *why;
  assert_int_equal(
      smt_law(arena,
          "law a: multiply(multiply(x, y), z) => multiply(x, multiply(y, z)) on integral grade exact",
          rlimit, law_always, &why),
      VERDICT_UNKNOWN);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(each_law_proves_what_it_states, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(neutral_elements_change_no_fold, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(the_solver_decides_each_type, arena_begin, arena_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
