/* Which functions fold a multiset, by the form of their term over a body's two atoms. HLO states no
 * order of a reduction. So a compiler may reorder sums, products and extrema, of floats too.
 * Another function, as a difference or `select(a > b, a, b)` of floats, has one value only in one
 * order. So has a sum whose accumulator is converted to a type without some of its values, except
 * that a float may be rounded to another float: which partial sums wrap, saturate or become 0 or 1
 * depends on the order. */
#include "oracle/terms/term.h"

#include <stdlib.h>
#include <string.h>

#include "core/hlo/attribute.h"
#include "oracle/values/element.h"

static const Instruction *operation_applied(const Terms *terms, Term term) {
  const TermData *data = term_data(terms, term);
  if (data->kind != TERM_APPLY) return nullptr;
  const TermSignature *of = signature_at(terms, data->signature);
  return of->is_opaque ? nullptr : of->instruction;
}

/* Whether the terms are two different atoms of a body. */
static bool are_both_arguments(const Terms *terms, Term a, Term b) {
  const TermData *left = term_data(terms, a), *right = term_data(terms, b);
  if (left->kind != TERM_ATOM || right->kind != TERM_ATOM) return false;
  const TermSignature *one = signature_at(terms, left->signature),
                      *other = signature_at(terms, right->signature);
  return one->is_body && other->is_body && one->number != other->number;
}

/* Whether a fold of elements of type `kept` keeps its values in this type, apart from rounding.
 * Floats below 16 bits are too narrow: a partial sum may saturate there. */
static bool type_keeps_fold(ElementType type, ElementType kept) {
  if (type == kept) return true;
  if (element_type_is_integral(kept))
    return element_type_is_integral(type) && type_keeps_values(kept, type);
  if (element_type_is_complex(kept)) return element_type_is_complex(type);
  return element_type_is_floating(type) && element_type_bits(type) >= 16;
}

static Term term_operand(const Terms *terms, Term term, uint32_t at) {
  return term_children(terms, term)[at];
}

/* Whether the operation rounds to a float that has at least the exponent of f16 and the significand
 * of bf16. */
static bool rounds_to_wide(const Instruction *operation) {
  int64_t exponent, mantissa;
  return operation->opcode == HLO_REDUCE_PRECISION &&
         attribute_number(operation, "exponent_bits", &exponent) && exponent >= 5 &&
         attribute_number(operation, "mantissa_bits", &mantissa) && mantissa >= 7;
}

/* Whether the term is a conversion that keeps the values of a fold of this type. */
static bool is_keeping_conversion(const Terms *terms, Term term, ElementType kept) {
  const Instruction *operation = operation_applied(terms, term);
  return operation != nullptr && (operation->opcode == HLO_CONVERT || rounds_to_wide(operation)) &&
         type_keeps_fold(term_data(terms, term)->type, kept);
}

static Term without_conversions(const Terms *terms, Term term, ElementType kept) {
  while (is_keeping_conversion(terms, term, kept)) term = term_operand(terms, term, 0);
  return term;
}

/* Whether the term is an operation that commutes, of both arguments, which may be converted. */
static bool combines_both(const Terms *terms, Term term, ElementType kept) {
  const Instruction *operation = operation_applied(terms, term);
  const TermData *data = term_data(terms, term);
  if (operation == nullptr || data->count != 2 || !opcode_commutes(operation->opcode) ||
      !type_keeps_fold(data->type, kept))
    return false;
  return are_both_arguments(terms, without_conversions(terms, term_operand(terms, term, 0), kept),
      without_conversions(terms, term_operand(terms, term, 1), kept));
}

static bool is_order(const Instruction *comparison) {
  static const char *const directions[] = {"GT", "GE", "LT", "LE"};
  const Attribute *direction = instruction_attribute(comparison, "direction");
  for (size_t i = 0; i < sizeof directions / sizeof *directions && direction != nullptr; i++)
    if (strcmp(direction->text, directions[i]) == 0) return true;
  return false;
}

/* Equal floats may be zeros of different signs, and a NaN is in no order, so only integers have
 * such an extremum. */
static bool picks_extremum(const Terms *terms, Term term) {
  const TermData *data = term_data(terms, term);
  if (data->kind != TERM_PICK || data->count != 3 || !element_type_is_integral(data->type))
    return false;
  Term offset = term_operand(terms, term, 0);
  const Instruction *comparison = operation_applied(terms, offset);
  return comparison != nullptr && comparison->opcode == HLO_COMPARE && is_order(comparison) &&
         are_both_arguments(
             terms, term_operand(terms, offset, 0), term_operand(terms, offset, 1)) &&
         are_both_arguments(terms, term_operand(terms, term, 1), term_operand(terms, term, 2));
}

bool term_folds_a_multiset(const Terms *terms, Term body) {
  ElementType kept = term_data(terms, body)->type;
  Term inner = without_conversions(terms, body, kept);
  return combines_both(terms, inner, kept) || picks_extremum(terms, inner);
}

/* Conversions of integers change nothing here, since the result has the arguments' type. Those of
 * floats round, also in an extremum. */
bool term_regroups(const Terms *terms, Term body) {
  if (!term_folds_a_multiset(terms, body)) return false;
  if (element_type_is_integral(term_data(terms, body)->type)) return true;
  if (!term_is_free_of_order(terms, body)) return terms_grade(terms) >= LAW_FAST;
  Opcode opcode = operation_applied(terms, body)->opcode;
  bool is_extremum = opcode == HLO_MAXIMUM || opcode == HLO_MINIMUM;
  return terms_grade(terms) >= (is_extremum ? LAW_IEEE : LAW_FAST);
}

uint64_t term_parameters(const Terms *terms, Term body) {
  static constexpr uint32_t most_parameters = 64;
  bool *is_reached = calloc((size_t)body + 1, sizeof *is_reached);
  uint64_t parameters = 0;
  if (is_reached == nullptr) arena_out_of_memory((size_t)body + 1);
  is_reached[body] = true;
  for (Term term = body + 1; term-- > 0;) { /* children come before their terms */
    if (!is_reached[term]) continue;
    const TermData *data = term_data(terms, term);
    const TermSignature *of =
        data->kind == TERM_ATOM ? signature_at(terms, data->signature) : nullptr;
    if (of != nullptr && of->is_body)
      parameters |= of->number < most_parameters ? UINT64_C(1) << of->number : UINT64_MAX;
    for (uint32_t i = 0; i < data->count; i++) is_reached[term_children(terms, term)[i]] = true;
  }
  free(is_reached);
  return parameters;
}
