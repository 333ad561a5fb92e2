/* Rules as texts, `x + y + a*b => RIGHT`, where the left side binds all letters. RIGHT is every
 * term of up to a given number of nodes, with parentheses around each operator and divisors from a
 * list. Only printing and reading back is judged. The rules that are proved or refuted are those of
 * core/rules. */
#include <assert.h>

#include "exhaust/scopes/scope.h"

static const char *const leaves[] = {"x", "y", "a", "2", "-1"};
static const struct {
  const char *before, *between;
} operators[] = {{"(", " + "}, {"(", " - "}, {"(", "*"}, {"min(", ", "}, {"max(", ", "}};
static const char *const divisions[] = {" floordiv a)", " ceildiv 2)", " mod a)",
    " floordiv (a*2))", " ceildiv (2*a))", " mod (a*2))", " mod (a + b))", " floordiv (a - b))",
    " mod (a mod 2))"};

#define COUNT(list) (sizeof list / sizeof *list)
void scope_write_rule_words(Text *text) {
  text_string(text, "`x + y + a*b => RIGHT`, right sides of up to so many nodes; ");
  words_list(text, "leaves", COUNT(leaves), leaves);
  text_string(text, "; operators of any two:");
  for (uint32_t i = 0; i < COUNT(operators); i++)
    text_printf(text, " %sx%sy)", operators[i].before, operators[i].between);
  text_string(text, "; divisions:");
  for (uint32_t i = 0; i < COUNT(divisions); i++) text_printf(text, " (x%s", divisions[i]);
}

/* Sizes of the subtrees that are still to be chosen. */
typedef struct PendingNodes {
  uint32_t count;
  uint64_t nodes[8];
} PendingNodes;

static void append(Text *text, const char *words) {
  if (text != nullptr) text_string(text, words);
}

/* Recursion ends at the leaves. */
static void choose_tree(Choices *choices, uint64_t nodes, PendingNodes *pending, Text *text) {
  ChoiceKey key = {1, {nodes}};
  for (uint32_t i = 0; i < pending->count; i++) choice_key_add(&key, pending->nodes[i]);
  choices_join(choices, &key);
  if (nodes == 1) {
    append(text, leaves[choose(choices, COUNT(leaves))]);
    return;
  }
  uint64_t way = choose(choices, COUNT(divisions) + COUNT(operators));
  if (way < COUNT(divisions)) {
    append(text, "(");
    choose_tree(choices, nodes - 2, pending, text);
    append(text, divisions[way]);
    return;
  }
  way -= COUNT(divisions);
  uint64_t left = 1 + 2 * choose(choices, (nodes - 1) / 2);
  assert(pending->count < sizeof pending->nodes / sizeof *pending->nodes);
  append(text, operators[way].before);
  pending->nodes[pending->count++] = nodes - 1 - left;
  choose_tree(choices, left, pending, text);
  pending->count--;
  append(text, operators[way].between);
  choose_tree(choices, nodes - 1 - left, pending, text);
  append(text, ")");
}

void scope_generate_rule(const ScopePlan *plan, Choices *choices, Text *text) {
  append(text, "rule r\n  x + y + a*b  =>  ");
  choose_tree(
      choices, 1 + 2 * choose(choices, (plan->limits.rank + 1) / 2), &(PendingNodes){}, text);
  append(text, "\n");
}
