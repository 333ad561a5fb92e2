/* A text of a map that does not depend on the order of its summands, factors and constraints, nor
 * on the names of its variables. Two maps that differ only in these have the same text. Nothing is
 * folded or simplified. */
#ifndef JUDGE_MAPS_CANONICAL_H
#define JUDGE_MAPS_CANONICAL_H

#include "core/base/text.h"
#include "core/map/map.h"

/* with_sources: the text includes the sources of runtime variables. The cost grows with the tree,
 * not with the shared graph, so large maps are expensive. */
void map_print_canonical(Text *text, const MapContext *context, const Map *map, bool with_sources);

#endif
