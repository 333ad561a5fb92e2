/* The operations with an effect of both modules, sorted and paired up to the first difference of
 * the lists. */
#include "judge/graphs/effects.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/hlo/attribute.h"
#include "core/hlo/namesakes.h"
#include "core/hlo/stateful.h"

typedef struct Effect {
  const Instruction *instruction;
  uint32_t position; /* in the text */
} Effect;

typedef struct EffectList {
  Effect *items;
  uint32_t count, capacity;
} EffectList;

bool instruction_has_effect(const Instruction *instruction) {
  switch (opcode_effect(instruction->opcode)) {
    case EFFECT_NONE:
    case EFFECT_VALUE: return false;
    case EFFECT_OUTSIDE:
    case EFFECT_BOTH: return true;
    case EFFECT_STATED: return instruction_is_stateful(instruction);
  }
  assert(false);
  return true;
}

typedef struct EffectBodies {
  const Computation **items; /* every computation that is called, once */
  uint32_t count, capacity;
} EffectBodies;

static void add_effect_bodies(Arena *arena, const Instruction *caller, EffectBodies *bodies) {
  for (uint32_t i = 0; i < caller->called_count; i++) {
    uint32_t at = 0;
    while (at < bodies->count && bodies->items[at] != caller->called[i]) at++;
    if (at == bodies->count) *ARENA_PUSH(arena, bodies) = caller->called[i];
  }
}

bool instruction_runs_effect(Arena *arena, const Instruction *instruction) {
  EffectBodies bodies = {};
  if (instruction_has_effect(instruction)) return true;
  add_effect_bodies(arena, instruction, &bodies);
  for (uint32_t i = 0; i < bodies.count; i++)
    for (uint32_t k = 0; k < bodies.items[i]->instruction_count; k++) {
      const Instruction *inner = bodies.items[i]->instructions[k];
      if (instruction_has_effect(inner)) return true;
      add_effect_bodies(arena, inner, &bodies);
    }
  return false;
}

/* Attributes that identify an effect and its peer. */
static const char *const effect_attributes[] = {"custom_call_target", "channel_id",
    "is_host_transfer", "infeed_config", "outfeed_config", "frontend_attributes", "sharding",
    "delta"};

static const char *effect_text(const Instruction *instruction, const char *name) {
  const Attribute *attribute = instruction_attribute(instruction, name);
  return attribute == nullptr ? "" : attribute->text;
}

static int effects_compare(const Instruction *a, const Instruction *b) {
  if (a->opcode != b->opcode) return a->opcode < b->opcode ? -1 : 1;
  int order = 0;
  for (size_t i = 0; i < sizeof effect_attributes / sizeof *effect_attributes && order == 0; i++)
    order = strcmp(effect_text(a, effect_attributes[i]), effect_text(b, effect_attributes[i]));
  return order;
}

static int effects_order(const void *a, const void *b) {
  const Effect *first = a, *second = b;
  int order = effects_compare(first->instruction, second->instruction);
  return order != 0 ? order : first->position < second->position ? -1 : 1;
}

static EffectList effects_of(Arena *arena, const Module *module) {
  EffectList list = {};
  for (uint32_t i = 0; i < module->computation_count; i++) {
    const Computation *computation = module->computations[i];
    for (uint32_t k = 0; k < computation->instruction_count; k++)
      if (instruction_has_effect(computation->instructions[k])) {
        const uint32_t position = list.count;
        *ARENA_PUSH(arena, &list) = (Effect){computation->instructions[k], position};
      }
  }
  if (list.count > 1) qsort(list.items, list.count, sizeof *list.items, effects_order);
  return list;
}

const Instruction *effects_pair(
    Arena *arena, const Module *before, const Module *after, EffectPairs *pairs) {
  const EffectList a = effects_of(arena, before), b = effects_of(arena, after);
  uint32_t least = a.count < b.count ? a.count : b.count;
  for (uint32_t i = 0; i < least; i++) {
    const Instruction *first = a.items[i].instruction, *second = b.items[i].instruction;
    int order = effects_compare(first, second);
    if (order != 0) return order < 0 ? first : second;
    *ARENA_PUSH(arena, pairs) = (EffectPair){{first, second}};
  }
  if (a.count == b.count) return nullptr;
  return a.count > least ? a.items[least].instruction : b.items[least].instruction;
}

/* Attributes without influence on an effect. Called computations and the order of effects are
 * compared separately. */
static bool is_silent(const Instruction *effect, const char *name) {
  static const char *const names[] = {
      "metadata", "origin", "original_value", "statistics", "schedule", "control-predecessors"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  if (attribute_names_called(effect, name)) return true;
  return strcmp(name, "backend_config") == 0 && effect->opcode != HLO_CUSTOM_CALL;
}

/* The first attribute that only `a` has, or that `b` has otherwise. */
static const char *attribute_of_one(const Instruction *a, const Instruction *b) {
  for (uint32_t i = 0; i < a->attribute_count; i++) {
    const Attribute *attribute = &a->attributes[i];
    if (!is_silent(a, attribute->name) &&
        strcmp(attribute->text, effect_text(b, attribute->name)) != 0)
      return attribute->name;
  }
  return nullptr;
}

/* A custom call without `operand_layout_constraints` is given the layouts that its operands have.
 */
static bool effect_layouts_agree(const Instruction *a, const Instruction *b) {
  if (a->opcode != HLO_CUSTOM_CALL) return true;
  if (!shape_same_layouts(a->shape, b->shape)) return false;
  bool are_stated = instruction_attribute(a, "operand_layout_constraints") != nullptr;
  for (uint32_t i = 0; i < a->operand_count && !are_stated; i++)
    if (!shape_same_layouts(a->operands[i]->shape, b->operands[i]->shape)) return false;
  return true;
}

/* A literal whose text is cut is the one of the same name, if there is one of that name. */
static bool may_differ_in_literal(const Instruction *a, const Instruction *b) {
  if (!instruction_is_elided(a) && !instruction_is_elided(b)) return false;
  return a->is_namesake || b->is_namesake || strcmp(a->name, b->name) != 0;
}

const char *effect_difference(const EffectPair *pair) {
  const Instruction *a = pair->sides[0], *b = pair->sides[1];
  if (may_differ_in_literal(a, b)) return "an elided literal";
  if (!shape_same_arrays(a->shape, b->shape)) return "the shape";
  if (a->operand_count != b->operand_count) return "the number of operands";
  for (uint32_t i = 0; i < a->operand_count; i++)
    if (!shape_same_arrays(a->operands[i]->shape, b->operands[i]->shape))
      return "the shape of an operand";
  const char *only = attribute_of_one(a, b);
  if (only == nullptr) only = attribute_of_one(b, a);
  if (only != nullptr) return only;
  return effect_layouts_agree(a, b) ? nullptr : "a layout";
}

static EffectCaller *caller_of(EffectFollowing *following, const Computation *called) {
  uint64_t hash = hash_mix(0, (uintptr_t)called);
  uint32_t item;
  for (TableProbe probe = table_probe(&following->by_called, hash);
      table_next(&following->by_called, &probe, &item);)
    if (following->callers[item].called == called) return &following->callers[item];
  return nullptr;
}

static void add_caller(
    EffectFollowing *following, const Computation *called, const Instruction *caller) {
  EffectCaller *known = caller_of(following, called);
  if (known != nullptr) {
    known->only = nullptr;
    return;
  }
  uint32_t item = following->by_called.count;
  table_add(&following->by_called, following->arena, hash_mix(0, (uintptr_t)called), item);
  following->callers[item] = (EffectCaller){called, caller};
}

/* The end of an asynchronous operation names the computation of its start. */
static void list_callers(EffectFollowing *following) {
  const Module *module = following->module;
  following->callers = ARENA_NEW(following->arena, EffectCaller, module->computation_count);
  for (uint32_t i = 0; i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++) {
      const Instruction *caller = module->computations[i]->instructions[k];
      if (caller->opcode == HLO_ASYNC_UPDATE || caller->opcode == HLO_ASYNC_DONE) continue;
      for (uint32_t c = 0; c < caller->called_count; c++)
        add_caller(following, caller->called[c], caller);
    }
}

const Instruction *effect_caller(EffectFollowing *following, const Computation *called) {
  if (following->callers == nullptr) list_callers(following);
  const EffectCaller *caller = caller_of(following, called);
  return caller == nullptr ? nullptr : caller->only;
}

bool effect_runs_once(EffectFollowing *following, const Instruction *effect) {
  const Module *module = following->module;
  const Computation *at = effect->parent;
  for (uint32_t depth = 0; at != module->entry; depth++) {
    const Instruction *caller = effect_caller(following, at);
    bool is_call =
        caller != nullptr && (caller->opcode == HLO_CALL || caller->opcode == HLO_FUSION ||
                                 caller->opcode == HLO_ASYNC_START);
    if (!is_call || depth == module->computation_count) return false;
    at = caller->parent;
  }
  return true;
}

const char *effect_thread(EffectFollowing *following, const Instruction *effect) {
  for (const Instruction *at = effect_caller(following, effect->parent); at != nullptr;
      at = effect_caller(following, at->parent)) {
    const Attribute *thread = instruction_attribute(at, "async_execution_thread");
    if (at->opcode == HLO_ASYNC_START && thread != nullptr) return thread->text;
  }
  return "\"main\"";
}

/* The instruction of the computation that is the operation or leads to it; nullptr if there is
 * none. */
static const Instruction *effect_within(
    EffectFollowing *following, const Computation *computation, const Instruction *effect) {
  while (effect != nullptr && effect->parent != computation)
    effect = effect_caller(following, effect->parent);
  return effect;
}

void mark_control_predecessors(const Instruction *instruction, bool unknown_is_any, bool *marks) {
  for (uint32_t i = 0; i < instruction->predecessor_count; i++) {
    uint32_t position = instruction->predecessors[i].position;
    if (position < instruction->id) marks[position] = true;
    else if (unknown_is_any) memset(marks, true, instruction->id * sizeof *marks);
  }
}

/* Marks what the instruction depends on, in its computation, where operands and control
 * predecessors come before. */
static void mark_dependencies(
    const Instruction *instruction, EffectOrder order, bool unknown_is_any, bool *is_needed) {
  const Computation *computation = instruction->parent;
  is_needed[instruction->id] = true;
  for (uint32_t id = instruction->id + 1; id-- > 0;) {
    const Instruction *needed = computation->instructions[id];
    if (!is_needed[id]) continue;
    for (uint32_t i = 0; i < needed->operand_count; i++) is_needed[needed->operands[i]->id] = true;
    if (order == ORDER_WITH_CONTROL) mark_control_predecessors(needed, unknown_is_any, is_needed);
  }
}

static const bool *dependencies(
    EffectFollowing *following, const Instruction *instruction, EffectOrder order) {
  uint32_t count = instruction->parent->instruction_count;
  EffectDependencies *known = &following->known[order];
  if (known->of == instruction) return known->marks;
  if (known->capacity < count) {
    known->marks = ARENA_NEW(following->arena, bool, count);
    known->capacity = count;
  }
  memset(known->marks, 0, count * sizeof *known->marks);
  mark_dependencies(instruction, order, following->unknown_is_any, known->marks);
  known->of = instruction;
  return known->marks;
}

/* Both are in one computation. */
static bool instruction_depends(EffectFollowing *following, const Instruction *instruction,
    const Instruction *on, EffectOrder order) {
  assert(on->parent == instruction->parent);
  if (order == ORDER_OF_SCHEDULE) return instruction->id > on->id;
  return instruction != on && dependencies(following, instruction, order)[on->id];
}

/* The instruction at whose end a call has ended; nullptr if that is not in its computation. */
static const Instruction *call_end(const Instruction *call) {
  const Computation *computation = call->parent;
  const Instruction *end = call;
  if (call->opcode != HLO_ASYNC_START) return call;
  for (uint32_t id = call->id + 1; id < computation->instruction_count; id++) {
    const Instruction *next = computation->instructions[id];
    bool goes_on = next->opcode == HLO_ASYNC_UPDATE || next->opcode == HLO_ASYNC_DONE;
    if (goes_on && next->operands[0] == end) end = next;
    if (end->opcode == HLO_ASYNC_DONE) return end;
  }
  return nullptr;
}

bool effect_follows(EffectFollowing *following, const Instruction *first, const Instruction *second,
    EffectOrder order) {
  for (const Instruction *at = first; at != nullptr; at = effect_caller(following, at->parent)) {
    const Instruction *other = effect_within(following, at->parent, second);
    if (other == nullptr) continue;
    const Instruction *end = at == first ? at : call_end(at);
    return end != nullptr && instruction_depends(following, other, end, order);
  }
  return false;
}

static Instruction *instruction_copy(
    Arena *arena, const Instruction *instruction, Computation *parent) {
  Instruction *copy = ARENA_NEW(arena, Instruction, 1);
  *copy = *instruction;
  copy->parent = parent;
  copy->is_root = parent->root == instruction;
  copy->operands = ARENA_NEW(arena, Instruction *, instruction->operand_count);
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    copy->operands[i] = parent->instructions[instruction->operands[i]->id];
  return copy;
}

Computation *entry_ending_at(Arena *arena, const Computation *entry, const Instruction *root) {
  assert(root->parent == entry);
  Computation *copy = ARENA_NEW(arena, Computation, 1);
  *copy = *entry;
  copy->root = entry->instructions[root->id]; /* instruction_copy sets is_root by it */
  copy->instructions = ARENA_NEW(arena, Instruction *, entry->instruction_count);
  copy->parameters = ARENA_NEW(arena, Instruction *, entry->parameter_count);
  for (uint32_t i = 0; i < entry->instruction_count; i++)
    copy->instructions[i] = instruction_copy(arena, entry->instructions[i], copy);
  for (uint32_t i = 0; i < entry->parameter_count; i++)
    copy->parameters[i] = copy->instructions[entry->parameters[i]->id];
  copy->root = copy->instructions[root->id];
  return copy;
}

bool *marked_from_root(Arena *arena, const Computation *computation) {
  bool *marks = ARENA_NEW(arena, bool, computation->instruction_count);
  marks[computation->root->id] = true;
  for (uint32_t i = computation->instruction_count; i-- > 0;) {
    const Instruction *instruction = computation->instructions[i];
    for (uint32_t k = 0; marks[i] && k < instruction->operand_count; k++)
      marks[instruction->operands[k]->id] = true;
  }
  return marks;
}
