/* Every module of corpus/hazards has the exit status that its comment expects, and the two elements
 * if the comment names them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <dirent.h>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/hlo/read/read.h"
#include "judge/graphs/hazards.h"

static int worst(Arena *arena, const Module *module, HazardVerdict *shown) {
  HazardPairs pairs;
  Error error = {};
  int status = 0;
  if (!hazard_pairs(arena, module, &pairs, &error)) fail_msg("%s", error.message);
  if (pairs.count == 0) return 2;
  for (uint32_t i = 0; i < pairs.count; i++) {
    HazardVerdict verdict;
    oracle_hazard_query(arena, &pairs.items[i].question, &verdict);
    int one = verdict.answer == HAZARD_NONE ? 0 : verdict.answer == HAZARD_FOUND ? 1 : 2;
    if (one == 1) *shown = verdict;
    if (one == 1 || status == 0) status = one;
  }
  return status;
}

static void print_index(Text *text, uint32_t rank, const int64_t *at) {
  text_string(text, "(");
  for (uint32_t i = 0; i < rank; i++)
    text_printf(text, "%s%lld", i == 0 ? "" : ", ", (long long)at[i]);
  text_string(text, ")");
}

/* In the format of the comments: "1, element (1), window element (0) before (1)". */
static const char *print_found(Arena *arena, int status, const HazardVerdict *shown) {
  Text text = text_create(arena);
  text_printf(&text, "%d", status);
  if (status != 1) return text.bytes;
  text_string(&text, ", element ");
  print_index(&text, shown->buffer_rank, shown->buffer);
  text_printf(&text, ", %s element ", shown->writes_window ? "window" : "output");
  print_index(&text, shown->rank, shown->writer);
  text_string(&text, " before ");
  print_index(&text, shown->reader_rank, shown->reader);
  return text.bytes;
}

/* The text with blanks and a comment on both sides of every `=` of the header. */
static const char *spaced_header(Arena *arena, const char *text) {
  const char *header = strstr(text, "HloModule "), *at = header + strcspn(header, "\n");
  Text made = text_create(arena);
  for (const char *from = text; from < at; from++)
    if (from > header && *from == '=') text_string(&made, "\t/*=*/ = \n");
    else text_append(&made, from, 1);
  text_string(&made, at);
  return made.bytes;
}

static uint32_t check_text(Arena *arena, const char *path, const char *text) {
  static const char mark[] = "// Expect: ";
  Source *source = ARENA_NEW(arena, Source, 1);
  const Module *module = nullptr;
  HazardVerdict shown = {};
  Error error = {};
  *source = (Source){.name = path, .text = text, .length = strlen(text), .first_line = 1};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s: %s", path, error.message);
  const char *expected = strstr(source->text, mark);
  if (expected == nullptr) fail_msg("%s: no line '%s'", path, mark);
  expected += sizeof mark - 1;
  size_t length = strcspn(expected, "\n") - 1;
  const char *found = print_found(arena, worst(arena, module, &shown), &shown);
  if (strncmp(found, expected, length) == 0) return 0;
  print_error("%s: %s, expected %.*s\n", strrchr(path, '/') + 1, found, (int)length, expected);
  return 1;
}

static uint32_t check_file(Arena *arena, const char *path) {
  Source source;
  Error error = {};
  if (!file_read(arena, path, 1 << 20, &source, &error)) fail_msg("%s: %s", path, error.message);
  return check_text(arena, path, source.text) +
         check_text(arena, path, spaced_header(arena, source.text));
}

static void modules_have_the_hazards_that_they_name(void **state) {
  (void)state;
  static const char directory[] = AFFIRM_SOURCE_DIR "/corpus/hazards";
  DIR *files = opendir(directory);
  uint32_t count = 0, faults = 0;
  assert_non_null(files);
  for (const struct dirent *entry = readdir(files); entry != nullptr; entry = readdir(files)) {
    if (strstr(entry->d_name, ".hlo") == nullptr) continue;
    Arena *arena = arena_create();
    faults += check_file(arena, arena_printf(arena, "%s/%s", directory, entry->d_name));
    count++;
    arena_destroy(arena);
  }
  closedir(files);
  assert_true(count >= 14);
  assert_int_equal(faults, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modules_have_the_hazards_that_they_name),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
