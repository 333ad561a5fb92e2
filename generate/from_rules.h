/* Bytes to maps on which the engine's rules match or just do not: left sides of rules, their
 * letters filled with variables, with sums and with the left sides of further rules, and bounds
 * that lie at the edges of what guards ask (one below, at, one above each constant and product of
 * two). Total, and every map passes map_check: what could leave int64 becomes its left operand. */
#ifndef FUZZ_FROM_RULES_H
#define FUZZ_FROM_RULES_H

#include "core/map/map.h"
#include "core/rules/rule.h"

[[nodiscard]] const Map *fuzz_map_from_rules(
    MapContext *context, const RuleSet *rules, const uint8_t *bytes, size_t size);

#endif
