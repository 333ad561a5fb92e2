/* Edits of numbers: one value everywhere, in one line, or in one place, or two values everywhere at
 * once (both sides of a reshape), towards 0, 1, 2, half and one less. Sizes, bounds, attributes,
 * constants and tuple indices are all treated alike as numbers of the text. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/reducer.h"

/* True at a number that fits int64: digits that do not continue a name or another number. */
static bool number_at(const char *text, size_t at, int64_t *value, size_t *length) {
  if (!isdigit((unsigned char)text[at])) return false;
  char before = at == 0 ? ' ' : text[at - 1];
  if (isalnum((unsigned char)before) || before == '_' || before == '.' || before == '%')
    return false;
  *length = strspn(text + at, "0123456789");
  char after = text[at + *length];
  if (isalpha((unsigned char)after) || after == '.') return false;
  errno = 0;
  *value = strtoll(text + at, nullptr, 10);
  return errno == 0;
}

typedef struct NumberChange {
  int64_t from[2], to[2];
  uint32_t count;
  size_t begin, end; /* the part of the text where it applies */
} NumberChange;

static const char *with_change(Arena *arena, const char *text, const NumberChange *change) {
  Text changed = text_create(arena);
  for (size_t at = 0; text[at] != 0;) {
    int64_t value;
    size_t length = 1;
    bool number = number_at(text, at, &value, &length);
    uint32_t which = 0;
    while (number && which < change->count && change->from[which] != value) which++;
    if (number && which < change->count && at >= change->begin && at < change->end)
      text_integer(&changed, change->to[which]);
    else text_append(&changed, text + at, length);
    at += length;
  }
  return changed.bytes;
}

static constexpr uint32_t most_values = 24;

static int descending(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x < y) - (x > y);
}

static uint32_t distinct_values(const char *text, int64_t *values) {
  uint32_t count = 0;
  for (size_t at = 0, length; text[at] != 0; at += length) {
    int64_t value;
    length = 1;
    if (!number_at(text, at, &value, &length) || value == 0) continue;
    uint32_t i = 0;
    while (i < count && values[i] != value) i++;
    if (i == count && count < most_values) values[count++] = value;
  }
  qsort(values, count, sizeof *values, descending);
  return count;
}

static constexpr uint32_t most_targets = 3 + 63;

/* Writes 1, 2, 0, then the value minus a half, a quarter, ..., one. Any value is reached in few
 * steps. */
static uint32_t targets(int64_t value, int64_t *to) {
  static const int64_t small[] = {1, 2, 0};
  uint32_t count = 0;
  for (uint32_t i = 0; i < 3; i++)
    if (small[i] < value) to[count++] = small[i];
  for (int64_t less = value - value / 2; value > 3; less = less / 2) {
    to[count++] = value - less;
    if (less <= 1) break;
  }
  return count;
}

/* For pairs: 1, 2, 0, half, one less. */
static uint32_t few_targets(int64_t value, int64_t *to) {
  const int64_t wanted[] = {1, 2, 0, value / 2, value - 1};
  uint32_t count = 0;
  for (uint32_t i = 0; i < 5; i++)
    if (wanted[i] < value && (wanted[i] > 2 || i < 3)) to[count++] = wanted[i];
  return count;
}

static bool try_change(Reducer *reducer, const NumberChange *change) {
  if (reduction_is_over(reducer->reduction)) return false;
  ArenaMark mark = arena_mark(reducer->arena);
  const char *changed = with_change(reducer->arena, reducer->text, change);
  bool is_worse = reducer->is_worse != nullptr && reducer->is_worse(reducer, changed);
  if (!is_worse && text_try(reducer, changed)) return true;
  arena_rewind(reducer->arena, mark);
  return false;
}

bool pass_number_everywhere(Reducer *reducer) {
  int64_t values[most_values], to[most_targets];
  uint32_t count = distinct_values(reducer->text, values);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t ways = targets(values[i], to);
    for (uint32_t w = 0; w < ways; w++)
      if (try_change(reducer,
              &(NumberChange){.from = {values[i]}, .to = {to[w]}, .count = 1, .end = SIZE_MAX}))
        return true;
  }
  return false;
}

bool pass_number_pairs(Reducer *reducer) {
  int64_t values[most_values], to[2][5];
  uint32_t count = distinct_values(reducer->text, values);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = i + 1; k < count; k++) {
      uint32_t first = few_targets(values[i], to[0]), second = few_targets(values[k], to[1]);
      for (uint32_t w = 0; w < first * second; w++)
        if (try_change(reducer, &(NumberChange){.from = {values[i], values[k]},
                                    .to = {to[0][w % first], to[1][w / first]},
                                    .count = 2,
                                    .end = SIZE_MAX}))
          return true;
    }
  }
  return false;
}

/* In one place, and in one line. */
bool pass_number_in_place(Reducer *reducer) {
  bool helped = false;
  for (size_t at = 0, length; reducer->text[at] != 0; at += length) {
    int64_t value, to[most_targets];
    length = 1;
    if (!number_at(reducer->text, at, &value, &length) || value == 0) continue;
    size_t begin = at, end = at;
    while (begin > 0 && reducer->text[begin - 1] != '\n') begin--;
    while (reducer->text[end] != 0 && reducer->text[end] != '\n') end++;
    uint32_t ways = targets(value, to);
    bool changed = false;
    for (uint32_t w = 0; w < 2 * ways && !changed; w++)
      changed = try_change(reducer, &(NumberChange){.from = {value},
                                        .to = {to[w / 2]},
                                        .count = 1,
                                        .begin = w % 2 == 0 ? at : begin,
                                        .end = w % 2 == 0 ? at + 1 : end});
    if (!changed) continue;
    helped = true;
    length = 0;
    if (!isdigit((unsigned char)reducer->text[at])) length = 1;
  }
  return helped;
}
