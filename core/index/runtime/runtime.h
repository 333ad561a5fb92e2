/* Runtime variables whose values are known: constants, iotas and integer arithmetic on those, with
 * HLO's own arithmetic and clamping. */
#ifndef CORE_INDEX_RUNTIME_RUNTIME_H
#define CORE_INDEX_RUNTIME_RUNTIME_H

#include "core/hlo/graph.h"
#include "core/map/map.h"

/* Replaces each runtime variable whose source folds by its clamped value, and merges variables that
 * read the same element with the same clamp. The relation is the same for the values that the
 * program computes. False on overflow or a limit. */
[[nodiscard]] bool runtime_fold(
    MapContext *context, const Map *map, const Map **folded, Error *error);

/* Replaces sources that are parameters of the computation that `call` runs by the call's
 * operands. */
[[nodiscard]] const Map *runtime_resolve(
    MapContext *context, const Map *map, const Instruction *call);

/* Turns runtime variable `at` into a range variable: any of its values, whatever its source. The
 * relation contains those of each value. */
[[nodiscard]] bool runtime_to_range(
    MapContext *context, const Map *map, uint32_t at, const Map **widened, Error *error);

/* The map with its sources named for printing (index.h). */
[[nodiscard]] const Map *runtime_name(MapContext *context, const Map *map, const Instruction *call);
/* The same for a map inside a computation. */
[[nodiscard]] const Map *runtime_name_inside(
    MapContext *context, const Map *map, const Computation *computation);

#endif
