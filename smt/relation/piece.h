/* Relations between two index tuples, as unions of pieces (basic relations).
 * A piece relates the visible atoms (indices on both sides, runtime values) for which hidden
 * (existentially quantified) integers exist with which all constraints hold. Maps and the read
 * relations of operations both become pieces over the same visible atoms. */
#ifndef SMT_RELATION_PIECE_H
#define SMT_RELATION_PIECE_H

#include "smt/terms/encode.h"

typedef struct Withins {
  Within *items;
  uint32_t count, capacity;
} Withins;

typedef struct Atoms {
  uint32_t *items;
  uint32_t count, capacity;
} Atoms;

typedef struct Piece {
  Atoms hidden; /* free atoms that occur only in this piece */
  Withins withins;
  const Map *map;         /* the map that the piece encodes, or null */
  MapVariables variables; /* the sums of the map's variables */
} Piece;

typedef struct Relation {
  Piece *items;
  uint32_t count, capacity;
} Relation;

/* Whether the values [atom_count] of all atoms satisfy every constraint. */
[[nodiscard]] bool withins_hold_at(const Sums *sums, const Withins *withins, const Wide *values);
[[nodiscard]] bool within_has(const Within *within, Wide value);
/* Whether a constraint is false: it has no value, or a constant that is not in it. */
[[nodiscard]] bool withins_are_false(const Sums *sums, const Withins *withins);
/* The constraints with `by` in place of the atom. */
[[nodiscard]] Withins withins_replaced(Sums *sums, const Withins *withins, uint32_t atom, Sum by);

/* For assertions: hidden atoms are free atoms of `sums`, and constraints are over its sums. */
[[nodiscard]] bool piece_is_well_formed(const Sums *sums, const Piece *piece);
void piece_within(Sums *sums, Piece *piece, Sum sum, Wide lo, Wide hi);
void piece_equal(Sums *sums, Piece *piece, Sum a, Sum b);
/* Adds a <= b. */
void piece_ordered(Sums *sums, Piece *piece, Sum a, Sum b);
/* Adds 0 <= x < size. */
void piece_inside(Sums *sums, Piece *piece, Sum x, Sum size);
/* Adds a hidden integer within bounds. */
[[nodiscard]] Sum piece_hidden(Sums *sums, Piece *piece, const char *name, Wide lo, Wide hi);
[[nodiscard]] Piece piece_copy(Sums *sums, const Piece *piece);
/* Whether both have the same constraints in the same order, and no hidden atoms. */
[[nodiscard]] bool piece_is_stated_as(const Piece *a, const Piece *b);
void relation_add(Sums *sums, Relation *relation, Piece piece);

#endif
