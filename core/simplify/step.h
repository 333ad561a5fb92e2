/* One rewrite by one rule at one place, whatever stands inside of it: what critical pairs are made
 * of. */
#ifndef CORE_SIMPLIFY_STEP_H
#define CORE_SIMPLIFY_STEP_H

#include "core/simplify/simplify.h"

/* `alone` has a single rule. `at` is a part of the map's first result (of a map without results: of
 * its first constraint), of the kind that the rule fires on (an atom, or a whole sum); of a rule on
 * constraints the place is the map's first constraint. The first `skipped` ways to match are passed
 * over. True when the rule fires there: `step` is the engine's own record of it, its map_after with
 * the right side as the rule states it. The step lives in `arena`. */
[[nodiscard]] bool simplify_step(
    Simplifier *alone, const Map *map, Expr at, uint32_t skipped, Arena *arena, TraceStep *step);

#endif
