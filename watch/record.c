/* Prints and parses records. Every number that is parsed is checked against its range. */
#include "watch/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"

static constexpr uint32_t text_count = 12;

static void text_fields(const StepVerdict *verdict, const char *texts[]) {
  const ValuesVerdict *values = &verdict->values;
  const char *const all[] = {values->by, values->laws, values->terms, values->inputs,
      values->values[0], values->values[1], values->element, values->stopped, verdict->reason,
      verdict->judges, values->sides[0], values->sides[1]};
  static_assert(sizeof all / sizeof *all == text_count);
  memcpy(texts, all, sizeof all);
}

static void print_field(Text *text, const char *field) {
  text_string(text, "\t");
  if (field == nullptr) text_string(text, "\\-");
  for (const char *c = field; c != nullptr && *c != 0; c++) {
    if (*c == '\t') text_string(text, "\\t");
    else if (*c == '\n') text_string(text, "\\n");
    else if (*c == '\\') text_string(text, "\\\\");
    else text_append(text, c, 1);
  }
}

void record_print(Text *text, uint64_t key, const StepVerdict *verdict) {
  const char *texts[text_count];
  size_t start = text->length;
  const ValuesVerdict *values = &verdict->values;
  text_fields(verdict, texts);
  text_printf(text, "step\t%016" PRIx64 "\t%u\t%u\t%" PRId64 "\t%u\t%u:", key, verdict->answer,
      verdict->output, (int64_t)(verdict->seconds * 1e6 + 0.5), verdict->lacks_before,
      values->has_point ? values->rank + 1 : 0);
  for (uint32_t i = 0; values->has_point && i < values->rank; i++)
    text_printf(text, "%" PRId64 ",", values->point[i]);
  for (uint32_t i = 0; i < text_count; i++) print_field(text, texts[i]);
  text_printf(text, "\t%u", values->at.count);
  for (uint32_t i = 0; i < values->at.count; i++) {
    print_field(text, values->at.items[i].name);
    print_field(text, values->at.items[i].value);
  }
  text_printf(text, "\t%016" PRIx64 "\n",
      checksum_bytes(checksum_start, text->bytes + start, text->length - start));
}

typedef struct RecordReader {
  Arena *arena;
  const char *at, *end;
} RecordReader;

/* The field up to the next tab, unescaped; nullptr for `\-` and past the end. */
static const char *take_field(RecordReader *reader) {
  if (reader->at >= reader->end) return nullptr;
  const char *stop = memchr(reader->at, '\t', (size_t)(reader->end - reader->at));
  if (stop == nullptr) stop = reader->end;
  char *field = arena_text(reader->arena, reader->at, (size_t)(stop - reader->at)), *to = field;
  reader->at = stop + 1;
  if (strcmp(field, "\\-") == 0) return nullptr;
  for (const char *from = field; *from != 0; from++) {
    if (*from == '\\' && from[1] != 0) {
      from++;
      *to++ = *from == 't' ? '\t' : *from == 'n' ? '\n' : *from;
    } else *to++ = *from;
  }
  *to = 0;
  return field;
}

static bool take_number(RecordReader *reader, int base, uint64_t most, uint64_t *number) {
  const char *field = take_field(reader);
  char *end;
  if (field == nullptr || *field == 0 || *field == '-') return false;
  *number = strtoull(field, &end, base);
  return *end == 0 && *number <= most;
}

static bool take_point(RecordReader *reader, ValuesVerdict *values) {
  const char *field = take_field(reader);
  char *at;
  if (field == nullptr) return false;
  uint64_t rank = strtoull(field, &at, 10);
  if (*at != ':' || rank > oracle_max_rank + 1) return false;
  values->has_point = rank > 0;
  values->rank = values->has_point ? (uint32_t)rank - 1 : 0;
  for (uint32_t i = 0; i < values->rank; i++) {
    values->point[i] = strtoll(at + 1, &at, 10);
    if (*at != ',') return false;
  }
  return true;
}

static bool take_bindings(RecordReader *reader, Bindings *at) {
  uint64_t count;
  if (!take_number(reader, 10, UINT32_MAX, &count)) return false;
  for (uint64_t i = 0; i < count; i++) {
    const char *name = take_field(reader), *value = take_field(reader);
    if (name == nullptr || value == nullptr) return false;
    bindings_text(reader->arena, at, name, value);
  }
  return true;
}

bool record_parse(
    Arena *arena, const char *line, size_t length, uint64_t *key, StepVerdict *verdict) {
  static constexpr size_t tail = 17;
  const char *texts[text_count];
  uint64_t answer, output, microseconds, lacks_before, sum;
  *verdict = (StepVerdict){};
  if (length < tail || strncmp(line, "step\t", 5) != 0 || line[length - tail] != '\t') return false;
  RecordReader last = {arena, line + length - tail + 1, line + length};
  if (!take_number(&last, 16, UINT64_MAX, &sum) ||
      sum != checksum_bytes(checksum_start, line, length - tail))
    return false;
  RecordReader reader = {arena, line + 5, line + length - tail};
  if (!take_number(&reader, 16, UINT64_MAX, key) ||
      !take_number(&reader, 10, verdict_reason_count - 1, &answer) ||
      !take_number(&reader, 10, UINT32_MAX, &output) ||
      !take_number(&reader, 10, INT64_MAX, &microseconds) ||
      !take_number(&reader, 10, 1, &lacks_before) || !take_point(&reader, &verdict->values))
    return false;
  if (step_answer_text((VerdictReason)answer) == nullptr) return false;
  for (uint32_t i = 0; i < text_count; i++) texts[i] = take_field(&reader);
  if (!take_bindings(&reader, &verdict->values.at)) return false;
  verdict->answer = (VerdictReason)answer;
  verdict->output = (uint32_t)output;
  verdict->seconds = 1e-6 * (double)microseconds;
  verdict->lacks_before = lacks_before == 1;
  ValuesVerdict *values = &verdict->values;
  values->by = texts[0], values->laws = texts[1], values->terms = texts[2];
  values->inputs = texts[3], values->values[0] = texts[4], values->values[1] = texts[5];
  values->element = texts[6], values->stopped = texts[7];
  snprintf(verdict->reason, sizeof verdict->reason, "%s", texts[8] == nullptr ? "" : texts[8]);
  verdict->judges = texts[9];
  values->sides[0] = texts[10], values->sides[1] = texts[11];
  return true;
}
