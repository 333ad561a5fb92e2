/* The guard `r*(hi(u) - lo(u)) + hi(y) - lo(y) < c` of a division of a*u + y by c, where r is a mod
 * c or c - a mod c. Few dividends have a summand for which it holds, and running a plan for each
 * summand costs more than this.
 *
 * Keeps: the answer is that of the guard's own evaluation, in which nothing leaves int64. Where a
 * number is large, or constraints are known, the plan decides. */
#include <assert.h>

#include "core/base/checked.h"
#include "core/simplify/match/filter.h"

/* ---- recognising the guard ---- */

typedef struct SpreadLetters {
  uint8_t a, c, u, y;
} SpreadLetters;

/* The plan is `c = divisor, u = a summand, a = its coefficient, y = the rest`, and then guards. */
static bool spread_letters(const MatchPlan *plan, SpreadLetters *letters) {
  const MatchStep *steps = plan->steps;
  if (plan->root != PLAN_ATOM || plan->step_count < 5 || steps[0].kind != STEP_BIND ||
      steps[0].value != VALUE_DIVISOR || steps[1].kind != STEP_UNIT || steps[2].kind != STEP_BIND ||
      steps[2].value != VALUE_UNIT || steps[3].kind != STEP_REST || steps[4].kind != STEP_GUARD ||
      !formula_is_one(&steps[0].formula) || !formula_is_one(&steps[2].formula) ||
      steps[2].at != steps[1].letter)
    return false;
  *letters = (SpreadLetters){
      .a = steps[2].letter, .c = steps[0].letter, .u = steps[1].letter, .y = steps[3].letter};
  return steps[0].sum == 0 && steps[1].sum == 0 && steps[3].sum == 0;
}

static bool same_code(const Code *code, const Code *wanted) {
  if (code->op != wanted->op) return false;
  if (code->op == CODE_INTEGER) return code->value == wanted->value;
  return code->op > CODE_HI || code->letter == wanted->letter;
}

static bool is_code(const Formula *formula, uint32_t count, const Code *wanted) {
  if (formula->count != count) return false;
  for (uint32_t i = 0; i < count; i++)
    if (!same_code(&formula->items[i], &wanted[i])) return false;
  return true;
}

#define LETTER(is, of) {.op = (is), .letter = (of)}
#define MINUS \
  {.op = CODE_INTEGER, .value = -1}, {.op = CODE_MUL}, { .op = CODE_ADD }
/* What follows r: `* (hi(u) - lo(u)) + hi(y) - lo(y)`. */
#define SPREAD(u, y) \
  LETTER(CODE_HI, u), LETTER(CODE_LO, u), MINUS, {.op = CODE_MUL}, LETTER(CODE_HI, y), \
      {.op = CODE_ADD}, LETTER(CODE_LO, y), MINUS

FilterKind spread_kind(const MatchPlan *plan) {
  SpreadLetters l;
  if (!spread_letters(plan, &l)) return FILTER_NONE;
  const PlanGuard *guard = &plan->guards[plan->steps[4].at];
  const Code divisor[] = {LETTER(CODE_CONSTANT, l.c)},
             positive[] = {LETTER(CODE_CONSTANT, l.a), LETTER(CODE_CONSTANT, l.c), {.op = CODE_MOD},
                 SPREAD(l.u, l.y)},
             negative[] = {LETTER(CODE_CONSTANT, l.c), LETTER(CODE_CONSTANT, l.a),
                 LETTER(CODE_CONSTANT, l.c), {.op = CODE_MOD}, MINUS, SPREAD(l.u, l.y)};
  if (guard->relation != REL_LT || !is_code(&guard->right, 1, divisor)) return FILTER_NONE;
  if (is_code(&guard->left, sizeof positive / sizeof *positive, positive)) return FILTER_SPREAD;
  return is_code(&guard->left, sizeof negative / sizeof *negative, negative)
             ? FILTER_SPREAD_NEGATIVE
             : FILTER_NONE;
}

/* ---- its value ---- */

static constexpr int64_t spread_most = INT64_C(1) << 30;

/* No sum of a few products of two such numbers leaves int64. */
static bool is_moderate(int64_t value) { return -spread_most < value && value < spread_most; }

static bool are_moderate(Interval in) { return is_moderate(in.lo) && is_moderate(in.hi); }

bool spread_may_hold(Simplifier *simplifier, FilterKind kind, NormalAtom *atom) {
  NormalSum *sum = atom->arguments[0];
  int64_t c = atom->divisor;
  Interval all, own;
  if (simplifier->known_count > 0 || c <= 0 || !is_moderate(c) ||
      !facts_sum(simplifier, sum, &all) || !are_moderate(all))
    return true;
  for (uint32_t i = 0; i < sum->count; i++) {
    int64_t a = sum->items[i].coefficient;
    if (!is_moderate(a) || !facts_atom(simplifier, sum->items[i].atom, &own) || !are_moderate(own))
      return true;
    int64_t extent = own.hi - own.lo, rest = all.hi - all.lo - (a < 0 ? -a : a) * extent;
    int64_t r = 0 <= a && a < c ? a : mod64(a, c);
    assert(rest >= 0 && 0 <= r && r < c);
    if ((kind == FILTER_SPREAD ? r : c - r) * extent + rest < c) return true;
  }
  return false;
}
