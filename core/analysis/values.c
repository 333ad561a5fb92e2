/* The indices of sources: evaluated at points, or bounded over a box. An index that is not bounded
 * to one element, or that mixes runtime values with other variables, may differ. */
#include <string.h>

#include "core/expr/visit.h"
#include "core/map/bounds.h"
#include "core/map/evaluate.h"
#include "core/analysis/values.h"

static constexpr uint32_t runtimes = 1u << VAR_RUNTIME, others = expr_all_kinds & ~runtimes;

/* nullptr also for an index map with variables that the map lacks. */
static const Map *index_of(const Map *map, uint32_t runtime) {
  const Map *index = map->sources == nullptr ? nullptr : map->sources[runtime].index;
  return index != nullptr && map_has_kinds_within(index, map) ? index : nullptr;
}

static bool has_variables(const MapContext *context, const Map *index) {
  for (uint32_t i = 0; i < index->result_count; i++)
    if (expr_has_kinds(context->pool, context->arena, index->results[i], expr_all_kinds))
      return true;
  return false;
}

ValueElements value_elements(MapContext *context, const Map *map) {
  ValueElements elements = {.map = map,
      .indices = ARENA_NEW(context->arena, const Map *, map->runtime_count),
      .first = ARENA_NEW(context->arena, int64_t *, map->runtime_count)};
  uint32_t most = 0;
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    const Map *index = index_of(map, i);
    if (index == nullptr || !has_variables(context, index)) continue;
    if (index->result_count > most) most = index->result_count;
    elements.first[elements.count] = ARENA_NEW(context->arena, int64_t, index->result_count);
    elements.indices[elements.count++] = index;
  }
  elements.now = ARENA_NEW(context->arena, int64_t, most);
  return elements;
}

bool value_elements_agree(const MapContext *context, ValueElements *elements, const Point *point) {
  for (uint32_t i = 0; i < elements->count; i++) {
    const Map *index = elements->indices[i];
    if (map_evaluate(context, index, point,
            elements->has_first ? elements->now : elements->first[i]) != POINT_INSIDE)
      return false;
    if (elements->has_first &&
        memcmp(elements->now, elements->first[i], index->result_count * sizeof *elements->now) != 0)
      return false;
  }
  elements->has_first = true;
  return true;
}

typedef struct Moving {
  MapContext *context;
  const Map *map, *box;
  const Expr *dims;
  uint32_t depth;
} Moving;

static bool moves(Moving *moving, uint32_t runtime);

static bool some_value_moves(Moving *moving, Expr expr) {
  const ExprNode *node = expr_node(moving->context->pool, expr);
  if (node->op == EXPR_CONST) return false;
  if (node->op == EXPR_VAR) return node->var_kind == VAR_RUNTIME && moves(moving, node->var_index);
  return some_value_moves(moving, node->left) || some_value_moves(moving, node->right);
}

static bool index_moves(Moving *moving, Expr index) {
  MapContext *context = moving->context;
  Interval bounds;
  Error error = {};
  if (expr_has_kinds(context->pool, context->arena, index, runtimes))
    return expr_has_kinds(context->pool, context->arena, index, others) ||
           some_value_moves(moving, index);
  if (!expr_substitute(context->pool, context->arena, &(Substitution){.dims = moving->dims}, 1,
          &index, &index, &error))
    return true;
  return !expr_bounds(context, moving->box, index, &bounds) || bounds.lo != bounds.hi;
}

/* Sources have no cycles in a graph, but may have in a text, so the depth is limited. */
static bool moves(Moving *moving, uint32_t runtime) {
  const Map *index = index_of(moving->map, runtime);
  bool moves_somewhere = moving->depth > moving->map->runtime_count;
  moving->depth++;
  for (uint32_t i = 0; index != nullptr && i < index->result_count && !moves_somewhere; i++)
    moves_somewhere = index_moves(moving, index->results[i]);
  moving->depth--;
  return moves_somewhere;
}

static bool has_points(const Map *box) {
  for (uint32_t i = 0; i < box->dim_count; i++)
    if (box->dims[i].bounds.lo > box->dims[i].bounds.hi) return false;
  for (uint32_t i = 0; i < box->range_count; i++)
    if (box->ranges[i].bounds.lo > box->ranges[i].bounds.hi) return false;
  return true;
}

bool values_may_differ(
    MapContext *context, const Map *map, Expr expr, const Map *box, const Expr *dims) {
  Moving moving = {.context = context, .map = map, .box = box, .dims = dims};
  return has_points(box) && some_value_moves(&moving, expr);
}
