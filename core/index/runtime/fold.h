/* The value of one element of an integer instruction, as an expression over the index, if it is
 * known. */
#ifndef CORE_INDEX_RUNTIME_FOLD_H
#define CORE_INDEX_RUNTIME_FOLD_H

#include "core/hlo/graph.h"
#include "core/map/map.h"

/* The value of instruction[index] over the variables of `box`, with its bounds there. False,
 * without an error, if the value is not known. */
[[nodiscard]] bool fold_element(MapContext *context, const Map *box, const Instruction *instruction,
    const Expr *index, Expr *value, Interval *bounds);

#endif
