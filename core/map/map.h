/* An indexing map: variables with inclusive bounds, result expressions, constraints. It denotes the
 * set of pairs (d, e(d, s, rt)) over all points of the domain: the points within all bounds at
 * which each constraint's expression lies within its interval. Expressions live in the context's
 * pool, everything else in its arena. A map is immutable once built. */
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

/* The origin of a runtime variable's value: the element index(d, s, rt) of `instruction`, clamped
 * to `clamp`. The clamp contains the values that HLO's clamping can produce and never changes;
 * simplification may tighten the variable's bounds. `index` is a map over the same variables as the
 * map that owns the runtime variable; its results index `instruction`. One that was parsed may have
 * constraints and bounds of its own, which no judge uses: it has its value at each point of its
 * owner. With variables that the map lacks it is left as it is, and nothing is said about its
 * element. */
typedef struct RuntimeSource {
  const void *instruction; /* identity: core/hlo's Instruction, or nullptr if there is none */
  const char *name;        /* the instruction's name, for printing */
  const Map *index;        /* nullptr if unknown */
  Interval clamp;
} RuntimeSource;

typedef enum MapState : uint8_t {
  MAP_PLAIN,
  MAP_KNOWN_EMPTY, /* no points; variables and results may be absent */
  MAP_UNDEFINED,   /* the text UNDEFINED */
} MapState;

struct Map {
  MapState state;
  bool has_own_variables; /* an index map whose text names a variable that its owner lacks */
  uint32_t dim_count, range_count, runtime_count;
  uint32_t result_count, constraint_count;
  Variable *dims, *ranges, *runtimes;
  RuntimeSource *sources; /* [runtime_count], or nullptr if none is known */
  Expr *results;
  Constraint *constraints;
};

/* ---- variables by kind and by number ----
 *
 * The variables of a map are numbered: the dimensions from 0, then the range variables, then the
 * runtime variables. Only this file adds up the three counts. */

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
/* True if the variables of all kinds are one array, as those of map_create are. */
[[nodiscard]] static inline bool map_has_one_array(const Map *map) {
  return map->ranges == map->dims + map->dim_count &&
         map->runtimes == map->ranges + map->range_count;
}
/* The number that the first variable of a kind has or would have. */
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
/* The letters of an unnamed variable, before its index within the kind. */
[[nodiscard]] static inline const char *variable_prefix(VarKind kind) {
  return kind == VAR_DIM ? "d" : kind == VAR_RANGE ? "s" : "rt";
}
[[nodiscard]] bool map_has_names(const Map *map);
/* A name for each variable, no two alike [map_variable_count]: the variable's own, or one from its
 * kind and index. */
[[nodiscard]] const char **map_names(Arena *owner, const Map *map);
[[nodiscard]] const char *map_variable_name(Arena *owner, const Map *map, uint32_t number);
/* The values of all variables, ordered by number: values[map_variable_count]. */
[[nodiscard]] Bindings map_bindings(Arena *owner, const Map *map, const int64_t *values);
/* The point with these values, ordered by number: values[map_variable_count]. KEEP: it points into
 * `values`. */
[[nodiscard]] static inline Point map_point(const Map *map, const int64_t *values) {
  return (Point){.dims = values,
      .ranges = values + map_first_number(map, VAR_RANGE),
      .runtimes = values + map_first_number(map, VAR_RUNTIME)};
}
/* True if both maps have equally many variables of each kind. */
[[nodiscard]] static inline bool map_same_kinds(const Map *a, const Map *b) {
  return a->dim_count == b->dim_count && a->range_count == b->range_count &&
         a->runtime_count == b->runtime_count;
}
/* True if the index map is over the variables of the map that owns it. */
[[nodiscard]] static inline bool map_index_is_over(const Map *index, const Map *owner) {
  return !index->has_own_variables && map_same_kinds(index, owner);
}
/* True if the bounds of any of the variables are the empty interval. */
[[nodiscard]] static inline bool variables_have_empty(uint32_t count, const Variable *variables) {
  for (uint32_t i = 0; i < count; i++)
    if (variables[i].bounds.lo > variables[i].bounds.hi) return true;
  return false;
}
/* The same for all variables of a map. */
[[nodiscard]] static inline bool map_has_empty_bounds(const Map *map) {
  return variables_have_empty(map->dim_count, map->dims) ||
         variables_have_empty(map->range_count, map->ranges) ||
         variables_have_empty(map->runtime_count, map->runtimes);
}

/* One context: a pool of expressions and an arena. Not shared between threads. */
typedef struct MapContext {
  ExprPool *pool;
  Arena *arena;
  uint64_t rewinds; /* so far: a cache of the context's maps is invalid once this has changed */
} MapContext;
typedef struct MapMark {
  ArenaMark arena;
  uint32_t pool;
} MapMark;
[[nodiscard]] MapContext *map_context_create(void);
void map_context_destroy(MapContext *context);
[[nodiscard]] MapMark map_context_mark(const MapContext *context);
void map_context_rewind(MapContext *context, MapMark mark);

/* The map is about to be read, and another one to be made: requests their memory before it is
 * needed. Changes only the time. */
static inline void map_expect(const MapContext *context, const Map *map) {
  static constexpr size_t line = 64, most = 5 * line; /* few maps are larger */
  for (size_t at = line; at < most; at += line) __builtin_prefetch((const char *)map + at);
  arena_fetch(context->arena, most);
}

/* A map with room for the given numbers, all zero: the caller fills it. */
[[nodiscard]] Map *map_create(MapContext *context, uint32_t dims, uint32_t ranges,
    uint32_t runtimes, uint32_t results, uint32_t constraints);
/* The same with any content of variables, results and constraints: the caller writes all of
 * them. */
[[nodiscard]] Map *map_create_unset(MapContext *context, uint32_t dims, uint32_t ranges,
    uint32_t runtimes, uint32_t results, uint32_t constraints);
[[nodiscard]] const Map *map_known_empty(MapContext *context);
[[nodiscard]] const Map *map_undefined(MapContext *context);
/* (d0, .., dn-1) -> (d0, .., dn-1) over the sizes. A size 0 gives the known-empty map. */
[[nodiscard]] const Map *map_identity(MapContext *context, uint32_t rank, const int64_t *sizes);

/* ---- copies ----
 * Copies share expressions, which live in the pool. */

/* A deep copy in the arena, index maps included: later changes to either map, or to the other's
 * arena, do not affect the copy. */
[[nodiscard]] Map *map_copy(Arena *arena, const Map *map);
/* A map over copies of the variables, with room for the given numbers of results and constraints,
 * all zero. Sources are shared with `map`. An index map must have none: its caller clears them. */
[[nodiscard]] Map *map_copy_variables(
    Arena *arena, const Map *map, uint32_t results, uint32_t constraints);
/* Replaces variables in the constraints [count]; `to` may be `from` (expr_substitute). */
[[nodiscard]] bool constraints_substitute(MapContext *context, const Substitution *by,
    uint32_t count, const Constraint *from, Constraint *to, Error *error);
/* Adds a constraint in a new array of the map's own, so that a map that shares the old array does
 * not change. */
void map_add_constraint(Arena *arena, Map *map, Constraint constraint);
/* Copies all variables of a kind to the front of those of `to`, which has at least as many. */
void map_take_variables(Map *to, const Map *from, VarKind kind);

/* Sets of[kind][index] for each variable that occurs in a result or a constraint, but not those in
 * index maps of sources. */
void map_mark_variables(const MapContext *context, const Map *map, const ExprVariables *variables);

/* Checks that the map is well-formed: variables exist; divisors are constants > 0; no evaluation on
 * the bounding box leaves int64 (by interval analysis, else ERROR_OVERFLOW); no expression is a
 * tree of more than expr_max_tree nodes (else ERROR_LIMIT). Every parsed or composed map has passed
 * this check. */
[[nodiscard]] bool map_check(MapContext *context, const Map *map, Error *error);

/* True if each result and each constraint is a variable or a constant. */
[[nodiscard]] bool map_has_leaves_only(const MapContext *context, const Map *map);

/* A cheap check for assertions: each handle is in the pool, each variable that is itself a result
 * or constraint belongs to the map, each nonempty list exists, and a map that is not plain has no
 * lists. map_check looks deeper. */
[[nodiscard]] bool map_is_whole(const MapContext *context, const Map *map);

/* For assertions, as expensive as map_check: true if map_check passes. */
[[nodiscard]] bool map_is_checked(MapContext *context, const Map *map);
/* For assertions: true if each value is within its variable's bounds. values[map_variable_count] */
[[nodiscard]] bool map_has_point(const Map *map, const int64_t *values);

/* Equality of representation: the same bounds of variables, the same handles, constraints in any
 * order, the same sources. Names are ignored. */
[[nodiscard]] bool map_identical(const MapContext *context, const Map *a, const Map *b);

#endif
