/* False laws, and laws with too high a grade, must be refuted, also by the part of the values that
 * the gate tries. Laws are used up to their grade. Lines that are not laws are rejected. */
#include "oracle/terms/laws.h"
#include "oracle/terms/laws_check.h"
#include "oracle/equivalence/same_values.h"
#include "oracle/test/test_module.h"

static void false_laws_are_refuted(void **state) {
  (void)state;
  static const struct {
    const char *line, *why;
  } wrong[] = {
      {"law a: add(x, 1) => x on integral grade exact", "s8 x = 0: left 1, right 0"},
      {"law b: subtract(x, y) => subtract(y, x) on integral grade exact",
          "s8 x = 0 y = 1: left -1, right 1"},
      {"law c: add(add(x, y), z) => add(x, add(y, z)) on floating grade ieee", "f8e5m2 x = "},
      {"law d: subtract(x, x) => 0 on floating grade ieee", "left nan, right 0"},
      {"law e: multiply(x, 0) => 0 on floating grade ieee", "left nan, right 0"},
      {"law f: add(x, 0) => x on floating grade exact", "x = -0: left 0, right -0"},
      {"law g: divide(multiply(x, y), y) => x on integral grade exact", "s8 x = "},
      {"law h: subtract(x, y) => x on floating grade fast", "f32 x = "},
      {"law i: and(x, y) => or(x, y) on pred grade exact", "pred x = "},
      {"law j: multiply(x, y) => multiply(y, x) on floating grade exact", "payload of a NaN"},
      {"law k: shift-left(shift-left(x, 4), 4) => 0 on integral grade exact", "s16 x = "},
      {"law l: subtract(x, subtract(x, y)) => y on floating grade ieee", "f8e5m2 x = "},
      {"law m: convert(convert(x)) => add(x, 1) on integral through wider grade exact", "s8 x = "},
      {"law o: multiply(x, z) => multiply(x, inverse(z)) on floating where z is a power of two grade "
       "ieee",
          "f8e5m2 x = "},
      {"law p: add(x, -0) => 0 on floating grade ieee", "f8e5m2 x = "},
      {"law q: subtract(5, 4) => 1 on floating grade ieee", "f4e2m1fn: left 0, right 1"},
      {"law r: multiply(divide(6, 4), 2) => 3 on floating grade ieee",
          "f8e8m0fnu: left 4, right 2"},
      {"law s: divide(16, 8) => 2 on integral grade exact", "s4: left 0, right 2"},
      {"law t: power(x, 2) => multiply(x, 2) on floating grade fast", "f32 x = "},
      {"law v: subtract(x, z) => add(x, z) on floating where z is a constant grade ieee",
          "f8e5m2 x = "},
      {"law w: maximum(x, inf) => x on floating grade ieee", "f8e5m2 x = "},
      {"law x: minimum(x, -inf) => x on floating grade ieee", "f8e5m2 x = "},
      {"law y: clamp(x, y, z) => maximum(minimum(y, z), x) on integral grade exact", "s8 x = "},
      {"law z: abs(negate(x)) => abs(x) on integral grade exact", "u8 x = 1: left 255, right 1"},
      {"law n: exponential(x) => x on integral grade exact", "no arithmetic for exponential"},
      {"law u: and(x, x) => x on floating grade ieee", "no arithmetic for and of f8e5m2"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    OracleFixture bench = bench_create();
    Laws laws;
    Error error = {};
    LawCheck check;
    assert_true(laws_read(bench.arena, source_of(&bench, wrong[i].line), &laws, &error));
    assert_int_equal(laws.count, 1);
    law_check(bench.arena, &laws, 0, true, &check);
    if (check.holds || strstr(check.why, wrong[i].why) == nullptr)
      fail_msg("%s: %s", wrong[i].line, check.why);
    assert_int_equal(check.is_open, strstr(check.why, "no arithmetic for") != nullptr);
    bench_destroy(&bench);
  }
}

/* The same law, of integers at every grade, and of floats at every grade but exact. */
static void a_law_holds_at_its_grade(void **) {
  static const struct {
    const char *line, *why; /* "": it holds */
  } rows[] = {
      {"law a: add(x, y) => add(y, x) on integral grade exact", ""},
      {"law b: add(x, y) => add(y, x) on integral grade fast", ""},
      {"law c: add(x, y) => add(y, x) on floating grade ieee", ""},
      {"law d: add(x, y) => add(y, x) on floating grade fast", ""},
      {"law e: add(x, y) => add(y, x) on floating grade exact", "the payload of a NaN"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OracleFixture bench = bench_create();
    Laws laws;
    Error error = {};
    LawCheck check;
    assert_true(laws_read(bench.arena, source_of(&bench, rows[i].line), &laws, &error));
    law_check(bench.arena, &laws, 0, true, &check);
    if (check.holds != (*rows[i].why == 0) || strstr(check.why, rows[i].why) == nullptr)
      fail_msg("%s: %s", rows[i].line, check.why);
    bench_destroy(&bench);
  }
}

/* Each law alone is marked by its name, and a set has what was joined to it. */
static void a_set_has_the_laws_that_were_marked(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  Laws laws;
  LawUse use;
  Error error = {};
  assert_true(laws_own(bench.arena, &laws, &error) && laws.count > 64 && laws.count <= laws_most);
  for (uint32_t i = 0; i < laws.count; i++) {
    laws_use(&use, bench.arena, nullptr, &laws, LAW_EXACT);
    for (uint32_t k = 0; k < laws.count; k++) assert_false(law_set_has(&use.used, k));
    laws_mark(&use, "no law");
    laws_mark(&use, laws.items[i].name);
    for (uint32_t k = 0; k < laws.count; k++) assert_int_equal(law_set_has(&use.used, k), k == i);
    for (uint32_t other = 0; other < laws.count; other += 13) {
      LawUse two = use;
      laws_mark(&two, laws.items[other].name);
      for (uint32_t k = 0; k < laws.count; k++)
        assert_int_equal(law_set_has(&two.used, k), k == i || k == other);
      laws_use(&two, bench.arena, nullptr, &laws, LAW_EXACT);
      laws_mark(&two, laws.items[other].name);
      law_set_join(&two.used, &use.used);
      for (uint32_t k = 0; k < laws.count; k++)
        assert_int_equal(law_set_has(&two.used, k), k == i || k == other);
    }
  }
  bench_destroy(&bench);
}

/* Conversions to another type and back, decided by the laws of values. */
static void round_trips_are_a_law(void **state) {
  (void)state;
  static const struct {
    const char *type, *by;
    LawGrade grade;
    VerdictReason answer;
    const char *laws;
  } rows[] = {{"s8", "s32", LAW_EXACT, REASON_EXACT, "convert-round-trip"},
      {"s16", "f32", LAW_EXACT, REASON_EXACT, "convert-round-trip"},
      {"pred", "u8", LAW_EXACT, REASON_EXACT, "convert-round-trip-pred"},
      {"bf16", "f32", LAW_IEEE, REASON_EXACT, "convert-round-trip-floating"},
      {"bf16", "f32", LAW_EXACT, REASON_SAME_READS, nullptr},
      {"f32", "bf16", LAW_IEEE, REASON_SAME_READS, nullptr},
      {"s32", "s8", LAW_EXACT, REASON_DIFFERENT, nullptr},
      {"s32", "f32", LAW_EXACT, REASON_DIFFERENT, nullptr}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OracleFixture bench = bench_create();
    const Computation *graphs[2];
    ValuesVerdict verdict;
    for (int k = 0; k < 2; k++)
      graphs[k] = root_of(&bench,
          arena_printf(bench.arena,
              k == 0 ? "a = %s[] parameter(0)\nb = %s[] convert(a)\nROOT r = %s[] convert(b)"
                     : "ROOT r = %s[] parameter(0)",
              rows[i].type, rows[i].by, rows[i].type))
                      ->parent;
    OracleValues *values = oracle_values_create(
        bench.arena, graphs[0], graphs[1], &(ValuesLimits){.grade = rows[i].grade});
    oracle_values_query(values, 0, &verdict);
    if (verdict.answer != rows[i].answer ||
        (rows[i].laws != nullptr &&
            (verdict.laws == nullptr || strcmp(verdict.laws, rows[i].laws) != 0)))
      fail_msg("%s by %s: answer %u, laws %s", rows[i].type, rows[i].by, verdict.answer,
          verdict.laws == nullptr ? "none" : verdict.laws);
    bench_destroy(&bench);
  }
}

/* Output 1 follows from arrays that were proved equal for output 0. */
static void each_output_names_its_laws(void **state) {
  (void)state;
  static const struct {
    const char *outputs;
    uint32_t asked;
    const char *laws;
  } rows[] = {{"c, n", 0, "add-commutes-floating"}, {"c, n", 1, "add-commutes-floating"},
      {"n, c", 1, "add-commutes-floating"}, {"c, a", 1, nullptr}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OracleFixture bench = bench_create();
    const Computation *graphs[2];
    ValuesVerdict verdict;
    for (int k = 0; k < 2; k++)
      graphs[k] = root_of(
          &bench, arena_printf(bench.arena,
                      "a = f32[4] parameter(0)\nb = f32[4] parameter(1)\ns = f32[4] add(%s)\n"
                      "c = f32[4] custom-call(s), custom_call_target=\"f\"\nn = f32[4] negate(c)\n"
                      "ROOT r = (f32[4], f32[4]) tuple(%s)",
                      k == 0 ? "a, b" : "b, a", rows[i].outputs))
                      ->parent;
    OracleValues *values =
        oracle_values_create(bench.arena, graphs[0], graphs[1], &(ValuesLimits){.grade = LAW_IEEE});
    for (uint32_t output = 0; output <= rows[i].asked; output++)
      oracle_values_query(values, output, &verdict);
    assert_int_equal(verdict.answer, REASON_EXACT);
    if (rows[i].laws == nullptr) assert_null(verdict.laws);
    else assert_string_equal(verdict.laws == nullptr ? "none" : verdict.laws, rows[i].laws);
    bench_destroy(&bench);
  }
}

typedef struct LawPair {
  const char *type, *before, *after; /* expressions of x and the scalar constants c and d */
  const char *c, *d;
  LawGrade grade;
  VerdictReason answer;
  const char *laws;
} LawPair;

static void law_pair_holds(const LawPair *row) {
  OracleFixture bench = bench_create();
  const Computation *graphs[2];
  ValuesVerdict verdict;
  for (int k = 0; k < 2; k++)
    graphs[k] = root_of(&bench,
        arena_printf(bench.arena,
            "x = %1$s[] parameter(0)\nc = %1$s[] constant(%2$s)\nd = %1$s[] constant(%3$s)\n"
            "n = %1$s[] negate(x)\na = %1$s[] abs(x)\nm = %1$s[] multiply(x, x)\n"
            "q = %1$s[] remainder(x, c)\nk = %1$s[] multiply(x, c)\np = %1$s[] divide(x, c)\n"
            "s = %1$s[] add(x, c)\nu = %1$s[] add(c, x)\n"
            "ROOT r = %1$s[] %4$s",
            row->type, row->c, row->d, k == 0 ? row->before : row->after))
                    ->parent;
  OracleValues *values =
      oracle_values_create(bench.arena, graphs[0], graphs[1], &(ValuesLimits){.grade = row->grade});
  oracle_values_query(values, 0, &verdict);
  bool is_named = row->laws == nullptr
                      ? verdict.laws == nullptr
                      : verdict.laws != nullptr && strcmp(verdict.laws, row->laws) == 0;
  if (verdict.answer != row->answer || !is_named)
    fail_msg("%s %s by %s: answer %u, laws %s", row->type, row->before, row->c, verdict.answer,
        verdict.laws == nullptr ? "none" : verdict.laws);
  bench_destroy(&bench);
}

/* A quotient by a power of two is a product if the inverse is a normal number of the type. */
static void quotients_by_powers_of_two_are_products(void **state) {
  (void)state;
  static const char divide[] = "divide(x, c)", multiply[] = "multiply(x, d)",
                    law[] = "divide-power-of-two-floating";
  static const LawPair rows[] = {
      {"f32", divide, multiply, "4", "0.25", LAW_IEEE, REASON_EXACT, law},
      {"f32", divide, multiply, "4", "0.25", LAW_EXACT, REASON_SAME_READS, nullptr},
      {"bf16", divide, multiply, "-0.5", "-2", LAW_IEEE, REASON_EXACT, law},
      {"f16", divide, multiply, "16384", "6.103515625e-05", LAW_IEEE, REASON_EXACT, law},
      {"f16", divide, multiply, "32768", "3.0517578125e-05", LAW_IEEE, REASON_SAME_READS, nullptr},
      {"f64", divide, multiply, "1024", "0.0009765625", LAW_IEEE, REASON_EXACT, law},
      {"f32", divide, multiply, "3", "0.333333343", LAW_IEEE, REASON_SAME_READS, nullptr},
      {"f32", divide, multiply, "4", "0.5", LAW_IEEE, REASON_DIFFERENT, nullptr}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) law_pair_holds(&rows[i]);
}

static void squares_and_minus_zero_are_laws(void **state) {
  (void)state;
  static const LawPair rows[] = {{"f32", "power(x, c)", "multiply(x, x)", "2", "0", LAW_FAST,
                                     REASON_EXACT, "power-two-floating"},
      {"f32", "power(x, c)", "multiply(x, x)", "2", "0", LAW_IEEE, REASON_SAME_READS, nullptr},
      {"f32", "power(x, c)", "multiply(x, x)", "3", "0", LAW_FAST, REASON_DIFFERENT, nullptr},
      {"f32", "add(x, c)", "copy(x)", "-0", "0", LAW_IEEE, REASON_EXACT, "add-minus-zero-floating"},
      {"f32", "add(c, x)", "copy(x)", "-0", "0", LAW_IEEE, REASON_EXACT,
          "add-commutes-floating, add-minus-zero-floating"},
      {"f32", "add(x, c)", "copy(x)", "-0", "0", LAW_EXACT, REASON_SAME_READS, nullptr}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) law_pair_holds(&rows[i]);
}

/* Laws of XLA's algebraic simplifier, each with a pair that it decides and the nearest that it does
 * not. */
static void folds_of_the_simplifier_are_laws(void **state) {
  (void)state;
  static const LawPair rows[] = {
      {"s32", "abs(n)", "abs(x)", "3", "0", LAW_EXACT, REASON_SAME_READS, nullptr},
      {"f32", "abs(n)", "abs(x)", "3", "0", LAW_IEEE, REASON_EXACT, "abs-negate-floating"},
      {"f32", "abs(n)", "abs(x)", "3", "0", LAW_EXACT, REASON_SAME_READS, nullptr},
      {"s32", "abs(a)", "abs(x)", "3", "0", LAW_EXACT, REASON_EXACT, "abs-abs"},
      {"s32", "multiply(a, a)", "multiply(x, x)", "3", "0", LAW_EXACT, REASON_EXACT, "abs-product"},
      {"s32", "multiply(a, x)", "multiply(x, x)", "3", "0", LAW_EXACT, REASON_DIFFERENT, nullptr},
      {"f32", "abs(m)", "multiply(x, x)", "3", "0", LAW_IEEE, REASON_EXACT, "abs-square-floating"},
      {"s32", "remainder(q, c)", "remainder(x, c)", "7", "3", LAW_EXACT, REASON_EXACT,
          "remainder-remainder"},
      {"s32", "remainder(q, d)", "remainder(x, d)", "7", "3", LAW_EXACT, REASON_DIFFERENT, nullptr},
      {"f32", "multiply(n, c)", "negate(k)", "3", "0", LAW_IEEE, REASON_EXACT,
          "negate-multiply-floating"},
      {"f32", "divide(n, c)", "negate(p)", "3", "0", LAW_IEEE, REASON_EXACT,
          "negate-divide-floating"},
      {"f32", "divide(c, n)", "negate(p)", "3", "0", LAW_IEEE, REASON_DIFFERENT, nullptr},
      {"f32", "subtract(x, c)", "add(x, d)", "0.125", "-0.125", LAW_IEEE, REASON_EXACT,
          "subtract-constant-floating"},
      {"f32", "subtract(x, c)", "add(x, d)", "0.125", "0.125", LAW_IEEE, REASON_DIFFERENT, nullptr},
      {"f32", "minimum(x, c)", "copy(x)", "inf", "0", LAW_IEEE, REASON_EXACT, "minimum-infinity"},
      {"f32", "maximum(c, x)", "copy(x)", "-inf", "0", LAW_IEEE, REASON_EXACT,
          "maximum-commutes-floating, maximum-infinity"},
      {"f32", "maximum(c, x)", "copy(x)", "inf", "0", LAW_IEEE, REASON_DIFFERENT, nullptr},
      {"s32", "clamp(c, x, d)", "clamp(x, c, d)", "3", "9", LAW_EXACT, REASON_EXACT,
          "maximum-commutes, clamp-definition"},
      {"s32", "clamp(c, x, d)", "clamp(c, d, x)", "3", "9", LAW_EXACT, REASON_DIFFERENT, nullptr}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) law_pair_holds(&rows[i]);
}

static VerdictReason answer_at(OracleFixture *bench, const char *type, LawGrade grade) {
  const Computation *graphs[2];
  static const char *const operands[] = {"a, b", "b, a"};
  ValuesVerdict verdict;
  for (int i = 0; i < 2; i++)
    graphs[i] =
        root_of(bench, arena_printf(bench->arena,
                           "a = %s[] parameter(0)\nb = %s[] parameter(1)\nROOT r = %s[] add(%s)",
                           type, type, type, operands[i]))
            ->parent;
  OracleValues *values =
      oracle_values_create(bench->arena, graphs[0], graphs[1], &(ValuesLimits){.grade = grade});
  oracle_values_query(values, 0, &verdict);
  return verdict.answer;
}

static void laws_are_used_up_to_the_grade(void **state) {
  (void)state;
  OracleFixture bench = bench_create();
  assert_int_equal(answer_at(&bench, "s32", LAW_NONE), REASON_SAME_READS);
  assert_int_equal(answer_at(&bench, "s32", LAW_EXACT), REASON_EXACT);
  if (answer_at(&bench, "f32", LAW_EXACT) != REASON_SAME_READS)
    fail_msg("a law of another grade was used");
  assert_int_equal(answer_at(&bench, "f32", LAW_IEEE), REASON_EXACT);
  bench_destroy(&bench);
}

/* A constant that another order makes may round, but not leave the range of its type. */
static void constants_of_laws_keep_their_range(void **state) {
  (void)state;
  static const char products[] = "multiply-associates-floating", sums[] = "add-associates-floating";
  static const LawPair rows[] = {
      {"f32", "multiply(k, c)", "multiply(x, d)", "3", "9", LAW_FAST, REASON_EXACT, products},
      {"f32", "multiply(k, c)", "multiply(x, d)", "8.67361738e-19", "7.52316385e-37", LAW_FAST,
          REASON_EXACT, products},
      {"f32", "multiply(k, c)", "multiply(x, d)", "1e-30", "0", LAW_FAST, REASON_SAME_READS,
          nullptr},
      {"f32", "multiply(k, c)", "multiply(x, d)", "1e-20", "1e-40", LAW_FAST, REASON_SAME_READS,
          nullptr},
      {"f32", "multiply(k, c)", "multiply(x, d)", "1e30", "inf", LAW_FAST, REASON_SAME_READS,
          nullptr},
      {"f32", "multiply(k, c)", "multiply(x, d)", "-inf", "inf", LAW_FAST, REASON_EXACT, products},
      {"f32", "multiply(k, c)", "multiply(x, d)", "-0", "0", LAW_FAST, REASON_EXACT, products},
      {"f64", "multiply(k, c)", "multiply(x, d)", "1e-200", "0", LAW_FAST, REASON_SAME_READS,
          nullptr},
      {"f16", "multiply(k, c)", "multiply(x, d)", "0.00097656", "9.5367e-07", LAW_FAST,
          REASON_SAME_READS, nullptr},
      {"f32", "add(s, c)", "add(x, d)", "3", "6", LAW_FAST, REASON_EXACT, sums},
      {"f32", "add(c, u)", "add(d, x)", "3", "6", LAW_FAST, REASON_EXACT,
          "add-commutes-floating, add-associates-floating"},
      {"f32", "add(s, c)", "add(x, d)", "3e38", "inf", LAW_FAST, REASON_SAME_READS, nullptr}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) law_pair_holds(&rows[i]);
}

static void bad_lines_are_rejected(void **state) {
  (void)state;
  static const char *const bad[] = {"law", "law a", "law a: x => x on integral grade exact",
      "law a: add(x, y) => z on integral grade exact", "law a: add(x, y) => x on words grade exact",
      "law a: add(x, y) => x on integral grade good",
      "law a: nothing(x) => x on integral grade exact",
      "law a: add(x, y => x on integral grade exact",
      "law a: add(x, y) => x on integral grade exact x",
      "law a: divide(x, z) => multiply(x, inverse(z)) on floating grade ieee",
      "law a: divide(x, z) => multiply(x, inverse(z)) on integral where z is a power of two grade "
      "exact",
      "law a: divide(x, z) => multiply(x, inverse(z)) on floating where x is a power of two grade "
      "ieee",
      "law a: subtract(x, z) => add(x, opposite(z)) on floating grade ieee",
      "law a: subtract(x, z) => add(x, opposite(z)) on integral where z is a constant grade exact",
      "law a: divide(x, z) => multiply(x, inverse(z)) on floating where z is a constant grade ieee",
      "law a: clamp(x, y, z, x) => x on integral grade exact",
      "law a: divide(x, z) => multiply(x, inverse(2)) on floating where z is a power of two grade "
      "ieee"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    OracleFixture bench = bench_create();
    Laws laws;
    Error error = {};
    if (laws_read(bench.arena, source_of(&bench, bad[i]), &laws, &error))
      fail_msg("read: %s", bad[i]);
    assert_int_equal(error.kind, ERROR_INPUT);
    bench_destroy(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(false_laws_are_refuted),
      cmocka_unit_test(a_law_holds_at_its_grade),
      cmocka_unit_test(a_set_has_the_laws_that_were_marked),
      cmocka_unit_test(laws_are_used_up_to_the_grade),
      cmocka_unit_test(round_trips_are_a_law),
      cmocka_unit_test(each_output_names_its_laws),
      cmocka_unit_test(quotients_by_powers_of_two_are_products),
      cmocka_unit_test(squares_and_minus_zero_are_laws),
      cmocka_unit_test(folds_of_the_simplifier_are_laws),
      cmocka_unit_test(constants_of_laws_keep_their_range),
      cmocka_unit_test(bad_lines_are_rejected),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
