/* Constant arithmetic of guards, coefficients and right sides over the letters bound by a match,
 * checked at every step. An expression that leaves int64, or divides by a number <= 0, has no
 * value, and a rule without a value does not fire. */
#include <assert.h>

#include "core/base/checked.h"
#include "core/simplify/match/match.h"
#include "core/simplify/match/pattern.h"

/* The bounds of all summands but one: the bounds of all, minus those of the one. */
static bool bounds_without(Match *match, const SumView *view, Interval *bounds) {
  const Summand *lacking = &view->items[view->lacking];
  Interval own;
  int64_t a, b, c = lacking->coefficient;
  if (view->all == nullptr || !facts_atom(match->simplifier, lacking->atom, &own)) return false;
  Simplifier *simplifier = match->simplifier;
  if (!simplifier_mul(simplifier, c, own.lo, &a) || !simplifier_mul(simplifier, c, own.hi, &b))
    return false;
  return simplifier_sub(simplifier, view->all->lo, min64(a, b), &bounds->lo) &&
         simplifier_sub(simplifier, view->all->hi, max64(a, b), &bounds->hi);
}

static bool bounds_of_view(Match *match, const SumView *view, Interval *bounds) {
  if (view->whole != nullptr) return facts_known(match->simplifier, view->whole, bounds);
  if (view->lacks) return bounds_without(match, view, bounds);
  return facts_items(match->simplifier, view->items, view->count, view->constant, bounds);
}

bool match_letter_bounds(Match *match, uint8_t letter, Interval *bounds) {
  Letter *bound = &match->exprs[letter];
  if (!bound->has_bounds) {
    bound->has_bounds = true;
    bound->is_bounded = bounds_of_view(match, &bound->view, &bound->bounds);
  }
  assert(!bound->is_bounded || bound->bounds.lo <= bound->bounds.hi);
  *bounds = bound->bounds;
  return bound->is_bounded;
}

static bool apply_gcd(Simplifier *simplifier, int64_t a, int64_t b, int64_t *value) {
  uint64_t divisor = gcd64(a, b);
  *value = (int64_t)divisor;
  return divisor <= INT64_MAX || simplifier_overflows(simplifier);
}

/* Divisions of small numbers use 32 bits, which is several times as fast. */
static bool is_small(int64_t a, int64_t b) { return (((uint64_t)a | (uint64_t)b) >> 32) == 0; }

static bool apply_division(CodeOp op, int64_t a, int64_t b, int64_t *value) {
  assert(op == CODE_FLOORDIV || op == CODE_CEILDIV || op == CODE_MOD);
  if (b <= 0) return false;
  if (op == CODE_FLOORDIV)
    *value = is_small(a, b) ? (int64_t)((uint32_t)a / (uint32_t)b) : floordiv64(a, b);
  else if (op == CODE_MOD)
    *value = is_small(a, b) ? (int64_t)((uint32_t)a % (uint32_t)b) : mod64(a, b);
  else *value = ceildiv64(a, b);
  return true;
}

static bool arithmetic_bound(Match *match, const Code *code, int64_t *value) {
  Interval bounds;
  if (!match_letter_bounds(match, code->letter, &bounds)) return false;
  *value = code->op == CODE_LO ? bounds.lo : bounds.hi;
  return true;
}

/* Applies one instruction to the two topmost values. */
static bool arithmetic_apply(Simplifier *simplifier, CodeOp op, int64_t *left, int64_t right) {
  switch (op) {
    case CODE_ADD: return simplifier_add(simplifier, *left, right, left);
    case CODE_MUL: return simplifier_mul(simplifier, *left, right, left);
    case CODE_FLOORDIV:
    case CODE_CEILDIV:
    case CODE_MOD: return apply_division(op, *left, right, left);
    case CODE_MIN: *left = min64(*left, right); return true;
    case CODE_MAX: *left = max64(*left, right); return true;
    case CODE_GCD: return apply_gcd(simplifier, *left, right, left);
    case CODE_INTEGER:
    case CODE_CONSTANT:
    case CODE_LO:
    case CODE_HI: break;
  }
  assert(false);
  return false;
}

static bool leaf_value(Match *match, const Code *code, int64_t *value) {
  assert(code->op <= CODE_HI && code->letter < rule_max_letters);
  if (code->op == CODE_INTEGER) *value = code->value;
  else if (code->op == CODE_CONSTANT) *value = match->constants[code->letter];
  else return arithmetic_bound(match, code, value);
  return true;
}

static bool run_code(Match *match, const Formula *formula, int64_t *value) {
  int64_t stack[formula_max_stack], *top = stack;
  for (const Code *code = formula->items, *end = code + formula->count; code < end; code++) {
    if (code->op > CODE_HI) {
      top--;
      assert(top > stack);
      if (!arithmetic_apply(match->simplifier, code->op, top - 1, *top)) return false;
    } else if (!leaf_value(match, code, top++)) {
      return false;
    }
  }
  assert(top == stack + 1);
  *value = *stack;
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
