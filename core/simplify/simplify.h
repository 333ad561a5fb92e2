/* Rewrites maps by rules to a fixed point. Rules are data (core/rules); apart from them, only the
 * normal form of linear sums and the bookkeeping of variables rewrite.
 *
 * Keeps: the same map, point by point, over the same variables and the same domain; a known-empty
 * map remains known empty. Simplifying twice changes nothing. The result does not depend on the
 * order of operands and constraints, only on how variables are numbered, and is no larger than the
 * given map (core/simplify/normal/size.h). A minimum or maximum of more than 128 different
 * arguments is an exception: it keeps its nesting, which its order may change. So does a sum near
 * the ends of int64 of more than 64 summands (core/simplify/normal/stated.c). Sources of runtime
 * variables remain; their index maps are simplified within the map's bounds. */
#ifndef CORE_SIMPLIFY_SIMPLIFY_H
#define CORE_SIMPLIFY_SIMPLIFY_H

#include "core/map/map.h"
#include "core/rules/rule.h"

/* Compiled rules and scratch memory. One simplifier serves one context. */
typedef struct Simplifier Simplifier;

/* rules == nullptr: the engine's own. `rules` must outlive the simplifier. GIVE: the caller
 * destroys it before the context. */
[[nodiscard]] Simplifier *simplifier_create(
    MapContext *context, const RuleSet *rules, Error *error);
void simplifier_destroy(Simplifier *simplifier);
/* The number of hits in the cache of simplified maps; `queries` receives the number of lookups.
 * Maps on which no rule can fire are not counted. */
[[nodiscard]] uint64_t simplifier_remembered(const Simplifier *simplifier, uint64_t *queries);
/* The context that owns the simplifier's maps. */
[[nodiscard]] MapContext *simplifier_context(const Simplifier *simplifier);

/* One applied rewrite. */
typedef struct TraceStep {
  const Rule *rule; /* nullptr for bookkeeping and normal form, which `what` then names */
  const char *what;
  int32_t result;                                 /* position of the result expression, or -1 */
  int32_t constraint;                             /* position of the constraint, or -1 */
  Expr before, after;                             /* the rewritten subexpression */
  Constraint constraint_before, constraint_after; /* of a constraint rule */
  const char *bindings;                           /* "c = 8, x = d0"; long letters are cut */
  const char *instance;                           /* the same in full, if unseen steps are kept */
  const char *facts;                              /* "0 <= d1 <= 7 (bounds of d1)" */
  const char
      *bounds; /* "lo(x) = 0, hi(x) = 8": of each letter whose bounds the rule's text names */
  const Map *map_before, *map_after; /* the whole map before and after the step */
} TraceStep;
typedef struct Trace {
  Arena *arena;      /* allocates the steps */
  bool keeps_unseen; /* also steps of a rule that do not change the map but may be repeated later */
  uint32_t count, capacity;
  TraceStep *items;
} Trace;

typedef struct SimplifyOptions {
  bool keep_points; /* do not replace a dimension of a single value by that value */
} SimplifyOptions;

/* `trace` may be null. False only on ERROR_OVERFLOW or ERROR_LIMIT: then `map` is unchanged, and
 * the error has the position. */
[[nodiscard]] bool simplify_map(Simplifier *simplifier, const Map *map,
    const SimplifyOptions *options, const Map **simplified, Trace *trace, Error *error);

/* True if, with keep_points, every map without constraints whose results are variables is
 * unchanged. Determined once, from the rules. */
[[nodiscard]] bool simplifier_keeps_variables(const Simplifier *simplifier);

/* The map with only its operands reordered: sums, products, minima and maxima flattened and sorted,
 * constants last and constant factors joined. simplify_map returns no larger map
 * (core/simplify/normal/size.h). */
[[nodiscard]] const Map *map_in_order(MapContext *context, const Map *map);

/* Removes range and runtime variables that no result and no constraint uses, and renumbers the
 * rest: keeps the relation, not the map. A range variable with empty bounds makes the map known
 * empty. Runtime sources follow their variables. */
[[nodiscard]] const Map *map_drop_unused(MapContext *context, const Map *map);

#endif
