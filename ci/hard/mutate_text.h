/* Mutates a text: bytes, numbers, lines, brackets, pieces of another text. The same seed gives the
 * same text. */
#ifndef HARD_MUTATE_TEXT_H
#define HARD_MUTATE_TEXT_H

#include <stddef.h>
#include <stdint.h>

typedef struct TextMutation {
  uint64_t state;
  char *bytes; /* [capacity] */
  size_t length, capacity;
  const char *other; /* another text of its kind, the source of pieces */
  size_t other_length;
} TextMutation;

/* Applies a few steps, most often one. */
void text_mutate(TextMutation *mutation);
/* A random number below `below`; 0 if `below` is 0. */
size_t text_mutate_draw(TextMutation *mutation, size_t below);

#endif
