/* SARIF 2.1.0: one run, with a rule for each kind of result that did not pass, and a result for
 * each such row. Readers require a file name: a generated case is generated/PART/NAME. */
#include <string.h>

#include "cli/report/json.h"
#include "cli/report/results.h"
#include "core/base/hash.h"

static constexpr Status not_passed[] = {STATUS_REFUTED, STATUS_UNDECIDED, STATUS_BAD};

static const struct {
  const char *id, *help;
} words[] = {[STATUS_PROVED] = {"", ""},
    [STATUS_REFUTED] = {"refuted",
        "A judge has a counterexample. The message says where, and names the command that replays it."},
    [STATUS_UNDECIDED] = {"open",
        "No judge decided, or it did not run. This never counts as a pass."},
    [STATUS_BAD] = {
        "bad-input", "The input could not be read or run. The message names the place."}};

static void print_rule_id(Text *text, const Result *result) {
  json_quote(text, arena_printf(text->arena, "%s/%s", result->part, words[result->status].id));
}

static bool is_same_kind(const Result *a, const Result *b) {
  return a->status == b->status && strcmp(a->part, b->part) == 0;
}

static bool is_first_of_kind(const Results *results, uint32_t at) {
  for (uint32_t i = 0; i < at; i++)
    if (is_same_kind(&results->items[i], &results->items[at])) return false;
  return results->items[at].status != STATUS_PROVED;
}

static void print_rules(Text *text, const Results *results) {
  text_string(text, "\"rules\":[");
  bool is_later = false;
  for (uint32_t i = 0; i < results->count; i++) {
    const Result *result = &results->items[i];
    if (result->status == STATUS_PROVED || !is_first_of_kind(results, i)) continue;
    text_string(text, is_later ? ",{\"id\":" : "{\"id\":");
    print_rule_id(text, result);
    text_string(text, ",\"shortDescription\":{\"text\":");
    json_quote(text, arena_printf(text->arena, "%s: %s", result->part, words[result->status].id));
    text_string(text, "},\"help\":{\"text\":");
    json_quote(text, words[result->status].help);
    text_string(text, "}}");
    is_later = true;
  }
  text_string(text, "]");
}

/* Prints a relative reference of RFC 3986; `:` is escaped, since it would make the first segment a
 * scheme. */
static void print_uri(Text *text, const char *path) {
  text_string(text, "\"");
  for (const char *at = path; *at != 0; at++) {
    bool is_plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                    (*at >= '0' && *at <= '9') || strchr("-._~/", *at) != nullptr;
    if (is_plain) text_append(text, at, 1);
    else text_printf(text, "%%%02X", (unsigned)(unsigned char)*at);
  }
  text_string(text, "\"");
}

static void print_location(Text *text, const Result *result) {
  text_string(text, ",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
  print_uri(text, result->file != nullptr
                      ? result->file
                      : arena_printf(text->arena, "generated/%s/%s", result->part, result->name));
  text_printf(text,
      "},\"region\":{\"startLine\":%u}},\"logicalLocations\":[{\"fullyQualifiedName\":",
      result->line > 0 ? result->line : 1);
  json_quote(text, arena_printf(text->arena, "%s/%s", result->part, result->name));
  text_string(text, "}]}]");
}

/* Stable between runs: independent of line, reason and scratch directories. */
static uint64_t fingerprint_of(const Result *result) {
  const char *const texts[] = {result->part, result->name,
      result->file == nullptr || result->is_scratch ? "" : result->file, words[result->status].id};
  static constexpr uint32_t end_of_text = 256;
  uint64_t sum = checksum_start;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    sum = checksum_add(checksum_bytes(sum, texts[i], strlen(texts[i])), end_of_text);
  return sum;
}

static void print_result(Text *text, const Result *result) {
  text_string(text, "{\"ruleId\":");
  print_rule_id(text, result);
  text_printf(text, ",\"level\":\"%s\",\"message\":{\"text\":",
      result->status == STATUS_UNDECIDED ? "warning" : "error");
  json_quote(
      text, arena_printf(text->arena, "%s %s: %s", result->part, result->name, result->text));
  text_string(text, "}");
  print_location(text, result);
  text_printf(text, ",\"partialFingerprints\":{\"affirmResult/v1\":\"%016llx\"}}",
      (unsigned long long)fingerprint_of(result));
}

void results_print_sarif(Text *text, const Results *results) {
  text_string(text,
      "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"affirm\",\"version\":\"" AFFIRM_VERSION
      "\",");
  print_rules(text, results);
  text_string(text, "}},\"results\":[");
  bool is_later = false;
  for (uint32_t k = 0; k < sizeof not_passed / sizeof *not_passed; k++)
    for (uint32_t i = 0; i < results->count; i++) {
      if (results->items[i].status != not_passed[k]) continue;
      if (is_later) text_string(text, ",\n");
      print_result(text, &results->items[i]);
      is_later = true;
    }
  text_string(text, "]}]}\n");
}
