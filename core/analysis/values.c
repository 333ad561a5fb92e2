/* The indices of sources: evaluated at points, or bounded over a box. An index that is not bounded
 * to one element, or that mixes runtime values with other variables, may differ. */
#include <string.h>

#include "core/base/checked.h"
#include "core/expr/visit.h"
#include "core/map/bounds.h"
#include "core/map/evaluate.h"
#include "core/analysis/values.h"

static constexpr uint32_t runtimes = 1u << VAR_RUNTIME, others = expr_all_kinds & ~runtimes;

/* nullptr also for an index map with variables that the map lacks. */
static const Map *index_of(const Map *map, uint32_t runtime) {
  const Map *index = map->sources == nullptr ? nullptr : map->sources[runtime].index;
  return index != nullptr && map_index_is_over(index, map) ? index : nullptr;
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

bool values_are_restricted(const Map *map, uint32_t runtime) {
  if (map->sources == nullptr) return false;
  Interval bounds = map->runtimes[runtime].bounds, clamp = map->sources[runtime].clamp;
  return bounds.lo > clamp.lo || bounds.hi < clamp.hi;
}

/* --- runtime variables that are clamps of one value --- */

static bool is_same_element(const Map *map, uint32_t one, uint32_t other) {
  const RuntimeSource *a = &map->sources[one], *b = &map->sources[other];
  if (a->instruction == nullptr || a->instruction != b->instruction || a->index == nullptr ||
      b->index == nullptr || a->index->result_count != b->index->result_count)
    return false;
  for (uint32_t i = 0; i < a->index->result_count; i++)
    if (a->index->results[i].at != b->index->results[i].at) return false;
  return true;
}

static uint32_t first_of_element(const Map *map, uint32_t runtime) {
  for (uint32_t i = 0; map->sources != nullptr && i < runtime; i++)
    if (is_same_element(map, i, runtime)) return i;
  return runtime;
}

/* The values that the element may have. Bounds that are narrower than the clamp exclude what lies
 * beyond them; a bound that is the clamp's also stands for what lies beyond it. */
static Interval element_values(const Map *map, uint32_t first) {
  Interval element = {INT64_MIN, INT64_MAX};
  for (uint32_t i = first; map->sources != nullptr && i < map->runtime_count; i++) {
    Interval bounds = map->runtimes[i].bounds, clamp = map->sources[i].clamp;
    if (first_of_element(map, i) != first) continue;
    if (bounds.lo > clamp.lo && bounds.lo > element.lo) element.lo = bounds.lo;
    if (bounds.hi < clamp.hi && bounds.hi < element.hi) element.hi = bounds.hi;
  }
  return element;
}

/* The next run of values in the union of the intervals (lo, hi] of the group, within `element`:
 * ]lo, hi]. Each of them is another tuple of clamps. */
static bool next_values(const Map *map, uint32_t first, Interval element, Interval *values) {
  bool is_found = false;
  for (uint32_t i = first; i < map->runtime_count; i++) {
    Interval bounds = map->runtimes[i].bounds;
    if (bounds.lo < element.lo) bounds.lo = element.lo;
    if (bounds.hi > element.hi) bounds.hi = element.hi;
    if (bounds.lo >= bounds.hi || first_of_element(map, i) != first) continue;
    bool is_less = is_found && values->lo < bounds.lo;
    bool is_more = is_found && values->lo == bounds.lo && values->hi >= bounds.hi;
    if (!is_less && !is_more) *values = bounds;
    is_found = true;
  }
  return is_found;
}

static bool fits_values(const Map *map, uint32_t first) {
  Interval hull = map->runtimes[first].bounds;
  for (uint32_t i = first; i < map->runtime_count; i++) {
    Interval bounds = map->runtimes[i].bounds;
    if (first_of_element(map, i) != first) continue;
    if (bounds.lo < hull.lo) hull.lo = bounds.lo;
    if (bounds.hi > hull.hi) hull.hi = bounds.hi;
  }
  int64_t width;
  return sub64(hull.hi, hull.lo, &width) && width < INT64_MAX;
}

bool values_count(const Map *map, uint32_t runtime, int64_t *count) {
  *count = 1;
  if (first_of_element(map, runtime) != runtime) return true;
  if (!fits_values(map, runtime)) return false;
  Interval element = element_values(map, runtime), values;
  *count = element.lo <= element.hi;
  for (; next_values(map, runtime, element, &values); element.lo = values.hi)
    *count += values.hi - values.lo;
  return true;
}

/* Number 0 is the smallest value of the element. */
void values_choose(const Map *map, uint32_t runtime, int64_t number, int64_t *chosen) {
  if (first_of_element(map, runtime) != runtime) return;
  Interval element = element_values(map, runtime), values;
  while (number > 0 && next_values(map, runtime, element, &values)) {
    element.lo = number <= values.hi - values.lo ? values.lo + number : values.hi;
    number -= element.lo - values.lo;
  }
  for (uint32_t i = runtime; i < map->runtime_count; i++)
    if (first_of_element(map, i) == runtime) {
      Interval bounds = map->runtimes[i].bounds;
      int64_t value = element.lo;
      chosen[i] = value < bounds.lo ? bounds.lo : value > bounds.hi ? bounds.hi : value;
    }
}
