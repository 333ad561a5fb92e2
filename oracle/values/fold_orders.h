/* The orders in which the tuples of a fold are tried, by number. */
#ifndef ORACLE_VALUES_FOLD_ORDERS_H
#define ORACLE_VALUES_FOLD_ORDERS_H

#include <stdint.h>

static constexpr uint32_t most_permuted = 12;

static inline uint64_t order_total(uint32_t count) {
  uint64_t product = 1;
  for (uint32_t i = 2; i <= count && count <= most_permuted; i++) product *= i;
  return product;
}

/* The number of orders in which tuples are folded whose function may depend on the order: all
 * orders of up to four tuples, else some. */
[[nodiscard]] static inline uint32_t tried_orders(uint32_t count) {
  return count <= 4 ? (uint32_t)order_total(count) : count <= most_permuted ? 12 : 4;
}

/* Which of `count` tuples is folded at step `i`. Order 0 is the given one; the last one of some is
 * backwards. */
[[nodiscard]] static inline uint32_t folded_at(uint32_t order, uint32_t count, uint32_t i) {
  if (count > most_permuted)
    return order == 0   ? i
           : order == 1 ? (i + 1) % count
           : order == 2 ? (i + count / 2) % count
                        : count - 1 - i;
  uint64_t number = order * (order_total(count) - 1) / (tried_orders(count) - (count > 1));
  uint32_t taken = 0, at = 0;
  for (uint32_t step = 0; step <= i; step++) {
    uint64_t left = order_total(count - 1 - step), skipped = number / left;
    number %= left;
    for (at = 0; (taken >> at & 1) != 0 || skipped-- > 0; at++) {}
    taken |= 1U << at;
  }
  return at;
}

#endif
