/* The devices that a collective names. As in XLA's verifier, no group is empty, the groups name
 * each of 0 to n - 1 once, where n is the number of devices if the header states it, and a device
 * sends at most once and receives at most once in a permute. A permute of slices may name a device
 * several times, with other offsets each time. A permute, and as in XLA the groups of a
 * collective-broadcast, may leave devices out. */
#include <inttypes.h>
#include <stdlib.h>

#include "core/base/checked.h"
#include "core/hlo/devices.h"
#include "core/hlo/verify/check.h"

static bool check_once(const Check *check, const char *name, const char *does, Ints sorted) {
  if (sorted.count > 1) qsort(sorted.values, sorted.count, sizeof *sorted.values, order64_at);
  for (uint32_t i = 1; i < sorted.count; i++) {
    if (sorted.values[i] == sorted.values[i - 1])
      return check_fail_at(check, name, "device %" PRId64 " %s twice", sorted.values[i], does);
  }
  return true;
}

/* Whether the sorted devices, each named once, are all of 0 to n - 1. */
static bool check_all(const Check *check, Ints sorted) {
  const Instruction *collective = check->instruction;
  if (collective->opcode == HLO_COLLECTIVE_BROADCAST) return true;
  if (sorted.values[0] < 0)
    return check_fail_at(
        check, "replica_groups", "device %" PRId64 " is negative", sorted.values[0]);
  for (uint32_t i = 0; i < sorted.count; i++)
    if (sorted.values[i] != i)
      return check_fail_at(check, "replica_groups", "device %u is in no group, and %" PRId64 " is",
          i, sorted.values[sorted.count - 1]);
  int64_t known = check->module == nullptr ? 0 : device_id_count(check->module, collective);
  return known == 0 || known == sorted.count ||
         check_fail_at(check, "replica_groups",
             "the groups name %s, and the module runs on %" PRId64, counted(sorted.count, "device"),
             known);
}

static bool check_groups(const Check *check) {
  const ReplicaGroups *groups = check->instruction->replica_groups;
  uint32_t count = 0;
  for (uint32_t i = 0; groups != nullptr && i < groups->count; i++) {
    if (groups->groups[i].count == 0)
      return check_fail_at(check, "replica_groups", "group %u is empty", i);
    count += groups->groups[i].count;
  }
  if (count == 0) return true;
  Ints all = {.values = ARENA_NEW(check->arena, int64_t, count)};
  for (uint32_t i = 0; i < groups->count; i++)
    for (uint32_t k = 0; k < groups->groups[i].count; k++)
      all.values[all.count++] = groups->groups[i].values[k];
  return check_once(check, "replica_groups", "is named", all) && check_all(check, all);
}

/* Of each pair the source, or the target. */
static bool check_ends(const Check *check, uint32_t end, const char *does) {
  Ints pairs = check->instruction->source_target_pairs, ends = {};
  ends.values = ARENA_NEW(check->arena, int64_t, pairs.count / 2);
  for (uint32_t i = end; i < pairs.count; i += 2) ends.values[ends.count++] = pairs.values[i];
  return check_once(check, "source_target_pairs", does, ends);
}

bool check_devices(const Check *check) {
  bool may_repeat = instruction_permutes_slices(check->instruction);
  return check_groups(check) &&
         (may_repeat || (check_ends(check, 0, "sends") && check_ends(check, 1, "receives")));
}
