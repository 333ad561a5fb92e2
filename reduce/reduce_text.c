/* Delta debugging of any bytes. Windows of many pieces are removed first, then of fewer, down to
 * one; the pieces are lines, then words, then bytes. Windows of up to eight pieces are tried at
 * every position, longer ones at multiples of their length. Last, numbers shrink, unless the bytes
 * contain a NUL. */
#include <ctype.h>
#include <string.h>

#include "reduce/reducer.h"

typedef enum Grain : uint8_t { GRAIN_LINE, GRAIN_WORD, GRAIN_BYTE } Grain;

typedef struct Bytes {
  Reducer reducer;
  size_t length;
} Bytes;

static bool is_word_byte(char byte) {
  return isalnum((unsigned char)byte) || byte == '_' || byte == '.';
}

static size_t piece_end(const Bytes *bytes, size_t at, Grain grain) {
  const char *text = bytes->reducer.text;
  size_t end = at + 1;
  if (grain == GRAIN_LINE)
    while (end < bytes->length && text[end - 1] != '\n') end++;
  if (grain == GRAIN_WORD && is_word_byte(text[at]))
    while (end < bytes->length && is_word_byte(text[end])) end++;
  if (grain == GRAIN_WORD && isspace((unsigned char)text[at]))
    while (end < bytes->length && isspace((unsigned char)text[end])) end++;
  return end;
}

typedef struct Starts {
  uint32_t count, capacity;
  size_t *items; /* starts of the pieces, and the end of the last one */
} Starts;

static Starts reduce_text_split(const Bytes *bytes, Grain grain) {
  Starts starts = {};
  for (size_t at = 0; at < bytes->length; at = piece_end(bytes, at, grain))
    *ARENA_PUSH(bytes->reducer.arena, &starts) = at;
  *ARENA_PUSH(bytes->reducer.arena, &starts) = bytes->length;
  return starts;
}

static bool try_without(Bytes *bytes, size_t from, size_t to) {
  Reduction *reduction = bytes->reducer.reduction;
  if (reduction->trials >= reduction->most_trials || from >= to) return false;
  ArenaMark mark = arena_mark(bytes->reducer.arena);
  size_t length = bytes->length - (to - from);
  char *candidate = ARENA_NEW(bytes->reducer.arena, char, length + 1);
  memcpy(candidate, bytes->reducer.text, from);
  memcpy(candidate + from, bytes->reducer.text + to, bytes->length - to);
  reduction->trials++;
  if (!reduction->still_shows(reduction->state, candidate, length)) {
    arena_rewind(bytes->reducer.arena, mark);
    return false;
  }
  reduction->accepted++;
  bytes->reducer.text = candidate;
  bytes->length = length;
  return true;
}

/* Tries windows of one size once, from the end, so that earlier starts stay valid. */
static bool drop_windows(Bytes *bytes, Grain grain, uint32_t size) {
  Starts starts = reduce_text_split(bytes, grain);
  bool helped = false;
  uint32_t stride = size <= 8 ? 1 : size;
  for (uint32_t end = starts.count - 1;
      end >= size && end > 0 && !reduction_is_over(bytes->reducer.reduction);
      end = end > stride ? end - stride : 0) {
    if (!try_without(bytes, starts.items[end - size], starts.items[end])) continue;
    helped = true;
    end = end - size + stride;
  }
  return helped;
}

static bool drop_pieces(Bytes *bytes, Grain grain) {
  bool helped = false;
  uint32_t count = reduce_text_split(bytes, grain).count - 1;
  for (uint32_t size = count; size > 0; size = size > 8 ? size / 2 : size - 1)
    while (drop_windows(bytes, grain, size)) helped = true;
  return helped;
}

bool reduce_text(
    Arena *arena, Reduction *reduction, const char *text, size_t *length, const char **smallest) {
  Bytes bytes = {
      .reducer = {.arena = arena, .reduction = reduction, .text = text}, .length = *length};
  reduction->trials = 1;
  reduction->accepted = 0;
  *smallest = text;
  if (!reduction->still_shows(reduction->state, text, *length)) return false;
  static Pass *const passes[] = {pass_number_everywhere, pass_number_in_place};
  for (bool helped = true; helped && !reduction_is_over(reduction);) {
    helped = false;
    for (uint8_t grain = GRAIN_LINE; grain <= GRAIN_BYTE; grain++)
      helped |= drop_pieces(&bytes, (Grain)grain);
    uint32_t accepted = reduction->accepted;
    if (memchr(bytes.reducer.text, 0, bytes.length) == nullptr) {
      reducer_run(&bytes.reducer, passes, sizeof passes / sizeof *passes);
      bytes.length = strlen(bytes.reducer.text);
    }
    helped |= reduction->accepted > accepted;
  }
  *smallest = bytes.reducer.text;
  *length = bytes.length;
  reduction->is_cut = reduction_is_over(reduction);
  return true;
}
