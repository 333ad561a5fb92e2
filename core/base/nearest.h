/* "did you mean ..?": the word of a list that is nearest to a misspelt word. */
#ifndef CORE_BASE_NEAREST_H
#define CORE_BASE_NEAREST_H

#include <stddef.h>
#include <stdint.h>

/* The nearest of the candidates tried so far. */
typedef struct Nearest {
  const char *word; /* the misspelt word, `length` bytes */
  size_t length;
  uint32_t distance; /* of `found`: insertions, deletions, substitutions and exchanges */
  const char *found; /* nullptr: none is near */
} Nearest;

/* A candidate is near if its distance is at most a third of the word's bytes, or 1 for a word of
 * less than 4 bytes. */
[[nodiscard]] Nearest nearest_begin(const char *word, size_t length);
void nearest_try(Nearest *nearest, const char *candidate);

#endif
