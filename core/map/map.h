/* An indexing map: variables with inclusive bounds, result expressions, constraints. It denotes the
 * set of pairs (d, e(d, s, rt)) over all points of the domain: points within all bounds at which
 * each constraint's expression lies within its interval. Expressions live in the context's pool,
 * everything else in its arena. Maps are immutable once built. */
#ifndef CORE_MAP_MAP_H
#define CORE_MAP_MAP_H

#include "core/base/bindings.h"
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

/* ---- variables by kind and by number ----
 * The variables of a map are numbered: the dimensions from 0, then the range variables, then the
 * runtime variables. No other part of the project adds up the three counts. */

typedef struct VariableId {
  VarKind kind;
  uint32_t index; /* within its kind */
} VariableId;

[[nodiscard]] static inline uint32_t map_kind_count(const Map *map, VarKind kind) {
  switch (kind) {
    case VAR_DIM: return map->dim_count;
    case VAR_RANGE: return map->range_count;
    case VAR_RUNTIME: return map->runtime_count;
  }
  return 0;
}
/* [map_kind_count] */
[[nodiscard]] static inline Variable *map_variables(const Map *map, VarKind kind) {
  switch (kind) {
    case VAR_DIM: return map->dims;
    case VAR_RANGE: return map->ranges;
    case VAR_RUNTIME: return map->runtimes;
  }
  return nullptr;
}
/* The number of the first variable of a kind, whether or not there is one. */
[[nodiscard]] static inline uint32_t map_first_number(const Map *map, VarKind kind) {
  return kind == VAR_DIM     ? 0
         : kind == VAR_RANGE ? map->dim_count
                             : map->dim_count + map->range_count;
}
[[nodiscard]] static inline uint32_t map_variable_count(const Map *map) {
  return map_first_number(map, VAR_RUNTIME) + map->runtime_count;
}
/* number < map_variable_count */
[[nodiscard]] static inline VariableId map_variable_id(const Map *map, uint32_t number) {
  VarKind kind = number < map->dim_count                       ? VAR_DIM
                 : number < map_first_number(map, VAR_RUNTIME) ? VAR_RANGE
                                                               : VAR_RUNTIME;
  return (VariableId){kind, number - map_first_number(map, kind)};
}
/* number < map_variable_count */
[[nodiscard]] static inline Variable *map_variable(const Map *map, uint32_t number) {
  VariableId id = map_variable_id(map, number);
  return &map_variables(map, id.kind)[id.index];
}
/* What a variable without a name is called, before its index within the kind. */
[[nodiscard]] static inline const char *variable_prefix(VarKind kind) {
  return kind == VAR_DIM ? "d" : kind == VAR_RANGE ? "s" : "rt";
}
/* Its own name, or that of its kind and index. */
[[nodiscard]] static inline const char *map_variable_name(
    Arena *owner, const Map *map, uint32_t number) {
  VariableId id = map_variable_id(map, number);
  const char *name = map_variable(map, number)->name;
  return name != nullptr ? name : arena_printf(owner, "%s%u", variable_prefix(id.kind), id.index);
}
/* All variables, in the order of the numbers: values[map_variable_count]. */
[[nodiscard]] static inline Bindings map_bindings(
    Arena *owner, const Map *map, const int64_t *values) {
  Bindings bindings = {};
  for (uint32_t i = 0; i < map_variable_count(map); i++)
    bindings_integer(owner, &bindings, map_variable_name(owner, map, i), values[i]);
  return bindings;
}
/* The point whose values stand in the order of the numbers: values[map_variable_count]. KEEP: it
 * points into them. */
[[nodiscard]] static inline Point map_point(const Map *map, const int64_t *values) {
  return (Point){.dims = values,
      .ranges = values + map_first_number(map, VAR_RANGE),
      .runtimes = values + map_first_number(map, VAR_RUNTIME)};
}
/* As many variables of each kind. */
[[nodiscard]] static inline bool map_same_kinds(const Map *a, const Map *b) {
  return a->dim_count == b->dim_count && a->range_count == b->range_count &&
         a->runtime_count == b->runtime_count;
}
/* Whether the bounds of any variable are the empty interval. */
[[nodiscard]] static inline bool map_has_empty_bounds(const Map *map) {
  for (uint32_t i = 0; i < map_variable_count(map); i++)
    if (map_variable(map, i)->bounds.lo > map_variable(map, i)->bounds.hi) return true;
  return false;
}

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

/* A map with capacity for the given numbers, all zero: the caller fills it. */
[[nodiscard]] Map *map_create(MapContext *context, uint32_t dims, uint32_t ranges,
    uint32_t runtimes, uint32_t results, uint32_t constraints);
[[nodiscard]] const Map *map_known_empty(MapContext *context);
[[nodiscard]] const Map *map_undefined(MapContext *context);
/* (d0, .., dn-1) -> (d0, .., dn-1) over the sizes. A size 0 gives the known-empty map. */
[[nodiscard]] const Map *map_identity(MapContext *context, uint32_t rank, const int64_t *sizes);

/* ---- copies ----
 * Expressions are shared: they live in the pool. */

/* A map of its own in the arena, its index maps too: nothing that is done to it, or to the arena of
 * the other, reaches the other. */
[[nodiscard]] Map *map_copy(Arena *arena, const Map *map);
/* A map over the same variables, with capacity for so many results and constraints, all zero;
 * sources are shared with the other map. An index map must have none: its caller clears them. */
[[nodiscard]] Map *map_copy_variables(
    Arena *arena, const Map *map, uint32_t results, uint32_t constraints);
/* One constraint more, in an array of the map's own: that of a map it is a copy of stays as it
 * was. */
void map_add_constraint(Arena *arena, Map *map, Constraint constraint);
/* Copies all variables of a kind to the front of those of `to`, which has at least as many. */
void map_take_variables(Map *to, const Map *from, VarKind kind);

/* Sets of[kind][index] for each variable that stands in a result or a constraint; index maps of
 * sources aside. */
void map_mark_variables(const MapContext *context, const Map *map, const ExprVariables *variables);

/* Well-formed: variables exist, divisors are constants > 0, and no evaluation on the bounding box
 * leaves int64 (by interval
 * analysis; rejects with ERROR_OVERFLOW); no expression is a tree of more than expr_max_tree nodes
 * (ERROR_LIMIT). Every map that is parsed or composed has passed. */
[[nodiscard]] bool map_check(MapContext *context, const Map *map, Error *error);

/* For assertions, and cheap: each handle is one of the pool, each variable that stands alone as a
 * result or constraint is the map's, each list that is not empty is there, and a map that is not
 * plain has none. map_check looks deeper. */
[[nodiscard]] bool map_is_whole(const MapContext *context, const Map *map);

/* For assertions, and as dear as map_check: whether it passes. */
[[nodiscard]] bool map_is_checked(MapContext *context, const Map *map);
/* For assertions: each value is within its variable's bounds. values[map_variable_count] */
[[nodiscard]] bool map_has_point(const Map *map, const int64_t *values);

/* Equality of representation: same variables' bounds, same handles, constraints in any order, same
 * sources. Names aside. */
[[nodiscard]] bool map_identical(const MapContext *context, const Map *a, const Map *b);

#endif
