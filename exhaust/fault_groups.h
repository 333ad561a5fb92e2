/* Failed cases of a run by the operations that they consist of: how many there are, and the
 * smallest. A group's set of operations is that of each of its cases; of the last group, once there
 * are too many, it is what all of its cases have in common. */
#ifndef EXHAUST_FAULT_GROUPS_H
#define EXHAUST_FAULT_GROUPS_H

#include "exhaust/exhaust.h"
#include "judge/maps/operations.h"

typedef struct FaultGroup {
  OpcodeSet operations; /* empty of maps and rules */
  uint64_t cases;
  uint64_t size; /* of the smallest case, in the order of judge/maps/operations.h */
  KeptCase smallest;
} FaultGroup;

static constexpr uint32_t fault_groups_most = 64;
typedef struct FaultGroups {
  uint32_t count;
  FaultGroup items[fault_groups_most];
} FaultGroups;

/* A group of one case. A case that was lost is not read again: its operations are those that its
 * text names. */
[[nodiscard]] FaultGroup fault_group_of_case(const ScopePlan *plan, const KeptCase *kept);
void fault_groups_add(FaultGroups *groups, const FaultGroup *group);

#endif
