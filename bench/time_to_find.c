/* Counts the maps until a false rule is caught, blind against directed. Each rule of the engine
 * with a negative example is replaced by it, one at a time. Random bytes become maps, either by
 * fuzz_decode_map (blind) or by fuzz_map_from_rules (directed, from the current rules). Each map is
 * simplified, and enumeration compares it with the result. A row has the rule, and for both ways
 * the median number of maps over five seeds, the number of seeds that caught the rule, and the
 * processor time a seed.
 * bench_time_to_find [MOST] [RULE]       at most MOST maps a seed (50,000); all rules, or one */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/simplify/simplify.h"
#include "core/base/choices.h"
#include "generate/decode_map.h"
#include "generate/from_rules.h"
#include "oracle/oracle.h"
#include "smt/rules/prove.h"

static constexpr uint32_t seeds = 5;
static constexpr size_t longest = 96;

typedef struct TimeToFindSearch {
  MapContext *context;
  Simplifier *simplifier;
  Oracle *oracle;
  const RuleSet *rules;
  bool directed;
  uint64_t most;
} TimeToFindSearch;

static const Map *time_to_find_draw(const TimeToFindSearch *search, Choices *choices) {
  uint8_t bytes[longest];
  size_t size = (size_t)choose_between(choices, 8, longest);
  for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)choose(choices, 256);
  return search->directed ? fuzz_map_from_rules(search->context, search->rules, bytes, size)
                          : fuzz_decode_map(search->context, bytes, size);
}

static bool is_caught(const TimeToFindSearch *search, const Map *map) {
  const Map *result;
  Error error = {};
  Verdict verdict;
  if (!simplify_map(search->simplifier, map, &(SimplifyOptions){}, &result, nullptr, &error))
    return false;
  return oracle_same_map(search->oracle, map, result, 1 << 14, &verdict, &error) &&
         verdict.status == VERDICT_REFUTED;
}

/* The number of maps until one shows the fault; `most` + 1 if none does. */
static uint64_t time_to_find(const TimeToFindSearch *search, uint64_t seed) {
  RandomChoices random = choices_of_seed(seed);
  MapMark mark = map_context_mark(search->context);
  for (uint64_t i = 1; i <= search->most; i++) {
    bool caught = is_caught(search, time_to_find_draw(search, &random.choices));
    map_context_rewind(search->context, mark);
    if (caught) return i;
  }
  return search->most + 1;
}

static int by_size(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void print_median(const TimeToFindSearch *search) {
  uint64_t counts[seeds];
  uint32_t found = 0;
  double start = clock_processor();
  for (uint32_t i = 0; i < seeds; i++) {
    counts[i] = time_to_find(search, 1000 + i);
    found += counts[i] <= search->most;
  }
  double spent = (clock_processor() - start) / seeds;
  qsort(counts, seeds, sizeof *counts, by_size);
  if (counts[seeds / 2] <= search->most) printf(" %9llu", (unsigned long long)counts[seeds / 2]);
  else printf("         -");
  printf(" %u/%u %7.2f s", found, seeds, spent);
}

/* The engine's rules with rule `at` replaced by its negative example. */
static RuleSet with_negative(Arena *arena, const RuleSet *rules, uint32_t at) {
  RuleSet changed = {.count = rules->count,
      .capacity = rules->count,
      .items = ARENA_NEW(arena, Rule, rules->count)};
  memcpy(changed.items, rules->items, rules->count * sizeof *rules->items);
  changed.items[at] = rule_negative(&rules->items[at]);
  return changed;
}

static bool time_to_find_measure(Arena *arena, const RuleSet *rules, uint32_t at, uint64_t most) {
  RuleSet changed = with_negative(arena, rules, at);
  Error error = {};
  printf("%-38s", rules->items[at].name);
  for (int directed = 0; directed <= 1; directed++) {
    TimeToFindSearch search = {.context = map_context_create(),
        .rules = &changed,
        .directed = directed != 0,
        .most = most};
    search.simplifier = simplifier_create(search.context, &changed, &error);
    if (search.simplifier == nullptr) return error_print(&error, stderr), false;
    search.oracle = oracle_create(search.context, &(OracleLimits){.elements = 4096});
    print_median(&search);
    oracle_destroy(search.oracle);
    simplifier_destroy(search.simplifier);
    map_context_destroy(search.context);
  }
  printf("\n");
  fflush(stdout);
  return true;
}

int main(int argc, char **argv) {
  uint64_t most = argc > 1 ? strtoull(argv[1], nullptr, 10) : 50'000;
  Arena *arena = arena_create();
  RuleSet rules = {};
  Error error = {};
  if (!rules_engine(arena, &rules, &error)) return error_print(&error, stderr), 3;
  printf("%-38s %9s %3s %9s %9s %3s %9s\n", "rule, as its negative example", "blind", "", "a seed",
      "directed", "", "a seed");
  for (uint32_t i = 0; i < rules.count; i++) {
    bool wanted = argc <= 2 || strcmp(argv[2], rules.items[i].name) == 0;
    if (wanted && rules.items[i].has_negative && !time_to_find_measure(arena, &rules, i, most))
      return 3;
  }
  arena_destroy(arena);
}
