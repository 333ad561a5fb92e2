/* Linear maps: ((a*d0 + b*s0 + k) op m), alone or within a second operation; and a digit plus a
 * small term under a second division, ((a*(d0 mod b) + e*s0 + k) op c). */
#include "generate/maps/map_generator.h"

static const int first_factors[] = {-3, -2, 1, 2, 4, 6}, second_factors[] = {-2, -1, 0, 1, 2, 3},
                 offsets[] = {-1, 0, 1, 3}, divisors[] = {2, 3, 4, 6, 8};
static const char *const divided_by[] = {"floordiv", "ceildiv", "mod"};
static const struct {
  const char *before, *after;
} outer[] = {{"", ""}, {"(", " floordiv 2)"}, {"(", " floordiv 3)"}, {"(", " ceildiv 2)"},
    {"(", " mod 2)"}, {"(", " mod 3)"}, {"(", " mod 4)"}, {"(", " * 2)"}, {"(", " * -3)"},
    {"(", " + d0)"}};

void generate_maps_linear(Choices *choices, const MapLimits *limits, Text *text) {
  uint64_t level = choose(choices, limits->first > 1 ? LIST_COUNT(outer) : 1);
  choices_join(choices, &(ChoiceKey){1, {1}});
  int a = *choose_item(choices, first_factors), b = *choose_item(choices, second_factors);
  int offset = *choose_item(choices, offsets), divisor = *choose_item(choices, divisors);
  const char *operator= * choose_item(choices, divided_by);
  text_where(text, "(d0)[s0] -> (%s((d0 * %d + s0 * %d + %d) %s %d)%s)", outer[level].before, a, b,
      offset, operator, divisor, outer[level].after);
  choices_join(choices, &(ChoiceKey){1, {2}});
  choose_linear_domain(choices, text);
  text_where(text, "\n");
}

static const int digit_factors[] = {-1, 1, 2, 3}, digit_divisors[] = {2, 3, 4, 6},
                 beside[] = {-1, 0, 1}, digit_offsets[] = {-1, 0, 1, 2};

void generate_maps_digits(Choices *choices, const MapLimits *, Text *text) {
  int a = *choose_item(choices, digit_factors), b = *choose_item(choices, digit_divisors);
  int e = *choose_item(choices, beside), offset = *choose_item(choices, digit_offsets);
  int c = *choose_item(choices, digit_divisors);
  const char *operator= * choose_item(choices, divided_by);
  text_where(
      text, "(d0)[s0] -> (((d0 mod %d) * %d + s0 * %d + %d) %s %d)", b, a, e, offset, operator, c);
  choices_join(choices, &(ChoiceKey){1, {1}});
  choose_linear_domain(choices, text);
  text_where(text, "\n");
}

void words_maps_linear(Text *text) {
  words_integers(text, "((a*d0 + b*s0 + k) op c); a:", LIST_COUNT(first_factors), first_factors);
  words_integers(text, "; b:", LIST_COUNT(second_factors), second_factors);
  words_integers(text, "; k:", LIST_COUNT(offsets), offsets);
  words_integers(text, "; c:", LIST_COUNT(divisors), divisors);
  words_list(text, "; op", LIST_COUNT(divided_by), divided_by);
  text_string(text, "; of two levels");
  for (uint32_t i = 0; i < LIST_COUNT(outer); i++)
    text_printf(text, " %sE%s", outer[i].before, outer[i].after);
  words_intervals(text, "; both variables in", LIST_COUNT(linear_bounds), linear_bounds);
}

void words_maps_digits(Text *text) {
  words_integers(
      text, "((a*(d0 mod b) + e*s0 + k) op c); a:", LIST_COUNT(digit_factors), digit_factors);
  words_integers(text, "; b, c:", LIST_COUNT(digit_divisors), digit_divisors);
  words_integers(text, "; e:", LIST_COUNT(beside), beside);
  words_integers(text, "; k:", LIST_COUNT(digit_offsets), digit_offsets);
  words_list(text, "; op", LIST_COUNT(divided_by), divided_by);
  words_intervals(text, "; both variables in", LIST_COUNT(linear_bounds), linear_bounds);
}
