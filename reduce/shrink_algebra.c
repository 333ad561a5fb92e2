/* One query, or two for a bijection: onto the box that ends at the largest results, and onto one
 * that is a step smaller. */
#include "reduce/shrink_algebra.h"

#include <stdio.h>

#include "judge/algebra/brute_force.h"

static constexpr uint64_t most_points = 4096;

static bool is_refuted(Judge *judge, const AlgebraQuery *query, char *witness, size_t capacity) {
  SameJudgement judgement;
  Error error = {};
  if (!algebra_holds(judge, query, &judgement, &error)) return false;
  snprintf(witness, capacity, "%s", judgement.text);
  return judgement.reason == REASON_DIFFERENT || judgement.reason == REASON_DISSENT;
}

/* Returns false if a result is negative or large, or if there are too many points. */
static bool box_of(Judge *judge, const Map *map, AlgebraNumbers *sizes) {
  Arena *arena = judge->context->arena;
  BruteForceRows rows;
  Error error = {};
  if (!brute_force_list(arena, judge->context, map, 0, nullptr, most_points, &rows, &error))
    return false;
  uint32_t first = map_variable_count(map);
  for (uint32_t k = 0; k < map->result_count; k++) *ARENA_PUSH(arena, sizes) = 0;
  for (uint64_t i = 0; i < rows.count; i++)
    for (uint32_t k = 0; k < map->result_count; k++) {
      int64_t result = rows.items[i * rows.width + first + k];
      if (result < 0 || result >= (int64_t)most_points) return false;
      if (result >= sizes->items[k]) sizes->items[k] = result + 1;
    }
  return true;
}

static bool is_bijective_wrongly(
    Judge *judge, AlgebraQuery *query, char *witness, size_t capacity) {
  if (!box_of(judge, query->maps[0], &query->numbers)) return false;
  if (is_refuted(judge, query, witness, capacity)) return true;
  for (uint32_t i = 0; i < query->numbers.count; i++) {
    if (query->numbers.items[i] == 0) continue;
    query->numbers.items[i]--;
    if (is_refuted(judge, query, witness, capacity)) return true;
    query->numbers.items[i]++;
  }
  return false;
}

bool shrink_algebra(Judge *judge, AlgebraOperation operation, const Map *map, AlgebraQuery *query,
    char *witness, size_t capacity) {
  *query = (AlgebraQuery){.operation = operation, .maps = {map}};
  if (map->state != MAP_PLAIN || algebra_row(operation)->map_count != 1) return false;
  if (operation == ALGEBRA_BIJECTIVE) return is_bijective_wrongly(judge, query, witness, capacity);
  if (operation == ALGEBRA_SUB_MAP) {
    if (map->result_count == 0) return false;
    *ARENA_PUSH(judge->context->arena, &query->numbers) = map->result_count - 1;
    *ARENA_PUSH(judge->context->arena, &query->numbers) = 0;
  }
  return is_refuted(judge, query, witness, capacity);
}

const char *algebra_numbers_text(Arena *arena, const AlgebraNumbers *numbers) {
  Text text = text_create(arena);
  for (uint32_t i = 0; i < numbers->count; i++)
    text_printf(&text, "%lld%s", (long long)numbers->items[i], i + 1 < numbers->count ? "," : " ");
  return text.bytes;
}
