/* Maps (d0)[s0] -> (expression) with or without one constraint, over every pair of the stated
 * bounds.
 * Expressions are trees of exactly n nodes: with L leaves, A operators of any two operands and D
 * pairs of a division and its divisor, t(1) = L and t(n) = A * sum of t(i) * t(n - 1 - i) over i +
 * D * t(n - 2), n odd. All operators of ops.def stand in one of the lists. */
#include <assert.h>
#include <stdio.h>

#include "exhaust/scope.h"

typedef struct Bounds {
  int lo, hi;
} Bounds;

static const Bounds bounds[] = {{0, 3}, {-3, 2}, {0, 7}, {2, 2}, {1, 0}};
static const Bounds intervals[] = {{0, 0}, {-1, 2}, {1, 0}};
static const char *const leaves[] = {"d0", "s0", "-2", "0", "1", "3"};
static const struct {
  const char *before, *between;
} operators[] = {{"(", " + "}, {"(", " * "}, {"min(", ", "}, {"max(", ", "}};
static const char *const divisions[] = {" floordiv 2)", " floordiv 3)", " ceildiv 2)",
    " ceildiv 4)", " mod 2)", " mod 3)", " mod 4)", " floordiv 1)", " mod 1)"};

#define COUNT(list) (sizeof list / sizeof *list)
static constexpr uint32_t bounds_count = COUNT(bounds), interval_count = COUNT(intervals);

static uint64_t trees_up_to(const ScopePlan *plan, uint64_t nodes) {
  uint64_t count = 0;
  for (uint64_t n = 1; n <= nodes; n += 2) count += plan->trees[n];
  return count;
}

static uint64_t constraints(const ScopePlan *plan) {
  return plan->limits.elements == 0 || plan->scope->kind == SCOPE_OPERATORS
             ? 1
             : trees_up_to(plan, (uint64_t)plan->limits.elements) * interval_count;
}

uint64_t scope_maps_count(ScopePlan *plan) {
  uint64_t most = plan->limits.rank;
  if ((uint64_t)plan->limits.elements > most) most = (uint64_t)plan->limits.elements;
  plan->trees = ARENA_NEW(plan->arena, uint64_t, most + 1);
  plan->trees[1] = COUNT(leaves);
  for (uint64_t n = 3; n <= most; n += 2) {
    for (uint64_t left = 1; left < n - 1; left += 2)
      plan->trees[n] += COUNT(operators) * plan->trees[left] * plan->trees[n - 1 - left];
    plan->trees[n] += COUNT(divisions) * plan->trees[n - 2];
  }
  uint64_t boxes = plan->scope->kind == SCOPE_OPERATORS ? 1 : bounds_count * bounds_count;
  return trees_up_to(plan, plan->limits.rank) * constraints(plan) * boxes;
}

/* Recursion ends at the leaves: at most as deep as there are nodes. */
static void write_tree(const ScopePlan *plan, uint64_t nodes, uint64_t number, Text *text) {
  assert(number < plan->trees[nodes]);
  if (nodes == 1) {
    text_string(text, leaves[number]);
    return;
  }
  uint64_t divided = COUNT(divisions) * plan->trees[nodes - 2];
  if (number < divided) {
    const char *division = divisions[digit_take(&number, COUNT(divisions))];
    text_string(text, "(");
    write_tree(plan, nodes - 2, number, text);
    text_string(text, division);
    return;
  }
  number -= divided;
  uint64_t operator= digit_take(&number, COUNT(operators));
  uint64_t left = 1;
  for (uint64_t ways; number >= (ways = plan->trees[left] * plan->trees[nodes - 1 - left]);
      left += 2)
    number -= ways;
  text_string(text, operators[operator].before);
  write_tree(plan, left, digit_take(&number, plan->trees[left]), text);
  text_string(text, operators[operator].between);
  write_tree(plan, nodes - 1 - left, number, text);
  text_string(text, ")");
}

static void write_tree_up_to(const ScopePlan *plan, uint64_t number, Text *text) {
  uint64_t nodes = 1;
  for (; number >= plan->trees[nodes]; nodes += 2) number -= plan->trees[nodes];
  write_tree(plan, nodes, number, text);
}

void scope_write_map(const ScopePlan *plan, uint64_t k, Text *text) {
  const Bounds *d = &bounds[digit_take(&k, bounds_count)],
               *s = &bounds[digit_take(&k, bounds_count)];
  uint64_t constraint = digit_take(&k, constraints(plan));
  text_string(text, "(d0)[s0] -> (");
  write_tree_up_to(plan, k, text);
  text_printf(text, "), domain: d0 in [%d, %d], s0 in [%d, %d]", d->lo, d->hi, s->lo, s->hi);
  if (plan->limits.elements > 0) {
    const Bounds *in = &intervals[digit_take(&constraint, interval_count)];
    text_string(text, ", ");
    write_tree_up_to(plan, constraint, text);
    text_printf(text, " in [%d, %d]", in->lo, in->hi);
  }
  text_string(text, "\n");
}

/* Over one box, which has both signs. */
void scope_write_operator(const ScopePlan *plan, uint64_t k, Text *text) {
  text_string(text, "(d0)[s0] -> (");
  write_tree_up_to(plan, k, text);
  text_string(text, "), domain: d0 in [-3, 2], s0 in [0, 3]\n");
}

/* Linear maps: ((a*d0 + b*s0 + k) op m), and of two levels that op2 n. */
static const int first_factors[] = {-3, -2, 1, 2, 4, 6}, second_factors[] = {-2, -1, 0, 1, 2, 3},
                 offsets[] = {-1, 0, 1, 3}, divisors[] = {2, 3, 4, 6, 8};
static const char *const divided_by[] = {"floordiv", "ceildiv", "mod"};
static const char *const outer[] = {"%s", "(%s floordiv 2)", "(%s floordiv 3)", "(%s ceildiv 2)",
    "(%s mod 2)", "(%s mod 3)", "(%s mod 4)", "(%s * 2)", "(%s * -3)", "(%s + d0)"};
static const Bounds linear_bounds[] = {{0, 3}, {-3, 2}, {0, 2}, {1, 4}, {0, 7}};
static constexpr uint64_t linear_bounds_count = COUNT(linear_bounds);

uint64_t scope_linear_count(const ScopePlan *plan) {
  uint64_t inner = COUNT(first_factors) * COUNT(second_factors) * COUNT(offsets) * COUNT(divisors) *
                   COUNT(divided_by);
  return inner * linear_bounds_count * linear_bounds_count *
         (plan->limits.rank > 1 ? COUNT(outer) : 1);
}

/* The printf format is one of the forms above. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
void scope_write_linear(uint64_t k, Text *text) {
  const Bounds *d = &linear_bounds[digit_take(&k, linear_bounds_count)],
               *s = &linear_bounds[digit_take(&k, linear_bounds_count)];
  const char *operator= divided_by[digit_take(&k, COUNT(divided_by))];
  int divisor = divisors[digit_take(&k, COUNT(divisors))],
      offset = offsets[digit_take(&k, COUNT(offsets))];
  int b = second_factors[digit_take(&k, COUNT(second_factors))],
      a = first_factors[digit_take(&k, COUNT(first_factors))];
  char inner[96];
  snprintf(
      inner, sizeof inner, "((d0 * %d + s0 * %d + %d) %s %d)", a, b, offset, operator, divisor);
  assert(k < COUNT(outer));
  text_string(text, "(d0)[s0] -> (");
  text_printf(text, outer[k], inner);
  text_printf(text, "), domain: d0 in [%d, %d], s0 in [%d, %d]\n", d->lo, d->hi, s->lo, s->hi);
}
#pragma clang diagnostic pop

/* A digit beside something small, under a second division: ((a*(d0 mod b) + e*s0 + k) op c). */
static const int digit_factors[] = {-1, 1, 2, 3}, digit_divisors[] = {2, 3, 4, 6},
                 beside[] = {-1, 0, 1}, digit_offsets[] = {-1, 0, 1, 2};

uint64_t scope_digits_count(void) {
  uint64_t inner =
      COUNT(digit_factors) * COUNT(digit_divisors) * COUNT(beside) * COUNT(digit_offsets);
  return inner * COUNT(divided_by) * COUNT(digit_divisors) * linear_bounds_count *
         linear_bounds_count;
}

void scope_write_digits(uint64_t k, Text *text) {
  const Bounds *d = &linear_bounds[digit_take(&k, linear_bounds_count)],
               *s = &linear_bounds[digit_take(&k, linear_bounds_count)];
  const char *operator= divided_by[digit_take(&k, COUNT(divided_by))];
  int c = digit_divisors[digit_take(&k, COUNT(digit_divisors))],
      offset = digit_offsets[digit_take(&k, COUNT(digit_offsets))];
  int e = beside[digit_take(&k, COUNT(beside))],
      b = digit_divisors[digit_take(&k, COUNT(digit_divisors))],
      a = digit_factors[digit_take(&k, COUNT(digit_factors))];
  assert(k == 0);
  text_printf(text,
      "(d0)[s0] -> (((d0 mod %d) * %d + s0 * %d + %d) %s %d), domain: d0 in [%d, %d], s0 in [%d, %d]\n",
      b, a, e, offset, operator, c, d->lo, d->hi, s->lo, s->hi);
}

/* ---- in words ---- */

static void write_bounds(Text *text, const char *what, uint32_t count, const Bounds *list) {
  text_string(text, what);
  for (uint32_t i = 0; i < count; i++) text_printf(text, " [%d, %d]", list[i].lo, list[i].hi);
}

static void write_ints(Text *text, const char *what, uint32_t count, const int *list) {
  text_string(text, what);
  for (uint32_t i = 0; i < count; i++) text_printf(text, "%s%d", i == 0 ? " " : ", ", list[i]);
}

static void write_tree_words(Text *text) {
  scope_write_list(text, "leaves", COUNT(leaves), leaves);
  text_string(text, "; operators of any two:");
  for (uint32_t i = 0; i < COUNT(operators); i++)
    text_printf(text, " %sx%sy)", operators[i].before, operators[i].between);
  text_string(text, "; divisions:");
  for (uint32_t i = 0; i < COUNT(divisions); i++) text_printf(text, " (x%s", divisions[i]);
}

static void write_linear_words(Text *text) {
  write_ints(text, "((a*d0 + b*s0 + k) op c); a:", COUNT(first_factors), first_factors);
  write_ints(text, "; b:", COUNT(second_factors), second_factors);
  write_ints(text, "; k:", COUNT(offsets), offsets);
  write_ints(text, "; c:", COUNT(divisors), divisors);
  scope_write_list(text, "; op", COUNT(divided_by), divided_by);
  text_string(text, "; of two levels");
  for (uint32_t i = 0; i < COUNT(outer); i++) {
    text_string(text, " ");
    for (const char *at = outer[i]; *at != 0; at += at[0] == '%' ? 2 : 1)
      text_append(text, at[0] == '%' ? "E" : at, 1);
  }
  write_bounds(text, "; both variables in", linear_bounds_count, linear_bounds);
}

static void write_digits_words(Text *text) {
  write_ints(text, "((a*(d0 mod b) + e*s0 + k) op c); a:", COUNT(digit_factors), digit_factors);
  write_ints(text, "; b, c:", COUNT(digit_divisors), digit_divisors);
  write_ints(text, "; e:", COUNT(beside), beside);
  write_ints(text, "; k:", COUNT(digit_offsets), digit_offsets);
  scope_write_list(text, "; op", COUNT(divided_by), divided_by);
  write_bounds(text, "; both variables in", linear_bounds_count, linear_bounds);
}

void scope_write_map_words(ScopeKind kind, Text *text) {
  if (kind == SCOPE_LINEAR || kind == SCOPE_DIGITS) {
    (kind == SCOPE_LINEAR ? write_linear_words : write_digits_words)(text);
    return;
  }
  write_tree_words(text);
  if (kind == SCOPE_OPERATORS) {
    text_string(text, "; d0 in [-3, 2], s0 in [0, 3]");
    return;
  }
  write_bounds(text, "\n  both variables in", bounds_count, bounds);
  write_bounds(text, "; a constraint, where there is one, in", interval_count, intervals);
}
