/* Rules as texts, `x + y + a*b => RIGHT`, which binds all letters: all right sides of up to so many
 * nodes, every operator with parentheses of its own, divisors from a list. Judged is that what
 * prints reads back: the rules that a scope proves or refutes are those of core/rules. With L
 * leaves, A operators of any two operands and D pairs of a division and its divisor,
 * t(1) = L and t(n) = A * sum of t(i) * t(n - 1 - i) over i + D * t(n - 2), n odd. */
#include <assert.h>

#include "exhaust/scope.h"

static const char *const leaves[] = {"x", "y", "a", "2", "-1"};
static const struct {
  const char *before, *between;
} operators[] = {{"(", " + "}, {"(", " - "}, {"(", "*"}, {"min(", ", "}, {"max(", ", "}};
static const char *const divisions[] = {" floordiv a)", " ceildiv 2)", " mod a)",
    " floordiv (a*2))", " ceildiv (2*a))", " mod (a*2))", " mod (a + b))", " floordiv (a - b))",
    " mod (a mod 2))"};

#define COUNT(list) (sizeof list / sizeof *list)
static constexpr uint64_t most_nodes = 9;

static uint64_t trees(uint64_t nodes) {
  uint64_t count[most_nodes + 1] = {[1] = COUNT(leaves)};
  assert(nodes <= most_nodes);
  for (uint64_t n = 3; n <= nodes; n += 2) {
    for (uint64_t left = 1; left < n - 1; left += 2)
      count[n] += COUNT(operators) * count[left] * count[n - 1 - left];
    count[n] += COUNT(divisions) * count[n - 2];
  }
  return count[nodes];
}

uint64_t scope_rules_count(const ScopePlan *plan) {
  uint64_t count = 0;
  for (uint64_t n = 1; n <= plan->limits.rank; n += 2) count += trees(n);
  return count;
}

void scope_write_rule_words(Text *text) {
  text_string(text, "`x + y + a*b => RIGHT`, right sides of up to so many nodes; ");
  words_list(text, "leaves", COUNT(leaves), leaves);
  text_string(text, "; operators of any two:");
  for (uint32_t i = 0; i < COUNT(operators); i++)
    text_printf(text, " %sx%sy)", operators[i].before, operators[i].between);
  text_string(text, "; divisions:");
  for (uint32_t i = 0; i < COUNT(divisions); i++) text_printf(text, " (x%s", divisions[i]);
}

/* Recursion ends at the leaves. */
static void write_tree(uint64_t nodes, uint64_t number, Text *text) {
  assert(number < trees(nodes));
  if (nodes == 1) {
    text_string(text, leaves[number]);
    return;
  }
  uint64_t divided = COUNT(divisions) * trees(nodes - 2);
  if (number < divided) {
    const char *division = divisions[digit_take(&number, COUNT(divisions))];
    text_string(text, "(");
    write_tree(nodes - 2, number, text);
    text_string(text, division);
    return;
  }
  number -= divided;
  uint64_t operator= digit_take(&number, COUNT(operators)), left = 1;
  for (uint64_t ways; number >= (ways = trees(left) * trees(nodes - 1 - left)); left += 2)
    number -= ways;
  text_string(text, operators[operator].before);
  write_tree(left, digit_take(&number, trees(left)), text);
  text_string(text, operators[operator].between);
  write_tree(nodes - 1 - left, number, text);
  text_string(text, ")");
}

void scope_write_rule(uint64_t k, Text *text) {
  uint64_t nodes = 1;
  for (; k >= trees(nodes); nodes += 2) k -= trees(nodes);
  text_string(text, "rule r\n  x + y + a*b  =>  ");
  write_tree(nodes, k, text);
  text_string(text, "\n");
}
