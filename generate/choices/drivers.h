/* Drivers of choices: bytes, a random source, and a sequence that is given. */
#ifndef GENERATE_DRIVERS_H
#define GENERATE_DRIVERS_H

#include <stddef.h>

#include "generate/choices/choices.h"

/* One byte for a choice of up to 256 alternatives, the byte modulo their number; eight bytes, the
 * lowest first, for one of more. Missing bytes read as 0: every byte string is a sequence, and a
 * shorter one is a simpler one. */
typedef struct ByteChoices {
  Choices choices;
  const uint8_t *bytes;
  size_t size, at; /* of bits `at` counts bits */
} ByteChoices;
[[nodiscard]] ByteChoices choices_of_bytes(const uint8_t *bytes, size_t size);
/* The same by bits, the lowest first: 1, 2, 4 and 8 of them for a choice of up to 2, 4, 16 and 256
 * alternatives, 64 for one of more, and none where there is one alternative. */
[[nodiscard]] ByteChoices choices_of_bits(const uint8_t *bytes, size_t size);

/* SplitMix64: a seed gives the same sequence on every machine. */
typedef struct RandomChoices {
  Choices choices;
  uint64_t state;
} RandomChoices;
[[nodiscard]] RandomChoices choices_of_seed(uint64_t seed);

/* The given numbers, then zeros. Each given number is below its choice's count. */
typedef struct GivenChoices {
  Choices choices;
  const uint64_t *values;
  size_t count, at;
} GivenChoices;
[[nodiscard]] GivenChoices choices_given(const uint64_t *values, size_t count);

#endif
