/* One rewrite by one rule at one place, whatever the subexpressions: the basis of critical
 * pairs. */
#ifndef CORE_SIMPLIFY_STEP_H
#define CORE_SIMPLIFY_STEP_H

#include "core/simplify/simplify.h"

/* `alone` has a single rule. `at` is a part of the map's first result (or, without results, of its
 * first constraint), of the kind that the rule matches: an atom or a whole sum. For a rule on
 * constraints the place is the map's first constraint. The first `skipped` matches are skipped.
 * True if the rule fires there: `step` is the engine's own record of it, and its map_after has the
 * right side as the rule states it. The step lives in `arena`. */
[[nodiscard]] bool simplify_step(
    Simplifier *alone, const Map *map, Expr at, uint32_t skipped, Arena *arena, TraceStep *step);

#endif
