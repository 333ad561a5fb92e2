/* Maps for the algebra: three variables, each of them a dimension, a range or a runtime variable;
 * up to so many results and constraints of the stated forms, over every choice of the stated
 * bounds. Among them are one-to-one maps and others, digits and shuffles of them, results that
 * leave a box by one, and congruences. */
#include <assert.h>

#include "exhaust/scope.h"
#include "exhaust/scope_forms.h"

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

static uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t product = 1;
  while (exponent-- > 0) product *= base;
  return product;
}

/* Lists of up to so many, each from `of`. */
static uint64_t lists(uint64_t of, uint64_t most) {
  uint64_t count = 0;
  for (uint64_t length = 0; length <= most; length++) count += power(of, length);
  return count;
}

uint64_t scope_algebra_count(const ScopePlan *plan) {
  uint64_t count = COUNT(kinds) * lists(COUNT(results), plan->limits.rank) *
                   lists(COUNT(constraints), (uint64_t)plan->limits.elements);
  for (uint32_t i = 0; i < variable_count; i++) count *= bounds_counts[i];
  return count;
}

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

/* The list with that number: by length, then as digits. */
static uint32_t list_at(
    uint64_t number, uint32_t of, const char *const *forms, const char **items) {
  uint32_t length = 0;
  for (; number >= power(of, length); length++) number -= power(of, length);
  assert(length <= form_most);
  for (uint32_t i = 0; i < length; i++) items[i] = forms[digit_take(&number, of)];
  return length;
}

void scope_write_algebra(const ScopePlan *plan, uint64_t k, Text *text) {
  FormMap map = {};
  for (uint32_t i = 0; i < variable_count; i++)
    map.bounds[i] = bounds[i][digit_take(&k, bounds_counts[i])];
  map.kinds = kinds[digit_take(&k, COUNT(kinds))];
  uint64_t constraint = digit_take(&k, lists(COUNT(constraints), (uint64_t)plan->limits.elements));
  map.result_count = list_at(k, COUNT(results), results, map.results);
  map.constraint_count = list_at(constraint, COUNT(constraints), constraints, map.constraints);
  assert(map.result_count <= plan->limits.rank);
  scope_write_form_map(&map, text);
  text_string(text, "\n");
}
