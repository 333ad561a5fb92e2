/* A map as a piece of a relation: dimensions are the visible indices on one side, range variables
 * are hidden, and results equal the visible indices on the other side. A runtime variable is
 * clamp(value of its source at its index map), and its bounds are a constraint. Index maps may use
 * other runtime variables; a cycle among them is an error. */
#include <assert.h>

#include "core/base/text.h"
#include "smt/relation/relation.h"

typedef struct SourceBinding {
  Sums *sums;
  const MapContext *context;
  const Map *map;
  MapVariables *variables;
  Sum *stand_ins; /* free atoms, one per runtime variable, until all values are known */
  Sum *values;
  Piece *piece;
  RuntimeBinding *how;
  Error *error;
} SourceBinding;

static bool index_of(SourceBinding *work, const Map *index, uint32_t *count, const Sum **results) {
  EncodedMap encoded;
  if (index->state != MAP_PLAIN || !map_index_is_over(index, work->map))
    return error_set(work->error, ERROR_INPUT,
        "the index map of a runtime variable is over other variables than its map");
  if (!encode_map(work->sums, work->context, index, work->variables, &encoded, work->error))
    return false;
  *count = encoded.result_count;
  *results = encoded.results;
  return true;
}

static Sum unknown_value(SourceBinding *work, uint32_t at) {
  Interval bounds = work->map->runtimes[at].bounds;
  work->how->guessed = true;
  return piece_hidden(
      work->sums, work->piece, arena_printf(work->sums->arena, "rt%u", at), bounds.lo, bounds.hi);
}

static void keep_index(RuntimeBinding *how, Arena *arena, uint32_t count, const Sum *index) {
  how->index_count = count;
  how->index = ARENA_NEW(arena, Sum, count);
  for (uint32_t i = 0; i < count; i++) how->index[i] = index[i];
}

static bool bind_one(SourceBinding *work, uint32_t at) {
  const RuntimeSource *source = work->map->sources == nullptr ? nullptr : &work->map->sources[at];
  uint32_t count = 0;
  const Sum *index = nullptr;
  Sum value;
  bool known = source != nullptr && source->index != nullptr && work->how->value != nullptr;
  if (known && !index_of(work, source->index, &count, &index)) return false;
  if (known && source == work->how->unvalued) {
    keep_index(work->how, work->sums->arena, count, index);
    known = false;
  }
  if (!known || !work->how->value(work->how->owner, source, count, index, &value, work->error)) {
    if (work->error->kind != ERROR_NONE) return false;
    work->values[at] = unknown_value(work, at);
    return true;
  }
  work->values[at] = sum_clamp(work->sums, source->clamp.lo, value, source->clamp.hi);
  return true;
}

static bool has_stand_in(const SourceBinding *work) {
  bool *depends = ARENA_NEW(work->sums->arena, bool, work->sums->atom_count);
  for (uint32_t i = 0; i < work->map->runtime_count; i++) {
    uint32_t atom = 0;
    if (sum_is_atom(work->sums, work->stand_ins[i], &atom)) depends[atom] = true;
  }
  sums_mark_dependent(work->sums, depends);
  for (uint32_t i = 0; i < work->map->runtime_count; i++)
    if (sum_depends(work->sums, depends, work->values[i])) return true;
  return false;
}

/* Replaces values inside values until none is left, in at most as many rounds as there are runtime
 * variables. */
static bool close_values(SourceBinding *work) {
  uint32_t count = work->map->runtime_count;
  for (uint32_t round = 0; round < count && has_stand_in(work); round++) {
    for (uint32_t i = 0; i < count; i++) {
      uint32_t atom = 0;
      if (sum_is_atom(work->sums, work->stand_ins[i], &atom))
        sums_replace_atom(work->sums, atom, work->values[i], count, work->values);
    }
  }
  if (work->sums->overflow || !has_stand_in(work)) {
    for (uint32_t i = 0; i < count; i++) {
      uint32_t atom = 0;
      if (sum_is_atom(work->sums, work->stand_ins[i], &atom))
        sums_replace_atom(
            work->sums, atom, work->values[i], work->how->index_count, work->how->index);
    }
    return true;
  }
  return error_set(work->error, ERROR_INPUT, "runtime variables come from one another in a cycle");
}

static bool bind_runtimes(SourceBinding *work) {
  for (uint32_t i = 0; i < work->map->runtime_count; i++) {
    if (!bind_one(work, i)) return false;
  }
  return close_values(work);
}

static Sum *free_sums(Sums *sums, uint32_t count) {
  Sum *frees = ARENA_NEW(sums->arena, Sum, count);
  for (uint32_t i = 0; i < count; i++) frees[i] = sum_free(sums, "rt");
  return frees;
}

static Sum *hide_ranges(Sums *sums, const Map *map, Piece *piece) {
  Sum *ranges = ARENA_NEW(sums->arena, Sum, map->range_count);
  for (uint32_t i = 0; i < map->range_count; i++)
    ranges[i] = piece_hidden(sums, piece, arena_printf(sums->arena, "s%u", i),
        map->ranges[i].bounds.lo, map->ranges[i].bounds.hi);
  return ranges;
}

bool relation_of_map(Sums *sums, const MapContext *context, const Map *map, uint32_t from_count,
    const Sum *from, uint32_t to_count, const Sum *to, RuntimeBinding *binding, Piece *piece,
    Error *error) {
  assert(map->state == MAP_PLAIN);
  *piece = (Piece){.map = map};
  if (map->dim_count != from_count || map->result_count != to_count)
    return error_set(error, ERROR_INPUT, "a map of %s and %s where %u and %u are related",
        counted(map->dim_count, "dimension"), counted(map->result_count, "result"), from_count,
        to_count);
  MapVariables variables = {
      .dims = from, .ranges = hide_ranges(sums, map, piece), .runtimes = binding->positions};
  if (binding->positions == nullptr) {
    Sum *stand_ins = free_sums(sums, map->runtime_count);
    variables.runtimes = stand_ins;
    SourceBinding work = {.sums = sums,
        .context = context,
        .map = map,
        .variables = &variables,
        .stand_ins = stand_ins,
        .piece = piece,
        .how = binding,
        .error = error};
    work.values = ARENA_NEW(sums->arena, Sum, map->runtime_count);
    if (!bind_runtimes(&work)) return false;
    variables.runtimes = work.values;
  }
  EncodedMap encoded;
  if (!encode_map(sums, context, map, &variables, &encoded, error)) return false;
  for (uint32_t i = 0; i < encoded.within_count; i++)
    piece_within(sums, piece, encoded.within[i].sum, encoded.within[i].lo, encoded.within[i].hi);
  for (uint32_t i = 0; i < to_count; i++) piece_equal(sums, piece, encoded.results[i], to[i]);
  piece->variables = variables;
  return true;
}
