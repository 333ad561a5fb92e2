/* An indexing map: variables with inclusive bounds, result expressions, constraints. It denotes the
 * set of pairs (d, e(d, s, rt)) over all points of the domain: points within all bounds at which
 * each constraint's expression lies within its interval. Expressions live in the context's pool,
 * everything else in its arena. Maps are immutable once built. */
#ifndef CORE_MAP_MAP_H
#define CORE_MAP_MAP_H

#include "core/expr/expr.h"

/* Inclusive. lo > hi is the empty interval. */
typedef struct Interval {
  int64_t lo, hi;
} Interval;

typedef struct Variable {
  Interval bounds;
  const char *name; /* as stated, e.g. th_x; nullptr prints d0, s0, rt0 */
} Variable;

typedef struct Constraint {
  Expr expr;
  Interval in;
} Constraint;

typedef struct Map Map;

/* Where a runtime variable's value comes from: the element index(d, s, rt) of the value of
 * `instruction`, clamped to `clamp` (the feasible values by HLO's clamping; the variable's bounds
 * may be tighter after simplification, the clamp never changes). `index` is a map over the same
 * variables as the map that owns the runtime variable; its results index `instruction`. */
typedef struct RuntimeSource {
  const void *instruction; /* identity: core/hlo's Instruction where there is one, else nullptr */
  const char *name;        /* prints: the instruction's name */
  const Map *index;        /* nullptr when unknown */
  Interval clamp;
} RuntimeSource;

typedef enum MapState : uint8_t {
  MAP_PLAIN,
  MAP_KNOWN_EMPTY, /* no points; variables and results may be absent */
  MAP_UNDEFINED,   /* the text UNDEFINED */
} MapState;

struct Map {
  MapState state;
  uint32_t dim_count, range_count, runtime_count;
  uint32_t result_count, constraint_count;
  Variable *dims, *ranges, *runtimes;
  RuntimeSource *sources; /* [runtime_count], or nullptr when none is known */
  Expr *results;
  Constraint *constraints;
};

/* One context: a pool of expressions and an arena. Not shared between threads. */
typedef struct MapContext {
  ExprPool *pool;
  Arena *arena;
  uint64_t
      rewinds; /* so far: whoever remembers maps of the context forgets them when this has moved */
} MapContext;
typedef struct MapMark {
  ArenaMark arena;
  uint32_t pool;
} MapMark;
[[nodiscard]] MapContext *map_context_create(void);
void map_context_destroy(MapContext *context);
[[nodiscard]] MapMark map_context_mark(const MapContext *context);
void map_context_rewind(MapContext *context, MapMark mark);

/* A map with room for the given numbers, all zero: the caller fills it. */
[[nodiscard]] Map *map_create(MapContext *context, uint32_t dims, uint32_t ranges,
    uint32_t runtimes, uint32_t results, uint32_t constraints);
[[nodiscard]] const Map *map_known_empty(MapContext *context);
[[nodiscard]] const Map *map_undefined(MapContext *context);
/* (d0, .., dn-1) -> (d0, .., dn-1) over the sizes. A size 0 gives the known-empty map. */
[[nodiscard]] const Map *map_identity(MapContext *context, uint32_t rank, const int64_t *sizes);

/* Well-formed: variables exist, divisors are constants > 0, and no evaluation on the bounding box
 * leaves int64 (by interval
 * analysis; refuses with ERROR_OVERFLOW); no expression is a tree of more than expr_max_tree nodes
 * (ERROR_LIMIT). Every map that is parsed or composed has passed. */
[[nodiscard]] bool map_check(MapContext *context, const Map *map, Error *error);

/* Equality of representation: same variables' bounds, same handles, constraints in any order, same
 * sources. Names aside. */
[[nodiscard]] bool map_identical(const MapContext *context, const Map *a, const Map *b);

#endif
