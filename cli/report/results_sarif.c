/* SARIF 2.1.0: one run, three rules (refuted, open, bad input), a result for everything that is no
 * pass. */
#include "cli/report/json.h"
#include "cli/report/results.h"

static const char *rule_of(Status status) {
  switch (status) {
    case STATUS_PROVED: break;
    case STATUS_REFUTED: return "refuted";
    case STATUS_UNDECIDED: return "open";
    case STATUS_BAD: return "bad-input";
  }
  return "";
}

static void print_rules(Text *text) {
  static const char *const rules[][2] = {{"refuted", "a judge has a counterexample"},
      {"open", "no judge decided, or it did not run"}, {"bad-input", "could not be read or run"}};
  text_string(text, "\"rules\":[");
  for (uint32_t i = 0; i < 3; i++)
    text_printf(text, "%s{\"id\":\"%s\",\"shortDescription\":{\"text\":\"%s\"}}", i == 0 ? "" : ",",
        rules[i][0], rules[i][1]);
  text_string(text, "]");
}

static void print_place(Text *text, const Result *result) {
  text_string(text, ",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
  json_quote(text, result->file);
  text_string(text, "}");
  if (result->line > 0) text_printf(text, ",\"region\":{\"startLine\":%u}", result->line);
  text_string(text, "}}]");
}

static void print_result(Text *text, const Result *result) {
  text_printf(text,
      "{\"ruleId\":\"%s\",\"level\":\"%s\",\"message\":{\"text\":", rule_of(result->status),
      result->status == STATUS_UNDECIDED ? "warning" : "error");
  json_quote(
      text, arena_printf(text->arena, "%s %s: %s", result->part, result->name, result->text));
  text_string(text, "}");
  if (result->file != nullptr) print_place(text, result);
  text_string(text, "}");
}

void results_print_sarif(Text *text, const Results *results) {
  text_string(text,
      "{\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"affirm\",\"version\":\"" AFFIRM_VERSION
      "\",");
  print_rules(text);
  text_string(text, "}},\"results\":[");
  bool first = true;
  for (uint32_t i = 0; i < results->count; i++) {
    if (results->items[i].status == STATUS_PROVED) continue;
    if (!first) text_string(text, ",\n");
    print_result(text, &results->items[i]);
    first = false;
  }
  text_string(text, "]}]}\n");
}
