/* Which functions fold a multiset, by the form of their term over a body's two atoms. HLO states no
 * order of a reduction. So a compiler may reorder sums, products and extrema, of floats too.
 * Another function, as a difference or `select(a > b, a, b)` of floats, has one value only in one
 * order. */
#include "oracle/terms/term.h"

#include <string.h>

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

static bool is_conversion(const Terms *terms, Term term) {
  const Instruction *operation = operation_applied(terms, term);
  return operation != nullptr && operation->opcode == HLO_CONVERT;
}

static Term term_operand(const Terms *terms, Term term, uint32_t at) {
  return term_children(terms, term)[at];
}

/* Whether the term is an operation that commutes, of both arguments after the same conversions. */
static bool combines_both(const Terms *terms, Term term) {
  const Instruction *operation = operation_applied(terms, term);
  if (operation == nullptr || term_data(terms, term)->count != 2 ||
      !opcode_commutes(operation->opcode))
    return false;
  Term left = term_operand(terms, term, 0), right = term_operand(terms, term, 1);
  while (is_conversion(terms, left) && is_conversion(terms, right) &&
         term_data(terms, left)->signature == term_data(terms, right)->signature) {
    left = term_operand(terms, left, 0);
    right = term_operand(terms, right, 0);
  }
  return are_both_arguments(terms, left, right);
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
  while (is_conversion(terms, body)) body = term_operand(terms, body, 0);
  return combines_both(terms, body) || picks_extremum(terms, body);
}

bool term_regroups(const Terms *terms, Term body) {
  if (picks_extremum(terms, body)) return true;
  if (!term_is_free_of_order(terms, body)) return false;
  if (element_type_is_integral(term_data(terms, body)->type)) return true;
  Opcode opcode = operation_applied(terms, body)->opcode;
  bool is_extremum = opcode == HLO_MAXIMUM || opcode == HLO_MINIMUM;
  return terms_grade(terms) >= (is_extremum ? LAW_IEEE : LAW_FAST);
}
