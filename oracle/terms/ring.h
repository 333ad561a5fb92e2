/* The canonical form of a term, for comparison only. Integers of a type form a ring, so sums,
 * differences, products, contractions and folds that add are polynomials, whatever their written
 * order. Largest, smallest, and, or are sets of operands. The operands of a comparison are
 * exchanged so that it is LT, LE, EQ or NE; a conversion that keeps the value is dropped. */
#ifndef ORACLE_TERMS_RING_H
#define ORACLE_TERMS_RING_H

#include "oracle/terms/laws.h"

typedef struct Ring {
  Arena *arena;
  Terms *terms;
  LawGrade grade; /* what may differ when floats are converted twice */
  uint32_t capacity;
  Term *kept; /* [capacity]; no_term: not computed yet */
  uint64_t steps;
  bool has_distributed; /* set if a form computed since it was cleared has distributed a product */
} Ring;

void term_ring_create(Ring *ring, Arena *arena, Terms *terms, LawGrade grade);
/* Equal forms mean equal values, on every bit pattern up to the grade. */
[[nodiscard]] Term term_ring_normal(Ring *ring, Term term);

#endif
