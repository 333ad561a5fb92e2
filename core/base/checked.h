/* int64 arithmetic that returns false on overflow, and the mathematical divisions. For a divisor c
 * > 0: x = c * floordiv(x, c) + mod(x, c) and 0 <= mod(x, c) < c; ceildiv(x, c) = -floordiv(-x, c).
 * Only the engine uses this file; the oracle computes in _BitInt(128). */
#ifndef CORE_BASE_CHECKED_H
#define CORE_BASE_CHECKED_H

#include <assert.h>
#include <stdckdint.h>
#include <stdint.h>

[[nodiscard]] static inline bool add64(int64_t a, int64_t b, int64_t *sum) {
  return !ckd_add(sum, a, b);
}
[[nodiscard]] static inline bool sub64(int64_t a, int64_t b, int64_t *difference) {
  return !ckd_sub(difference, a, b);
}
[[nodiscard]] static inline bool mul64(int64_t a, int64_t b, int64_t *product) {
  return !ckd_mul(product, a, b);
}

[[nodiscard]] static inline int64_t floordiv64(int64_t x, int64_t c) {
  assert(c > 0);
  return x / c - (x % c < 0);
}

[[nodiscard]] static inline int64_t ceildiv64(int64_t x, int64_t c) {
  assert(c > 0);
  return x / c + (x % c > 0);
}

[[nodiscard]] static inline int64_t mod64(int64_t x, int64_t c) {
  assert(c > 0);
  int64_t remainder = x % c;
  return remainder < 0 ? remainder + c : remainder;
}

/* -1, 0 or 1 as a is less than b, equal or greater; and the same for qsort. */
[[nodiscard]] static inline int order64(int64_t a, int64_t b) { return (a > b) - (a < b); }
[[nodiscard]] static inline int order64_at(const void *a, const void *b) {
  return order64(*(const int64_t *)a, *(const int64_t *)b);
}

[[nodiscard]] static inline int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }
[[nodiscard]] static inline int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }

/* gcd of the absolute values; gcd(0, 0) = 0. Exact for every int64. The result is unsigned because
 * gcd(INT64_MIN, 0) is 2^63. */
[[nodiscard]] static inline uint64_t gcd64(int64_t a, int64_t b) {
  uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
  uint64_t y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
  while (y != 0) {
    uint64_t r = x % y;
    x = y;
    y = r;
  }
  return x;
}

#endif
