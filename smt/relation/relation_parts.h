/* A piece as a conjunction of parts that share no hidden integer: "there are h, k with A(h) and
 * B(k)" is "there is h with A(h), and there is k with B(k)". So one relation is contained in a
 * piece if and only if it is contained in each of its parts. The dimensions of a window are such
 * parts: together they are a search over the product of all windows, one by one each is a search
 * over its own.
 * After the question's budget of time is spent links are missing: nothing that is concluded from
 * the parts then may be believed. */
#ifndef SMT_RELATION_PARTS_H
#define SMT_RELATION_PARTS_H

#include "smt/relation/piece.h"

/* The parts, in the order of their first constraints; each keeps the whole list of hidden integers,
 * so that places in it stay. They come from no map. */
[[nodiscard]] Relation piece_parts(Sums *sums, const Piece *piece);

/* The constraints of the piece that have to do with the part: linked to it by shared atoms, one
 * after the other. What is left out makes the piece only larger: what contains the slice contains
 * the piece. */
[[nodiscard]] Piece piece_slice(Sums *sums, const Piece *piece, const Piece *part);

#endif
