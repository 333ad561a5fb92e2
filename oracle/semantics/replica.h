/* Collectives across devices, by enumeration: for an element of the output on one device, the
 * elements of the operand that are read, and their devices.
 * A device is a pair (replica, partition); a run has `replicas` * `partitions` of them. The devices
 * that take part together follow from replica_groups and the mode, which channel_id and
 * use_global_device_ids imply:
 *   cross-replica      no channel: groups list replicas; the members are those replicas of the
 *                      same partition
 *   cross-partition    a channel, on all-to-all, collective-permute and collective-broadcast:
 *                      groups list partitions; the members are those partitions of the same replica
 *   cross-replica-and-partition
 *                      a channel on the other collectives, without global ids: groups list
 *                      replicas; the members are all partitions of each, replicas outermost
 *   flattened ids      a channel and global ids: groups list replica * partitions + partition
 * No groups at all: one group of all ids in order (flattened ids need groups). Members are numbered
 * in the order of their group. m is the member number of the output element's device:
 *   all-reduce            the same element of every member
 *   all-gather            along the gathered dimension, block q of the output is the operand of
 *                         member q
 *   reduce-scatter        along the scattered dimension, element m * (output size) + i of every
 *                         member
 *   all-to-all            one operand: block q of the output is block m of member q;
 *                         several: output q is operand m of member q
 *   collective-permute    the same element of the source whose target this device is; none if it is
 *                         no target
 *   collective-broadcast  the same element of the group's first member
 * An output on a device of no group reads nothing (a collective-broadcast or -permute returns zeros
 * there). Rejected: groups that name a device twice or one that does not exist, groups of several
 * sizes if the shape depends on the size, global ids without a channel, ragged-all-to-all, and
 * bodies of async operations. */
#ifndef ORACLE_SEMANTICS_REPLICA_H
#define ORACLE_SEMANTICS_REPLICA_H

#include "oracle/oracle.h"

typedef struct ReplicaWorld {
  int64_t replicas, partitions; /* at least 1 each */
} ReplicaWorld;

typedef struct ReplicaElement {
  int64_t replica, partition, element; /* row-major number of the element in its leaf */
} ReplicaElement;

typedef struct ReplicaElements {
  uint32_t count, capacity;
  ReplicaElement *items; /* ascending by replica, partition, element; each once */
} ReplicaElements;

typedef enum ReplicaMode : uint8_t {
  REPLICA_CROSS_REPLICA,
  REPLICA_CROSS_PARTITION,
  REPLICA_CROSS_REPLICA_AND_PARTITION,
  REPLICA_FLATTENED_IDS,
} ReplicaMode;

/* The smallest run that contains every device that groups or pairs name; one replica and one
 * partition if they name none. */
[[nodiscard]] bool replica_smallest_world(const Instruction *instruction, ReplicaWorld *world);

/* Lists what one output element on one device reads of an operand. `world` is a run as above. The
 * elements live as long as the oracle. Returns false, with the reason in `error`, if the collective
 * is rejected. */
[[nodiscard]] bool replica_reads(Oracle *oracle, const Instruction *instruction, ReplicaWorld world,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, ReplicaElement output,
    ReplicaElements *reads, Error *error);

/* Judges the union of `maps` over a whole run. Dimensions and results begin with the device: either
 * (replica, partition, index..), or (replica * partitions + partition, index..). The form is the
 * same in all maps, for dimensions and results. In a run of one partition (of one replica) that
 * number is the replica (the partition). Runtime variables are rejected. In the verdict, point and
 * element begin with replica and partition. */
[[nodiscard]] bool replica_output_to_input(Oracle *oracle, const Instruction *instruction,
    ReplicaWorld world, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf,
    uint32_t map_count, const Map *const *maps, Verdict *verdict, Error *error);
[[nodiscard]] bool replica_input_to_output(Oracle *oracle, const Instruction *instruction,
    ReplicaWorld world, uint32_t operand, uint32_t operand_leaf, uint32_t output_leaf,
    uint32_t map_count, const Map *const *maps, Verdict *verdict, Error *error);

#endif
