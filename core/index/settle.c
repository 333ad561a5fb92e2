/* Turns a raw map into one of a set: folds runtime variables with known values, simplifies, and
 * projects away range variables that are not needed. Maps of operations and compositions are
 * simplified only here. */
#include "core/index/indexer.h"

#include "core/index/fusion/project.h"
#include "core/index/runtime/runtime.h"

static bool has_points(const Map *map) {
  return map->state == MAP_PLAIN && !map_has_empty_bounds(map);
}

/* Simplifies again after each projection; nullptr if the domain is empty. */
static bool settle_simplified(Indexer *indexer, const Map **map, Error *error) {
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

/* True for a map of variables and constants that simplifying would not change. */
static bool is_simple(const Indexer *indexer, const Map *map) {
  return map->constraint_count == 0 && map->runtime_count == 0 && indexer->simplifier != nullptr &&
         simplifier_keeps_variables(indexer->simplifier) &&
         map_has_leaves_only(indexer->context, map);
}

bool settle(Indexer *indexer, const Instruction *instruction, const Map *raw, const Map **canonical,
    Error *error) {
  Error inner;
  *canonical = nullptr;
  if (!has_points(raw)) return true;
  if (is_simple(indexer, raw)) {
    *canonical = map_drop_unused(indexer->context, raw);
    return true;
  }
  error_clear(&inner);
  if (!runtime_fold(indexer->context, raw, canonical, &inner))
    return error_of_instruction(instruction, &inner, error);
  if (!has_points(*canonical)) {
    *canonical = nullptr;
    return true;
  }
  if (indexer->simplifier == nullptr || settle_simplified(indexer, canonical, &inner)) return true;
  return error_of_instruction(instruction, &inner, error);
}
