/* Inputs of the stream of a file: each verb of a file of cases, a module, their edits, and files
 * that are no cases. Rows of judged answers are counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/file.h"
#include "exhaust/snapshot/snapshot_judge.h"

static constexpr uint32_t rows_of_input = 16; /* the text, and its edits */
static Snapshot *opened;
static char inputs_path[512];

static const char *input_file(const char *ending, const char *text) {
  file_scratch(sizeof inputs_path - 16, inputs_path, "snapshot_inputs");
  int made = mkstemp(inputs_path);
  assert_true(made >= 0);
  close(made);
  unlink(inputs_path);
  strcat(inputs_path, ending);
  FILE *file = fopen(inputs_path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  return inputs_path;
}

static SnapshotStream *stream_of_file(const char *ending, const char *text) {
  Error error = {};
  uint32_t before = opened->streams.count;
  if (!snapshot_add_file(opened, input_file(ending, text), "one", &error))
    fail_msg("%s", error.message);
  unlink(inputs_path);
  assert_int_equal(opened->streams.count, before + 1);
  return snapshot_stream(opened, "one");
}

/* The first row of each input is its text; the others are edits of it, the same in every run. */
static void check_rows(SnapshotStream *stream, uint32_t at, SnapshotKind kind, const char *text) {
  uint32_t edited = 0;
  for (uint32_t i = 0; i < rows_of_input; i++) {
    SnapshotInput input = snapshot_input(opened, stream, at * rows_of_input + i),
                  again = snapshot_input(opened, stream, at * rows_of_input + i);
    assert_int_equal(input.kind, kind);
    assert_string_equal(input.text, again.text);
    assert_string_equal(i == 0 ? input.text : input.unedited, text);
    if (i == 0) assert_null(input.unedited);
    edited += strcmp(input.text, text) != 0;
  }
  assert_true(edited > rows_of_input / 2 && edited < rows_of_input);
}

#define MODULE_TEXT "ENTRY e { p = f32[4] parameter(0)\n  ROOT r = f32[4] negate(p) }\n"
#define RULES_TEXT "rule r\n  x + 0 => x\n"

static void inputs_are_the_cases_of_the_file(void **) {
  static const struct {
    const char *lines, *text;
    SnapshotKind kind;
  } rows[] = {{"parse (d0) -> (d0), domain: d0 in [0, 3]\nexact\n",
                  "(d0) -> (d0), domain: d0 in [0, 3]", SNAPSHOT_MAP},
      {"algebra bijective 4 (d0) -> (d0), domain: d0 in [0, 3]\nproved\n",
          "(d0) -> (d0), domain: d0 in [0, 3]", SNAPSHOT_MAP},
      {"same (d0) -> (d0), domain: d0 in [0, 3] ; (d0) -> (d0), domain: d0 in [0, 3]\nproved\n",
          "(d0) -> (d0), domain: d0 in [0, 3] ; (d0) -> (d0), domain: d0 in [0, 3]", SNAPSHOT_PAIR},
      {"parse d0 -> d0\nerror 1:1: x\n", "d0 -> d0", SNAPSHOT_MAP},
      {"read hlo\n" MODULE_TEXT "end\nexact\n", MODULE_TEXT, SNAPSHOT_MODULE},
      {"prove rules\n" RULES_TEXT "end\nproved\n", RULES_TEXT, SNAPSHOT_RULE},
      {"read-rules rules\n" RULES_TEXT "end\nexact\n", RULES_TEXT, SNAPSHOT_RULE}};
  static constexpr uint32_t count = sizeof rows / sizeof *rows;
  char text[4096] = "";
  for (uint32_t i = 0; i < count; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "# case_%u\n%s\n", i, rows[i].lines);
  opened = snapshot_create(false, &(Error){});
  SnapshotStream *stream = stream_of_file(".case", text);
  assert_int_equal(stream->texts.count, count);
  assert_int_equal(stream->rows, count * rows_of_input);
  for (uint32_t i = 0; i < count; i++) {
    if (i < 4 || rows[i].kind != SNAPSHOT_MODULE) check_rows(stream, i, rows[i].kind, rows[i].text);
    else assert_non_null(strstr(stream->texts.items[i].text, "negate(p)"));
    assert_int_equal(stream->texts.items[i].kind, rows[i].kind);
  }
  snapshot_destroy(opened);
}

static void another_file_is_one_module(void **) {
  static const char *const endings[] = {".hlo", "", ".cases", "case"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    opened = snapshot_create(false, &(Error){});
    SnapshotStream *stream = stream_of_file(endings[i], MODULE_TEXT);
    assert_int_equal(stream->rows, rows_of_input);
    check_rows(stream, 0, SNAPSHOT_MODULE, MODULE_TEXT);
    snapshot_destroy(opened);
  }
}

static void files_that_cannot_be_read_are_errors(void **) {
  Error error = {};
  opened = snapshot_create(false, &error);
  uint32_t before = opened->streams.count;
  assert_false(snapshot_add_file(opened, "no_such_file.case", "none", &error));
  assert_int_equal(error.kind, ERROR_ENVIRONMENT);
  error = (Error){};
  assert_false(snapshot_add_file(opened, input_file(".case", "# one\nnonsense\n"), "bad", &error));
  unlink(inputs_path);
  assert_int_equal(error.kind, ERROR_INPUT);
  assert_int_equal(opened->streams.count, before);
  assert_null(snapshot_stream(opened, "bad"));
  snapshot_destroy(opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(inputs_are_the_cases_of_the_file),
      cmocka_unit_test(another_file_is_one_module),
      cmocka_unit_test(files_that_cannot_be_read_are_errors)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
