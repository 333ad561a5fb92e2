/* The oracle's own arithmetic, 128 bits wide, so that a value outside of int64 is still
 * represented. For a divisor c > 0: x = c * q + r with 0 <= r < c; q is the floor, r the mod, and
 * the ceiling is q + (r > 0). */
#ifndef ORACLE_EVALUATE_WIDE_H
#define ORACLE_EVALUATE_WIDE_H

#include <assert.h>
#include <stdint.h>

typedef _BitInt(128) Wide;

[[nodiscard]] static inline Wide wide_mod(Wide x, Wide c) {
  assert(c > 0);
  Wide r = x % c;
  return r < 0 ? r + c : r;
}

[[nodiscard]] static inline Wide wide_floordiv(Wide x, Wide c) { return (x - wide_mod(x, c)) / c; }
[[nodiscard]] static inline Wide wide_ceildiv(Wide x, Wide c) {
  return wide_floordiv(x, c) + (wide_mod(x, c) > 0);
}
[[nodiscard]] static inline Wide wide_min(Wide a, Wide b) { return b < a ? b : a; }
[[nodiscard]] static inline Wide wide_max(Wide a, Wide b) { return a < b ? b : a; }
[[nodiscard]] static inline Wide wide_clamp(Wide x, Wide lo, Wide hi) {
  return wide_max(lo, wide_min(x, hi));
}
[[nodiscard]] static inline bool wide_fits_int64(Wide x) {
  return x >= INT64_MIN && x <= INT64_MAX;
}

/* Whether c > 0 divides x >= 0, and the quotient. Uses 64 bits if both fit, which is far
 * cheaper. */
[[nodiscard]] static inline bool wide_divides(Wide c, Wide x, Wide *quotient) {
  assert(c > 0 && x >= 0);
  if (x <= INT64_MAX && c <= INT64_MAX) {
    *quotient = (uint64_t)x / (uint64_t)c;
    return (uint64_t)x % (uint64_t)c == 0;
  }
  *quotient = x / c;
  return x % c == 0;
}

#endif
