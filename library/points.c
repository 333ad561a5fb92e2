/* The points of a map, and its results at a point. */
#include "core/map/evaluate.h"
#include "core/map/points.h"
#include "library/context.h"

static_assert((int)AFFIRM_POINT_OUTSIDE == (int)POINT_OUTSIDE);
static_assert((int)AFFIRM_POINT_OVERFLOW == (int)POINT_OVERFLOW);

AffirmPoint affirm_map_evaluate(AffirmContext *context, const AffirmMap *map, uint32_t value_count,
    const int64_t *values, int64_t *results) {
  if (context == nullptr || !CONTEXT_OWNS(context, map)) return AFFIRM_POINT_ERROR;
  uint32_t wanted = map_variable_count(map_of(map));
  if (value_count != wanted) {
    error_set_from(&context->error, ERROR_INPUT, __FILE__, __LINE__,
        "%u values for a map of %u variables", value_count, wanted);
    return AFFIRM_POINT_ERROR;
  }
  if ((wanted > 0 && !CONTEXT_HAS(context, values)) ||
      (map_of(map)->result_count > 0 && !CONTEXT_HAS(context, results)))
    return AFFIRM_POINT_ERROR;
  Point point = map_point(map_of(map), values);
  return (AffirmPoint)map_evaluate(context->judge->context, map_of(map), &point, results);
}

static bool points_fit(const AffirmMap *map, uint32_t value_count, const int64_t *values) {
  return map != nullptr && value_count == map_variable_count(map_of(map)) &&
         (value_count == 0 || values != nullptr);
}

bool affirm_points_begin(const AffirmMap *map, uint32_t value_count, int64_t *values) {
  return points_fit(map, value_count, values) && map_points_begin(map_of(map), values);
}

bool affirm_points_next(const AffirmMap *map, uint32_t value_count, int64_t *values) {
  return points_fit(map, value_count, values) && map_has_point(map_of(map), values) &&
         map_points_next(map_of(map), values);
}
