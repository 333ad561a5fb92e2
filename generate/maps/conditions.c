/* Maps with constraints of several operations: a sum in which one summand is a product of two
 * variables; an equation between two variables beside a second constraint; and a minimum or maximum
 * under a division, the same question about a result. */
#include "generate/maps/map_generator.h"

static const int factors[] = {1, 4, 2, -3}, second_factors[] = {1, 0, -1, 2};
static const ListedInterval d0_bounds[] = {{0, 3}, {0, 1}, {-3, 2}},
                            d1_bounds[] = {{0, 3}, {4, 5}, {-2, 1}},
                            sums[] = {{0, 3}, {0, 0}, {0, 9}, {-2, 1}};
/* A range variable: its bounds, and what else its value has to satisfy. */
static const struct {
  ListedInterval bounds;
  const char *constraint;
} ranges[] = {{{0, 0}, ""}, {{0, 2}, ""}, {{-1, 1}, ""}, {{0, 5}, ", s0 mod 8 in [0, 0]"}};
static const char *const results[] = {"d0", "d0 * s0 + d1", "d1 - d0"};

void generate_maps_products(Choices *choices, const MapLimits *limits, Text *text) {
  assert(limits->first <= LIST_COUNT(results));
  const char *result = results[choose(choices, limits->first)];
  uint64_t range = choose(choices, LIST_COUNT(ranges)), is_linear = choose(choices, 2);
  int a = *choose_item(choices, factors), b = *choose_item(choices, second_factors);
  const ListedInterval *d0 = choose_item(choices, d0_bounds), *d1 = choose_item(choices, d1_bounds),
                       *in = choose_item(choices, sums);
  text_where(text, "(d0, d1)[s0] -> (%s), domain: d0 in [%d, %d], d1 in [%d, %d], s0 in [%d, %d]",
      result, d0->lo, d0->hi, d1->lo, d1->hi, ranges[range].bounds.lo, ranges[range].bounds.hi);
  text_where(text, ", d0 * %d%s + d1 * %d in [%d, %d]%s\n", a, is_linear ? "" : " * s0", b, in->lo,
      in->hi, ranges[range].constraint);
}

static const ListedInterval equal_bounds[] = {{0, 4}, {0, 2}, {-1, 2}};
static const int equal_factors[] = {2, 1, 3, -2}, first_terms[] = {-1, 1, 2},
                 third_terms[] = {0, 1, -1}, terms_offsets[] = {1, 0, -2};
static const ListedInterval equal_sums[] = {{0, 9}, {0, 0}, {-1, 3}};
static const char *const equal_results[] = {"d0", "d1 + d2 * 3", "d0 * 2 - d1"};

void generate_maps_equations(Choices *choices, const MapLimits *limits, Text *text) {
  assert(limits->first <= LIST_COUNT(equal_results));
  const char *result = equal_results[choose(choices, limits->first)];
  const ListedInterval *box = choose_item(choices, equal_bounds);
  int equal = *choose_item(choices, equal_factors), first = *choose_item(choices, first_terms),
      third = *choose_item(choices, third_terms), offset = *choose_item(choices, terms_offsets);
  const ListedInterval *in = choose_item(choices, equal_sums);
  text_where(text, "(d0, d1, d2) -> (%s), domain: ", result);
  for (int i = 0; i < 3; i++) text_where(text, "d%d in [%d, %d], ", i, box->lo, box->hi);
  text_where(text, "d1 * %d - d2 in [0, 0], d1 + d0 * %d + d2 * %d + %d in [%d, %d]\n", equal,
      first, third, offset, in->lo, in->hi);
}

static const int extreme_factors[] = {2, 1, -2, 3}, moduli[] = {6, 2, 3, 4};
static const char *const others[] = {"2", "0", "-1", "3", "s0"}, *const extremes[] = {"max", "min"},
                         *const divided_by[] = {"mod", "floordiv", "ceildiv"};

void generate_maps_extremes(Choices *choices, const MapLimits *limits, Text *text) {
  assert(limits->first <= LIST_COUNT(extreme_factors));
  int factor = extreme_factors[choose(choices, limits->first)];
  const char *extreme = *choose_item(choices, extremes), *other = *choose_item(choices, others);
  const char *operator= * choose_item(choices, divided_by);
  text_where(text, "(d0)[s0] -> (%s(d0 * %d, %s) %s %d)", extreme, factor,
      other, operator, * choose_item(choices, moduli));
  choices_join(choices, &(ChoiceKey){1, {1}});
  choose_linear_domain(choices, text);
  text_where(text, "\n");
}

void words_maps_products(Text *text) {
  words_integers(text, "d0*a + d1*b or d0*s0*a + d1*b in I; a:", LIST_COUNT(factors), factors);
  words_integers(text, "; b:", LIST_COUNT(second_factors), second_factors);
  words_intervals(text, "; I:", LIST_COUNT(sums), sums);
  words_intervals(text, "\n  d0 in", LIST_COUNT(d0_bounds), d0_bounds);
  words_intervals(text, ", d1 in", LIST_COUNT(d1_bounds), d1_bounds);
  text_string(text, ", s0 in");
  for (uint32_t i = 0; i < LIST_COUNT(ranges); i++)
    text_printf(text, " [%d, %d]%s", ranges[i].bounds.lo, ranges[i].bounds.hi,
        ranges[i].constraint[0] == 0 ? "" : " where s0 mod 8 is 0");
  words_list(text, "; results, the first so many", LIST_COUNT(results), results);
}

void words_maps_equations(Text *text) {
  words_integers(text, "d1*a - d2 = 0; a:", LIST_COUNT(equal_factors), equal_factors);
  words_integers(text, "; d1 + d0*b + d2*c + k in I; b:", LIST_COUNT(first_terms), first_terms);
  words_integers(text, "; c:", LIST_COUNT(third_terms), third_terms);
  words_integers(text, "; k:", LIST_COUNT(terms_offsets), terms_offsets);
  words_intervals(text, "; I:", LIST_COUNT(equal_sums), equal_sums);
  words_intervals(text, "\n  all three variables in", LIST_COUNT(equal_bounds), equal_bounds);
  words_list(text, "; results, the first so many", LIST_COUNT(equal_results), equal_results);
}

void words_maps_extremes(Text *text) {
  words_list(text, "E(d0*a, x) op m; E", LIST_COUNT(extremes), extremes);
  words_integers(text, "; a, the first so many:", LIST_COUNT(extreme_factors), extreme_factors);
  words_list(text, "; x", LIST_COUNT(others), others);
  words_list(text, "; op", LIST_COUNT(divided_by), divided_by);
  words_integers(text, "; m:", LIST_COUNT(moduli), moduli);
  words_intervals(text, "; both variables in", LIST_COUNT(linear_bounds), linear_bounds);
}
