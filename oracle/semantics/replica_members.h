/* The devices of a run, and the members of each collective group. Devices are numbered replica *
 * partitions + partition. */
#ifndef ORACLE_SEMANTICS_REPLICA_MEMBERS_H
#define ORACLE_SEMANTICS_REPLICA_MEMBERS_H

#include "oracle/semantics/rejection.h"
#include "oracle/semantics/replica.h"

static constexpr int64_t replica_most_devices = INT64_C(1) << 20;
static constexpr int64_t replica_no_device = -1;

/* One group as devices, in the order of its members. */
typedef struct Members {
  int64_t count;
  int64_t *devices;
} Members;

typedef struct ReplicaGathering {
  ReplicaWorld world;
  int64_t device_count;
  uint32_t group_count;
  Members *groups;
  const Members **group_of; /* [device_count], nullptr if the device is in no group */
  int64_t *member_of;       /* [device_count]: its number in its group */
  int64_t *source_of; /* collective-permute, [device_count]: replica_no_device if the device is no
                         target */
} ReplicaGathering;

/* Rejects worlds that are too large, groups and pairs that do not fit the world, and instructions
 * without a mode. */
[[nodiscard]] bool gathering_create(ReplicaGathering *gathering, Arena *arena,
    const Instruction *instruction, ReplicaWorld world, Rejection *rejection);

/* The reads of one element of an output leaf on one device from one operand: pairs (device,
 * element), appended in any order, each once. */
typedef struct ReplicaRead {
  int64_t device, element;
} ReplicaRead;

typedef struct ReplicaReads {
  Arena *arena;
  Rejection *rejection;
  const ReplicaGathering *gathering;
  const Instruction *instruction;
  uint32_t output_leaf, operand;
  const Shape *output, *input; /* the leaves */
  uint32_t count, capacity;
  ReplicaRead *items;
} ReplicaReads;

/* Checks that the collective is implemented, that output leaf and operand belong to it, and that
 * their shapes fit its groups. */
[[nodiscard]] bool replica_reads_create(ReplicaReads *reads, Arena *arena,
    const ReplicaGathering *gathering, const Instruction *instruction, uint32_t output_leaf,
    uint32_t operand, uint32_t operand_leaf, Rejection *rejection);
/* Replaces the list by the reads of the output element with index `at` on `device`. */
void replica_reads_of(ReplicaReads *reads, int64_t device, const int64_t *at);

#endif
