/* The text of a map in which the order of summands, factors and constraints and the names of
 * variables are gone: two maps that are written alike up to these have the same canonical text.
 * Nothing is folded or simplified. */
#ifndef JUDGE_CANONICAL_TEXT_H
#define JUDGE_CANONICAL_TEXT_H

#include "core/base/text.h"
#include "core/map/map.h"

/* with_sources: the sources of runtime variables count too. Made for texts that people write, not
 * for large maps: the cost grows with the tree, not with the shared graph. */
void map_print_canonical(Text *text, const MapContext *context, const Map *map, bool with_sources);

#endif
