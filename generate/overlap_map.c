/* The joint term is built from the outer root inwards. The letters of both rules are sums of
 * variables: a bound letter keeps its value; the letter without a coefficient takes the rest of the
 * sum; any other letter takes a variable. Bounds of variables are 0 and 1, near the constants, or
 * far off. The recursion depth is the nesting of the left sides. */
#include "generate/overlap_map.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/checked.h"
#include "generate/overlap_constants.h"

static constexpr uint32_t joint_max_summands = 16, joint_max_variables = 6;

typedef struct JointSummand {
  int64_t coefficient;
  Expr atom;
} JointSummand;

typedef struct JointSum {
  int64_t constant;
  uint32_t count;
  JointSummand items[joint_max_summands];
} JointSum;

typedef struct JointLetters {
  const RuleForm *form;
  const int64_t *constants;
  bool is_bound[rule_max_letters];
  JointSum values[rule_max_letters];
} JointLetters;

typedef struct Joint {
  MapContext *context;
  const Overlap *overlap;
  uint64_t number, slot;
  OverlapConstants constants;
  JointLetters outer, inner;
  uint32_t variables;
  bool has_failed;
  Expr outer_at, inner_at;
} Joint;

static uint64_t joint_choice(Joint *joint, uint64_t count) {
  return overlap_choice(joint->number, 100 + joint->slot++, count);
}

/* ---- sums ---- */

static void joint_add(Joint *joint, JointSum *sum, int64_t coefficient, Expr atom) {
  for (uint32_t i = 0; i < sum->count; i++) {
    if (!expr_same(sum->items[i].atom, atom)) continue;
    joint->has_failed |= !add64(sum->items[i].coefficient, coefficient, &sum->items[i].coefficient);
    if (sum->items[i].coefficient == 0) sum->items[i] = sum->items[--sum->count];
    return;
  }
  if (coefficient == 0) return;
  if (sum->count == joint_max_summands) joint->has_failed = true;
  else sum->items[sum->count++] = (JointSummand){coefficient, atom};
}

static void joint_add_sum(Joint *joint, JointSum *sum, int64_t coefficient, const JointSum *part) {
  int64_t value;
  joint->has_failed |=
      !mul64(coefficient, part->constant, &value) || !add64(sum->constant, value, &sum->constant);
  for (uint32_t i = 0; i < part->count; i++) {
    joint->has_failed |= !mul64(coefficient, part->items[i].coefficient, &value);
    joint_add(joint, sum, value, part->items[i].atom);
  }
}

static int compare_summands(const void *a, const void *b) {
  const JointSummand *x = a, *y = b;
  return (x->atom.at > y->atom.at) - (x->atom.at < y->atom.at);
}

/* Builds the expression; equal sums give equal expressions. */
static Expr joint_expr(Joint *joint, JointSum sum) {
  ExprPool *pool = joint->context->pool;
  qsort(sum.items, sum.count, sizeof *sum.items, compare_summands);
  Expr whole = {};
  for (uint32_t i = 0; i < sum.count; i++) {
    Expr one = sum.items[i].atom;
    if (sum.items[i].coefficient != 1)
      one = expr_binary(pool, EXPR_MUL, one, expr_const(pool, sum.items[i].coefficient));
    whole = whole.at == 0 ? one : expr_binary(pool, EXPR_ADD, whole, one);
  }
  if (whole.at == 0) return expr_const(pool, sum.constant);
  if (sum.constant == 0) return whole;
  return expr_binary(pool, EXPR_ADD, whole, expr_const(pool, sum.constant));
}

/* A variable, sometimes negated, rarely a remainder of one. */
static JointSum joint_variable(Joint *joint) {
  JointSum sum = {};
  ExprPool *pool = joint->context->pool;
  uint32_t index = joint->variables;
  if (index == joint_max_variables) index = (uint32_t)joint_choice(joint, joint_max_variables);
  else joint->variables++;
  Expr atom = expr_var(pool, VAR_DIM, index);
  if (joint_choice(joint, 14) == 13) atom = expr_binary(pool, EXPR_MOD, atom, expr_const(pool, 3));
  joint_add(joint, &sum, joint_choice(joint, 6) == 5 ? -1 : 1, atom);
  return sum;
}

/* ---- letters ---- */

static bool is_plain(const FormItem *item) {
  return item->is_letter && item->factor_count == 0 && item->sign == 1;
}

static bool letter_is_single(const RuleForm *form, uint32_t letter) {
  char class = form->rule->exprs[letter][0];
  return class == 'u' || class == 'v' || class == 'w';
}

static void letter_bind(JointLetters *letters, uint32_t letter, const JointSum *value) {
  letters->is_bound[letter] = true;
  letters->values[letter] = *value;
}

static int64_t item_factor(
    Joint *joint, const JointLetters *letters, const FormItem *item, bool scaled) {
  int64_t value = overlap_factor(item, letters->constants);
  if (scaled) joint->has_failed |= !mul64(value, joint->constants.scale, &value);
  return value;
}

/* Binds a letter with a coefficient, or of a single summand: to a variable, sometimes to a sum of
 * two. The variable may already occur. */
static void letter_choose(Joint *joint, JointLetters *letters, uint32_t letter) {
  JointSum value = joint_variable(joint);
  if (letter_is_single(letters->form, letter)) value.items[0].coefficient = 1;
  if (!letter_is_single(letters->form, letter) && joint_choice(joint, 4) == 3) {
    JointSum other = joint_variable(joint);
    joint_add_sum(joint, &value, 1, &other);
  }
  letter_bind(letters, letter, &value);
}

static bool letters_are_bound(const JointLetters *letters, const FormSum *sum) {
  if (sum == nullptr) return false;
  for (uint32_t i = 0; i < sum->count; i++)
    if (sum->items[i].is_letter && !letters->is_bound[sum->items[i].letter]) return false;
  return true;
}

/* ---- the joint sum ---- */

typedef struct JointPair {
  const FormSum *outer, *inner; /* one may be nullptr */
  bool is_scaled;               /* the inner sum is a part of the outer one, times scale */
  JointSum outer_operators, inner_operators, both; /* summands of one side, and shared ones */
} JointPair;

static Expr build_operator(Joint *joint, uint32_t outer, uint32_t inner);

static uint32_t outer_of(const Joint *joint, uint32_t inner) {
  for (uint32_t i = 1; i <= joint->overlap->outer->operator_count; i++)
    if (joint->overlap->same[i] == inner) return i;
  return 0;
}

/* True if the inner rule constrains the outer operator or an operator inside it. */
static bool is_met(const Joint *joint, uint32_t outer) {
  const Overlap *overlap = joint->overlap;
  if (overlap->same[outer] != 0 || overlap->position == outer) return true;
  for (uint32_t i = outer + 1; i <= overlap->outer->operator_count; i++)
    if (overlap->outer->operators[i].within == outer && is_met(joint, i)) return true;
  return false;
}

/* Operators that the inner rule constrains are built first, because they bind shared letters. */
static void outer_operators(Joint *joint, JointPair *pair, bool met) {
  for (uint32_t i = 0; pair->outer != nullptr && i < pair->outer->count; i++) {
    const FormItem *item = &pair->outer->items[i];
    if (item->number == 0 || is_met(joint, item->number) != met) continue;
    uint32_t same = joint->overlap->same[item->number];
    Expr atom = build_operator(joint, item->number, same);
    JointSum *into = same != 0 && pair->inner != nullptr ? &pair->both : &pair->outer_operators;
    joint_add(joint, into, item_factor(joint, &joint->outer, item, false), atom);
  }
}

static void pair_operators(Joint *joint, JointPair *pair) {
  outer_operators(joint, pair, true);
  outer_operators(joint, pair, false);
  for (uint32_t i = 0; pair->inner != nullptr && i < pair->inner->count; i++) {
    const FormItem *item = &pair->inner->items[i];
    if (item->number == 0 || (pair->outer != nullptr && outer_of(joint, item->number) != 0))
      continue;
    joint_add(joint, &pair->inner_operators,
        item_factor(joint, &joint->inner, item, pair->is_scaled),
        build_operator(joint, 0, item->number));
  }
}

/* Adds the constant summands and bound letters of one side. */
static void side_known(
    Joint *joint, const JointLetters *letters, const FormSum *sum, bool scaled, JointSum *into) {
  for (uint32_t i = 0; sum != nullptr && i < sum->count; i++) {
    const FormItem *item = &sum->items[i];
    if (item->number != 0 || (item->is_letter && !letters->is_bound[item->letter])) continue;
    int64_t factor = item_factor(joint, letters, item, scaled);
    if (item->is_letter) joint_add_sum(joint, into, factor, &letters->values[item->letter]);
    else joint->has_failed |= !add64(into->constant, factor, &into->constant);
  }
}

static bool is_last_letter(const FormSum *sum, uint32_t at) {
  for (uint32_t i = at + 1; i < sum->count; i++)
    if (sum->items[i].is_letter) return false;
  return true;
}

static void side_choose(Joint *joint, JointLetters *letters, const FormSum *sum) {
  for (uint32_t i = 0; sum != nullptr && i < sum->count; i++) {
    const FormItem *item = &sum->items[i];
    if (!item->is_letter || letters->is_bound[item->letter]) continue;
    if (!is_plain(item) || letter_is_single(letters->form, item->letter) || !is_last_letter(sum, i))
      letter_choose(joint, letters, item->letter);
  }
}

/* Binds the letter without a coefficient to the rest of the sum. */
static void side_rest(Joint *joint, JointLetters *letters, const FormSum *sum, bool scaled,
    const JointSum *operators, const JointSum *both, const JointSum *whole) {
  for (uint32_t i = 0; sum != nullptr && i < sum->count; i++) {
    const FormItem *item = &sum->items[i];
    if (!is_plain(item) || letters->is_bound[item->letter]) continue;
    JointSum rest = *whole, other = {};
    side_known(joint, letters, sum, scaled, &other);
    joint_add_sum(joint, &rest, -1, operators);
    joint_add_sum(joint, &rest, -1, both);
    joint_add_sum(joint, &rest, -1, &other);
    letter_bind(letters, item->letter, &rest);
    return;
  }
}

static bool takes_more(const FormSum *sum) {
  for (uint32_t i = 0; sum != nullptr && i < sum->count; i++)
    if (is_plain(&sum->items[i])) return true;
  return sum == nullptr;
}

/* Adds further summands that both sides can take: none, or one or two variables and a constant. */
static void add_shared(Joint *joint, JointSum *whole) {
  static const int64_t constants[] = {0, 0, 1, -1, 2, 3, 7};
  if (joint_choice(joint, 5) == 4) return;
  JointSum shared = joint_variable(joint);
  if (joint_choice(joint, 4) == 3) {
    JointSum other = joint_variable(joint);
    joint_add_sum(joint, &shared, 2, &other);
  }
  joint_add_sum(joint, whole, 1, &shared);
  joint->has_failed |= !add64(whole->constant, constants[joint_choice(joint, 7)], &whole->constant);
}

/* The factor for the other side's summands, so that a side whose only letter has a coefficient can
 * take them. */
static int64_t only_factor(Joint *joint, const JointLetters *letters, const FormSum *sum) {
  if (takes_more(sum)) return 1;
  for (uint32_t i = 0; i < sum->count; i++)
    if (sum->items[i].is_letter) return item_factor(joint, letters, &sum->items[i], false);
  return 1;
}

static void add_open(Joint *joint, JointPair *pair, JointSum *whole) {
  JointSum outer = {}, inner = {};
  side_choose(joint, &joint->outer, pair->outer);
  bool takes_inner = pair->outer == nullptr || pair->is_scaled || joint_choice(joint, 3) != 2;
  if (takes_inner) side_choose(joint, &joint->inner, pair->inner);
  side_known(joint, &joint->outer, pair->outer, false, &outer);
  if (takes_inner) side_known(joint, &joint->inner, pair->inner, pair->is_scaled, &inner);
  if (outer.constant != 0 && inner.constant != 0 && joint_choice(joint, 3) != 2) inner.constant = 0;
  bool by_inner = pair->inner != nullptr && !pair->is_scaled;
  joint_add_sum(
      joint, whole, by_inner ? only_factor(joint, &joint->inner, pair->inner) : 1, &outer);
  joint_add_sum(joint, whole, only_factor(joint, &joint->outer, pair->outer), &inner);
  if (takes_more(pair->outer) && (takes_more(pair->inner) || pair->is_scaled))
    add_shared(joint, whole);
}

static JointSum build_sum(Joint *joint, const FormSum *outer, const FormSum *inner, bool scaled) {
  JointPair pair = {.outer = outer, .inner = inner, .is_scaled = scaled};
  pair_operators(joint, &pair);
  JointSum whole = pair.both;
  bool outer_decides = letters_are_bound(&joint->outer, outer) &&
                       (!scaled || joint->overlap->outer->root != FORM_SUM),
       inner_decides = !outer_decides && !scaled && letters_are_bound(&joint->inner, inner);
  if (outer == nullptr || !inner_decides) joint_add_sum(joint, &whole, 1, &pair.outer_operators);
  if (inner == nullptr || !outer_decides) joint_add_sum(joint, &whole, 1, &pair.inner_operators);
  if (outer_decides) side_known(joint, &joint->outer, outer, false, &whole);
  else if (inner_decides) side_known(joint, &joint->inner, inner, false, &whole);
  else add_open(joint, &pair, &whole);
  side_rest(joint, &joint->outer, outer, false, &pair.outer_operators, &pair.both, &whole);
  side_rest(joint, &joint->inner, inner, scaled, &pair.inner_operators, &pair.both, &whole);
  return whole;
}

/* ---- operators ---- */

static const RuleForm *form_of(const Joint *joint, bool is_inner) {
  return is_inner ? joint->overlap->inner : joint->overlap->outer;
}

/* A minimum or maximum: the shared arguments, then those of one side. */
static Expr build_extremum(Joint *joint, uint32_t outer, uint32_t inner) {
  const FormOperator *one = outer == 0 ? nullptr : &form_of(joint, false)->operators[outer],
                     *other = inner == 0 ? nullptr : &form_of(joint, true)->operators[inner];
  ExprPool *pool = joint->context->pool;
  ExprOp op = one == nullptr ? other->op : one->op;
  Expr whole = {};
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t shared = joint->overlap->arguments[i % 2];
    const FormSum *left = i < 2 && one != nullptr ? &one->arguments[i] : nullptr, *right = nullptr;
    if (other != nullptr && i < 2 && one != nullptr && shared != 0)
      right = &other->arguments[shared - 1];
    bool is_used = one != nullptr &&
                   (joint->overlap->arguments[0] == i - 1 || joint->overlap->arguments[1] == i - 1);
    if (other != nullptr && i >= 2 && !is_used) right = &other->arguments[i - 2];
    if (left == nullptr && right == nullptr) continue;
    Expr argument = joint_expr(joint, build_sum(joint, left, right, false));
    whole = whole.at == 0 ? argument : expr_binary(pool, op, whole, argument);
  }
  return whole;
}

/* The value of a term of one product; 0 for any other term. */
static int64_t overlap_term_value(const RuleTerm *term, const int64_t *constants) {
  Pattern pattern;
  if (!pattern_flatten(term, &pattern) || pattern.count != 1) return 0;
  FormItem item = {.sign = 1, .factor_count = pattern.items[0].factor_count};
  memcpy(item.factors, pattern.items[0].factors, sizeof item.factors);
  return overlap_factor(&item, constants);
}

/* The inner sum in an argument of the outer operator: that of the identical operator, or the root
 * of a rule on sums. */
static const FormSum *inner_argument(
    const Joint *joint, uint32_t outer, uint32_t inner, uint32_t argument, bool *scaled) {
  const RuleForm *form = joint->overlap->inner;
  *scaled = form->root == FORM_SUM && outer == joint->overlap->position && outer != 0 &&
            argument == joint->overlap->position_argument && inner == 0;
  if (*scaled) return &form->whole;
  return inner == 0 || form->root == FORM_LETTER ? nullptr
                                                 : &form->operators[inner].arguments[argument];
}

static Expr build_division(Joint *joint, uint32_t outer, uint32_t inner) {
  bool scaled;
  const FormOperator *op = outer != 0 ? &joint->overlap->outer->operators[outer]
                                      : &joint->overlap->inner->operators[inner];
  int64_t divisor =
      overlap_term_value(op->divisor, outer != 0 ? joint->constants.outer : joint->constants.inner);
  const FormSum *left = outer == 0 ? nullptr : &op->arguments[0],
                *right = inner_argument(joint, outer, inner, 0, &scaled);
  Expr argument = joint_expr(joint, build_sum(joint, left, right, scaled));
  if (scaled) joint->inner_at = argument;
  if (divisor <= 0) {
    joint->has_failed = true;
    return argument;
  }
  ExprPool *pool = joint->context->pool;
  return expr_binary(pool, op->op, argument, expr_const(pool, divisor));
}

static Expr build_operator(Joint *joint, uint32_t outer, uint32_t inner) {
  const FormOperator *op = outer != 0 ? &joint->overlap->outer->operators[outer]
                                      : &joint->overlap->inner->operators[inner];
  Expr made = op->argument_count == 2 ? build_extremum(joint, outer, inner)
                                      : build_division(joint, outer, inner);
  bool is_atom =
      joint->overlap->inner->root == FORM_ATOM || joint->overlap->inner->root == FORM_LETTER;
  if (is_atom && outer != 0 && outer == joint->overlap->position) joint->inner_at = made;
  return made;
}

/* ---- the map ---- */

static Interval bounds_choose(Joint *joint) {
  static const Interval fixed[] = {{0, 1}, {0, 99}, {-5, 5}, {-1, 0}, {0, 7}, {3, 4}, {0, 0}};
  const OverlapConstants *constants = &joint->constants;
  uint64_t how = joint_choice(joint, 14);
  if (how >= 7 || how == 2) {
    uint64_t letters = joint->overlap->outer->rule->constant_count,
             other = joint->overlap->inner->rule->constant_count;
    uint64_t which = letters + other == 0 ? 0 : joint_choice(joint, 64) % (letters + other);
    int64_t near = letters + other == 0 ? 4
                   : which < letters    ? constants->outer[which]
                                        : constants->inner[which - letters];
    if (near > 1 << 20 || near < -(1 << 20)) return fixed[0];
    switch (how) {
      case 2: return (Interval){0, near > 0 ? near - 1 : 9};
      case 7: return (Interval){0, near > 0 ? near : 9};
      case 8: return (Interval){0, near > 0 ? 2 * near - 1 : 19};
      case 9: return (Interval){near, near + 1};
      case 10: return (Interval){-1, near > 0 ? near - 2 : 1};
      case 11: return (Interval){0, near > 1 ? near - 2 : 2};
      case 12: return (Interval){near - 1, near + 9};
      default: return near > 0 ? (Interval){-near, near - 1} : (Interval){near, -near};
    }
  }
  return fixed[how];
}

static Map *joint_map(Joint *joint, Expr whole) {
  const Rule *rule = joint->overlap->outer->rule;
  bool is_constraint = rule->left.is_constraint;
  Map *map = map_create(
      joint->context, joint->variables, 0, 0, is_constraint ? 0 : 1, is_constraint ? 1 : 0);
  for (uint32_t i = 0; i < joint->variables; i++) {
    Interval bounds = bounds_choose(joint);
    map->dims[i] =
        (Variable){.bounds = bounds.lo <= bounds.hi ? bounds : (Interval){bounds.hi, bounds.lo}};
  }
  if (!is_constraint) map->results[0] = whole;
  else
    map->constraints[0] =
        (Constraint){whole, {overlap_term_value(rule->left.lo, joint->constants.outer),
                                overlap_term_value(rule->left.hi, joint->constants.outer)}};
  return map;
}

bool overlap_map(MapContext *context, const Overlap *overlap, uint64_t number, OverlapMap *made) {
  Joint *joint = ARENA_NEW(context->arena, Joint, 1);
  *joint = (Joint){.context = context, .overlap = overlap, .number = number};
  if (!overlap_constants(context->arena, overlap, number, &joint->constants)) return false;
  joint->outer = (JointLetters){.form = overlap->outer, .constants = joint->constants.outer};
  joint->inner = (JointLetters){.form = overlap->inner, .constants = joint->constants.inner};
  bool shares_whole = overlap->position == 0 && overlap->inner->root != FORM_ATOM &&
                      overlap->inner->root != FORM_LETTER;
  Expr whole = joint_expr(joint,
      build_sum(joint, &overlap->outer->whole, shares_whole ? &overlap->inner->whole : nullptr,
          shares_whole && overlap->inner->root == FORM_SUM));
  Error ignored = {};
  if (joint->has_failed) return false;
  Map *map = joint_map(joint, whole);
  *made = (OverlapMap){.map = map, .outer = whole, .inner = shares_whole ? whole : joint->inner_at};
  return made->inner.at != 0 && map_check(context, map, &ignored);
}
