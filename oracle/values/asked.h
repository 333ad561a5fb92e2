/* The values of an integer at which what is picked by it can change: a set of intervals. Between
 * two intervals, below the first and above the last, every value does the same. */
#ifndef ORACLE_ASKED_H
#define ORACLE_ASKED_H

#include "core/hlo/graph.h"
#include "oracle/semantics/arithmetic.h"

static constexpr uint32_t asked_most = 24;

typedef struct IntervalSet {
  uint32_t count;
  bool is_full; /* more intervals than have a place: the set says nothing */
  Wide lo[asked_most], hi[asked_most];
} IntervalSet;

void asked_add(IntervalSet *asked, Wide lo, Wide hi);
/* What is asked of x where `asked` is asked of max(min(x, highest), lowest). */
[[nodiscard]] IntervalSet asked_within(const IntervalSet *asked, Wide lowest, Wide highest);
/* What is asked of x where `asked` is asked of x + constant, in a type that wraps around. */
[[nodiscard]] IntervalSet asked_shifted(const IntervalSet *asked, ElementType type, Wide constant);
/* What is asked of x of the type `from` where `asked` is asked of its conversion to `to`; false
 * where different values of x are converted to the same one. */
[[nodiscard]] bool asked_converted(
    const IntervalSet *asked, ElementType from, ElementType to, IntervalSet *operand);

#endif
