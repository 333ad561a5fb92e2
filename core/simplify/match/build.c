/* Right sides: a template under the bindings becomes a sum, rewritten to its fixed point as it is
 * built. The recursion is as deep as the template. */
#include <assert.h>

#include "core/simplify/match/match.h"

static NormalSum *build_sum(Match *match, const PlanTemplate *template) {
  Gather gather = gather_create(&match->simplifier->normal, 8);
  if (!build_template(match, template, 1, &gather)) return nullptr;
  return match->simplifier->rewriter->collected(match->simplifier, &gather);
}

static NormalSum *build_operator(Match *match, const TemplateItem *item) {
  assert(!item->is_letter && item->op > EXPR_VAR && item->left != nullptr);
  NormalSum *left = build_sum(match, item->left);
  if (left == nullptr) return nullptr;
  if (item->right != nullptr) {
    NormalSum *arguments[] = {left, build_sum(match, item->right)};
    return arguments[1] == nullptr
               ? nullptr
               : match->simplifier->rewriter->combined(match->simplifier, item->op, arguments, 2);
  }
  int64_t divisor;
  if (!match_evaluate(match, &item->divisor, &divisor) || divisor <= 0) return nullptr;
  return match->simplifier->rewriter->division(match->simplifier, item->op, left, divisor);
}

bool build_item(Match *match, const TemplateItem *item, int64_t scale, Gather *gather) {
  int64_t coefficient;
  if (!match_evaluate(match, &item->coefficient, &coefficient) ||
      !simplifier_mul(match->simplifier, coefficient, scale, &coefficient))
    return false;
  if (item->is_letter) {
    const SumView *view = &match->exprs[item->letter].view;
    assert(item->letter < match->plan->rule->expr_count && !view->lacks);
    gather_items(gather, coefficient, view->items, view->count);
    gather_constant(gather, coefficient, view->constant);
    return true;
  }
  NormalSum *sum = build_operator(match, item);
  if (sum == nullptr) return false;
  gather_sum(gather, coefficient, sum);
  return true;
}

bool build_template(Match *match, const PlanTemplate *template, int64_t scale, Gather *gather) {
  int64_t constant;
  if (!match_evaluate(match, &template->constant, &constant)) return false;
  gather_constant(gather, scale, constant);
  for (uint32_t i = 0; i < template->count; i++)
    if (!build_item(match, &template->items[i], scale, gather)) return false;
  return true;
}
