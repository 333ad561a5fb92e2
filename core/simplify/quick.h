/* Maps on which no rule can fire but one: that a variable of one value is the value. */
#ifndef CORE_SIMPLIFY_QUICK_H
#define CORE_SIMPLIFY_QUICK_H

#include "core/simplify/engine.h"

/* Looks at the compiled rules, once. */
void quick_prepare(Simplifier *simplifier);
/* The simplified map, where no constraint is left and each result is a variable or a constant.
 * Bounds are loaded and constraints folded. False where the map wants more. */
[[nodiscard]] bool quick_map(
    Simplifier *simplifier, const Map *map, const SimplifyOptions *options, const Map **simplified);

#endif
