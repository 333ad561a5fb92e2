/* Parses the lines as the commands that use them do: an order by its words, an example as a map. */
#include "core/simplify/rule_lines.h"

#include <string.h>

#include "core/map/text.h"
#include "core/rules/order_line.h"

bool rule_example_parse(MapContext *context, const Rule *rule, const Map **map, Error *error) {
  const Source line = {
      .name = rule->file, .text = rule->example, .length = strlen(rule->example), .first_line = 1};
  return map_parse(context, &line, map, error);
}

bool rule_lines_parse(Arena *arena, const Source *source, const Rule *rule, Error *error) {
  if (rule->order != nullptr && !order_line_parses(rule->order))
    return error_at(error, ERROR_INPUT, source, rule->order_offset, strlen(rule->order),
        "not an order: expected %s", order_line_words);
  if (rule->example == nullptr) return true;
  MapContext *context = map_context_create();
  const Map *map;
  Error of_map = {};
  bool is_map = rule_example_parse(context, rule, &map, &of_map);
  map_context_destroy(context);
  if (is_map) return true;
  size_t column = of_map.column == 0 ? 0 : of_map.column - 1;
  return error_at(error, of_map.kind, source, rule->example_offset + column, of_map.width,
      "the example is no map: %s", arena_text(arena, of_map.message, strlen(of_map.message)));
}

bool rules_lines_parse(Arena *arena, const Source *source, const RuleSet *rules, Error *error) {
  for (uint32_t i = 0; i < rules->count; i++)
    if (!rule_lines_parse(arena, source, &rules->items[i], error)) return false;
  return true;
}
