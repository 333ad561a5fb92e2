/* Equal lists, instructions by name, and for round trips: are two modules the same graph? Compares
 * names, order, opcodes, shapes with layouts, operands, roots, called computations, and attributes
 * as text and as parsed; ignores source positions. */
#ifndef CORE_HLO_COMPARE_H
#define CORE_HLO_COMPARE_H

#include "core/hlo/graph.h"

[[nodiscard]] bool ints_equal(Ints a, Ints b);
[[nodiscard]] bool ints_has(const Ints *ints, int64_t value);
/* The position of `value`, or UINT32_MAX. */
[[nodiscard]] uint32_t ints_find(const Ints *ints, int64_t value);
/* The computation's instruction of that name; nullptr: it has none. */
[[nodiscard]] Instruction *computation_find(const Computation *computation, const char *name);
/* False if the graphs differ; the error then describes the first difference. */
[[nodiscard]] bool hlo_same_graph(const Module *a, const Module *b, Error *error);

#endif
