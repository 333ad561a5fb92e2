/* Each driver consists of a few words of state and one function. */
#include "core/base/choices.h"

int64_t choose_near_zero(Choices *choices, int64_t lo, int64_t hi) {
  int64_t chosen = choose_between(choices, lo, hi);
  if (lo > 0 || hi < 0) return chosen;
  uint64_t number = (uint64_t)chosen - (uint64_t)lo, below = -(uint64_t)lo, above = (uint64_t)hi;
  uint64_t both = 2 * (below < above ? below : above);
  if (number > both) return (int64_t)(above > below ? number - below : above - number);
  return (int64_t)(number % 2 != 0 ? -(number / 2 + 1) : number / 2);
}

static uint64_t byte_next(ByteChoices *bytes) {
  return bytes->at < bytes->size ? bytes->bytes[bytes->at++] : 0;
}

static uint64_t bytes_choose(Choices *choices, uint64_t count) {
  ByteChoices *bytes = (ByteChoices *)choices;
  uint64_t number = byte_next(bytes);
  for (uint32_t i = 1; count > 256 && i < 8; i++) number |= byte_next(bytes) << 8 * i;
  return number % count;
}

ByteChoices choices_of_bytes(const uint8_t *bytes, size_t size) {
  static const ChoiceDriver driver = {.choose = bytes_choose};
  return (ByteChoices){.choices = {&driver}, .bytes = bytes, .size = size};
}

static uint32_t bits_of(uint64_t count) {
  return count <= 1 ? 0 : count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : count <= 256 ? 8 : 64;
}

static uint64_t bits_choose(Choices *choices, uint64_t count) {
  ByteChoices *bits = (ByteChoices *)choices;
  uint64_t number = 0;
  for (uint32_t i = 0; i < bits_of(count) && bits->at < 8 * bits->size; i++, bits->at++)
    number |= (uint64_t)(bits->bytes[bits->at / 8] >> bits->at % 8 & 1) << i;
  return number % count;
}

ByteChoices choices_of_bits(const uint8_t *bytes, size_t size) {
  static const ChoiceDriver driver = {.choose = bits_choose};
  return (ByteChoices){.choices = {&driver}, .bytes = bytes, .size = size};
}

static uint64_t seed_choose(Choices *choices, uint64_t count) {
  return random_word(&((RandomChoices *)choices)->state) % count;
}

RandomChoices choices_of_seed(uint64_t seed) {
  static const ChoiceDriver driver = {.choose = seed_choose};
  return (RandomChoices){.choices = {&driver}, .state = seed};
}

static uint64_t given_choose(Choices *choices, uint64_t count) {
  GivenChoices *given = (GivenChoices *)choices;
  uint64_t number = 0;
  if (count > 1 && given->at < given->count) number = given->values[given->at++];
  return number;
}

GivenChoices choices_given(const uint64_t *values, size_t count) {
  static const ChoiceDriver driver = {.choose = given_choose};
  return (GivenChoices){.choices = {&driver}, .values = values, .count = count};
}
