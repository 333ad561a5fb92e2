/* Pairs of maps. Each side independently takes one of the first forms of results and of constraints
 * and every combination of the listed bounds. The right side has the same variables, one more range
 * variable, or a variable of another kind. Each map is therefore also compared with itself. */
#include <assert.h>

#include "exhaust/scopes/scope.h"
#include "exhaust/scopes/scope_forms.h"

static const char *const kinds[][2] = {{"dd", "dd"}, {"ds", "ds"}, {"dr", "dr"}, {"ss", "ss"},
    {"sr", "sr"}, {"rr", "rr"}, {"dd", "dds"}, {"ds", "dss"}, {"ds", "dd"}, {"ss", "ds"}};
static const FormBounds first[] = {{0, 2}, {1, 3}}, second[] = {{0, 1}, {1, 2}, {1, 0}},
                        third = {0, 1};
static const struct {
  const char *text;
  uint32_t count;
  const char *forms[2];
} results[] = {{"x + y", 1, {"x + y"}}, {"x", 1, {"x"}}, {"x, y", 2, {"x", "y"}},
    {"x mod 2", 1, {"x mod 2"}}, {"nothing", 0, {}}, {"y, x", 2, {"y", "x"}},
    {"(x + y) floordiv 2", 1, {"(x + y) floordiv 2"}}, {"y * 2 + x", 1, {"y * 2 + x"}}};
static const char *const constraints[] = {"", "x + y in [1, 3]", "x mod 2 in [0, 0]",
    "y + x * -1 in [-1, 0]", "(x + y * 2) mod 3 in [1, 2]", "x in [1, 1]"};

#define COUNT(list) (sizeof list / sizeof *list)

static FormMap choose_side(const ScopePlan *plan, const char *kind, Choices *choices) {
  assert(
      plan->limits.rank <= COUNT(results) && (uint64_t)plan->limits.elements <= COUNT(constraints));
  FormMap map = {.kinds = kind,
      .bounds = {
          first[choose(choices, COUNT(first))], second[choose(choices, COUNT(second))], third}};
  uint64_t constraint = choose(choices, (uint64_t)plan->limits.elements),
           result = choose(choices, plan->limits.rank);
  map.result_count = results[result].count;
  for (uint32_t i = 0; i < map.result_count; i++) map.results[i] = results[result].forms[i];
  map.constraint_count = constraint > 0;
  map.constraints[0] = constraints[constraint];
  return map;
}

/* The two sides are chosen independently. */
void scope_generate_pair(const ScopePlan *plan, Choices *choices, Text *text) {
  const char *const *kind = kinds[choose(choices, COUNT(kinds))];
  FormMap sides[2];
  for (uint32_t i = 0; i < 2; i++) {
    ChoiceKey key = {1, {i}};
    choices_join(choices, &key);
    sides[i] = choose_side(plan, kind[i], choices);
  }
  if (text == nullptr) return;
  scope_write_form_map(&sides[0], text);
  text_string(text, " ; ");
  scope_write_form_map(&sides[1], text);
  text_string(text, "\n");
}

static void scope_pairs_write_bounds(
    Text *text, const char *what, uint32_t count, const FormBounds *bounds) {
  text_string(text, what);
  for (uint32_t i = 0; i < count; i++) text_printf(text, " [%d, %d]", bounds[i].lo, bounds[i].hi);
}

void scope_write_pair_words(Text *text) {
  text_string(text, "kinds of x, y and z, left and right:");
  for (uint32_t i = 0; i < COUNT(kinds); i++)
    text_printf(text, " %s %s%s", kinds[i][0], kinds[i][1], i + 1 < COUNT(kinds) ? " |" : "");
  scope_pairs_write_bounds(text, "\n  x in", COUNT(first), first);
  scope_pairs_write_bounds(text, ", y in", COUNT(second), second);
  scope_pairs_write_bounds(text, ", z in", 1, &third);
  text_string(text, "\n  results, the first so many:");
  for (uint32_t i = 0; i < COUNT(results); i++)
    text_printf(text, " %s%s", results[i].text, i + 1 < COUNT(results) ? " |" : "");
  words_list(text, "\n  constraints, none and the first so many less one", COUNT(constraints) - 1,
      constraints + 1);
}
