/* Memory that would have to be in two buffers, or two buffers that would be one, without a copy.
 * The pairs are unknown: a compiler that inserts copies has not run, or the graph is invalid. */
#ifndef JUDGE_HAZARDS_HAZARD_CONFLICTS_H
#define JUDGE_HAZARDS_HAZARD_CONFLICTS_H

#include "judge/hazards/buffer_callee.h"
#include "judge/hazards/hazards.h"

/* A leaf of the root that is stored in the buffer of a leaf of the parameters. */
typedef struct HazardShared {
  const Computation *computation;
  uint32_t output, leaf;
} HazardShared;

/* Adds each output that is in the memory of another parameter's leaf, or in that of an earlier
 * output, or is stored in the buffer of an earlier one. All are of one computation. */
void hazard_add_exchanges(const Buffers *buffers, const HazardShared *shared, uint32_t count,
    const char *why, HazardPairs *pairs);
/* Adds an output of a fusion that updates a parameter in place in elements that are not followed,
 * as a scatter does, if the fusion also reads the parameter elsewhere. */
void hazard_add_fused(const Buffers *buffers, BufferLeaf made, HazardPairs *pairs);
/* Adds what a loop, a call, a conditional or an asynchronous computation takes or returns: one
 * buffer twice, of which a callee writes one; from branches, several buffers; and a condition that
 * writes. Also adds outputs of one instruction that are written into one buffer, and an update in
 * place that reads the buffer through another operand. */
void hazard_add_conflicts(
    const Buffers *buffers, const Instruction *instruction, HazardPairs *pairs);

#endif
