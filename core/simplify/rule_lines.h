/* The lines ` order: ...` and ` example: ...` of a rule, which the parser of rules keeps as text.
 */
#ifndef CORE_SIMPLIFY_RULE_LINES_H
#define CORE_SIMPLIFY_RULE_LINES_H

#include "core/map/map.h"
#include "core/rules/rule.h"

/* Rejects an order that names no part, and an example that is no map, each with its position in
 * `source`, the text of the rule. */
[[nodiscard]] bool rule_lines_parse(
    Arena *arena, const Source *source, const Rule *rule, Error *error);
/* The same for each rule of one text. */
[[nodiscard]] bool rules_lines_parse(
    Arena *arena, const Source *source, const RuleSet *rules, Error *error);
/* The map of a rule that has an example. */
[[nodiscard]] bool rule_example_parse(
    MapContext *context, const Rule *rule, const Map **map, Error *error);

#endif
