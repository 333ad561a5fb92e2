/* Maps leave a called computation. Runtime sources that are its parameters become the caller's
 * operands; maps that differed only in their sources may then be the same. If the caller runs a
 * computation several times, a source in it names no single value: the map then contains all of its
 * values, an over-approximation. */
#include "core/index/fusion/leave.h"

#include "core/index/ops/runs.h"
#include "core/index/runtime/runtime.h"

static bool is_named(const Indexer *indexer, const Instruction *call, const Instruction *source) {
  return source == nullptr || source->parent == call->parent ||
         !runs_several_times(indexer->scratch, call->parent, source->parent);
}

/* Widens the variables whose source runs several times in the caller. */
static bool forget_unnamed(
    Indexer *indexer, const Instruction *call, const Map **map, IndexResult *set, Error *error) {
  for (uint32_t i = (*map)->sources == nullptr ? 0 : (*map)->runtime_count; i-- > 0;) {
    const Instruction *source = (*map)->sources[i].instruction;
    if (is_named(indexer, call, source)) continue;
    answer_claim(set, INDEX_OVER_APPROXIMATION,
        arena_printf(
            indexer->context->arena, "'%s' runs several times: any of its values", source->name));
    if (!runtime_to_range(indexer->context, *map, i, map, error)) return false;
  }
  return true;
}

/* Replaces sources by the caller's. Settles again only if a source is known there, is a duplicate,
 * or names no single value. */
static bool settle_outside(Indexer *indexer, const Instruction *call, const Map *inner,
    const Map **canonical, IndexResult *set, Error *error) {
  const Map *resolved = runtime_resolve(indexer->context, inner, call), *named = resolved;
  Error reason;
  error_clear(&reason);
  if (indexer->depth > 0 && !forget_unnamed(indexer, call, &named, set, error)) return false;
  if (!runtime_fold(indexer->context, named, canonical, &reason))
    return error_of_instruction(call, &reason, error);
  return *canonical == resolved || settle(indexer, call, *canonical, canonical, error);
}

static bool has_runtimes(const MapSet *set) {
  for (uint32_t i = 0; i < set->count; i++)
    if (set->maps[i]->runtime_count > 0) return true;
  return false;
}

/* Rewrites the sources of all maps for the caller, and removes duplicates. */
bool leave_computation(Indexer *indexer, const Instruction *call, const MapSet *inner,
    const Shape *from, const Shape *to, MapSet *maps, Error *error) {
  IndexResult set = {.claim = inner->claim, .reason = inner->reason};
  *maps = *inner;
  if (!has_runtimes(inner)) return true;
  for (uint32_t i = 0; i < inner->count; i++) {
    const Map *map = inner->maps[i];
    if (map->runtime_count > 0 && !settle_outside(indexer, call, map, &map, &set, error))
      return false;
    if (map != nullptr && indexer->depth == 0) map = runtime_name(indexer->context, map, call);
    if (map != nullptr) set_add(indexer, &set, map, from, to);
  }
  *maps = (MapSet){set.claim, set.reason, set.count, set.items};
  return true;
}
