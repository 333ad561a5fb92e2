/* The canonical form of a term, for comparison alone: integers of a type form a ring, so that sums,
 * differences, products, contractions and folds that add are polynomials, in whatever order they
 * are written. Largest, smallest, and, or are sets of operands. A comparison stands with its
 * operands turned so that it is LT, LE, EQ or NE; a conversion that keeps the value is none. */
#ifndef ORACLE_RING_H
#define ORACLE_RING_H

#include "oracle/terms/laws.h"

typedef struct Ring {
  Arena *arena;
  Terms *terms;
  LawGrade grade; /* what may be given up where floats are converted twice */
  uint32_t capacity;
  Term *kept; /* [room]; no_term: not computed yet */
  uint64_t steps;
  bool has_distributed; /* by the forms that were asked for since it was cleared */
} Ring;

/* Every value of `from` is one of `to`; of floats the payload of a NaN may change. */
[[nodiscard]] bool type_keeps_values(ElementType from, ElementType to);

void term_ring_create(Ring *ring, Arena *arena, Terms *terms, LawGrade grade);
/* Equal forms are equal values, on every bit pattern up to the grade. */
[[nodiscard]] Term term_ring_normal(Ring *ring, Term term);

#endif
