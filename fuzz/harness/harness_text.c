/* Checks the parsers of maps, rules, HLO and files of cases; cases are parsed but not printed. What
 * reads back must be the same by handles, terms or fields, because different things may print
 * alike. */
#include "fuzz/harness/harness_text.h"

#include <string.h>

#include "core/hlo/compare.h"
#include "core/hlo/print/print.h"
#include "core/hlo/read/read.h"
#include "judge/cases/case.h"
#include "judge/maps/same_rule.h"

static void require_location(const Error *error, const Source *source) {
  if (error->kind == ERROR_NONE || error->line == 0)
    harness_fail(FOUND_PLACELESS, source->text, "rejected without a place: %s", error->message);
}

static Source harness_text_printed(const char *text) {
  return (Source){.name = "printed", .text = text, .length = strlen(text), .first_line = 1};
}

static void require_equal(FindingKind kind, const char *once, const char *twice) {
  if (strcmp(once, twice) != 0) harness_fail(kind, once, "reads back to %s", twice);
}

/* Printing sorts constraints, so only their text can be compared. */
static void require_same_results(const Map *map, const Map *again, const char *text) {
  if (map->result_count != again->result_count)
    harness_fail(FOUND_MAP_TEXT, text, "reads back with %u results", again->result_count);
  for (uint32_t i = 0; i < map->result_count; i++)
    if (map->results[i].at != again->results[i].at)
      harness_fail(FOUND_MAP_TEXT, text, "result %u reads back as another expression", i);
}

/* Variables may have any number, because there is no map to declare them. */
static void read_expression(Harness *harness, const Source *source) {
  Expr expr, again;
  Error error = {};
  if (!expr_parse(harness->context, source, &expr, &error)) {
    require_location(&error, source);
    return;
  }
  Text text = text_create(harness->arena);
  expr_print(&text, harness->context, nullptr, expr, MAP_STYLE_LINE);
  Source back = harness_text_printed(text.bytes);
  if (!expr_parse(harness->context, &back, &again, &error))
    harness_fail(FOUND_MAP_TEXT, text.bytes, "does not read back: %s", error.message);
  if (expr.at != again.at)
    harness_fail(FOUND_MAP_TEXT, text.bytes, "reads back as another expression");
}

void harness_read_map(Harness *harness, const Source *source) {
  const Map *map, *again;
  Error error = {};
  if (!map_parse(harness->context, source, &map, &error)) {
    require_location(&error, source);
    read_expression(harness, source);
    return;
  }
  const char *once = harness_map_text(harness, map);
  Source back = harness_text_printed(once);
  if (!map_parse(harness->context, &back, &again, &error))
    harness_fail(FOUND_MAP_TEXT, once, "does not read back: %s", error.message);
  require_equal(FOUND_MAP_TEXT, once, harness_map_text(harness, again));
  require_same_results(map, again, once);
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
    require_location(&error, source);
    return;
  }
  const char *once = rules_text(harness, &rules);
  Source back = harness_text_printed(once);
  if (!rules_parse(harness->arena, &back, &again, &error))
    harness_fail(FOUND_RULE_TEXT, once, "does not read back: %s", error.message);
  require_equal(FOUND_RULE_TEXT, once, rules_text(harness, &again));
  for (uint32_t i = 0; i < rules.count; i++)
    if (!rule_is_same(&rules.items[i], &again.items[i]))
      harness_fail(FOUND_RULE_TEXT, once, "%s reads back as another rule", rules.items[i].name);
}

static void read_module(Harness *harness, const Source *source) {
  const Module *module, *again;
  Error error = {};
  if (!hlo_read(harness->arena, source, &module, &error)) {
    require_location(&error, source);
    return;
  }
  Text once = text_create(harness->arena);
  hlo_print(&once, module);
  Source back = harness_text_printed(once.bytes);
  if (!hlo_read(harness->arena, &back, &again, &error))
    harness_fail(FOUND_HLO_TEXT, once.bytes, "does not read back: %s", error.message);
  if (!hlo_same_graph(module, again, &error))
    harness_fail(FOUND_HLO_TEXT, once.bytes, "reads back as another module: %s", error.message);
}

void harness_read_hlo(Harness *harness, const Source *source) {
  uint32_t count;
  Source *parts;
  Error error = {};
  if (!hlo_split(harness->arena, source, &count, &parts, &error)) {
    require_location(&error, source);
    return;
  }
  for (uint32_t i = 0; i < count; i++) read_module(harness, &parts[i]);
}

void harness_read_cases(Harness *harness, const Source *source) {
  CaseFile cases;
  Error error = {};
  if (!cases_parse(harness->arena, source, &cases, &error)) require_location(&error, source);
}
