/* Drivers of choices: bytes, bits, a random source, and a given sequence. */
#ifndef GENERATE_CHOICES_DRIVERS_H
#define GENERATE_CHOICES_DRIVERS_H

#include <stddef.h>

#include "generate/choices/choices.h"

/* One byte per choice of up to 256 alternatives, modulo their number; eight bytes, lowest first,
 * for more alternatives. Missing bytes read as 0. Every byte string is a sequence, and a shorter
 * string is a simpler one. */
typedef struct ByteChoices {
  Choices choices;
  const uint8_t *bytes;
  size_t size, at; /* `at` counts bits if the driver reads bits */
} ByteChoices;
[[nodiscard]] ByteChoices choices_of_bytes(const uint8_t *bytes, size_t size);
/* The same by bits, lowest first: 1, 2, 4 and 8 bits for up to 2, 4, 16 and 256 alternatives, 64
 * bits for more, and none for a single alternative. */
[[nodiscard]] ByteChoices choices_of_bits(const uint8_t *bytes, size_t size);

/* SplitMix64: a seed has the same sequence on every machine. */
typedef struct RandomChoices {
  Choices choices;
  uint64_t state;
} RandomChoices;
[[nodiscard]] RandomChoices choices_of_seed(uint64_t seed);

/* The given numbers, then zeros. Each given number must be below its choice's count. */
typedef struct GivenChoices {
  Choices choices;
  const uint64_t *values;
  size_t count, at;
} GivenChoices;
[[nodiscard]] GivenChoices choices_given(const uint64_t *values, size_t count);

#endif
