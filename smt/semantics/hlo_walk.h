/* The read relation of an operand or a parameter, through bodies: from an output element backwards
 * along every path of accesses. Paths that come to the same instruction with the same index under
 * the same constraints are one, so a diamond of elementwise operations is walked once. Instructions
 * from which the target cannot be reached are not entered, so what has no semantics there does not
 * matter. */
#ifndef SMT_HLO_WALK_H
#define SMT_HLO_WALK_H

#include "smt/semantics/hlo_reading.h"

typedef enum Walked : uint8_t { WALKED, WALK_LACKS, WALK_TOO_MANY } Walked;

typedef struct WalkAnswer {
  Walked walked;
  Relation relation;   /* over `index` (within the output leaf) and `to` */
  const char *lacking; /* WALK_LACKS: the operation and why */
  const char *at_most; /* WALKED across a loop or a branch, which and why: the relation has all that
                          may be read, and more than is */
} WalkAnswer;

/* Of a loop or a branch on the way every element of every operand may be read. What element `index`
 * of a leaf of `instruction` reads of a leaf of its operand; `to` has the operand leaf's rank. */
[[nodiscard]] WalkAnswer hlo_walk_operand(Sums *sums, const Instruction *instruction, uint32_t leaf,
    const Sum *index, uint32_t operand, uint32_t operand_leaf, const Sum *to);
/* The same from the root of a computation to one of its parameters; a loop or a branch on the way
 * is lacking. */
[[nodiscard]] WalkAnswer hlo_walk_parameter(Sums *sums, const Computation *computation,
    uint32_t leaf, const Sum *index, uint32_t parameter, uint32_t parameter_leaf, const Sum *to);

#endif
