/* Bytes are text for one of the parsers, by the first byte: a map, rules, HLO. What is accepted must print and read back to the same;
 * what is refused must say where.
 * Printing can add parentheses, up to two a level, so that a text near the limit of nesting prints past it: only that limit is let through. */
#include "core/hlo/print.h"
#include "core/hlo/read.h"
#include "core/rules/rule.h"
#include "fuzz/harness.h"
#include "fuzz/target.h"

#include <string.h>

static void require_error(const Error *error, const char *body) {
  if (error->kind == ERROR_NONE || error->line == 0) harness_fail("placeless", body, "refused without a place: %s", error->message);
}

static void check_map(Harness *harness, const Source *source) {
  const Map *map, *again;
  Error error = {};
  if (!map_parse(harness->context, source, &map, &error)) {
    require_error(&error, source->text);
    return;
  }
  const char *once = harness_map_text(harness, map);
  Source printed = {.name = "printed", .text = once, .length = strlen(once), .first_line = 1};
  if (!map_parse(harness->context, &printed, &again, &error)) {
    if (error.kind != ERROR_LIMIT) harness_fail("map_text", once, "does not read back: %s", error.message);
    harness->refused++;
    return;
  }
  if (strcmp(harness_map_text(harness, again), once) != 0) harness_fail("map_text", once, "reads back to %s", harness_map_text(harness, again));
}

static const char *rules_text(Harness *harness, const RuleSet *rules) {
  Text text = text_create(harness->arena);
  for (uint32_t i = 0; i < rules->count; i++) rule_print(&text, &rules->items[i]);
  return text.bytes;
}

static void check_rules(Harness *harness, const Source *source) {
  RuleSet rules = {}, again = {};
  Error error = {};
  if (!rules_parse(harness->arena, source, &rules, &error)) {
    require_error(&error, source->text);
    return;
  }
  const char *once = rules_text(harness, &rules);
  Source printed = {.name = "printed", .text = once, .length = strlen(once), .first_line = 1};
  if (!rules_parse(harness->arena, &printed, &again, &error)) harness_fail("rule_text", once, "does not read back: %s", error.message);
  if (strcmp(rules_text(harness, &again), once) != 0) harness_fail("rule_text", once, "reads back to %s", rules_text(harness, &again));
}

static void check_hlo(Harness *harness, const Source *source) {
  const Module *module;
  Error error = {};
  if (!hlo_read(harness->arena, source, &module, &error)) {
    require_error(&error, source->text);
    return;
  }
  Text once = text_create(harness->arena), twice = text_create(harness->arena);
  hlo_print(&once, module);
  Source printed = {.name = "printed", .text = once.bytes, .length = once.length, .first_line = 1};
  if (!hlo_read(harness->arena, &printed, &module, &error)) harness_fail("hlo_text", once.bytes, "does not read back: %s", error.message);
  hlo_print(&twice, module);
  if (strcmp(once.bytes, twice.bytes) != 0) harness_fail("hlo_text", once.bytes, "reads back to %s", twice.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  if (size == 0) return 0;
  const char *text = arena_text(harness->arena, (const char *)bytes + 1, size - 1);
  Source source = {.name = "fuzz", .text = text, .length = size - 1, .first_line = 1};
  if (bytes[0] % 3 == 0) check_map(harness, &source);
  if (bytes[0] % 3 == 1) check_rules(harness, &source);
  if (bytes[0] % 3 == 2) check_hlo(harness, &source);
  return 0;
}
