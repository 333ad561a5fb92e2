/* The asked values of an integer: a set of intervals that contains every value at which a pick by
 * the integer can change. All values between two intervals have the same effect, as have all values
 * below the first and all above the last interval. */
#ifndef ORACLE_VALUES_ASKED_H
#define ORACLE_VALUES_ASKED_H

#include "core/hlo/graph.h"
#include "oracle/semantics/arithmetic.h"

static constexpr uint32_t asked_most = 24;

typedef struct IntervalSet {
  uint32_t count;
  bool is_full; /* there were more intervals than asked_most: the set is meaningless */
  Wide lo[asked_most], hi[asked_most];
} IntervalSet;

void asked_add(IntervalSet *asked, Wide lo, Wide hi);
/* The asked values of x, if `asked` are those of max(min(x, highest), lowest). */
[[nodiscard]] IntervalSet asked_within(const IntervalSet *asked, Wide lowest, Wide highest);
/* The asked values of x, if `asked` are those of x + constant, in a type that wraps around. */
[[nodiscard]] IntervalSet asked_shifted(const IntervalSet *asked, ElementType type, Wide constant);
/* The asked values of x of type `from`, if `asked` are those of its conversion to `to`. False if
 * different values of x are converted to the same value. */
[[nodiscard]] bool asked_converted(
    const IntervalSet *asked, ElementType from, ElementType to, IntervalSet *operand);

#endif
