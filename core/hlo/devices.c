/* The mode follows from channel_id and use_global_device_ids; operations without the second
 * attribute (all-to-all, permute, broadcast) use partitions if they have a channel. Global ids need
 * groups, so that none do not mean all. Instructions with the same number of devices share their
 * group. More than 1,048,576 devices are left as they are written. */
#include "core/hlo/devices.h"

#include "core/base/checked.h"
#include "core/hlo/header.h"

static bool has_global_ids(Opcode opcode) {
  return opcode == HLO_ALL_REDUCE || opcode == HLO_ALL_REDUCE_START || opcode == HLO_ALL_GATHER ||
         opcode == HLO_ALL_GATHER_START || opcode == HLO_REDUCE_SCATTER;
}

bool device_mode(const Instruction *collective, DeviceMode *mode) {
  bool has_channel = collective->channel_id >= 0;
  if (!has_channel) *mode = DEVICE_REPLICAS;
  else if (!has_global_ids(collective->opcode)) *mode = DEVICE_PARTITIONS;
  else
    *mode = collective->use_global_device_ids ? DEVICE_FLATTENED : DEVICE_REPLICAS_ALL_PARTITIONS;
  return has_channel || !collective->use_global_device_ids;
}

int64_t device_id_count(const Module *module, const Instruction *collective) {
  DeviceMode mode;
  int64_t count = 0;
  if (!device_mode(collective, &mode)) return 0;
  switch (mode) {
    case DEVICE_REPLICAS:
    case DEVICE_REPLICAS_ALL_PARTITIONS: count = module->replicas; break;
    case DEVICE_PARTITIONS: count = module->partitions; break;
    case DEVICE_FLATTENED:
      if (!mul64(module->replicas > 0 ? module->replicas : 1,
              module->partitions > 0 ? module->partitions : 1, &count))
        return 0;
      break;
  }
  return count > 1 ? count : 0;
}

static int64_t stated_number(const Module *module, const char *name) {
  Slice value;
  if (!header_value(module, name, &value) || value.length > 18) return 0;
  int64_t number = 0;
  for (size_t i = 0; i < value.length; i++) {
    if (value.text[i] < '0' || value.text[i] > '9') return 0;
    number = 10 * number + (value.text[i] - '0');
  }
  return number;
}

void hlo_read_devices(Module *module) {
  module->replicas = stated_number(module, "replica_count");
  module->partitions = stated_number(module, "num_partitions");
}

static bool has_groups(const Instruction *instruction) {
  return opcode_family(instruction->opcode) == FAMILY_COLLECTIVE &&
         opcode_group(instruction->opcode) != GROUP_collective_done &&
         opcode_group(instruction->opcode) != GROUP_collective_permute &&
         opcode_group(instruction->opcode) != GROUP_collective_permute_start;
}

static const ReplicaGroups *group_of_all(Arena *arena, int64_t count) {
  ReplicaGroups *all = ARENA_NEW(arena, ReplicaGroups, 1);
  Ints *group = ARENA_NEW(arena, Ints, 1);
  *group = (Ints){.count = (uint32_t)count, .values = ARENA_NEW(arena, int64_t, count)};
  for (int64_t i = 0; i < count; i++) group->values[i] = i;
  *all = (ReplicaGroups){.count = 1, .groups = group};
  return all;
}

static void mark_instruction(
    Arena *arena, const Module *module, Instruction *instruction, const ReplicaGroups *last[2]) {
  static constexpr int64_t most_devices = 1 << 20;
  const ReplicaGroups *written = instruction->replica_groups;
  DeviceMode mode;
  if (!has_groups(instruction) || (written != nullptr && written->count > 0) ||
      !device_mode(instruction, &mode) || mode == DEVICE_FLATTENED)
    return;
  int64_t count = device_id_count(module, instruction);
  if (count == 0 || count > most_devices) return;
  const ReplicaGroups **all = &last[mode == DEVICE_PARTITIONS];
  if (*all == nullptr) *all = group_of_all(arena, count);
  instruction->all_devices = *all;
}

void hlo_mark_devices(Arena *arena, const Module *module) {
  const ReplicaGroups *last[2] = {};
  for (uint32_t i = 0; i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++)
      mark_instruction(arena, module, module->computations[i]->instructions[k], last);
}
