/* Integer arithmetic against formulas on whole numbers of 256 bits: every pair of values of the
 * types up to 8 bits, and the edges of the wider types. */
#include "oracle/semantics/arithmetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef _BitInt(256) Whole;

typedef struct Format {
  ElementType type;
  int width;
  bool is_signed;
} Format;

static const Format formats[] = {{TYPE_s2, 2, true}, {TYPE_u2, 2, false}, {TYPE_s4, 4, true},
    {TYPE_u4, 4, false}, {TYPE_s8, 8, true}, {TYPE_u8, 8, false}, {TYPE_s16, 16, true},
    {TYPE_u16, 16, false}, {TYPE_s32, 32, true}, {TYPE_u32, 32, false}, {TYPE_s64, 64, true},
    {TYPE_u64, 64, false}, {TYPE_s1, 1, true}, {TYPE_u1, 1, false}};
static constexpr size_t format_count = sizeof formats / sizeof *formats;

/* The value that has the lowest bits of x. */
static Whole value_of_bits(const Format *format, Whole x) {
  Whole range = (Whole)1 << format->width, bits = ((x % range) + range) % range;
  return format->is_signed && 2 * bits >= range ? bits - range : bits;
}

static Whole bits_of_value(const Format *format, Whole x) {
  Whole range = (Whole)1 << format->width;
  return (x + range) % range;
}

static Whole whole_quotient(Whole a, Whole b) { return b == 0 ? -1 : a / b; }
static Whole remainder_left(Whole a, Whole b) { return b == 0 ? a : a - b * (a / b); }

static Whole halved_whole(Whole a, Whole times) {
  for (; times > 0; times--) a = a < 0 ? (a - 1) / 2 : a / 2;
  return a;
}

static Whole doubled_whole(Whole a, Whole times) {
  for (; times > 0; times--) a *= 2;
  return a;
}

/* By bits: `table` has bit 2 * x + y for bits x and y. */
static Whole by_bits(const Format *format, Whole a, Whole b, unsigned table) {
  Whole x = bits_of_value(format, a), y = bits_of_value(format, b), all = 0;
  for (int i = 0; i < format->width; i++)
    if (table >> (2 * (int)(x >> i & 1) + (int)(y >> i & 1)) & 1) all += (Whole)1 << i;
  return all;
}

static Whole ones(const Format *format, Whole a) {
  Whole count = 0;
  for (Whole x = bits_of_value(format, a); x > 0; x /= 2) count += x % 2;
  return count;
}

static Whole zeros_in_front(const Format *format, Whole a) {
  Whole count = format->width;
  for (Whole x = bits_of_value(format, a); x > 0; x /= 2) count--;
  return count;
}

/* A shift by the width or more moves every bit out. */
static Whole shifted(const Format *format, Opcode opcode, Whole a, Whole b) {
  Whole by = bits_of_value(format, b), bits = bits_of_value(format, a);
  if (by > format->width) by = format->width;
  if (opcode == HLO_SHIFT_LEFT) return doubled_whole(a, by);
  if (opcode == HLO_SHIFT_RIGHT_LOGICAL) return halved_whole(bits, by);
  Whole range = (Whole)1 << format->width;
  return halved_whole(2 * bits >= range ? bits - range : bits, by);
}

static Whole formula(const Format *format, Opcode opcode, Whole a, Whole b) {
  if (opcode == HLO_ADD) return a + b;
  if (opcode == HLO_SUBTRACT) return a - b;
  if (opcode == HLO_MULTIPLY) return a * b;
  if (opcode == HLO_DIVIDE) return whole_quotient(a, b);
  if (opcode == HLO_REMAINDER) return remainder_left(a, b);
  if (opcode == HLO_MAXIMUM) return a > b ? a : b;
  if (opcode == HLO_MINIMUM) return a > b ? b : a;
  if (opcode == HLO_AND) return by_bits(format, a, b, 0b1000);
  if (opcode == HLO_OR) return by_bits(format, a, b, 0b1110);
  if (opcode == HLO_XOR) return by_bits(format, a, b, 0b0110);
  if (opcode == HLO_ABS) return a < 0 ? 0 - a : a;
  if (opcode == HLO_NEGATE) return 0 - a;
  if (opcode == HLO_SIGN) return a == 0 ? 0 : a < 0 ? -1 : 1;
  if (opcode == HLO_NOT) return by_bits(format, a, a, 0b0001);
  if (opcode == HLO_POPCNT) return ones(format, a);
  if (opcode == HLO_COUNT_LEADING_ZEROS) return zeros_in_front(format, a);
  return shifted(format, opcode, a, b);
}

static bool apply_integers_of(Opcode opcode, ElementType from, ElementType to, uint32_t count,
    const Wide *operands, Wide *result) {
  Shape shape = {.type = to};
  Instruction instruction = {.opcode = opcode, .shape = &shape, .operand_count = count};
  return integer_apply(&instruction, from, operands, result);
}

static void check_pair(const Format *format, Opcode opcode, uint32_t count, Wide a, Wide b) {
  Wide result = 12345, operands[3] = {a, b};
  assert_true(apply_integers_of(opcode, format->type, format->type, count, operands, &result));
  Whole expected = value_of_bits(format, formula(format, opcode, a, b));
  if (result != (Wide)expected)
    fail_msg("%s of %s: (%lld, %lld) is %lld, expected %lld", opcode_name(opcode),
        element_type_name(format->type), (long long)a, (long long)b, (long long)result,
        (long long)expected);
}

/* All values of a type up to 8 bits; of a wider one the edges of all widths, and small numbers. */
static uint32_t list_values(const Format *format, Wide values[300]) {
  uint32_t count = 0;
  Wide end = (Wide)1 << format->width;
  if (format->width <= 8) {
    for (Wide bits = 0; bits < end; bits++) values[count++] = (Wide)value_of_bits(format, bits);
    return count;
  }
  for (int k = 3; k <= format->width; k += k < 6 ? 1 : 8)
    for (Wide beside = -2; beside <= 2; beside++) {
      values[count++] = (Wide)value_of_bits(format, ((Wide)1 << (k - 1)) + beside);
      values[count++] = (Wide)value_of_bits(format, -((Wide)1 << (k - 1)) + beside);
    }
  for (Wide small = -9; small < 10; small++) values[count++] = (Wide)value_of_bits(format, small);
  values[count++] = (Wide)value_of_bits(format, end / 2);
  values[count++] = (Wide)value_of_bits(format, end / 2 - 1);
  return count;
}

static void pairs_follow_the_formulas(void **state) {
  (void)state;
  static const Opcode opcodes[] = {HLO_ADD, HLO_SUBTRACT, HLO_MULTIPLY, HLO_DIVIDE, HLO_REMAINDER,
      HLO_MAXIMUM, HLO_MINIMUM, HLO_AND, HLO_OR, HLO_XOR, HLO_SHIFT_LEFT, HLO_SHIFT_RIGHT_LOGICAL,
      HLO_SHIFT_RIGHT_ARITHMETIC};
  Wide values[300];
  for (size_t f = 0; f < format_count; f++) {
    uint32_t count = list_values(&formats[f], values);
    for (size_t op = 0; op < sizeof opcodes / sizeof *opcodes; op++)
      for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
          check_pair(&formats[f], opcodes[op], 2, values[i], values[k]);
  }
}

static void single_values_follow_the_formulas(void **state) {
  (void)state;
  static const Opcode opcodes[] = {
      HLO_ABS, HLO_NEGATE, HLO_SIGN, HLO_NOT, HLO_POPCNT, HLO_COUNT_LEADING_ZEROS};
  Wide values[300];
  for (size_t f = 0; f < format_count; f++) {
    uint32_t count = list_values(&formats[f], values);
    for (size_t op = 0; op < sizeof opcodes / sizeof *opcodes; op++)
      for (uint32_t i = 0; i < count; i++) check_pair(&formats[f], opcodes[op], 1, values[i], 0);
  }
}

static void conversions_keep_the_lowest_bits(void **state) {
  (void)state;
  static const Opcode opcodes[] = {HLO_CONVERT, HLO_BITCAST, HLO_BITCAST_CONVERT};
  Wide values[300], result;
  for (size_t from = 0; from < format_count; from++)
    for (size_t to = 0; to < format_count; to++) {
      uint32_t count = list_values(&formats[from], values);
      for (uint32_t i = 0; i < 3 * count; i++) {
        assert_true(apply_integers_of(
            opcodes[i % 3], formats[from].type, formats[to].type, 1, &values[i / 3], &result));
        assert_true(result == (Wide)value_of_bits(&formats[to], values[i / 3]));
      }
    }
}

/* A number is true unless it is 0, whatever its lowest bit is. */
static void conversions_to_and_from_pred(void **state) {
  (void)state;
  Wide values[300], result;
  for (size_t f = 0; f < format_count; f++) {
    uint32_t count = list_values(&formats[f], values);
    for (uint32_t i = 0; i < count; i++) {
      assert_true(
          apply_integers_of(HLO_CONVERT, formats[f].type, TYPE_pred, 1, &values[i], &result));
      assert_true(result == (values[i] != 0));
    }
    for (Wide flag = 0; flag < 2; flag++) {
      assert_true(apply_integers_of(HLO_CONVERT, TYPE_pred, formats[f].type, 1, &flag, &result));
      assert_true(result == (Wide)value_of_bits(&formats[f], flag));
    }
  }
}

static void ends_of_a_type_are_its_least_and_greatest_value(void **state) {
  (void)state;
  Wide values[300];
  for (size_t f = 0; f < format_count; f++) {
    uint32_t count = list_values(&formats[f], values);
    Wide least = values[0], most = values[0];
    for (uint32_t i = 0; i < count; i++) {
      least = values[i] < least ? values[i] : least;
      most = values[i] > most ? values[i] : most;
    }
    assert_true(integer_lowest(formats[f].type) == least);
    assert_true(integer_highest(formats[f].type) == most);
  }
  assert_true(integer_lowest(TYPE_pred) == 0 && integer_highest(TYPE_pred) == 1);
}

static void check_compared(const char *direction, Wide a, Wide b, bool expected) {
  Attribute attribute = {.name = "direction", .text = direction};
  Shape shape = {.type = TYPE_pred};
  Instruction instruction = {.opcode = HLO_COMPARE,
      .shape = &shape,
      .operand_count = 2,
      .attribute_count = 1,
      .attributes = &attribute};
  Wide result = 7, operands[2] = {a, b};
  assert_true(integer_apply(&instruction, TYPE_s64, operands, &result));
  assert_true(result == expected);
}

static void comparisons_in_each_direction(void **state) {
  (void)state;
  static const Wide values[] = {INT64_MIN, -2, -1, 0, 1, 2, INT64_MAX};
  for (int i = 0; i < 7; i++)
    for (int k = 0; k < 7; k++) {
      check_compared("EQ", values[i], values[k], i == k);
      check_compared("NE", values[i], values[k], i != k);
      check_compared("LT", values[i], values[k], i < k);
      check_compared("LE", values[i], values[k], i < k || i == k);
      check_compared("GT", values[i], values[k], k < i);
      check_compared("GE", values[i], values[k], k < i || i == k);
    }
}

/* If the ends are exchanged, the upper one decides. */
static void clamps_and_selections_of_all_triples(void **state) {
  (void)state;
  Wide result;
  for (Wide lo = -4; lo < 4; lo++)
    for (Wide x = -4; x < 4; x++)
      for (Wide hi = -4; hi < 4; hi++) {
        Wide operands[3] = {lo, x, hi};
        assert_true(apply_integers_of(HLO_CLAMP, TYPE_s32, TYPE_s32, 3, operands, &result));
        assert_true(result == (hi < lo || x > hi ? hi : x < lo ? lo : x));
        assert_true(apply_integers_of(HLO_SELECT, TYPE_pred, TYPE_s32, 3, operands, &result));
        assert_true(result == (lo != 0 ? x : hi));
      }
}

static void pred_has_or_and_exclusive_or(void **state) {
  (void)state;
  static const struct {
    Opcode opcode;
    int of[4]; /* of (false, false), (false, true), (true, false), (true, true) */
  } rows[] = {{HLO_ADD, {0, 1, 1, 1}}, {HLO_MAXIMUM, {0, 1, 1, 1}}, {HLO_OR, {0, 1, 1, 1}},
      {HLO_MULTIPLY, {0, 0, 0, 1}}, {HLO_MINIMUM, {0, 0, 0, 1}}, {HLO_AND, {0, 0, 0, 1}},
      {HLO_XOR, {0, 1, 1, 0}}, {HLO_NOT, {1, 1, 0, 0}}};
  Wide result;
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
    for (int i = 0; i < 4; i++) {
      assert_true(apply_integers_of(rows[row].opcode, TYPE_pred, TYPE_pred,
          rows[row].opcode == HLO_NOT ? 1 : 2, (Wide[]){i / 2, i % 2}, &result));
      assert_true(result == rows[row].of[i]);
    }
}

static void what_is_no_integer_arithmetic_has_no_value(void **state) {
  (void)state;
  static const Opcode of_pred[] = {HLO_SUBTRACT, HLO_DIVIDE, HLO_REMAINDER, HLO_NEGATE, HLO_SIGN,
      HLO_SHIFT_LEFT, HLO_SHIFT_RIGHT_LOGICAL, HLO_SHIFT_RIGHT_ARITHMETIC};
  static const Opcode of_any[] = {HLO_POWER, HLO_EXPONENTIAL, HLO_DOT, HLO_COMPARE};
  Wide result;
  for (size_t i = 0; i < sizeof of_pred / sizeof *of_pred; i++)
    assert_false(apply_integers_of(of_pred[i], TYPE_pred, TYPE_pred, 2, (Wide[3]){1, 1}, &result));
  for (size_t i = 0; i < sizeof of_any / sizeof *of_any; i++)
    assert_false(apply_integers_of(of_any[i], TYPE_s32, TYPE_s32, 2, (Wide[3]){1, 1}, &result));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_follow_the_formulas),
      cmocka_unit_test(single_values_follow_the_formulas),
      cmocka_unit_test(conversions_keep_the_lowest_bits),
      cmocka_unit_test(conversions_to_and_from_pred),
      cmocka_unit_test(ends_of_a_type_are_its_least_and_greatest_value),
      cmocka_unit_test(comparisons_in_each_direction),
      cmocka_unit_test(clamps_and_selections_of_all_triples),
      cmocka_unit_test(pred_has_or_and_exclusive_or),
      cmocka_unit_test(what_is_no_integer_arithmetic_has_no_value),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
