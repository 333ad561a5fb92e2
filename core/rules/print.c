/* Prints rules. Keeps: the printed text parses back to the same rule, term by term. t * -1 prints
 * as a subtraction or a sign wherever the parser would build it from one, and only there. */
#include "core/rules/rule.h"

#include <assert.h>

/* The binding strength of a printed term: a sum, a product, a factor. */
typedef enum Strength : uint8_t { STRENGTH_SUM = 1, STRENGTH_PRODUCT, STRENGTH_FACTOR } Strength;

/* The t of t * -1 if the parser builds that from -t. The parser folds the sign of a literal, except
 * of INT64_MIN, which has no opposite. */
static const RuleTerm *negated(const RuleTerm *term) {
  if (term->kind != TERM_OPERATOR || term->op != EXPR_MUL) return nullptr;
  if (term->right->kind != TERM_INTEGER || term->right->value != -1) return nullptr;
  bool is_folded = term->left->kind == TERM_INTEGER && term->left->value != INT64_MIN;
  return is_folded ? nullptr : term->left;
}

static Strength strength(const RuleTerm *term) {
  if (term->kind != TERM_OPERATOR || negated(term) != nullptr) return STRENGTH_FACTOR;
  switch (term->op) {
    case EXPR_ADD: return STRENGTH_SUM;
    case EXPR_MUL:
    case EXPR_FLOORDIV:
    case EXPR_CEILDIV:
    case EXPR_MOD: return STRENGTH_PRODUCT;
    case EXPR_MIN:
    case EXPR_MAX: return STRENGTH_FACTOR;
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  assert(false);
  return STRENGTH_FACTOR;
}

static void rule_term_print(Text *text, const Rule *rule, const RuleTerm *term, Strength least);

static void print_call(Text *text, const Rule *rule, const char *name, const RuleTerm *term) {
  text_string(text, name);
  text_string(text, "(");
  rule_term_print(text, rule, term->left, STRENGTH_SUM);
  text_string(text, ", ");
  rule_term_print(text, rule, term->right, STRENGTH_SUM);
  text_string(text, ")");
}

static void print_sum(Text *text, const Rule *rule, const RuleTerm *term) {
  rule_term_print(text, rule, term->left, STRENGTH_SUM);
  const RuleTerm *right = term->right;
  const RuleTerm *subtracted = negated(right);
  if (subtracted != nullptr) {
    text_string(text, " - ");
    rule_term_print(text, rule, subtracted, STRENGTH_PRODUCT);
  } else if (right->kind == TERM_INTEGER && right->value < 0 && right->value != INT64_MIN) {
    text_string(text, " - ");
    text_integer(text, -right->value);
  } else {
    text_string(text, " + ");
    rule_term_print(text, rule, right, STRENGTH_PRODUCT);
  }
}

static void print_operator(Text *text, const Rule *rule, const RuleTerm *term) {
  const RuleTerm *positive = negated(term);
  if (positive != nullptr) {
    text_string(text, positive->kind == TERM_INTEGER ? "-(" : "-");
    rule_term_print(text, rule, positive, STRENGTH_FACTOR);
    text_string(text, positive->kind == TERM_INTEGER ? ")" : "");
    return;
  }
  switch (term->op) {
    case EXPR_ADD: print_sum(text, rule, term); return;
    case EXPR_MIN:
    case EXPR_MAX: print_call(text, rule, expr_op_text(term->op), term); return;
    case EXPR_MUL:
    case EXPR_FLOORDIV:
    case EXPR_CEILDIV:
    case EXPR_MOD:
      rule_term_print(text, rule, term->left, STRENGTH_PRODUCT);
      text_printf(text, term->op == EXPR_MUL ? "%s" : " %s ", expr_op_text(term->op));
      rule_term_print(text, rule, term->right, STRENGTH_FACTOR);
      return;
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  assert(false);
}

static void rule_term_print(Text *text, const Rule *rule, const RuleTerm *term, Strength least) {
  bool has_parentheses = strength(term) < least;
  if (has_parentheses) text_string(text, "(");
  switch (term->kind) {
    case TERM_INTEGER: text_integer(text, term->value); break;
    case TERM_CONSTANT_LETTER: text_string(text, rule->constants[term->letter]); break;
    case TERM_EXPR: text_string(text, rule->exprs[term->letter]); break;
    case TERM_LO: text_printf(text, "lo(%s)", rule->exprs[term->letter]); break;
    case TERM_HI: text_printf(text, "hi(%s)", rule->exprs[term->letter]); break;
    case TERM_OPERATOR: print_operator(text, rule, term); break;
    case TERM_GCD: print_call(text, rule, "gcd", term); break;
  }
  if (has_parentheses) text_string(text, ")");
}

void term_print(Text *text, const Rule *rule, const RuleTerm *term) {
  rule_term_print(text, rule, term, STRENGTH_SUM);
}

const char *relation_text(Comparison relation) {
  switch (relation) {
    case REL_EQ: return "==";
    case REL_NE: return "!=";
    case REL_LT: return "<";
    case REL_LE: return "<=";
    case REL_GT: return ">";
    case REL_GE: return ">=";
  }
  assert(false);
  return "?";
}

void guard_print(Text *text, const Rule *rule, const Guard *guard) {
  term_print(text, rule, guard->left);
  text_printf(text, " %s ", relation_text(guard->relation));
  term_print(text, rule, guard->right);
}

void side_print(Text *text, const Rule *rule, const Side *side) {
  term_print(text, rule, side->expr);
  if (!side->is_constraint) return;
  text_string(text, " in [");
  term_print(text, rule, side->lo);
  text_string(text, ", ");
  term_print(text, rule, side->hi);
  text_string(text, "]");
}

static void print_guards(
    Text *text, const Rule *rule, const char *before, const Guard *guards, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    text_string(text, i == 0 ? before : ", ");
    guard_print(text, rule, &guards[i]);
  }
  if (count > 0) text_string(text, "\n");
}

static void print_line(Text *text, const char *tag, const char *value) {
  if (value != nullptr) text_printf(text, "  %s: %s\n", tag, value);
}

void rule_print(Text *text, const Rule *rule) {
  text_printf(text, "rule %s\n  ", rule->name);
  side_print(text, rule, &rule->left);
  text_string(text, "  =>  ");
  side_print(text, rule, &rule->right);
  text_string(text, "\n");
  print_guards(text, rule, "  when ", rule->guards, rule->guard_count);
  print_line(text, "order", rule->order);
  print_line(text, "scope", rule->scope);
  if (rule->has_negative && rule->negative_is_guard)
    print_guards(text, rule, "  near-miss: ", rule->negative_guards, rule->negative_guard_count);
  if (rule->has_negative && !rule->negative_is_guard) {
    text_string(text, "  near-miss: ");
    side_print(text, rule, &rule->negative_side);
    text_string(text, "\n");
  }
  print_line(text, "example", rule->example);
}
