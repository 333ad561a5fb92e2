/* Groups the failed cases of a run by their operations, with the number of cases and the smallest
 * case of each group. All cases of a group have the same set of operations. The last group takes
 * the rest once the table is full; its set is what all its cases have in common. */
#ifndef EXHAUST_FAULT_GROUPS_H
#define EXHAUST_FAULT_GROUPS_H

#include "exhaust/exhaust.h"
#include "judge/maps/operations.h"

typedef struct FaultGroup {
  OpcodeSet operations; /* empty for maps and rules */
  uint64_t cases;
  uint64_t size; /* of the smallest case, in the order of judge/maps/operations.h */
  KeptCase smallest;
} FaultGroup;

static constexpr uint32_t fault_groups_most = 64;
typedef struct FaultGroups {
  uint32_t count;
  FaultGroup items[fault_groups_most];
} FaultGroups;

/* A group of one case. A lost case is not parsed again: its operations are the opcodes that its
 * text names. */
[[nodiscard]] FaultGroup fault_group_of_case(const ScopePlan *plan, const KeptCase *kept);
void fault_groups_add(FaultGroups *groups, const FaultGroup *group);

#endif
