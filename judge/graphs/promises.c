/* Lists the gathers and scatters of both modules, callers first, and compares their promises by
 * opcode. */
#include "judge/graphs/promises.h"

#include <string.h>

#include "core/hlo/compare.h"
#include "judge/graphs/effects.h"
#include "judge/graphs/needed.h"
#include "judge/graphs/promise_kept.h"

/* An attribute, and how indices keep what it promises. */
typedef struct PromiseKind {
  const char *name;
  bool (*is_kept)(const Instruction *instruction);
} PromiseKind;

static const PromiseKind promise_kinds[] = {
    {"unique_indices", indices_are_apart}, {"indices_are_sorted", indices_ascend}};

static bool has_indices(const Instruction *instruction) {
  return instruction->opcode == HLO_GATHER || instruction->opcode == HLO_SCATTER;
}

static bool makes_promise(const Instruction *instruction, const char *name) {
  const Attribute *attribute = instruction_attribute(instruction, name);
  return has_indices(instruction) && attribute != nullptr && strcmp(attribute->text, "true") == 0;
}

static bool makes_any(const Instruction *instruction) {
  for (size_t i = 0; i < sizeof promise_kinds / sizeof *promise_kinds; i++)
    if (makes_promise(instruction, promise_kinds[i].name)) return true;
  return false;
}

CallPlaces call_places(Arena *arena, const Module *module, const Computation *called) {
  CallPlaces places = {};
  for (uint32_t i = 0; i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++) {
      const Instruction *instruction = module->computations[i]->instructions[k];
      for (uint32_t at = 0; at < instruction->called_count; at++)
        if (instruction->called[at] == called)
          *ARENA_PUSH(arena, &places) = (CallPlace){instruction, at};
    }
  return places;
}

typedef struct MakerPaths {
  Arena *arena;
  const NeededParts *parts;
  PromiseMakers *makers;
} MakerPaths;

static bool is_around(const Instruction *caller) {
  return caller->opcode == HLO_FUSION || caller->opcode == HLO_CALL;
}

/* Where the computation around the maker is called. */
static PromiseMaker maker_outside(
    Arena *arena, const PromiseMaker *maker, const Instruction *caller) {
  PromiseMaker outside = *maker;
  if (maker->around_count == 0 && maker->indices->opcode == HLO_PARAMETER) {
    outside.indices = before_reshapes(caller->operands[maker->indices->number]);
    return outside;
  }
  outside.around = ARENA_NEW(arena, const Instruction *, maker->around_count + 1);
  for (uint32_t i = 0; i < maker->around_count; i++) outside.around[i] = maker->around[i];
  outside.around[outside.around_count++] = caller;
  return outside;
}

static bool is_same_maker(const PromiseMaker *a, const PromiseMaker *b) {
  bool is_same = a->instruction == b->instruction && a->indices == b->indices &&
                 a->around_count == b->around_count && a->from.caller == b->from.caller &&
                 a->from.place == b->from.place;
  for (uint32_t i = 0; is_same && i < a->around_count; i++) is_same = a->around[i] == b->around[i];
  return is_same;
}

static void maker_add(const MakerPaths *paths, const PromiseMaker *maker) {
  static constexpr uint32_t most_makers = 1'000;
  PromiseMakers *makers = paths->makers;
  for (uint32_t i = 0; maker->from.caller != nullptr && i < makers->count; i++)
    if (is_same_maker(&makers->items[i], maker)) return;
  makers->is_cut |= makers->count >= most_makers;
  if (!makers->is_cut) *ARENA_PUSH(paths->arena, makers) = *maker;
}

/* Adds the maker for each operation that follows no leaves and calls the computation. */
static void add_callers(
    const MakerPaths *paths, PromiseMaker maker, const Computation *computation) {
  const CallPlaces places = call_places(paths->arena, paths->parts->leaves.module, computation);
  for (uint32_t i = 0; i < places.count; i++) {
    const Instruction *caller = places.items[i].caller;
    if (leaf_needs_follows(caller->opcode) || !is_needed(paths->parts, caller)) continue;
    maker.from = places.items[i];
    maker_add(paths, &maker);
  }
}

/* Adds the maker at the place of the part: of the entry, of a loop or of another body. */
static void add_at(const MakerPaths *paths, PromiseMaker maker, const LeafPart *part) {
  for (; part->caller != nullptr && is_around(part->caller); part = part->outer)
    maker = maker_outside(paths->arena, &maker, part->caller);
  maker.from = (CallPlace){part->caller, part->place};
  if (part->caller != nullptr || part->computation == paths->parts->leaves.module->entry)
    maker_add(paths, &maker);
  else add_callers(paths, maker, part->computation);
}

static void add_places(
    const MakerPaths *paths, const Instruction *instruction, const LeafPart *part) {
  PromiseMaker maker = {
      .instruction = instruction, .indices = before_reshapes(promise_indices(instruction))};
  for (; part != nullptr; part = part->next)
    if (part->is_reached && part->marks[instruction->id]) add_at(paths, maker, part);
}

/* Everything with a promise on which a value of a result or of an effect depends, at each place
 * where one does. A result that is implementation-defined matters nowhere else, even if it runs. */
static PromiseMakers makers_of(Arena *arena, const Module *module, NeededBy by) {
  PromiseMakers makers = {};
  const NeededParts parts = needed_parts(arena, module, by);
  const MakerPaths paths = {arena, &parts, &makers};
  for (uint32_t i = module->computation_count; i-- > 0;) {
    const Computation *computation = module->computations[i];
    for (uint32_t k = 0; parts.leaves.of[i] != nullptr && k < computation->instruction_count; k++)
      if (makes_any(computation->instructions[k]))
        add_places(&paths, computation->instructions[k], parts.leaves.of[i]);
  }
  if (parts.is_cut) makers = (PromiseMakers){.is_cut = true};
  return makers;
}

/* True if equal elements of the indices are equal tuples, and the second keeps what the first keeps
 * for them. */
static bool same_form(const PromiseMaker *a, const PromiseMaker *b) {
  IndexForm one = index_form(a->instruction), other = index_form(b->instruction);
  return one.count == other.count && one.width == other.width && one.inner == other.inner &&
         ints_equal(*one.dims, *other.dims) && ints_equal(*one.batching, *other.batching) &&
         ints_equal(*one.along_these, *other.along_these) &&
         (a->instruction->opcode != HLO_SCATTER ||
             windows_are_as_small(a->instruction, b->instruction));
}

static void promise_add(Arena *arena, const PromiseMakers *before, const PromiseMaker *maker,
    const char *name, NewPromises *promises) {
  NewPromise promise = {.name = name, .maker = *maker};
  for (uint32_t i = 0; i < before->count; i++) {
    const PromiseMaker *other = &before->items[i];
    if (other->instruction->opcode == maker->instruction->opcode &&
        makes_promise(other->instruction, name) && same_form(other, maker))
      *ARENA_PUSH(arena, &promise.before) = *other;
  }
  *ARENA_PUSH(arena, promises) = promise;
}

void promises_new(Arena *arena, const Module *before, const Module *after, NewPromises *promises) {
  if (module_find(after, makes_any) == nullptr) return;
  const PromiseMakers old = makers_of(arena, before, NEEDED_FOR_CERTAIN),
                      now = makers_of(arena, after, NEEDED_BY_VALUES);
  for (uint32_t i = 0; i < now.count; i++)
    for (size_t k = 0; k < sizeof promise_kinds / sizeof *promise_kinds; k++)
      if (makes_promise(now.items[i].instruction, promise_kinds[k].name) &&
          !promise_kinds[k].is_kept(now.items[i].instruction))
        promise_add(arena, &old, &now.items[i], promise_kinds[k].name, promises);
  if (now.is_cut)
    *ARENA_PUSH(arena, promises) =
        (NewPromise){.name = "something", .maker.instruction = module_find(after, makes_any)};
}

Computation *promise_indices_alone(Arena *arena, const PromiseMaker *maker) {
  Computation *alone = entry_ending_at(arena, maker->indices->parent, maker->indices);
  for (uint32_t i = 0; i < maker->around_count; i++) {
    const Instruction *caller = maker->around[i];
    Computation *outside = entry_ending_at(arena, caller->parent, caller);
    outside->root->shape = alone->root->shape;
    outside->root->called = ARENA_NEW(arena, Computation *, 1);
    outside->root->called[0] = alone;
    alone = outside;
  }
  return alone;
}
