/* Lists the pairs of a map, and compares the listing with what a judge finds. */
#include "judge/maps/pairs.h"

#include <assert.h>
#include <string.h>

#include "core/map/evaluate.h"
#include "core/map/points.h"

static constexpr uint32_t most_columns = 64;

int64_t map_pairs_spoiled(const MapPairs *pairs, uint32_t judge, int64_t result) {
  return pairs->spoil == nullptr ? result : pairs->spoil(judge, result);
}

static bool can_list(const Map *map, MapPairs *pairs, Error *error) {
  if (map->state == MAP_UNDEFINED || map->result_count > most_columns ||
      map_variable_count(map) > most_columns)
    return error_set(error, ERROR_UNSUPPORTED, "UNDEFINED, or too wide");
  if (!map_points_count(map, pairs_most_points, &pairs->points))
    return error_set(error, ERROR_LIMIT, "the box has too many points");
  if (map->state == MAP_KNOWN_EMPTY) pairs->points = 0;
  return true;
}

bool map_pairs_list(MapContext *context, const Map *map, MapPairs *pairs, Error *error) {
  if (!can_list(map, pairs, error)) return false;
  uint32_t variables = map_variable_count(map);
  pairs->variables = variables == 0 ? 1 : variables;
  pairs->width = pairs->variables + map->result_count;
  pairs->values = ARENA_NEW(context->arena, int64_t, pairs->points * pairs->width + 1);
  for (uint64_t number = 0; number < pairs->points; number++) {
    int64_t *row = pairs->values + pairs->count * pairs->width, results[most_columns] = {};
    row[0] = 0;
    map_points_at(map, number, row);
    Point point = map_point(map, row);
    PointState state = map_evaluate(context, map, &point, results);
    if (state == POINT_OVERFLOW)
      return error_set(error, ERROR_OVERFLOW, "the listing leaves int64");
    for (uint32_t i = 0; i < map->result_count; i++)
      row[pairs->variables + i] = map_pairs_spoiled(pairs, pairs_listing, results[i]);
    pairs->count += state == POINT_INSIDE;
  }
  return true;
}

const int64_t *map_pairs_row(const MapPairs *pairs, const int64_t *values, uint32_t count) {
  for (uint64_t i = 0; i < pairs->count; i++)
    if (memcmp(pairs->values + i * pairs->width, values, count * sizeof *values) == 0)
      return pairs->values + i * pairs->width;
  return nullptr;
}

static const int64_t *first_missing(const MapPairs *of, const MapPairs *in) {
  for (uint64_t i = 0; i < of->count; i++) {
    const int64_t *row = of->values + i * of->width;
    if (map_pairs_row(in, row, of->width) == nullptr) return row;
  }
  return nullptr;
}

static void pairs_decide(Verdict *verdict, const MapPairs *listed, const int64_t *point) {
  verdict_mark(verdict, point == nullptr ? REASON_EXACT : REASON_DIFFERENT);
  if (point != nullptr) verdict_point(verdict, listed->variables, point);
}

void map_pairs_compare(const MapPairs *listed, const MapPairs *found, Verdict *verdict) {
  assert(found->count == 0 || listed->width == found->width);
  const int64_t *row = first_missing(listed, found);
  pairs_decide(verdict, listed, row != nullptr ? row : first_missing(found, listed));
}

static const Map *at_point(MapContext *context, const Map *map, const int64_t *row) {
  Map *narrow = map_copy(context->arena, map);
  for (uint32_t i = 0; i < map_variable_count(map); i++)
    *map_variable(narrow, i) = (Variable){.bounds = {row[i], row[i]}};
  narrow->sources = nullptr;
  return narrow;
}

static const Map *constants_at(MapContext *context, const MapPairs *pairs, uint32_t judge,
    const Map *narrow, const int64_t *point) {
  const int64_t *row = map_pairs_row(pairs, point, pairs->variables);
  if (row == nullptr) return map_known_empty(context);
  Map *constant = map_copy_variables(context->arena, narrow, narrow->result_count, 0);
  for (uint32_t i = 0; i < narrow->result_count; i++)
    constant->results[i] =
        expr_const(context->pool, map_pairs_spoiled(pairs, judge, row[pairs->variables + i]));
  return constant;
}

void map_pairs_confirm(Judge *judge, JudgeId id, const Obligation *obligation,
    PairConfirms *confirms, Verdict *verdict) {
  MapContext *context = judge->context;
  const MapPairs *pairs = obligation->pairs;
  int64_t row[most_columns] = {};
  bool all = true;
  for (uint64_t number = 0; all && number < pairs->points; number++) {
    map_points_at(obligation->before, number, row);
    MapMark mark = map_context_mark(context);
    const Map *narrow = at_point(context, obligation->before, row);
    all = confirms(judge, narrow, constants_at(context, pairs, id, narrow, row));
    map_context_rewind(context, mark);
  }
  pairs_decide(verdict, pairs, all ? nullptr : row);
}
