/* The value of one element of an integer instruction as an expression over the index, where it is
 * known. */
#ifndef CORE_INDEX_FOLD_H
#define CORE_INDEX_FOLD_H

#include "core/hlo/graph.h"
#include "core/map/map.h"

/* value(index) of instruction, over the variables of `box`, together with its bounds there. False
 * where it is not known: no error. */
[[nodiscard]] bool fold_element(MapContext *context, const Map *box, const Instruction *instruction,
    const Expr *index, Expr *value, Interval *bounds);

#endif
