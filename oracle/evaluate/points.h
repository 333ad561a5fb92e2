/* The points of a box at which the constraints of a narrow program hold, those that need runtime
 * variables left aside, in row-major order.
 * Variables are set from the slowest on. A step is computed when the last variable below it is set,
 * a constraint is looked at when its expression is known; where one fails, all points that differ
 * in later variables alone are left out at once. */
#ifndef ORACLE_POINTS_H
#define ORACLE_POINTS_H

#include "oracle/evaluate/box.h"

typedef struct Points {
  const Program *program;
  const Box *box;
  uint32_t *steps,
      *constraints; /* without runtime variables, by the number of variables that have to be set */
  uint32_t *first_step, *first_constraint; /* [box count + 2] */
} Points;

void points_create(Points *points, Arena *arena, const Program *program, const Box *box);
/* Sets the first point in `slots`, with all steps that need no runtime variable; false when there
 * is none. */
[[nodiscard]] bool points_first(const Points *points, int64_t *slots);
/* The next one; `slots` is as it was left. */
[[nodiscard]] bool points_next(const Points *points, int64_t *slots);

#endif
