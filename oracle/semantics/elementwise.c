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

/* Calls that nest deeper, or come after so many visits, use all of their operands. */
static constexpr uint32_t deepest_call = 8;
static constexpr int64_t most_visits = 100'000;

static void mark_used(
    Arena *arena, const Computation *body, bool *used, uint32_t nested, int64_t *visits);

/* Marks what a needed instruction depends on; a call depends on what its body uses. */
static void mark_operands(
    Arena *arena, const Instruction *instruction, bool *needed, uint32_t nested, int64_t *visits) {
  bool enters = (instruction->opcode == HLO_CALL || instruction->opcode == HLO_FUSION) &&
                instruction->called_count == 1 && nested < deepest_call && *visits < most_visits;
  bool *inner = nullptr;
  if (enters) {
    inner = ARENA_NEW(arena, bool, instruction->called[0]->parameter_count);
    mark_used(arena, instruction->called[0], inner, nested + 1, visits);
  }
  for (uint32_t i = 0; i < instruction->operand_count; i++) {
    assert(instruction->operands[i]->id < instruction->id);
    if (inner == nullptr || inner[i]) needed[instruction->operands[i]->id] = true;
  }
}

/* One walk from the root, users before operands. */
static void mark_used(
    Arena *arena, const Computation *body, bool *used, uint32_t nested, int64_t *visits) {
  bool *needed = ARENA_NEW(arena, bool, body->instruction_count);
  needed[body->root->id] = true;
  assert(body->root->id < body->instruction_count);
  for (uint32_t id = body->root->id + 1; id-- > 0;) {
    const Instruction *instruction = body->instructions[id];
    ++*visits;
    if (!needed[id]) continue;
    if (instruction->opcode == HLO_PARAMETER) used[instruction->number] = true;
    mark_operands(arena, instruction, needed, nested, visits);
  }
}

bool body_uses(Arena *arena, const Computation *body, int64_t number) {
  ArenaMark mark = arena_mark(arena);
  bool *used = ARENA_NEW(arena, bool, body->parameter_count);
  int64_t visits = 0;
  mark_used(arena, body, used, 0, &visits);
  bool uses = number < body->parameter_count && used[number];
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
