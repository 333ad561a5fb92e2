/* The text of one map's function, before MLIR sees it; what emit.c prints and pairs.c runs. */
#ifndef CORE_MLIR_EMIT_TEXT_H
#define CORE_MLIR_EMIT_TEXT_H

#include "core/base/text.h"
#include "core/map/map.h"

/* Appends `func.func @name() {..}`, which calls @name.pair. False with the error of emit.h. */
[[nodiscard]] bool emit_function(const MapContext *context, Arena *scratch, const char *name,
    const Map *map, Text *text, Error *error);
/* `(index, index)` as often as the map has variables and results: the parameters of @name.pair. */
void emit_pair_types(const Map *map, Text *text);

#endif
