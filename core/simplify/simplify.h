/* Rewriting maps by rules to a fixed point. Rules are data (core/rules); the only code that
 * rewrites is the normal form of linear sums and the bookkeeping of variables.
 * Keeps: the same map, point by point, over the same variables and the same domain; a known-empty
 * map stays known empty. Simplifying twice changes nothing; the result does not depend on the order
 * in which operands and constraints were given, only on how variables are numbered. The result is
 * no larger than the given map: core/simplify/normal/size.h says what counts. Sources of runtime
 * variables stay; their index maps are simplified within the map's bounds. */
#ifndef CORE_SIMPLIFY_SIMPLIFY_H
#define CORE_SIMPLIFY_SIMPLIFY_H

#include "core/map/map.h"
#include "core/rules/rule.h"

/* Compiled rules and scratch space. One simplifier serves one context. */
typedef struct Simplifier Simplifier;

/* rules == nullptr: the engine's own. `rules` must outlive the simplifier. GIVE: destroy it before
 * the context. */
[[nodiscard]] Simplifier *simplifier_create(
    MapContext *context, const RuleSet *rules, Error *error);
void simplifier_destroy(Simplifier *simplifier);
/* The number of hits in the memo of simplified maps; `asked` receives the number of lookups. Maps
 * on which no rule can fire are not counted. */
[[nodiscard]] uint64_t simplifier_remembered(const Simplifier *simplifier, uint64_t *asked);
/* The context that owns the simplifier's maps. */
[[nodiscard]] MapContext *simplifier_context(const Simplifier *simplifier);

/* One rewrite that happened. */
typedef struct TraceStep {
  const Rule *rule; /* nullptr for bookkeeping and normal form; then `what` says which */
  const char *what;
  int32_t result;                                 /* position of the result expression, or -1 */
  int32_t constraint;                             /* position of the constraint, or -1 */
  Expr before, after;                             /* the subexpression at which it fired */
  Constraint constraint_before, constraint_after; /* of a constraint rule */
  const char *bindings;                           /* "c = 8, x = d0" */
  const char *facts;                              /* "0 <= d1 <= 7 (bounds of d1)" */
  const char
      *bounds; /* "lo(x) = 0, hi(x) = 8", of each letter whose bounds the rule's text names */
  const Map *map_before, *map_after; /* the whole map around the step */
} TraceStep;
typedef struct Trace {
  Arena *arena;      /* where the steps live */
  bool keeps_unseen; /* steps by a rule that leave the map as it is, but may be repeated later */
  uint32_t count, capacity;
  TraceStep *items;
} Trace;

typedef struct SimplifyOptions {
  bool keep_points; /* do not replace a dimension that has a single value by that value */
} SimplifyOptions;

/* `trace` may be null. False on ERROR_OVERFLOW or ERROR_LIMIT alone: then `map` is unchanged, and
 * the error says where. */
[[nodiscard]] bool simplify_map(Simplifier *simplifier, const Map *map,
    const SimplifyOptions *options, const Map **simplified, Trace *trace, Error *error);

/* Whether, with keep_points, each map without constraints whose results are variables stays as it
 * is: decided once, from the rules. */
[[nodiscard]] bool simplifier_keeps_variables(const Simplifier *simplifier);

/* The map with its operands in our order, and nothing else changed: sums, products, minima and
 * maxima flat and sorted, constants last and constant factors joined. What simplify_map gives is no
 * larger (core/simplify/normal/size.h). */
[[nodiscard]] const Map *map_in_order(MapContext *context, const Map *map);

/* Removes range and runtime variables that no result and no constraint uses, renumbering the rest:
 * keeps the relation, not the map. A range variable with empty bounds makes the map known empty.
 * Runtime sources follow their variables. */
[[nodiscard]] const Map *map_drop_unused(MapContext *context, const Map *map);

#endif
