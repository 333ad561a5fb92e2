/* JSON objects, one a line, appended to a text. Strings are escaped, integers are exact, and bytes
 * that are not UTF-8 become U+FFFD. Each object begins with the version of the format. With --json
 * the last object of a run has the totals: how many objects, and how many with each answer
 * (docs/formats.md). */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "core/base/text.h"
#include "core/map/text.h"
#include "judge/graphs/equiv_values.h"
#include "judge/maps/judge.h"

typedef struct Json {
  Text *text;
  bool has_member;
} Json;

/* Increased when a member is removed or changes its meaning. New members do not change it. */
static constexpr int64_t json_version = 1;

/* Limits of the totals. Answers are words of tables, or names of groups of findings. */
static constexpr uint32_t json_most_answers = 48, json_most_bytes = 160;
typedef struct JsonTotals {
  bool is_expected, keeps_inputs;
  uint64_t objects;
  uint32_t count;
  struct {
    char text[json_most_bytes];
    uint64_t count;
  } answers[json_most_answers];
} JsonTotals;
/* For a child process, which continues its parent's totals and returns them. */
[[nodiscard]] JsonTotals json_totals_held(void);
void json_totals_hold(const JsonTotals *held);

/* --json was given: json_totals prints from now on. */
void json_expect(void);
/* For a command that prints the objects of its unreadable inputs itself. */
void json_keep_inputs(void);
/* The object of an input that cannot be read. */
void json_unread(Text *text, const char *file, uint32_t line, const char *reason);
/* With --json: this object for an error in an input, unless the command prints it itself. */
void json_error(Text *text, const Error *error);
/* Prints the line of totals once, if it is expected. */
void json_totals(Text *text, int status, bool is_interrupted);

/* Appends the string with its quotes. */
void json_quote(Text *text, const char *value);
[[nodiscard]] Json json_begin(Text *text);
void json_string(Json *json, const char *name, const char *value);
/* The member with the answer, which is counted in the totals. */
void json_answer(Json *json, const char *name, const char *value);
/* Adds to the totals what has no objects. */
void json_count(const char *value, uint64_t count);
/* {"d0":8,"lo(x)":0}: a value that is not an integer is a string. Without bindings no member is
 * written. */
void json_bindings(Json *json, const char *name, const Bindings *bindings);
/* Member "at" of a witness: an empty object without bindings, as where every input is zero. */
void json_at(Json *json, const Bindings *bindings);
/* Begins an object inside the object; json_close ends it. */
[[nodiscard]] Json json_inside(Json *json, const char *name);
void json_close(Json *json);
void json_integer(Json *json, const char *name, int64_t value);
void json_integers(Json *json, const char *name, uint32_t count, const int64_t *values);
/* Members: module, the number from 1, and module_name; only in a file with several modules. */
void json_module(Json *json, uint32_t number, uint32_t count, const char *name);
/* Members: instruction, direction, output, operand, operand_leaf. */
void json_question(Json *json, const Question *question);
/* Member "maps": an array of map texts. */
void json_maps(Json *json, const MapContext *context, const MapSet *maps, MapStyle style);
/* Members of a verdict about values: the laws, both terms, and both values with the inputs for
 * which they were computed. */
void json_values(Json *json, const ValuesVerdict *verdict);
/* Ends the object and the line. */
void json_end(Json *json);

#endif
