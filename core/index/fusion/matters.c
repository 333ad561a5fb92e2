/* One pass marks the leaves that matter: from the parameters on, or from the root back. Without it
 * a flow from the root would compute the maps to every constant, and one from a parameter those to
 * every result of a loop. */
#include "core/index/fusion/matters.h"

#include <assert.h>

#include "core/base/checked.h"
#include "core/index/ops/structure.h"

typedef struct MatterMarks {
  Direction direction;
  const uint32_t *first_leaf;
  bool *marks;
} MatterMarks;

/* False if each leaf may be connected to each: structure_shift then says nothing. */
static bool has_shift(const Instruction *instruction) {
  return is_structural(instruction->opcode) && instruction->opcode != HLO_COPY_START;
}

static LeafRange leaf_alone(int64_t leaf, uint32_t count) {
  return leaf < 0 || leaf >= count ? (LeafRange){}
                                   : (LeafRange){(uint32_t)leaf, (uint32_t)leaf + 1};
}

LeafRange leaves_before(const Instruction *instruction, uint32_t output_leaf, uint32_t operand) {
  uint32_t count = shape_leaf_count(instruction->operands[operand]->shape);
  int64_t shift;
  if (!has_shift(instruction)) return (LeafRange){0, count};
  if (!structure_shift(instruction, operand, &shift)) return (LeafRange){};
  return leaf_alone(output_leaf + shift, count);
}

LeafRange leaves_after(const Instruction *instruction, uint32_t operand, uint32_t operand_leaf) {
  uint32_t count = shape_leaf_count(instruction->shape);
  int64_t shift;
  if (!has_shift(instruction)) return (LeafRange){0, count};
  if (!structure_shift(instruction, operand, &shift)) return (LeafRange){};
  return leaf_alone(operand_leaf - shift, count);
}

static void mark_all(const MatterMarks *leaves, const Instruction *instruction) {
  bool *marks = &leaves->marks[leaves->first_leaf[instruction->id]];
  for (uint32_t i = 0; i < shape_leaf_count(instruction->shape); i++) marks[i] = true;
}

static bool has_mark(const MatterMarks *leaves, const Instruction *instruction) {
  const bool *marks = &leaves->marks[leaves->first_leaf[instruction->id]];
  for (uint32_t i = 0; i < shape_leaf_count(instruction->shape); i++)
    if (marks[i]) return true;
  return false;
}

/* Output leaf i is operand leaf i + shift. */
static void mark_shifted(
    const MatterMarks *leaves, const Instruction *instruction, uint32_t operand, int64_t shift) {
  const Instruction *producer = instruction->operands[operand];
  bool *outputs = &leaves->marks[leaves->first_leaf[instruction->id]],
       *inputs = &leaves->marks[leaves->first_leaf[producer->id]];
  int64_t end =
      min64(shape_leaf_count(instruction->shape), shape_leaf_count(producer->shape) - shift);
  for (int64_t i = max64(0, -shift); i < end; i++)
    if (leaves->direction == INPUT_TO_OUTPUT) inputs[i + shift] |= outputs[i];
    else outputs[i] |= inputs[i + shift];
}

static void mark_between(
    const MatterMarks *leaves, const Instruction *instruction, uint32_t operand) {
  const Instruction *producer = instruction->operands[operand];
  bool forward = leaves->direction == INPUT_TO_OUTPUT;
  int64_t shift;
  assert(producer->id < instruction->id);
  if (!has_shift(instruction)) {
    if (has_mark(leaves, forward ? instruction : producer))
      mark_all(leaves, forward ? producer : instruction);
  } else if (structure_shift(instruction, operand, &shift)) {
    mark_shifted(leaves, instruction, operand, shift);
  }
}

bool *leaves_that_matter(Arena *arena, const Computation *computation, Direction direction,
    const uint32_t *first_leaf, uint32_t leaf_count) {
  MatterMarks leaves = {direction, first_leaf, ARENA_NEW(arena, bool, leaf_count)};
  bool forward = direction == INPUT_TO_OUTPUT;
  uint32_t count = computation->instruction_count;
  if (forward) mark_all(&leaves, computation->root);
  for (uint32_t p = 0; !forward && p < computation->parameter_count; p++)
    mark_all(&leaves, computation->parameters[p]);
  for (uint32_t i = 0; i < count; i++) {
    const Instruction *instruction = computation->instructions[forward ? count - 1 - i : i];
    for (uint32_t operand = 0; operand < instruction->operand_count; operand++)
      mark_between(&leaves, instruction, operand);
  }
  return leaves.marks;
}
