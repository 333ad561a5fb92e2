/* The distance of two words: restricted Damerau-Levenshtein, by dynamic programming over three
 * rows. A word of more than 62 bytes is near to none. */
#include "core/base/nearest.h"

#include <string.h>

static constexpr size_t longest = 62;

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t word_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
  uint32_t rows[3][longest + 2];
  uint32_t *before = rows[0], *last = rows[1], *now = rows[2];
  for (size_t k = 0; k <= b_length; k++) last[k] = (uint32_t)k;
  for (size_t i = 1; i <= a_length; i++) {
    now[0] = (uint32_t)i;
    for (size_t k = 1; k <= b_length; k++) {
      uint32_t changed = last[k - 1] + (a[i - 1] != b[k - 1]);
      now[k] = least(changed, least(last[k], now[k - 1]) + 1);
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        now[k] = least(now[k], before[k - 2] + 1);
    }
    uint32_t *free = before;
    before = last;
    last = now;
    now = free;
  }
  return last[b_length];
}

Nearest nearest_begin(const char *word, size_t length) {
  uint32_t most = length < 4 ? 1 : (uint32_t)(length / 3);
  return (Nearest){.word = word, .length = length, .distance = most + 1};
}

void nearest_try(Nearest *nearest, const char *candidate) {
  size_t length = strlen(candidate);
  if (nearest->length == 0 || nearest->length > longest || length > longest) return;
  uint32_t distance = word_distance(nearest->word, nearest->length, candidate, length);
  if (distance >= nearest->distance) return;
  nearest->distance = distance;
  nearest->found = candidate;
}
