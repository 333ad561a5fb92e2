/* A piece with fewer quotients: an equation in which a quotient stands with coefficient 1 or -1
 * says what the quotient is.
 *   q = x floordiv c and q = t   is the same as   0 <= x - c*t <= c - 1,
 * for there is exactly one such q. So t takes its place everywhere, and the equation gives way to
 * the two inequalities. The digits of a mixed radix, each an equation of its own, become one linear
 * equation and the bounds of the digits: whatever the sizes, a reshape is then linear. */
#ifndef SMT_RELATION_LINEAR_H
#define SMT_RELATION_LINEAR_H

#include "smt/relation/piece.h"

/* False, and `linear` is the piece as it is, where no equation names a quotient. */
[[nodiscard]] bool piece_without_quotients(Sums *sums, const Piece *piece, Piece *linear);

#endif
