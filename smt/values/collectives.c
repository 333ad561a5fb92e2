/* Forms of one collective. The output of a start is (operands, results, contexts). Groups of
 * devices and pairs of a permute are sets: the order within a group has a meaning, their own order
 * has none. No groups are one of all devices, if their number is known. */
#include <string.h>

#include "core/hlo/devices.h"
#include "core/hlo/compare.h"
#include "smt/values/values.h"

static constexpr uint32_t most_compared = 4'096; /* lists in another order */

static uint32_t list_count(const Instruction *instruction, bool has_pairs) {
  const ReplicaGroups *groups = instruction_groups(instruction);
  if (has_pairs) return instruction->source_target_pairs.count / 2;
  return groups == nullptr ? 0 : groups->count;
}

static Ints list_at(const Instruction *instruction, bool has_pairs, uint32_t number) {
  if (!has_pairs) return instruction_groups(instruction)->groups[number];
  return (Ints){.count = 2, .values = instruction->source_target_pairs.values + (size_t)2 * number};
}

static uint32_t times_listed(const Instruction *instruction, bool has_pairs, Ints list) {
  uint32_t times = 0;
  for (uint32_t i = 0; i < list_count(instruction, has_pairs); i++)
    times += ints_equal(list, list_at(instruction, has_pairs, i));
  return times;
}

bool attribute_lists_devices(const Instruction *instruction, const char *name) {
  if (opcode_family(instruction->opcode) != FAMILY_COLLECTIVE) return false;
  return strcmp(name, "replica_groups") == 0 ||
         (strcmp(name, "source_target_pairs") == 0 && instruction->operand_count == 1);
}

bool devices_agree(const Instruction *a, const Instruction *b, const char *name) {
  bool has_pairs = strcmp(name, "source_target_pairs") == 0, is_ordered = true;
  uint32_t count = list_count(a, has_pairs);
  if (count != list_count(b, has_pairs)) return false;
  for (uint32_t i = 0; i < count && is_ordered; i++)
    is_ordered = ints_equal(list_at(a, has_pairs, i), list_at(b, has_pairs, i));
  if (is_ordered || count > most_compared) return is_ordered;
  for (uint32_t i = 0; i < count; i++) {
    Ints list = list_at(a, has_pairs, i);
    if (times_listed(a, has_pairs, list) != times_listed(b, has_pairs, list)) return false;
  }
  return true;
}

/* Whether the first leaves of the start's output are its operands. */
static bool start_holds_operands(const Instruction *start) {
  bool is_start = start->opcode == HLO_ALL_GATHER_START ||
                  (start->opcode == HLO_COLLECTIVE_PERMUTE_START && start->operand_count == 1);
  if (!is_start || shape_leaf_count(start->shape) < 2 * start->operand_count) return false;
  for (uint32_t i = 0; i < start->operand_count; i++)
    if (!shape_is_array(start->operands[i]->shape) ||
        !shape_compatible(start->operands[i]->shape, shape_leaf(start->shape, i)))
      return false;
  return true;
}

Opcode collective_of(const Instruction *instruction) {
  if (instruction->opcode == HLO_ALL_REDUCE_START) return HLO_ALL_REDUCE;
  if (!start_holds_operands(instruction)) return instruction->opcode;
  return instruction->opcode == HLO_ALL_GATHER_START ? HLO_ALL_GATHER : HLO_COLLECTIVE_PERMUTE;
}

uint32_t collective_first_result(const Instruction *instruction) {
  return start_holds_operands(instruction) ? instruction->operand_count : 0;
}
