/* The texts that are read: maps, rules, HLO, and files of cases, which are read and not printed.
 * Printing a map can add parentheses, up to two a level, so that a text near the limit of nesting prints past it: only that limit is let through,
 * and counted. */
#include "fuzz/harness_text.h"

#include <string.h>

#include "core/hlo/print.h"
#include "core/hlo/read.h"
#include "judge/case.h"

static void require_place(const Error *error, const Source *source) {
  if (error->kind == ERROR_NONE || error->line == 0) harness_fail("placeless", source->text, "refused without a place: %s", error->message);
}

static Source printed(const char *text) { return (Source){.name = "printed", .text = text, .length = strlen(text), .first_line = 1}; }

static void require_equal(const char *kind, const char *once, const char *twice) {
  if (strcmp(once, twice) != 0) harness_fail(kind, once, "reads back to %s", twice);
}

void harness_read_map(Harness *harness, const Source *source) {
  const Map *map, *again;
  Error error = {};
  if (!map_parse(harness->context, source, &map, &error)) {
    require_place(&error, source);
    return;
  }
  const char *once = harness_map_text(harness, map);
  Source back = printed(once);
  if (map_parse(harness->context, &back, &again, &error)) {
    require_equal("map_text", once, harness_map_text(harness, again));
    return;
  }
  if (error.kind != ERROR_LIMIT) harness_fail("map_text", once, "does not read back: %s", error.message);
  harness->refused++;
}

static const char *rules_text(Harness *harness, const RuleSet *rules) {
  Text text = text_create(harness->arena);
  for (uint32_t i = 0; i < rules->count; i++) rule_print(&text, &rules->items[i]);
  return text.bytes;
}

void harness_read_rules(Harness *harness, const Source *source) {
  RuleSet rules = {}, again = {};
  Error error = {};
  if (!rules_parse(harness->arena, source, &rules, &error)) {
    require_place(&error, source);
    return;
  }
  const char *once = rules_text(harness, &rules);
  Source back = printed(once);
  if (!rules_parse(harness->arena, &back, &again, &error)) harness_fail("rule_text", once, "does not read back: %s", error.message);
  require_equal("rule_text", once, rules_text(harness, &again));
}

void harness_read_hlo(Harness *harness, const Source *source) {
  const Module *module;
  Error error = {};
  if (!hlo_read(harness->arena, source, &module, &error)) {
    require_place(&error, source);
    return;
  }
  Text once = text_create(harness->arena), twice = text_create(harness->arena);
  hlo_print(&once, module);
  Source back = printed(once.bytes);
  if (!hlo_read(harness->arena, &back, &module, &error)) harness_fail("hlo_text", once.bytes, "does not read back: %s", error.message);
  hlo_print(&twice, module);
  require_equal("hlo_text", once.bytes, twice.bytes);
}

void harness_read_cases(Harness *harness, const Source *source) {
  CaseFile cases;
  Error error = {};
  if (!cases_parse(harness->arena, source, &cases, &error)) require_place(&error, source);
}
