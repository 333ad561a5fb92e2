/* The text of one map's function before MLIR parses it, for emit.c and pairs.c. */
#ifndef CORE_ADAPTERS_MLIR_EMIT_TEXT_H
#define CORE_ADAPTERS_MLIR_EMIT_TEXT_H

#include "core/base/text.h"
#include "core/map/map.h"

/* Appends `func.func @name() {..}`, which calls @name.pair. Errors are those of emit.h. */
[[nodiscard]] bool emit_function(const MapContext *context, Arena *scratch, const char *name,
    const Map *map, Text *text, Error *error);
/* Appends `(index, index)` with one index for each variable and result of the map: the parameters
 * of @name.pair. */
void emit_pair_types(const Map *map, Text *text);

#endif
