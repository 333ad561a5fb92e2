/* The read relation of an operand or a parameter, through bodies: a walk from an output element
 * backwards along every path of accesses. Paths that reach the same instruction with the same index
 * and constraints are merged, so a diamond of elementwise operations is walked once. Instructions
 * that do not lead to the target are not entered, so they need no semantics. */
#ifndef SMT_SEMANTICS_HLO_WALK_H
#define SMT_SEMANTICS_HLO_WALK_H

#include "smt/semantics/hlo_reading.h"

typedef enum Walked : uint8_t { WALKED, WALK_LACKS, WALK_TOO_MANY } Walked;

typedef struct WalkAnswer {
  Walked walked;
  Relation relation;   /* over `index` (within the output leaf) and `to` */
  const char *lacking; /* WALK_LACKS: the operation and why */
  const char *at_most; /* WALKED across a loop, a branch or reads that are only a bound: its name and
                          the reason. The relation is then an over-approximation */
} WalkAnswer;

/* What element `index` of a leaf of `instruction` reads of a leaf of its operand; `to` has the
 * operand leaf's rank. A loop or a branch on the path is over-approximated by every element of
 * every operand. */
[[nodiscard]] WalkAnswer hlo_walk_operand(Sums *sums, const Instruction *instruction, uint32_t leaf,
    const Sum *index, uint32_t operand, uint32_t operand_leaf, const Sum *to);
/* The same from the root of a computation to one of its parameters; a loop, a branch or a bound on
 * the path is WALK_LACKS. */
[[nodiscard]] WalkAnswer hlo_walk_parameter(Sums *sums, const Computation *computation,
    uint32_t leaf, const Sum *index, uint32_t parameter, uint32_t parameter_leaf, const Sum *to);

#endif
