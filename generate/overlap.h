/* The overlaps of two left sides: every way in which operators of one are operators of the other,
 * with one rule's root at a place of the other that is not a letter. A summand that the other rule
 * does not name is taken by one of its letters, or belongs to the rest of a sum that is matched in
 * part. A rule also overlaps with itself. */
#ifndef GENERATE_OVERLAP_H
#define GENERATE_OVERLAP_H

#include "generate/rule_form.h"

typedef struct Overlap {
  const RuleForm *outer, *inner;
  bool at_root; /* both roots are at the same place; such a pair has only one order */
  /* operator i of the outer rule is operator same[i] of the inner one; 0: none */
  uint8_t same[form_max_operators + 1];
  /* for two minima or maxima: argument i is argument arguments[i] - 1 of the other; 0: none */
  uint8_t arguments[2];
  /* place of the inner root in the outer rule: an operator; for an inner rule on sums, the operator
   * and its argument that contain the sum; 0: the whole */
  uint8_t position, position_argument;
} Overlap;

typedef struct OverlapList {
  uint32_t count, capacity;
  Overlap *items;
} OverlapList;

/* Adds the overlaps with the inner rule's root within the outer rule; overlaps of both roots only
 * if `with_roots`. */
void overlaps_add(
    Arena *arena, const RuleForm *outer, const RuleForm *inner, bool with_roots, OverlapList *list);
/* "1=1,2=3": pairs of identical operators; starts with "in" for a constraint's root. For a rule
 * that cancels, a letter names the variant. */
[[nodiscard]] const char *overlap_text(Arena *arena, const Overlap *overlap);

#endif
