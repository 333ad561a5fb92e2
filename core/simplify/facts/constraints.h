/* The constraints of one map while it is simplified. */
#ifndef CORE_SIMPLIFY_FACTS_CONSTRAINTS_H
#define CORE_SIMPLIFY_FACTS_CONSTRAINTS_H

#include "core/simplify/engine.h"

typedef struct Demands {
  uint32_t count;
  Demand *items;
  bool is_empty; /* no point satisfies them */
} Demands;

/* Rewrites constraints and tightens variables' bounds until nothing changes. False on a limit or
 * overflow. */
[[nodiscard]] bool constraints_settle(Simplifier *simplifier, Demands *demands);
/* Starts an epoch in which the constraints are facts for rewriting. */
void constraints_publish(Simplifier *simplifier, const Demands *demands);

/* For assertions: sums are canonical; with the engine's own rules also no sum is constant and no
 * interval empty, which a user's rule set may leave. */
[[nodiscard]] bool demands_are_canonical(const Simplifier *simplifier, const Demands *demands);

/* ---- congruences.c ---- */

/* Joins two constraints that each fix a remainder of one sum (up to its constant) by the Chinese
 * remainder theorem. True if any were joined. */
[[nodiscard]] bool congruences_join(Simplifier *simplifier, Demands *demands);

/* ---- tighten.c ---- */

/* Intersects the bounds in `next` with what the constraint implies for each variable, given the
 * bounds of the others. */
void tighten_by(Simplifier *simplifier, Demand demand, Interval *next[variable_kinds]);

#endif
