/* Goes through the open computations from the last one to the first, and through each from its last
 * instruction to its first. What the parameters of a computation need opens its callers again. */
#include "judge/graphs/leaf_needs.h"

#include <assert.h>
#include <string.h>

#include "judge/graphs/effects.h"

LeafNeeds leaf_needs_create(
    Arena *arena, const Module *module, LeafOrder order, bool unknown_is_any) {
  LeafNeeds needs = {.arena = arena,
      .module = module,
      .order = order,
      .unknown_is_any = unknown_is_any,
      .parts = ARENA_NEW(arena, LeafPart, module->computation_count)};
  for (uint32_t i = 0; i < module->computation_count; i++)
    table_add(&needs.by_computation, arena, hash_mix(0, (uintptr_t)module->computations[i]), i);
  return needs;
}

uint32_t leaf_needs_place(const LeafNeeds *needs, const Computation *computation) {
  uint32_t place;
  for (TableProbe probe = table_probe(&needs->by_computation, hash_mix(0, (uintptr_t)computation));
      table_next(&needs->by_computation, &probe, &place);)
    if (needs->module->computations[place] == computation) return place;
  assert(false);
  return 0;
}

static LeafPart *part_of(const LeafNeeds *needs, const Computation *computation) {
  return &needs->parts[leaf_needs_place(needs, computation)];
}

static void add_leaves(LeafNeeds *needs, LeafPart *part, const Computation *computation) {
  part->first = ARENA_NEW(needs->arena, uint32_t, computation->instruction_count);
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    part->first[i] = part->leaf_count;
    part->leaf_count += shape_leaf_count(computation->instructions[i]->shape);
  }
  part->leaves = ARENA_NEW(needs->arena, bool, part->leaf_count);
  part->marks = ARENA_NEW(needs->arena, bool, computation->instruction_count);
}

static LeafPart *reach_part(LeafNeeds *needs, const Computation *computation) {
  LeafPart *part = part_of(needs, computation);
  if (part->first == nullptr) add_leaves(needs, part, computation);
  part->is_reached = true;
  return part;
}

void leaf_needs_reset(LeafNeeds *needs) {
  for (uint32_t i = 0; i < needs->module->computation_count; i++) {
    LeafPart *part = &needs->parts[i];
    if (!part->is_reached) continue;
    memset(part->leaves, 0, part->leaf_count * sizeof *part->leaves);
    memset(part->marks, 0, needs->module->computations[i]->instruction_count * sizeof *part->marks);
    part->is_reached = part->is_whole = part->is_open = false;
    part->callers.count = part->ended = 0;
  }
}

static void open_callers(LeafNeeds *needs, const LeafPart *part) {
  for (uint32_t i = 0; i < part->callers.count; i++)
    needs->parts[part->callers.items[i]].is_open = true;
}

static void mark_leaf(
    LeafNeeds *needs, LeafPart *part, const Instruction *instruction, uint32_t leaf) {
  bool *known = &part->leaves[part->first[instruction->id] + leaf];
  if (*known) return;
  *known = part->marks[instruction->id] = part->is_open = true;
  if (instruction->opcode == HLO_PARAMETER) open_callers(needs, part);
}

void leaf_needs_mark_run(LeafNeeds *needs, const Instruction *instruction) {
  LeafPart *part = reach_part(needs, instruction->parent);
  part->is_open |= !part->marks[instruction->id];
  part->marks[instruction->id] = true;
}

void leaf_needs_mark_all(LeafNeeds *needs, const Instruction *instruction) {
  LeafPart *part = reach_part(needs, instruction->parent);
  leaf_needs_mark_run(needs, instruction);
  for (uint32_t leaf = 0; leaf < shape_leaf_count(instruction->shape); leaf++)
    mark_leaf(needs, part, instruction, leaf);
}

/* Some of the leaves of one instruction, and as many of another. */
typedef struct LeafSlice {
  uint32_t from, to, count;
} LeafSlice;

/* What is needed of `from` is needed of `to`. */
static void pass_slice(
    LeafNeeds *needs, const Instruction *from, const Instruction *to, const LeafSlice *slice) {
  LeafPart *source = reach_part(needs, from->parent), *target = reach_part(needs, to->parent);
  const bool *leaves = source->leaves + source->first[from->id] + slice->from;
  for (uint32_t i = 0; i < slice->count; i++)
    if (leaves[i]) mark_leaf(needs, target, to, slice->to + i);
}

static void pass_leaves(LeafNeeds *needs, const Instruction *from, const Instruction *to) {
  uint32_t count = shape_leaf_count(from->shape);
  assert(shape_leaf_count(to->shape) == count);
  pass_slice(needs, from, to, &(LeafSlice){.count = count});
}

static void pass_to_elements(LeafNeeds *needs, const Instruction *tuple) {
  LeafSlice slice = {};
  for (uint32_t i = 0; i < tuple->operand_count; i++, slice.from += slice.count) {
    slice.count = shape_leaf_count(tuple->operands[i]->shape);
    pass_slice(needs, tuple, tuple->operands[i], &slice);
  }
}

static void pass_to_tuple(LeafNeeds *needs, const Instruction *element) {
  const Instruction *tuple = element->operands[0];
  pass_slice(needs, element, tuple,
      &(LeafSlice){.to = shape_leaf_offset(tuple->shape, (uint32_t)element->number),
          .count = shape_leaf_count(element->shape)});
}

/* Reaches the computation, and remembers that the caller needs what its parameters need. */
static void enter_part(LeafNeeds *needs, const Instruction *caller, const Computation *called) {
  LeafPart *part = reach_part(needs, called);
  const uint32_t place = leaf_needs_place(needs, caller->parent);
  for (uint32_t i = part->callers.count; i-- > 0;)
    if (part->callers.items[i] == place) return;
  *ARENA_PUSH(needs->arena, &part->callers) = place;
}

static bool any_leaf_is_needed(const LeafNeeds *needs, const Instruction *instruction) {
  const LeafPart *part = part_of(needs, instruction->parent);
  const uint32_t count = shape_leaf_count(instruction->shape);
  return memchr(part->leaves + part->first[instruction->id], true, count) != nullptr;
}

/* The leaves of a start are no results. */
static void pass_to_call(LeafNeeds *needs, const Instruction *call) {
  const Computation *called = call->called[0];
  bool is_start = call->opcode == HLO_ASYNC_START;
  bool needs_all = is_start && any_leaf_is_needed(needs, call);
  enter_part(needs, call, called);
  if (!is_start) pass_leaves(needs, call, called->root);
  for (uint32_t i = 0; i < call->operand_count; i++)
    if (needs_all) leaf_needs_mark_all(needs, call->operands[i]);
    else pass_leaves(needs, called->parameters[i], call->operands[i]);
}

static void pass_to_branches(LeafNeeds *needs, const Instruction *conditional) {
  leaf_needs_mark_all(needs, conditional->operands[0]);
  for (uint32_t i = 0; i < conditional->called_count; i++) {
    enter_part(needs, conditional, conditional->called[i]);
    pass_leaves(needs, conditional, conditional->called[i]->root);
    pass_leaves(needs, conditional->called[i]->parameters[0], conditional->operands[i + 1]);
  }
}

/* An element that an iteration reads is an element of the state before it. */
static void pass_to_loop(LeafNeeds *needs, const Instruction *loop) {
  for (uint32_t i = 0; i < loop->called_count; i++) {
    enter_part(needs, loop, loop->called[i]);
    pass_leaves(needs, loop->called[i]->parameters[0], loop);
  }
  for (uint32_t i = 0; i < loop->called_count; i++)
    if (strcmp(loop->called_roles[i], "condition") == 0)
      leaf_needs_mark_all(needs, loop->called[i]->root);
    else pass_leaves(needs, loop, loop->called[i]->root);
  pass_leaves(needs, loop, loop->operands[0]);
}

static const Instruction *start_of(const Instruction *end) {
  while (end->opcode != HLO_ASYNC_START) end = end->operands[0];
  return end;
}

static void pass_to_start(LeafNeeds *needs, const Instruction *end) {
  leaf_needs_mark_run(needs, end->operands[0]);
  if (end->opcode == HLO_ASYNC_DONE) pass_leaves(needs, end, start_of(end)->called[0]->root);
}

static void pass_to_all(LeafNeeds *needs, const Instruction *instruction) {
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    leaf_needs_mark_all(needs, instruction->operands[i]);
  for (uint32_t i = 0; i < instruction->called_count; i++)
    leaf_needs_mark_all(needs, instruction->called[i]->root);
}

static void pass_to_first(LeafNeeds *needs, const Instruction *instruction) {
  pass_leaves(needs, instruction, instruction->operands[0]);
}

static void pass_to_awaited(LeafNeeds *needs, const Instruction *instruction) {
  if (needs->order == LEAVES_OF_VALUES) pass_to_first(needs, instruction);
  else pass_to_all(needs, instruction);
}

/* Opcodes without a row need all. */
static void (*const pass_of[opcode_count])(LeafNeeds *needs, const Instruction *instruction) = {
    [HLO_TUPLE] = pass_to_elements,
    [HLO_GET_TUPLE_ELEMENT] = pass_to_tuple,
    [HLO_COPY] = pass_to_first,
    [HLO_DOMAIN] = pass_to_first,
    [HLO_OPTIMIZATION_BARRIER] = pass_to_awaited,
    [HLO_ADD_DEPENDENCY] = pass_to_awaited,
    [HLO_CALL] = pass_to_call,
    [HLO_FUSION] = pass_to_call,
    [HLO_ASYNC_START] = pass_to_call,
    [HLO_ASYNC_UPDATE] = pass_to_start,
    [HLO_ASYNC_DONE] = pass_to_start,
    [HLO_CONDITIONAL] = pass_to_branches,
    [HLO_WHILE] = pass_to_loop,
};

static void pass_operands(LeafNeeds *needs, const Instruction *instruction) {
  if (pass_of[instruction->opcode] != nullptr) pass_of[instruction->opcode](needs, instruction);
  else pass_to_all(needs, instruction);
}

static void mark_whole(LeafNeeds *needs, const Computation *computation) {
  LeafPart *part = reach_part(needs, computation);
  part->is_open |= !part->is_whole;
  part->is_whole = true;
}

/* Marks what has run when the instruction has ended. */
static void mark_ended(LeafNeeds *needs, const Instruction *instruction) {
  bool is_done = instruction->opcode == HLO_ASYNC_DONE;
  const Instruction *caller = is_done ? start_of(instruction) : instruction;
  bool has_ended = is_done || caller->opcode != HLO_ASYNC_START;
  leaf_needs_mark_all(needs, instruction);
  for (uint32_t i = 0; has_ended && i < caller->called_count; i++)
    mark_whole(needs, caller->called[i]);
}

static void mark_ended_before(LeafNeeds *needs, LeafPart *part, const Instruction *end) {
  for (uint32_t i = part->ended; i < end->id; i++) mark_ended(needs, end->parent->instructions[i]);
  if (part->ended < end->id) part->ended = end->id;
}

/* A name that no instruction has may be any one above. */
static void mark_predecessors(LeafNeeds *needs, LeafPart *part, const Instruction *instruction) {
  for (uint32_t i = 0; i < instruction->predecessor_count; i++) {
    uint32_t position = instruction->predecessors[i].position;
    if (position >= instruction->id) {
      if (needs->unknown_is_any) mark_ended_before(needs, part, instruction);
    } else if (position >= part->ended) {
      mark_ended(needs, instruction->parent->instructions[position]);
    }
  }
}

static void mark_needed(LeafNeeds *needs, LeafPart *part, const Computation *computation) {
  for (uint32_t i = part->is_whole ? part->ended : UINT32_MAX; i < computation->instruction_count;
      i++)
    mark_ended(needs, computation->instructions[i]);
  if (part->is_whole) part->ended = computation->instruction_count;
  for (uint32_t i = computation->instruction_count; i-- > 0;) {
    const Instruction *instruction = computation->instructions[i];
    if (!part->marks[i]) continue;
    pass_operands(needs, instruction);
    if (needs->order == LEAVES_WITH_CONTROL &&
        instruction_attribute(instruction, "control-predecessors") != nullptr)
      mark_predecessors(needs, part, instruction);
  }
}

void leaf_needs_close(LeafNeeds *needs) {
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (uint32_t i = needs->module->computation_count; i-- > 0;) {
      if (!needs->parts[i].is_open) continue;
      needs->parts[i].is_open = false;
      mark_needed(needs, &needs->parts[i], needs->module->computations[i]);
      goes_on = true;
    }
  }
}

bool leaf_needs_has(const LeafNeeds *needs, const Instruction *instruction) {
  const LeafPart *part = part_of(needs, instruction->parent);
  return part->is_reached && part->marks[instruction->id];
}
