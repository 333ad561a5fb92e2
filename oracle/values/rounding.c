/* The operation is evaluated at the ends of its operands' intervals. Between poles, each operation
 * is monotone in each operand, or moves no more than its operand does. */
#include "oracle/values/rounding.h"

#include <math.h>

static constexpr int digits_correct = 3, digits_approximate = 7;
static constexpr double digits_of_doubles = 0x1p-51;

static bool is_approximate(Opcode opcode) {
  return opcode == HLO_EXPONENTIAL || opcode == HLO_EXPONENTIAL_MINUS_ONE || opcode == HLO_LOG ||
         opcode == HLO_LOG_PLUS_ONE || opcode == HLO_LOGISTIC || opcode == HLO_RSQRT ||
         opcode == HLO_CBRT || opcode == HLO_TANH || opcode == HLO_SINE || opcode == HLO_COSINE ||
         opcode == HLO_TAN || opcode == HLO_ATAN2 || opcode == HLO_POWER || opcode == HLO_ERF;
}

static bool is_step(Opcode opcode) {
  return opcode == HLO_FLOOR || opcode == HLO_CEIL || opcode == HLO_SIGN ||
         opcode == HLO_ROUND_NEAREST_EVEN || opcode == HLO_ROUND_NEAREST_AFZ;
}

static double relative_rounding(ElementType type, int digits) {
  int bits;
  (void)element_precision(type, &bits);
  return ldexp(1, digits - bits);
}

static double distance_of_reals(double a, double b) {
  if (a == b || (isnan(a) && isnan(b))) return 0;
  double distance = fabs(a - b);
  return isfinite(distance) ? distance : (double)INFINITY;
}

static bool reaches_zero(double value, double error) { return error > 0 && fabs(value) <= error; }

/* Whether the quotient may be rounded to another integer. */
static bool has_open_quotient(const double *reals, const double *errors) {
  double whole = trunc(reals[0] / reals[1]);
  for (uint32_t corner = 0; corner < 4; corner++) {
    double a = reals[0] + (corner & 1 ? errors[0] : -errors[0]),
           b = reals[1] + (corner & 2 ? errors[1] : -errors[1]);
    if (trunc(a / b) != whole) return true;
  }
  return false;
}

/* Whether the operation may have a pole or a jump within the errors. */
static bool has_pole(Opcode opcode, const double *reals, const double *errors) {
  if (opcode == HLO_DIVIDE) return reaches_zero(reals[1], errors[1]);
  if (opcode == HLO_POWER && errors[1] > 0 && reals[0] < errors[0]) return true;
  if (opcode == HLO_POWER || opcode == HLO_ATAN2)
    return reaches_zero(reals[0], errors[0]) && reals[1] < errors[1];
  if (opcode == HLO_TAN) return errors[0] > 0 && fabs(cos(reals[0])) <= 2 * errors[0];
  return opcode == HLO_REMAINDER &&
         (reaches_zero(reals[1], errors[1]) || has_open_quotient(reals, errors));
}

/* The largest distance from the value at the ends of the operands' intervals. */
static double farthest_corner(RealOperation *apply, Opcode opcode, uint32_t count,
    const double *reals, const double *errors, double value) {
  double farthest = 0;
  for (uint32_t corner = 0; corner < 1u << count; corner++) {
    double at[3] = {}, moved = (double)NAN;
    for (uint32_t i = 0; i < count; i++)
      at[i] = reals[i] + (corner >> i & 1 ? errors[i] : -errors[i]);
    if (!apply(opcode, at, &moved)) return (double)INFINITY;
    farthest = fmax(farthest, distance_of_reals(moved, value));
  }
  return farthest;
}

/* Doubles lose an error that is small beside its number. What they lose is added again: of a sum it
 * may be all that a later difference leaves. */
static double carried_error(RealOperation *apply, Opcode opcode, uint32_t count,
    const double *reals, const double *errors, double value) {
  bool has_errors = false, is_open = false;
  for (uint32_t i = 0; i < count; i++) {
    has_errors = has_errors || errors[i] > 0;
    is_open = is_open || isinf(errors[i]);
  }
  if (!has_errors) return 0;
  if (opcode == HLO_SINE || opcode == HLO_COSINE) return fmin(errors[0], 2);
  if (is_open || has_pole(opcode, reals, errors)) return (double)INFINITY;
  bool is_sum = opcode == HLO_ADD || opcode == HLO_SUBTRACT;
  if (is_sum && isfinite(value)) return errors[0] + errors[1];
  double farthest = farthest_corner(apply, opcode, count, reals, errors, value);
  return isfinite(value) ? farthest + fabs(value) * digits_of_doubles : farthest;
}

/* Whether every platform has this value of the function: f(0) = 0, and limits at infinity. */
static bool is_fixed_value(double operand, double value) {
  return (operand == 0 && value == 0) || isinf(operand);
}

static double error_with_own(ElementType type, double value, double carried, double own) {
  if (isnan(value) || isinf(value)) return carried;
  double least = fabs(value) - carried - own;
  if (isinf(element_of_real(type, value).real))
    return least > 0 && isinf(element_of_real(type, least).real) ? 0 : (double)INFINITY;
  return carried + own;
}

double rounding_error_of(ElementType type, double value, double carried, bool is_lossless) {
  double own =
      fabs(value) * relative_rounding(type, digits_correct) + element_smallest_normal(type);
  return error_with_own(type, value, carried, is_lossless ? 0 : own);
}

/* An approximated function may also round its operands, as in a reduction of a large angle, but no
 * exponent: an even one stays even. */
double rounding_error(RealOperation *apply, const Instruction *instruction, uint32_t count,
    const Element *operands, double value, bool is_lossless) {
  double reals[3], errors[3];
  Opcode opcode = instruction->opcode;
  ElementType type = instruction->shape->type;
  bool is_open = is_approximate(opcode) &&
                 !(operands[0].error == 0 && is_fixed_value(operands[0].real, value));
  for (uint32_t i = 0; i < count; i++) {
    reals[i] = operands[i].real;
    errors[i] = operands[i].error;
    bool is_exponent = opcode == HLO_POWER && i == 1;
    if (is_open && !is_exponent && isfinite(reals[i]))
      errors[i] += fabs(reals[i]) * relative_rounding(type, digits_correct);
  }
  double carried = carried_error(apply, opcode, count, reals, errors, value);
  if (!is_approximate(opcode)) return rounding_error_of(type, value, carried, is_lossless);
  double own =
      fabs(value) * relative_rounding(type, digits_approximate) + element_smallest_normal(type);
  return error_with_own(type, value, carried, is_open ? own : 0);
}

static bool is_bitcast(Opcode opcode) {
  return opcode == HLO_BITCAST || opcode == HLO_BITCAST_CONVERT;
}

bool rounding_may_jump(const Instruction *instruction, ElementType operand) {
  Opcode opcode = instruction->opcode;
  ElementType type = instruction->shape->type;
  if (element_type_is_integral(operand)) return false;
  if (opcode == HLO_CONVERT) return element_type_is_integral(type);
  if (is_bitcast(opcode)) return type != operand;
  return opcode == HLO_COMPARE || opcode == HLO_IS_FINITE || is_step(opcode);
}

/* Whether all numbers within the errors are on one side of the other operand. */
static bool is_comparison_harmless(const Element *a, const Element *b) {
  double errors = a->error + b->error;
  if (isnan(a->real) || isnan(b->real)) return isfinite(errors);
  return errors == 0 || fabs(a->real - b->real) > errors;
}

static bool is_conversion_harmless(const Element *operand, ElementType type) {
  double lo = operand->real - operand->error, hi = operand->real + operand->error;
  if (type == TYPE_pred) return !reaches_zero(operand->real, operand->error);
  return trunc(lo) == trunc(operand->real) && trunc(hi) == trunc(operand->real);
}

bool rounding_is_harmless(RealOperation *apply, const Instruction *instruction, uint32_t count,
    const Element *operands, double value) {
  Opcode opcode = instruction->opcode;
  const Element *first = &operands[0];
  if (opcode == HLO_COMPARE) return is_comparison_harmless(first, &operands[1]);
  if (opcode == HLO_IS_FINITE) return isfinite(first->error);
  if (opcode == HLO_CONVERT) return is_conversion_harmless(first, instruction->shape->type);
  if (is_bitcast(opcode)) return first->error == 0;
  return farthest_corner(apply, opcode, count, &first->real, &first->error, value) == 0;
}
