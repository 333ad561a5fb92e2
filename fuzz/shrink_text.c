/* Findings of texts: what one of the parsers accepts must print and read back to the same, what it refuses must have a place. The word says which parser:
 * map_text, rule_text, hlo_text, or any of them with `placeless`. */
#include <string.h>

#include "core/hlo/print.h"
#include "core/hlo/read.h"
#include "core/map/text.h"
#include "fuzz/shrink_form.h"

typedef struct Reading {
  Hunt *hunt;
  const char *once;     /* as it prints; nullptr when it does not read */
  Error error;
} Reading;

static void print_map(Reading *reading, const Source *source) {
  const Map *map;
  Text text = text_create(reading->hunt->scratch);
  if (!map_parse(reading->hunt->judge->context, source, &map, &reading->error)) return;
  map_print(&text, reading->hunt->judge->context, map, MAP_STYLE_LINE);
  reading->once = text.bytes;
}

static void print_rules(Reading *reading, const Source *source) {
  RuleSet rules = {};
  Text text = text_create(reading->hunt->scratch);
  if (!rules_parse(reading->hunt->scratch, source, &rules, &reading->error)) return;
  for (uint32_t i = 0; i < rules.count; i++) rule_print(&text, &rules.items[i]);
  reading->once = text.bytes;
}

static void print_module(Reading *reading, const Source *source) {
  const Module *module;
  Text text = text_create(reading->hunt->scratch);
  if (!hlo_read(reading->hunt->scratch, source, &module, &reading->error)) return;
  hlo_print(&text, module);
  reading->once = text.bytes;
}

static const struct {
  const char *word;
  void (*print)(Reading *reading, const Source *source);
} parsers[] = {{"map_text", print_map}, {"rule_text", print_rules}, {"hlo_text", print_module}};

/* Two levels of parentheses more than were read may be past the limit of nesting: that alone is let through, as fuzz/text_target.c says. */
static bool reads_back(Hunt *hunt, size_t parser, const Reading *first, const char **why) {
  Source printed = {.name = "printed", .text = first->once, .length = strlen(first->once), .first_line = 1};
  Reading second = {.hunt = hunt};
  parsers[parser].print(&second, &printed);
  *why = second.once == nullptr ? arena_printf(hunt->scratch, "%s does not read back: %s", first->once, second.error.message)
                                : arena_printf(hunt->scratch, "%s reads back to %s", first->once, second.once);
  return second.once == nullptr ? second.error.kind == ERROR_LIMIT : strcmp(first->once, second.once) == 0;
}

static const char *see(Hunt *hunt, const char *wanted, const char *text, size_t length, const char **why, const char **once) {
  Source source = {.name = "reduced", .text = text, .length = length, .first_line = 1};
  for (size_t i = 0; i < sizeof parsers / sizeof *parsers; i++) {
    Reading reading = {.hunt = hunt};
    if (!hunt_wants(wanted, parsers[i].word) && strcmp(wanted, "placeless") != 0) continue;
    parsers[i].print(&reading, &source);
    *once = reading.once;
    *why = reading.error.message;
    bool is_placeless = reading.once == nullptr && (reading.error.kind == ERROR_NONE || reading.error.line == 0);
    if (is_placeless && hunt_wants(wanted, "placeless")) return "placeless";
    if (reading.once != nullptr && hunt_wants(wanted, parsers[i].word) && !reads_back(hunt, i, &reading, why)) return parsers[i].word;
  }
  return nullptr;
}

void look_text(void *state, const char *wanted, const char *text, size_t length, Sight *sight) {
  Hunt *hunt = state;
  ArenaMark mark = arena_mark(hunt->scratch);
  MapMark maps = map_context_mark(hunt->judge->context);
  const char *why = "", *once;
  const char *word = strcmp(wanted, sight_reads) == 0 ? nullptr : see(hunt, wanted, text, length, &why, &once);
  if (word != nullptr) sight_set(sight, word);
  map_context_rewind(hunt->judge->context, maps);
  arena_rewind(hunt->scratch, mark);
}

static bool fits_in_a_case(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (text[i] == 0 || text[i] == '\r' || (text[i] == '\n' && i + 1 < length && text[i + 1] != ' ')) return false;
  return length > 0 && text[0] != ' ' && text[length - 1] != '\n';
}

/* Of what has no verb (bytes that no case can hold, rules as text) there is no body: the bytes themselves are the finding. */
void describe_text(Hunt *hunt) {
  Shrink *shrink = hunt->shrink;
  shrink->size = (uint32_t)shrink->length;
  shrink->name = "text_crash";
  if (sight_is_crash(&shrink->sight)) return;
  const char *why = "", *once;
  const char *word = see(hunt, shrink->sight.text, shrink->smallest, shrink->length, &why, &once);
  if (word == nullptr) return;
  shrink->name = word;
  shrink->witness = arena_text(shrink->arena, why, strlen(why));
  bool is_plain = memchr(shrink->smallest, 0, shrink->length) == nullptr;
  if (strcmp(word, "map_text") == 0 && fits_in_a_case(shrink->smallest, shrink->length))
    shrink->body = arena_printf(shrink->arena, "parse %s\n= %s\n", shrink->smallest, once);
  if (strcmp(word, "hlo_text") == 0 && is_plain && strstr(shrink->smallest, "\nend") == nullptr)
    shrink->body = arena_printf(shrink->arena, "read hlo\n%s\nend\nexact\n", shrink->smallest);
}
