/* Moves the breakpoints of a result backwards through an operation. Wrapping maps an interval to at
 * most two pieces, and makes neighbours of values that were far apart. The values on both sides of
 * such a boundary are breakpoints too. So numbers between two intervals of the new set are still
 * between two intervals of the old one. */
#include "oracle/values/breakpoints.h"

void breakpoints_add(IntervalSet *breaks, Wide lo, Wide hi) {
  if (lo > hi) return;
  for (uint32_t i = 0; i < breaks->count; i++)
    if (breaks->lo[i] <= lo && hi <= breaks->hi[i]) return;
  if (breaks->count == breakpoints_most) {
    breaks->is_full = true;
    return;
  }
  breaks->lo[breaks->count] = lo;
  breaks->hi[breaks->count++] = hi;
}

static void add_part(IntervalSet *breaks, Wide lo, Wide hi, Wide lowest, Wide highest) {
  breakpoints_add(breaks, lo < lowest ? lowest : lo, hi > highest ? highest : hi);
}

IntervalSet breakpoints_within(const IntervalSet *breaks, Wide lowest, Wide highest) {
  IntervalSet operand = {.is_full = breaks->is_full};
  for (uint32_t i = 0; i < breaks->count; i++)
    add_part(&operand, breaks->lo[i], breaks->hi[i], lowest, highest);
  return operand;
}

/* Adds the intervals from which x - by, x or x + by, plus `moved`, reaches a breakpoint. */
static void add_wrapped(IntervalSet *operand, const IntervalSet *breaks, Wide moved, Wide by,
    Wide lowest, Wide highest) {
  for (uint32_t i = 0; i < breaks->count; i++)
    for (int turn = -1; turn <= 1; turn++)
      add_part(operand, breaks->lo[i] - moved + turn * by, breaks->hi[i] - moved + turn * by,
          lowest, highest);
}

IntervalSet breakpoints_shifted(const IntervalSet *breaks, ElementType type, Wide constant) {
  IntervalSet operand = {.is_full = breaks->is_full};
  Wide lowest = integer_lowest(type), highest = integer_highest(type), by = highest - lowest + 1;
  add_wrapped(&operand, breaks, integer_wrap(type, constant), by, lowest, highest);
  Wide last = integer_wrap(type, highest - constant), first = integer_wrap(type, lowest - constant);
  breakpoints_add(&operand, last, last);
  breakpoints_add(&operand, first, first);
  return operand;
}

bool breakpoints_converted(
    const IntervalSet *breaks, ElementType from, ElementType to, IntervalSet *operand) {
  Wide lowest = integer_lowest(from), highest = integer_highest(from);
  Wide least = integer_lowest(to), most = integer_highest(to), by = most - least + 1;
  *operand = (IntervalSet){.is_full = breaks->is_full};
  if (to == TYPE_pred || highest - lowest > most - least) return false;
  add_wrapped(operand, breaks, 0, by, lowest, highest);
  if (lowest < least) add_part(operand, least - 1, least, lowest, highest);
  if (highest > most) add_part(operand, most, most + 1, lowest, highest);
  return true;
}
