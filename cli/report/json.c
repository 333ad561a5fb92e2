/* Members are written in the order of the calls. */
#include "cli/report/json.h"

#include <stdio.h>
#include <stdatomic.h>
#include <string.h>

#include "core/base/foreign.h"

void json_quote(Text *text, const char *value) {
  text_string(text, "\"");
  while (*value != 0) {
    size_t length = utf8_length(value);
    unsigned char byte = (unsigned char)*value;
    if (length == 0) text_string(text, "\\ufffd");
    else if (byte == '"' || byte == '\\') text_printf(text, "\\%c", byte);
    else if (byte == '\n') text_string(text, "\\n");
    else if (byte < 32) text_printf(text, "\\u%04x", byte);
    else text_append(text, value, length);
    value += length == 0 ? 1 : length;
  }
  text_string(text, "\"");
}

static void name_member(Json *json, const char *name) {
  if (json->has_member) text_string(json->text, ",");
  json->has_member = true;
  json_quote(json->text, name);
  text_string(json->text, ":");
}

static constexpr uint32_t most_answers = json_most_answers, most_bytes = json_most_bytes;
static JsonTotals totals;
/* The totals are printed once, by the work or by the guard thread. */
static _Atomic bool is_due;

void json_expect(void) { totals.is_expected = is_due = true; }

void json_keep_inputs(void) { totals.keeps_inputs = true; }

JsonTotals json_totals_held(void) { return totals; }

void json_totals_hold(const JsonTotals *held) { totals = *held; }

Json json_begin(Text *text) {
  totals.objects++;
  text_string(text, "{");
  Json json = {.text = text};
  json_integer(&json, "version", json_version);
  return json;
}

void json_unread(Text *text, const char *file, uint32_t line, const char *reason) {
  Json json = json_begin(text);
  json_string(&json, "file", file);
  json_integer(&json, "line", line);
  json_answer(&json, "answer", "bad input");
  json_string(&json, "reason", reason);
  json_end(&json);
}

void json_error(Text *text, const Error *error) {
  if (totals.is_expected && !totals.keeps_inputs && error->name[0] != 0)
    json_unread(text, error->name, error->line, error->message);
}

void json_count(const char *value, uint64_t count) {
  uint32_t at = 0;
  while (at < totals.count && strncmp(totals.answers[at].text, value, most_bytes - 1) != 0) at++;
  if (at == most_answers) return;
  if (at == totals.count) {
    totals.count++;
    snprintf(totals.answers[at].text, most_bytes, "%s", value);
  }
  totals.answers[at].count += count;
}

void json_answer(Json *json, const char *name, const char *value) {
  json_string(json, name, value);
  json_count(value, 1);
}

void json_totals(Text *text, int status, bool is_interrupted) {
  if (!atomic_exchange(&is_due, false)) return;
  totals.is_expected = false;
  uint64_t objects = totals.objects;
  Json json = json_begin(text), inside = json_inside(&json, "totals");
  json_integer(&inside, "objects", (int64_t)objects);
  for (uint32_t i = 0; i < totals.count; i++)
    json_integer(&inside, totals.answers[i].text, (int64_t)totals.answers[i].count);
  json_close(&inside);
  json_integer(&json, "status", status);
  if (is_interrupted) json_integer(&json, "interrupted", 1);
  json_end(&json);
}

/* Appends a number as its digits. */
static void json_number(Json *json, const char *name, const char *digits) {
  name_member(json, name);
  text_string(json->text, digits);
}

static void print_bindings(Json *json, const char *name, const Bindings *bindings) {
  Json inside = json_inside(json, name);
  for (uint32_t i = 0; i < bindings->count; i++) {
    const Binding *one = &bindings->items[i];
    (one->is_integer ? json_number : json_string)(&inside, one->name, one->value);
  }
  json_close(&inside);
}

void json_bindings(Json *json, const char *name, const Bindings *bindings) {
  if (bindings->count > 0) print_bindings(json, name, bindings);
}

void json_at(Json *json, const Bindings *bindings) { print_bindings(json, "at", bindings); }

Json json_inside(Json *json, const char *name) {
  name_member(json, name);
  text_string(json->text, "{");
  return (Json){.text = json->text};
}

void json_close(Json *json) { text_string(json->text, "}"); }

void json_string(Json *json, const char *name, const char *value) {
  name_member(json, name);
  json_quote(json->text, value);
}

void json_integer(Json *json, const char *name, int64_t value) {
  name_member(json, name);
  text_integer(json->text, value);
}

void json_integers(Json *json, const char *name, uint32_t count, const int64_t *values) {
  name_member(json, name);
  text_string(json->text, "[");
  text_integers(json->text, ",", count, values);
  text_string(json->text, "]");
}

void json_module(Json *json, uint32_t number, uint32_t count, const char *name) {
  if (count <= 1) return;
  json_integer(json, "module", number);
  json_string(json, "module_name", name);
}

void json_question(Json *json, const Question *question) {
  json_string(json, "instruction", question->instruction->name);
  if (!question->instruction->parent->is_entry)
    json_string(json, "computation", question->instruction->parent->name);
  json_string(json, "direction", direction_text(question->direction));
  json_integer(json, "output", question->output);
  json_integer(json, "operand", question->operand);
  json_integer(json, "operand_leaf", question->operand_leaf);
}

void json_maps(Json *json, const MapContext *context, const MapSet *maps, MapStyle style) {
  name_member(json, "maps");
  text_string(json->text, "[");
  for (uint32_t i = 0; i < maps->count; i++) {
    if (i > 0) text_string(json->text, ",");
    json_quote(json->text, map_text(json->text->arena, context, maps->maps[i], style));
  }
  text_string(json->text, "]");
}

void json_end(Json *json) { text_string(json->text, "}\n"); }

void json_values(Json *json, const ValuesVerdict *verdict) {
  if (verdict->laws != nullptr) json_string(json, "laws", verdict->laws);
  if (verdict->terms != nullptr) {
    json_string(json, "terms", verdict->terms);
    json_string(json, "term_before", verdict->sides[0]);
    json_string(json, "term_after", verdict->sides[1]);
  }
  if (verdict->values[0] == nullptr) return;
  json_string(json, "inputs", verdict->inputs);
  json_at(json, &verdict->at);
  json_string(json, "value_before", verdict->values[0]);
  json_string(json, "value_after", verdict->values[1]);
}
