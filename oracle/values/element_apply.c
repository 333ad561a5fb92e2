/* Arithmetic on single elements. Integers use integer_apply, and powers of them a product; floating
 * types are computed in doubles and rounded to the type's precision. Types below 16 bits and
 * complex types are not supported. */
#include "oracle/values/element.h"

#include <math.h>
#include <string.h>

#include "oracle/semantics/arithmetic.h"
#include "oracle/values/bits.h"
#include "oracle/values/rounding.h"

/* Whether all backends of XLA give the same power: not -1 or 0 to a negative exponent, and not an
 * exponent past 63 of a base that grows, of which some use six bits. */
static bool integer_power(ElementType type, Wide base, Wide exponent, Wide *result) {
  static constexpr Wide most_exponent = 63;
  bool is_unit = base == 1 || base == -1, is_odd = exponent % 2 != 0;
  if (type == TYPE_pred) return false;
  *result = exponent == 0 || base == 1 || (is_unit && !is_odd) ? 1 : base;
  if (exponent < 0 && !is_unit) *result = 0;
  if (exponent < 0) return base != -1 && base != 0;
  if (is_unit || base == 0 || exponent == 0) return true;
  uint64_t power = 1;
  for (Wide i = 0; i < exponent && i < most_exponent; i++) power *= (uint64_t)base;
  *result = integer_wrap(type, (Wide)power);
  return exponent <= most_exponent;
}

static bool apply_integers(
    const Instruction *instruction, uint32_t count, const Element *operands, Element *result) {
  Wide wide[3] = {}, value;
  for (uint32_t i = 0; i < count; i++) {
    wide[i] = operands[i].integer;
    if (operands[i].type == TYPE_u64) wide[i] = (uint64_t)operands[i].integer;
  }
  if (instruction->opcode == HLO_POWER
          ? !integer_power(operands[0].type, wide[0], wide[1], &value)
          : !integer_apply(instruction, operands[0].type, wide, &value))
    return false;
  *result = element_of_integer(instruction->shape->type, (int64_t)(uint64_t)value);
  return true;
}

/* The total order is that of numbers, but for a NaN and for two zeros. Their signs decide there,
 * and are not known. */
static bool compare_reals(const Instruction *instruction, double a, double b, Element *result) {
  const Attribute *type = instruction_attribute(instruction, "type");
  bool answer, is_usual = type == nullptr || strncmp(type->text, "FLOAT", 5) == 0;
  if ((!is_usual && (isnan(a) || isnan(b) || (a == 0 && b == 0))) ||
      !comparison_answer(instruction, a<b, a == b, a> b, &answer))
    return false;
  *result = element_of_integer(TYPE_pred, answer);
  return true;
}

static double maximum(double a, double b) {
  return isnan(a) || isnan(b) ? (double)NAN : a < b ? b : a;
}
static double minimum(double a, double b) {
  return isnan(a) || isnan(b) ? (double)NAN : b < a ? b : a;
}

/* Whether the sign of a zero result is open: for zeros with different signs, documents (IEEE 754,
 * StableHLO) and compilers differ on the result of a maximum or minimum. */
static bool is_sign_open(Opcode opcode, double a, double b, double c) {
  if (opcode == HLO_CLAMP)
    return is_sign_open(HLO_MAXIMUM, a, b, 0) || is_sign_open(HLO_MINIMUM, maximum(a, b), c, 0);
  return (opcode == HLO_MAXIMUM || opcode == HLO_MINIMUM) && a == 0 && b == 0 &&
         signbit(a) != signbit(b);
}

/* Whether the result in doubles is exact; false if it is not finite. */
static bool loses_nothing(Opcode opcode, double a, double b, double result) {
  if (!isfinite(result)) return false;
  if (opcode == HLO_MULTIPLY) return fma(a, b, -result) == 0;
  if (opcode == HLO_DIVIDE) return fma(result, b, -a) == 0;
  if (opcode != HLO_ADD && opcode != HLO_SUBTRACT) return true;
  double right = opcode == HLO_ADD ? b : -b, taken = result - a;
  return (a - (result - taken)) + (right - taken) == 0;
}

/* Operations whose rounded result is the same on every platform. */
static bool exact_real(Opcode opcode, double a, double b, double c, double *result) {
  if (opcode == HLO_ADD) *result = a + b;
  else if (opcode == HLO_SUBTRACT) *result = a - b;
  else if (opcode == HLO_MULTIPLY) *result = a * b;
  else if (opcode == HLO_DIVIDE) *result = a / b;
  else if (opcode == HLO_NEGATE) *result = -a;
  else if (opcode == HLO_ABS) *result = fabs(a);
  else if (opcode == HLO_REAL) *result = a;
  else if (opcode == HLO_IMAG) *result = 0;
  else if (opcode == HLO_MAXIMUM) *result = maximum(a, b);
  else if (opcode == HLO_MINIMUM) *result = minimum(a, b);
  else if (opcode == HLO_CLAMP) *result = minimum(maximum(a, b), c);
  else if (opcode == HLO_FLOOR) *result = floor(a);
  else if (opcode == HLO_CEIL) *result = ceil(a);
  else if (opcode == HLO_SIGN) *result = isnan(a) || a == 0 ? a : copysign(1, a);
  else if (opcode == HLO_ROUND_NEAREST_EVEN) *result = nearbyint(a);
  else if (opcode == HLO_ROUND_NEAREST_AFZ) *result = round(a);
  else return false;
  return true;
}

static bool rounded_real(Opcode opcode, double a, double b, double *result) {
  if (opcode == HLO_EXPONENTIAL) *result = exp(a);
  else if (opcode == HLO_EXPONENTIAL_MINUS_ONE) *result = expm1(a);
  else if (opcode == HLO_LOG) *result = log(a);
  else if (opcode == HLO_LOG_PLUS_ONE) *result = log1p(a);
  else if (opcode == HLO_LOGISTIC) *result = 1 / (1 + exp(-a));
  else if (opcode == HLO_SQRT) *result = sqrt(a);
  else if (opcode == HLO_RSQRT) *result = 1 / sqrt(a);
  else if (opcode == HLO_CBRT) *result = cbrt(a);
  else if (opcode == HLO_TANH) *result = tanh(a);
  else if (opcode == HLO_SINE) *result = sin(a);
  else if (opcode == HLO_COSINE) *result = cos(a);
  else if (opcode == HLO_TAN) *result = tan(a);
  else if (opcode == HLO_ATAN2) *result = atan2(a, b);
  else if (opcode == HLO_POWER) *result = pow(a, b);
  else if (opcode == HLO_REMAINDER) *result = fmod(a, b);
  else if (opcode == HLO_ERF) *result = erf(a);
  else return false;
  return true;
}

static bool apply_real(Opcode opcode, const double *operands, double *value) {
  return exact_real(opcode, operands[0], operands[1], operands[2], value) ||
         rounded_real(opcode, operands[0], operands[1], value);
}

/* Whether the operation has lost no digit in doubles, on any platform. */
static bool is_lossless_real(Opcode opcode, double a, double b, double value) {
  if (opcode == HLO_SQRT) return loses_nothing(HLO_MULTIPLY, value, value, a);
  return loses_nothing(opcode, a, b, value);
}

static bool apply_reals(
    const Instruction *instruction, uint32_t count, const Element *operands, Element *result) {
  double reals[3] = {}, value;
  for (uint32_t i = 0; i < count; i++) reals[i] = operands[i].real;
  double a = reals[0], b = reals[1];
  ElementType type = instruction->shape->type;
  if (instruction->opcode == HLO_COMPARE) return compare_reals(instruction, a, b, result);
  if (instruction->opcode == HLO_IS_FINITE) {
    *result = element_of_integer(TYPE_pred, isfinite(a));
    return true;
  }
  bool is_exact = exact_real(instruction->opcode, a, b, reals[2], &value);
  if (!is_exact && !rounded_real(instruction->opcode, a, b, &value)) return false;
  *result = element_of_real(type, value);
  result->is_exact = is_exact;
  bool is_held = !result->is_rounded;
  result->is_rounded =
      result->is_rounded || !is_exact || !loses_nothing(instruction->opcode, a, b, value);
  result->error = rounding_error(apply_real, instruction, count, operands, value,
      is_held && is_lossless_real(instruction->opcode, a, b, value));
  return result->is_known;
}

/* Platforms convert to f16 and bf16 at once or by f32, which may be half-way between two numbers.
 */
static void mark_rounded_twice(double value, Element *result) {
  bool is_half = result->type == TYPE_f16 || result->type == TYPE_bf16;
  double twice = element_of_real(result->type, (double)(float)value).real;
  if (!is_half || isnan(result->real) || twice == result->real) return;
  result->is_rounded = result->is_coarse = true;
  result->is_exact = false;
}

/* Rejects a float that the integer type does not represent, because the result is unspecified. */
static bool element_convert(
    const Instruction *instruction, const Element *operand, Element *result) {
  ElementType type = instruction->shape->type;
  bool from_integer = element_type_is_integral(operand->type);
  if (element_type_is_integral(type)) {
    if (type == TYPE_pred)
      *result = element_of_integer(type, from_integer ? operand->integer != 0 : operand->real != 0);
    else if (from_integer) *result = element_of_integer(type, operand->integer);
    else {
      double whole = trunc(operand->real);
      if (!(fabs(whole) < 0x1p62) || (type == TYPE_u64 && whole < 0)) return false;
      *result = element_of_integer(type, (int64_t)whole);
      return (double)result->integer == whole;
    }
    return true;
  }
  if (!from_integer) {
    *result = element_of_real(type, operand->real);
    result->error = rounding_error_of(type, operand->real, operand->error, !result->is_rounded);
    mark_rounded_twice(operand->real, result);
    return result->is_known;
  }
  bool is_unsigned = operand->type == TYPE_u64, is_single = type == TYPE_f32;
  uint64_t held = (uint64_t)operand->integer;
  double value = is_unsigned ? (double)held : (double)operand->integer;
  if (is_single) value = is_unsigned ? (double)(float)held : (double)(float)operand->integer;
  *result = element_of_real(type, value);
  /* An integer that f32 holds is rounded once, on every platform. */
  if (fabs(value) <= 0x1p24 && isfinite(result->real)) result->is_coarse = false;
  result->is_rounded = result->is_coarse;
  mark_rounded_twice(value, result);
  return result->is_known && (is_single || type == TYPE_f64 || fabs(value) < 0x1p53);
}

/* Reinterprets the bits of an element as another type of the same width. */
static bool reinterpret(ElementType type, const Element *operand, Element *result) {
  uint64_t bits;
  return element_type_bits(type) == element_type_bits(operand->type) &&
         element_bits(operand, &bits) && element_of_bits(type, bits, result);
}

/* A number that an operation makes of such a NaN, as power(nan, 0), is none. */
static bool is_literal_nan(const Element *operand) {
  return operand->is_stated_nan && isnan(operand->real);
}

bool element_apply_any_zero(
    const Instruction *instruction, uint32_t count, const Element *operands, Element *result) {
  bool integers = true, reals = true;
  if (instruction->shape->type == TYPE_TUPLE || count == 0 || count > 3) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (!operands[i].is_known) return false;
    integers = integers && element_type_is_integral(operands[i].type);
    reals = reals && !element_type_is_integral(operands[i].type);
  }
  bool is_exact = true;
  for (uint32_t i = 0; i < count; i++) is_exact = is_exact && operands[i].is_exact;
  bool is_applied = false;
  if (instruction->opcode == HLO_CONVERT)
    is_applied = element_convert(instruction, operands, result);
  else if (instruction->opcode == HLO_SELECT) {
    *result = operands[operands[0].integer != 0 ? 1 : 2];
    is_applied = true;
  } else if (instruction->opcode == HLO_BITCAST || instruction->opcode == HLO_BITCAST_CONVERT)
    is_applied = reinterpret(instruction->shape->type, operands, result);
  else if (integers && element_type_is_integral(instruction->shape->type))
    is_applied = apply_integers(instruction, count, operands, result);
  else if (reals) is_applied = apply_reals(instruction, count, operands, result);
  if (!is_applied) return false;
  result->is_exact = result->is_exact && is_exact;
  bool may_jump = rounding_may_jump(instruction, operands[0].type);
  for (uint32_t i = 0; i < count; i++) {
    result->is_rounded = result->is_rounded || (operands[i].is_rounded && !may_jump);
    result->is_coarse = result->is_coarse || operands[i].is_coarse;
    result->is_stated_nan = result->is_stated_nan || is_literal_nan(&operands[i]);
  }
  if (may_jump && !rounding_is_harmless(apply_real, instruction, count, operands, result->real))
    result->is_rounded = result->is_coarse = true;
  return true;
}

bool element_apply(
    const Instruction *instruction, uint32_t count, const Element *operands, Element *result) {
  double third = count > 2 ? operands[2].real : 0;
  bool is_open = (count == 2 || count == 3) &&
                 is_sign_open(instruction->opcode, operands[0].real, operands[1].real, third);
  return !is_open && element_apply_any_zero(instruction, count, operands, result);
}

bool element_has_overflowed(
    Opcode opcode, uint32_t count, const Element *operands, const Element *result) {
  bool is_rounded = opcode == HLO_ADD || opcode == HLO_SUBTRACT || opcode == HLO_MULTIPLY ||
                    opcode == HLO_DIVIDE || opcode == HLO_CONVERT;
  if (!is_rounded || element_type_is_integral(result->type) || !isinf(result->real)) return false;
  for (uint32_t i = 0; i < count; i++)
    if (!element_type_is_integral(operands[i].type) && !isfinite(operands[i].real)) return false;
  return opcode != HLO_DIVIDE || operands[1].real != 0;
}

Element element_passed(ElementType type, Element argument) {
  bool is_kept = type_keeps_values(argument.type, type);
  if (!is_kept && !element_type_is_integral(argument.type)) {
    Element rounded = element_of_real(type, argument.real);
    is_kept = rounded.is_known && !rounded.is_rounded && !argument.is_rounded && argument.is_exact;
  }
  argument.is_known = argument.is_known && is_kept;
  argument.type = type;
  return argument;
}

Element element_factor(ElementType type, Element factor) {
  static constexpr double most_held = 0x1p53;
  bool is_integral = element_type_is_integral(type),
       is_other = is_integral && !element_type_is_integral(factor.type);
  if (is_other || (type == TYPE_pred && factor.type != TYPE_pred)) return (Element){.type = type};
  if (is_integral || !element_type_is_integral(factor.type)) return factor;
  Element made = element_of_real(
      type, factor.type == TYPE_u64 ? (double)(uint64_t)factor.integer : (double)factor.integer);
  made.is_known = made.is_known && factor.is_known;
  made.is_coarse = factor.is_coarse || made.is_rounded || fabs(made.real) > most_held;
  made.is_rounded = factor.is_rounded;
  made.is_exact = factor.is_exact;
  return made;
}

Element element_multiply_add(
    ElementType type, const Element *sum, const Element *left, const Element *right) {
  const Element factors[] = {element_factor(type, *left), element_factor(type, *right)};
  left = &factors[0];
  right = &factors[1];
  if (!sum->is_known || !left->is_known || !right->is_known) return (Element){.type = type};
  if (element_type_is_integral(type)) {
    if (type == TYPE_pred)
      return element_of_integer(type, sum->integer | (left->integer & right->integer));
    return element_of_integer(type,
        (int64_t)((uint64_t)sum->integer + (uint64_t)left->integer * (uint64_t)right->integer));
  }
  double a = left->real, b = right->real;
  Element result = element_of_real(type, sum->real + a * b);
  bool is_lossless = !result.is_rounded && loses_nothing(HLO_MULTIPLY, a, b, a * b) &&
                     loses_nothing(HLO_ADD, sum->real, a * b, sum->real + a * b);
  result.is_rounded = !is_lossless || sum->is_rounded || left->is_rounded || right->is_rounded;
  double carried =
      sum->error + fabs(a) * right->error + fabs(b) * left->error + left->error * right->error;
  bool has_bounds = isfinite(sum->error + left->error + right->error);
  if (isnan(carried) && !has_bounds) carried = (double)INFINITY;
  result.error = rounding_error_of(type, sum->real + a * b, carried, is_lossless);
  result.is_exact = sum->is_exact && left->is_exact && right->is_exact;
  result.is_coarse = result.is_coarse || sum->is_coarse || left->is_coarse || right->is_coarse ||
                     sum->is_either_sign || left->is_either_sign || right->is_either_sign;
  return result;
}
