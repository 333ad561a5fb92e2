/* The overlaps of two left sides: every way in which operators of the one are operators of the
 * other, with one rule's root at a place of the other that is no letter. Summands that the other
 * rule does not name are taken by a letter of it, or are the rest of a sum of which it matches a
 * part. A rule overlaps with itself. */
#ifndef GENERATE_OVERLAP_H
#define GENERATE_OVERLAP_H

#include "generate/rule_form.h"

typedef struct Overlap {
  const RuleForm *outer, *inner;
  bool at_root; /* both roots are one place: such a pair has one order */
  /* operator i of the outer rule is operator same[i] of the inner one; 0: none */
  uint8_t same[form_max_operators + 1];
  /* of two minima or maxima: argument i is argument arguments[i] - 1 of the other; 0: none */
  uint8_t arguments[2];
  /* the inner root stands here, in the outer rule: an operator (of an inner rule on sums: the one
   * whose argument it is a part of, and which argument); 0: the whole */
  uint8_t place, place_argument;
} Overlap;

typedef struct OverlapList {
  uint32_t count, capacity;
  Overlap *items;
} OverlapList;

/* Adds the overlaps in which the inner rule's root is within the outer rule; those of both roots
 * only if `with_roots`. */
void overlaps_add(
    Arena *arena, const RuleForm *outer, const RuleForm *inner, bool with_roots, OverlapList *list);
/* "1=1,2=3": which operators are one; "in" for a constraint's root. Of a rule that cancels, a
 * letter says beside what. */
[[nodiscard]] const char *overlap_text(Arena *arena, const Overlap *overlap);

#endif
