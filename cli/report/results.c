/* Rows are copied into an arena of their own, made with the first; a run that wants no file keeps
 * nothing. */
#include "cli/report/results.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/session.h"

static const char *copied(Results *results, const char *text) {
  return text == nullptr ? nullptr : arena_text(results->arena, text, strlen(text));
}

void results_add(Results *results, const Result *result) {
  if (results == nullptr ||
      (results->junit == nullptr && results->sarif == nullptr && !results->github))
    return;
  assert(result->part != nullptr && result->name != nullptr && result->status <= STATUS_BAD);
  if (results->arena == nullptr) results->arena = arena_create();
  Result copy = *result;
  copy.part = copied(results, result->part);
  copy.name = copied(results, result->name);
  copy.file = copied(results, result->file);
  copy.text = copied(results, result->text == nullptr ? "" : result->text);
  *ARENA_PUSH(results->arena, results) = copy;
}

static bool write_file(const char *path, const Text *text) {
  FILE *file = fopen(path, "w");
  bool written = file != nullptr && fwrite(text->bytes, 1, text->length, file) == text->length;
  int why = errno;
  if (file != nullptr && fclose(file) != 0) written = false, why = errno;
  if (!written) fprintf(stderr, "affirm: %s: %s\n", path, strerror(why));
  return written;
}

Status results_write(const Results *results, Status status) {
  static const struct {
    void (*print)(Text *text, const Results *results);
  } forms[] = {{results_print_junit}, {results_print_sarif}, {results_print_annotations}};
  const char *paths[] = {results->junit, results->sarif};
  Arena *arena = arena_create();
  for (uint32_t i = 0; i < 3; i++) {
    Text text = text_create(arena);
    if (i < 2 ? paths[i] == nullptr : !results->github) continue;
    forms[i].print(&text, results);
    bool written = i < 2 ? write_file(paths[i], &text) : session_print(text.bytes);
    if (!written) status = STATUS_BAD;
  }
  arena_destroy(arena);
  if (results->arena != nullptr) arena_destroy(results->arena);
  return status;
}
