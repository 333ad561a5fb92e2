/* Checks whether two graphs are literally the same up to an output leaf: opcodes, shapes with
 * layouts, operands, attributes, literals and, instruction by instruction, called computations.
 * Names and metadata are ignored. */
#ifndef JUDGE_GRAPHS_EQUIV_LITERAL_H
#define JUDGE_GRAPHS_EQUIV_LITERAL_H

#include "core/hlo/graph.h"

typedef enum EquivLiteral : uint8_t {
  LITERAL_NO,        /* or the comparison was too large */
  LITERAL_UNDEFINED, /* yes, but with an operation without semantics, which might read
                        differently each time */
  LITERAL_YES,
} EquivLiteral;
/* An elided constant, {...}, does not even equal itself. */
[[nodiscard]] EquivLiteral equiv_literal(
    Arena *arena, const Computation *before, const Computation *after, uint32_t leaf);
/* Compares all instructions in order, including unneeded ones. Operations without semantics are the
 * same too: each runs as often as its twin, on the same operands. An elided constant equals its
 * twin if both, and their computations, have the same name. */
[[nodiscard]] bool equiv_literal_whole(
    Arena *arena, const Computation *before, const Computation *after);

#endif
