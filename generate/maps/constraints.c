/* Maps with significant constraints: a*d0 + b*s0 + k in an interval, with |a| and |b| different;
 * and one variable under two congruences, whose intervals may be partly or completely negative. */
#include "generate/maps/map_generator.h"

static const struct {
  int a, b;
} factors[] = {{1, 2}, {1, -2}, {2, 3}, {2, -3}, {3, -5}, {4, 6}, {-2, 5}, {6, 1}, {3, 1}, {-4, 3}};
static const int offsets[] = {0, -1, 3};
static const ListedInterval sums[] = {{0, 0}, {-1, 2}, {0, 5}, {-7, -2}};
static const char *const sum_results[] = {
    "d0", "s0", "d0 * 3 + s0", "(d0 + s0) mod 4", "d0 floordiv 2 + s0"};

void generate_maps_two_variables(Choices *choices, const MapLimits *limits, Text *text) {
  assert(limits->first <= LIST_COUNT(sum_results));
  uint64_t result = choose(choices, limits->first), pair = choose(choices, LIST_COUNT(factors));
  text_where(text, "(d0)[s0] -> (%s)", sum_results[result]);
  choose_linear_domain(choices, text);
  int offset = *choose_item(choices, offsets);
  const ListedInterval *in = choose_item(choices, sums);
  text_where(text, ", d0 * %d + s0 * %d + %d in [%d, %d]\n", factors[pair].a, factors[pair].b,
      offset, in->lo, in->hi);
}

static const int moduli[] = {2, 3, 4, 6, 8}, added[] = {0, -1};
static const ListedInterval congruences[] = {
    {0, 0}, {1, 1}, {-1, 0}, {-2, 1}, {0, 1}, {-3, -1}, {1, 4}};
static const ListedInterval lines[] = {{0, 11}, {-6, 7}, {3, 20}, {-9, -1}};
static const char *const kept[] = {"x", "x floordiv 2", "x mod 6"};

static void write_kept(Text *text, const char *form, const char *variable) {
  for (; text != nullptr && *form != 0; form++)
    if (*form == 'x') text_string(text, variable);
    else text_append(text, form, 1);
}

static void choose_congruence(
    Choices *choices, uint64_t intervals, const char *variable, Text *text) {
  int k = *choose_item(choices, added), modulus = *choose_item(choices, moduli);
  const ListedInterval *in = &congruences[choose(choices, intervals)];
  text_where(text, ", (%s + %d) mod %d in [%d, %d]", variable, k, modulus, in->lo, in->hi);
}

void generate_maps_congruences(Choices *choices, const MapLimits *limits, Text *text) {
  assert(limits->first <= LIST_COUNT(kept) && limits->second <= (int64_t)LIST_COUNT(congruences));
  static const char *const variables[] = {"d0", "s0"};
  const char *variable = *choose_item(choices, variables);
  text_where(text, "(d0)[s0] -> (");
  write_kept(text, kept[choose(choices, limits->first)], variable);
  const ListedInterval *line = choose_item(choices, lines);
  bool is_range = variable == variables[1];
  text_where(text, "), domain: d0 in [%d, %d], s0 in [%d, %d]", is_range ? 0 : line->lo,
      is_range ? 1 : line->hi, is_range ? line->lo : 0, is_range ? line->hi : 1);
  for (uint32_t i = 0; i < 2; i++)
    choose_congruence(choices, (uint64_t)limits->second, variable, text);
  text_where(text, "\n");
}

void words_maps_two_variables(Text *text) {
  text_string(text, "a*d0 + b*s0 + k in I; a, b:");
  for (uint32_t i = 0; i < LIST_COUNT(factors); i++)
    text_printf(text, " (%d, %d)", factors[i].a, factors[i].b);
  words_integers(text, "; k:", LIST_COUNT(offsets), offsets);
  words_intervals(text, "; I:", LIST_COUNT(sums), sums);
  words_list(text, "\n  results, the first so many", LIST_COUNT(sum_results), sum_results);
  words_intervals(text, "; both variables in", LIST_COUNT(linear_bounds), linear_bounds);
}

void words_maps_congruences(Text *text) {
  text_string(text, "(x + k) mod m in I twice, x = d0 or s0");
  words_integers(text, "; k:", LIST_COUNT(added), added);
  words_integers(text, "; m:", LIST_COUNT(moduli), moduli);
  words_intervals(text, "; I, the first so many:", LIST_COUNT(congruences), congruences);
  words_list(text, "\n  results, the first so many", LIST_COUNT(kept), kept);
  words_intervals(text, "; x in", LIST_COUNT(lines), lines);
}
