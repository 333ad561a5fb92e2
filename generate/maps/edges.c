/* Maps whose constants are close to the edges of int64, in three forms: an offset to d0, a factor
 * of a small number, and a constraint on a multiple of d0. No value leaves int64 on the box, so
 * that every engine has to give an answer. */
#include "generate/maps/map_generator.h"

#include <stdio.h>

static const ListedInterval bounds[] = {{0, 2}, {0, 1}, {-1, 1}, {7, 8}};
static const int added[] = {0, -2, 1}, multiples[] = {1, -1, 2};
/* Of a number in [-1, 1]. */
static const int64_t factors[] = {INT64_MAX, INT64_MAX - 1, INT64_MAX / 2, INT64_MAX / 2 + 1,
    -INT64_MAX, INT64_MIN / 2, (int64_t)UINT32_MAX, (int64_t)UINT32_MAX + 2, INT32_MIN};
static const char *const small_numbers[] = {"d0 mod 2", "d0 floordiv 2", "d0"};
/* E stands for the form. */
static const char *const outer[] = {"E", "E floordiv 2", "E floordiv 4", "E floordiv 7",
    "E ceildiv 4", "E mod 4", "(E mod 4 + 2) floordiv 4", "E floordiv 4 * 4", "max(E, 0)"};
static const struct {
  int64_t lo, hi;
} intervals[] = {{INT64_MIN, INT64_MAX}, {0, INT64_MAX}, {INT64_MIN, -1},
    {INT64_MAX - 1, INT64_MAX}, {INT64_MIN, INT64_MIN + 1}};

/* An offset that keeps numbers of [lo, hi] in int64, where it is possible with one end of the sum
 * at the edge or beside it. */
static int64_t choose_offset(Choices *choices, int64_t lo, int64_t hi) {
  int64_t high = hi > 0 ? INT64_MAX - hi : INT64_MAX, low = lo < 0 ? INT64_MIN - lo : INT64_MIN;
  const int64_t offsets[] = {high, high - 1, low, low + 1, INT64_MAX / 2 + 1, INT64_MIN / 2,
      (int64_t)UINT32_MAX, (int64_t)INT32_MIN};
  return offsets[choose(choices, LIST_COUNT(offsets))];
}

static void write_outer(Text *text, const char *around, const char *form) {
  for (; text != nullptr && *around != 0; around++)
    if (*around == 'E') text_printf(text, "(%s)", form);
    else text_append(text, around, 1);
}

static void choose_result(Choices *choices, const MapLimits *limits, const char *form, Text *text) {
  assert(limits->first <= LIST_COUNT(outer));
  text_where(text, "(d0) -> (");
  write_outer(text, outer[choose(choices, limits->first)], form);
  text_where(text, ")");
}

static void write_box(Text *text, const ListedInterval *box) {
  text_where(text, ", domain: d0 in [%d, %d]", box->lo, box->hi);
}

static void choose_offset_form(Choices *choices, const MapLimits *limits, Text *text) {
  char form[64];
  const ListedInterval *box = choose_item(choices, bounds);
  int first = *choose_item(choices, added);
  snprintf(form, sizeof form, "d0 + %d + %lld", first,
      (long long)choose_offset(choices, box->lo + first, box->hi + first));
  choose_result(choices, limits, form, text);
  write_box(text, box);
}

static void choose_factor_form(Choices *choices, const MapLimits *limits, Text *text) {
  char form[64];
  uint64_t number = choose(choices, LIST_COUNT(small_numbers));
  /* d0 floordiv 2 and d0 itself are in [-1, 1] in one or two of the boxes. */
  uint64_t box = number == 0   ? choose(choices, LIST_COUNT(bounds))
                 : number == 1 ? choose(choices, 3)
                               : 1 + choose(choices, 2);
  snprintf(form, sizeof form, "(%s) * %lld", small_numbers[number],
      (long long)*choose_item(choices, factors));
  choose_result(choices, limits, form, text);
  write_box(text, &bounds[box]);
}

static void choose_constraint_form(Choices *choices, Text *text) {
  const ListedInterval *box = choose_item(choices, bounds);
  int multiple = *choose_item(choices, multiples);
  int64_t first = multiple * (int64_t)box->lo, last = multiple * (int64_t)box->hi;
  int64_t offset = choose_offset(choices, first < last ? first : last, first < last ? last : first);
  uint64_t interval = choose(choices, LIST_COUNT(intervals));
  text_where(text, "(d0) -> (d0)");
  write_box(text, box);
  text_where(text, ", d0 * %d + %lld in [%lld, %lld]", multiple, (long long)offset,
      (long long)intervals[interval].lo, (long long)intervals[interval].hi);
}

void generate_maps_edges(Choices *choices, const MapLimits *limits, Text *text) {
  switch (choose(choices, 3)) {
    case 0: choose_offset_form(choices, limits, text); break;
    case 1: choose_factor_form(choices, limits, text); break;
    default: choose_constraint_form(choices, text); break;
  }
  text_where(text, "\n");
}

void words_maps_edges(Text *text) {
  words_intervals(text, "d0 in", LIST_COUNT(bounds), bounds);
  words_integers(text, "; E = d0 + a + k, a:", LIST_COUNT(added), added);
  words_list(text, "\n  and E = X*k, X", LIST_COUNT(small_numbers), small_numbers);
  words_list(text, "\n  results, the first so many", LIST_COUNT(outer), outer);
  words_integers(text, "\n  and one constraint on d0*a + k, a:", LIST_COUNT(multiples), multiples);
  text_string(text, "; k: beside the edges of int64, of int32 and of uint32, and +-2^62");
}
