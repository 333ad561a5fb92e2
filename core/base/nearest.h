/* "did you mean ..?": the word of a list that a misspelt word most likely stands for. */
#ifndef CORE_BASE_NEAREST_H
#define CORE_BASE_NEAREST_H

#include <stddef.h>
#include <stdint.h>

/* Keeps the nearest of the words that it is shown. */
typedef struct Nearest {
  const char *word; /* the misspelt one, `length` bytes */
  size_t length;
  uint32_t distance; /* of `found`: insertions, deletions, substitutions and exchanges */
  const char *found; /* nullptr: none is near */
} Nearest;

/* A word is near if at most a third of its bytes are wrong, and one of a short word. */
[[nodiscard]] Nearest nearest_begin(const char *word, size_t length);
void nearest_try(Nearest *nearest, const char *candidate);

#endif
