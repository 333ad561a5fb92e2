/* Flattens terms, and compiles constant arithmetic to postfix code. The recursion is as deep as the
 * term, at most term_max_depth. */
#include "core/simplify/match/pattern.h"

#include <assert.h>

bool term_is_constant(const RuleTerm *term) {
  switch (term->kind) {
    case TERM_INTEGER:
    case TERM_CONSTANT_LETTER:
    case TERM_LO:
    case TERM_HI:
    case TERM_GCD: return true;
    case TERM_EXPR: return false;
    case TERM_OPERATOR: return term_is_constant(term->left) && term_is_constant(term->right);
  }
  assert(false);
  return false;
}

static bool add_item(Pattern *pattern, const PatternItem *item) {
  if (pattern->count == pattern_max_items) return false;
  pattern->items[pattern->count++] = *item;
  return true;
}

static bool add_factor(PatternItem *item, const RuleTerm *factor) {
  if (item->factor_count == pattern_max_factors) return false;
  item->factors[item->factor_count++] = factor;
  return true;
}

/* Splits a constant product into factors, so that c*k is a monomial. */
static bool add_factors(PatternItem *item, const RuleTerm *term) {
  if (term->kind == TERM_OPERATOR && term->op == EXPR_MUL)
    return add_factors(item, term->left) && add_factors(item, term->right);
  return add_factor(item, term);
}

static bool flatten(const RuleTerm *term, const PatternItem *around, Pattern *pattern) {
  PatternItem item = *around;
  if (term->kind == TERM_OPERATOR && term->op == EXPR_ADD)
    return flatten(term->left, around, pattern) && flatten(term->right, around, pattern);
  if (term_is_constant(term)) return add_factors(&item, term) && add_item(pattern, &item);
  if (term->kind == TERM_OPERATOR && term->op == EXPR_MUL) {
    bool left = term_is_constant(term->left);
    if (!left && !term_is_constant(term->right)) return false;
    return add_factors(&item, left ? term->left : term->right) &&
           flatten(left ? term->right : term->left, &item, pattern);
  }
  item.item = term;
  return add_item(pattern, &item);
}

bool pattern_flatten(const RuleTerm *term, Pattern *pattern) {
  *pattern = (Pattern){};
  return flatten(term, &(PatternItem){}, pattern);
}

typedef struct CodeList {
  uint32_t count, capacity;
  Code *items;
} CodeList;

static CodeOp code_of(ExprOp op) {
  switch (op) {
    case EXPR_ADD: return CODE_ADD;
    case EXPR_MUL: return CODE_MUL;
    case EXPR_FLOORDIV: return CODE_FLOORDIV;
    case EXPR_CEILDIV: return CODE_CEILDIV;
    case EXPR_MOD: return CODE_MOD;
    case EXPR_MIN: return CODE_MIN;
    case EXPR_MAX: return CODE_MAX;
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  assert(false);
  return CODE_ADD;
}

static void pattern_emit(Arena *arena, CodeList *list, const RuleTerm *term) {
  switch (term->kind) {
    case TERM_INTEGER:
      *ARENA_PUSH(arena, list) = (Code){.op = CODE_INTEGER, .value = term->value};
      return;
    case TERM_CONSTANT_LETTER:
      *ARENA_PUSH(arena, list) = (Code){.op = CODE_CONSTANT, .letter = (uint8_t)term->letter};
      return;
    case TERM_LO:
      *ARENA_PUSH(arena, list) = (Code){.op = CODE_LO, .letter = (uint8_t)term->letter};
      return;
    case TERM_HI:
      *ARENA_PUSH(arena, list) = (Code){.op = CODE_HI, .letter = (uint8_t)term->letter};
      return;
    case TERM_GCD:
    case TERM_OPERATOR:
      pattern_emit(arena, list, term->left);
      pattern_emit(arena, list, term->right);
      *ARENA_PUSH(arena, list) =
          (Code){.op = term->kind == TERM_GCD ? CODE_GCD : code_of(term->op)};
      return;
    case TERM_EXPR: break;
  }
  assert(false);
}

static Formula pattern_finish(const CodeList *list) {
  assert(list->count > 0);
  if (list->count == 1 && list->items[0].op == CODE_INTEGER)
    return (Formula){.value = list->items[0].value};
  return (Formula){.count = list->count, .items = list->items};
}

static void emit_product(
    Arena *arena, CodeList *list, uint32_t count, const RuleTerm *const *factors) {
  if (count == 0) *ARENA_PUSH(arena, list) = (Code){.op = CODE_INTEGER, .value = 1};
  for (uint32_t i = 0; i < count; i++) {
    pattern_emit(arena, list, factors[i]);
    if (i > 0) *ARENA_PUSH(arena, list) = (Code){.op = CODE_MUL};
  }
}

Formula formula_product(Arena *arena, uint32_t count, const RuleTerm *const *factors) {
  CodeList list = {};
  emit_product(arena, &list, count, factors);
  return pattern_finish(&list);
}

Formula formula_of(Arena *arena, const RuleTerm *term) { return formula_product(arena, 1, &term); }

Formula formula_constants(Arena *arena, const Pattern *pattern) {
  CodeList list = {};
  uint32_t summands = 0;
  for (uint32_t i = 0; i < pattern->count; i++) {
    const PatternItem *item = &pattern->items[i];
    if (item->item != nullptr) continue;
    emit_product(arena, &list, item->factor_count, item->factors);
    if (summands++ > 0) *ARENA_PUSH(arena, &list) = (Code){.op = CODE_ADD};
  }
  assert(summands > 0 || list.count == 0);
  return summands == 0 ? (Formula){.value = 0} : pattern_finish(&list);
}

bool formula_fits(const Formula *formula) {
  uint32_t height = 0;
  assert(formula->count == 0 || formula->items != nullptr);
  for (uint32_t i = 0; i < formula->count; i++) {
    height = formula->items[i].op <= CODE_HI ? height + 1 : height - 1;
    if (height >= formula_max_stack) return false;
  }
  return true;
}

bool pattern_repeats(const Pattern *pattern) {
  for (uint32_t i = 0; i < pattern->count; i++)
    for (uint32_t k = 0; k < i; k++) {
      const RuleTerm *a = pattern->items[i].item, *b = pattern->items[k].item;
      bool are_letters =
          a != nullptr && b != nullptr && a->kind == TERM_EXPR && b->kind == TERM_EXPR;
      if (are_letters && a->letter == b->letter) return true;
    }
  return false;
}
