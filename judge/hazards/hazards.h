/* Finds pairs of an output and a parameter that share a buffer, to decide whether a write destroys
 * an element that is read later (oracle/hazards/hazard.h).
 *
 * Three kinds of fusions write into a shared buffer: a fusion that updates its operand in place;
 * one with output_to_operand_aliasing; and one that writes into the buffer of a parameter that is
 * aliased with an output of the entry (input_output_alias), or of a leaf of a loop body.
 *
 * In a module with a schedule, each instruction that writes into such a buffer, or into that of a
 * temporary, is paired with each instruction that reads an older value of the buffer later
 * (judge/hazards/buffer_values.h), with asynchronous instructions that end later, and with the
 * root. The pair is unknown if the writer is a scatter, a loop, a call, a conditional, a custom
 * call, or asynchronous. An instruction that computes its elements one after the other, as a
 * transpose, is also paired with its own operand in the buffer, as a fusion is. Any other operation
 * is unknown there, unless backends compute it in this operand, as a sort. Pairs are also unknown
 * if one memory would have to be in two buffers, or two buffers would be one
 * (judge/hazards/hazard_conflicts.h). */
#ifndef JUDGE_HAZARDS_HAZARDS_H
#define JUDGE_HAZARDS_HAZARDS_H

#include "core/base/table.h"
#include "core/hlo/graph.h"
#include "oracle/hazards/hazard.h"

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
  Table readers; /* of pairs of a write and a later read */
} HazardPairs;

/* Returns false if an aliasing statement does not parse. */
[[nodiscard]] bool hazard_pairs(
    Arena *arena, const Module *module, HazardPairs *pairs, Error *error);

#endif
