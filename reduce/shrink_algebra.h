/* What the algebra answers about a map, held against a judge that took no part. */
#ifndef FUZZ_SHRINK_ALGEBRA_H
#define FUZZ_SHRINK_ALGEBRA_H

#include "judge/algebra/algebra.h"

/* Where the operation takes numbers they are the map's: the last result and the first; the box of
 * its results, and one a step smaller. True when an answer is refuted: the question and the witness
 * are set. */
[[nodiscard]] bool shrink_algebra(Judge *judge, AlgebraOperation operation, const Map *map,
    AlgebraQuery *query, char *witness, size_t capacity);
/* "4,8 ", or nothing. */
[[nodiscard]] const char *algebra_numbers_text(Arena *arena, const AlgebraNumbers *numbers);

#endif
