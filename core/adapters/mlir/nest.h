/* The variables that loops run over, in the order dimensions, range variables, runtime
 * variables. */
#ifndef CORE_ADAPTERS_MLIR_NEST_H
#define CORE_ADAPTERS_MLIR_NEST_H

#include "core/map/map.h"

typedef struct NestVariable {
  VarKind kind;
  uint32_t index; /* within its kind */
  Interval bounds;
} NestVariable;

/* The variable with this number. */
[[nodiscard]] static inline NestVariable nest_variable(const Map *map, uint32_t number) {
  VariableId id = map_variable_id(map, number);
  return (NestVariable){id.kind, id.index, map_variable(map, number)->bounds};
}

#endif
