/* A piece with fewer quotients. An equation that contains a quotient with coefficient 1 or -1
 * defines the quotient:
 *   q = x floordiv c and q = t   is equivalent to   0 <= x - c*t <= c - 1,
 * because there is exactly one such q. So t replaces the quotient everywhere, and the two
 * inequalities replace the equation. The digits of a mixed radix, each with its own equation,
 * become one linear equation and the bounds of the digits: a reshape of any size is then linear. */
#ifndef SMT_RELATION_RELATION_LINEAR_H
#define SMT_RELATION_RELATION_LINEAR_H

#include "smt/relation/piece.h"

/* False, with `linear` the unchanged piece, if no equation defines a quotient. */
[[nodiscard]] bool piece_without_quotients(Sums *sums, const Piece *piece, Piece *linear);

#endif
