/* The function of a custom call is looked up for the platform that runs it. An asynchronous start
 * may state another thread, on another platform, for what it calls: there a custom call with the
 * same target may be another function. */
#ifndef JUDGE_GRAPHS_CALL_THREADS_H
#define JUDGE_GRAPHS_CALL_THREADS_H

#include "core/base/arena.h"
#include "core/hlo/graph.h"

/* A custom call whose target another custom call of the modules has on another thread, or the same
 * one at another place. nullptr: there is none. */
[[nodiscard]] const Instruction *call_on_two_threads(
    Arena *arena, const Module *before, const Module *after);

#endif
