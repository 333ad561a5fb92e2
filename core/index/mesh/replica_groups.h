/* The devices that take part in a collective together, as arithmetic progressions. A device is a
 * pair (replica, partition) of a mesh. Groups list ids; the mode defines what an id is. */
#ifndef CORE_INDEX_MESH_REPLICA_GROUPS_H
#define CORE_INDEX_MESH_REPLICA_GROUPS_H

#include "core/hlo/devices.h"
#include "core/index/index.h"

typedef struct DeviceGroups {
  DeviceMode mode;
  uint32_t count;
  Ints *groups; /* nonempty; no id occurs twice, and each is in the mesh */
} DeviceGroups;
/* False with a reason if the attributes imply no mode, or groups name devices outside the mesh.
 * Without groups: one group of all ids. */
[[nodiscard]] bool device_groups(Arena *arena, const Instruction *collective, IndexMesh mesh,
    DeviceGroups *groups, const char **reason);

/* The members first, first + step, ..; `place` is the position of the first one in its group. */
typedef struct DeviceRun {
  int64_t first, step, position;
  uint32_t count;
} DeviceRun;
typedef struct DeviceRuns {
  uint32_t count, capacity;
  DeviceRun *items;
} DeviceRuns;
/* Splits the members into runs, greedily from the front. `sorted`: in ascending order, so that
 * positions mean nothing. */
[[nodiscard]] DeviceRuns device_runs(Arena *arena, Ints members, bool sorted);

/* Consecutive groups of one run each, shifted by the same stride > 0: either each group ends before
 * the next begins, or all groups lie between two neighbours of the first. */
typedef struct DeviceFamily {
  DeviceRun run; /* of the first group */
  int64_t stride;
  uint32_t count; /* number of groups; 0: the first group is not one run */
} DeviceFamily;
[[nodiscard]] DeviceFamily device_family(
    Arena *arena, const DeviceGroups *groups, uint32_t first, bool sorted);

/* The pairs of a permute, sorted by target: runs of targets and the corresponding runs of sources.
 * False with a reason, for example if a target has two sources. */
typedef struct DevicePairs {
  DeviceRuns targets, sources; /* corresponding runs have equal counts */
} DevicePairs;
[[nodiscard]] bool device_pairs(Arena *arena, const Instruction *permute, IndexMesh mesh,
    DeviceMode mode, DevicePairs *pairs, const char **reason);

#endif
