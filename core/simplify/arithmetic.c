/* Constant arithmetic of guards, coefficients and right sides over the letters that a match has bound, checked at every step:
 * what leaves int64, or divides by a number <= 0, has no value, and a rule without a value does not fire. */
#include <assert.h>

#include "core/base/checked.h"
#include "core/simplify/match.h"

static constexpr uint32_t stack_size = 64;

bool match_letter_bounds(Match *match, uint8_t letter, Interval *bounds) {
  Letter *bound = &match->exprs[letter];
  if (!bound->has_bounds) {
    const View *view = &bound->view;
    bound->has_bounds = true;
    bound->is_bounded = view->whole != nullptr
                            ? facts_known(match->simplifier, view->whole, &bound->bounds)
                            : facts_items(match->simplifier, view->items, view->count, view->constant, &bound->bounds);
  }
  *bounds = bound->bounds;
  return bound->is_bounded;
}

static bool apply_gcd(int64_t a, int64_t b, int64_t *value) {
  uint64_t divisor = gcd64(a, b);
  *value = (int64_t)divisor;
  return divisor <= INT64_MAX;
}

static bool apply(CodeOp op, int64_t a, int64_t b, int64_t *value) {
  switch (op) {
    case CODE_ADD: return add64(a, b, value);
    case CODE_MUL: return mul64(a, b, value);
    case CODE_FLOORDIV:
      if (b <= 0) return false;
      *value = floordiv64(a, b);
      return true;
    case CODE_CEILDIV:
      if (b <= 0) return false;
      *value = ceildiv64(a, b);
      return true;
    case CODE_MOD:
      if (b <= 0) return false;
      *value = mod64(a, b);
      return true;
    case CODE_MIN: *value = min64(a, b); return true;
    case CODE_MAX: *value = max64(a, b); return true;
    case CODE_GCD: return apply_gcd(a, b, value);
    case CODE_INTEGER:
    case CODE_CONSTANT:
    case CODE_LO:
    case CODE_HI: break;
  }
  assert(false);
  return false;
}

static bool leaf_value(Match *match, const Code *code, int64_t *value) {
  if (code->op == CODE_INTEGER || code->op == CODE_CONSTANT) {
    *value = code->op == CODE_INTEGER ? code->value : match->constants[code->letter];
    return true;
  }
  Interval bounds;
  if (!match_letter_bounds(match, code->letter, &bounds)) return false;
  *value = code->op == CODE_LO ? bounds.lo : bounds.hi;
  return true;
}

static bool run_code(Match *match, const Formula *formula, int64_t *value) {
  int64_t stack[stack_size];
  uint32_t top = 0;
  for (uint32_t i = 0; i < formula->count; i++) {
    const Code *code = &formula->items[i];
    if (code->op <= CODE_HI) {
      if (top == stack_size || !leaf_value(match, code, &stack[top++])) return false;
      continue;
    }
    assert(top >= 2);
    top--;
    if (!apply(code->op, stack[top - 1], stack[top], &stack[top - 1])) return false;
  }
  assert(top == 1);
  *value = stack[0];
  return true;
}

bool match_evaluate(Match *match, const Formula *formula, int64_t *value) {
  if (formula->count == 0) {
    *value = formula->value;
    return true;
  }
  if (formula->count == 1) return leaf_value(match, formula->items, value);
  return run_code(match, formula, value);
}
