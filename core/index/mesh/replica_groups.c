/* Two members form a run only if their ids are neighbours: otherwise two runs print more clearly
 * than a modulo. */
#include "core/index/mesh/replica_groups.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/checked.h"

static bool id_count(DeviceMode mode, IndexMesh mesh, int64_t *count) {
  if (mode == DEVICE_FLATTENED) return mul64(mesh.replicas, mesh.partitions, count);
  *count = mode == DEVICE_PARTITIONS ? mesh.partitions : mesh.replicas;
  return true;
}

static Ints sorted_copy(Arena *arena, Ints members) {
  Ints copy = {members.count, ARENA_NEW(arena, int64_t, members.count)};
  if (members.count == 0) return copy;
  memcpy(copy.values, members.values, members.count * sizeof *copy.values);
  qsort(copy.values, copy.count, sizeof *copy.values, order64_at);
  return copy;
}

/* Checks that each id occurs once and is in the mesh. */
static bool check_ids(Arena *arena, Ints ids, int64_t count, const char **reason) {
  Ints sorted = sorted_copy(arena, ids);
  for (uint32_t i = 0; i < sorted.count; i++) {
    *reason = "a group names a device that is not there";
    if (sorted.values[i] < 0 || sorted.values[i] >= count) return false;
    *reason = "a device is named twice";
    if (i > 0 && sorted.values[i] == sorted.values[i - 1]) return false;
  }
  return true;
}

typedef struct Ids {
  uint32_t count, capacity;
  int64_t *items;
} Ids;

static bool take_groups(Arena *arena, const ReplicaGroups *written, int64_t ids,
    DeviceGroups *groups, const char **reason) {
  Ids all = {};
  groups->groups = ARENA_NEW(arena, Ints, written->count);
  for (uint32_t i = 0; i < written->count; i++) {
    if (written->groups[i].count == 0) continue;
    groups->groups[groups->count++] = written->groups[i];
    for (uint32_t k = 0; k < written->groups[i].count; k++)
      *ARENA_PUSH(arena, &all) = written->groups[i].values[k];
  }
  return check_ids(arena, (Ints){all.count, all.items}, ids, reason);
}

bool device_groups(Arena *arena, const Instruction *collective, IndexMesh mesh,
    DeviceGroups *groups, const char **reason) {
  static constexpr int64_t most_devices = 1 << 20;
  *groups = (DeviceGroups){};
  *reason = "global device ids without a channel";
  if (!device_mode(collective, &groups->mode)) return false;
  int64_t ids;
  *reason = "a run of more than 1,048,576 devices";
  if (!id_count(groups->mode, mesh, &ids) || ids > most_devices) return false;
  const ReplicaGroups *written = collective->replica_groups;
  if (written != nullptr && !take_groups(arena, written, ids, groups, reason)) return false;
  if (groups->count > 0) return true;
  *reason = "global device ids without groups";
  if (groups->mode == DEVICE_FLATTENED) return false;
  groups->groups = ARENA_NEW(arena, Ints, 1);
  groups->groups[groups->count++] = (Ints){(uint32_t)ids, ARENA_NEW(arena, int64_t, ids)};
  for (int64_t i = 0; i < ids; i++) groups->groups[0].values[i] = i;
  return true;
}

/* The number of members, from the first on, that form one progression. */
static uint32_t run_length(Ints members) {
  if (members.count < 2) return members.count;
  int64_t step = members.values[1] - members.values[0];
  uint32_t length = 2;
  while (length < members.count && members.values[length] - members.values[length - 1] == step)
    length++;
  return length == 2 && step != 1 && step != -1 && members.count > 2 ? 1 : length;
}

static DeviceRun run_at(Ints members, uint32_t position, uint32_t length) {
  const int64_t *first = members.values + position;
  return (DeviceRun){.first = *first,
      .step = length > 1 ? first[1] - first[0] : 1,
      .position = position,
      .count = length};
}

DeviceRuns device_runs(Arena *arena, Ints members, bool sorted) {
  DeviceRuns runs = {};
  if (sorted) members = sorted_copy(arena, members);
  for (uint32_t position = 0; position < members.count;) {
    uint32_t length = run_length((Ints){members.count - position, members.values + position});
    *ARENA_PUSH(arena, &runs) = run_at(members, position, length);
    position += length;
  }
  return runs;
}

static bool one_run(Arena *arena, Ints members, bool sorted, DeviceRun *run) {
  DeviceRuns runs = device_runs(arena, members, sorted);
  if (runs.count != 1) return false;
  *run = runs.items[0];
  return true;
}

/* Ids are below 2^20, so that no product leaves int64. */
static bool nests(const DeviceFamily *family, uint32_t count) {
  const DeviceRun *run = &family->run;
  return (run->count - 1) * run->step < family->stride || (count - 1) * family->stride < run->step;
}

DeviceFamily device_family(Arena *arena, const DeviceGroups *groups, uint32_t first, bool sorted) {
  DeviceFamily family = {.stride = 1};
  assert(first < groups->count);
  if (!one_run(arena, groups->groups[first], sorted, &family.run)) return family;
  family.count = 1;
  for (uint32_t i = first + 1; i < groups->count && family.run.step > 0; i++) {
    DeviceRun next;
    if (!one_run(arena, groups->groups[i], sorted, &next)) break;
    int64_t stride = next.first - family.run.first;
    if (family.count == 1) family.stride = stride;
    bool fits = stride == family.stride * family.count && stride > 0 &&
                next.step == family.run.step && next.count == family.run.count;
    if (!fits || !nests(&family, family.count + 1)) break;
    family.count++;
  }
  if (family.count == 1) family.stride = 1;
  return family;
}

typedef struct ReplicaGroupsPair {
  int64_t target, source;
} ReplicaGroupsPair;

static int compare_pairs(const void *a, const void *b) {
  return order64_at(
      &((const ReplicaGroupsPair *)a)->target, &((const ReplicaGroupsPair *)b)->target);
}

static ReplicaGroupsPair *sorted_pairs(Arena *arena, const Ints *written, uint32_t count) {
  ReplicaGroupsPair *pairs = ARENA_NEW(arena, ReplicaGroupsPair, count);
  for (uint32_t i = 0; i < count; i++)
    pairs[i] = (ReplicaGroupsPair){written->values[2 * i + 1], written->values[2 * i]};
  if (count > 0) qsort(pairs, count, sizeof *pairs, compare_pairs);
  return pairs;
}

/* The number of pairs, from the first on, in which targets and sources both have even steps. */
static uint32_t pair_length(const ReplicaGroupsPair *pairs, uint32_t count) {
  if (count < 2) return count;
  int64_t target = pairs[1].target - pairs[0].target, source = pairs[1].source - pairs[0].source;
  uint32_t length = 2;
  while (length < count && pairs[length].target - pairs[length - 1].target == target &&
         pairs[length].source - pairs[length - 1].source == source)
    length++;
  return length == 2 && (target != 1 || source != 1) ? 1 : length;
}

bool device_pairs(Arena *arena, const Instruction *permute, IndexMesh mesh, DeviceMode mode,
    DevicePairs *pairs, const char **reason) {
  uint32_t count = permute->source_target_pairs.count / 2;
  ReplicaGroupsPair *sorted = sorted_pairs(arena, &permute->source_target_pairs, count);
  Ints targets = {count, ARENA_NEW(arena, int64_t, count)},
       sources = {count, ARENA_NEW(arena, int64_t, count)};
  int64_t ids;
  *pairs = (DevicePairs){};
  *reason = "a run of more devices than int64 holds";
  if (!id_count(mode, mesh, &ids)) return false;
  for (uint32_t i = 0; i < count; i++) {
    targets.values[i] = sorted[i].target;
    sources.values[i] = sorted[i].source;
    *reason = "a pair names a device that is not there";
    if (sorted[i].source < 0 || sorted[i].source >= ids) return false;
  }
  if (!check_ids(arena, targets, ids, reason)) return false;
  for (uint32_t at = 0; at < count;) {
    uint32_t length = pair_length(sorted + at, count - at);
    *ARENA_PUSH(arena, &pairs->targets) = run_at(targets, at, length);
    *ARENA_PUSH(arena, &pairs->sources) = run_at(sources, at, length);
    at += length;
  }
  return true;
}
