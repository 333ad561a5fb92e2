/* Constraints of one map while it is simplified. */
#ifndef CORE_SIMPLIFY_CONSTRAINTS_H
#define CORE_SIMPLIFY_CONSTRAINTS_H

#include "core/simplify/engine.h"

typedef struct Demands {
  uint32_t count;
  Demand *items;
  bool is_empty; /* no point satisfies them */
} Demands;

/* Rewrites constraints and tightens variables' bounds until nothing changes. False on a limit or
 * overflow. */
[[nodiscard]] bool constraints_settle(Simplifier *simplifier, Demands *demands);
/* Makes what the constraints say known to the rewriting that follows; a new epoch. */
void constraints_publish(Simplifier *simplifier, const Demands *demands);

/* For assertions: sums in canonical form; by the engine's own rules also none constant and no
 * interval empty, which a rule set of a user's may leave. */
[[nodiscard]] bool demands_are_canonical(const Simplifier *simplifier, const Demands *demands);
/* Into the canonical order. */
void constraints_sort(Demands *demands);

/* ---- congruences.c ---- */

/* Two constraints that each fix a remainder of one sum (up to its constant) become one by the
 * Chinese remainder theorem. True when any were joined. */
[[nodiscard]] bool congruences_join(Simplifier *simplifier, Demands *demands);

/* ---- tighten.c ---- */

/* Meets the bounds in `next` with what the constraint implies for each variable, the others lying
 * within their bounds. */
void tighten_by(Simplifier *simplifier, Demand demand, Interval *next[variable_kinds]);

#endif
