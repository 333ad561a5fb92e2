/* The public face: one question, one set of maps. */
#include "core/index/indexer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/index/fusion/fusion.h"
#include "core/index/fusion/project.h"
#include "core/index/runtime/runtime.h"

Indexer *indexer_create(MapContext *context, Simplifier *simplifier, Error *) {
  Indexer *indexer = malloc(sizeof *indexer);
  if (indexer == nullptr) arena_out_of_memory(sizeof *indexer);
  *indexer = (Indexer){.context = context,
      .simplifier = simplifier,
      .memory = arena_create(),
      .scratch = arena_create(),
      .rewinds = context->rewinds};
  return indexer;
}

void indexer_destroy(Indexer *indexer) {
  if (indexer == nullptr) return;
  arena_destroy(indexer->memory);
  arena_destroy(indexer->scratch);
  free(indexer);
}

void indexer_reset(Indexer *indexer) {
  arena_destroy(indexer->memory);
  *indexer = (Indexer){.context = indexer->context,
      .simplifier = indexer->simplifier,
      .memory = arena_create(),
      .scratch = indexer->scratch,
      .rewinds = indexer->context->rewinds};
}

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

static void *copy_bytes(Arena *arena, const void *items, size_t count, size_t size) {
  void *copy = arena_alloc(arena, count, size);
  if (count > 0) memcpy(copy, items, count * size);
  return copy;
}

static Map *copy_without_sources(Arena *arena, const Map *map) {
  Map *copy = copy_bytes(arena, map, 1, sizeof *map);
  copy->dims = copy_bytes(arena, map->dims, map->dim_count, sizeof *map->dims);
  copy->ranges = copy_bytes(arena, map->ranges, map->range_count, sizeof *map->ranges);
  copy->runtimes = copy_bytes(arena, map->runtimes, map->runtime_count, sizeof *map->runtimes);
  copy->results = copy_bytes(arena, map->results, map->result_count, sizeof *map->results);
  copy->constraints =
      copy_bytes(arena, map->constraints, map->constraint_count, sizeof *map->constraints);
  return copy;
}

const Map *map_copy(Arena *arena, const Map *map) {
  Map *copy = copy_without_sources(arena, map);
  if (map->sources == nullptr) return copy;
  copy->sources = copy_bytes(arena, map->sources, map->runtime_count, sizeof *map->sources);
  for (uint32_t i = 0; i < map->runtime_count; i++)
    if (map->sources[i].index != nullptr)
      copy->sources[i].index = copy_without_sources(arena, map->sources[i].index);
  return copy;
}

static uint32_t slot_of(
    const Indexer *indexer, const Computation *computation, Direction direction, uint32_t leaf) {
  uint64_t hash = hash_mix((uint64_t)(uintptr_t)computation, (uint64_t)leaf << 1 | direction);
  uint32_t mask = indexer->capacity - 1, slot = (uint32_t)hash & mask;
  for (;; slot = (slot + 1) & mask) {
    const Remembered *item = &indexer->items[slot];
    if (item->computation == nullptr) return slot;
    if (item->computation == computation && item->direction == direction && item->leaf == leaf)
      return slot;
  }
}

void remember_check(Indexer *indexer) {
  assert(indexer->depth == 0 || indexer->rewinds == indexer->context->rewinds);
  if (indexer->rewinds == indexer->context->rewinds) return;
  if (indexer->count > 0) indexer_reset(indexer);
  indexer->rewinds = indexer->context->rewinds;
}

MapSet *remember_find(
    const Indexer *indexer, const Computation *computation, Direction direction, uint32_t leaf) {
  if (indexer->capacity == 0) return nullptr;
  return indexer->items[slot_of(indexer, computation, direction, leaf)].sets;
}

static void make_room(Indexer *indexer) {
  if (2 * indexer->count < indexer->capacity) return;
  Indexer old = *indexer;
  indexer->capacity = old.capacity == 0 ? 64 : 2 * old.capacity;
  indexer->items = ARENA_NEW(indexer->memory, Remembered, indexer->capacity);
  for (uint32_t i = 0; i < old.capacity; i++) {
    const Remembered *item = &old.items[i];
    if (item->computation != nullptr)
      indexer->items[slot_of(indexer, item->computation, item->direction, item->leaf)] = *item;
  }
}

void remember_add(Indexer *indexer, const Computation *computation, Direction direction,
    uint32_t leaf, MapSet *sets) {
  make_room(indexer);
  Remembered *item = &indexer->items[slot_of(indexer, computation, direction, leaf)];
  assert(item->computation == nullptr);
  *item = (Remembered){computation, direction, leaf, sets};
  indexer->count++;
}

static const Shape *leaf_of_operand(
    const Instruction *instruction, uint32_t operand, uint32_t leaf) {
  static const Shape generation = {.type = TYPE_pred};
  return instruction->operand_count == 0 ? &generation
                                         : shape_leaf(instruction->operands[operand]->shape, leaf);
}

static bool plain_maps(Indexer *indexer, const Instruction *instruction, Direction direction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, MapSet *maps, Error *error) {
  Answer raw, set = {};
  if (!operation_maps(indexer->context, instruction, direction, output_leaf, operand, operand_leaf,
          &raw, error))
    return false;
  const Shape *output = shape_leaf(instruction->shape, output_leaf);
  const Shape *input = leaf_of_operand(instruction, operand, operand_leaf);
  bool forward = direction == INPUT_TO_OUTPUT;
  answer_claim(&set, raw.claim, raw.reason);
  for (uint32_t i = 0; i < raw.count; i++) {
    const Map *map;
    if (!settle(indexer, instruction, raw.items[i], &map, error)) return false;
    if (map != nullptr)
      set_add(indexer, &set, map, forward ? input : output, forward ? output : input);
  }
  *maps = (MapSet){set.claim, set.reason, set.count, set.items};
  return true;
}

static bool maps_of(Indexer *indexer, const Instruction *instruction, Direction direction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, MapSet *maps, Error *error) {
  *maps = (MapSet){};
  bool calls = calls_computation(instruction) && operand < instruction->operand_count;
  if (!calls)
    return plain_maps(
        indexer, instruction, direction, output_leaf, operand, operand_leaf, maps, error);
  return call_maps(
      indexer, instruction, direction, output_leaf, operand, operand_leaf, maps, error);
}

bool index_output_to_input(Indexer *indexer, const Instruction *instruction, uint32_t output_leaf,
    uint32_t operand, uint32_t operand_leaf, MapSet *maps, Error *error) {
  return maps_of(
      indexer, instruction, OUTPUT_TO_INPUT, output_leaf, operand, operand_leaf, maps, error);
}

bool index_input_to_output(Indexer *indexer, const Instruction *instruction, uint32_t operand,
    uint32_t operand_leaf, uint32_t output_leaf, MapSet *maps, Error *error) {
  return maps_of(
      indexer, instruction, INPUT_TO_OUTPUT, output_leaf, operand, operand_leaf, maps, error);
}

static bool through_computation(Indexer *indexer, const Computation *computation,
    Direction direction, uint32_t output_leaf, uint32_t parameter, uint32_t parameter_leaf,
    MapSet *maps, Error *error) {
  *maps = (MapSet){};
  if (parameter >= computation->parameter_count ||
      output_leaf >= shape_leaf_count(computation->root->shape) ||
      parameter_leaf >= shape_leaf_count(computation->parameters[parameter]->shape))
    return error_set(error, ERROR_INPUT, "%s: no output %u or parameter %u with leaf %u",
        computation->name, output_leaf, parameter, parameter_leaf);
  uint32_t global = parameter_leaf_start(computation, parameter) + parameter_leaf;
  bool forward = direction == INPUT_TO_OUTPUT;
  const MapSet *sets;
  if (!computation_maps(
          indexer, computation, direction, forward ? global : output_leaf, &sets, error))
    return false;
  *maps = sets[forward ? output_leaf : global];
  return true;
}

bool index_computation_output_to_input(Indexer *indexer, const Computation *computation,
    uint32_t output_leaf, uint32_t parameter, uint32_t parameter_leaf, MapSet *maps, Error *error) {
  return through_computation(
      indexer, computation, OUTPUT_TO_INPUT, output_leaf, parameter, parameter_leaf, maps, error);
}

bool index_computation_input_to_output(Indexer *indexer, const Computation *computation,
    uint32_t parameter, uint32_t parameter_leaf, uint32_t output_leaf, MapSet *maps, Error *error) {
  return through_computation(
      indexer, computation, INPUT_TO_OUTPUT, output_leaf, parameter, parameter_leaf, maps, error);
}
