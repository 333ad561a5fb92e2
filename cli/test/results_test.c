/* Result files for other tools: well-formed whatever names and texts contain, with every row, and
 * open rows never pass. */
#include "cli/report/results.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <cjson/cJSON.h>

#include "cli/session.h"
#include "cli/session_guard.h"
#include "core/base/file.h"
#include "core/base/foreign.h"

static Results three(void) {
  Results results = {.junit = "", .sarif = ""};
  results_add(&results,
      &(Result){
          .part = "cases", .name = "good", .file = "a.case", .line = 1, .status = STATUS_PROVED});
  results_add(&results, &(Result){.part = "cases",
                            .name = "bad<&>\"\x01\xFF",
                            .file = "a,b:c.case",
                            .line = 7,
                            .status = STATUS_REFUTED,
                            .text = "100% \"wrong\"\nat d0 = 3"});
  results_add(&results, &(Result){.part = "fuzz",
                            .name = "open",
                            .status = STATUS_UNDECIDED,
                            .text = "did not run",
                            .seconds = 1.5});
  return results;
}

static const char *results_printed(
    Arena *arena, const Results *results, void (*print)(Text *, const Results *)) {
  Text text = text_create(arena);
  print(&text, results);
  return text.bytes;
}

static void junit_has_every_row(void **) {
  Results results = three();
  assert_string_equal(results_printed(results.arena, &results, results_print_junit),
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"affirm\">\n"
      "  <testsuite name=\"cases\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"0.000\">\n"
      "    <testcase classname=\"a.case\" name=\"good\" time=\"0.000\"/>\n"
      "    <testcase classname=\"a,b:c.case\" name=\"bad&lt;&amp;&gt;&quot;\xEF\xBF\xBD\xEF\xBF\xBD\" time=\"0.000\">"
      "<failure type=\"refuted\" message=\"100% &quot;wrong&quot;&#10;at d0 = 3\">a,b:c.case:7</failure></testcase>\n"
      "  </testsuite>\n"
      "  <testsuite name=\"fuzz\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"1.500\">\n"
      "    <testcase classname=\"fuzz\" name=\"open\" time=\"1.500\"><error type=\"open\" message=\"did not run\"/></testcase>\n"
      "  </testsuite>\n</testsuites>\n");
  arena_destroy(results.arena);
}

/* What was not run is skipped, and no pass; a directory of this run names no class. */
static void junit_has_what_is_left_out(void **) {
  Results results = {.junit = "", .sarif = ""};
  results_add(&results, &(Result){.part = "gate",
                            .name = "fuzz",
                            .is_left_out = true,
                            .text = "not \"run\"",
                            .seconds = 1e-9});
  results_add(&results, &(Result){.part = "steps",
                            .name = "m 2 b",
                            .file = "scratch-7/m.2.b.hlo",
                            .line = 1,
                            .is_scratch = true,
                            .status = STATUS_UNDECIDED,
                            .text = "unknown",
                            .seconds = 1e-9});
  const char *junit = results_printed(results.arena, &results, results_print_junit);
  assert_non_null(
      strstr(junit, "name=\"gate\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\" "));
  assert_non_null(strstr(junit, "<testcase classname=\"gate\" name=\"fuzz\" time=\"0.000\">"
                                "<skipped message=\"not &quot;run&quot;\"/></testcase>"));
  assert_non_null(strstr(junit, "<testcase classname=\"steps\" name=\"m 2 b\" "));
  const char *sarif = results_printed(results.arena, &results, results_print_sarif);
  assert_null(strstr(sarif, "\"gate\""));
  assert_non_null(strstr(results_printed(results.arena, &results, results_print_annotations),
      "0 passed, 0 refuted, 1 open, 0 bad input; 1 of 1 shown; 1 not run\n"));
  arena_destroy(results.arena);
}

static void sarif_is_json_with_what_is_no_pass(void **) {
  Results results = three();
  cJSON *whole = cJSON_Parse(results_printed(results.arena, &results, results_print_sarif));
  assert_non_null(whole);
  cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(whole, "runs"), 0),
        *rows = cJSON_GetObjectItem(run, "results");
  assert_int_equal(cJSON_GetArraySize(rows), 2);
  cJSON *location = cJSON_GetObjectItem(
      cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetArrayItem(rows, 0), "locations"), 0),
      "physicalLocation");
  assert_string_equal(
      cJSON_GetObjectItem(cJSON_GetObjectItem(location, "artifactLocation"), "uri")->valuestring,
      "a%2Cb%3Ac.case");
  assert_int_equal(
      cJSON_GetObjectItem(cJSON_GetObjectItem(location, "region"), "startLine")->valueint, 7);
  assert_string_equal(
      cJSON_GetObjectItem(cJSON_GetArrayItem(rows, 0), "level")->valuestring, "error");
  assert_string_equal(
      cJSON_GetObjectItem(cJSON_GetArrayItem(rows, 1), "level")->valuestring, "warning");
  cJSON *second =
      cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetArrayItem(rows, 1), "locations"), 0);
  const char *generated = cJSON_GetObjectItem(
      cJSON_GetObjectItem(cJSON_GetObjectItem(second, "physicalLocation"), "artifactLocation"),
      "uri")
                              ->valuestring;
  assert_ptr_equal(strstr(generated, "generated/"), generated);
  assert_non_null(cJSON_GetObjectItem(second, "logicalLocations"));
  assert_non_null(cJSON_GetObjectItem(whole, "$schema"));
  cJSON *rules =
      cJSON_GetObjectItem(cJSON_GetObjectItem(cJSON_GetObjectItem(run, "tool"), "driver"), "rules");
  assert_int_equal(cJSON_GetArraySize(rules), 2);
  for (int i = 0; i < 2; i++) {
    const char *id = cJSON_GetObjectItem(cJSON_GetArrayItem(rules, i), "id")->valuestring;
    assert_string_equal(
        cJSON_GetObjectItem(cJSON_GetArrayItem(rows, i), "ruleId")->valuestring, id);
    assert_non_null(cJSON_GetObjectItem(cJSON_GetArrayItem(rows, i), "partialFingerprints"));
  }
  cJSON_Delete(whole);
  arena_destroy(results.arena);
}

static void annotations_are_ten_with_the_true_totals(void **) {
  Results results = three();
  assert_string_equal(results_printed(results.arena, &results, results_print_annotations),
      "::error file=a%2Cb%3Ac.case,line=7,title=cases bad<&>\"\\u0001\\u00ff::100%25 \"wrong\"%0Aat d0 = 3\n"
      "::warning title=fuzz open::did not run\n"
      "::notice title=affirm::1 passed, 1 refuted, 1 open, 0 bad input; 2 of 2 shown\n");
  static char reasons[30][16];
  for (uint32_t i = 0; i < 30; i++) {
    snprintf(reasons[i], sizeof reasons[i], "reason %u", i);
    results_add(&results,
        &(Result){.part = "maps", .name = "m", .status = STATUS_REFUTED, .text = reasons[i]});
  }
  const char *text = results_printed(results.arena, &results, results_print_annotations);
  uint32_t lines = 0;
  for (const char *at = text; (at = strchr(at, '\n')) != nullptr; at++) lines++;
  assert_int_equal(lines, most_annotations + 1);
  assert_null(strstr(text, "::warning"));
  assert_non_null(strstr(text, "1 passed, 31 refuted, 1 open, 0 bad input; 10 of 32 shown\n"));
  arena_destroy(results.arena);
}

/* Surrogates, overlong forms, code points above the last one and noncharacters. */
static void no_text_breaks_a_file(void **) {
  static const char hostile[] = "x\xed\xa0\x80 \xc0\xaf \xf4\x90\x80\x80 \xef\xbf\xbe \xf5 end";
  Results results = {.junit = "", .sarif = ""};
  results_add(&results, &(Result){.part = "cases",
                            .name = hostile,
                            .file = hostile,
                            .line = 1,
                            .status = STATUS_REFUTED,
                            .text = hostile});
  const char *junit = results_printed(results.arena, &results, results_print_junit);
  const char *sarif = results_printed(results.arena, &results, results_print_sarif);
  const char *const files[] = {junit, sarif};
  for (uint32_t i = 0; i < 2; i++)
    for (const char *at = files[i]; *at != 0; at += utf8_length(at))
      assert_true(utf8_length(at) > 0);
  assert_null(strstr(junit, "\xEF\xBF\xBE"));
  assert_non_null(
      strstr(sarif, "\"uri\":\"x%ED%A0%80%20%C0%AF%20%F4%90%80%80%20%EF%BF%BE%20%F5%20end\""));
  cJSON *whole = cJSON_Parse(sarif);
  assert_non_null(whole);
  cJSON_Delete(whole);
  arena_destroy(results.arena);
}

static void annotations_are_one_a_cause_and_never_empty(void **) {
  Results results = {.github = true, .token = ""};
  for (uint32_t i = 0; i < 5; i++)
    results_add(&results, &(Result){.part = "maps",
                              .name = "m",
                              .status = STATUS_REFUTED,
                              .text = "same\n::error::forged\n"});
  results_add(
      &results, &(Result){.part = "a\n::error::b", .name = "n", .status = STATUS_UNDECIDED});
  assert_string_equal(results_printed(results.arena, &results, results_print_annotations),
      "::error title=maps m::same%0A\\u003a:error::forged%0Aand 4 more for the same reason\n"
      "::warning title=a%0A\\u003a%3Aerror%3A%3Ab n::no judge decided\n"
      "::notice title=affirm::0 passed, 5 refuted, 1 open, 0 bad input; 6 of 6 shown\n");
  arena_destroy(results.arena);
}

static void nothing_is_kept_that_nobody_wants(void **) {
  Results results = {};
  results_add(&results, &(Result){.part = "cases", .name = "good"});
  results_add(nullptr, &(Result){.part = "cases", .name = "good"});
  assert_int_equal(results.count, 0);
  assert_int_equal(results_write(&results, STATUS_UNDECIDED), STATUS_UNDECIDED);
  Results nowhere = {.junit = "/dev/null/none"};
  assert_int_equal(results_write(&nowhere, STATUS_PROVED), STATUS_BAD);
}

/* The end of the process has no file to write: its name ends with the test. */
static void forget_results(void) {
  assert_int_equal(results_write(&(Results){}, STATUS_PROVED), STATUS_PROVED);
}

/* What comes after the results are written can change the exit status. */
static void an_end_that_is_no_pass_has_a_row(void **) {
  Arena *arena = arena_create();
  Source text;
  Error error = {};
  char path[512];
  file_scratch(sizeof path, path, "results");
  close(mkstemp(path));
  for (uint32_t i = 0; i < 3; i++) {
    static constexpr Status statuses[] = {STATUS_PROVED, STATUS_UNDECIDED, STATUS_BAD};
    static const char *const rows[] = {"errors=\"0\"", "status 2;", "status 5;"};
    Results results = {.junit = path};
    results_begin(&results);
    results_add(&results, &(Result){.part = "rules", .name = "r", .status = STATUS_PROVED});
    assert_int_equal(results_write(&results, STATUS_PROVED), STATUS_PROVED);
    results_end(statuses[i], i == 2 ? 5 : (int)statuses[i]);
    assert_true(file_read(arena, path, 10000, &text, &error));
    assert_non_null(strstr(text.text, rows[i]));
  }
  forget_results();
  unlink(path);
  arena_destroy(arena);
}

/* Work that has returned after writing its results, and whose stack was reused. */
[[noreturn]] static void interrupted_after_its_end(const char *path) {
  Results results = {.junit = path};
  if (freopen("/dev/null", "w", stderr) == nullptr) _exit(9);
  session_catch_signals();
  results_begin(&results);
  results_add(
      &results, &(Result){.part = "rules", .name = "r", .status = STATUS_PROVED, .seconds = 1e-9});
  if (results_write(&results, STATUS_PROVED) != STATUS_PROVED) _exit(9);
  results = (Results){.junit = path, .count = 7, .capacity = 9, .items = (Result *)8};
  raise(SIGINT);
  sleep(20);
  _exit(9);
}

static void an_interrupt_after_the_end_adds_a_row(void **) {
  Arena *arena = arena_create();
  Source after;
  Error error = {};
  char path[512];
  int state = 0;
  file_scratch(sizeof path, path, "results");
  close(mkstemp(path));
  Results results = {.junit = path};
  results_begin(&results);
  results_add(
      &results, &(Result){.part = "rules", .name = "r", .status = STATUS_PROVED, .seconds = 1e-9});
  assert_int_equal(results_write(&results, STATUS_PROVED), STATUS_PROVED);
  pid_t child = fork();
  if (child == 0) interrupted_after_its_end(path);
  assert_int_equal(waitpid(child, &state, 0), child);
  assert_true(WIFEXITED(state));
  assert_int_equal(WEXITSTATUS(state), STATUS_UNDECIDED);
  assert_true(file_read(arena, path, 10000, &after, &error));
  assert_non_null(strstr(after.text, "name=\"left out\""));
  forget_results();
  unlink(path);
  arena_destroy(arena);
}

/* Work that does not end after an interrupt, with a result that nobody wants in a file. */
[[noreturn]] static void interrupted_after_results(Status first, Status second) {
  Results results = {};
  if (freopen("/dev/null", "w", stderr) == nullptr) _exit(9);
  session_catch_signals();
  results_begin(&results);
  results_add(&results, &(Result){.part = "rules", .name = "r", .status = first});
  results_add(&results, &(Result){.part = "rules", .name = "s", .status = second});
  raise(SIGINT);
  sleep(20);
  _exit(9);
}

static void an_interrupt_keeps_the_worst_status(void **) {
  static const struct {
    Status first, second;
    int wanted;
  } rows[] = {{STATUS_REFUTED, STATUS_BAD, STATUS_REFUTED}, {STATUS_BAD, STATUS_PROVED, STATUS_BAD},
      {STATUS_BAD, STATUS_UNDECIDED, STATUS_BAD},
      {STATUS_PROVED, STATUS_UNDECIDED, STATUS_UNDECIDED}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int state = 0;
    pid_t child = fork();
    if (child == 0) interrupted_after_results(rows[i].first, rows[i].second);
    assert_int_equal(waitpid(child, &state, 0), child);
    assert_true(WIFEXITED(state));
    assert_int_equal(WEXITSTATUS(state), rows[i].wanted);
  }
}

/* Work that is about to write its results gets two signals, the second one after this many seconds.
 */
[[noreturn]] static void signalled_twice(int number, time_t between) {
  if (freopen("/dev/null", "w", stderr) == nullptr) _exit(9);
  session_catch_signals();
  session_say_ending();
  raise(number);
  if (between > 0) nanosleep(&(struct timespec){.tv_sec = between, .tv_nsec = 1}, nullptr);
  raise(number);
  _exit(session_is_interrupted() ? STATUS_UNDECIDED : 9);
}

/* GNU timeout sends its signal twice at once. */
static void only_a_later_signal_ends_at_once(void **) {
  static const struct {
    int number;
    time_t between;
  } rows[] = {{SIGTERM, 0}, {SIGHUP, 0}, {SIGTERM, 1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int state = 0;
    pid_t child = fork();
    if (child == 0) signalled_twice(rows[i].number, rows[i].between);
    assert_int_equal(waitpid(child, &state, 0), child);
    assert_int_equal(WIFSIGNALED(state), rows[i].between > 0);
    if (rows[i].between == 0) assert_int_equal(WEXITSTATUS(state), STATUS_UNDECIDED);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(junit_has_every_row),
      cmocka_unit_test(junit_has_what_is_left_out),
      cmocka_unit_test(sarif_is_json_with_what_is_no_pass),
      cmocka_unit_test(annotations_are_ten_with_the_true_totals),
      cmocka_unit_test(no_text_breaks_a_file),
      cmocka_unit_test(annotations_are_one_a_cause_and_never_empty),
      cmocka_unit_test(nothing_is_kept_that_nobody_wants),
      cmocka_unit_test(an_end_that_is_no_pass_has_a_row),
      cmocka_unit_test(an_interrupt_keeps_the_worst_status),
      cmocka_unit_test(only_a_later_signal_ends_at_once),
      cmocka_unit_test(an_interrupt_after_the_end_adds_a_row)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
