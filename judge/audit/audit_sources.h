/* Resolves the sources of a foreign map's runtime variables from names to instructions. */
#ifndef JUDGE_AUDIT_AUDIT_SOURCES_H
#define JUDGE_AUDIT_AUDIT_SOURCES_H

#include "core/base/text.h"
#include "core/hlo/graph.h"
#include "core/map/map.h"

/* `resolved` is the map with the instruction of each source and its index map over the map's own
 * variables. An undetermined source stays unknown, without a name, and `why` says which and why:
 * such a map can be shown wrong, never right. Returns false on an error of affirm's engine (a
 * limit). */
[[nodiscard]] bool audit_resolve_sources(MapContext *context, const Instruction *root,
    const Map *map, const Map **resolved, Text *why, Error *error);

#endif
