/* Elementwise operations: output element i reads element i of each operand; every output element
 * reads a scalar operand. rng: every output element reads the distribution's parameters, and a
 * shape that is an operand. Conventions: select and clamp read all of their operands, whatever the
 * predicate. map reads the operands that the root of its body depends on; an unused parameter reads
 * nothing. */
#include "oracle/semantics/reading.h"

static bool read_same(Reading *reading, uint32_t operand) {
  const Leaf *leaf = read_operand(reading, operand);
  bool is_scalar = leaf->rank == 0;
  if (!is_scalar && leaf->elements != reading->node->leaves[reading->leaf].elements)
    return reject(reading->rejection, REASON_UNSUPPORTED,
        "operand %u of '%s' has another shape than the output", operand,
        reading->node->instruction->name);
  assert(is_scalar || reading->element < leaf->elements);
  read_element(reading, operand, is_scalar ? 0 : reading->element);
  return true;
}

bool read_elementwise(Reading *reading) {
  for (uint32_t i = 0; i < reading->node->instruction->operand_count; i++)
    if (read_wants(reading, i) && !read_same(reading, i)) return false;
  return true;
}

bool read_rng(Reading *reading) {
  for (uint32_t i = 0; i < reading->node->instruction->operand_count; i++)
    for (int64_t element = 0;
        read_wants(reading, i) && element < read_operand(reading, i)->elements; element++)
      read_element(reading, i, element);
  return true;
}

/* One walk from the root, users before operands. */
bool body_uses(Arena *arena, const Computation *body, int64_t number) {
  ArenaMark mark = arena_mark(arena);
  uint8_t *needed = ARENA_NEW(arena, uint8_t, body->instruction_count);
  needed[body->root->id] = 1;
  assert(body->root->id < body->instruction_count);
  bool uses = false;
  for (uint32_t id = body->root->id + 1; id-- > 0;) {
    const Instruction *instruction = body->instructions[id];
    if (!needed[id]) continue;
    uses = uses || (instruction->opcode == HLO_PARAMETER && instruction->number == number);
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
      assert(instruction->operands[i]->id < id);
      needed[instruction->operands[i]->id] = 1;
    }
  }
  arena_rewind(arena, mark);
  return uses;
}

bool read_map(Reading *reading) {
  const Instruction *instruction = reading->node->instruction;
  if (instruction->called_count != 1) return read_unsupported(reading);
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    if (read_wants(reading, i) && body_uses(reading->arena, instruction->called[0], i) &&
        !read_same(reading, i))
      return false;
  return true;
}
