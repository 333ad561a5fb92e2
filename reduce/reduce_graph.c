/* Edits of a module's graph, repeated until none helps: a computation is removed or becomes the
 * entry; an earlier instruction becomes the root; an operand replaces an instruction; an
 * instruction becomes a parameter or a copy of an operand; unused instructions and parameters are
 * removed; the numbers of a slice or a reshape get smaller together (reduce_shapes.c). A
 * computation is edited together with its fusions and calls. Each candidate is the smallest module,
 * parsed again, edited in one place, and printed. An invalid candidate is rejected when it is
 * parsed. */
#include <string.h>

#include "core/hlo/build/build.h"
#include "core/hlo/compare.h"
#include "core/hlo/header.h"
#include "core/hlo/print/print.h"
#include "core/hlo/read/read.h"
#include "reduce/reduce_graph.h"
#include "reduce/reducer.h"

/* Makes edit `number` of its kind; returns false if it changes nothing. */
typedef bool GraphEdit(ReducedGraph *graph, uint32_t number);

/* Without the layout of ENTRY, whose shapes an edit may change. */
static bool graph_read(Arena *arena, const char *text, ReducedGraph *graph) {
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "reduced", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) return false;
  *graph = (ReducedGraph){.arena = arena, .module = ARENA_NEW(arena, Module, 1)};
  *graph->module = *module;
  graph->module->header_rest = header_without(arena, module, "entry_computation_layout");
  return true;
}

static uint32_t instruction_count(const ReducedGraph *graph) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < graph->module->computation_count; i++)
    count += graph->module->computations[i]->instruction_count;
  return count;
}

/* False for a candidate that is not valid, and for one that grows when it is read: the reader
 * splits an index vector of a dynamic-slice into scalars, which edit_bypass would join again. */
static bool stays_as_small(Arena *arena, const ReducedGraph *graph, const char *candidate) {
  ReducedGraph again;
  return graph_read(arena, candidate, &again) &&
         instruction_count(&again) <= instruction_count(graph);
}

/* The memory of a rejected candidate is freed. */
static bool try_edit(Reducer *reducer, GraphEdit *edit, uint32_t number) {
  ArenaMark mark = arena_mark(reducer->arena);
  ReducedGraph graph;
  Text text = text_create(reducer->arena);
  if (graph_read(reducer->arena, reducer->text, &graph) && edit(&graph, number)) {
    hlo_print(&text, graph.module);
    if (stays_as_small(reducer->arena, &graph, text.bytes) && text_try(reducer, text.bytes))
      return true;
  }
  arena_rewind(reducer->arena, mark);
  return false;
}

/* The number of edits of a kind. */
typedef uint32_t GraphCount(const ReducedGraph *graph);

static uint32_t count_of(Reducer *reducer, GraphCount *count) {
  ArenaMark mark = arena_mark(reducer->arena);
  ReducedGraph graph;
  uint32_t edits = graph_read(reducer->arena, reducer->text, &graph) ? count(&graph) : 0;
  arena_rewind(reducer->arena, mark);
  return edits;
}

/* Tries edits from the last number to the first, so that an accepted edit keeps the remaining
 * numbers. */
static bool try_edits(Reducer *reducer, GraphEdit *edit, GraphCount *count) {
  bool helped = false;
  for (uint32_t i = count_of(reducer, count); i > 0 && !reduction_is_over(reducer->reduction); i--)
    helped |= try_edit(reducer, edit, i - 1);
  return helped;
}

/* Tries edits from the first number until one is accepted: the first one leaves the smallest
 * module. */
static bool try_first_edit(Reducer *reducer, GraphEdit *edit, GraphCount *count) {
  uint32_t edits = count_of(reducer, count);
  for (uint32_t i = 0; i < edits && !reduction_is_over(reducer->reduction); i++)
    if (try_edit(reducer, edit, i)) return true;
  return false;
}

/* --- positions --- */

static uint32_t computation_count(const ReducedGraph *graph) {
  return graph->module->computation_count;
}

/* The number of operands of all instructions. */
static uint32_t operand_count(const ReducedGraph *graph) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < instruction_count(graph); i++)
    count += graph_position(graph, i).instruction->operand_count;
  return count;
}

static bool operand_of(const ReducedGraph *graph, uint32_t number, InstructionPosition *position,
    Instruction **operand) {
  for (uint32_t i = 0; (*position = graph_position(graph, i)).instruction != nullptr; i++) {
    if (number < position->instruction->operand_count) {
      *operand = position->instruction->operands[number];
      return true;
    }
    number -= position->instruction->operand_count;
  }
  return false;
}

static bool calls(const Instruction *instruction, const Computation *computation) {
  return (instruction->opcode == HLO_FUSION || instruction->opcode == HLO_CALL) &&
         instruction->called_count > 0 && instruction->called[0] == computation;
}

/* Caller number `*number` over all computations; nullptr: there are no more. */
static InstructionPosition next_caller(
    const ReducedGraph *graph, const Computation *computation, uint32_t *number) {
  for (uint32_t count = instruction_count(graph); *number < count; ++*number) {
    InstructionPosition position = graph_position(graph, *number);
    if (calls(position.instruction, computation)) return position;
  }
  return (InstructionPosition){};
}

static bool is_used(const Computation *computation, const Instruction *instruction) {
  for (uint32_t i = 0; i < computation->instruction_count; i++)
    for (uint32_t k = 0; k < computation->instructions[i]->operand_count; k++)
      if (computation->instructions[i]->operands[k] == instruction) return true;
  return false;
}

/* --- changes --- */

static void remove_computation(Module *module, const Computation *computation) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < module->computation_count; i++)
    if (module->computations[i] != computation)
      module->computations[kept++] = module->computations[i];
  module->computation_count = kept;
}

static void remove_instruction(const InstructionPosition *position) {
  Computation *computation = position->computation;
  memmove(&computation->instructions[position->at], &computation->instructions[position->at + 1],
      (computation->instruction_count - position->at - 1) * sizeof *computation->instructions);
  computation->instruction_count--;
}

static void insert_first(
    const ReducedGraph *graph, Computation *computation, Instruction *instruction) {
  uint32_t count = computation->instruction_count;
  Instruction **grown = ARENA_NEW(graph->arena, Instruction *, count + 1);
  grown[0] = instruction;
  memcpy(grown + 1, computation->instructions, count * sizeof *grown);
  computation->instructions = grown;
  computation->instruction_count++;
}

/* A new instruction with the builder's default fields. */
static Instruction *instruction_fresh(const ReducedGraph *graph, Computation *parent, Opcode opcode,
    Instruction *operand, const char *name, const Shape *shape) {
  ModuleBuilder module = hlo_module_builder(graph->arena);
  Builder builder = hlo_build_computation(&module, parent->name);
  Instruction *made = hlo_build_begin(&builder, opcode, operand != nullptr, &operand);
  made->parent = parent;
  made->name = name;
  made->shape = shape;
  return made;
}

/* Appends a parameter to the computation. */
static Instruction *fresh_parameter(
    const ReducedGraph *graph, Computation *parent, const char *name, const Shape *shape) {
  Instruction *parameter = instruction_fresh(graph, parent, HLO_PARAMETER, nullptr, name, shape);
  parameter->number = parent->parameter_count++;
  return parameter;
}

static void replace_uses(const Computation *computation, const Instruction *from, Instruction *to) {
  for (uint32_t i = 0; i < computation->instruction_count; i++)
    for (uint32_t k = 0; k < computation->instructions[i]->operand_count; k++)
      if (computation->instructions[i]->operands[k] == from)
        computation->instructions[i]->operands[k] = to;
}

static void replace_instruction(const InstructionPosition *position, Instruction *by) {
  by->is_root = position->instruction->is_root;
  if (by->is_root) position->computation->root = by;
  position->computation->instructions[position->at] = by;
  replace_uses(position->computation, position->instruction, by);
}

static void add_operand(const ReducedGraph *graph, Instruction *instruction, Instruction *operand) {
  instruction->operands = arena_grow(graph->arena, instruction->operands,
      instruction->operand_count, instruction->operand_count + 1, sizeof(Instruction *));
  instruction->operands[instruction->operand_count++] = operand;
}

static void remove_operand(Instruction *instruction, uint32_t at) {
  memmove(&instruction->operands[at], &instruction->operands[at + 1],
      (instruction->operand_count - at - 1) * sizeof *instruction->operands);
  instruction->operand_count--;
}

/* --- edits --- */

static bool edit_drop_computation(ReducedGraph *graph, uint32_t number) {
  if (number >= graph->module->computation_count) return false;
  const Computation *computation = graph->module->computations[number];
  if (computation->is_entry) return false;
  remove_computation(graph->module, computation);
  return true;
}

static bool edit_move_entry(ReducedGraph *graph, uint32_t number) {
  Computation *computation = graph->module->computations[number];
  if (computation->is_entry) return false;
  remove_computation(graph->module, graph->module->entry);
  computation->is_entry = true;
  graph->module->entry = computation;
  return true;
}

/* Removes the instructions after the new root; callers get its shape. */
static bool edit_move_root(ReducedGraph *graph, uint32_t number) {
  InstructionPosition position = graph_position(graph, number), caller;
  if (position.instruction == nullptr || position.instruction->is_root) return false;
  position.computation->root->is_root = false;
  position.instruction->is_root = true;
  position.computation->root = position.instruction;
  position.computation->instruction_count = position.at + 1;
  for (uint32_t i = 0;
      (caller = next_caller(graph, position.computation, &i)).instruction != nullptr; i++)
    caller.instruction->shape = position.instruction->shape;
  return true;
}

/* Replaces an instruction by one of its operands. */
static bool edit_bypass(ReducedGraph *graph, uint32_t number) {
  InstructionPosition position;
  Instruction *operand;
  if (!operand_of(graph, number, &position, &operand) || position.instruction->is_root)
    return false;
  replace_uses(position.computation, position.instruction, operand);
  remove_instruction(&position);
  return true;
}

/* Replaces the instruction by a new last parameter of its computation; each caller passes a new
 * parameter of its own. In the entry, this applies to the root too. */
static bool edit_cut(ReducedGraph *graph, uint32_t number) {
  InstructionPosition position = graph_position(graph, number), caller;
  const Instruction *cut = position.instruction;
  if (cut == nullptr) return false;
  bool is_inner_root = cut->is_root && !position.computation->is_entry;
  if (cut->opcode == HLO_PARAMETER || is_inner_root) return false;
  replace_instruction(
      &position, fresh_parameter(graph, position.computation, cut->name, cut->shape));
  for (uint32_t i = 0;
      (caller = next_caller(graph, position.computation, &i)).instruction != nullptr;
      i += 2) { /* the new parameter is before the caller */
    const char *name = arena_printf(graph->arena, "cut%u_%u", number, i);
    Instruction *passed = fresh_parameter(graph, caller.computation, name, cut->shape);
    insert_first(graph, caller.computation, passed);
    add_operand(graph, caller.instruction, passed);
  }
  return true;
}

static bool edit_copy(ReducedGraph *graph, uint32_t number) {
  InstructionPosition position;
  Instruction *operand;
  if (!operand_of(graph, number, &position, &operand) || position.instruction->opcode == HLO_COPY)
    return false;
  replace_instruction(&position, instruction_fresh(graph, position.computation, HLO_COPY, operand,
                                     position.instruction->name, position.instruction->shape));
  return true;
}

static bool edit_drop_instruction(ReducedGraph *graph, uint32_t number) {
  InstructionPosition position = graph_position(graph, number);
  if (position.instruction == nullptr || position.instruction->is_root ||
      position.instruction->opcode == HLO_PARAMETER ||
      is_used(position.computation, position.instruction))
    return false;
  remove_instruction(&position);
  return true;
}

/* Removes an unused parameter and its operands at the callers. */
static bool edit_drop_parameter(ReducedGraph *graph, uint32_t number) {
  InstructionPosition position = graph_position(graph, number), caller;
  if (position.instruction == nullptr || position.instruction->opcode != HLO_PARAMETER ||
      position.instruction->is_root || is_used(position.computation, position.instruction))
    return false;
  uint32_t gone = (uint32_t)position.instruction->number;
  remove_instruction(&position);
  for (uint32_t i = 0; i < position.computation->instruction_count; i++) {
    Instruction *other = position.computation->instructions[i];
    if (other->opcode == HLO_PARAMETER && other->number > gone) other->number--;
  }
  for (uint32_t i = 0;
      (caller = next_caller(graph, position.computation, &i)).instruction != nullptr; i++)
    if (gone < caller.instruction->operand_count) remove_operand(caller.instruction, gone);
  return true;
}

/* The operand as an instruction of a computation of its own: constants stay, all else becomes a
 * parameter. */
static Instruction *isolated_operand(
    const ReducedGraph *graph, Computation *computation, const Instruction *operand) {
  Instruction *known = computation_find(computation, operand->name);
  if (known != nullptr) return known;
  Instruction *made = operand->opcode == HLO_CONSTANT
                          ? ARENA_NEW(graph->arena, Instruction, 1)
                          : fresh_parameter(graph, computation, operand->name, operand->shape);
  if (operand->opcode == HLO_CONSTANT) *made = *operand;
  made->is_root = false;
  return computation->instructions[computation->instruction_count++] = made;
}

/* Leaves the instruction alone with its operands, and what it calls. Its computation becomes the
 * entry. */
static bool edit_isolate(ReducedGraph *graph, uint32_t number) {
  InstructionPosition position = graph_position(graph, number);
  if (position.instruction == nullptr || position.instruction->opcode == HLO_PARAMETER)
    return false;
  Computation *computation = position.computation;
  graph->module->entry->is_entry = false;
  graph->module->entry = computation;
  computation->is_entry = true;
  Instruction *alone = position.instruction;
  computation->instructions = ARENA_NEW(graph->arena, Instruction *, alone->operand_count + 1);
  computation->instruction_count = computation->parameter_count = 0;
  for (uint32_t i = 0; i < alone->operand_count; i++)
    alone->operands[i] = isolated_operand(graph, computation, alone->operands[i]);
  computation->instructions[computation->instruction_count++] = alone;
  computation->root->is_root = false;
  alone->is_root = true;
  computation->root = alone;
  hlo_drop_uncalled(graph->arena, graph->module);
  return true;
}

/* The number of the instruction of this name, the entry's if it has one; else the number of all
 * instructions. */
static uint32_t number_of_name(const ReducedGraph *graph, const char *name) {
  uint32_t number = 0, found = UINT32_MAX;
  InstructionPosition position;
  for (; (position = graph_position(graph, number)).instruction != nullptr; number++) {
    if (strcmp(position.instruction->name, name) != 0) continue;
    if (position.computation->is_entry) return number;
    if (found == UINT32_MAX) found = number;
  }
  return found == UINT32_MAX ? number : found;
}

static bool edit_strip_header(ReducedGraph *graph, uint32_t) {
  graph->module->name = "reduced";
  graph->module->header_rest = graph->module->stack_frames = nullptr;
  return true;
}

/* Removes the attributes that are notes for people and backends. */
static bool edit_strip_notes(ReducedGraph *graph, uint32_t) {
  static const char *const notes[] = {"metadata", "backend_config", "frontend_attributes"};
  bool is_changed = false;
  InstructionPosition position;
  for (uint32_t i = 0; (position = graph_position(graph, i)).instruction != nullptr; i++) {
    uint32_t kept = 0, count = position.instruction->attribute_count;
    for (uint32_t k = 0; k < count; k++) {
      bool is_note = false;
      for (size_t n = 0; n < sizeof notes / sizeof *notes; n++)
        is_note |= strcmp(position.instruction->attributes[k].name, notes[n]) == 0;
      if (!is_note) position.instruction->attributes[kept++] = position.instruction->attributes[k];
    }
    position.instruction->attribute_count = kept;
    is_changed |= kept < count;
  }
  return is_changed;
}

static bool pass_move_entry(Reducer *reducer) {
  return try_first_edit(reducer, edit_move_entry, computation_count);
}
static bool pass_drop_computations(Reducer *reducer) {
  return try_edits(reducer, edit_drop_computation, computation_count);
}
static bool pass_move_root(Reducer *reducer) {
  return try_first_edit(reducer, edit_move_root, instruction_count);
}
static bool pass_bypass(Reducer *reducer) { return try_edits(reducer, edit_bypass, operand_count); }
static bool pass_cut(Reducer *reducer) { return try_edits(reducer, edit_cut, instruction_count); }
static bool pass_copy(Reducer *reducer) { return try_edits(reducer, edit_copy, operand_count); }
static bool pass_drop_instructions(Reducer *reducer) {
  return try_edits(reducer, edit_drop_instruction, instruction_count);
}
static bool pass_drop_parameters(Reducer *reducer) {
  return try_edits(reducer, edit_drop_parameter, instruction_count);
}

static bool pass_slices(Reducer *reducer) {
  return try_first_edit(reducer, graph_edit_slice, graph_slice_edits);
}
static bool pass_reshapes(Reducer *reducer) {
  return try_first_edit(reducer, graph_edit_reshape, graph_reshape_edits);
}

/* Reduces a text that does not parse as bytes. */
static bool reduce_unread(
    Arena *arena, Reduction *reduction, const char *text, const char **smallest) {
  size_t length = strlen(text);
  return reduce_text(arena, reduction, text, &length, smallest);
}

bool reduce_hlo(Arena *arena, Reduction *reduction, const char *text, const char **smallest) {
  Reducer reducer = {.arena = arena, .reduction = reduction, .text = text};
  ReducedGraph graph;
  if (!graph_read(arena, text, &graph)) return reduce_unread(arena, reduction, text, smallest);
  reduction->trials = reduction->accepted = 0;
  *smallest = text;
  bool is_alone = reduction->instruction != nullptr &&
                  try_edit(&reducer, edit_isolate, number_of_name(&graph, reduction->instruction));
  reduction->trials += !is_alone;
  if (!is_alone && !reduction->still_shows(reduction->state, text, strlen(text))) return false;
  (void)try_edit(&reducer, edit_strip_header, 0);
  (void)try_edit(&reducer, edit_strip_notes, 0);
  static Pass *const passes[] = {pass_move_entry, pass_drop_computations, pass_move_root,
      pass_bypass, pass_cut, pass_copy, pass_drop_instructions, pass_drop_parameters, pass_slices,
      pass_reshapes, pass_number_everywhere, pass_number_in_place, pass_number_pairs};
  reducer_run(&reducer, passes, sizeof passes / sizeof *passes);
  *smallest = reducer.text;
  reduction->is_cut = reduction_is_over(reduction);
  return true;
}
