/* What loops go over: a map's variables in the order dimensions, range variables, runtime
 * variables. */
#ifndef CORE_MLIR_NEST_H
#define CORE_MLIR_NEST_H

#include "core/map/map.h"

typedef struct NestVariable {
  VarKind kind;
  uint32_t index; /* within its kind */
  Interval bounds;
} NestVariable;

[[nodiscard]] static inline uint32_t nest_count(const Map *map) {
  return map->dim_count + map->range_count + map->runtime_count;
}

[[nodiscard]] static inline NestVariable nest_variable(const Map *map, uint32_t place) {
  if (place < map->dim_count) return (NestVariable){VAR_DIM, place, map->dims[place].bounds};
  place -= map->dim_count;
  if (place < map->range_count) return (NestVariable){VAR_RANGE, place, map->ranges[place].bounds};
  place -= map->range_count;
  return (NestVariable){VAR_RUNTIME, place, map->runtimes[place].bounds};
}

#endif
