/* Constants at which arithmetic tends to fail: the limits of 8, 16, 32 and 64 bits with their
 * neighbours, 2^32 +- 1 and 2^62. Generators draw a quarter of their constants from here. */
#ifndef CORE_BASE_EDGES_H
#define CORE_BASE_EDGES_H

#include <stdint.h>

static const int64_t edge_integers[] = {INT8_MIN, INT8_MIN + 1, INT8_MIN - 1, INT8_MAX, UINT8_MAX,
    INT16_MIN, INT16_MIN + 1, INT16_MIN - 1, INT16_MAX, UINT16_MAX, INT32_MIN, INT32_MIN + 1,
    (int64_t)INT32_MIN - 1, INT32_MAX, UINT32_MAX, (int64_t)UINT32_MAX + 1, (int64_t)UINT32_MAX + 2,
    INT64_C(1) << 62, -(INT64_C(1) << 62), INT64_MIN, INT64_MIN + 1, INT64_MAX - 1, INT64_MAX, -1};
static constexpr uint32_t edge_count = sizeof edge_integers / sizeof *edge_integers;

/* Any number selects one. */
[[nodiscard]] static inline int64_t edge_integer(uint64_t number) {
  return edge_integers[number % edge_count];
}

/* The edges of an integral type of `bits` bits, at most 64: the lowest value, the next one, -1 (for
 * an unsigned type the second highest), and the highest. Returned as the type's bits in an
 * int64. */
[[nodiscard]] static inline int64_t edge_of_bits(uint32_t bits, bool is_signed, uint64_t number) {
  uint64_t highest = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  int64_t most = (int64_t)(is_signed ? highest >> 1 : highest), least = is_signed ? -most - 1 : 0;
  switch (number % 4) {
    case 0: return least;
    case 1: return least + 1;
    case 2: return is_signed ? -1 : most - 1;
    default: return most;
  }
}

#endif
