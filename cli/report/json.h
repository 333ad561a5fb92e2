/* JSON objects, one a line, appended to a text. Strings are escaped, integers are exact; bytes that
 * are not UTF-8 become U+FFFD. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "core/base/text.h"
#include "core/map/text.h"
#include "judge/maps/judge.h"

typedef struct Json {
  Text *text;
  bool has_member;
} Json;

/* The string with its quotes. */
void json_quote(Text *text, const char *value);
[[nodiscard]] Json json_begin(Text *text);
void json_string(Json *json, const char *name, const char *value);
void json_integer(Json *json, const char *name, int64_t value);
void json_integers(Json *json, const char *name, uint32_t count, const int64_t *values);
/* instruction, direction, output, operand, operand_leaf */
void json_question(Json *json, const Question *question);
/* "maps": an array of map texts */
void json_maps(Json *json, const MapContext *context, const MapSet *maps, MapStyle style);
/* Closes the object and the line. */
void json_end(Json *json);

#endif
