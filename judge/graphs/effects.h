/* Operations that do something beside giving a value: what is sent and received, and calls with a
 * side effect. A graph that has lost one, or has one more, may give the same values and still do
 * something else. What they send is not compared. */
#ifndef JUDGE_EFFECTS_H
#define JUDGE_EFFECTS_H

#include "core/base/arena.h"
#include "core/hlo/graph.h"

/* An operation of which the two modules have unequal numbers, a call by its target; nullptr: of
 * each they have as many. Every computation counts once, however often it is called. */
[[nodiscard]] const Instruction *effect_without_twin(
    Arena *arena, const Module *before, const Module *after);

#endif
