/* Finds pairs of an output and a parameter that share a buffer, to decide whether a write destroys
 * an element that is still to be read (oracle/terms/hazard.h). Fusions: one that updates its
 * operand in place; one with output_to_operand_aliasing; one that writes into the buffer of a
 * parameter aliased with an output of the entry (input_output_alias), or of a leaf of a loop body.
 * In a module with a schedule, each instruction that writes into such a buffer, or into that of a
 * temporary, is paired with each instruction that reads an older value of it later
 * (judge/graphs/buffer_values.h), with asynchronous ones that end later, and with the root; the
 * pair is unknown if the writer is a scatter, a loop, a call, a conditional, a custom call, or
 * asynchronous. Every operation but a fusion reads its operands before it writes. Pairs are also
 * unknown if memory would have to be in two buffers, or two buffers would be one
 * (judge/graphs/hazard_conflicts.h). */
#ifndef JUDGE_GRAPHS_HAZARDS_H
#define JUDGE_GRAPHS_HAZARDS_H

#include "core/hlo/graph.h"
#include "oracle/terms/hazard.h"

typedef struct HazardPair {
  const Instruction *fusion;
  const char *why;           /* the statement by which they share a buffer */
  const Instruction *writer; /* of a pair of a write and a later read; else nullptr */
  uint32_t written;          /* the writer's leaf */
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
