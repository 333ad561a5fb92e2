/* Collectives: the elements of some device's operand that an output element depends on. The device,
 * and this device's position in its group, are not part of the index. A value that depends on them
 * is a hidden integer, so the relation holds for every device. */
#include "smt/semantics/hlo_reading.h"

#include <assert.h>

/* Start forms whose output is a tuple (operands, result, ..). */
static bool holds_operands(Opcode opcode) {
  return opcode == HLO_ALL_GATHER_START || opcode == HLO_COLLECTIVE_PERMUTE_START;
}

/* The operand of the output leaf; `*alias` if the leaf is the operand itself. */
static bool operand_of_leaf(const SmtReading *reading, uint32_t *operand, bool *alias) {
  uint32_t count = reading->instruction->operand_count;
  *operand = reading->leaf;
  *alias = false;
  if (holds_operands(reading->instruction->opcode)) {
    *alias = reading->leaf < count;
    if (!*alias) *operand = reading->leaf - count;
  }
  return *operand < count;
}

static bool group_size(const SmtReading *reading, int64_t *size) {
  const ReplicaGroups *groups = reading->instruction->replica_groups;
  if (groups == nullptr || groups->count == 0) return false;
  *size = groups->groups[0].count;
  return *size > 0;
}

static Access *same_position(SmtReading *reading, uint32_t operand) {
  assert(operand < reading->instruction->operand_count);
  reading_identity(reading, operand, 0);
  return reading->accesses.items[reading->accesses.count - 1];
}

static bool read_gathered(SmtReading *reading, uint32_t operand, uint32_t dimension) {
  assert(operand < reading->instruction->operand_count);
  int64_t size = operand_leaf_shape(reading, operand, 0)->sizes[dimension];
  Access *access = same_position(reading, operand);
  if (size > 0)
    access->element[dimension] = sum_mod(reading->sums, reading->index[dimension], size);
  return true;
}

static bool read_scattered(SmtReading *reading, uint32_t operand, uint32_t dimension) {
  assert(operand < reading->instruction->operand_count);
  Sums *sums = reading->sums;
  int64_t part = reading->shape->sizes[dimension],
          whole = operand_leaf_shape(reading, operand, 0)->sizes[dimension];
  Access *access = same_position(reading, operand);
  if (part == 0) return true;
  Sum device = piece_hidden(sums, &access->piece, "device", 0, (Wide)whole / part - 1);
  access->element[dimension] =
      sum_add(sums, sum_scale(sums, device, part), reading->index[dimension]);
  return true;
}

/* Along a dimension: the block of this device from every member. As a tuple: every operand of every
 * member, for each leaf. */
static bool read_all_to_all(SmtReading *reading) {
  Sums *sums = reading->sums;
  int64_t members;
  if (reading->instruction->dimensions.count == 0) {
    for (uint32_t k = 0; k < reading->instruction->operand_count; k++)
      reading_identity(reading, k, 0);
    return true;
  }
  uint32_t dimension = (uint32_t)reading->instruction->dimensions.values[0];
  int64_t size = reading->shape->sizes[dimension];
  if (!group_size(reading, &members) || size % members != 0)
    return reading_lacks(reading, "the number of devices is not stated");
  Access *access = same_position(reading, 0);
  if (size == 0) return true;
  Sum device = piece_hidden(sums, &access->piece, "device", 0, members - 1);
  Sum within = sum_mod(sums, reading->index[dimension], size / members);
  access->element[dimension] = sum_add(sums, sum_scale(sums, device, size / members), within);
  return true;
}

bool reads_of_collective(SmtReading *reading) {
  const Instruction *collective = reading->instruction;
  uint32_t operand;
  bool alias;
  if (collective->opcode == HLO_COLLECTIVE_PERMUTE && collective->operand_count > 1 &&
      !shape_is_tuple(collective->shape))
    return reading_lacks(reading, "a collective-permute of slices in place");
  if (collective->opcode == HLO_ALL_TO_ALL) return read_all_to_all(reading);
  if (!operand_of_leaf(reading, &operand, &alias)) {
    if (collective->opcode == HLO_COLLECTIVE_PERMUTE_START) return true;
    return reading_lacks(reading, "a collective whose results do not go with its operands");
  }
  if (!alias && instruction_permutes_nothing(collective)) return true;
  bool gathers = collective->opcode == HLO_ALL_GATHER || collective->opcode == HLO_ALL_GATHER_START;
  bool scatters = collective->opcode == HLO_REDUCE_SCATTER;
  if (alias || (!gathers && !scatters)) {
    reading_identity(reading, operand, 0);
    return true;
  }
  if (collective->dimensions.count != 1)
    return reading_lacks(reading, "a collective without its dimension");
  uint32_t dimension = (uint32_t)collective->dimensions.values[0];
  return gathers ? read_gathered(reading, operand, dimension)
                 : read_scattered(reading, operand, dimension);
}
