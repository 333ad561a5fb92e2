/* What maps became, while the context is not rewound: a compiler asks for one map many times. */
#ifndef CORE_SIMPLIFY_RECALL_H
#define CORE_SIMPLIFY_RECALL_H

#include "core/simplify/engine.h"

/* What the map became, made anew in the context. Bounds are loaded and constraints folded. */
[[nodiscard]] bool recall_find(
    Simplifier *simplifier, const Map *map, const SimplifyOptions *options, const Map **simplified);
/* The map for which recall_find looked last became this one. */
void recall_add(Simplifier *simplifier, const Map *simplified);

#endif
