/* Writes members in the order in which they are given. */
#include "cli/report/json.h"

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

Json json_begin(Text *text) {
  text_string(text, "{");
  return (Json){.text = text};
}

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
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0) text_string(json->text, ",");
    text_integer(json->text, values[i]);
  }
  text_string(json->text, "]");
}

void json_question(Json *json, const Question *question) {
  json_string(json, "instruction", question->instruction->name);
  json_string(json, "direction", direction_text(question->direction));
  json_integer(json, "output", question->output);
  json_integer(json, "operand", question->operand);
  json_integer(json, "operand_leaf", question->operand_leaf);
}

void json_maps(Json *json, const MapContext *context, const MapSet *maps, MapStyle style) {
  name_member(json, "maps");
  text_string(json->text, "[");
  for (uint32_t i = 0; i < maps->count; i++) {
    Text map = text_create(json->text->arena);
    map_print(&map, context, maps->maps[i], style);
    if (i > 0) text_string(json->text, ",");
    json_quote(json->text, map.bytes);
  }
  text_string(json->text, "]");
}

void json_end(Json *json) { text_string(json->text, "}\n"); }
