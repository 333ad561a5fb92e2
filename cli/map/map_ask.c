/* Threads visit an output leaf in memory order. Composed with an output-to-input map this gives the
 * operand element that a thread reads. Maps that become equal by composition are not merged: the
 * union is the same. */
#include "cli/map/map.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

/* Parses `A` or `A,B`, each at least 1; the default of B is 1. */
static bool read_pair(const char *text, int64_t *first, int64_t *second) {
  char *end;
  errno = 0;
  *first = *text >= '0' && *text <= '9' ? strtoll(text, &end, 10) : 0;
  *second = 1;
  if (*first < 1) return false;
  if (*end == ',') *second = end[1] >= '0' && end[1] <= '9' ? strtoll(end + 1, &end, 10) : 0;
  return errno == 0 && *second >= 1 && *end == 0;
}

bool map_threads_parse(const char *text, ThreadGrid *grid) {
  return read_pair(text, &grid->threads, &grid->vector);
}

bool map_devices_parse(const char *text, IndexMesh *world) {
  return read_pair(text, &world->replicas, &world->partitions);
}

static bool map_ask_simplified(Judge *judge, const Map *map, const Map **made, Error *error) {
  static const SimplifyOptions options = {.keep_points = true};
  *made = map;
  return judge->simplifier == nullptr || map->state != MAP_PLAIN ||
         simplify_map(judge->simplifier, map, &options, made, nullptr, error);
}

static bool grid_map(
    const MapQuery *query, const Shape *output, const Judge *judge, const Map **map, Error *error) {
  Shape ordered;
  *map = nullptr;
  if (!shape_is_array(output)) return true;
  return use_order_apply(query->has_order ? &query->order : nullptr, output, &ordered, error) &&
         use_thread_map(judge->context, &ordered, &query->grid, map, error);
}

static void map_ask_add(MapSet *maps, const Map *map) {
  assert(maps->maps != nullptr);
  if (map->state == MAP_PLAIN) maps->maps[maps->count++] = map;
}

bool map_ask_grid(
    Judge *judge, const MapQuery *query, const Shape *output, MapSet *maps, Error *error) {
  const Map *map;
  *maps = (MapSet){.maps = ARENA_NEW(judge->context->arena, const Map *, 1)};
  if (!grid_map(query, output, judge, &map, error)) return false;
  if (map == nullptr) return true;
  if (!map_ask_simplified(judge, map, &map, error)) return false;
  map_ask_add(maps, map);
  return true;
}

static bool ask_threads(
    Judge *judge, const MapQuery *query, const Question *question, MapSet *maps, Error *error) {
  MapSet plain;
  const Map *grid;
  assert(question->direction == OUTPUT_TO_INPUT);
  if (!judge_ask_engine(judge, question, &plain, error)) return false;
  *maps = (MapSet){.claim = plain.claim,
      .reason = plain.reason,
      .maps = ARENA_NEW(judge->context->arena, const Map *, plain.count)};
  if (!grid_map(
          query, shape_leaf(question->instruction->shape, question->output), judge, &grid, error))
    return false;
  for (uint32_t i = 0; grid != nullptr && i < plain.count; i++) {
    const Map *map;
    if (!use_through_threads(
            judge->context, judge->simplifier, grid, plain.maps[i], &map, error))
      return false;
    map_ask_add(maps, map);
  }
  return true;
}

static bool ask_devices(
    Judge *judge, const MapQuery *query, const Question *question, MapSet *maps, Error *error) {
  if (question->direction == INPUT_TO_OUTPUT)
    return index_replicas_input_to_output(judge->indexer, question->instruction, query->world,
        question->operand, question->operand_leaf, question->output, maps, error);
  return index_replicas_output_to_input(judge->indexer, question->instruction, query->world,
      question->output, question->operand, question->operand_leaf, maps, error);
}

bool map_ask(
    Judge *judge, const MapQuery *query, const Question *question, MapSet *maps, Error *error) {
  if (query->has_threads) return ask_threads(judge, query, question, maps, error);
  if (query->has_devices) return ask_devices(judge, query, question, maps, error);
  return judge_ask_engine(judge, question, maps, error);
}
