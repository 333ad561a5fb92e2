/* Shared by the semantics of operations: accesses of operands, and positions in memory. */
#include "smt/semantics/hlo_reading.h"

#include <assert.h>

const Shape *operand_leaf_shape(const SmtReading *reading, uint32_t operand, uint32_t leaf) {
  assert(operand < reading->instruction->operand_count);
  return shape_leaf(reading->instruction->operands[operand]->shape, leaf);
}

Access *reading_access(SmtReading *reading, uint32_t operand, uint32_t leaf) {
  assert(operand < reading->instruction->operand_count);
  Sums *sums = reading->sums;
  Access *access = ARENA_NEW(sums->arena, Access, 1);
  access->operand = operand;
  access->leaf = leaf;
  access->rank = operand_leaf_shape(reading, operand, leaf)->rank;
  access->element = ARENA_NEW(sums->arena, Sum, access->rank);
  *ARENA_PUSH(sums->arena, &reading->accesses) = access;
  return access;
}

Access *reading_all(SmtReading *reading, uint32_t operand) {
  assert(operand < reading->instruction->operand_count);
  return reading_all_of_leaf(reading, operand, 0);
}

Access *reading_all_of_leaf(SmtReading *reading, uint32_t operand, uint32_t leaf) {
  assert(operand < reading->instruction->operand_count);
  Access *access = reading_access(reading, operand, leaf);
  const Shape *shape = operand_leaf_shape(reading, operand, leaf);
  for (uint32_t i = 0; i < access->rank; i++)
    access->element[i] =
        piece_hidden(reading->sums, &access->piece, "any", 0, (Wide)shape->sizes[i] - 1);
  return access;
}

/* The parameters on which the root depends. A call depends on what its body uses, until `left`
 * instructions have been visited or calls nest deeper than 8; then on all of its operands. */
static bool *parameters_used(
    const SmtReading *reading, const Computation *body, uint32_t depth, uint32_t *left) {
  Arena *arena = reading->sums->arena;
  bool *needed = ARENA_NEW(arena, bool, body->instruction_count),
       *used = ARENA_NEW(arena, bool, body->parameter_count);
  *left -= *left < body->instruction_count ? *left : body->instruction_count;
  needed[body->root->id] = true;
  for (uint32_t id = body->root->id + 1; id-- > 0;) {
    const Instruction *instruction = body->instructions[id];
    if (!needed[id]) continue;
    if (instruction->opcode == HLO_PARAMETER) used[instruction->number] = true;
    bool is_call = instruction->opcode == HLO_CALL || instruction->opcode == HLO_FUSION;
    const bool *inner = is_call && instruction->called_count == 1 && depth < 8 && *left > 0
                            ? parameters_used(reading, instruction->called[0], depth + 1, left)
                            : nullptr;
    for (uint32_t o = 0; o < instruction->operand_count; o++)
      needed[instruction->operands[o]->id] |= inner == nullptr || inner[o];
  }
  return used;
}

bool reading_body_uses(const SmtReading *reading, const Computation *body, int64_t number) {
  uint32_t left = 100'000;
  const bool *used = parameters_used(reading, body, 0, &left);
  return number < body->parameter_count && used[number];
}

bool reading_finds(Ints list, int64_t value, uint32_t *at) {
  for (*at = 0; *at < list.count; ++*at)
    if (list.values[*at] == value) return true;
  return false;
}

void reading_identity(SmtReading *reading, uint32_t operand, uint32_t leaf) {
  assert(operand < reading->instruction->operand_count);
  Access *access = reading_access(reading, operand, leaf);
  assert(access->rank == reading->shape->rank);
  for (uint32_t i = 0; i < access->rank; i++) access->element[i] = reading->index[i];
}

void reading_scalar(SmtReading *reading, uint32_t operand) {
  assert(operand < reading->instruction->operand_count);
  const Access *access = reading_access(reading, operand, 0);
  assert(access->rank == 0);
  (void)access;
}

Sum sum_plus(Sums *sums, Sum sum, Wide constant) {
  assert(sums_has(sums, sum));
  return sum_add(sums, sum, sum_of_constant(sums, constant));
}

Sum reading_in_window(
    Sums *sums, Piece *piece, const WindowDim *window, Sum at, Sum within, int64_t size) {
  assert(sums_has(sums, at));
  assert(sums_has(sums, within));
  Sum position = sum_add(
      sums, sum_scale(sums, at, window->stride), sum_scale(sums, within, window->window_dilation));
  position = sum_plus(sums, position, -(Wide)window->pad_low);
  Sum element = sum_floordiv(sums, position, window->base_dilation);
  piece_within(sums, piece, sum_mod(sums, position, window->base_dilation), 0, 0);
  piece_within(sums, piece, element, 0, (Wide)size - 1);
  return element;
}

Sum position_of(
    Sums *sums, uint32_t rank, const int64_t *sizes, const uint32_t *order, const Sum *index) {
  assert(sums_has_all(sums, rank, index));
  Sum position = sum_of_constant(sums, 0);
  Wide stride = 1;
  for (uint32_t i = 0; i < rank; i++) {
    position = sum_add(sums, position, sum_scale(sums, index[order[i]], stride));
    stride *= sizes[order[i]];
  }
  return position;
}

/* A dimension without elements has no index, so the result does not matter. */
void index_at(Sums *sums, uint32_t rank, const int64_t *sizes, const uint32_t *order, Sum position,
    Sum *index) {
  assert(sums_has(sums, position));
  for (uint32_t i = 0; i < rank; i++) {
    Wide size = sizes[order[i]] > 0 ? sizes[order[i]] : 1;
    index[order[i]] = i + 1 < rank ? sum_mod(sums, position, size) : position;
    position = sum_floordiv(sums, position, size);
  }
}

bool frame_operand(const CallSite *frame, const Instruction *parameter, uint32_t *operand) {
  const Instruction *caller = frame->caller;
  *operand = (uint32_t)parameter->number;
  if (caller->opcode == HLO_CONDITIONAL) {
    uint32_t branch = 0;
    while (branch < caller->called_count && caller->called[branch] != parameter->parent) branch++;
    *operand = branch + 1;
  }
  return caller->opcode != HLO_MAP && *operand < caller->operand_count;
}
