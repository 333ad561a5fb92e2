/* From a raw map to one of a set: runtime variables with known values folded, simplified, range
 * variables that nothing needs projected away. Simplifying is this one step, for an operation's map
 * and for a composition alike. */
#include "core/index/indexer.h"

#include <string.h>

#include "core/index/fusion/project.h"
#include "core/index/runtime/runtime.h"

static bool has_points(const Map *map) {
  if (map->state != MAP_PLAIN) return false;
  bool points = true;
  for (uint32_t i = 0; i < map->dim_count; i++)
    points &= map->dims[i].bounds.lo <= map->dims[i].bounds.hi;
  for (uint32_t i = 0; i < map->range_count; i++)
    points &= map->ranges[i].bounds.lo <= map->ranges[i].bounds.hi;
  for (uint32_t i = 0; i < map->runtime_count; i++)
    points &= map->runtimes[i].bounds.lo <= map->runtimes[i].bounds.hi;
  return points;
}

/* Simplifies, and once more after variables were projected away; nullptr where no point is left. */
static bool simplified(Indexer *indexer, const Map **map, Error *error) {
  const SimplifyOptions options = {.keep_points = true};
  for (const Map *before = nullptr; *map != before;) {
    if (!simplify_map(indexer->simplifier, *map, &options, map, nullptr, error)) return false;
    before = *map = map_drop_unused(indexer->context, *map);
    if (!has_points(*map)) {
      *map = nullptr;
      return true;
    }
    if (!map_project(indexer->context, *map, map, error)) return false;
  }
  return true;
}

bool settle(Indexer *indexer, const Instruction *instruction, const Map *raw, const Map **settled,
    Error *error) {
  Error inner = {};
  *settled = raw;
  if (has_points(raw) && !runtime_fold(indexer->context, raw, settled, &inner))
    return error_of_instruction(instruction, &inner, error);
  if (!has_points(*settled)) {
    *settled = nullptr;
    return true;
  }
  if (indexer->simplifier == nullptr || simplified(indexer, settled, &inner)) return true;
  return error_of_instruction(instruction, &inner, error);
}

