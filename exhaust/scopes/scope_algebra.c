/* Maps for the algebra: three variables, each a dimension, a range or a runtime variable, with up
 * to a given number of results and constraints from the lists below and every combination of the
 * listed bounds. They include one-to-one maps and others, digits and shuffles of them, results that
 * leave a box by one, and congruences. */
#include <assert.h>

#include "exhaust/scopes/scope.h"
#include "exhaust/scopes/scope_forms.h"

static constexpr uint32_t variable_count = 3;

static const char *const kinds[] = {
    "ddd", "dds", "ddr", "dss", "dsr", "drr", "sss", "ssr", "srr", "rrr"};
static const FormBounds bounds[][3] = {
    {{0, 3}, {-2, 1}}, {{0, 2}, {1, 2}}, {{0, 1}, {0, 0}, {1, 0}}};
static constexpr uint32_t bounds_counts[] = {2, 2, 3};

static const char *const results[] = {"x", "y", "z", "1", "x * -1 + 3", "x + y", "y * 4 + x",
    "x * 6 + y * 2 + z", "x floordiv 2", "x mod 2", "(x + y) mod 3", "min(x, y)"};
static const char *const constraints[] = {
    "x + y in [1, 2]",
    "x mod 2 in [0, 0]",
    "x mod 3 in [1, 2]",
    "y mod 2 in [1, 1]",
    "(y + 1) mod 2 in [1, 1]",
    "z in [1, 1]",
    "(x + z) mod 2 in [0, 0]",
    "x * 2 + y * -3 in [-2, 3]",
    "(x + y * 4) mod 3 in [0, 1]",
    "y + z floordiv 2 in [0, 1]",
};

#define COUNT(list) (sizeof list / sizeof *list)
static_assert(COUNT(bounds) == variable_count && COUNT(bounds_counts) == variable_count);

void scope_write_algebra_words(Text *text) {
  words_list(text, "kinds of x, y and z", COUNT(kinds), kinds);
  for (uint32_t i = 0; i < variable_count; i++) {
    text_printf(text, "\n  %c in", 'x' + (int)i);
    for (uint32_t k = 0; k < bounds_counts[i]; k++)
      text_printf(text, " [%d, %d]", bounds[i][k].lo, bounds[i][k].hi);
  }
  words_list(text, "\n  results, up to so many", COUNT(results), results);
  words_list(text, "\n  constraints, up to so many", COUNT(constraints), constraints);
}

/* The remaining choices depend only on how many items the list still lacks. */
static void join_items(Choices *choices, uint64_t list, uint64_t left) {
  ChoiceKey key = {2, {list, left}};
  choices_join(choices, &key);
}

/* Chooses a list of at most `most` items. */
static uint32_t choose_list(Choices *choices, uint64_t list, uint64_t most, uint32_t of,
    const char *const *forms, const char **items) {
  join_items(choices, list, UINT64_MAX);
  uint32_t length = (uint32_t)choose(choices, most + 1);
  assert(length <= form_most);
  for (uint32_t i = 0; i < length; i++) {
    join_items(choices, list, length - i);
    items[i] = forms[choose(choices, of)];
  }
  return length;
}

void scope_generate_algebra(const ScopePlan *plan, Choices *choices, Text *text) {
  FormMap map = {.kinds = kinds[choose(choices, COUNT(kinds))]};
  for (uint32_t i = 0; i < variable_count; i++)
    map.bounds[i] = bounds[i][choose(choices, bounds_counts[i])];
  map.constraint_count = choose_list(choices, 0, (uint64_t)plan->limits.elements,
      COUNT(constraints), constraints, map.constraints);
  map.result_count =
      choose_list(choices, 1, plan->limits.rank, COUNT(results), results, map.results);
  if (text == nullptr) return;
  scope_write_form_map(&map, text);
  text_string(text, "\n");
}
