/* The breakpoints of an integer: a set of intervals that contains every value at which a pick by
 * the integer can change. All values between two intervals have the same effect, as have all values
 * below the first and all above the last interval. */
#ifndef ORACLE_VALUES_BREAKPOINTS_H
#define ORACLE_VALUES_BREAKPOINTS_H

#include "core/hlo/graph.h"
#include "oracle/semantics/arithmetic.h"

static constexpr uint32_t breakpoints_most = 24;

typedef struct IntervalSet {
  uint32_t count;
  bool is_full; /* there were more intervals than breakpoints_most: the set is meaningless */
  Wide lo[breakpoints_most], hi[breakpoints_most];
} IntervalSet;

void breakpoints_add(IntervalSet *breaks, Wide lo, Wide hi);
/* The breakpoints of x, if `breaks` are those of max(min(x, highest), lowest). */
[[nodiscard]] IntervalSet breakpoints_within(const IntervalSet *breaks, Wide lowest, Wide highest);
/* The breakpoints of x, if `breaks` are those of x + constant, in a type that wraps around. */
[[nodiscard]] IntervalSet breakpoints_shifted(
    const IntervalSet *breaks, ElementType type, Wide constant);
/* The breakpoints of x of type `from`, if `breaks` are those of its conversion to `to`. False if
 * different values of x are converted to the same value. */
[[nodiscard]] bool breakpoints_converted(
    const IntervalSet *breaks, ElementType from, ElementType to, IntervalSet *operand);

#endif
