/* Marks the operation and the calls that lead to it, and then what these need. */
#include "judge/graphs/effect_needs.h"

#include <assert.h>

static uint32_t called_place(const Instruction *caller, const Computation *called) {
  uint32_t place = 0;
  while (caller->called[place] != called) place++;
  assert(place < caller->called_count);
  return place;
}

/* Marks that the operation and the calls around it run; returns the part that the operation is in.
 * The depth is that of the nested calls. */
static LeafPart *mark_run(
    EffectFollowing *following, LeafNeeds *leaves, const Instruction *instruction) {
  const Computation *computation = instruction->parent;
  const Instruction *caller = effect_caller(following, computation);
  LeafPart *part = caller == nullptr
                       ? leaf_needs_part(leaves, computation)
                       : leaf_needs_called(leaves, mark_run(following, leaves, caller), caller,
                             called_place(caller, computation));
  leaf_needs_mark_run(part, instruction);
  return part;
}

static void mark_needs(EffectNeeds *needs, const Instruction *second, bool with_control) {
  EffectFollowing *following = needs->following;
  LeafNeeds *leaves = &needs->by[with_control];
  if (leaves->module == nullptr)
    *leaves = leaf_needs_create(following->arena, following->module,
        with_control ? LEAVES_WITH_CONTROL : LEAVES_WITH_WAITS, following->unknown_is_any);
  leaf_needs_reset(leaves);
  (void)mark_run(following, leaves, second);
  leaf_needs_close(leaves);
  needs->of[with_control] = second;
}

bool effect_needs(
    EffectNeeds *needs, const Instruction *first, const Instruction *second, bool with_control) {
  if (needs->of[with_control] != second) mark_needs(needs, second, with_control);
  return first != second && leaf_needs_has(&needs->by[with_control], first);
}

bool effect_needs_are_cut(const EffectNeeds *needs) {
  return needs->by[0].is_cut || needs->by[1].is_cut;
}
