/* Sampling draws every letter, then repairs the guards: if the value of a single letter can make a
 * guard true, the letter is set to it. Two passes satisfy most guards, including equations and
 * thresholds, so few draws are wasted. */
#include "smt/rules/rule_sample.h"

#include <assert.h>

#include "core/base/choices.h"

typedef struct Drawing {
  const Rule *rule;
  Dice dice;
  int64_t span;
  uint32_t literal_count;
  int64_t literals[32]; /* integers of the rule's text */
  RuleValues values;
} Drawing;

uint64_t dice_next(Dice *dice) { return random_word(&dice->state); }

int64_t dice_range(Dice *dice, int64_t lo, int64_t hi) {
  assert(lo <= hi);
  uint64_t width = (uint64_t)hi - (uint64_t)lo + 1;
  uint64_t offset = width == 0 ? dice_next(dice) : dice_next(dice) % width;
  return (int64_t)((uint64_t)lo + offset);
}

static void gather_literals(Drawing *drawing, const RuleTerm *term) {
  switch (term->kind) {
    case TERM_INTEGER:
      if (drawing->literal_count < sizeof drawing->literals / sizeof drawing->literals[0])
        drawing->literals[drawing->literal_count++] = term->value;
      return;
    case TERM_CONSTANT_LETTER:
    case TERM_EXPR:
    case TERM_LO:
    case TERM_HI: return;
    case TERM_OPERATOR:
    case TERM_GCD:
      gather_literals(drawing, term->left);
      gather_literals(drawing, term->right);
      return;
  }
}

static void gather_side(Drawing *drawing, const Side *side) {
  gather_literals(drawing, side->expr);
  if (!side->is_constraint) return;
  gather_literals(drawing, side->lo);
  gather_literals(drawing, side->hi);
}

static Drawing drawing_of(const Rule *rule, uint64_t seed, uint32_t span) {
  Drawing drawing = {.rule = rule, .dice = {seed}, .span = span};
  gather_side(&drawing, &rule->left);
  gather_side(&drawing, &rule->right);
  for (uint32_t i = 0; i < rule->guard_count; i++) {
    gather_literals(&drawing, rule->guards[i].left);
    gather_literals(&drawing, rule->guards[i].right);
  }
  return drawing;
}

/* a + b, limited to a quarter of int64, so that sums of values cannot wrap. */
static int64_t near(int64_t a, int64_t b) {
  static constexpr int64_t capacity = INT64_MAX / 4;
  a = a < -capacity ? -capacity : a > capacity ? capacity : a;
  b = b < -capacity ? -capacity : b > capacity ? capacity : b;
  return a + b;
}

static int64_t draw_value(Drawing *drawing, int64_t span, bool is_constant) {
  Dice *dice = &drawing->dice;
  if (drawing->literal_count > 0 && dice_next(dice) % 6 == 0)
    return near(
        drawing->literals[dice_next(dice) % drawing->literal_count], dice_range(dice, -1, 1));
  if (is_constant && dice_next(dice) % 4 != 0) return dice_range(dice, 0, span);
  return dice_range(dice, -span, span);
}

static int64_t draw_gap(Dice *dice, int64_t span) {
  uint64_t choice = dice_next(dice) % 4;
  return choice < 2 ? 0 : dice_range(dice, 0, choice == 2 ? 2 : span);
}

static void rule_sample_draw(Drawing *drawing) {
  static const int64_t parts[] = {1, 2, 3, 5, 10, 20};
  int64_t span = drawing->span / parts[dice_next(&drawing->dice) % 6] + 1;
  for (uint32_t i = 0; i < drawing->rule->constant_count; i++)
    drawing->values.constants[i] = draw_value(drawing, span, true);
  for (uint32_t i = 0; i < drawing->rule->expr_count; i++) {
    int64_t value = draw_value(drawing, 2 * span, false);
    drawing->values.exprs[i] = value;
    drawing->values.lo[i] = near(value, -draw_gap(&drawing->dice, span));
    drawing->values.hi[i] = near(value, draw_gap(&drawing->dice, span));
  }
}

/* The value of a term that is only a letter or bound, otherwise nullptr. */
static int64_t *lone(RuleValues *values, const RuleTerm *term) {
  switch (term->kind) {
    case TERM_CONSTANT_LETTER: return &values->constants[term->letter];
    case TERM_LO: return &values->lo[term->letter];
    case TERM_HI: return &values->hi[term->letter];
    case TERM_EXPR: return &values->exprs[term->letter];
    case TERM_INTEGER:
    case TERM_OPERATOR:
    case TERM_GCD: return nullptr;
  }
  assert(false);
  return nullptr;
}

static bool rule_sample_value_of(const RuleTerm *term, const RuleValues *values, int64_t *value) {
  Wide wide, bad_value;
  const RuleTerm *bad;
  static constexpr Wide capacity = INT64_MAX / 4;
  if (!term_value(term, values, &wide, &bad, &bad_value) || wide < -capacity || wide > capacity)
    return false;
  *value = (int64_t)wide;
  return true;
}

/* The value nearest to the current one that satisfies `letter relation other`. */
static int64_t letter_moved(Comparison relation, int64_t letter, int64_t other) {
  switch (relation) {
    case REL_EQ: return other;
    case REL_NE: return letter == other ? other + 1 : letter;
    case REL_LT: return letter < other ? letter : other - 1;
    case REL_LE: return letter <= other ? letter : other;
    case REL_GT: return letter > other ? letter : other + 1;
    case REL_GE: return letter >= other ? letter : other;
  }
  assert(false);
  return letter;
}

static Comparison mirrored(Comparison relation) {
  switch (relation) {
    case REL_EQ: return REL_EQ;
    case REL_NE: return REL_NE;
    case REL_LT: return REL_GT;
    case REL_LE: return REL_GE;
    case REL_GT: return REL_LT;
    case REL_GE: return REL_LE;
  }
  assert(false);
  return relation;
}

/* k mod c == f: lowers a single letter k to the nearest solution. */
static void repair_residue(RuleValues *values, const Guard *guard) {
  const RuleTerm *mod = guard->left;
  if (guard->relation != REL_EQ || mod->kind != TERM_OPERATOR || mod->op != EXPR_MOD) return;
  int64_t *letter = lone(values, mod->left);
  int64_t divisor, residue;
  if (letter == nullptr || !rule_sample_value_of(mod->right, values, &divisor) || divisor <= 0 ||
      !rule_sample_value_of(guard->right, values, &residue))
    return;
  Wide aligned = wide_floor(*letter, divisor) * divisor + residue;
  if (aligned >= INT64_MIN && aligned <= INT64_MAX) *letter = (int64_t)aligned;
}

static void repair_guard(Drawing *drawing, const Guard *guard) {
  RuleValues *values = &drawing->values;
  int64_t *left = lone(values, guard->left), *right = lone(values, guard->right), other;
  bool to_left = left != nullptr && (right == nullptr || dice_next(&drawing->dice) % 2 == 0);
  if (to_left && rule_sample_value_of(guard->right, values, &other))
    *left = letter_moved(guard->relation, *left, other);
  else if (!to_left && right != nullptr && rule_sample_value_of(guard->left, values, &other))
    *right = letter_moved(mirrored(guard->relation), *right, other);
  else repair_residue(values, guard);
}

/* Moves x between its bounds, or the bounds to x if they have crossed; in one of four cases to an
 * end. */
static void repair_bounds(Drawing *drawing) {
  RuleValues *values = &drawing->values;
  for (uint32_t i = 0; i < drawing->rule->expr_count; i++) {
    int64_t lo = values->lo[i], hi = values->hi[i], *x = &values->exprs[i];
    if (lo > hi) continue;
    uint64_t choice = dice_next(&drawing->dice) % 8;
    if (choice == 0) *x = lo;
    else if (choice == 1) *x = hi;
    else if (*x < lo || *x > hi) *x = dice_range(&drawing->dice, lo, hi);
    if (!rule_names_bounds(drawing->rule, i)) values->lo[i] = values->hi[i] = *x;
  }
}

static void draw_and_repair(Drawing *drawing) {
  rule_sample_draw(drawing);
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < drawing->rule->guard_count; i++)
      repair_guard(drawing, &drawing->rule->guards[i]);
  repair_bounds(drawing);
}

static bool is_refutation(RuleOutcome outcome) {
  return outcome == RULE_DIFFERS || outcome == RULE_DIVISOR;
}

bool rule_is_refuted_by(const Rule *rule, const RuleValues *values) {
  return is_refutation(rule_read(rule, values).outcome);
}

void rule_sample(const Rule *rule, uint64_t seed, uint32_t tries, uint32_t span, Sample *sample) {
  Drawing drawing = drawing_of(rule, seed, span);
  *sample = (Sample){};
  for (uint32_t i = 0; i < tries; i++, sample->tries++) {
    draw_and_repair(&drawing);
    RuleOutcome outcome = rule_read(rule, &drawing.values).outcome;
    if (outcome == RULE_AGREES && sample->hit_count < sample_max_hits)
      sample->hits[sample->hit_count++] = drawing.values;
    if (!is_refutation(outcome)) continue;
    sample->is_refuted = true;
    sample->refutation = drawing.values;
    return;
  }
}

/* A number near zero, near a power of two, or near the ends of int64. */
static int64_t draw_large(Dice *dice) {
  int64_t small = dice_range(dice, -4, 4);
  switch (dice_next(dice) % 4) {
    case 0: return small;
    case 1: return INT64_MAX - dice_range(dice, 0, 8);
    case 2: return INT64_MIN + dice_range(dice, 0, 8);
    default:
      return (dice_next(dice) % 2 == 0 ? 1 : -1) *
             ((INT64_C(1) << dice_range(dice, 1, 61)) + small);
  }
}

static void draw_extremes(Drawing *drawing) {
  RuleValues *values = &drawing->values;
  for (uint32_t i = 0; i < drawing->rule->constant_count; i++)
    values->constants[i] = draw_large(&drawing->dice);
  for (uint32_t i = 0; i < drawing->rule->expr_count; i++) {
    values->exprs[i] = values->lo[i] = values->hi[i] = draw_large(&drawing->dice);
    if (dice_next(&drawing->dice) % 2 == 0) values->lo[i] = 0;
    if (values->lo[i] > values->exprs[i]) values->lo[i] = values->exprs[i];
  }
}

bool rule_overflows(const Rule *rule, uint64_t seed, uint32_t tries, RuleValues *values) {
  Drawing drawing = drawing_of(rule, seed, 40);
  for (uint32_t i = 0; i < tries; i++) {
    draw_extremes(&drawing);
    for (uint32_t k = 0; k < rule->guard_count; k++) repair_guard(&drawing, &rule->guards[k]);
    if (!rule_guard_holds(rule, &drawing.values)) continue;
    if (!side_fits_int64(&rule->left, &drawing.values) ||
        side_fits_int64(&rule->right, &drawing.values))
      continue;
    *values = drawing.values;
    return true;
  }
  return false;
}
