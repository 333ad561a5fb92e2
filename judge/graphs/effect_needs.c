/* Marks the operation and the calls that lead to it, and then what these need. */
#include "judge/graphs/effect_needs.h"

static void mark_needs(EffectNeeds *needs, const Instruction *second, bool with_control) {
  EffectFollowing *following = needs->following;
  LeafNeeds *leaves = &needs->by[with_control];
  if (leaves->parts == nullptr)
    *leaves = leaf_needs_create(following->arena, following->module,
        with_control ? LEAVES_WITH_CONTROL : LEAVES_WITH_WAITS, following->unknown_is_any);
  leaf_needs_reset(leaves);
  for (const Instruction *at = second; at != nullptr; at = effect_caller(following, at->parent))
    leaf_needs_mark_run(leaves, at);
  leaf_needs_close(leaves);
  needs->of[with_control] = second;
}

bool effect_needs(
    EffectNeeds *needs, const Instruction *first, const Instruction *second, bool with_control) {
  if (needs->of[with_control] != second) mark_needs(needs, second, with_control);
  return first != second && leaf_needs_has(&needs->by[with_control], first);
}
