/* Are two modules the same graph? Names, order, opcodes, shapes with layouts, operands, roots,
 * called computations, attributes as text and as parsed; places in the source aside. For round
 * trips. */
#ifndef CORE_HLO_COMPARE_H
#define CORE_HLO_COMPARE_H

#include "core/hlo/graph.h"

/* False, with the first difference in the error, where they are not. */
[[nodiscard]] bool hlo_same_graph(const Module *a, const Module *b, Error *error);

#endif
