/* JSON objects, one a line, appended to a text. Strings are escaped, integers are exact; bytes that
 * are not UTF-8 become U+FFFD. Each begins with the version of the format; with --json the last one
 * of a run has the totals: how many objects, and how many with each answer (docs/formats.md). */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "core/base/text.h"
#include "core/map/text.h"
#include "judge/maps/judge.h"

typedef struct Json {
  Text *text;
  bool has_member;
} Json;

/* A member was taken away or means something else: the next version. New members are no change. */
static constexpr int64_t json_version = 1;

/* What the totals count. Answers are words of tables: few and short. */
static constexpr uint32_t json_most_answers = 48, json_most_bytes = 40;
typedef struct JsonTotals {
  bool is_expected;
  uint64_t objects;
  uint32_t count;
  struct {
    char word[json_most_bytes];
    uint64_t count;
  } answers[json_most_answers];
} JsonTotals;
/* For a child process that counts on from its parent's, and hands them back. */
[[nodiscard]] JsonTotals json_totals_held(void);
void json_totals_hold(const JsonTotals *held);

/* --json was given: json_totals prints from now on. */
void json_expect(void);
/* The line of totals, where it is expected; once. */
void json_totals(Text *text, Status status, bool is_interrupted);

/* The string with its quotes. */
void json_quote(Text *text, const char *value);
[[nodiscard]] Json json_begin(Text *text);
void json_string(Json *json, const char *name, const char *value);
/* The member that says what came out; counted in the totals. */
void json_answer(Json *json, const char *name, const char *value);
/* A number as it is written. */
void json_number(Json *json, const char *name, const char *digits);
/* {"d0":8,"lo(x)":0}: a value that is no integer is a string. No member where there is no
 * binding. */
void json_bindings(Json *json, const char *name, const Bindings *bindings);
/* An object inside of the object, until json_close. */
[[nodiscard]] Json json_inside(Json *json, const char *name);
void json_close(Json *json);
void json_integer(Json *json, const char *name, int64_t value);
void json_integers(Json *json, const char *name, uint32_t count, const int64_t *values);
/* instruction, direction, output, operand, operand_leaf */
void json_question(Json *json, const Question *question);
/* "maps": an array of map texts */
void json_maps(Json *json, const MapContext *context, const MapSet *maps, MapStyle style);
/* Closes the object and the line. */
void json_end(Json *json);

#endif
