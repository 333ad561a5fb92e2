/* One step for each function. Every step keeps the length within the capacity; a step without space
 * does nothing. */
#include "ci/hard/mutate_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/base/choices.h"
#include "core/base/edges.h"

size_t text_mutate_draw(TextMutation *mutation, size_t below) {
  uint64_t z = random_word(&mutation->state);
  return below == 0 ? 0 : (size_t)(z % below);
}

/* Replaces `count` bytes at `at` by the piece. */
static void put(TextMutation *mutation, size_t at, size_t count, const char *piece, size_t length) {
  if (mutation->length - count + length > mutation->capacity) return;
  memmove(
      mutation->bytes + at + length, mutation->bytes + at + count, mutation->length - at - count);
  memcpy(mutation->bytes + at, piece, length);
  mutation->length += length - count;
}

static void step_byte(TextMutation *mutation) {
  static const char odd[] = "\0\n\t()[]{},:->=%#\"\\/*+\x80\xff\xc0\xed\x1b";
  if (mutation->length == 0) return;
  char *byte = mutation->bytes + text_mutate_draw(mutation, mutation->length);
  switch (text_mutate_draw(mutation, 3)) {
    case 0: *byte = (char)text_mutate_draw(mutation, 256); break;
    case 1: *byte = (char)(*byte ^ 1 << text_mutate_draw(mutation, 8)); break;
    default: *byte = odd[text_mutate_draw(mutation, sizeof odd - 1)]; break;
  }
}

static void step_delete(TextMutation *mutation) {
  if (mutation->length == 0) return;
  size_t at = text_mutate_draw(mutation, mutation->length), left = mutation->length - at,
         most = text_mutate_draw(mutation, 4) == 0 ? left
                : left < 12                        ? left
                                                   : 12;
  put(mutation, at, 1 + text_mutate_draw(mutation, most), "", 0);
}

static void step_cut(TextMutation *mutation) {
  mutation->length = text_mutate_draw(mutation, mutation->length + 1);
}

/* Copies a piece of this text, or of the other one, to any position. */
static void step_copy(TextMutation *mutation) {
  char piece[4096];
  bool is_own = mutation->other_length == 0 || text_mutate_draw(mutation, 2) == 0;
  const char *from = is_own ? mutation->bytes : mutation->other;
  size_t length = is_own ? mutation->length : mutation->other_length;
  if (length == 0) return;
  size_t begin = text_mutate_draw(mutation, length), left = length - begin,
         most = text_mutate_draw(mutation, 2) == 0 ? 40 : sizeof piece,
         count = 1 + text_mutate_draw(mutation, left < most ? left : most);
  memcpy(piece, from + begin, count);
  put(mutation, text_mutate_draw(mutation, mutation->length + 1), 0, piece, count);
}

static size_t line_begin(const char *bytes, size_t at) {
  while (at > 0 && bytes[at - 1] != '\n') at--;
  return at;
}

static size_t line_length(const char *bytes, size_t length, size_t begin) {
  const char *end = memchr(bytes + begin, '\n', length - begin);
  return end == nullptr ? length - begin : (size_t)(end - bytes) - begin + 1;
}

/* Doubles or moves a line, or replaces it by a line of the other text. */
static void step_line(TextMutation *mutation) {
  char line[8192];
  if (mutation->length == 0) return;
  bool is_own = mutation->other_length == 0 || text_mutate_draw(mutation, 2) == 0;
  const char *from = is_own ? mutation->bytes : mutation->other;
  size_t length = is_own ? mutation->length : mutation->other_length,
         begin = line_begin(from, text_mutate_draw(mutation, length)),
         count = line_length(from, length, begin);
  if (count > sizeof line) return;
  memcpy(line, from + begin, count);
  size_t at = line_begin(mutation->bytes, text_mutate_draw(mutation, mutation->length)),
         old = text_mutate_draw(mutation, 2) == 0
                   ? 0
                   : line_length(mutation->bytes, mutation->length, at);
  put(mutation, at, old, line, count);
}

static bool is_word(char byte) {
  return isalnum((unsigned char)byte) || byte == '_' || byte == '-' || byte == '.';
}

static size_t word_at(const TextMutation *mutation, size_t *at) {
  size_t end = *at;
  while (*at > 0 && is_word(mutation->bytes[*at - 1])) --*at;
  while (end < mutation->length && is_word(mutation->bytes[end])) end++;
  return end - *at;
}

static void step_number(TextMutation *mutation) {
  char text[32];
  for (uint32_t tries = 0; tries < 16 && mutation->length > 0; tries++) {
    size_t at = text_mutate_draw(mutation, mutation->length), begin = at;
    if (!isdigit((unsigned char)mutation->bytes[at])) continue;
    while (begin > 0 && isdigit((unsigned char)mutation->bytes[begin - 1])) begin--;
    while (at < mutation->length && isdigit((unsigned char)mutation->bytes[at])) at++;
    long long number = text_mutate_draw(mutation, 2) == 0
                           ? (long long)text_mutate_draw(mutation, 17)
                           : (long long)edge_integer(text_mutate_draw(mutation, 1 << 20));
    int length = snprintf(text, sizeof text, "%lld", number);
    put(mutation, begin, at - begin, text, (size_t)length);
    return;
  }
}

/* Replaces a word by another word of the text: a name, an opcode, a type. */
static void step_word(TextMutation *mutation) {
  char word[128];
  for (uint32_t tries = 0; tries < 16 && mutation->length > 0; tries++) {
    size_t from = text_mutate_draw(mutation, mutation->length),
           to = text_mutate_draw(mutation, mutation->length);
    if (!is_word(mutation->bytes[from]) || !is_word(mutation->bytes[to])) continue;
    size_t length = word_at(mutation, &from), old = word_at(mutation, &to);
    if (length > sizeof word) continue;
    memcpy(word, mutation->bytes + from, length);
    put(mutation, to, old, word, length);
    return;
  }
}

/* Inserts nesting, or one token many times. */
static void step_repeat(TextMutation *mutation) {
  static const char *const pieces[] = {"(", "[", "{", "((", "d0 + ", "(d0 + ", "-", "not ", "/*",
      "f32[", "(f32[2], ", "1,", " mod 2", "9", "\n", "%a = f32[] add(", "x floordiv "};
  char run[8192];
  const char *piece = pieces[text_mutate_draw(mutation, sizeof pieces / sizeof *pieces)];
  size_t length = strlen(piece),
         most = text_mutate_draw(mutation, 3) == 0 ? sizeof run / length : 20,
         count = 1 + text_mutate_draw(mutation, most),
         at = text_mutate_draw(mutation, mutation->length + 1);
  for (size_t i = 0; i < count * length; i++) run[i] = piece[i % length];
  put(mutation, at, 0, run, count * length);
}

void text_mutate(TextMutation *mutation) {
  static void (*const steps[])(TextMutation *) = {step_byte, step_delete, step_copy, step_line,
      step_number, step_number, step_word, step_word, step_repeat, step_cut};
  static constexpr size_t step_count = sizeof steps / sizeof *steps;
  do
    steps[text_mutate_draw(
        mutation, text_mutate_draw(mutation, 4) == 0 ? step_count : step_count - 1)](mutation);
  while (text_mutate_draw(mutation, 3) == 0);
}
