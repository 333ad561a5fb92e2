/* Ranges of values that a user distinguishes, and the ranges of an operand that lead to them.
 * A user's outcome is constant in every gap between its ranges, and below and above them. Each
 * range reaches into the gaps beside it, unless the element type ends there. Keeps: if an
 * operand's ranges are whole, one value of each range and gap stands for every value of the
 * operand's type.
 * Wrapping arithmetic cuts an operand's type into pieces, and the result is monotone on each piece.
 * If not all pieces are listed, the ranges of an operand that can have every value still lead to
 * every outcome of this user, but not to every pair of its outcome and another user's: they are
 * partial. */
#ifndef ORACLE_EVALUATE_VALUE_RANGES_H
#define ORACLE_EVALUATE_VALUE_RANGES_H

#include "oracle/evaluate/flow.h"
#include "oracle/evaluate/wide.h"

static constexpr uint32_t ranges_capacity = 12;

typedef struct Ranges {
  uint32_t count;
  bool is_partial; /* complete only if the operand has no other user, and can
                    * have every value of its type */
  bool is_cut;     /* some outcome may be missing */
  Wide lo[ranges_capacity], hi[ranges_capacity]; /* no two overlap or touch */
} Ranges;

/* Makes `ranges` the one range lo .. hi. */
void ranges_set(Ranges *ranges, Wide lo, Wide hi);
/* Adds lo .. hi; sets is_cut if there is no space. */
void ranges_add(Ranges *ranges, Wide lo, Wide hi);
[[nodiscard]] bool ranges_contain(const Ranges *ranges, const Ranges *other);

/* The ranges of an operand of a computed node, from the ranges of its result. `other` is the value
 * of the other operand of two if that operand is fixed, else nullptr. */
void ranges_of_operand(
    Ranges *ranges, const Node *node, uint32_t operand, const Wide *other, const Ranges *result);
/* The ranges of a value of type `from` that is wrapped to type `to`. */
void ranges_of_wrapped(Ranges *ranges, ElementType from, ElementType to, const Ranges *result);

#endif
