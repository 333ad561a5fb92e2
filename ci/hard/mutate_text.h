/* Mutations of a text: bytes, numbers, lines, brackets, pieces of another text. The same seed makes
 * the same text. */
#ifndef HARD_MUTATE_TEXT_H
#define HARD_MUTATE_TEXT_H

#include <stddef.h>
#include <stdint.h>

typedef struct TextMutation {
  uint64_t state;
  char *bytes; /* [capacity] */
  size_t length, capacity;
  const char *other; /* another text of its kind, for pieces */
  size_t other_length;
} TextMutation;

/* A few steps, most often one. */
void text_mutate(TextMutation *mutation);
/* A number below `below`, which may be 0. */
size_t text_mutate_draw(TextMutation *mutation, size_t below);

#endif
