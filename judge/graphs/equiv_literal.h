/* Are two graphs literally the same from an output leaf upwards? Names and metadata aside: opcodes,
 * shapes with layouts, operands, attributes, literals and called computations, these instruction by
 * instruction. */
#ifndef JUDGE_EQUIV_LITERAL_H
#define JUDGE_EQUIV_LITERAL_H

#include "core/hlo/graph.h"

typedef enum EquivLiteral : uint8_t {
  LITERAL_NO,        /* or the comparison would take too long */
  LITERAL_UNDEFINED, /* yes, with an operation that has no semantics: that it reads the same twice
                        is said by nobody */
  LITERAL_YES,
} EquivLiteral;
/* A constant whose text leaves values out, {...}, is not the same as itself. */
[[nodiscard]] EquivLiteral equiv_literal(
    Arena *arena, const Computation *before, const Computation *after, uint32_t leaf);
/* All instructions in their order, those that no output needs included. Operations without
 * semantics are the same too: each of them runs as often as its twin, on the same operands. So is a
 * constant whose text leaves values out, where its twin has its name, and its computation that of
 * the other. */
[[nodiscard]] bool equiv_literal_whole(
    Arena *arena, const Computation *before, const Computation *after);

#endif
