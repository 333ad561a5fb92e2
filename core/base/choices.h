/* A generator asks for numbers with `choose(n)` and builds a case from them; a case is its choice
 * sequence. Drivers supply the numbers: bytes or bits of a fuzzer, a random source, a given
 * sequence, and the enumeration of all sequences (generate/numbering.h).
 * Keeps: a generator is a function of its choices alone. Choice 0 is the simplest one, so that a
 * shorter or lexicographically smaller sequence is a smaller case. */
#ifndef CORE_BASE_CHOICES_H
#define CORE_BASE_CHOICES_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Choices Choices;

/* Words that, with the later choices, determine what a generator does from some point on. */
static constexpr uint32_t choice_key_capacity = 12;
typedef struct ChoiceKey {
  uint32_t count;
  uint64_t words[choice_key_capacity];
} ChoiceKey;
static inline void choice_key_add(ChoiceKey *key, uint64_t word) {
  assert(key->count < choice_key_capacity);
  key->words[key->count++] = word;
}

typedef struct ChoiceDriver {
  uint64_t (*choose)(Choices *choices, uint64_t count);
  void (*join)(
      Choices *choices, const ChoiceKey *key); /* nullptr: the driver does not number cases */
  void (*reject)(Choices *choices);            /* nullptr: the generator's caller retries */
} ChoiceDriver;
/* The first member of every driver's state. */
struct Choices {
  const ChoiceDriver *driver;
};

/* A number in [0, count), count >= 1. */
[[nodiscard]] static inline uint64_t choose(Choices *choices, uint64_t count) {
  assert(count > 0);
  uint64_t chosen = choices->driver->choose(choices, count);
  assert(chosen < count);
  return chosen;
}

/* Declares that the key and later choices determine what the generator does from here on. Numbering
 * counts the sequences after each key only once. */
static inline void choices_join(Choices *choices, const ChoiceKey *key) {
  if (choices->driver->join != nullptr) choices->driver->join(choices, key);
}

/* Declares that the sequence is not a case. The generator continues, and its result is dropped. */
static inline void choices_reject(Choices *choices) {
  if (choices->driver->reject != nullptr) choices->driver->reject(choices);
}

/* A number in [lo, hi]; choice 0 is lo. */
[[nodiscard]] static inline int64_t choose_between(Choices *choices, int64_t lo, int64_t hi) {
  assert(lo <= hi && (uint64_t)hi - (uint64_t)lo < UINT64_MAX);
  return (int64_t)((uint64_t)lo + choose(choices, (uint64_t)hi - (uint64_t)lo + 1));
}

/* A number in [lo, hi], by increasing magnitude: 0, -1, 1, -2, 2 and so on within the range. */
[[nodiscard]] int64_t choose_near_zero(Choices *choices, int64_t lo, int64_t hi);
[[nodiscard]] static inline bool choose_bool(Choices *choices) { return choose(choices, 2) != 0; }

/* ---- drivers ---- */

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

/* The next number of SplitMix64: a state has the same sequence on every machine. */
[[nodiscard]] static inline uint64_t random_word(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}
/* Random words, modulo the number of alternatives. */
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
