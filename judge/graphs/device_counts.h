/* The numbers of replicas and partitions of a module are stated only in its header. If the headers
 * of two modules differ, collectives without groups and replica and partition ids have different
 * meanings. */
#ifndef JUDGE_GRAPHS_DEVICE_COUNTS_H
#define JUDGE_GRAPHS_DEVICE_COUNTS_H

#include "core/hlo/graph.h"

/* An instruction of either module that depends on devices, if `replica_count` or `num_partitions`
 * differ (default 1). nullptr: the numbers are equal, or no instruction depends on devices. */
[[nodiscard]] const Instruction *instruction_over_devices(
    const Module *before, const Module *after);
/* The same, without collectives whose groups or pairs are stated and mean the same devices under
 * both headers. */
[[nodiscard]] const Instruction *instruction_over_counts(const Module *before, const Module *after);

#endif
