/* Pairs of maps to compose, first the consumer, then the producer, each with every combination of
 * the listed boxes and constraints. The consumer's results are partly outside the producer's
 * box. */
#include "generate/maps/map_generator.h"

static const char *const consumer_results[] = {
    "d0, s0", "d0 floordiv 2, d0 mod 2", "d0 + s0, d0", "s0, d0", "d0 * 2 + s0, 1"};
static const ListedInterval consumer_d0[] = {{0, 3}, {-2, 2}},
                            consumer_s0[] = {{0, 1}, {0, 2}, {1, 0}};
static const char *const consumer_constraints[] = {
    "", ", d0 + s0 in [1, 3]", ", d0 mod 2 in [0, 0]"};

static const char *const producer_results[] = {
    "d1 * 4 + d0", "(d0 + d1 + s0) mod 3", "d0 floordiv 2, s0", "d0", "min(d0, d1)"};
static const ListedInterval producer_d0[] = {{0, 2}, {-1, 3}}, producer_d1[] = {{0, 1}, {0, 3}};
static const char *const producer_constraints[] = {
    "", ", d0 + d1 * -1 in [-1, 1]", ", (d0 + s0) mod 2 in [1, 1]"};

static void choose_consumer(Choices *choices, uint64_t results, Text *text) {
  const char *result = consumer_results[choose(choices, results)];
  const ListedInterval *d0 = choose_item(choices, consumer_d0),
                       *s0 = choose_item(choices, consumer_s0);
  const char *constraint = *choose_item(choices, consumer_constraints);
  text_where(text, "(d0)[s0] -> (%s), domain: d0 in [%d, %d], s0 in [%d, %d]%s", result, d0->lo,
      d0->hi, s0->lo, s0->hi, constraint);
}

static void choose_producer(Choices *choices, uint64_t results, Text *text) {
  const char *result = producer_results[choose(choices, results)];
  const ListedInterval *d0 = choose_item(choices, producer_d0),
                       *d1 = choose_item(choices, producer_d1);
  const char *constraint = *choose_item(choices, producer_constraints);
  text_where(text, "(d0, d1)[s0] -> (%s), domain: d0 in [%d, %d], d1 in [%d, %d], s0 in [0, 1]%s",
      result, d0->lo, d0->hi, d1->lo, d1->hi, constraint);
}

void generate_maps_compositions(Choices *choices, const MapLimits *limits, Text *text) {
  assert(limits->first <= LIST_COUNT(consumer_results) &&
         limits->first <= LIST_COUNT(producer_results));
  choose_consumer(choices, limits->first, text);
  choices_join(choices, &(ChoiceKey){1, {1}});
  text_where(text, " ; ");
  choose_producer(choices, limits->first, text);
  text_where(text, "\n");
}

static void words_constraints(Text *text, const char *const *constraints, uint32_t count) {
  text_string(text, "; constraints: none");
  for (uint32_t i = 1; i < count; i++) text_printf(text, " | %s", constraints[i] + 2);
}

void words_maps_compositions(Text *text) {
  words_list(text, "consumers (d0)[s0], results, the first so many", LIST_COUNT(consumer_results),
      consumer_results);
  words_intervals(text, "; d0 in", LIST_COUNT(consumer_d0), consumer_d0);
  words_intervals(text, ", s0 in", LIST_COUNT(consumer_s0), consumer_s0);
  words_constraints(text, consumer_constraints, LIST_COUNT(consumer_constraints));
  words_list(text, "\n  producers (d0, d1)[s0], results, the first so many",
      LIST_COUNT(producer_results), producer_results);
  words_intervals(text, "; d0 in", LIST_COUNT(producer_d0), producer_d0);
  words_intervals(text, ", d1 in", LIST_COUNT(producer_d1), producer_d1);
  words_constraints(text, producer_constraints, LIST_COUNT(producer_constraints));
}
