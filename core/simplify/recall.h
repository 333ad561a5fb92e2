/* Caches simplified maps until the context is rewound: a compiler asks for the same map many
 * times. */
#ifndef CORE_SIMPLIFY_RECALL_H
#define CORE_SIMPLIFY_RECALL_H

#include "core/simplify/engine.h"

/* Finds the cached result and builds it again in the context. Bounds must be loaded and constraints
 * folded. */
[[nodiscard]] bool recall_find(
    Simplifier *simplifier, const Map *map, const SimplifyOptions *options, const Map **simplified);
/* Stores the result for the map of the last recall_find. */
void recall_add(Simplifier *simplifier, const Map *simplified);

#endif
