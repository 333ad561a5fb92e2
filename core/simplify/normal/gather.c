/* Collects linear sums: summands are appended in any order, then sorted canonically and merged.
 * Costs n log n comparisons, or one pass if they are already in order.
 *
 * Keeps: additions are exact until the end, so that rejection does not depend on the order of the
 * summands. Overflow is recorded and rejected at the end. */
#include "core/simplify/normal/normal.h"

#include <assert.h>

#include "core/base/checked.h"

Gather gather_create(Normal *normal, uint32_t capacity) {
  if (capacity < 8) capacity = 8;
  return (Gather){
      .normal = normal, .items = BUMP_NEW(&normal->temp, Summand, capacity), .capacity = capacity};
}

static void gather_reserve(Gather *gather, uint32_t more) {
  uint64_t needed = (uint64_t)gather->count + more;
  if (needed <= gather->capacity) return;
  uint64_t capacity = 2 * (uint64_t)gather->capacity;
  if (capacity < needed) capacity = needed;
  if (capacity > UINT32_MAX) arena_out_of_memory(SIZE_MAX);
  Summand *items = BUMP_NEW(&gather->normal->temp, Summand, capacity);
  for (uint32_t i = 0; i < gather->count; i++) items[i] = gather->items[i];
  assert(capacity >= needed);
  gather->items = items;
  gather->capacity = (uint32_t)capacity;
}

/* Adds modulo 2^64; returns the carry. */
static int32_t add_carried(int64_t *sum, int64_t more) {
  return add64(*sum, more, sum) ? 0 : more > 0 ? 1 : -1;
}

void gather_constant(Gather *gather, int64_t scale, int64_t value) {
  int64_t product;
  if (!mul64(scale, value, &product)) gather->has_overflow = true;
  gather->carries += add_carried(&gather->constant, product);
}

void gather_atom(Gather *gather, int64_t coefficient, NormalAtom *atom) {
  if (coefficient == 0) return;
  assert(atom_is_canonical(atom));
  gather_reserve(gather, 1);
  gather->items[gather->count++] = (Summand){coefficient, atom};
}

void gather_items(Gather *gather, int64_t scale, const Summand *items, uint32_t count) {
  if (scale == 0) return;
  gather_reserve(gather, count);
  Summand *next = gather->items + gather->count;
  for (uint32_t i = 0; i < count; i++) {
    next[i].atom = items[i].atom;
    if (!mul64(scale, items[i].coefficient, &next[i].coefficient)) gather->has_overflow = true;
  }
  gather->count += count;
}

int64_t summands_content(const Summand *items, uint32_t count, int64_t constant) {
  uint64_t content = gcd64(constant, 0);
  bool has_least = constant == INT64_MIN;
  for (uint32_t i = 0; i < count && (content != 1 || items[0].coefficient < 0); i++) {
    if (content != 1) content = gcd64((int64_t)content, items[i].coefficient);
    has_least |= items[i].coefficient == INT64_MIN;
  }
  if (content > INT64_MAX) return 0;
  assert(content > 0);
  assert(constant % (int64_t)content == 0 && items[0].coefficient % (int64_t)content == 0);
  bool is_negative = items[0].coefficient < 0 && !(content == 1 && has_least);
  return is_negative ? -(int64_t)content : (int64_t)content;
}

static bool is_ascending(const Gather *gather) {
  for (uint32_t i = 1; i < gather->count; i++)
    if (atom_compare(gather->items[i - 1].atom, gather->items[i].atom) >= 0) return false;
  return true;
}

static void insertion_sort(Summand *items, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    Summand one = items[i];
    uint32_t at = i;
    for (; at > 0 && atom_compare(items[at - 1].atom, one.atom) > 0; at--)
      items[at] = items[at - 1];
    items[at] = one;
  }
}

static void merge_halves(Summand *items, uint32_t half, uint32_t count, Summand *space) {
  for (uint32_t i = 0; i < half; i++) space[i] = items[i];
  uint32_t left = 0, right = half, out = 0;
  while (left < half && right < count)
    items[out++] =
        atom_compare(space[left].atom, items[right].atom) <= 0 ? space[left++] : items[right++];
  while (left < half) items[out++] = space[left++];
}

/* The recursion is logarithmic in the count. */
static void merge_sort(Summand *items, uint32_t count, Summand *space) {
  if (count <= 16) {
    insertion_sort(items, count);
    return;
  }
  uint32_t half = count / 2;
  merge_sort(items, half, space);
  merge_sort(items + half, count - half, space);
  merge_halves(items, half, count, space);
}

static void gather_sort(Gather *gather) {
  if (gather->count <= 16) {
    insertion_sort(gather->items, gather->count);
    return;
  }
  BumpMark mark = bump_mark(&gather->normal->temp);
  merge_sort(
      gather->items, gather->count, BUMP_NEW(&gather->normal->temp, Summand, gather->count / 2));
  bump_release(&gather->normal->temp, mark);
}

/* Merges equal neighbours and removes zeros. */
static void merge_equal(Gather *gather) {
  uint32_t out = 0;
  for (uint32_t i = 0; i < gather->count;) {
    Summand one = gather->items[i++];
    int32_t carries = 0;
    while (i < gather->count && gather->items[i].atom == one.atom)
      carries += add_carried(&one.coefficient, gather->items[i++].coefficient);
    if (carries != 0) gather->has_overflow = true;
    if (one.coefficient != 0) gather->items[out++] = one;
  }
  assert(out <= gather->count);
  gather->count = out;
}

static bool gather_reject(Gather *gather) {
  gather->has_overflow = gather->normal->has_overflow = true;
  return false;
}

bool gather_collect(Gather *gather) {
  if (gather->has_overflow || gather->carries != 0) return gather_reject(gather);
  if (is_ascending(gather)) return true;
  gather_sort(gather);
  merge_equal(gather);
  assert(gather->has_overflow || summands_are_canonical(gather->items, gather->count));
  return !gather->has_overflow || gather_reject(gather);
}

NormalSum *gather_finish(Gather *gather) {
  if (!gather_collect(gather)) return nullptr;
  return sum_intern(gather->normal, gather->items, gather->count, gather->constant);
}
