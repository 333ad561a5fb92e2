/* Mixing of 64-bit words for hash tables, and a checksum for files. */
#ifndef CORE_BASE_HASH_H
#define CORE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* For hash tables inside one process. Not stable across versions, never written to a file. */
[[nodiscard]] static inline uint64_t hash_mix(uint64_t hash, uint64_t word) {
  unsigned _BitInt(128) product =
      (unsigned _BitInt(128))(hash ^ word ^ UINT64_C(0x9e3779b97f4a7c15)) *
      UINT64_C(0xd6e8feb86659fd93);
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* nullptr is an empty text. */
[[nodiscard]] static inline uint64_t hash_text(uint64_t hash, const char *text) {
  while (text != nullptr && *text != 0) hash = hash_mix(hash, (uint8_t)*text++);
  return hash;
}

/* FNV-1a of 64 bits, the same on every machine and in every version because files contain it. A sum
 * of several parts starts with the sum of the earlier ones. */
static constexpr uint64_t checksum_start = UINT64_C(0xcbf29ce484222325);

[[nodiscard]] static inline uint64_t checksum_add(uint64_t sum, uint32_t word) {
  return (sum ^ word) * UINT64_C(0x100000001b3);
}

[[nodiscard]] static inline uint64_t checksum_bytes(
    uint64_t sum, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) sum = checksum_add(sum, (uint8_t)bytes[i]);
  return sum;
}

#endif
