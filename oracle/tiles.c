/* Tiled layouts, by the definition of the linear index: an element e of an array d (major to minor) in tiles t stands at the linear index of
 * (e / t, e mod t) in (d / t rounded up, t); of several tiles the second tiles what the first one left, and so on. A tile of fewer sizes tiles the minor dimensions;
 * one of more sees sizes 1 in front. Places are counted one tile at a time: the numbers of an element are split forwards, and joined backwards. */
#include "oracle/tiles.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static constexpr uint32_t most_numbers = 200;

/* Numbers of an element, and the sizes that they stay below. */
typedef struct Numbers {
  uint32_t count;
  int64_t sizes[most_numbers], values[most_numbers];
} Numbers;

static bool read_tile(const char **text, Tiling *tiling) {
  uint32_t tile = tiling->count, rank = 0;
  if (tile == 8) return false;
  for (*text += 1;; *text += 1) {
    char *end;
    long long size = strtoll(*text, &end, 10);
    if (end == *text || size <= 0 || rank == 8) return false;
    tiling->sizes[tile][rank++] = size;
    *text = end;
    if (**text != ',') break;
  }
  tiling->ranks[tile] = rank;
  tiling->count++;
  if (**text != ')') return false;
  *text += 1;
  return true;
}

bool tiling_of(const Shape *shape, Tiling *tiling) {
  *tiling = (Tiling){};
  const char *text = shape->layout_rest == nullptr ? nullptr : strstr(shape->layout_rest, "T(");
  if (text == nullptr) return true;
  for (text++; *text == '(';)
    if (!read_tile(&text, tiling)) return false;
  return shape->rank + 8 * (tiling->count + 1) <= most_numbers;
}

static void numbers_of(const Shape *shape, const int64_t *at, Numbers *numbers) {
  uint32_t order[most_numbers];
  assert(shape->rank <= most_numbers);
  shape_minor_to_major(shape, order);
  numbers->count = shape->rank;
  for (uint32_t i = 0; i < shape->rank; i++) {
    uint32_t dimension = order[shape->rank - 1 - i];
    numbers->sizes[i] = shape->sizes[dimension];
    numbers->values[i] = at == nullptr ? 0 : at[dimension];
  }
}

static void put_in_front(Numbers *numbers, uint32_t added) {
  memmove(numbers->sizes + added, numbers->sizes, numbers->count * sizeof *numbers->sizes);
  memmove(numbers->values + added, numbers->values, numbers->count * sizeof *numbers->values);
  for (uint32_t i = 0; i < added; i++) {
    numbers->sizes[i] = 1;
    numbers->values[i] = 0;
  }
  numbers->count += added;
}

/* The last numbers become which tile; where in it goes to the end. Returns the numbers that were put in front. */
static uint32_t split(Numbers *numbers, uint32_t rank, const int64_t *tile) {
  uint32_t added = rank > numbers->count ? rank - numbers->count : 0;
  put_in_front(numbers, added);
  uint32_t first = numbers->count - rank;
  for (uint32_t i = 0; i < rank; i++) {
    int64_t *size = &numbers->sizes[first + i], *value = &numbers->values[first + i];
    numbers->sizes[first + rank + i] = tile[i];
    numbers->values[first + rank + i] = *value % tile[i];
    *value /= tile[i];
    *size = *size / tile[i] + (*size % tile[i] != 0);
  }
  numbers->count += rank;
  return added;
}

static void place_numbers(const Shape *shape, const Tiling *tiling, const int64_t *at, Numbers *numbers, uint32_t *added) {
  numbers_of(shape, at, numbers);
  for (uint32_t i = 0; i < tiling->count; i++) added[i] = split(numbers, tiling->ranks[i], tiling->sizes[i]);
}

int64_t tiling_places(const Shape *shape, const Tiling *tiling) {
  Numbers numbers;
  uint32_t added[8];
  place_numbers(shape, tiling, nullptr, &numbers, added);
  int64_t places = 1;
  for (uint32_t i = 0; i < numbers.count; i++)
    if (__builtin_mul_overflow(places, numbers.sizes[i], &places)) return 0;
  return places;
}

int64_t tiling_place(const Shape *shape, const Tiling *tiling, const int64_t *at) {
  Numbers numbers;
  uint32_t added[8];
  place_numbers(shape, tiling, at, &numbers, added);
  int64_t place = 0;
  for (uint32_t i = 0; i < numbers.count; i++) place = place * numbers.sizes[i] + numbers.values[i];
  return place;
}

static void join(Numbers *numbers, uint32_t rank, const int64_t *tile, uint32_t added) {
  numbers->count -= rank;
  for (uint32_t i = 0; i < rank; i++) {
    int64_t *value = &numbers->values[numbers->count - rank + i];
    *value = *value * tile[i] + numbers->values[numbers->count + i];
  }
  numbers->count -= added;
  memmove(numbers->values, numbers->values + added, numbers->count * sizeof *numbers->values);
}

bool tiling_element(const Shape *shape, const Tiling *tiling, int64_t place, int64_t *at) {
  Numbers numbers;
  uint32_t added[8], order[most_numbers];
  place_numbers(shape, tiling, nullptr, &numbers, added);
  for (uint32_t i = numbers.count; i-- > 0; place /= numbers.sizes[i]) numbers.values[i] = place % numbers.sizes[i];
  for (uint32_t i = tiling->count; i-- > 0;) join(&numbers, tiling->ranks[i], tiling->sizes[i], added[i]);
  shape_minor_to_major(shape, order);
  for (uint32_t i = 0; i < shape->rank; i++) {
    uint32_t dimension = order[shape->rank - 1 - i];
    at[dimension] = numbers.values[i];
    if (at[dimension] >= shape->sizes[dimension]) return false;
  }
  return true;
}
