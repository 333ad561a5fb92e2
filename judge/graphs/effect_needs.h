/* Which effects run after which because one is computed from the other, leaf by leaf and through
 * calls: an element of a tuple does not wait for the others, nor an effect inside a call for what
 * it does not use. So the order holds wherever calls are inlined and tuples are taken apart. */
#ifndef JUDGE_GRAPHS_EFFECT_NEEDS_H
#define JUDGE_GRAPHS_EFFECT_NEEDS_H

#include "judge/graphs/effects.h"
#include "judge/graphs/leaf_needs.h"

/* What is known of one module. Keeps what the last second operation needs, without and with control
 * predecessors. All zero but for `following`: nothing is known yet. */
typedef struct EffectNeeds {
  EffectFollowing *following;
  LeafNeeds by[2];
  const Instruction *of[2];
} EffectNeeds;

/* Whether the second of two operations that run once needs the first one. */
[[nodiscard]] bool effect_needs(
    EffectNeeds *needs, const Instruction *first, const Instruction *second, bool with_control);
/* Whether some result is not known to be right, because too many calls lead to each other. */
[[nodiscard]] bool effect_needs_are_cut(const EffectNeeds *needs);

#endif
