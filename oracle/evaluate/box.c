/* Counts and lists the points of a box. */
#include "oracle/evaluate/box.h"

#include <assert.h>

bool box_count(Box *box, int64_t limit) {
  Wide points = 1;
  box->points = 0;
  for (uint32_t i = 0; i < box->count; i++)
    if (box->of[i].lo > box->of[i].hi) return true;
  for (uint32_t i = 0; i < box->count && points <= limit; i++)
    points *= (Wide)box->of[i].hi - box->of[i].lo + 1;
  if (points > limit) return false;
  assert(points > 0);
  box->points = (int64_t)points;
  return true;
}

void box_point(const Box *box, int64_t point, int64_t *values) {
  assert(point >= 0 && point < box->points);
  for (uint32_t i = box->count; i-- > 0;) {
    int64_t size = box->of[i].hi - box->of[i].lo + 1;
    values[i] = box->of[i].lo + point % size;
    assert(values[i] >= box->of[i].lo && values[i] <= box->of[i].hi);
    point /= size;
  }
  assert(point == 0);
}

void box_next(const Box *box, int64_t *values) {
  for (uint32_t i = box->count; i-- > 0;) {
    assert(values[i] >= box->of[i].lo && values[i] <= box->of[i].hi);
    if (values[i] < box->of[i].hi) {
      values[i]++;
      return;
    }
    values[i] = box->of[i].lo;
  }
}

/* Fills the column of one variable, whose value changes every `stride` points. */
static void box_fill(Interval of, int64_t stride, int64_t first, uint32_t count, int64_t *column) {
  int64_t size = of.hi - of.lo + 1;
  int64_t value = first / stride % size, stays = stride - first % stride;
  uint32_t at = 0;
  while (at < count) {
    uint32_t end = stays < count - at ? at + (uint32_t)stays : count;
    for (; at < end; at++) column[at] = of.lo + value;
    value = value + 1 == size ? 0 : value + 1;
    stays = stride;
  }
}

/* Fills the column of the fastest variable, which increases by 1 at each point. */
static void fill_fastest(Interval of, int64_t first, uint32_t count, int64_t *column) {
  int64_t size = of.hi - of.lo + 1;
  int64_t value = first % size;
  for (uint32_t at = 0; at < count;) {
    uint32_t end = size - value < count - at ? at + (uint32_t)(size - value) : count;
    for (uint64_t next = (uint64_t)of.lo + (uint64_t)value; at < end; at++)
      column[at] = (int64_t)next++;
    value = 0;
  }
}

void box_columns(const Box *box, int64_t first, uint32_t count, int64_t **columns) {
  assert(first >= 0 && count <= box_block && first + count <= box->points);
  int64_t stride = 1;
  for (uint32_t i = box->count; i-- > 0;) {
    if (stride == 1) fill_fastest(box->of[i], first, count, columns[i]);
    else box_fill(box->of[i], stride, first, count, columns[i]);
    stride *= box->of[i].hi - box->of[i].lo + 1;
  }
}

int64_t **columns_create(
    Arena *arena, const Program *program, int64_t points, uint32_t shared, int64_t **given) {
  assert(points >= 0 && shared <= program->slot_count);
  uint32_t capacity = points < box_block ? (uint32_t)points : box_block;
  int64_t **columns = ARENA_NEW(arena, int64_t *, program->slot_count);
  int64_t *values = ARENA_NEW(arena, int64_t, (size_t)(program->slot_count - shared) * capacity);
  for (uint32_t i = 0; i < program->slot_count; i++)
    columns[i] = i < shared ? given[i] : values + (size_t)(i - shared) * capacity;
  program_fill_constants(program, capacity, columns);
  return columns;
}

/* Uses signs instead of comparisons, and products of 32-bit factors: not every machine has vector
 * instructions for comparisons and products of 64 bits. */
void column_number(const int64_t *restrict values, int64_t size, uint32_t count,
    int64_t *restrict numbers, int64_t *restrict outside) {
  assert(size >= 0);
  uint64_t factor = (uint32_t)size;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t value = (uint64_t)values[i], left = (uint64_t)size - 1 - value;
    outside[i] |= (int64_t)(value | left);
    numbers[i] = (int64_t)((uint64_t)(uint32_t)numbers[i] * factor + value);
  }
}
