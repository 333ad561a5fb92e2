/* The words that are kept from an engine's standard error. Random texts, delivered in random
 * pieces, have the words that a definition over whole lines returns. */
#include "judge/engines/complaint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static uint64_t complaint_random(uint64_t *state, uint64_t below) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (*state >> 33) % below;
}

static constexpr uint32_t most_lines = 64;

typedef struct Lines {
  uint32_t count;
  const char *items[most_lines];
} Lines;

/* The lines without blanks at their ends, each cut to its first bytes, that are not empty. Bytes
 * that do not print are blanks. */
static Lines lines_of(Arena *arena, const char *text) {
  Lines lines = {};
  while (*text != 0) {
    size_t whole = strcspn(text, "\n");
    char *line = arena_text(arena, text, whole);
    for (size_t i = 0; i < whole; i++)
      if (line[i] > 0 && line[i] < ' ') line[i] = ' ';
    line += strspn(line, " ");
    if (strlen(line) > complaint_line - 1) line[complaint_line - 1] = 0;
    for (size_t end = strlen(line); end > 0 && line[end - 1] == ' '; end--) line[end - 1] = 0;
    if (*line != 0) {
      assert_true(lines.count < most_lines);
      lines.items[lines.count++] = line;
    }
    text += whole + (text[whole] != 0);
  }
  return lines;
}

static bool begins(const char *line, const char *word) {
  return strncmp(line, word, strlen(word)) == 0;
}

static const char *defined_words(Arena *arena, const char *text, const char *ignored) {
  static const char *const checks[] = {
      "Check failed", "ssertion", "terminate called", "LLVM ERROR", "panicked at"};
  Lines lines = lines_of(arena, text);
  if (lines.count == 0) return "";
  bool is_dropped = ignored != nullptr && begins(lines.items[lines.count - 1], ignored);
  for (uint32_t i = lines.count; i-- > 0;)
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
      if (strstr(lines.items[i], checks[k]) == nullptr) continue;
      const char *after = i + 1 < lines.count ? lines.items[i + 1] : "";
      bool has_after = *after != 0 && !begins(after, "***") && !begins(after, "@ ") &&
                       *after != '#' &&
                       !(is_dropped && strcmp(after, lines.items[lines.count - 1]) == 0);
      return arena_printf(arena, "%s%s%s%s", complaint_prefix, lines.items[i],
          has_after ? " | " : "", has_after ? after : "");
    }
  uint32_t left = lines.count - is_dropped;
  return left == 0 ? "" : arena_printf(arena, "%s%s", complaint_prefix, lines.items[left - 1]);
}

static const char *random_text(Arena *arena, uint64_t *random) {
  static const char *const pieces[] = {"\n", "\n", "\n", " ", "\t", "a", "why: x == 3", "#0 main",
      "*** trace", "@ 0x12", "Check failed: a", "Assertion `b'", "panicked at c", "LLVM ERROR: d",
      "terminate called", "sh: Aborted", "\x01", "Check faile", "\n\n"};
  Text text = text_create(arena);
  text_string(&text, "");
  for (uint64_t count = complaint_random(random, 24); count > 0; count--) {
    text_string(&text, pieces[complaint_random(random, sizeof pieces / sizeof *pieces)]);
    bool is_long = complaint_random(random, 40) == 0;
    uint64_t more = is_long ? complaint_line - 20 + complaint_random(random, 40) : 0;
    for (uint64_t i = 0; i < more; i++) text_string(&text, i % 9 == 8 ? " " : "y");
  }
  return text.bytes;
}

static void words_are_those_of_the_definition(void **) {
  static const char *const ignored[] = {nullptr, "sh: ", "why"};
  uint64_t random = 3;
  for (uint32_t round = 0; round < 6000; round++) {
    Arena *arena = arena_create();
    const char *text = random_text(arena, &random), *drops = ignored[round % 3];
    Complaint complaint = {};
    for (size_t at = 0, length = strlen(text); at < length;) {
      size_t piece = 1 + complaint_random(&random, length - at);
      complaint_take(&complaint, text + at, piece);
      at += piece;
      Text part = text_create(arena);
      text_string(&part, "");
      complaint_print(&complaint, drops, &part); /* to print changes nothing */
      const char *wanted = defined_words(arena, arena_text(arena, text, at), drops);
      if (strcmp(part.bytes, wanted) != 0)
        fail_msg("after %zu bytes of '%s': '%s', not '%s'", at, text, part.bytes, wanted);
    }
    arena_destroy(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_are_those_of_the_definition),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
