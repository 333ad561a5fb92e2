/* Decodes bytes to maps on which the engine's rules match or nearly match. The maps contain left
 * sides of rules whose letters are variables, sums, or left sides of further rules. Bounds are at
 * the edges of guards: one below, at, and one above each constant and product of two constants.
 * Total: every map passes map_check, and a subexpression that could leave int64 is replaced by its
 * left operand. */
#ifndef GENERATE_FROM_RULES_H
#define GENERATE_FROM_RULES_H

#include "core/map/map.h"
#include "core/rules/rule.h"

[[nodiscard]] const Map *fuzz_map_from_rules(
    MapContext *context, const RuleSet *rules, const uint8_t *bytes, size_t size);

#endif
