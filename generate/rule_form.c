/* Flattens terms with core/simplify/match/pattern.h, so that a form is what the matcher was
 * compiled from. The recursion depth is that of the rule's text. */
#include "generate/rule_form.h"

#include <string.h>

static bool form_sum(RuleForm *form, const RuleTerm *term, uint32_t within, uint32_t argument,
    int64_t sign, FormSum *sum);

static bool form_operator(
    RuleForm *form, const RuleTerm *term, uint32_t within, uint32_t argument, uint32_t *number) {
  if (form->operator_count == form_max_operators) return false;
  *number = ++form->operator_count;
  FormOperator *made = &form->operators[*number];
  bool divides = term->op != EXPR_MIN && term->op != EXPR_MAX;
  *made = (FormOperator){.op = term->op, .within = within, .argument = argument};
  made->argument_count = divides ? 1 : 2;
  made->divisor = divides ? term->right : nullptr;
  return form_sum(form, term->left, *number, 0, 1, &made->arguments[0]) &&
         (divides || form_sum(form, term->right, *number, 1, 1, &made->arguments[1]));
}

/* Adds the summands of the term, times sign. */
static bool form_sum(RuleForm *form, const RuleTerm *term, uint32_t within, uint32_t argument,
    int64_t sign, FormSum *sum) {
  Pattern pattern;
  if (!pattern_flatten(term, &pattern)) return false;
  for (uint32_t i = 0; i < pattern.count; i++) {
    const PatternItem *from = &pattern.items[i];
    if (sum->count == form_max_items) return false;
    FormItem *item = &sum->items[sum->count++];
    *item = (FormItem){.sign = sign, .factor_count = from->factor_count};
    memcpy(item->factors, from->factors, sizeof item->factors);
    if (from->item == nullptr) continue;
    item->is_letter = from->item->kind == TERM_EXPR;
    item->letter = from->item->letter;
    if (!item->is_letter && !form_operator(form, from->item, within, argument, &item->number))
      return false;
  }
  return true;
}

static bool is_bare(const FormSum *sum) {
  return sum->count == 1 && sum->items[0].factor_count == 0 && sum->items[0].sign == 1;
}

/* For a rule that cancels: subtracts the operators or the letters of the right side from the left
 * side. */
static bool add_cancelled(RuleForm *form, bool letters) {
  FormSum right = {};
  uint32_t operators = form->operator_count;
  if (!form_sum(form, form->rule->right.expr, 0, 0, -1, &right)) return false;
  for (uint32_t i = 0; i < right.count; i++) {
    if (right.items[i].is_letter != letters) continue;
    if (form->whole.count == form_max_items) return false;
    form->whole.items[form->whole.count++] = right.items[i];
  }
  if (letters) form->operator_count = operators;
  return true;
}

static bool form_of(const Rule *rule, uint32_t variant, RuleForm *form) {
  *form = (RuleForm){.rule = rule, .variant = variant, .root = FORM_SUM};
  if (!form_sum(form, rule->left.expr, 0, 0, 1, &form->whole)) return false;
  if (variant > 0) return add_cancelled(form, variant == 2);
  if (rule->left.is_constraint) form->root = FORM_CONSTRAINT;
  else if (is_bare(&form->whole))
    form->root = form->whole.items[0].is_letter ? FORM_LETTER : FORM_ATOM;
  return true;
}

uint32_t rule_forms(const Rule *rule, RuleForm forms[form_max_variants]) {
  bool cancels = rule->order != nullptr && strcmp(rule->order, "cancels") == 0;
  if (!cancels) return form_of(rule, 0, &forms[0]);
  return form_of(rule, 1, &forms[0]) && form_of(rule, 2, &forms[1]) ? 2 : 0;
}

const FormSum *form_around(const RuleForm *form, uint32_t number) {
  const FormOperator *op = &form->operators[number];
  return op->within == 0 ? &form->whole : &form->operators[op->within].arguments[op->argument];
}

bool form_has_letter(const FormSum *sum) {
  for (uint32_t i = 0; i < sum->count; i++)
    if (sum->items[i].is_letter) return true;
  return false;
}
