/* Moves sets of asked values backwards through an operation. Wrapping maps an interval to at most
 * two pieces, and makes neighbours of values that were far apart. The values on both sides of such
 * a boundary are asked too. So numbers between two intervals of the new set are still between two
 * intervals of the old one. */
#include "oracle/values/asked.h"

void asked_add(IntervalSet *asked, Wide lo, Wide hi) {
  if (lo > hi) return;
  for (uint32_t i = 0; i < asked->count; i++)
    if (asked->lo[i] <= lo && hi <= asked->hi[i]) return;
  if (asked->count == asked_most) {
    asked->is_full = true;
    return;
  }
  asked->lo[asked->count] = lo;
  asked->hi[asked->count++] = hi;
}

static void add_part(IntervalSet *asked, Wide lo, Wide hi, Wide lowest, Wide highest) {
  asked_add(asked, lo < lowest ? lowest : lo, hi > highest ? highest : hi);
}

IntervalSet asked_within(const IntervalSet *asked, Wide lowest, Wide highest) {
  IntervalSet operand = {.is_full = asked->is_full};
  for (uint32_t i = 0; i < asked->count; i++)
    add_part(&operand, asked->lo[i], asked->hi[i], lowest, highest);
  return operand;
}

/* Adds the intervals from which x - by, x or x + by, plus `moved`, reaches an asked interval. */
static void add_wrapped(IntervalSet *operand, const IntervalSet *asked, Wide moved, Wide by,
    Wide lowest, Wide highest) {
  for (uint32_t i = 0; i < asked->count; i++)
    for (int turn = -1; turn <= 1; turn++)
      add_part(operand, asked->lo[i] - moved + turn * by, asked->hi[i] - moved + turn * by, lowest,
          highest);
}

IntervalSet asked_shifted(const IntervalSet *asked, ElementType type, Wide constant) {
  IntervalSet operand = {.is_full = asked->is_full};
  Wide lowest = integer_lowest(type), highest = integer_highest(type), by = highest - lowest + 1;
  add_wrapped(&operand, asked, integer_wrap(type, constant), by, lowest, highest);
  Wide last = integer_wrap(type, highest - constant), first = integer_wrap(type, lowest - constant);
  asked_add(&operand, last, last);
  asked_add(&operand, first, first);
  return operand;
}

bool asked_converted(
    const IntervalSet *asked, ElementType from, ElementType to, IntervalSet *operand) {
  Wide lowest = integer_lowest(from), highest = integer_highest(from);
  Wide least = integer_lowest(to), most = integer_highest(to), by = most - least + 1;
  *operand = (IntervalSet){.is_full = asked->is_full};
  if (to == TYPE_pred || highest - lowest > most - least) return false;
  add_wrapped(operand, asked, 0, by, lowest, highest);
  if (lowest < least) add_part(operand, least - 1, least, lowest, highest);
  if (highest > most) add_part(operand, most, most + 1, lowest, highest);
  return true;
}
