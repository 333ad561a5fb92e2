/* What is counted in the place of a map's domain: as many points, over dimensions alone, without
 * the periodic constraints that can be split. */
#ifndef CORE_SIMPLIFY_COUNT_SPLIT_H
#define CORE_SIMPLIFY_COUNT_SPLIT_H

#include "core/simplify/simplify.h"

/* A map without results whose domain has exactly as many points as that of `map`, which is
 * MAP_PLAIN. It may be known empty. */
[[nodiscard]] const Map *count_split(Simplifier *simplifier, const Map *map);

#endif
