/* Enumerates, in row-major order, the points of a box at which the constraints of a narrow program
 * hold. Constraints that need runtime variables are ignored.
 * Variables are set from the slowest on. A step is computed once all its variables are set, and a
 * constraint is tested once its expression is known. A failed constraint skips all points that
 * differ in later variables only. */
#ifndef ORACLE_EVALUATE_POINTS_H
#define ORACLE_EVALUATE_POINTS_H

#include "oracle/evaluate/box.h"

typedef struct Points {
  const Program *program;
  const Box *box;
  uint32_t *steps,
      *constraints; /* those without runtime variables, sorted by the number of variables that have
                       to be set */
  uint32_t *first_step, *first_constraint; /* [box count + 2] */
} Points;

void points_create(Points *points, Arena *arena, const Program *program, const Box *box);
/* Sets the first point in `slots`, and all steps that need no runtime variable; false if there is
 * no point. */
[[nodiscard]] bool points_first(const Points *points, int64_t *slots);
/* Sets the next point; `slots` must be unchanged since the last call. */
[[nodiscard]] bool points_next(const Points *points, int64_t *slots);

#endif
