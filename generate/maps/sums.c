/* Sums of two digits: ((x*f + y*g + k) op c), where x and y are variables, quotients or remainders.
 * A rule that takes one digit for another, or divides summands one by one, is wrong about such a
 * sum. */
#include "generate/maps/map_generator.h"

static const char *const first_digits[] = {"d0", "d0 floordiv 2", "d0 floordiv 3", "d0 mod 2",
    "d0 mod 3"},
                         *const second_digits[] = {"s0", "s0 floordiv 2", "s0 mod 2"},
                         *const divided[] = {"", " floordiv 2", " floordiv 3", " floordiv 4"};
static const int first_factors[] = {1, 2, -1, 3, -2}, second_factors[] = {1, 2}, added[] = {0, 1};
static const ListedInterval first_bounds[] = {{0, 5}, {-3, 2}}, second_bounds[] = {{0, 3}, {-2, 1}};

void generate_maps_sums(Choices *choices, const MapLimits *, Text *text) {
  const char *x = *choose_item(choices, first_digits), *y = *choose_item(choices, second_digits);
  int f = *choose_item(choices, first_factors), g = *choose_item(choices, second_factors);
  int k = *choose_item(choices, added);
  const char *outer = *choose_item(choices, divided);
  const ListedInterval *d0 = choose_item(choices, first_bounds),
                       *s0 = choose_item(choices, second_bounds);
  text_where(text, "(d0)[s0] -> (((%s) * %d + (%s) * %d + %d)%s)", x, f, y, g, k, outer);
  text_where(text, ", domain: d0 in [%d, %d], s0 in [%d, %d]\n", d0->lo, d0->hi, s0->lo, s0->hi);
}

void words_maps_sums(Text *text) {
  words_list(text, "E = (x*f + y*g + k); x", LIST_COUNT(first_digits), first_digits);
  words_list(text, "; y", LIST_COUNT(second_digits), second_digits);
  words_integers(text, "; f:", LIST_COUNT(first_factors), first_factors);
  words_integers(text, "; g:", LIST_COUNT(second_factors), second_factors);
  words_integers(text, "; k:", LIST_COUNT(added), added);
  text_string(text, "; divided:");
  for (uint32_t i = 0; i < LIST_COUNT(divided); i++)
    text_printf(text, "%s E%s", i == 0 ? "" : " |", divided[i]);
  words_intervals(text, "; d0 in", LIST_COUNT(first_bounds), first_bounds);
  words_intervals(text, ", s0 in", LIST_COUNT(second_bounds), second_bounds);
}
