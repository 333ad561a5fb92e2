/* Whether computed offsets can take wanted positions together. Offsets may be computed from each
 * other, as `a` and `a + 1`, or take few values, as `2 * a`; then not every combination occurs. */
#ifndef ORACLE_HAZARDS_FEASIBLE_H
#define ORACLE_HAZARDS_FEASIBLE_H

#include "core/base/verdict.h"
#include "oracle/terms/term.h"

/* The offset, clamped to 0 .. count - 1, is `position`. */
typedef struct Position {
  Term offset;
  int64_t position, count;
} Position;

/* What an offset depends on besides constants and inputs that take any value. */
typedef enum Dependence : uint8_t {
  DEPENDENCE_NOT_ASKED,
  DEPENDENCE_NONE,
  DEPENDENCE_LITERAL,  /* a number of a literal that is not known or not followed */
  DEPENDENCE_COMPUTED, /* an input that is computed outside and may take fewer values */
} Dependence;

typedef struct Feasible {
  Terms *terms;
  Dependence *known;     /* [term] */
  uint64_t work;         /* terms evaluated by all questions so far */
  uint64_t work_of_many; /* by those about more than a few elements */
} Feasible;

/* PROVED: values of the inputs give all positions. REFUTED: no values do, all were tried. UNKNOWN:
 * none were found. */
[[nodiscard]] VerdictStatus positions_are_feasible(
    Feasible *feasible, uint32_t count, const Position *positions);

/* Why inputs that lead to the positions may not occur; nullptr: all occur. */
[[nodiscard]] const char *positions_depend(
    const Feasible *feasible, uint32_t count, const Position *positions);

#endif
