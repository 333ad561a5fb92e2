/* Shrinks a counterexample: every step reduces the sum of the absolute values. Steps: one value to
 * 0, halved, or moved by one towards 0; two values at a time; a letter together with its bounds;
 * finally a complete search of a box around 0. The result of every step is evaluated by
 * rule_read. */
#include "smt/rules/rule_sample.h"

#include <assert.h>

/* The values that may change: constants, expression letters, and the bounds that the rule names. */
typedef struct Slots {
  const Rule *rule;
  uint32_t count;
  int64_t *at[4 * rule_max_letters];
  RuleValues values;
  uint32_t budget; /* remaining evaluations */
} Slots;

static void slots_of(Slots *slots, const Rule *rule, const RuleValues *values) {
  *slots = (Slots){.rule = rule, .values = *values, .budget = 40'000};
  for (uint32_t i = 0; i < rule->constant_count; i++)
    slots->at[slots->count++] = &slots->values.constants[i];
  for (uint32_t i = 0; i < rule->expr_count; i++) {
    slots->at[slots->count++] = &slots->values.exprs[i];
    if (!rule_names_bounds(rule, i)) continue;
    slots->at[slots->count++] = &slots->values.lo[i];
    slots->at[slots->count++] = &slots->values.hi[i];
  }
}

/* Bounds that the rule does not name equal their letter. */
static void rule_shrink_settle(Slots *slots) {
  for (uint32_t i = 0; i < slots->rule->expr_count; i++)
    if (!rule_names_bounds(slots->rule, i))
      slots->values.lo[i] = slots->values.hi[i] = slots->values.exprs[i];
}

/* Twice the sum of absolute values, plus one for each negative value, so that positive values are
 * preferred. */
static Wide cost(const Slots *slots) {
  Wide sum = 0;
  for (uint32_t i = 0; i < slots->count; i++)
    sum += *slots->at[i] < 0 ? 1 - 2 * (Wide)*slots->at[i] : 2 * (Wide)*slots->at[i];
  return sum;
}

static bool refutes(Slots *slots) {
  rule_shrink_settle(slots);
  if (slots->budget > 0) slots->budget--;
  return rule_is_refuted_by(slots->rule, &slots->values);
}

/* Keeps the current values if they refute at a lower cost than `before`; otherwise restores
 * them. */
static bool rule_shrink_keep(Slots *slots, const RuleValues *before, Wide cost_before) {
  if (cost(slots) < cost_before && refutes(slots)) return true;
  slots->values = *before;
  return false;
}

static bool shrink_one(Slots *slots, uint32_t i) {
  int64_t value = *slots->at[i];
  const int64_t candidates[] = {
      0, 1, -1, -value, value / 2, value - value / 8, value + (value > 0 ? -1 : 1)};
  const RuleValues before = slots->values;
  const Wide cost_before = cost(slots);
  for (size_t k = 0; k < sizeof candidates / sizeof candidates[0]; k++) {
    if (candidates[k] == value) continue;
    *slots->at[i] = candidates[k];
    if (rule_shrink_keep(slots, &before, cost_before)) return true;
  }
  return false;
}

/* Moves one value by one towards 0, or halves or zeroes it, with small steps of the other. */
static bool shrink_two(Slots *slots, uint32_t i, uint32_t k) {
  const RuleValues before = slots->values;
  const Wide cost_before = cost(slots);
  int64_t first = *slots->at[i], second = *slots->at[k];
  const int64_t firsts[] = {first / 2, first + (first > 0 ? -1 : 1), 0};
  for (size_t f = 0; f < 3; f++) {
    const int64_t seconds[] = {second / 2, second - (first - firsts[f]),
        second + (first - firsts[f]), second - 1, second + 1};
    for (size_t s = 0; s < 5; s++) {
      *slots->at[i] = firsts[f];
      *slots->at[k] = seconds[s];
      if (rule_shrink_keep(slots, &before, cost_before)) return true;
    }
  }
  return false;
}

/* A letter and both of its bounds move together. */
static bool shrink_band(Slots *slots, uint32_t letter) {
  RuleValues *values = &slots->values;
  const RuleValues before = *values;
  const Wide cost_before = cost(slots);
  int64_t value = values->exprs[letter];
  const int64_t steps[] = {-value, -value / 2, value > 0 ? -1 : 1};
  for (size_t s = 0; s < 3; s++) {
    values->exprs[letter] += steps[s];
    values->lo[letter] = values->exprs[letter];
    values->hi[letter] = values->exprs[letter];
    if (rule_shrink_keep(slots, &before, cost_before)) return true;
    values->exprs[letter] += steps[s];
    values->lo[letter] += steps[s];
    values->hi[letter] += steps[s];
    if (rule_shrink_keep(slots, &before, cost_before)) return true;
  }
  return false;
}

static bool shrink_step(Slots *slots) {
  for (uint32_t i = 0; i < slots->count; i++)
    if (shrink_one(slots, i)) return true;
  for (uint32_t i = 0; i < slots->rule->expr_count; i++)
    if (shrink_band(slots, i)) return true;
  for (uint32_t i = 0; i < slots->count; i++)
    for (uint32_t k = 0; k < slots->count; k++)
      if (i != k && shrink_two(slots, i, k)) return true;
  return false;
}

/* Tries every point of the box [-radius, radius] of all slots, if it has at most `limit` points. */
static void search_box(Slots *slots, int64_t radius, uint64_t limit) {
  uint64_t points = 1;
  for (uint32_t i = 0; i < slots->count; i++) {
    points *= 2 * (uint64_t)radius + 1;
    if (points > limit) return;
  }
  RuleValues best = slots->values;
  Wide best_cost = cost(slots);
  for (uint64_t point = 0; point < points; point++) {
    uint64_t rest = point;
    for (uint32_t i = 0; i < slots->count; i++) {
      *slots->at[i] = (int64_t)(rest % (2 * (uint64_t)radius + 1)) - radius;
      rest /= 2 * (uint64_t)radius + 1;
    }
    if (cost(slots) >= best_cost || !refutes(slots)) continue;
    best = slots->values;
    best_cost = cost(slots);
  }
  slots->values = best;
}

static bool is_out_of_range(const Slots *slots) {
  for (uint32_t i = 0; i < slots->count; i++)
    if (*slots->at[i] > INT64_MAX / 4 || *slots->at[i] < -(INT64_MAX / 4)) return true;
  return false;
}

void rule_shrink(const Rule *rule, RuleValues *values) {
  assert(rule_is_refuted_by(rule, values));
  Slots slots;
  slots_of(&slots, rule, values);
  if (is_out_of_range(&slots)) return;
  while (slots.budget > 0 && shrink_step(&slots)) continue;
  for (int64_t radius = 1; radius <= 6; radius++) search_box(&slots, radius, 20'000);
  rule_shrink_settle(&slots);
  assert(rule_is_refuted_by(rule, &slots.values));
  *values = slots.values;
}
