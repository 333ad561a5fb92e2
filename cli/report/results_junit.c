/* JUnit XML as its readers' schemas require: a suite for each part, in order of first occurrence.
 * Classes are stable between runs: a file in a scratch directory is none.
 * Text is escaped; characters that XML 1.0 lacks become U+FFFD. */
#include <string.h>

#include "cli/report/results.h"
#include "core/base/foreign.h"

/* XML 1.0, production 2, except control characters that readers reject. */
static bool is_character(uint32_t code) {
  return code == '\n' || code == '\t' ||
         (code >= 0x20 && code != 0x7F && code != 0xFFFE && code != 0xFFFF);
}

static void print_escaped(Text *text, const char *value) {
  while (*value != 0) {
    uint32_t code;
    size_t length = utf8_decode(value, &code);
    if (length == 0 || !is_character(code)) text_string(text, "\xEF\xBF\xBD");
    else if (code == '<') text_string(text, "&lt;");
    else if (code == '>') text_string(text, "&gt;");
    else if (code == '&') text_string(text, "&amp;");
    else if (code == '"') text_string(text, "&quot;");
    else if (code == '\n') text_string(text, "&#10;");
    else text_append(text, value, length);
    value += length == 0 ? 1 : length;
  }
}

static void print_attribute(Text *text, const char *name, const char *value) {
  text_printf(text, " %s=\"", name);
  print_escaped(text, value);
  text_string(text, "\"");
}

static void print_case(Text *text, const Result *result) {
  text_string(text, "    <testcase");
  bool has_class = result->file != nullptr && !result->is_scratch;
  print_attribute(text, "classname", has_class ? result->file : result->part);
  print_attribute(text, "name", result->name);
  text_printf(text, " time=\"%.3f\"", result->seconds);
  if (result->is_left_out) {
    text_string(text, "><skipped");
    print_attribute(text, "message", result->text);
    text_string(text, "/></testcase>\n");
    return;
  }
  if (result->status == STATUS_PROVED) {
    text_string(text, "/>\n");
    return;
  }
  const char *element = result->status == STATUS_REFUTED ? "failure" : "error";
  text_printf(text, "><%s type=\"%s\"", element,
      result->status == STATUS_REFUTED     ? "refuted"
      : result->status == STATUS_UNDECIDED ? "open"
                                           : "bad input");
  print_attribute(text, "message", result->text);
  if (result->file == nullptr || result->line == 0) {
    text_string(text, "/></testcase>\n");
    return;
  }
  text_string(text, ">");
  print_escaped(text, result->file);
  text_printf(text, ":%u</%s></testcase>\n", result->line, element);
}

static void print_suite(Text *text, const Results *results, const char *part) {
  uint32_t tests = 0, failures = 0, errors = 0, left_out = 0;
  double seconds = 0;
  for (uint32_t i = 0; i < results->count; i++) {
    const Result *result = &results->items[i];
    if (strcmp(result->part, part) != 0) continue;
    tests++;
    failures += result->status == STATUS_REFUTED;
    errors += result->status == STATUS_UNDECIDED || result->status == STATUS_BAD;
    left_out += result->is_left_out;
    seconds += result->seconds;
  }
  text_string(text, "  <testsuite");
  print_attribute(text, "name", part);
  text_printf(text, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"%.3f\">\n",
      tests, failures, errors, left_out, seconds);
  for (uint32_t i = 0; i < results->count; i++)
    if (strcmp(results->items[i].part, part) == 0) print_case(text, &results->items[i]);
  text_string(text, "  </testsuite>\n");
}

static bool is_first(const Results *results, uint32_t at) {
  for (uint32_t i = 0; i < at; i++)
    if (strcmp(results->items[i].part, results->items[at].part) == 0) return false;
  return true;
}

void results_print_junit(Text *text, const Results *results) {
  text_string(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"affirm\">\n");
  for (uint32_t i = 0; i < results->count; i++)
    if (is_first(results, i)) print_suite(text, results, results->items[i].part);
  text_string(text, "</testsuites>\n");
}
