/* Modes, worlds and groups. A group's members are the devices of its ids in its mode, in the order
 * of the ids. If an id denotes several devices, they are ordered by partition. Keeps: a device is
 * in at most one group, and is the target of at most one pair. */
#include "oracle/semantics/replica_members.h"

#include <assert.h>

static bool is_reducing_or_gathering(Opcode opcode) {
  return opcode == HLO_ALL_REDUCE || opcode == HLO_ALL_REDUCE_START ||
         opcode == HLO_REDUCE_SCATTER || opcode == HLO_ALL_GATHER || opcode == HLO_ALL_GATHER_START;
}

static bool is_permuting(Opcode opcode) {
  return opcode == HLO_COLLECTIVE_PERMUTE || opcode == HLO_COLLECTIVE_PERMUTE_START;
}

/* The mode that an instruction's attributes imply. False if they imply none: the instruction is not
 * a collective of the list in replica.h, or has global ids without a channel. */
static bool replica_mode(const Instruction *instruction, ReplicaMode *mode) {
  bool has_channel = instruction->channel_id >= 0, is_global = instruction->use_global_device_ids;
  if (is_reducing_or_gathering(instruction->opcode)) {
    *mode = !has_channel ? REPLICA_CROSS_REPLICA
            : is_global  ? REPLICA_FLATTENED_IDS
                         : REPLICA_CROSS_REPLICA_AND_PARTITION;
    return has_channel || !is_global;
  }
  *mode = has_channel ? REPLICA_CROSS_PARTITION : REPLICA_CROSS_REPLICA;
  return is_permuting(instruction->opcode) || instruction->opcode == HLO_ALL_TO_ALL ||
         instruction->opcode == HLO_COLLECTIVE_BROADCAST;
}

static int64_t largest_of(const Ints *ids, int64_t largest) {
  for (uint32_t i = 0; i < ids->count; i++)
    if (ids->values[i] > largest) largest = ids->values[i];
  return largest;
}

bool replica_smallest_world(const Instruction *instruction, ReplicaWorld *world) {
  ReplicaMode mode;
  if (!replica_mode(instruction, &mode)) return false;
  int64_t largest =
      is_permuting(instruction->opcode) ? largest_of(&instruction->source_target_pairs, 0) : 0;
  const ReplicaGroups *groups = instruction->replica_groups;
  for (uint32_t i = 0; groups != nullptr && i < groups->count; i++)
    largest = largest_of(&groups->groups[i], largest);
  bool counts_partitions = mode == REPLICA_CROSS_PARTITION || mode == REPLICA_FLATTENED_IDS;
  if (largest >= replica_most_devices) return false;
  *world = (ReplicaWorld){.replicas = counts_partitions ? 1 : largest + 1,
      .partitions = counts_partitions ? largest + 1 : 1};
  return true;
}

/* --- groups --- */

/* The number of ids in a mode, of copies of the groups that run side by side, and of devices per id
 * in one copy. */
typedef struct DeviceNumbering {
  int64_t ids, copies, devices_per_id;
} DeviceNumbering;

static DeviceNumbering numbering_of(ReplicaMode mode, ReplicaWorld world) {
  switch (mode) {
    case REPLICA_CROSS_REPLICA: return (DeviceNumbering){world.replicas, world.partitions, 1};
    case REPLICA_CROSS_PARTITION: return (DeviceNumbering){world.partitions, world.replicas, 1};
    case REPLICA_CROSS_REPLICA_AND_PARTITION:
      return (DeviceNumbering){world.replicas, 1, world.partitions};
    case REPLICA_FLATTENED_IDS: break;
  }
  return (DeviceNumbering){world.replicas * world.partitions, 1, 1};
}

static int64_t device_of(
    ReplicaMode mode, ReplicaWorld world, int64_t copy, int64_t id, int64_t part) {
  switch (mode) {
    case REPLICA_CROSS_REPLICA: return id * world.partitions + copy;
    case REPLICA_CROSS_PARTITION: return copy * world.partitions + id;
    case REPLICA_CROSS_REPLICA_AND_PARTITION: return id * world.partitions + part;
    case REPLICA_FLATTENED_IDS: break;
  }
  return id;
}

static bool reject_id(
    const Instruction *instruction, int64_t id, int64_t ids, Rejection *rejection) {
  return reject(rejection, REASON_UNSUPPORTED,
      "'%s' names %lld, which is not one of the run's ids 0 to %lld", instruction->name,
      (long long)id, (long long)ids - 1);
}

static bool add_member(ReplicaGathering *gathering, Members *group, const Instruction *instruction,
    int64_t device, Rejection *rejection) {
  assert(device >= 0 && device < gathering->device_count);
  if (gathering->group_of[device] != nullptr)
    return reject(rejection, REASON_UNSUPPORTED, "'%s' has a device in two groups, or twice in one",
        instruction->name);
  gathering->group_of[device] = group;
  gathering->member_of[device] = group->count;
  group->devices[group->count++] = device;
  return true;
}

/* Adds one group of ids, once per copy. */
static bool add_group(ReplicaGathering *gathering, Arena *arena, const Instruction *instruction,
    ReplicaMode mode, const Ints *ids, Rejection *rejection) {
  DeviceNumbering numbering = numbering_of(mode, gathering->world);
  for (int64_t copy = 0; copy < numbering.copies; copy++) {
    Members *group = &gathering->groups[gathering->group_count++];
    group->devices = ARENA_NEW(arena, int64_t, ids->count *numbering.devices_per_id);
    for (uint32_t i = 0; i < ids->count; i++) {
      if (ids->values[i] < 0 || ids->values[i] >= numbering.ids)
        return reject_id(instruction, ids->values[i], numbering.ids, rejection);
      for (int64_t part = 0; part < numbering.devices_per_id; part++)
        if (!add_member(gathering, group, instruction,
                device_of(mode, gathering->world, copy, ids->values[i], part), rejection))
          return false;
    }
    assert(group->count == ids->count * numbering.devices_per_id);
  }
  return true;
}

static Ints all_ids(Arena *arena, int64_t count) {
  Ints ids = {.count = (uint32_t)count, .values = ARENA_NEW(arena, int64_t, count)};
  for (int64_t i = 0; i < count; i++) ids.values[i] = i;
  return ids;
}

/* One empty group is equivalent to no groups. */
static bool has_groups(const ReplicaGroups *groups) {
  return groups != nullptr && groups->count > 0 &&
         !(groups->count == 1 && groups->groups[0].count == 0);
}

static bool create_groups(ReplicaGathering *gathering, Arena *arena, const Instruction *instruction,
    ReplicaMode mode, Rejection *rejection) {
  const ReplicaGroups *groups = instruction->replica_groups;
  DeviceNumbering numbering = numbering_of(mode, gathering->world);
  Ints all = {};
  bool is_listed = has_groups(groups);
  if (!is_listed && mode == REPLICA_FLATTENED_IDS)
    return reject(rejection, REASON_UNSUPPORTED, "'%s' has global device ids and no groups of them",
        instruction->name);
  if (!is_listed) all = all_ids(arena, numbering.ids);
  uint32_t count = is_listed ? groups->count : 1;
  gathering->groups = ARENA_NEW(arena, Members, (size_t)count * (size_t)numbering.copies);
  for (uint32_t i = 0; i < count; i++)
    if (!add_group(
            gathering, arena, instruction, mode, is_listed ? &groups->groups[i] : &all, rejection))
      return false;
  return true;
}

static bool create_pairs(ReplicaGathering *gathering, const Instruction *instruction,
    ReplicaMode mode, Rejection *rejection) {
  const Ints *pairs = &instruction->source_target_pairs;
  DeviceNumbering numbering = numbering_of(mode, gathering->world);
  assert(numbering.devices_per_id == 1);
  for (uint32_t i = 0; i + 1 < pairs->count; i += 2) {
    for (uint32_t k = i; k < i + 2; k++)
      if (pairs->values[k] < 0 || pairs->values[k] >= numbering.ids)
        return reject_id(instruction, pairs->values[k], numbering.ids, rejection);
    for (int64_t copy = 0; copy < numbering.copies; copy++) {
      int64_t target = device_of(mode, gathering->world, copy, pairs->values[i + 1], 0);
      if (gathering->source_of[target] != replica_no_device)
        return reject(rejection, REASON_UNSUPPORTED, "'%s' has two sources for one target",
            instruction->name);
      gathering->source_of[target] = device_of(mode, gathering->world, copy, pairs->values[i], 0);
    }
  }
  return true;
}

bool gathering_create(ReplicaGathering *gathering, Arena *arena, const Instruction *instruction,
    ReplicaWorld world, Rejection *rejection) {
  ReplicaMode mode;
  if (!replica_mode(instruction, &mode))
    return reject(rejection, REASON_UNSUPPORTED, "%s '%s' does not say which devices take part",
        opcode_name(instruction->opcode), instruction->name);
  if (world.replicas < 1 || world.partitions < 1 ||
      world.replicas > replica_most_devices / world.partitions)
    return reject(rejection, REASON_TOO_LARGE, "a run of %s of %lld partitions is not judged",
        counted(world.replicas, "replica"), (long long)world.partitions);
  *gathering =
      (ReplicaGathering){.world = world, .device_count = world.replicas * world.partitions};
  gathering->group_of = ARENA_NEW(arena, const Members *, gathering->device_count);
  gathering->member_of = ARENA_NEW(arena, int64_t, gathering->device_count);
  gathering->source_of = ARENA_NEW(arena, int64_t, gathering->device_count);
  for (int64_t i = 0; i < gathering->device_count; i++) gathering->source_of[i] = replica_no_device;
  return is_permuting(instruction->opcode)
             ? create_pairs(gathering, instruction, mode, rejection)
             : create_groups(gathering, arena, instruction, mode, rejection);
}
