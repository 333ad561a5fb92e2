/* Maps on which no rule can fire, except the one that replaces a variable of one value by that
 * value. */
#ifndef CORE_SIMPLIFY_QUICK_H
#define CORE_SIMPLIFY_QUICK_H

#include "core/simplify/engine.h"

/* Analyses the compiled rules, once. */
void quick_prepare(Simplifier *simplifier);
/* Simplifies a map without remaining constraints, each of whose results is a sum of constants and
 * of at most one variable, or a division of a variable. No part becomes larger. Bounds must be
 * loaded and constraints folded. False if the map needs the full path. */
[[nodiscard]] bool quick_map(
    Simplifier *simplifier, const Map *map, const SimplifyOptions *options, const Map **simplified);

#endif
