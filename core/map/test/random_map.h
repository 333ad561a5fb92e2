/* Random maps for tests: every operator, negative bounds, named variables, constraints. */
#ifndef CORE_MAP_TEST_RANDOM_MAP_H
#define CORE_MAP_TEST_RANDOM_MAP_H

#include "core/map/map.h"

typedef struct RandomMaps {
  uint64_t state;         /* any seed */
  uint32_t max_variables; /* in all, at least 1 */
  uint32_t max_depth;
  uint32_t max_results;
  uint32_t max_constraints;
  int64_t max_coefficient; /* magnitude of constants; a quarter are edges (core/base/edges.h) */
  int64_t max_bound;       /* magnitude of variable bounds */
} RandomMaps;

[[nodiscard]] uint64_t random_next(RandomMaps *random);
[[nodiscard]] int64_t random_between(RandomMaps *random, int64_t lo, int64_t hi);
/* A map that passes map_check; draws until one passes. */
[[nodiscard]] const Map *random_map(MapContext *context, RandomMaps *random);
[[nodiscard]] Expr random_expr(
    MapContext *context, RandomMaps *random, const Map *box, uint32_t depth);

#endif
