/* For the tests of this directory: reading a map. */
#ifndef CORE_MLIR_WALK_H
#define CORE_MLIR_WALK_H

#include "core/map/map.h"

/* Ends the program when the text is not a map. */
[[nodiscard]] const Map *walk_parse(MapContext *context, const char *text);

#endif
