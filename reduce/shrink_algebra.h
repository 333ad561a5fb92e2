/* Compares the algebra's answer about a map with a judge that did not compute it. */
#ifndef REDUCE_SHRINK_ALGEBRA_H
#define REDUCE_SHRINK_ALGEBRA_H

#include "judge/algebra/algebra.h"

/* An operation that takes numbers gets them from the map: the last result and the first; the box of
 * its results, and one a step smaller. Returns true if an answer is refuted, and sets the query and
 * the witness. */
[[nodiscard]] bool shrink_algebra(Judge *judge, AlgebraOperation operation, const Map *map,
    AlgebraQuery *query, char *witness, size_t capacity);
/* "4,8 ", or "". */
[[nodiscard]] const char *algebra_numbers_text(Arena *arena, const AlgebraNumbers *numbers);

#endif
