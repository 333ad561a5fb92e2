/* The devices that a collective names. A device is a pair (replica, partition). Groups list ids;
 * the mode defines what an id is. */
#ifndef CORE_HLO_DEVICES_H
#define CORE_HLO_DEVICES_H

#include "core/hlo/graph.h"

typedef enum DeviceMode : uint8_t {
  DEVICE_REPLICAS,                /* a replica; members have the same partition */
  DEVICE_PARTITIONS,              /* a partition; members have the same replica */
  DEVICE_REPLICAS_ALL_PARTITIONS, /* a replica; all its partitions are members, one after the
                                   * other */
  DEVICE_FLATTENED,               /* replica * partitions + partition */
} DeviceMode;

/* False if the attributes imply no mode: global ids without a channel. */
[[nodiscard]] bool device_mode(const Instruction *collective, DeviceMode *mode);

/* The number of ids of the collective's mode in a run of the module. 0 if it is not known: the
 * header does not state it. As in XLA's verifier, a number of 1 is as if it were not stated. */
[[nodiscard]] int64_t device_id_count(const Module *module, const Instruction *collective);

/* Reads the numbers of devices of the header. */
void hlo_read_devices(Module *module);
/* Sets `all_devices` of each instruction. */
void hlo_mark_devices(Arena *arena, const Module *module);

/* The groups that act: those of the text, or the one of all devices. May be nullptr. */
[[nodiscard]] static inline const ReplicaGroups *instruction_groups(
    const Instruction *instruction) {
  return instruction->all_devices != nullptr ? instruction->all_devices
                                             : instruction->replica_groups;
}

#endif
