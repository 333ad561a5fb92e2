/* How many replicas and partitions a module runs on is stated in its header alone. A collective
 * without groups, or the number of a replica or partition, means something else where the headers
 * of two modules state other numbers. */
#ifndef JUDGE_DEVICE_COUNTS_H
#define JUDGE_DEVICE_COUNTS_H

#include "core/hlo/graph.h"

/* An instruction of either module that speaks of devices, where `replica_count` or `num_partitions`
 * differ (1 where it is not stated); nullptr: they are equal, or nothing speaks of devices. */
[[nodiscard]] const Instruction *instruction_over_devices(
    const Module *before, const Module *after);

#endif
