/* Whether computed offsets can take wanted positions together. Offsets may be computed from each
 * other, as `a` and `a + 1`, or take few values, as `2 * a`; then not every combination occurs. */
#ifndef ORACLE_TERMS_FEASIBLE_H
#define ORACLE_TERMS_FEASIBLE_H

#include "core/base/verdict.h"
#include "oracle/terms/term.h"

/* The offset, clamped to 0 .. count - 1, is `position`. */
typedef struct Position {
  Term offset;
  int64_t position, count;
} Position;

typedef struct Feasible {
  Terms *terms;
  uint64_t work;         /* terms evaluated by all questions so far */
  uint64_t work_of_many; /* by those about more than a few elements */
} Feasible;

/* PROVED: values of the inputs give all positions. REFUTED: no values do, all were tried. UNKNOWN:
 * none were found. */
[[nodiscard]] VerdictStatus positions_are_feasible(
    Feasible *feasible, uint32_t count, const Position *positions);

#endif
