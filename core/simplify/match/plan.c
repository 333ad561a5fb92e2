/* Compiles a left side into steps. The order is fixed (docs/matching.md): the root's divisor and
 * the constraint's interval; then the summands with an operator, in the order of the text, each
 * with its divisor, coefficient and argument; then letters that are already bound are subtracted;
 * then constants, single summands (u v w), greatest common divisors, multiples, and the rest. A
 * guard follows the step that binds the last of its letters.
 *
 * Keeps: at STEP_DONE the subject equals the left side under the bindings. */
#include "core/simplify/match/plan.h"

#include <assert.h>
#include <string.h>

#include "core/simplify/match/pattern.h"
#include "core/simplify/match/template.h"

typedef struct StepList {
  uint32_t count, capacity;
  MatchStep *items;
} StepList;

/* A value that is deferred until at most one of its letters is unbound. */
typedef struct PendingItem {
  PlanValueKind value;
  uint8_t sum, at;
  PatternItem item;
  bool is_done;
} PendingItem;

typedef struct Compiler {
  Arena *arena;
  const Rule *rule;
  MatchPlan *plan;
  Error *error;
  StepList steps;
  uint8_t sums, picks, pending_count;
  PendingItem pending[plan_max_sums];
  bool constants[rule_max_letters], exprs[rule_max_letters];
  bool *guards_done;
  bool is_divisor[rule_max_letters]; /* a constant letter that is the divisor of an atom */
} Compiler;

static bool plan_reject(Compiler *compiler, const char *why) {
  return error_set(compiler->error, ERROR_UNSUPPORTED,
      "rule %s: the left side cannot be matched: %s", compiler->rule->name, why);
}

static MatchStep *plan_emit(Compiler *compiler, MatchStep step) {
  assert(step.sum < plan_max_sums && step.other < plan_max_sums && step.letter < rule_max_letters);
  MatchStep *slot = ARENA_PUSH(compiler->arena, &compiler->steps);
  *slot = step;
  return slot;
}

/* ---- what is bound ---- */

static bool is_bound(const Compiler *compiler, const RuleTerm *term) {
  switch (term->kind) {
    case TERM_INTEGER: return true;
    case TERM_CONSTANT_LETTER: return compiler->constants[term->letter];
    case TERM_EXPR:
    case TERM_LO:
    case TERM_HI: return compiler->exprs[term->letter];
    case TERM_OPERATOR:
    case TERM_GCD: return is_bound(compiler, term->left) && is_bound(compiler, term->right);
  }
  return false;
}

static bool all_bound(const Compiler *compiler, const PatternItem *item) {
  for (uint32_t i = 0; i < item->factor_count; i++)
    if (!is_bound(compiler, item->factors[i])) return false;
  return true;
}

static Formula product_of(const Compiler *compiler, const PatternItem *item) {
  return formula_product(compiler->arena, item->factor_count, item->factors);
}

/* The only unbound letter of a product of letters and numbers, and the product of all other
 * factors. */
static bool single_unbound(
    const Compiler *compiler, const PatternItem *item, uint8_t *letter, Formula *known) {
  PatternItem rest = {};
  uint32_t unbound = 0;
  for (uint32_t i = 0; i < item->factor_count; i++) {
    const RuleTerm *factor = item->factors[i];
    if (factor->kind != TERM_CONSTANT_LETTER && factor->kind != TERM_INTEGER) return false;
    if (is_bound(compiler, factor)) {
      rest.factors[rest.factor_count++] = factor;
      continue;
    }
    *letter = (uint8_t)factor->letter;
    unbound++;
  }
  if (unbound != 1) return false;
  *known = product_of(compiler, &rest);
  return true;
}

/* `c > 0` for a divisor c: every divisor is positive. */
static bool holds_always(const Compiler *compiler, const Guard *guard) {
  return guard->relation == REL_GT && guard->left->kind == TERM_CONSTANT_LETTER &&
         compiler->is_divisor[guard->left->letter] && guard->right->kind == TERM_INTEGER &&
         guard->right->value == 0;
}

static void flush_guards(Compiler *compiler) {
  for (uint32_t i = 0; i < compiler->rule->guard_count; i++) {
    const Guard *guard = &compiler->rule->guards[i];
    if (compiler->guards_done[i] || !is_bound(compiler, guard->left) ||
        !is_bound(compiler, guard->right))
      continue;
    assert(i <= UINT8_MAX);
    compiler->guards_done[i] = true;
    if (holds_always(compiler, guard)) continue;
    plan_emit(compiler, (MatchStep){.kind = STEP_GUARD, .at = (uint8_t)i});
  }
}

/* Binds or checks a value if at most one of its letters is unbound. */
static bool try_value(Compiler *compiler, const PendingItem *value) {
  MatchStep step = {.value = value->value, .sum = value->sum, .at = value->at};
  if (all_bound(compiler, &value->item)) {
    step.kind = STEP_CHECK;
    step.formula = product_of(compiler, &value->item);
    plan_emit(compiler, step);
    return true;
  }
  if (!single_unbound(compiler, &value->item, &step.letter, &step.formula)) return false;
  step.kind = STEP_BIND;
  compiler->is_divisor[step.letter] = step.value == VALUE_DIVISOR && formula_is_one(&step.formula);
  plan_emit(compiler, step);
  assert(!compiler->constants[step.letter]);
  compiler->constants[step.letter] = true;
  return true;
}

static void flush_pending(Compiler *compiler) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < compiler->pending_count; i++) {
      PendingItem *value = &compiler->pending[i];
      if (value->is_done || !try_value(compiler, value)) continue;
      value->is_done = true;
      again = true;
    }
  }
  flush_guards(compiler);
}

static bool match_value(
    Compiler *compiler, PlanValueKind kind, uint8_t sum, uint8_t at, const PatternItem *item) {
  if (compiler->pending_count == plan_max_sums)
    return plan_reject(compiler, "too many divisors and coefficients");
  compiler->pending[compiler->pending_count++] =
      (PendingItem){.value = kind, .sum = sum, .at = at, .item = *item};
  flush_pending(compiler);
  return true;
}

static void bind_expr(Compiler *compiler, uint8_t letter) {
  assert(letter < compiler->rule->expr_count && !compiler->exprs[letter]);
  compiler->exprs[letter] = true;
  flush_pending(compiler);
}

/* ---- sums ---- */

static bool plan_sum(Compiler *compiler, const Pattern *pattern, uint8_t sum, bool is_part);

static bool constant_item(const RuleTerm *term, PatternItem *item) {
  Pattern pattern;
  if (!pattern_flatten(term, &pattern) || pattern.count != 1 || pattern.items[0].item != nullptr) {
    *item = (PatternItem){.factor_count = 1, .factors = {term}};
    return true;
  }
  *item = pattern.items[0];
  return true;
}

static bool is_min_or_max(ExprOp op) { return op == EXPR_MIN || op == EXPR_MAX; }

static bool new_sum(Compiler *compiler, uint8_t *sum) {
  if (compiler->sums == plan_max_sums) return plan_reject(compiler, "too many nested sums");
  *sum = compiler->sums++;
  return true;
}

/* In a rule on sums the first operator determines the factor by which the rule is multiplied. */
static bool match_scale(Compiler *compiler, const PatternItem *item, uint8_t pick) {
  if (!all_bound(compiler, item))
    return plan_reject(compiler, "the first operator's coefficient is not bound by it");
  plan_emit(
      compiler, (MatchStep){.kind = STEP_SCALE, .at = pick, .formula = product_of(compiler, item)});
  return true;
}

/* A summand with an operator: picks its atom, then handles its divisor and coefficient (first the
 * one that binds), then its argument. */
static bool match_operator(
    Compiler *compiler, const PatternItem *item, uint8_t sum, bool is_scaling) {
  if (compiler->picks == plan_max_picks) return plan_reject(compiler, "too many operators");
  if (is_min_or_max(item->item->op))
    return plan_reject(compiler, "min and max are matched at the root alone");
  uint8_t pick = compiler->picks++, inner;
  if (!new_sum(compiler, &inner)) return false;
  plan_emit(compiler,
      (MatchStep){.kind = STEP_PICK, .op = item->item->op, .sum = sum, .other = inner, .at = pick});
  PatternItem divisor;
  if (!constant_item(item->item->right, &divisor)) return false;
  bool coefficient_first = !is_scaling && all_bound(compiler, item);
  if (coefficient_first && !match_value(compiler, VALUE_COEFFICIENT, sum, pick, item)) return false;
  if (!match_value(compiler, VALUE_DIVISOR, inner, 0, &divisor)) return false;
  if (!is_scaling && !coefficient_first &&
      !match_value(compiler, VALUE_COEFFICIENT, sum, pick, item))
    return false;
  Pattern argument;
  if (!pattern_flatten(item->item->left, &argument))
    return plan_reject(compiler, "an argument is no linear sum");
  return plan_sum(compiler, &argument, inner, false) &&
         (!is_scaling || match_scale(compiler, item, pick));
}

static bool match_operators(Compiler *compiler, const Pattern *pattern, uint8_t sum, bool is_part) {
  bool any = false;
  for (uint32_t i = 0; i < pattern->count; i++) {
    const PatternItem *item = &pattern->items[i];
    if (item->item == nullptr || item->item->kind != TERM_OPERATOR) continue;
    if (!match_operator(compiler, item, sum, is_part && !any)) return false;
    any = true;
  }
  if (is_part && !any) return plan_reject(compiler, "a rule on sums needs an operator");
  if (any && !is_part) plan_emit(compiler, (MatchStep){.kind = STEP_DROP_PICKED, .sum = sum});
  return true;
}

static bool is_letter(const PatternItem *item) {
  return item->item != nullptr && item->item->kind == TERM_EXPR;
}

static bool subtract_bound(Compiler *compiler, Pattern *pattern, uint8_t sum, bool is_part) {
  for (uint32_t i = 0; i < pattern->count; i++) {
    PatternItem *item = &pattern->items[i];
    if (!is_letter(item) || !compiler->exprs[item->item->letter]) continue;
    if (!all_bound(compiler, item))
      return plan_reject(compiler, "a coefficient of a letter that occurs twice is not bound");
    plan_emit(compiler, (MatchStep){.kind = is_part ? STEP_CONTAINED : STEP_SUBTRACT,
                            .sum = sum,
                            .letter = (uint8_t)item->item->letter,
                            .formula = product_of(compiler, item)});
    *item = pattern->items[--pattern->count];
    i--;
  }
  return true;
}

static bool is_plain(const PatternItem *item) { return is_letter(item) && item->factor_count == 0; }

static uint32_t count_letters(const Pattern *pattern) {
  uint32_t letters = 0;
  for (uint32_t i = 0; i < pattern->count; i++) letters += is_letter(&pattern->items[i]);
  return letters;
}

static bool has_plain(const Pattern *pattern) {
  for (uint32_t i = 0; i < pattern->count; i++)
    if (is_plain(&pattern->items[i])) return true;
  return false;
}

static bool match_constants(Compiler *compiler, const Pattern *pattern, uint8_t sum, bool is_part) {
  uint32_t constants = 0, unbound = 0;
  const PatternItem *letter = nullptr;
  for (uint32_t i = 0; i < pattern->count; i++) {
    if (pattern->items[i].item != nullptr) continue;
    constants++;
    if (all_bound(compiler, &pattern->items[i])) continue;
    unbound++;
    letter = &pattern->items[i];
  }
  if (constants == 0) return true;
  if (is_part && unbound > 0 && (constants > 1 || letter->factor_count != 1))
    return plan_reject(
        compiler, "an unbound constant summand that is not a letter in a rule on sums");
  if (unbound == 0) {
    plan_emit(compiler, (MatchStep){.kind = is_part ? STEP_PART_CONSTANT : STEP_SUBTRACT_CONSTANT,
                            .sum = sum,
                            .formula = formula_constants(compiler->arena, pattern)});
    return true;
  }
  MatchStep step = {
      .kind = letter->factor_count == 1 ? STEP_TAKE_CONSTANT : STEP_TAKE_SHIFT, .sum = sum};
  if (constants > 1 || !single_unbound(compiler, letter, &step.letter, &step.formula))
    return plan_reject(
        compiler, "an unbound constant summand that is not a letter or a multiple of one");
  if (step.kind == STEP_TAKE_SHIFT && (count_letters(pattern) != 1 || !has_plain(pattern)))
    return plan_reject(compiler, "a multiple of an unbound constant beside more than one letter");
  plan_emit(compiler, step);
  compiler->constants[step.letter] = true;
  flush_pending(compiler);
  return true;
}

static bool is_single(const Compiler *compiler, const RuleTerm *letter) {
  char class = compiler->rule->exprs[letter->letter][0];
  return class == 'u' || class == 'v' || class == 'w';
}

static bool match_singles(Compiler *compiler, Pattern *pattern, uint8_t sum) {
  for (uint32_t i = 0; i < pattern->count; i++) {
    PatternItem item = pattern->items[i];
    if (!is_letter(&item) || !is_single(compiler, item.item)) continue;
    plan_emit(
        compiler, (MatchStep){.kind = STEP_UNIT, .sum = sum, .letter = (uint8_t)item.item->letter});
    bind_expr(compiler, (uint8_t)item.item->letter);
    if (!match_value(compiler, VALUE_UNIT, sum, (uint8_t)item.item->letter, &item)) return false;
    pattern->items[i--] = pattern->items[--pattern->count];
  }
  return true;
}

/* True if the letter occurs in a deferred divisor of this sum. */
static bool divisor_waits(const Compiler *compiler, uint8_t sum, uint32_t letter) {
  for (uint32_t i = 0; i < compiler->pending_count; i++) {
    const PendingItem *value = &compiler->pending[i];
    if (value->is_done || value->value != VALUE_DIVISOR || value->sum != sum) continue;
    for (uint32_t j = 0; j < value->item.factor_count; j++)
      if (value->item.factors[j]->kind == TERM_CONSTANT_LETTER &&
          value->item.factors[j]->letter == letter)
        return true;
  }
  return false;
}

static bool match_gcd(Compiler *compiler, const PatternItem *item, uint8_t sum) {
  if (all_bound(compiler, item)) return true;
  if (item->factor_count != 1 || item->factors[0]->kind != TERM_CONSTANT_LETTER)
    return plan_reject(compiler, "an unbound coefficient that is not a single letter");
  uint8_t letter = (uint8_t)item->factors[0]->letter;
  assert(!compiler->constants[letter]);
  plan_emit(compiler, (MatchStep){.kind = STEP_GCD,
                          .sum = sum,
                          .letter = letter,
                          .divisor_known = divisor_waits(compiler, sum, letter)});
  compiler->constants[letter] = true;
  flush_pending(compiler);
  return true;
}

/* c*x + y: first the multiples, then the rest. */
static bool match_letters(Compiler *compiler, const Pattern *pattern, uint8_t sum) {
  uint32_t left = count_letters(pattern), plain = 0;
  for (uint32_t i = 0; i < pattern->count; i++) plain += is_plain(&pattern->items[i]);
  if (plain > 1 || left > plain + 1)
    return plan_reject(compiler, "two letters could match the same summands");
  for (uint32_t i = 0; i < pattern->count; i++) {
    const PatternItem *item = &pattern->items[i];
    if (!is_letter(item) || is_plain(item)) continue;
    if (!match_gcd(compiler, item, sum)) return false;
    plan_emit(compiler, (MatchStep){.kind = plain > 0 ? STEP_DIVISIBLE : STEP_ALL_DIVISIBLE,
                            .sum = sum,
                            .letter = (uint8_t)item->item->letter,
                            .formula = product_of(compiler, item)});
    bind_expr(compiler, (uint8_t)item->item->letter);
  }
  for (uint32_t i = 0; i < pattern->count; i++) {
    if (!is_plain(&pattern->items[i])) continue;
    plan_emit(compiler,
        (MatchStep){
            .kind = STEP_REST, .sum = sum, .letter = (uint8_t)pattern->items[i].item->letter});
    bind_expr(compiler, (uint8_t)pattern->items[i].item->letter);
  }
  if (left == 0) plan_emit(compiler, (MatchStep){.kind = STEP_EMPTY, .sum = sum});
  return true;
}

static bool plan_sum(Compiler *compiler, const Pattern *given, uint8_t sum, bool is_part) {
  Pattern pattern = *given;
  if (!match_operators(compiler, &pattern, sum, is_part) ||
      !subtract_bound(compiler, &pattern, sum, is_part) ||
      !match_constants(compiler, &pattern, sum, is_part))
    return false;
  if (is_part)
    return count_letters(&pattern) == 0 || plan_reject(compiler, "a free letter in a rule on sums");
  if (pattern_repeats(&pattern))
    return plan_reject(compiler, "a letter that occurs twice in one sum");
  return match_singles(compiler, &pattern, sum) && match_letters(compiler, &pattern, sum);
}

/* ---- roots ---- */

/* The unbound plain letter that both sums contain beside another one, as in min(x + y, x + z). */
static bool match_common(
    Compiler *compiler, const Pattern *left, const Pattern *right, uint8_t first, uint8_t second) {
  if (left->count < 2 || right->count < 2) return true;
  for (uint32_t i = 0; i < left->count; i++)
    for (uint32_t j = 0; j < right->count; j++) {
      const PatternItem *a = &left->items[i], *b = &right->items[j];
      if (!is_plain(a) || !is_plain(b) || a->item->letter != b->item->letter) continue;
      uint8_t letter = (uint8_t)a->item->letter;
      plan_emit(compiler,
          (MatchStep){.kind = STEP_COMMON, .sum = first, .other = second, .letter = letter});
      bind_expr(compiler, letter);
      return true;
    }
  return true;
}

static bool match_pair(Compiler *compiler, const RuleTerm *term) {
  Pattern left, right;
  uint8_t first, second;
  if (!pattern_flatten(term->left, &left) || !pattern_flatten(term->right, &right))
    return plan_reject(compiler, "an argument is no linear sum");
  if (!new_sum(compiler, &first) || !new_sum(compiler, &second)) return false;
  plan_emit(compiler, (MatchStep){.kind = STEP_ARGUMENT, .other = first});
  plan_emit(compiler, (MatchStep){.kind = STEP_ARGUMENT, .other = second});
  return match_common(compiler, &left, &right, first, second) &&
         plan_sum(compiler, &left, first, false) && plan_sum(compiler, &right, second, false);
}

static bool match_division(Compiler *compiler, const RuleTerm *term) {
  Pattern argument;
  PatternItem divisor;
  if (!pattern_flatten(term->left, &argument))
    return plan_reject(compiler, "the argument is no linear sum");
  compiler->sums = 1;
  for (uint32_t i = 0; i < argument.count; i++)
    if (argument.items[i].item != nullptr && argument.items[i].item->kind == TERM_OPERATOR)
      compiler->plan->needs |= (uint16_t)(1u << argument.items[i].item->op);
  return constant_item(term->right, &divisor) &&
         match_value(compiler, VALUE_DIVISOR, 0, 0, &divisor) &&
         plan_sum(compiler, &argument, 0, false);
}

static bool match_root_sum(Compiler *compiler, const RuleTerm *term) {
  Pattern pattern;
  if (!pattern_flatten(term, &pattern)) return plan_reject(compiler, "it is no linear sum");
  compiler->sums = 1;
  for (uint32_t i = 0; i < pattern.count; i++)
    if (pattern.items[i].item != nullptr && pattern.items[i].item->kind == TERM_OPERATOR)
      compiler->plan->needs |= (uint16_t)(1u << pattern.items[i].item->op);
  return plan_sum(compiler, &pattern, 0, !compiler->rule->left.is_constraint);
}

/* The root of a rule of order "cancels": one summand with an operator. */
static bool match_root_summand(Compiler *compiler, const Side *side) {
  Pattern pattern;
  if (side->is_constraint || !pattern_flatten(side->expr, &pattern) || pattern.count != 1 ||
      pattern.items[0].item == nullptr || pattern.items[0].item->kind != TERM_OPERATOR)
    return plan_reject(compiler, "a rule of order \"cancels\" has one operator on the left");
  compiler->plan->op = pattern.items[0].item->op;
  return match_root_sum(compiler, side->expr);
}

static bool plan_constraint(Compiler *compiler, const Side *side) {
  PatternItem lo, hi;
  return constant_item(side->lo, &lo) && constant_item(side->hi, &hi) &&
         match_value(compiler, VALUE_LO, 0, 0, &lo) && match_value(compiler, VALUE_HI, 0, 0, &hi) &&
         match_root_sum(compiler, side->expr);
}

static bool is_division(ExprOp op) {
  return op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD;
}

static bool match_left(Compiler *compiler) {
  const Side *side = &compiler->rule->left;
  MatchPlan *plan = compiler->plan;
  bool is_operator = side->expr->kind == TERM_OPERATOR;
  plan->op = side->expr->op;
  if (plan->order == ORDER_SIGN && !side->is_constraint && !(is_operator && is_division(plan->op)))
    return plan_reject(
        compiler, "a rule of order \"sign\" has a division or constraint on the left");
  plan->root = PLAN_SUM;
  if (plan->order == ORDER_CANCELS) return match_root_summand(compiler, side);
  plan->root = PLAN_CONSTRAINT;
  if (side->is_constraint) return plan_constraint(compiler, side);
  plan->root = PLAN_ANY_ATOM;
  if (side->expr->kind == TERM_EXPR) {
    bind_expr(compiler, (uint8_t)side->expr->letter);
    return true;
  }
  plan->root = PLAN_ATOM;
  if (is_operator && is_division(plan->op)) return match_division(compiler, side->expr);
  if (is_operator && is_min_or_max(plan->op)) return match_pair(compiler, side->expr);
  plan->root = PLAN_SUM;
  return match_root_sum(compiler, side->expr);
}

static bool check_all_used(Compiler *compiler) {
  for (uint32_t i = 0; i < compiler->pending_count; i++)
    if (!compiler->pending[i].is_done)
      return plan_reject(compiler, "a divisor or coefficient has two unbound letters");
  for (uint32_t i = 0; i < compiler->rule->guard_count; i++)
    if (!compiler->guards_done[i]) return plan_reject(compiler, "a guard has an unbound letter");
  return true;
}

static void compile_guards(Compiler *compiler) {
  MatchPlan *plan = compiler->plan;
  plan->guard_count = compiler->rule->guard_count;
  plan->guards = ARENA_NEW(compiler->arena, PlanGuard, plan->guard_count);
  for (uint32_t i = 0; i < plan->guard_count; i++) {
    const Guard *guard = &compiler->rule->guards[i];
    plan->guards[i] = (PlanGuard){.relation = guard->relation,
        .left = formula_of(compiler->arena, guard->left),
        .right = formula_of(compiler->arena, guard->right)};
  }
}

static bool compile_right(Compiler *compiler) {
  const Side *side = &compiler->rule->right;
  compiler->plan->right = template_compile(compiler->arena, side->expr);
  if (compiler->plan->right == nullptr)
    return error_set(compiler->error, ERROR_UNSUPPORTED,
        "rule %s: the right side is no linear sum of letters and operators", compiler->rule->name);
  if (!side->is_constraint) return true;
  compiler->plan->lo = formula_of(compiler->arena, side->lo);
  compiler->plan->hi = formula_of(compiler->arena, side->hi);
  return true;
}

static PlanOrder order_of(const Rule *rule) {
  static const char *const names[] = {[ORDER_SIGN] = "sign",
      [ORDER_LIGHTER] = "lighter",
      [ORDER_TEXT] = "text",
      [ORDER_TURNS] = "text, turned",
      [ORDER_CANCELS] = "cancels"};
  for (PlanOrder order = ORDER_SIGN; rule->order != nullptr && order <= ORDER_CANCELS; order++)
    if (strcmp(rule->order, names[order]) == 0) return order;
  return ORDER_NONE;
}

static bool template_fits(const PlanTemplate *template) {
  bool fits = template == nullptr || formula_fits(&template->constant);
  for (uint32_t i = 0; fits && template != nullptr && i < template->count; i++) {
    const TemplateItem *item = &template->items[i];
    fits = formula_fits(&item->coefficient) && formula_fits(&item->divisor) &&
           template_fits(item->left) && template_fits(item->right);
  }
  return fits;
}

static bool check_formulas(Compiler *compiler) {
  const MatchPlan *plan = compiler->plan;
  bool fits = template_fits(plan->right) && formula_fits(&plan->lo) && formula_fits(&plan->hi);
  for (uint32_t i = 0; i < plan->guard_count; i++)
    fits &= formula_fits(&plan->guards[i].left) && formula_fits(&plan->guards[i].right);
  for (uint32_t i = 0; i < compiler->steps.count; i++)
    fits &= formula_fits(&compiler->steps.items[i].formula);
  return fits || plan_reject(compiler, "constant arithmetic nests too deep");
}

static const RuleTerm *scope_term(Arena *arena, RuleTerm term) {
  RuleTerm *copy = ARENA_NEW(arena, RuleTerm, 1);
  *copy = term;
  return copy;
}

/* A scope adds two guards for each of its constants; outside its scope the rule does not fire. */
static const Rule *within_scope(Arena *arena, const Rule *rule) {
  if (rule->scope_count == 0) return rule;
  Rule *narrow = ARENA_NEW(arena, Rule, 1);
  *narrow = *rule;
  narrow->guards = ARENA_NEW(arena, Guard, rule->guard_count + 2 * rule->scope_count);
  for (uint32_t i = 0; i < rule->guard_count; i++) narrow->guards[i] = rule->guards[i];
  for (uint32_t i = 0; i < rule->scope_count; i++) {
    const RuleTerm *letter = scope_term(arena,
        (RuleTerm){.kind = TERM_CONSTANT_LETTER, .letter = rule->scopes[i].letter, .depth = 1});
    const RuleTerm *lo = scope_term(
        arena, (RuleTerm){.kind = TERM_INTEGER, .value = rule->scopes[i].lo, .depth = 1});
    const RuleTerm *hi = scope_term(
        arena, (RuleTerm){.kind = TERM_INTEGER, .value = rule->scopes[i].hi, .depth = 1});
    narrow->guards[narrow->guard_count++] = (Guard){REL_GE, letter, lo};
    narrow->guards[narrow->guard_count++] = (Guard){REL_LE, letter, hi};
  }
  assert(narrow->guard_count == rule->guard_count + 2 * rule->scope_count);
  return narrow;
}

bool plan_compile(Arena *arena, const Rule *given, MatchPlan *plan, Error *error) {
  const Rule *rule = within_scope(arena, given);
  *plan = (MatchPlan){.rule = given, .order = order_of(rule)};
  Compiler compiler = {.arena = arena, .rule = rule, .plan = plan, .error = error};
  compiler.guards_done = ARENA_NEW(arena, bool, rule->guard_count);
  compile_guards(&compiler);
  if (!match_left(&compiler) || !check_all_used(&compiler) || !compile_right(&compiler) ||
      !check_formulas(&compiler))
    return false;
  plan_emit(&compiler, (MatchStep){.kind = STEP_DONE});
  plan->sum_count = compiler.sums;
  plan->steps = compiler.steps.items;
  plan->step_count = compiler.steps.count;
  assert(plan->step_count > 0 && plan->steps[plan->step_count - 1].kind == STEP_DONE);
  assert(plan->sum_count <= plan_max_sums && plan->right != nullptr);
  return true;
}
