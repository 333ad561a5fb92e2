/* Pairs of an output and a parameter that share a buffer, and whether writing one destroys what is
 * still to be read from the other (oracle/terms/hazard.h).
 * Pairs: a fusion that updates its operand in place; a fusion with output_to_operand_aliasing; a
 * fusion that makes an output of the entry out of a parameter that the module aliases with it
 * (input_output_alias), or a leaf of a loop's body out of the same leaf.
 * Outside of fusions: in a module with a schedule, an update in place of a loop's leaf or of an
 * aliased parameter, and each instruction that runs after it and reads the leaf as it was. Every
 * other operation reads its operands before it is run.
 */
#ifndef JUDGE_HAZARDS_H
#define JUDGE_HAZARDS_H

#include "core/hlo/graph.h"
#include "oracle/terms/hazard.h"

typedef struct HazardPair {
  const Instruction *fusion;
  const char *why; /* which statement makes them share a buffer */
  HazardQuestion question;
} HazardPair;

typedef struct HazardPairs {
  uint32_t count, capacity;
  HazardPair *items;
} HazardPairs;

/* False where an aliasing statement cannot be read. */
[[nodiscard]] bool hazard_pairs(
    Arena *arena, const Module *module, HazardPairs *pairs, Error *error);

#endif
