/* The printed name of a runtime source. An instruction of the analysed instruction's own
 * computation has its bare name, and so has one of the analysed computation. So has one of a called
 * computation, if no other instruction of these computations has that name; else it is
 * `COMPUTATION/NAME`.
 *
 * Keeps: no two instructions of these computations share a printed name. */
#include <string.h>

#include "core/index/dispatch.h"
#include "core/index/index.h"
#include "core/index/runtime/runtime.h"

typedef struct Reached {
  uint32_t count, capacity;
  const Computation **items;
} Reached;

static void reach(Arena *arena, Reached *reached, const Computation *computation) {
  for (uint32_t i = 0; i < reached->count; i++)
    if (reached->items[i] == computation) return;
  *ARENA_PUSH(arena, reached) = computation;
}

static void reach_called(Arena *arena, Reached *reached, const Instruction *instruction) {
  for (uint32_t i = 0; calls_computation(instruction) && i < instruction->called_count; i++)
    reach(arena, reached, instruction->called[i]);
}

/* The list grows while it is walked, so that each computation is visited once. */
static void reach_inside(Arena *arena, Reached *reached, uint32_t first) {
  for (uint32_t at = first; at < reached->count; at++)
    for (uint32_t i = 0; i < reached->items[at]->instruction_count; i++)
      reach_called(arena, reached, reached->items[at]->instructions[i]);
}

static Reached computations_of(Arena *arena, const Instruction *instruction) {
  Reached reached = {};
  reach(arena, &reached, instruction->parent);
  reach_called(arena, &reached, instruction);
  reach_inside(arena, &reached, 1);
  return reached;
}

static bool has_namesake(const Reached *reached, const Instruction *source) {
  for (uint32_t at = 0; at < reached->count; at++)
    for (uint32_t i = 0; i < reached->items[at]->instruction_count; i++) {
      const Instruction *other = reached->items[at]->instructions[i];
      if (other != source && strcmp(other->name, source->name) == 0) return true;
    }
  return false;
}

static const char *name_among(Arena *arena, const Reached *reached, const Instruction *source) {
  return has_namesake(reached, source)
             ? arena_printf(arena, "%s/%s", source->parent->name, source->name)
             : source->name;
}

const char *index_source_name(
    Arena *arena, const Instruction *instruction, const Instruction *source) {
  if (source->parent == instruction->parent) return source->name;
  const Reached reached = computations_of(arena, instruction);
  return name_among(arena, &reached, source);
}

static Map *with_sources(MapContext *context, const Map *map) {
  Map *made = ARENA_NEW(context->arena, Map, 1);
  *made = *map;
  made->sources = ARENA_NEW(context->arena, RuntimeSource, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++) made->sources[i] = map->sources[i];
  return made;
}

const Map *runtime_name(MapContext *context, const Map *map, const Instruction *call) {
  if (map->sources == nullptr) return map;
  Map *named = with_sources(context, map);
  for (uint32_t i = 0; i < map->runtime_count; i++)
    if (map->sources[i].instruction != nullptr)
      named->sources[i].name = index_source_name(context->arena, call, map->sources[i].instruction);
  return named;
}

static bool has_source_outside(const Map *map, const Computation *computation) {
  for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++) {
    const Instruction *source = map->sources[i].instruction;
    if (source != nullptr && source->parent != computation) return true;
  }
  return false;
}

const Map *runtime_name_inside(
    MapContext *context, const Map *map, const Computation *computation) {
  if (!has_source_outside(map, computation)) return map;
  Map *named = with_sources(context, map);
  Reached reached = {};
  reach(context->arena, &reached, computation);
  reach_inside(context->arena, &reached, 0);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    const Instruction *source = map->sources[i].instruction;
    if (source != nullptr && source->parent != computation)
      named->sources[i].name = name_among(context->arena, &reached, source);
  }
  return named;
}
