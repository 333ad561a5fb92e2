/* The cheap well-formedness check for assertions. Looks at the lists and at the topmost node of
 * each expression, never inside. */
#include "core/map/map.h"

#include <assert.h>

static bool is_handle_of(const MapContext *context, const Map *map, Expr expr) {
  if (expr.at == 0 || expr.at >= context->pool->count) return false;
  const ExprNode *node = expr_node(context->pool, expr);
  return node->op != EXPR_VAR || node->var_index < map_kind_count(map, node->var_kind);
}

bool map_is_whole(const MapContext *context, const Map *map) {
  if (map->state != MAP_PLAIN)
    return map_variable_count(map) + map->result_count + map->constraint_count == 0;
  bool whole = (map->dim_count == 0 || map->dims != nullptr) &&
               (map->range_count == 0 || map->ranges != nullptr) &&
               (map->runtime_count == 0 || map->runtimes != nullptr) &&
               (map->result_count == 0 || map->results != nullptr) &&
               (map->constraint_count == 0 || map->constraints != nullptr);
  for (uint32_t i = 0; whole && i < map->result_count; i++)
    whole = is_handle_of(context, map, map->results[i]);
  for (uint32_t i = 0; whole && i < map->constraint_count; i++)
    whole = is_handle_of(context, map, map->constraints[i].expr);
  return whole;
}

bool map_has_point(const Map *map, const int64_t *values) {
  for (uint32_t i = 0; i < map_variable_count(map); i++) {
    Interval bounds = map_variable(map, i)->bounds;
    if (values[i] < bounds.lo || values[i] > bounds.hi) return false;
  }
  return true;
}
