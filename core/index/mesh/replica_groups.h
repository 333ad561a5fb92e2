/* Which devices take part in a collective together, as arithmetic progressions.
 * A device is a pair (replica, partition) of a world. Groups list ids; what an id is, the mode
 * says: */
#ifndef CORE_INDEX_REPLICA_GROUPS_H
#define CORE_INDEX_REPLICA_GROUPS_H

#include "core/index/index.h"

typedef enum DeviceMode : uint8_t {
  DEVICE_REPLICAS,                /* a replica; members are of the same partition */
  DEVICE_PARTITIONS,              /* a partition; members are of the same replica */
  DEVICE_REPLICAS_ALL_PARTITIONS, /* a replica; all its partitions are members, one after the other
                                   */
  DEVICE_FLATTENED,               /* replica * partitions + partition */
} DeviceMode;

typedef struct DeviceGroups {
  DeviceMode mode;
  uint32_t count;
  Ints *groups; /* no id twice, each in the world; none is empty */
} DeviceGroups;
/* False with a reason where the attributes imply no mode, or groups name what is not there. Without
 * groups: one of all ids. */
[[nodiscard]] bool device_groups(Arena *arena, const Instruction *collective, IndexWorld world,
    DeviceGroups *groups, const char **reason);

/* Members first, first + step, ..; the first of them stands at `place` of its group. */
typedef struct DeviceRun {
  int64_t first, step, place;
  uint32_t count;
} DeviceRun;
typedef struct DeviceRuns {
  uint32_t count, capacity;
  DeviceRun *items;
} DeviceRuns;
/* The members as few runs as a walk from the front finds; `sorted`: in ascending order, places
 * meaningless. */
[[nodiscard]] DeviceRuns device_runs(Arena *arena, Ints members, bool sorted);

/* Consecutive groups of one run each, moved by the same stride > 0: either a group ends before the
 * next begins, or all groups lie between two neighbours of the first. */
typedef struct DeviceFamily {
  DeviceRun run; /* of the first group */
  int64_t stride;
  uint32_t count; /* groups; 0: the first group is not one run */
} DeviceFamily;
[[nodiscard]] DeviceFamily device_family(
    Arena *arena, const DeviceGroups *groups, uint32_t first, bool sorted);

/* Pairs of a permutation by target: runs of targets, and of their sources beside them. False with a
 * reason for a target with two sources. */
typedef struct DevicePairs {
  DeviceRuns targets, sources; /* of the same counts */
} DevicePairs;
[[nodiscard]] bool device_pairs(Arena *arena, const Instruction *permute, IndexWorld world,
    DeviceMode mode, DevicePairs *pairs, const char **reason);
[[nodiscard]] bool device_mode(const Instruction *collective, DeviceMode *mode);

#endif
