/* Mixing of 64-bit words for hash tables inside one process. Not stable across versions, never
 * written to a file. */
#ifndef CORE_BASE_HASH_H
#define CORE_BASE_HASH_H

#include <stdint.h>

[[nodiscard]] static inline uint64_t hash_mix(uint64_t hash, uint64_t word) {
  unsigned _BitInt(128) product =
      (unsigned _BitInt(128))(hash ^ word ^ UINT64_C(0x9e3779b97f4a7c15)) *
      UINT64_C(0xd6e8feb86659fd93);
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#endif
