/* Compares the two numbers in the headers as they are written. Instructions are recognised by the
 * group of their opcode. */
#include "judge/graphs/device_counts.h"

#include <string.h>

#include "core/hlo/attribute.h"
#include "core/hlo/devices.h"
#include "core/hlo/header.h"
#include "judge/graphs/effects.h"

static bool states_equal(const Module *before, const Module *after, const char *name) {
  static const Slice one = {.text = "1", .length = 1};
  Slice a, b;
  if (!header_value(before, name, &a)) a = one;
  if (!header_value(after, name, &b)) b = one;
  return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static bool speaks_of_devices(const Instruction *instruction) {
  bool is_transfer = instruction->opcode == HLO_SEND || instruction->opcode == HLO_RECV ||
                     instruction->opcode == HLO_SEND_DONE || instruction->opcode == HLO_RECV_DONE;
  return instruction->opcode == HLO_PARTITION_ID || instruction->opcode == HLO_REPLICA_ID ||
         opcode_family(instruction->opcode) == FAMILY_COLLECTIVE ||
         (is_transfer && !attribute_is(instruction, "is_host_transfer", "true"));
}

static const char replicas[] = "replica_count", partitions[] = "num_partitions";

static const Instruction *found_in_either(
    const Module *before, const Module *after, bool (*is_it)(const Instruction *)) {
  const Instruction *found = module_find(before, is_it);
  return found != nullptr ? found : module_find(after, is_it);
}

/* Each device has its effects, so their number is that of the devices. */
static bool depends_on_devices(const Instruction *instruction) {
  return speaks_of_devices(instruction) || instruction_has_effect(instruction);
}

const Instruction *instruction_over_devices(const Module *before, const Module *after) {
  bool is_equal = states_equal(before, after, replicas) && states_equal(before, after, partitions);
  return is_equal ? nullptr : found_in_either(before, after, depends_on_devices);
}

/* Whether groups or pairs name each device by one of its two numbers, so that the numbers of
 * devices do not matter. If the group has all partitions, or ids are flattened, that of partitions
 * does. */
static bool names_its_devices(const Instruction *instruction, bool has_equal_partitions) {
  OpcodeGroup group = opcode_group(instruction->opcode);
  const ReplicaGroups *groups = instruction->replica_groups;
  DeviceMode mode;
  if (group == GROUP_collective_done || group == GROUP_collective_permute ||
      group == GROUP_collective_permute_start)
    return true;
  if (groups == nullptr || groups->count == 0 || !device_mode(instruction, &mode)) return false;
  return mode == DEVICE_REPLICAS || mode == DEVICE_PARTITIONS || has_equal_partitions;
}

static bool depends_on_replicas(const Instruction *instruction) {
  return speaks_of_devices(instruction) && !names_its_devices(instruction, true);
}

static bool depends_on_partitions(const Instruction *instruction) {
  return speaks_of_devices(instruction) && !names_its_devices(instruction, false);
}

const Instruction *instruction_over_counts(const Module *before, const Module *after) {
  if (!states_equal(before, after, partitions))
    return found_in_either(before, after, depends_on_partitions);
  return states_equal(before, after, replicas)
             ? nullptr
             : found_in_either(before, after, depends_on_replicas);
}
