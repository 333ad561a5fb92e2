/* Goes through the open parts from the first one to the last, and through each from its last
 * instruction to its first. What the parameters of a computation need opens the part of its caller
 * again. Past most_parts or most_leaves, calls share one part, and the marks are not complete. */
#include "judge/graphs/leaf_needs.h"

#include <assert.h>
#include <string.h>

#include "judge/graphs/effects.h"
#include "judge/graphs/equiv_literal.h"

static constexpr uint32_t most_parts = 20'000;
static constexpr uint64_t most_leaves = 10'000'000;

LeafNeeds leaf_needs_create(
    Arena *arena, const Module *module, LeafOrder order, bool unknown_is_any) {
  LeafNeeds needs = {.arena = arena,
      .module = module,
      .order = order,
      .unknown_is_any = unknown_is_any,
      .of = ARENA_NEW(arena, LeafPart *, module->computation_count)};
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

bool leaf_needs_follows(Opcode opcode) {
  return opcode == HLO_CALL || opcode == HLO_FUSION || opcode == HLO_ASYNC_START ||
         opcode == HLO_CONDITIONAL || opcode == HLO_WHILE;
}

static void add_leaves(LeafNeeds *needs, LeafPart *part, const Computation *computation) {
  part->first = ARENA_NEW(needs->arena, uint32_t, computation->instruction_count);
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    part->first[i] = part->leaf_count;
    part->leaf_count += shape_leaf_count(computation->instructions[i]->shape);
  }
  part->leaves = ARENA_NEW(needs->arena, LeafLevel, part->leaf_count);
  part->marks = ARENA_NEW(needs->arena, bool, computation->instruction_count);
  needs->leaf_count += part->leaf_count;
}

/* The part with this key, which is reached now. */
static LeafPart *reach_part(LeafNeeds *needs, const LeafPart *key) {
  uint64_t hash = hash_mix((uintptr_t)key->outer, (uintptr_t)key->caller);
  hash = hash_mix(hash_mix(hash, key->place), (uintptr_t)key->computation);
  uint32_t at;
  for (TableProbe probe = table_probe(&needs->by_call, hash);
      table_next(&needs->by_call, &probe, &at);) {
    LeafPart *part = needs->parts.items[at];
    if (part->outer != key->outer || part->caller != key->caller || part->place != key->place ||
        part->computation != key->computation)
      continue;
    part->is_reached = true;
    return part;
  }
  LeafPart *made = ARENA_NEW(needs->arena, LeafPart, 1),
           **first = &needs->of[leaf_needs_place(needs, key->computation)];
  *made = *key;
  made->next = *first;
  made->is_reached = true;
  add_leaves(needs, made, key->computation);
  *first = made;
  table_add(&needs->by_call, needs->arena, hash, needs->parts.count);
  *ARENA_PUSH(needs->arena, &needs->parts) = made;
  return made;
}

LeafPart *leaf_needs_part(LeafNeeds *needs, const Computation *computation) {
  return reach_part(needs, &(LeafPart){.computation = computation});
}

LeafPart *leaf_needs_called(
    LeafNeeds *needs, LeafPart *outer, const Instruction *caller, uint32_t place) {
  const Computation *called = caller->called[place];
  needs->is_cut |= needs->parts.count >= most_parts || needs->leaf_count >= most_leaves;
  if (needs->is_cut || !leaf_needs_follows(caller->opcode)) return leaf_needs_part(needs, called);
  return reach_part(
      needs, &(LeafPart){.computation = called, .caller = caller, .place = place, .outer = outer});
}

void leaf_needs_reset(LeafNeeds *needs) {
  for (uint32_t i = 0; i < needs->parts.count; i++) {
    LeafPart *part = needs->parts.items[i];
    if (!part->is_reached) continue;
    memset(part->leaves, 0, part->leaf_count * sizeof *part->leaves);
    memset(part->marks, 0, part->computation->instruction_count * sizeof *part->marks);
    part->is_reached = part->is_whole = part->is_open = false;
    part->ended = 0;
  }
}

static void mark_leaf(
    LeafPart *part, const Instruction *instruction, uint32_t leaf, LeafLevel level) {
  LeafLevel *known = &part->leaves[part->first[instruction->id] + leaf];
  if (*known >= level) return;
  *known = level;
  part->marks[instruction->id] = part->is_open = true;
  if (instruction->opcode == HLO_PARAMETER && part->outer != nullptr) part->outer->is_open = true;
}

void leaf_needs_mark_run(LeafPart *part, const Instruction *instruction) {
  assert(part->computation == instruction->parent);
  part->is_open |= !part->marks[instruction->id];
  part->marks[instruction->id] = true;
}

void leaf_needs_mark_all(LeafPart *part, const Instruction *instruction) {
  leaf_needs_mark_run(part, instruction);
  for (uint32_t leaf = 0; leaf < shape_leaf_count(instruction->shape); leaf++)
    mark_leaf(part, instruction, leaf, LEAF_WHOLE);
}

/* An instruction of a part. */
typedef struct LeafPlace {
  LeafPart *part;
  const Instruction *instruction;
} LeafPlace;

static const LeafLevel *leaves_of(LeafPlace at) {
  return at.part->leaves + at.part->first[at.instruction->id];
}

/* Some of the leaves of one instruction, and as many of another. */
typedef struct LeafSlice {
  uint32_t from, to, count;
} LeafSlice;

/* What is needed of `from` is needed of `to`. */
static void pass_slice(LeafPlace from, LeafPlace to, const LeafSlice *slice) {
  const LeafLevel *leaves = leaves_of(from) + slice->from;
  for (uint32_t i = 0; i < slice->count; i++)
    mark_leaf(to.part, to.instruction, slice->to + i, leaves[i]);
}

static void pass_leaves(LeafPlace from, LeafPlace to) {
  uint32_t count = shape_leaf_count(from.instruction->shape);
  assert(shape_leaf_count(to.instruction->shape) == count);
  pass_slice(from, to, &(LeafSlice){.count = count});
}

static LeafPlace operand_place(LeafPlace at, uint32_t operand) {
  return (LeafPlace){at.part, at.instruction->operands[operand]};
}

static LeafPlace root_place(LeafPart *part) { return (LeafPlace){part, part->computation->root}; }

static LeafPlace parameter_place(LeafPart *part, uint32_t number) {
  return (LeafPlace){part, part->computation->parameters[number]};
}

static void mark_operand(LeafPlace at, uint32_t operand) {
  leaf_needs_mark_all(at.part, at.instruction->operands[operand]);
}

static void pass_to_elements(LeafNeeds *, LeafPlace tuple) {
  LeafSlice slice = {};
  for (uint32_t i = 0; i < tuple.instruction->operand_count; i++, slice.from += slice.count) {
    slice.count = shape_leaf_count(tuple.instruction->operands[i]->shape);
    pass_slice(tuple, operand_place(tuple, i), &slice);
  }
}

static void pass_to_tuple(LeafNeeds *, LeafPlace element) {
  const Instruction *got = element.instruction;
  pass_slice(element, operand_place(element, 0),
      &(LeafSlice){.to = shape_leaf_offset(got->operands[0]->shape, (uint32_t)got->number),
          .count = shape_leaf_count(got->shape)});
}

static bool any_leaf_is_needed(LeafPlace at) {
  const LeafLevel *leaves = leaves_of(at);
  bool any = false;
  for (uint32_t i = 0; i < shape_leaf_count(at.instruction->shape); i++)
    any |= leaves[i] != LEAF_UNNEEDED;
  return any;
}

/* The leaves of a start are no results. */
static void pass_to_call(LeafNeeds *needs, LeafPlace call) {
  LeafPart *called = leaf_needs_called(needs, call.part, call.instruction, 0);
  bool is_start = call.instruction->opcode == HLO_ASYNC_START;
  bool needs_all = is_start && any_leaf_is_needed(call);
  if (!is_start) pass_leaves(call, root_place(called));
  for (uint32_t i = 0; i < call.instruction->operand_count; i++)
    if (needs_all) mark_operand(call, i);
    else pass_leaves(parameter_place(called, i), operand_place(call, i));
}

/* The constant that all elements are copies of, also if a caller hands it over; nullptr: there is
 * none. */
static const Instruction *known_constant(LeafPlace at) {
  const Instruction *origin = sure_origin(at.instruction);
  for (const LeafPart *part = at.part; origin->opcode == HLO_PARAMETER && part->outer != nullptr &&
                                       part->caller->opcode != HLO_WHILE;
      part = part->outer) {
    bool is_branch = part->caller->opcode == HLO_CONDITIONAL;
    origin = sure_origin(part->caller->operands[is_branch ? part->place + 1 : origin->number]);
  }
  return origin->opcode == HLO_CONSTANT ? origin : nullptr;
}

static bool branches_are_equal(Arena *arena, const Instruction *conditional) {
  bool are_equal = true;
  for (uint32_t i = 1; are_equal && i < conditional->called_count; i++)
    are_equal = conditional->operands[i + 1] == conditional->operands[1] &&
                (conditional->called[i] == conditional->called[0] ||
                    equiv_literal_whole(arena, conditional->called[0], conditional->called[i]));
  return are_equal;
}

/* The branch that the constant chooses; one past the last branch if its value is not known. */
static uint32_t chosen_branch(const Instruction *conditional, const Instruction *constant) {
  const uint32_t count = conditional->called_count;
  if (constant->literal.count != 1) return count;
  const int64_t value = constant->literal.values[0];
  if (conditional->operands[0]->shape->type == TYPE_pred) return value != 0 ? 0 : 1;
  return value < 0 || value >= count ? count - 1 : (uint32_t)value;
}

static void pass_to_branch(LeafNeeds *needs, LeafPlace conditional, uint32_t at) {
  LeafPart *branch = leaf_needs_called(needs, conditional.part, conditional.instruction, at);
  pass_leaves(conditional, root_place(branch));
  pass_leaves(parameter_place(branch, 0), operand_place(conditional, at + 1));
}

/* For certain, a constant predicate chooses one branch, and nothing chooses between equal ones. */
static void pass_to_branches(LeafNeeds *needs, LeafPlace conditional) {
  const Instruction *instruction = conditional.instruction;
  const bool is_certain = needs->order == LEAVES_FOR_CERTAIN;
  const Instruction *constant =
      is_certain ? known_constant(operand_place(conditional, 0)) : nullptr;
  bool chooses =
      constant == nullptr && !(is_certain && branches_are_equal(needs->arena, instruction));
  if (chooses) mark_operand(conditional, 0);
  for (uint32_t i = 0; i < instruction->called_count; i++)
    if (constant == nullptr || chosen_branch(instruction, constant) == i)
      pass_to_branch(needs, conditional, i);
}

static const Computation *leaf_loop_body(const Instruction *loop) {
  uint32_t at = 0;
  while (strcmp(loop->called_roles[at], "body") != 0) at++;
  return loop->called[at];
}

/* Whether the body returns the leaf of its state as it was. */
static bool body_keeps(const Computation *body, uint32_t leaf) {
  const Instruction *root = body->root;
  uint32_t at = 0;
  for (uint32_t i = 0; root->opcode == HLO_TUPLE && i < root->operand_count; i++) {
    const Instruction *element = root->operands[i];
    at += shape_leaf_count(element->shape);
    if (leaf < at)
      return element->opcode == HLO_GET_TUPLE_ELEMENT && element->number == i &&
             element->operands[0]->opcode == HLO_PARAMETER;
  }
  return root->opcode == HLO_PARAMETER;
}

/* How often a loop runs matters for what its body changes. */
static bool runs_matter(LeafNeeds *needs, LeafPlace loop, const Computation *body) {
  bool matter = needs->order != LEAVES_FOR_CERTAIN;
  for (uint32_t i = 0; !matter && i < shape_leaf_count(loop.instruction->shape); i++)
    matter = leaves_of(loop)[i] != LEAF_UNNEEDED && !body_keeps(body, i);
  return matter;
}

/* An element that an iteration reads is an element of the state before it. */
static void pass_to_loop(LeafNeeds *needs, LeafPlace loop) {
  const Instruction *instruction = loop.instruction;
  for (uint32_t i = 0; i < instruction->called_count; i++)
    pass_leaves(parameter_place(leaf_needs_called(needs, loop.part, instruction, i), 0), loop);
  for (uint32_t i = 0; i < instruction->called_count; i++) {
    LeafPart *called = leaf_needs_called(needs, loop.part, instruction, i);
    if (strcmp(instruction->called_roles[i], "condition") != 0)
      pass_leaves(loop, root_place(called));
    else if (runs_matter(needs, loop, leaf_loop_body(instruction)))
      leaf_needs_mark_all(called, called->computation->root);
  }
  pass_leaves(loop, operand_place(loop, 0));
}

static const Instruction *start_of(const Instruction *end) {
  while (end->opcode != HLO_ASYNC_START) end = end->operands[0];
  return end;
}

static void pass_to_start(LeafNeeds *needs, LeafPlace end) {
  leaf_needs_mark_run(end.part, end.instruction->operands[0]);
  if (end.instruction->opcode == HLO_ASYNC_DONE)
    pass_leaves(end, root_place(leaf_needs_called(needs, end.part, start_of(end.instruction), 0)));
}

static void pass_to_all(LeafNeeds *needs, LeafPlace at) {
  for (uint32_t i = 0; i < at.instruction->operand_count; i++) mark_operand(at, i);
  for (uint32_t i = 0; i < at.instruction->called_count; i++) {
    LeafPart *called = leaf_needs_called(needs, at.part, at.instruction, i);
    leaf_needs_mark_all(called, called->computation->root);
  }
}

/* Makers in the function of a needed result are needed too. */
static void mark_leaf_functions(LeafNeeds *needs, LeafPlace at) {
  const uint32_t count = shape_leaf_count(at.instruction->shape);
  for (uint32_t i = 0; i < at.instruction->called_count; i++) {
    LeafPart *called = leaf_needs_called(needs, at.part, at.instruction, i);
    const Instruction *root = called->computation->root;
    bool is_by_result = count > 1 && shape_leaf_count(root->shape) == count;
    for (uint32_t leaf = 0; leaf < shape_leaf_count(root->shape); leaf++)
      if (!is_by_result || leaves_of(at)[leaf] != LEAF_UNNEEDED)
        mark_leaf(called, root, leaf, LEAF_WHOLE);
  }
}

/* The end of a collective returns the results of its start, whose leaves are in the same order. */
static void pass_to_collective(LeafPlace end) {
  const Instruction *start = end.instruction->operands[0];
  const uint32_t results = shape_leaf_count(end.instruction->shape);
  for (uint32_t leaf = 0; leaf < results && leaf < shape_leaf_count(start->shape); leaf++)
    mark_leaf(end.part, start, leaf, leaves_of(end)[leaf]);
}

static void pass_for_certain(LeafNeeds *needs, LeafPlace at) {
  const bool is_select = at.instruction->opcode == HLO_SELECT;
  const Instruction *chooser = is_select ? known_constant(operand_place(at, 0)) : nullptr;
  mark_leaf_functions(needs, at);
  for (uint32_t i = 0; i < at.instruction->operand_count; i++) {
    const Instruction *operand = at.instruction->operands[i];
    LeafLevel level = surely_needed(needs->arena, at.instruction, leaves_of(at), chooser, i);
    for (uint32_t leaf = 0; leaf < shape_leaf_count(operand->shape); leaf++)
      mark_leaf(at.part, operand, leaf, level);
  }
}

/* An effect is given all of its operands. */
static void pass_to_others(LeafNeeds *needs, LeafPlace at) {
  bool is_certain = needs->order == LEAVES_FOR_CERTAIN && any_leaf_is_needed(at) &&
                    !instruction_has_effect(at.instruction);
  if (!is_certain) pass_to_all(needs, at);
  else if (opcode_group(at.instruction->opcode) == GROUP_collective_done) pass_to_collective(at);
  else pass_for_certain(needs, at);
}

static void pass_to_first(LeafNeeds *, LeafPlace at) { pass_leaves(at, operand_place(at, 0)); }

static void pass_to_awaited(LeafNeeds *needs, LeafPlace at) {
  if (needs->order <= LEAVES_OF_VALUES) pass_to_first(needs, at);
  else pass_to_all(needs, at);
}

/* Opcodes without a row need all. */
static void (*const pass_of[opcode_count])(LeafNeeds *needs, LeafPlace at) = {
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

static void pass_operands(LeafNeeds *needs, LeafPlace at) {
  Opcode opcode = at.instruction->opcode;
  if (pass_of[opcode] != nullptr) pass_of[opcode](needs, at);
  else pass_to_others(needs, at);
}

static void mark_whole(LeafPart *part) {
  part->is_open |= !part->is_whole;
  part->is_whole = true;
}

/* Marks what has run when the instruction has ended. */
static void mark_ended(LeafNeeds *needs, LeafPart *part, const Instruction *instruction) {
  bool is_done = instruction->opcode == HLO_ASYNC_DONE;
  const Instruction *caller = is_done ? start_of(instruction) : instruction;
  bool has_ended = is_done || caller->opcode != HLO_ASYNC_START;
  leaf_needs_mark_all(part, instruction);
  for (uint32_t i = 0; has_ended && i < caller->called_count; i++)
    mark_whole(leaf_needs_called(needs, part, caller, i));
}

static void mark_ended_before(LeafNeeds *needs, LeafPart *part, const Instruction *end) {
  for (uint32_t i = part->ended; i < end->id; i++)
    mark_ended(needs, part, end->parent->instructions[i]);
  if (part->ended < end->id) part->ended = end->id;
}

/* A name that no instruction has may be any one above. */
static void mark_predecessors(LeafNeeds *needs, LeafPart *part, const Instruction *instruction) {
  for (uint32_t i = 0; i < instruction->predecessor_count; i++) {
    uint32_t position = instruction->predecessors[i].position;
    if (position >= instruction->id) {
      if (needs->unknown_is_any) mark_ended_before(needs, part, instruction);
    } else if (position >= part->ended) {
      mark_ended(needs, part, instruction->parent->instructions[position]);
    }
  }
}

static void mark_needed(LeafNeeds *needs, LeafPart *part) {
  const Computation *computation = part->computation;
  for (uint32_t i = part->is_whole ? part->ended : UINT32_MAX; i < computation->instruction_count;
      i++)
    mark_ended(needs, part, computation->instructions[i]);
  if (part->is_whole) part->ended = computation->instruction_count;
  for (uint32_t i = computation->instruction_count; i-- > 0;) {
    const Instruction *instruction = computation->instructions[i];
    if (!part->marks[i]) continue;
    pass_operands(needs, (LeafPlace){part, instruction});
    if (needs->order == LEAVES_WITH_CONTROL &&
        instruction_attribute(instruction, "control-predecessors") != nullptr)
      mark_predecessors(needs, part, instruction);
  }
}

void leaf_needs_close(LeafNeeds *needs) {
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (uint32_t i = 0; i < needs->parts.count; i++) {
      LeafPart *part = needs->parts.items[i];
      if (!part->is_open) continue;
      part->is_open = false;
      mark_needed(needs, part);
      goes_on = true;
    }
  }
}

bool leaf_needs_has(const LeafNeeds *needs, const Instruction *instruction) {
  const LeafPart *part = needs->of[leaf_needs_place(needs, instruction->parent)];
  for (; part != nullptr; part = part->next)
    if (part->is_reached && part->marks[instruction->id]) return true;
  return false;
}
