/* Finds loops that never end once they run. If one graph has more of them than the other, equal
 * values are unknown (equiv_values.h). */
#ifndef JUDGE_GRAPHS_ENDLESS_H
#define JUDGE_GRAPHS_ENDLESS_H

#include "core/base/arena.h"
#include "core/hlo/graph.h"

/* The number of while loops whose condition reads only leaves of their state that the body returns
 * unchanged, and constants: such a loop does not run, or it never ends. Only loops on which the
 * root of their computation depends count, and none whose condition is the constant false. Other
 * loops are assumed to end. `first` is one of them, or nullptr. */
[[nodiscard]] uint32_t module_endless_loops(
    Arena *arena, const Module *module, const Instruction **first);

#endif
