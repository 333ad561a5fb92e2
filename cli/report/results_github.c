/* Annotations of a workflow: `::error file=F,line=N,title=T::TEXT`. Refuted results come first.
 * Prints at most most_annotations, one for each cause, then the totals. */
#include <string.h>

#include "cli/report/results.h"
#include "core/base/foreign.h"

/* In properties `,` and `:` are escaped too. Trailing line breaks are removed. */
static void print_escaped(Text *text, const char *value, bool property) {
  Text shown = text_create(text->arena);
  text_foreign_lines(&shown, value);
  while (shown.length > 0 && strchr("\r\n ", shown.bytes[shown.length - 1]) != nullptr)
    shown.bytes[--shown.length] = 0;
  for (const char *at = shown.bytes; *at != 0; at++) {
    bool is_escaped = strchr("%\r\n", *at) != nullptr || (property && strchr(",:", *at) != nullptr);
    if (is_escaped) text_printf(text, "%%%02X", (unsigned)(unsigned char)*at);
    else text_append(text, at, 1);
  }
}

static const char *reason_of(const Result *result) {
  if (strspn(result->text, " \r\n\t") != strlen(result->text)) return result->text;
  static const char *const reasons[] = {[STATUS_PROVED] = "",
      [STATUS_REFUTED] = "a judge has a counterexample",
      [STATUS_UNDECIDED] = "no judge decided",
      [STATUS_BAD] = "could not be read or run"};
  return reasons[result->status];
}

/* One cause: results of one part with the same reason. */
typedef struct Annotation {
  const Result *result;
  uint64_t more; /* further results with the same cause */
} Annotation;

static void print_one(Text *text, const Annotation *annotation) {
  const Result *result = annotation->result;
  text_printf(text, "::%s ", result->status == STATUS_UNDECIDED ? "warning" : "error");
  if (result->file != nullptr) {
    text_string(text, "file=");
    print_escaped(text, result->file, true);
    if (result->line > 0) text_printf(text, ",line=%u", result->line);
    text_string(text, ",");
  }
  text_string(text, "title=");
  print_escaped(text, result->part, true);
  text_string(text, " ");
  print_escaped(text, result->name, true);
  text_string(text, "::");
  print_escaped(text, reason_of(result), false);
  if (annotation->more > 0)
    text_printf(
        text, "%%0Aand %llu more for the same reason", (unsigned long long)annotation->more);
  text_string(text, "\n");
}

static bool has_same_cause(const Result *a, const Result *b) {
  return a->status == b->status && strcmp(a->part, b->part) == 0 && strcmp(a->text, b->text) == 0;
}

/* Adds the result to the annotation of its cause, or creates one; false if the list is full. */
static bool results_github_gather(
    Annotation list[most_annotations], uint32_t *count, const Result *result) {
  for (uint32_t i = 0; i < *count; i++) {
    if (!has_same_cause(list[i].result, result)) continue;
    list[i].more++;
    return true;
  }
  if (*count == most_annotations) return false;
  list[(*count)++] = (Annotation){.result = result};
  return true;
}

void results_print_annotations(Text *text, const Results *results) {
  static constexpr Status order[] = {STATUS_REFUTED, STATUS_BAD, STATUS_UNDECIDED};
  uint64_t counts[STATUS_BAD + 1] = {}, shown = 0, left_out = 0;
  Annotation list[most_annotations];
  uint32_t count = 0;
  for (uint32_t i = 0; i < results->count; i++) {
    const Result *result = &results->items[i];
    left_out += result->is_left_out;
    counts[result->status] += !result->is_left_out;
  }
  for (uint32_t k = 0; k < 3; k++)
    for (uint32_t i = 0; i < results->count; i++)
      if (results->items[i].status == order[k])
        shown += results_github_gather(list, &count, &results->items[i]);
  for (uint32_t i = 0; i < count; i++) print_one(text, &list[i]);
  uint64_t all = counts[STATUS_REFUTED] + counts[STATUS_UNDECIDED] + counts[STATUS_BAD];
  text_printf(text,
      "::notice title=affirm::%llu passed, %llu refuted, %llu open, %llu bad input; %llu of %llu shown",
      (unsigned long long)counts[STATUS_PROVED], (unsigned long long)counts[STATUS_REFUTED],
      (unsigned long long)counts[STATUS_UNDECIDED], (unsigned long long)counts[STATUS_BAD],
      (unsigned long long)shown, (unsigned long long)all);
  if (left_out > 0) text_printf(text, "; %llu not run", (unsigned long long)left_out);
  text_string(text, "\n");
}
