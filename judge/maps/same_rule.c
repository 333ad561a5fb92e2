/* Compares sides, guards, scopes, negative examples and terms. Names, examples and orders are
 * ignored. */
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

static bool are_same_guards(uint32_t a_count, const Guard *a, uint32_t b_count, const Guard *b) {
  bool same = a_count == b_count;
  for (uint32_t i = 0; same && i < a_count; i++)
    same = a[i].relation == b[i].relation && is_same_term(a[i].left, b[i].left) &&
           is_same_term(a[i].right, b[i].right);
  return same;
}

static bool are_same_scopes(const Rule *a, const Rule *b) {
  bool same = a->scope_count == b->scope_count;
  for (uint32_t i = 0; same && i < a->scope_count; i++)
    same = a->scopes[i].letter == b->scopes[i].letter && a->scopes[i].lo == b->scopes[i].lo &&
           a->scopes[i].hi == b->scopes[i].hi;
  return same;
}

bool rule_is_same(const Rule *a, const Rule *b) {
  return is_same_side(&a->left, &b->left) && is_same_side(&a->right, &b->right) &&
         are_same_guards(a->guard_count, a->guards, b->guard_count, b->guards) &&
         are_same_scopes(a, b) && a->has_negative == b->has_negative &&
         is_same_side(&a->negative_side, &b->negative_side) &&
         are_same_guards(a->negative_guard_count, a->negative_guards, b->negative_guard_count,
             b->negative_guards);
}
