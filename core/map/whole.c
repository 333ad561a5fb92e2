/* Whether a map hangs together: the cheap check of assertions. Looks at the lists and at the
 * topmost node of each expression, never inside. */
#include "core/map/map.h"

static uint32_t count_of(const Map *map, VarKind kind) {
  switch (kind) {
    case VAR_DIM: return map->dim_count;
    case VAR_RANGE: return map->range_count;
    case VAR_RUNTIME: return map->runtime_count;
  }
  return 0;
}

static bool is_handle_of(const MapContext *context, const Map *map, Expr expr) {
  if (expr.at == 0 || expr.at >= context->pool->count) return false;
  const ExprNode *node = expr_node(context->pool, expr);
  return node->op != EXPR_VAR || node->var_index < count_of(map, node->var_kind);
}

bool map_is_whole(const MapContext *context, const Map *map) {
  if (map->state != MAP_PLAIN)
    return map->dim_count + map->range_count + map->runtime_count + map->result_count +
               map->constraint_count ==
           0;
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
