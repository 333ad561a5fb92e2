/* Decides questions about relations by intervals, without a solver; false is no decision. */
#ifndef SMT_RELATION_RELATION_PLAIN_H
#define SMT_RELATION_RELATION_PLAIN_H

#include "smt/relation/piece.h"

/* Proves that wherever `given` and the inner piece hold, one of the outer pieces does. Outer pieces
 * have no hidden atoms. */
[[nodiscard]] bool relation_contained_plainly(
    Sums *sums, const Withins *given, const Piece *inner, const Relation *outer);
/* Completed values of all atoms [atom_count] at which `given` and the piece hold, or null. */
[[nodiscard]] Wide *relation_plain_point(Sums *sums, const Withins *given, const Piece *piece);

#endif
