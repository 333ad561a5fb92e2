/* Shared by the grammar's rules: nesting depth, new instructions with default fields, lists taken
 * from the stacks, and the table of computations. An implied instruction has no name of its own in
 * the text: a nested operand, an element of a tuple, a scalar of an index vector. It gets its
 * preferred name if no instruction of the body has that name, else the name with a number. */
#include "core/hlo/read/reader.h"

#include <assert.h>
#include <string.h>

#include "core/base/stack.h"
char *slice_copy(Arena *arena, Slice slice) { return arena_text(arena, slice.text, slice.length); }

bool read_deeper(Reader *reader) {
  assert(reader->depth <= deepest_nesting);
  if (reader->depth < deepest_nesting && !stack_is_low()) {
    reader->depth++;
    return true;
  }
  return read_fail(
      reader, ERROR_LIMIT, reader->scan.at, 1, "nested past %s", counted(reader->depth, "level"));
}

bool read_add_computation(Reader *reader, Computation *computation, Slice name) {
  assert(strlen(computation->name) == name.length && computation->root != nullptr);
  if (!names_add(&reader->names, reader->scratch, computation_scope, computation->name, name.length,
          computation)) {
    return read_fail(reader, ERROR_INPUT, name.offset, name.length, "a second computation '%.100s'",
        computation->name);
  }
  *ARENA_PUSH(reader->scratch, &reader->computations) = computation;
  return true;
}

Instruction *new_instruction(Reader *reader, Computation *parent, size_t offset) {
  assert(offset <= reader->scan.length);
  Instruction *instruction = ARENA_NEW(reader->arena, Instruction, 1);
  instruction->parent = parent;
  instruction->offset = offset;
  instruction->channel_id = -1;
  instruction->batch_group_count = 1;
  return instruction;
}

void set_opcode(Reader *reader, Instruction *instruction, Opcode opcode) {
  instruction->opcode = opcode;
  if (opcode == HLO_CONVOLUTION) instruction->number = 1;
  if (opcode == HLO_TOPK) instruction->flag = true;
  if (opcode == HLO_GATHER) instruction->gather = ARENA_NEW(reader->arena, GatherNumbers, 1);
  if (opcode == HLO_SCATTER) instruction->scatter = ARENA_NEW(reader->arena, ScatterNumbers, 1);
  if (opcode_family(opcode) == FAMILY_CONTRACT && opcode != HLO_CONVOLUTION) {
    instruction->dot = ARENA_NEW(reader->arena, DotNumbers, 1);
  }
}

Instruction **take_instructions(
    Reader *reader, InstructionList *stack, uint32_t first, uint32_t *count) {
  assert(first <= stack->count);
  *count = stack->count - first;
  stack->count = first;
  return arena_grow(reader->arena, stack->items + first, *count, *count, sizeof *stack->items);
}

void body_add(Body *body, Instruction *instruction) {
  assert(instruction->shape != nullptr && instruction->parent == body->computation);
  InstructionList *stack = &body->reader->body;
  instruction->id = stack->count - body->first;
  *ARENA_PUSH(body->reader->scratch, stack) = instruction;
}

void body_imply(Body *body, Instruction *instruction) {
  assert(instruction->name != nullptr);
  *ARENA_PUSH(body->reader->scratch, &body->reader->implied) = instruction;
}

void body_name_implied(Body *body) {
  Reader *reader = body->reader;
  for (uint32_t i = body->first_implied; i < reader->implied.count; i++) {
    Instruction *instruction = reader->implied.items[i];
    const char *wanted = instruction->name;
    for (uint32_t more = 1; !names_add(&reader->names, reader->scratch, body->scope,
             instruction->name, strlen(instruction->name), instruction);
        more++) {
      instruction->name = arena_printf(reader->arena, "%s.%u", wanted, more);
    }
  }
  reader->implied.count = body->first_implied;
}
