/* Prints a rule with values by renaming each letter to its value, so that one printer serves
 * both. */
#include "cli/prove/prove_refuted.h"

static const char *value_name(Arena *arena, int64_t value) {
  return arena_printf(arena, value < 0 ? "(%lld)" : "%lld", (long long)value);
}

/* The term with constant letters for lo and hi: after the rule's own constants come lo and hi of
 * each expression letter, for lo(x) is no function of x's value. Recursion ends at the leaves. */
static const RuleTerm *term_with_bounds(Arena *arena, const Rule *rule, const RuleTerm *term) {
  if (term == nullptr) return nullptr;
  RuleTerm *copy = ARENA_NEW(arena, RuleTerm, 1);
  *copy = *term;
  copy->left = term_with_bounds(arena, rule, term->left);
  copy->right = term_with_bounds(arena, rule, term->right);
  if (term->kind != TERM_LO && term->kind != TERM_HI) return copy;
  copy->kind = TERM_CONSTANT_LETTER;
  copy->letter = rule->constant_count + 2 * term->letter + (term->kind == TERM_HI);
  return copy;
}

static Side side_with_bounds(Arena *arena, const Rule *rule, Side side) {
  side.expr = term_with_bounds(arena, rule, side.expr);
  side.lo = term_with_bounds(arena, rule, side.lo);
  side.hi = term_with_bounds(arena, rule, side.hi);
  return side;
}

/* A copy of the rule whose letters are named by their values. */
static Rule rule_with_values(Arena *arena, const Rule *rule, const RuleValues *values) {
  Rule named = *rule;
  uint32_t count = rule->constant_count;
  const char **constants = ARENA_NEW(arena, const char *, count + 2 * rule->expr_count);
  named.constants = constants;
  named.exprs = ARENA_NEW(arena, const char *, rule->expr_count);
  for (uint32_t i = 0; i < count; i++) constants[i] = value_name(arena, values->constants[i]);
  for (uint32_t i = 0; i < rule->expr_count; i++) {
    named.exprs[i] = value_name(arena, values->exprs[i]);
    constants[count + 2 * i] = value_name(arena, values->lo[i]);
    constants[count + 2 * i + 1] = value_name(arena, values->hi[i]);
  }
  named.left = side_with_bounds(arena, rule, rule->left);
  named.right = side_with_bounds(arena, rule, rule->right);
  return named;
}

void guard_search_print(Text *text, const Rule *rule, const GuardSearch *search) {
  for (uint32_t i = 0; i < search->count; i++) {
    if (i > 0) text_string(text, ", ");
    guard_print(text, rule, &search->guards[i]);
  }
}

void prove_print_refuted(
    Text *text, const Rule *rule, const RuleVerdict *verdict, const GuardSearch *search) {
  Rule named = rule_with_values(text->arena, rule, &verdict->values);
  text_printf(text, "  %s:%u: ", rule->file, rule->line);
  side_print(text, rule, &rule->left);
  text_string(text, " => ");
  side_print(text, rule, &rule->right);
  for (uint32_t i = 0; i < rule->guard_count; i++) {
    text_string(text, i == 0 ? " when " : ", ");
    guard_print(text, rule, &rule->guards[i]);
  }
  text_string(text, "\n  with the values: ");
  side_print(text, &named, &named.left);
  text_string(text, " => ");
  side_print(text, &named, &named.right);
  text_string(text, "\n");
  if (search->count == 0) return;
  text_string(text, "  true if also ");
  guard_search_print(text, rule, search);
  text_string(text, "\n");
}
