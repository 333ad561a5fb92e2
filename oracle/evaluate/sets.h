/* Sets of elements of one operand leaf, each stored once: equal sets have equal numbers. Number 0
 * is the empty set; number 1 + e is the set of element e alone; larger numbers have their bits in
 * the table. */
#ifndef ORACLE_EVALUATE_SETS_H
#define ORACLE_EVALUATE_SETS_H

#include "core/base/arena.h"

static constexpr uint32_t set_empty = 0;

typedef struct Sets {
  Arena *arena;
  int64_t universe; /* elements 0 .. universe - 1 */
  uint32_t words;   /* 64-bit words that hold them, at least 1 */
  uint32_t count, capacity;
  uint64_t **items; /* set number 1 + universe + i */
  uint32_t *table;  /* open addressing over items, 0 is free, else index + 1 */
  uint32_t table_mask;
  uint64_t *bits; /* buffer for the set that is being built */
} Sets;

void sets_create(Sets *sets, Arena *arena, int64_t universe);
/* The number of a set given by its bits. */
[[nodiscard]] uint32_t sets_number(Sets *sets, const uint64_t *bits);
/* Adds the elements of a set to `bits`. */
void sets_add(const Sets *sets, uint32_t set, uint64_t *bits);

static inline void bits_set(uint64_t *bits, int64_t element) {
  bits[element >> 6] |= UINT64_C(1) << (element & 63);
}
/* Sets bits one after another. Those of one word in a row are collected and written at once; a write
 * would otherwise wait for the one before. The last ones are written by bits_run_end. */
typedef struct BitsRun {
  uint64_t *word, set; /* word may be null */
} BitsRun;
static inline void bits_run_end(BitsRun *run) {
  if (run->word != nullptr) *run->word |= run->set;
  *run = (BitsRun){};
}
static inline void bits_run_set(BitsRun *run, uint64_t *bits, int64_t element) {
  uint64_t *word = bits + (element >> 6);
  if (word != run->word) {
    bits_run_end(run);
    run->word = word;
  }
  run->set |= UINT64_C(1) << (element & 63);
}
[[nodiscard]] static inline bool bits_has(const uint64_t *bits, int64_t element) {
  return (bits[element >> 6] >> (element & 63) & 1) != 0;
}
[[nodiscard]] static inline uint32_t bits_words(int64_t elements) {
  return elements == 0 ? 1 : (uint32_t)((elements + 63) / 64);
}

#endif
