/* Arithmetic with open signs against all choices of them: every operation of up to three floats on
 * zeros, infinities of either sign, other infinities, numbers and a NaN. What differs between two
 * choices by more than the sign of a zero must have a mark, and nothing else has one. */
#include "oracle/values/zero_signs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct SignedOperation {
  Opcode opcode;
  uint32_t count;
} SignedOperation;

static const SignedOperation signed_operations[] = {{HLO_NEGATE, 1}, {HLO_ABS, 1}, {HLO_SIGN, 1},
    {HLO_FLOOR, 1}, {HLO_CEIL, 1}, {HLO_ROUND_NEAREST_EVEN, 1}, {HLO_ROUND_NEAREST_AFZ, 1},
    {HLO_EXPONENTIAL, 1}, {HLO_EXPONENTIAL_MINUS_ONE, 1}, {HLO_LOG, 1}, {HLO_LOG_PLUS_ONE, 1},
    {HLO_LOGISTIC, 1}, {HLO_SQRT, 1}, {HLO_RSQRT, 1}, {HLO_CBRT, 1}, {HLO_TANH, 1}, {HLO_SINE, 1},
    {HLO_COSINE, 1}, {HLO_TAN, 1}, {HLO_ERF, 1}, {HLO_IS_FINITE, 1}, {HLO_CONVERT, 1},
    {HLO_BITCAST_CONVERT, 1}, {HLO_ADD, 2}, {HLO_SUBTRACT, 2}, {HLO_MULTIPLY, 2}, {HLO_DIVIDE, 2},
    {HLO_MAXIMUM, 2}, {HLO_MINIMUM, 2}, {HLO_ATAN2, 2}, {HLO_POWER, 2}, {HLO_REMAINDER, 2},
    {HLO_COMPARE, 2}, {HLO_CLAMP, 3}};

/* The sign of a zero result may be open, so that there is no result. */
static bool leaves_zeros(Opcode opcode) {
  return opcode == HLO_MAXIMUM || opcode == HLO_MINIMUM || opcode == HLO_CLAMP;
}

static const double signed_values[] = {
    0.0, -0.0, 1, -1, 2.5, -3, (double)INFINITY, -(double)INFINITY, (double)NAN};
static constexpr uint32_t signed_value_count = sizeof signed_values / sizeof *signed_values;
static constexpr uint32_t signed_operand_count = signed_value_count + 2;

/* The last two are infinities of either sign. */
static Element signed_operand(ElementType type, uint32_t number) {
  bool is_either = number >= signed_value_count;
  double infinite = number % 2 == 0 ? (double)INFINITY : -(double)INFINITY;
  Element element = element_of_real(type, is_either ? infinite : signed_values[number]);
  element.is_exact = true;
  element.is_either_sign = is_either;
  return element;
}

static bool has_any_sign(const Element *element) {
  return element->is_either_sign ||
         (!element_type_is_integral(element->type) && element->real == 0);
}

/* The same up to the sign of a zero. */
static bool is_alike(const Element *a, const Element *b) {
  if (element_type_is_integral(a->type)) return a->integer == b->integer;
  return a->real == b->real || (isnan(a->real) && isnan(b->real));
}

/* Whether the element admits another result. */
static bool admits(const Element *element, const Element *other) {
  if (element->is_coarse || is_alike(element, other)) return true;
  if (element_type_is_integral(element->type)) return false;
  if (element->is_either_sign && isinf(element->real) && isinf(other->real)) return true;
  return fabs(element->real - other->real) <= element->error;
}

typedef struct SignChoices {
  bool differ, are_unknown, are_coarse, have_nan, turn_infinite, have_numbers;
  uint32_t count;
} SignChoices;

/* Applies the operation once for each choice of all open signs, whether it reads them or not. */
static SignChoices choose_signs(const Instruction *instruction, uint32_t count,
    const Element *operands, const Element *plain, const Element *result) {
  SignChoices choices = {};
  for (uint32_t code = 1; code < 1U << count; code++) {
    Element changed[3], other;
    bool is_choice = true;
    for (uint32_t i = 0; i < count; i++) {
      changed[i] = operands[i];
      if ((code >> i & 1) == 0) continue;
      is_choice &= has_any_sign(&operands[i]);
      changed[i].real = -changed[i].real;
    }
    if (!is_choice) continue;
    choices.count++;
    if (!element_apply(instruction, count, changed, &other)) {
      choices.are_unknown = true;
      continue;
    }
    if (result != nullptr && !admits(result, &other))
      fail_msg("opcode %u: %.17g does not admit %.17g", (unsigned)instruction->opcode, result->real,
          other.real);
    choices.are_coarse |= other.is_coarse;
    if (is_alike(plain, &other)) continue;
    choices.differ = true;
    if (element_type_is_integral(plain->type)) continue;
    choices.have_nan |= isnan(plain->real) || isnan(other.real);
    bool are_infinite = isinf(plain->real) && isinf(other.real);
    choices.turn_infinite |= are_infinite;
    choices.have_numbers |= !are_infinite && !isnan(plain->real) && !isnan(other.real);
  }
  return choices;
}

static void check_signs(const Instruction *instruction, const SignedOperation *operation,
    const Element *operands, uint32_t *marked) {
  Element plain, result;
  uint32_t count = operation->count;
  bool is_known = element_apply(instruction, count, operands, &plain);
  assert_int_equal(element_apply_any_sign(instruction, count, operands, &result), is_known);
  if (!is_known) return;
  SignChoices choices = choose_signs(instruction, count, operands, &plain, &result);
  bool is_read = element_reads_zero_signs(instruction, count, operands);
  if (choices.count == 0) assert_false(is_read);
  if (choices.differ) assert_true(is_read);
  *marked += choices.differ;
  assert_int_equal(result.is_either_sign, choices.turn_infinite);
  bool loses = choices.have_nan || (choices.differ && element_type_is_integral(plain.type)) ||
               (choices.are_unknown && !leaves_zeros(operation->opcode));
  if (loses) assert_true(result.is_coarse);
  if (!loses && !choices.are_unknown && !choices.are_coarse)
    assert_int_equal(result.is_coarse, plain.is_coarse);
  if (!choices.have_numbers) assert_true(result.error == plain.error || isnan(plain.error));
  if (!choices.have_numbers && !choices.differ)
    assert_int_equal(result.is_rounded, plain.is_rounded);
  if (choices.have_numbers)
    assert_true(result.is_coarse || (result.is_rounded && result.error > 0));
  assert_true(is_alike(&result, &plain));
}

static void each_choice_of_signs_is_admitted(void **) {
  static const ElementType types[] = {TYPE_f32, TYPE_f64, TYPE_bf16};
  static const char *const directions[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
  uint32_t marked = 0;
  for (uint32_t t = 0; t < 3; t++)
    for (size_t o = 0; o < sizeof signed_operations / sizeof *signed_operations; o++) {
      const SignedOperation *operation = &signed_operations[o];
      Opcode opcode = operation->opcode;
      bool is_compared = opcode == HLO_COMPARE, is_recast = opcode == HLO_BITCAST_CONVERT;
      static const ElementType words[] = {TYPE_u32, TYPE_u64, TYPE_u16},
                               others[] = {TYPE_pred, TYPE_s32, TYPE_f64};
      Shape shape = {.type = is_compared || opcode == HLO_IS_FINITE ? TYPE_pred
                             : is_recast                            ? words[t]
                             : opcode == HLO_CONVERT                ? others[t]
                                                                    : types[t]};
      uint32_t all = 1;
      for (uint32_t i = 0; i < operation->count; i++) all *= signed_operand_count;
      for (uint32_t d = 0; d < (is_compared ? 6 : 1); d++)
        for (uint32_t code = 0; code < all; code++) {
          Attribute direction = {.name = "direction", .text = directions[d]};
          Instruction instruction = {.opcode = opcode,
              .shape = &shape,
              .operand_count = operation->count,
              .attribute_count = is_compared,
              .attributes = &direction};
          Element operands[3];
          for (uint32_t i = 0, rest = code; i < operation->count; i++, rest /= signed_operand_count)
            operands[i] = signed_operand(types[t], rest % signed_operand_count);
          check_signs(&instruction, operation, operands, &marked);
        }
    }
  assert_true(marked > 1000);
}

/* An integer beside floats: the predicate of a select has no sign. */
static void a_selected_sign_stays_open(void **) {
  Shape shape = {.type = TYPE_f32};
  Instruction select = {.opcode = HLO_SELECT, .shape = &shape, .operand_count = 3};
  for (uint32_t code = 0; code < 2 * signed_operand_count * signed_operand_count; code++) {
    Element operands[] = {element_of_integer(TYPE_pred, code % 2),
        signed_operand(TYPE_f32, code / 2 % signed_operand_count),
        signed_operand(TYPE_f32, code / 2 / signed_operand_count)};
    Element result;
    const Element *chosen = &operands[code % 2 == 1 ? 1 : 2];
    assert_true(element_apply_any_sign(&select, 3, operands, &result));
    assert_true(is_alike(&result, chosen));
    assert_int_equal(result.is_either_sign, chosen->is_either_sign);
    assert_false(result.is_coarse);
    for (uint32_t i = 0; i < 3; i++)
      assert_int_equal(element_has_open_sign(&operands[i]), has_any_sign(&operands[i]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_choice_of_signs_is_admitted),
      cmocka_unit_test(a_selected_sign_stays_open),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
