/* Composes two small maps with the engine and compares the relation of the composition with the
 * lists of all points of both maps (judge/algebra/brute_force.h). (d, r) is a pair of the
 * composition if some point of the consumer maps d to r' and some point of the producer maps r' to
 * r. */
#include <string.h>

#include "core/map/compose.h"
#include "exhaust/exhaust_case.h"
#include "judge/algebra/brute_force.h"
#include "judge/maps/tested.h"

static constexpr uint64_t most_points = 4096;
static constexpr uint32_t most_columns = 16;

/* Lists the sorted pairs of dimensions and results, without duplicates. No runtime variables. */
static bool list_pairs(ExhaustCase *run, const Map *map, BruteForceRows *pairs) {
  Arena *arena = run->examiner->arena;
  uint32_t columns[most_columns], count = 0;
  BruteForceRows rows;
  Error error = {};
  if (map->runtime_count > 0 || map->dim_count + map->result_count > most_columns ||
      !brute_force_list(
          arena, run->examiner->judge->context, map, 0, nullptr, most_points, &rows, &error)) {
    exhaust_fault(run, EXHAUST_not_judged, "%s", error.message);
    return false;
  }
  for (uint32_t i = 0; i < map->dim_count + map->result_count; i++)
    columns[count++] = i < map->dim_count ? i : i + map->range_count;
  *pairs = brute_force_pick(arena, &rows, count, columns);
  brute_force_once(pairs);
  return true;
}

/* Joins each pair of the consumer with each pair of the producer that starts where it ends. */
static BruteForceRows join_pairs(Arena *arena, const BruteForceRows *consumer,
    const BruteForceRows *producer, uint32_t dims, uint32_t between) {
  uint32_t results = producer->width - between, width = dims + results;
  BruteForceRows rows = {.width = width};
  uint32_t columns[2 * most_columns];
  rows.items = ARENA_NEW(arena, int64_t, consumer->count * producer->count * width);
  for (uint64_t c = 0; c < consumer->count; c++)
    for (uint64_t p = 0; p < producer->count; p++) {
      const int64_t *from = &consumer->items[c * consumer->width],
                    *to = &producer->items[p * producer->width];
      if (memcmp(from + dims, to, between * sizeof *to) != 0) continue;
      int64_t *row = &rows.items[rows.count++ * width];
      memcpy(row, from, dims * sizeof *row);
      memcpy(row + dims, to + between, results * sizeof *row);
    }
  for (uint32_t i = 0; i < width; i++) columns[i] = i;
  BruteForceRows joined = brute_force_pick(arena, &rows, width, columns);
  brute_force_once(&joined);
  return joined;
}

static void fault_of_pair(
    ExhaustCase *run, const Map *composed, const int64_t *row, uint32_t width, const char *what) {
  Text text = text_create(run->examiner->arena);
  text_tuple(&text, width, row);
  exhaust_fault(run, EXHAUST_misstated, "%s %s the pair %s", exhaust_map_text(run, composed), what,
      text.bytes);
}

/* True if the fault group of a wrong composition is accepted. */
static bool is_accepted(
    ExhaustCase *run, const Map *consumer, const Map *producer, const Map *composed) {
  const Map *wanted;
  Error error = {};
  return run->examiner->judge->engine != nullptr &&
         map_compose(run->examiner->judge->context, consumer, producer, &wanted, &error) &&
         exhaust_accepts_map(run, "compose", false, wanted, composed);
}

static void judge_composition(
    ExhaustCase *run, const Map *consumer, const Map *producer, const Map *composed) {
  BruteForceRows first, second, got;
  if (!list_pairs(run, consumer, &first) || !list_pairs(run, producer, &second) ||
      !list_pairs(run, composed, &got))
    return;
  BruteForceRows wanted =
      join_pairs(run->examiner->arena, &first, &second, consumer->dim_count, producer->dim_count);
  if (got.width != wanted.width && composed->state != MAP_KNOWN_EMPTY) {
    exhaust_fault(run, EXHAUST_misstated, "%s has other dimensions or results",
        exhaust_map_text(run, composed));
    return;
  }
  const int64_t *missing = brute_force_missing(&wanted, &got),
                *extra = brute_force_missing(&got, &wanted);
  bool is_wrong = missing != nullptr || extra != nullptr;
  if (is_wrong && is_accepted(run, consumer, producer, composed)) return;
  if (missing != nullptr) fault_of_pair(run, composed, missing, wanted.width, "misses");
  if (extra != nullptr) fault_of_pair(run, composed, extra, got.width, "has, wrongly,");
  if (missing == nullptr && extra == nullptr) exhaust_note(run, EXHAUST_algebra);
}

void exhaust_composition(ExhaustCase *run) {
  const Map *consumer, *producer, *composed;
  Error error = {};
  if (!exhaust_read_two(run, &consumer, &producer)) return;
  if (tested_compose(run->examiner->judge, consumer, producer, &composed, &error))
    judge_composition(run, consumer, producer, composed);
  else exhaust_fault_of_engine(run, "compose", error.message);
}
