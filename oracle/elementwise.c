/* Elementwise operations: output element i reads element i of each operand; a scalar operand is read by every output element.
 * Conventions: select and clamp read all of their operands, whatever the predicate says. map reads the operands that the root of
 * its body depends on, a parameter of it that is not used reads nothing. */
#include "oracle/reading.h"

static void read_same(Reading *reading, uint32_t operand) {
  const Leaf *leaf = read_operand(reading, operand);
  bool is_scalar = leaf->rank == 0;
  assert(is_scalar || leaf->elements == reading->node->leaves[reading->leaf].elements);
  read_element(reading, operand, is_scalar ? 0 : reading->element);
}

bool read_elementwise(Reading *reading) {
  for (uint32_t i = 0; i < reading->node->instruction->operand_count; i++)
    if (read_wants(reading, i)) read_same(reading, i);
  return true;
}

bool read_scalars(Reading *reading) { return read_elementwise(reading); }

/* Whether a parameter lies behind the root of a body: by one walk from the root, users before operands. */
static bool body_uses(Arena *arena, const Computation *body, int64_t number) {
  ArenaMark mark = arena_mark(arena);
  uint8_t *needed = ARENA_NEW(arena, uint8_t, body->instruction_count);
  needed[body->root->id] = 1;
  bool uses = false;
  for (uint32_t id = body->root->id + 1; id-- > 0;) {
    const Instruction *instruction = body->instructions[id];
    if (!needed[id]) continue;
    uses = uses || (instruction->opcode == HLO_PARAMETER && instruction->number == number);
    for (uint32_t i = 0; i < instruction->operand_count; i++)
      needed[instruction->operands[i]->id] = 1;
  }
  arena_rewind(arena, mark);
  return uses;
}

bool read_map(Reading *reading) {
  const Instruction *instruction = reading->node->instruction;
  if (instruction->called_count != 1) return read_unsupported(reading);
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    if (read_wants(reading, i) && body_uses(reading->arena, instruction->called[0], i)) read_same(reading, i);
  return true;
}
