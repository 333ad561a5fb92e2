/* What other tools read: well-formed whatever stands in names and texts, every row there, and what
 * is open never a pass. */
#include "cli/report/results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include <cjson/cJSON.h>

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

static const char *printed(
    Arena *arena, const Results *results, void (*print)(Text *, const Results *)) {
  Text text = text_create(arena);
  print(&text, results);
  return text.bytes;
}

static void junit_has_every_row(void **) {
  Results results = three();
  assert_string_equal(printed(results.arena, &results, results_print_junit),
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"affirm\">\n"
      "  <testsuite name=\"cases\" tests=\"2\" failures=\"1\" errors=\"0\" time=\"0.000\">\n"
      "    <testcase classname=\"a.case\" name=\"good\" line=\"1\" time=\"0.000\"/>\n"
      "    <testcase classname=\"a,b:c.case\" name=\"bad&lt;&amp;&gt;&quot;\xEF\xBF\xBD\xEF\xBF\xBD\" line=\"7\" time=\"0.000\">"
      "<failure type=\"refuted\" message=\"100% &quot;wrong&quot;&#10;at d0 = 3\"/></testcase>\n"
      "  </testsuite>\n"
      "  <testsuite name=\"fuzz\" tests=\"1\" failures=\"0\" errors=\"1\" time=\"1.500\">\n"
      "    <testcase classname=\"fuzz\" name=\"open\" time=\"1.500\"><error type=\"open\" message=\"did not run\"/></testcase>\n"
      "  </testsuite>\n</testsuites>\n");
  arena_destroy(results.arena);
}

static void sarif_is_json_with_what_is_no_pass(void **) {
  Results results = three();
  cJSON *whole = cJSON_Parse(printed(results.arena, &results, results_print_sarif));
  assert_non_null(whole);
  cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(whole, "runs"), 0),
        *rows = cJSON_GetObjectItem(run, "results");
  assert_int_equal(cJSON_GetArraySize(rows), 2);
  cJSON *place = cJSON_GetObjectItem(
      cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetArrayItem(rows, 0), "locations"), 0),
      "physicalLocation");
  assert_string_equal(
      cJSON_GetObjectItem(cJSON_GetObjectItem(place, "artifactLocation"), "uri")->valuestring,
      "a,b:c.case");
  assert_int_equal(
      cJSON_GetObjectItem(cJSON_GetObjectItem(place, "region"), "startLine")->valueint, 7);
  assert_string_equal(
      cJSON_GetObjectItem(cJSON_GetArrayItem(rows, 0), "level")->valuestring, "error");
  assert_string_equal(
      cJSON_GetObjectItem(cJSON_GetArrayItem(rows, 1), "level")->valuestring, "warning");
  assert_null(cJSON_GetObjectItem(cJSON_GetArrayItem(rows, 1), "locations"));
  cJSON_Delete(whole);
  arena_destroy(results.arena);
}

static void annotations_are_ten_with_the_true_totals(void **) {
  Results results = three();
  assert_string_equal(printed(results.arena, &results, results_print_annotations),
      "::error file=a%2Cb%3Ac.case,line=7,title=cases bad<&>\"\x01\xFF::100%25 \"wrong\"%0Aat d0 = 3\n"
      "::warning title=fuzz open::did not run\n"
      "::notice title=affirm::1 passed, 1 refuted, 1 open, 0 bad input; 2 of 2 shown\n");
  for (uint32_t i = 0; i < 30; i++)
    results_add(&results, &(Result){.part = "maps", .name = "m", .status = STATUS_REFUTED});
  const char *text = printed(results.arena, &results, results_print_annotations);
  uint32_t lines = 0;
  for (const char *at = text; (at = strchr(at, '\n')) != nullptr; at++) lines++;
  assert_int_equal(lines, most_annotations + 1);
  assert_null(strstr(text, "::warning"));
  assert_non_null(strstr(text, "1 passed, 31 refuted, 1 open, 0 bad input; 10 of 32 shown\n"));
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(junit_has_every_row),
      cmocka_unit_test(sarif_is_json_with_what_is_no_pass),
      cmocka_unit_test(annotations_are_ten_with_the_true_totals),
      cmocka_unit_test(nothing_is_kept_that_nobody_wants)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
