/* An entry computation as one instruction, so that the judges of instructions can judge it:
 * `call(p0, p1, ..), to_apply=ENTRY`. */
#ifndef JUDGE_EQUIV_CALL_H
#define JUDGE_EQUIV_CALL_H

#include "core/hlo/graph.h"

/* A computation of parameters with the shapes of the entry's; two calls that share it speak of the
 * same values. */
[[nodiscard]] Computation *equiv_caller(Arena *arena, const Computation *entry);
[[nodiscard]] Instruction *equiv_call(
    Arena *arena, Computation *caller, Computation *entry, const char *name);

/* An array with elements; tokens and empty arrays take part in no map. */
[[nodiscard]] bool equiv_leaf_is_read(const Shape *shape, uint32_t leaf);

#endif
