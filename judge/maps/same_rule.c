/* Compares sides, guards and terms. Names, examples and negative examples are ignored. */
#include "judge/maps/same_rule.h"

/* The recursion depth is that of a term. */
static bool is_same_term(const RuleTerm *a, const RuleTerm *b) {
  if (a == nullptr || b == nullptr) return a == b;
  if (a->kind != b->kind) return false;
  switch (a->kind) {
    case TERM_INTEGER: return a->value == b->value;
    case TERM_CONSTANT_LETTER:
    case TERM_EXPR:
    case TERM_LO:
    case TERM_HI: return a->letter == b->letter;
    case TERM_OPERATOR:
      return a->op == b->op && is_same_term(a->left, b->left) && is_same_term(a->right, b->right);
    case TERM_GCD: return is_same_term(a->left, b->left) && is_same_term(a->right, b->right);
  }
  return false;
}

static bool is_same_side(const Side *a, const Side *b) {
  return a->is_constraint == b->is_constraint && is_same_term(a->expr, b->expr) &&
         (!a->is_constraint || (is_same_term(a->lo, b->lo) && is_same_term(a->hi, b->hi)));
}

bool rule_is_same(const Rule *a, const Rule *b) {
  bool same = a->guard_count == b->guard_count && is_same_side(&a->left, &b->left) &&
              is_same_side(&a->right, &b->right);
  for (uint32_t i = 0; same && i < a->guard_count; i++) {
    const Guard *x = &a->guards[i], *y = &b->guards[i];
    same = x->relation == y->relation && is_same_term(x->left, y->left) &&
           is_same_term(x->right, y->right);
  }
  return same;
}
