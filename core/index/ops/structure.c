/* Structure: leaves are matched, and elements keep their index. A loop or a branch is a boundary:
 * its body is analysed separately, and across it every output element may read all of every
 * operand. Unknown operations are undefined, with their name. */
#include "core/index/ops/structure.h"

#include <assert.h>

#include "core/index/family.h"

bool is_structural(Opcode opcode) {
  return opcode_family(opcode) == FAMILY_STRUCTURE || opcode == HLO_COPY ||
         opcode == HLO_ASYNC_UPDATE || opcode == HLO_ASYNC_DONE || opcode == HLO_ALL_REDUCE_DONE ||
         opcode == HLO_ALL_GATHER_DONE || opcode == HLO_COLLECTIVE_PERMUTE_DONE;
}

/* The first leaf of element `index` of a tuple; 0 if the shape is no tuple or has no such
 * element. */
static uint32_t element_start(const Shape *shape, int64_t index) {
  bool has_element = shape_is_tuple(shape) && index >= 0 && index < shape->element_count;
  return has_element ? shape_leaf_offset(shape, (uint32_t)index) : 0;
}

/* For done halves: the result is the second element of the pair, or everything if the shape is no
 * tuple. */
static uint32_t result_start(const Instruction *done) {
  return element_start(done->operands[0]->shape, 1);
}

bool structure_shift(const Instruction *instruction, uint32_t operand, int64_t *shift) {
  assert(is_structural(instruction->opcode) && operand < instruction->operand_count);
  Opcode opcode = instruction->opcode;
  *shift = 0;
  if (opcode == HLO_TUPLE) *shift = -(int64_t)element_start(instruction->shape, operand);
  else if (opcode == HLO_AFTER_ALL || operand > 0) return false;
  else if (opcode == HLO_GET_TUPLE_ELEMENT)
    *shift = element_start(instruction->operands[0]->shape, instruction->number);
  else if (opcode == HLO_ASYNC_DONE || opcode == HLO_ALL_GATHER_DONE ||
           opcode == HLO_COLLECTIVE_PERMUTE_DONE)
    *shift = result_start(instruction);
  return true;
}

bool structure_connects(
    const Instruction *instruction, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf) {
  int64_t shift;
  if (instruction->opcode == HLO_COPY_START && operand == 0 &&
      output_leaf == element_start(instruction->shape, 1) + operand_leaf)
    return true;
  return structure_shift(instruction, operand, &shift) && output_leaf + shift == operand_leaf;
}

bool reads_structure(const IndexQuery *query, IndexResult *answer, Error *error) {
  if (!structure_connects(
          query->instruction, query->output_leaf, query->operand, query->operand_leaf))
    return true;
  return answer_identity(query, answer, error);
}

bool reads_boundary(const IndexQuery *query, IndexResult *answer, Error *error) {
  answer_claim(answer, INDEX_OVER_APPROXIMATION,
      query->instruction->opcode == HLO_WHILE
          ? "while is a boundary, its body analysed on its own: every iteration may read all"
          : "conditional is a boundary, its branches analysed on their own: the one taken may read all");
  return answer_everything(query, answer, error);
}

bool reads_nothing_known(const IndexQuery *query, IndexResult *answer, Error *) {
  answer_claim(answer, INDEX_UNDEFINED, opcode_name(query->instruction->opcode));
  return true;
}
