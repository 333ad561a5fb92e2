/* A polynomial that is written in two random ways is equal to itself; with another coefficient it
 * differs. The same holds for sets of operands, directions of comparisons, and conversions through
 * a third type. */
#include "core/base/test/length.h"
#include "oracle/semantics/test/formula.h"

#include <stdlib.h>

static constexpr int monomials = 64; /* powers of three variables, each 0 .. 3 */

typedef struct Polynomial {
  int64_t of[monomials]; /* coefficient of a^i b^j c^k at 16 i + 4 j + k */
} Polynomial;

/* Lines of one module; a value is the name of a line. */
typedef struct PolynomialWriting {
  DrawnFormula *random;
  Text text;
  const char *type;
  int lines;
} PolynomialWriting;

static int write_line(PolynomialWriting *writing, const char *operation, int left, int right) {
  text_printf(
      &writing->text, "v%d = %s[] %s(v%d", ++writing->lines, writing->type, operation, left);
  if (right >= 0) text_printf(&writing->text, ", v%d", right);
  text_string(&writing->text, ")\n");
  return writing->lines;
}

static int write_constant(PolynomialWriting *writing, int64_t value) {
  bool is_unsigned = writing->type[0] == 'u';
  bool is_negative = value < 0 && is_unsigned;
  text_printf(&writing->text, "v%d = %s[] constant(%lld)\n", ++writing->lines, writing->type,
      (long long)(is_negative ? -value : value));
  return is_negative ? write_line(writing, "negate", writing->lines, -1) : writing->lines;
}

/* Combines the values by an operation in a random order and association. */
static int write_all(PolynomialWriting *writing, const char *operation, int count, int *values) {
  while (count > 1) {
    int first = (int)formula_below(writing->random, count), left = values[first];
    values[first] = values[--count];
    int second = (int)formula_below(writing->random, count);
    values[second] = formula_below(writing->random, 2) == 0
                         ? write_line(writing, operation, left, values[second])
                         : write_line(writing, operation, values[second], left);
  }
  return values[0];
}

static int write_monomial(PolynomialWriting *writing, int at, int64_t coefficient) {
  int values[12], count = 0;
  const int powers[] = {at / 16, at / 4 % 4, at % 4};
  if (coefficient != 1 || at == 0) values[count++] = write_constant(writing, coefficient);
  for (int variable = 0; variable < 3; variable++)
    for (int i = 0; i < powers[variable]; i++) values[count++] = variable;
  return write_all(writing, "multiply", count, values);
}

/* One product, its negative taken away, or two products of parts of the coefficient. */
static int write_summands(PolynomialWriting *writing, int at, int64_t coefficient, int *values) {
  int64_t part = formula_between(writing->random, 1, 3);
  switch (formula_below(writing->random, 4)) {
    case 0:
      values[0] = write_monomial(writing, at, coefficient - part);
      values[1] = write_monomial(writing, at, part);
      return 2;
    case 1:
      values[0] = write_monomial(writing, at, -coefficient);
      values[0] = write_line(writing, "negate", values[0], -1);
      return 1;
    case 2:
      values[0] = write_monomial(writing, at, coefficient + part);
      values[1] = write_monomial(writing, at, part);
      values[0] = write_line(writing, "subtract", values[0], values[1]);
      return 1;
    default: values[0] = write_monomial(writing, at, coefficient); return 1;
  }
}

static int write_polynomial(PolynomialWriting *writing, const Polynomial *polynomial) {
  int values[2 * monomials + 1], count = 0;
  for (int at = 0; at < monomials; at++)
    if (polynomial->of[at] != 0)
      count += write_summands(writing, at, polynomial->of[at], values + count);
  if (count == 0) values[count++] = write_constant(writing, 0);
  return write_all(writing, "add", count, values);
}

static void writing_begin(
    PolynomialWriting *writing, OracleFixture *bench, DrawnFormula *random, const char *type) {
  *writing = (PolynomialWriting){
      .random = random, .text = text_create(bench->arena), .type = type, .lines = 2};
  text_string(&writing->text, "HloModule m\nENTRY e {\n");
  for (int i = 0; i < 3; i++) text_printf(&writing->text, "v%d = %s[] parameter(%d)\n", i, type, i);
}

static const char *writing_end(PolynomialWriting *writing, int value) {
  text_printf(&writing->text, "ROOT r = %s[] copy(v%d)\n}\n", writing->type, value);
  return writing->text.bytes;
}

static const char *const ring_types[] = {"s32", "u32", "s8", "u8", "s64", "u64", "s16", "u16"};

static Polynomial draw_polynomial(DrawnFormula *random, int most) {
  Polynomial drawn = {};
  for (int i = 0; i < most; i++) {
    int at = 0;
    for (int64_t degree = formula_below(random, 3); degree > 0; degree--)
      at += (const int[]){16, 4, 1}[formula_below(random, 3)];
    drawn.of[at] += formula_between(random, -4, 4);
  }
  return drawn;
}

static const char *written(
    OracleFixture *bench, DrawnFormula *random, const char *type, const Polynomial *polynomial) {
  PolynomialWriting writing;
  writing_begin(&writing, bench, random, type);
  return writing_end(&writing, write_polynomial(&writing, polynomial));
}

static void sums_in_any_form_are_equal(void **state) {
  (void)state;
  static DrawnFormula random = {.random = 77};
  for (int round = 0; round < (int)test_length(150, 150, 40); round++) {
    OracleFixture bench = bench_create();
    const char *type = ring_types[round % 8];
    Polynomial drawn = draw_polynomial(&random, 4);
    const char *one = written(&bench, &random, type, &drawn);
    check_modules(&bench, one, written(&bench, &random, type, &drawn), REASON_EXACT);
    drawn.of[(const int[]){0, 1, 4, 16, 17, 20, 32}[round % 7]]++;
    check_modules(&bench, one, written(&bench, &random, type, &drawn), REASON_DIFFERENT);
    bench_destroy(&bench);
  }
}

/* The degrees of both factors are at most 2, so the powers do not run into each other if no
 * variable has a power past 3. */
static bool multiplied(const Polynomial *a, const Polynomial *b, Polynomial *product) {
  *product = (Polynomial){};
  for (int i = 0; i < monomials; i++)
    for (int k = 0; k < monomials; k++) {
      if (a->of[i] * b->of[k] == 0) continue;
      if (i / 16 + k / 16 > 3 || i / 4 % 4 + k / 4 % 4 > 3 || i % 4 + k % 4 > 3) return false;
      product->of[i + k] += a->of[i] * b->of[k];
    }
  return true;
}

static void products_of_sums_are_distributed(void **state) {
  (void)state;
  static DrawnFormula random = {.random = 78};
  for (int round = 0; round < (int)test_length(100, 100, 30); round++) {
    OracleFixture bench = bench_create();
    const char *type = ring_types[round % 8];
    Polynomial a = draw_polynomial(&random, 3), b = draw_polynomial(&random, 2), product;
    PolynomialWriting writing;
    writing_begin(&writing, &bench, &random, type);
    int left = write_polynomial(&writing, &a), right = write_polynomial(&writing, &b);
    const char *one = writing_end(&writing, write_line(&writing, "multiply", left, right));
    if (multiplied(&a, &b, &product)) {
      check_modules(&bench, one, written(&bench, &random, type, &product), REASON_EXACT);
      product.of[1]++;
      check_modules(&bench, one, written(&bench, &random, type, &product), REASON_DIFFERENT);
    }
    bench_destroy(&bench);
  }
}

/* --- sets --- */

static const char *set_written(OracleFixture *bench, DrawnFormula *random, const char *operation,
    const char *type, int members) {
  int values[9], count = 0;
  PolynomialWriting writing;
  writing_begin(&writing, bench, random, type);
  for (int i = 0; i < 3; i++)
    for (int times = 0; (members >> i & 1) != 0 && times < 1 + formula_below(random, 2); times++)
      values[count++] = i;
  return writing_end(&writing, write_all(&writing, operation, count, values));
}

static void sets_in_any_order_are_equal(void **state) {
  (void)state;
  static const char *const operations[] = {"maximum", "minimum", "and", "or"};
  static DrawnFormula random = {.random = 79};
  for (int round = 0; round < 36 * 7; round += (int)test_length(1, 1, 5)) {
    OracleFixture bench = bench_create();
    const char *operation = operations[round % 4],
               *type = round % 9 == 8 ? "pred" : ring_types[round % 9];
    int members = 1 + round / 36, others = 1 + (members + (int)formula_below(&random, 6)) % 7;
    const char *one = set_written(&bench, &random, operation, type, members);
    check_modules(
        &bench, one, set_written(&bench, &random, operation, type, members), REASON_EXACT);
    if (others != members)
      check_modules(
          &bench, one, set_written(&bench, &random, operation, type, others), REASON_DIFFERENT);
    bench_destroy(&bench);
  }
}

/* The neutral member is dropped, the other end of the type is not. */
static void neutral_members_are_dropped(void **state) {
  (void)state;
  static const struct {
    const char *type, *operation, *neutral, *other;
  } rows[] = {{"s8", "maximum", "-128", "127"}, {"s8", "minimum", "127", "-128"},
      {"u8", "maximum", "0", "255"}, {"u8", "minimum", "255", "0"}, {"s8", "and", "-1", "0"},
      {"s8", "or", "0", "-1"}, {"u16", "and", "65535", "0"}, {"pred", "or", "false", "true"},
      {"pred", "and", "true", "false"}, {"s64", "maximum", "-9223372036854775808", "0"},
      {"u64", "minimum", "18446744073709551615", "0"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int k = 0; k < 2; k++) {
      OracleFixture bench = bench_create();
      const char *with = arena_printf(bench.arena,
          "HloModule m\nENTRY e {\na = %s[] parameter(0)\nb = %s[] parameter(1)\nn = %s[] constant(%s)\n"
          "x = %s[] %s(n, b)\nROOT r = %s[] %s(a, x)\n}\n",
          rows[i].type, rows[i].type, rows[i].type, k == 0 ? rows[i].neutral : rows[i].other,
          rows[i].type, rows[i].operation, rows[i].type, rows[i].operation);
      const char *without = arena_printf(bench.arena,
          "HloModule m\nENTRY e {\na = %s[] parameter(0)\nb = %s[] parameter(1)\nROOT r = %s[] %s(b, a)\n}\n",
          rows[i].type, rows[i].type, rows[i].type, rows[i].operation);
      check_modules(&bench, with, without, k == 0 ? REASON_EXACT : REASON_DIFFERENT);
      bench_destroy(&bench);
    }
}

/* --- comparisons and conversions --- */

static const char *comparison_text(
    OracleFixture *bench, const char *type, const char *wide, const char *order, const char *name) {
  return arena_printf(bench->arena,
      "HloModule m\nENTRY e {\nx = %s[] parameter(0)\ny = %s[] parameter(1)\na = %s[] convert(x)\n"
      "b = %s[] convert(y)\nROOT r = pred[] compare(%s), direction=%s\n}\n",
      type, type, wide, wide, order, name);
}

static void comparisons_are_exchanged(void **state) {
  (void)state;
  static const char *const names[] = {"EQ", "NE", "LT", "GT", "LE", "GE"};
  static const int mirrored[] = {0, 1, 3, 2, 5, 4};
  for (int one = 0; one < 6; one++)
    for (int other = 0; other < 6; other++)
      for (int order = 0; order < 2; order++) {
        OracleFixture bench = bench_create();
        bool is_same = (order == 0 && one == other) || (order == 1 && mirrored[one] == other) ||
                       (one < 2 && one == other);
        check_modules(&bench, comparison_text(&bench, "s32", "s64", "a, b", names[one]),
            comparison_text(&bench, "s32", "s32", order == 0 ? "a, b" : "b, a", names[other]),
            is_same ? REASON_EXACT : REASON_DIFFERENT);
        bench_destroy(&bench);
      }
}

static const char *conversion_text(
    OracleFixture *bench, const char *from, const char *by, const char *to) {
  return arena_printf(bench->arena,
      "HloModule m\nENTRY e {\nx = %s[] parameter(0)\ny = %s[] convert(x)\nROOT r = %s[] convert(y)\n}\n",
      from, by, to);
}

/* The value of x in the type: an integral type has its lowest bits, pred whether it is not 0, and a
 * float the nearest number, of a tie the even one. */
static int64_t with_type(const char *type, int64_t x) {
  static const struct {
    const char *name;
    int bits; /* of the significand */
  } floats[] = {{"bf16", 8}, {"f16", 11}, {"f32", 24}, {"f64", 53}};
  if (strcmp(type, "pred") == 0) return x != 0;
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
    int64_t size = x < 0 ? -x : x, step = 1;
    if (strcmp(type, floats[i].name) != 0) continue;
    while (size / step >= INT64_C(1) << floats[i].bits) step *= 2;
    int64_t low = size / step, rest = size % step;
    if (2 * rest > step || (2 * rest == step && low % 2 == 1)) low++;
    return x < 0 ? -low * step : low * step;
  }
  int width = atoi(type + 1);
  int64_t range = INT64_C(1) << width, bits = (x % range + range) % range;
  return type[0] == 's' && bits >= range / 2 ? bits - range : bits;
}

/* A float is converted to the nearest number of an integral type. */
static int64_t from_float(const char *type, int64_t x) {
  if (strcmp(type, "pred") == 0 || strchr(type, 'f') != nullptr) return with_type(type, x);
  int64_t half = INT64_C(1) << (atoi(type + 1) - 1), lo = type[0] == 's' ? -half : 0,
          hi = type[0] == 's' ? half - 1 : 2 * half - 1;
  return x < lo ? lo : x > hi ? hi : x;
}

/* A conversion by a third type is proved only if all values of the first type come out the same,
 * and always if besides the third type has all of these values. */
static void conversions_by_a_third_type(void **state) {
  (void)state;
  static const char *const types[] = {
      "s8", "u8", "s16", "u16", "s32", "u32", "pred", "bf16", "f16", "f32", "f64"};
  static constexpr int count = sizeof types / sizeof *types;
  const int64_t step = test_length(5, 5, 99);
  for (int from = 0; from < 4; from++)
    for (int by = 0; by < count; by++)
      for (int to = 0; to < count; to++) {
        OracleFixture bench = bench_create();
        bool is_same = true, is_kept = true, is_float = strchr(types[by], 'f') != nullptr;
        int64_t values = from < 2 ? 256 : 65536;
        for (int64_t i = 0; i < values; i += from < 2 ? 1 : step) {
          int64_t x = with_type(types[from], i), between = with_type(types[by], x);
          is_kept = is_kept && between == x;
          is_same = is_same && (is_float ? from_float : with_type)(types[to], between) ==
                                   with_type(types[to], x);
        }
        if (strcmp(types[by], "pred") == 0) is_kept = false;
        bool is_exact =
            has_answer(&bench, conversion_text(&bench, types[from], types[by], types[to]),
                conversion_text(&bench, types[from], types[from], types[to]), REASON_EXACT);
        if ((is_exact && !is_same) || (is_kept && is_same && !is_exact))
          fail_msg("%s by %s to %s", types[from], types[by], types[to]);
        bench_destroy(&bench);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_in_any_form_are_equal),
      cmocka_unit_test(products_of_sums_are_distributed),
      cmocka_unit_test(sets_in_any_order_are_equal),
      cmocka_unit_test(neutral_members_are_dropped),
      cmocka_unit_test(comparisons_are_exchanged),
      cmocka_unit_test(conversions_by_a_third_type),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
