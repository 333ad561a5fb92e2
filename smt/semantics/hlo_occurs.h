/* Whether a counterexample can occur at run time. A model assigns any value to each element. But a
 * computed value is a function of others, so not all assignments can occur together. Parameters
 * have the values of the model. What is computed from them is either evaluated exactly or left
 * open; the counterexample must then exist for every value of it. */
#ifndef SMT_SEMANTICS_HLO_OCCURS_H
#define SMT_SEMANTICS_HLO_OCCURS_H

#include "smt/relation/relation.h"

typedef struct Occurrence {
  RelationWork *work;    /* after a refutation; its values become those of the run */
  const Piece *inner;    /* the pair is in this piece, */
  const Relation *outer; /* and in none of these; null: no others */
  uint32_t output_rank, operand_rank;
  const Sum *output, *operand; /* atoms; values that are read depend on the output's index */
  const char *open; /* out: a computed value whose every value has such a pair; or null */
} Occurrence;

/* Null: it occurs. Otherwise the reason why this is not known. */
[[nodiscard]] const char *hlo_occurs(Occurrence *occurrence);

#endif
