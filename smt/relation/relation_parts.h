/* A piece as a conjunction of parts that share no hidden integer: "there are h, k with A(h) and
 * B(k)" is "there is h with A(h), and there is k with B(k)". So one relation is contained in a
 * piece if and only if it is contained in each of its parts. The dimensions of a window are such
 * parts: together they need a search over the product of all windows, separately one search per
 * window.
 * Once the question's time budget is spent, links may be missing, and conclusions from the parts
 * are invalid. */
#ifndef SMT_RELATION_RELATION_PARTS_H
#define SMT_RELATION_RELATION_PARTS_H

#include "smt/relation/piece.h"

/* The parts, in the order of their first constraints. Each keeps the whole list of hidden integers,
 * so that positions in it remain valid. Parts have no map. */
[[nodiscard]] Relation piece_parts(Sums *sums, const Piece *piece);

/* The constraints of the piece that are linked to the part by shared atoms, transitively. Dropping
 * the others only enlarges the piece: what contains the slice contains the piece. */
[[nodiscard]] Piece piece_slice(Sums *sums, const Piece *piece, const Piece *part);

#endif
