/* Runtime variables of a foreign map: their sources are names; here they become instructions. */
#ifndef JUDGE_AUDIT_SOURCES_H
#define JUDGE_AUDIT_SOURCES_H

#include "core/base/text.h"
#include "core/hlo/graph.h"
#include "core/map/map.h"

/* `resolved` is the map with the instruction of each source and with its index map over the map's
 * own variables. A source that cannot be determined stays unknown, without a name, and `why` says
 * which and why: such a map can be shown wrong, never right. False on an error of the engine's own
 * (a limit). */
[[nodiscard]] bool audit_resolve_sources(MapContext *context, const Instruction *root,
    const Map *map, const Map **resolved, Text *why, Error *error);

#endif
