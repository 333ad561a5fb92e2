/* A right side is a linear sum of letters and operators over further sums; divisors are constant
 * arithmetic. The recursion is as deep as the term, at most term_max_depth. */
#include "core/simplify/match/template.h"

#include <assert.h>

#include "core/simplify/match/pattern.h"

static bool compile_item(Arena *arena, const PatternItem *from, TemplateItem *item) {
  item->coefficient = formula_product(arena, from->factor_count, from->factors);
  const RuleTerm *term = from->item;
  if (term->kind == TERM_EXPR) {
    item->is_letter = true;
    item->letter = (uint8_t)term->letter;
    return true;
  }
  item->op = term->op;
  item->left = template_compile(arena, term->left);
  if (item->left == nullptr) return false;
  if (term->op == EXPR_MIN || term->op == EXPR_MAX) {
    item->right = template_compile(arena, term->right);
    return item->right != nullptr;
  }
  assert(term_is_constant(term->right));
  item->divisor = formula_of(arena, term->right);
  return true;
}

PlanTemplate *template_compile(Arena *arena, const RuleTerm *term) {
  Pattern pattern;
  if (!pattern_flatten(term, &pattern)) return nullptr;
  PlanTemplate *template = ARENA_NEW(arena, PlanTemplate, 1);
  template->constant = formula_constants(arena, &pattern);
  template->items = ARENA_NEW(arena, TemplateItem, pattern.count);
  for (uint32_t i = 0; i < pattern.count; i++) {
    if (pattern.items[i].item == nullptr) continue;
    if (!compile_item(arena, &pattern.items[i], &template->items[template->count++]))
      return nullptr;
  }
  assert(template->count <= pattern.count);
  return template;
}
