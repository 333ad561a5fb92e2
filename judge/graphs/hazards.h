/* Finds pairs of an output and a parameter that share a buffer, to decide whether a write destroys
 * an element that is still to be read (oracle/terms/hazard.h). Fusions: one that updates its
 * operand in place; one with output_to_operand_aliasing; one that makes an output of the entry from
 * a parameter aliased with it (input_output_alias), or a leaf of a loop body from the same leaf.
 * Outside fusions, in a module with a schedule: an update in place of a loop leaf or an aliased
 * parameter, paired with each later instruction that reads the old leaf. Every other operation
 * reads its operands before it writes. */
#ifndef JUDGE_GRAPHS_HAZARDS_H
#define JUDGE_GRAPHS_HAZARDS_H

#include "core/hlo/graph.h"
#include "oracle/terms/hazard.h"

typedef struct HazardPair {
  const Instruction *fusion;
  const char *why; /* the statement by which they share a buffer */
  HazardQuestion question;
} HazardPair;

typedef struct HazardPairs {
  uint32_t count, capacity;
  HazardPair *items;
} HazardPairs;

/* Returns false if an aliasing statement does not parse. */
[[nodiscard]] bool hazard_pairs(
    Arena *arena, const Module *module, HazardPairs *pairs, Error *error);

#endif
