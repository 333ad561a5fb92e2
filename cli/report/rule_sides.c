/* Of the values that sampling finds, draws those for which the left side changes most often. */
#include "cli/report/rule_sides.h"

#include "smt/rules/rule_sample.h"

static constexpr uint64_t sides_seed = 1;
static constexpr uint32_t sides_tries = 4'000, sides_span = 24;
static constexpr uint32_t most_sides = 41;
static constexpr int64_t most_number = 1LL << 53; /* exact in the page's script */

typedef struct SideValues {
  RuleValues fixed;
  uint32_t count, changes; /* of the left side */
  int64_t at[most_sides], left[most_sides], right[most_sides];
} SideValues;

/* The letter that varies: the first that stands for an expression, else the first constant. */
static int64_t *running(const Rule *rule, RuleValues *values) {
  if (rule->expr_count > 0) return &values->exprs[0];
  return rule->constant_count > 0 ? &values->constants[0] : nullptr;
}

static const char *running_name(const Rule *rule) {
  return rule->expr_count > 0 ? rule->exprs[0] : rule->constants[0];
}

static bool is_drawable(Wide number) { return number > -most_number && number < most_number; }

static void add_value(SideValues *sides, const Rule *rule, const RuleValues *values, int64_t at) {
  RuleReading reading = rule_read(rule, values);
  if (reading.outcome != RULE_AGREES && reading.outcome != RULE_DIFFERS) return;
  bool is_constraint = rule->left.is_constraint;
  Wide left = is_constraint ? reading.left_holds : reading.left;
  Wide right = is_constraint ? reading.right_holds : reading.right;
  if (!is_drawable(at) || !is_drawable(left) || !is_drawable(right)) return;
  uint32_t i = sides->count++;
  sides->at[i] = at;
  sides->left[i] = (int64_t)left;
  sides->right[i] = (int64_t)right;
  sides->changes += i > 0 && sides->left[i] != sides->left[i - 1];
}

static void sides_collect(SideValues *sides, const Rule *rule, const RuleValues *values) {
  *sides = (SideValues){.fixed = *values};
  RuleValues moved = *values;
  int64_t *letter = running(rule, &moved);
  if (letter == nullptr || !is_drawable(*letter)) return;
  for (int64_t at = *letter - most_sides / 2, end = at + most_sides; at < end; at++) {
    *letter = at;
    if (rule->expr_count > 0 && !rule_names_bounds(rule, 0)) moved.lo[0] = moved.hi[0] = at;
    add_value(sides, rule, &moved, at);
  }
}

static void print_list(Text *text, const char *name, uint32_t count, const int64_t *numbers) {
  text_printf(text, "\"%s\":[", name);
  text_integers(text, ",", count, numbers);
  text_string(text, "]");
}

/* Letters are identifiers, so nothing has to be escaped. */
static void sides_print(Text *text, const Rule *rule, const SideValues *sides, bool is_refuted) {
  RuleValues fixed = sides->fixed;
  text_printf(text, " data-sides='{\"letter\":\"%s\",\"fixed\":\"", running_name(rule));
  rule_values_print(text, rule, &fixed);
  text_string(text, "\",");
  print_list(text, "at", sides->count, sides->at);
  text_string(text, ",");
  print_list(text, "left", sides->count, sides->left);
  text_string(text, ",");
  print_list(text, "right", sides->count, sides->right);
  if (is_refuted) text_printf(text, ",\"witness\":%lld", (long long)*running(rule, &fixed));
  text_string(text, rule->left.is_constraint ? ",\"holds\":true}'" : "}'");
}

void rule_sides_print(Text *text, const Rule *rule, const RuleValues *refuting) {
  SideValues best = {}, sides;
  Sample sample = {};
  if (refuting != nullptr) {
    sides_collect(&best, rule, refuting);
  } else {
    rule_sample(rule, sides_seed, sides_tries, sides_span, &sample);
    for (uint32_t i = 0; i < sample.hit_count; i++) {
      sides_collect(&sides, rule, &sample.hits[i]);
      if (sides.changes > best.changes || best.count < 2) best = sides;
    }
  }
  if (best.count >= 2) sides_print(text, rule, &best, refuting != nullptr);
}
