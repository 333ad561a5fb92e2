/* Builds one raw map: variables, results, constraints, runtime sources.
 *
 * Keeps: the only folding is that of constants and of + 0, * 0, * 1, floordiv 1 and mod 1, when an
 * expression is created. Arithmetic that would leave int64 sets `overflow`, and build_finish then
 * rejects the map. */
#ifndef CORE_INDEX_OPS_BUILD_H
#define CORE_INDEX_OPS_BUILD_H

#include "core/hlo/graph.h"
#include "core/map/map.h"

typedef struct BuildVariables {
  uint32_t count, capacity;
  Variable *items;
} BuildVariables;

typedef struct BuildExprs {
  uint32_t count, capacity;
  Expr *items;
} BuildExprs;

typedef struct BuildConstraints {
  uint32_t count, capacity;
  Constraint *items;
} BuildConstraints;

/* A runtime source; its index map is built when all variables are known. */
typedef struct BuildSource {
  const void *instruction;
  const char *name;
  Interval clamp;
  bool has_index;
  BuildExprs index;
} BuildSource;

typedef struct BuildSources {
  uint32_t count, capacity;
  BuildSource *items;
} BuildSources;

typedef struct Build {
  MapContext *context;
  BuildVariables dims, ranges, runtimes;
  BuildSources sources; /* one for each runtime variable */
  BuildExprs results;
  BuildConstraints constraints;
  bool overflow;
} Build;

[[nodiscard]] Build build_start(MapContext *context);
/* Dimensions d0.. over the sizes of an array. */
[[nodiscard]] Build build_over(MapContext *context, const Shape *shape);

[[nodiscard]] Expr build_dim(const Build *build, uint32_t index);
Expr build_add_dim(Build *build, Interval bounds);
[[nodiscard]] Expr build_range(Build *build, int64_t lo, int64_t hi);
/* A range variable in [0, size - 1]; for size 1 the constant 0. */
[[nodiscard]] Expr build_span(Build *build, int64_t size);
/* The interval of the values of an integral type that int64 represents; false for any other
 * type. */
[[nodiscard]] bool type_interval(ElementType type, Interval *range);
/* A runtime variable: the value of element `index` [index_count] of an instruction, clamped. Its
 * bounds are the clamp intersected with the values of the element type. */
[[nodiscard]] Expr build_runtime(Build *build, Interval clamp, const Instruction *source,
    uint32_t index_count, const Expr *index);
void build_result(Build *build, Expr result);
void build_require(Build *build, Expr expr, int64_t lo, int64_t hi);

/* Expressions. Divisors are > 0 (asserted). */
[[nodiscard]] Expr build_const(const Build *build, int64_t value);
[[nodiscard]] Expr build_plus(Build *build, Expr left, Expr right);
[[nodiscard]] Expr build_plus_const(Build *build, Expr left, int64_t right);
[[nodiscard]] Expr build_minus(Build *build, Expr left, Expr right);
[[nodiscard]] Expr build_times(Build *build, Expr left, int64_t right);
[[nodiscard]] Expr build_floordiv(Build *build, Expr left, int64_t divisor);
[[nodiscard]] Expr build_mod(Build *build, Expr left, int64_t divisor);

/* Checked arithmetic on numbers; returns 0 and sets `overflow` if the value would leave int64. */
[[nodiscard]] int64_t build_sum(Build *build, int64_t a, int64_t b);
[[nodiscard]] int64_t build_difference(Build *build, int64_t a, int64_t b);
[[nodiscard]] int64_t build_product(Build *build, int64_t a, int64_t b);

/* Builds the map; nullptr if a variable has no values, so that the domain is empty. False on
 * overflow. */
[[nodiscard]] bool build_finish(Build *build, const Map **map, Error *error);

#endif
