/* A domain to count instead of a map's domain: it has the same number of points, only dimensions,
 * and no periodic constraints that can be split. */
#ifndef CORE_ANALYSIS_COUNT_SPLIT_H
#define CORE_ANALYSIS_COUNT_SPLIT_H

#include "core/simplify/simplify.h"

/* A map without results whose domain has exactly as many points as that of `map`. `map` must be
 * MAP_PLAIN; the result may be known empty. */
[[nodiscard]] const Map *count_split(Simplifier *simplifier, const Map *map);

#endif
