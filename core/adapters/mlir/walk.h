/* For the tests of this directory: parses a map. */
#ifndef CORE_ADAPTERS_MLIR_WALK_H
#define CORE_ADAPTERS_MLIR_WALK_H

#include "core/map/map.h"

/* Aborts the program if the text is not a map. */
[[nodiscard]] const Map *walk_parse(MapContext *context, const char *text);

#endif
