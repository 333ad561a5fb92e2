/* Unions of maps, without duplicates, in the order of addition. Beyond 256 maps a union becomes its
 * hull: from the box of all dimensions to the box of all results, by interval bounds. Further maps
 * then only widen the boxes, so that a graph whose paths multiply costs as much as a chain. The
 * claim becomes an over-approximation, with a reason. */
#include <assert.h>

#include "core/base/checked.h"
#include "core/index/indexer.h"
#include "core/map/bounds.h"

static constexpr uint32_t max_maps = 256;

static bool has_point(uint32_t count, const Variable *variables) {
  for (uint32_t i = 0; i < count; i++)
    if (variables[i].bounds.lo == variables[i].bounds.hi) return true;
  return false;
}

/* True if a result or a constraint has a variable of a single value. */
static bool uses_points(const Indexer *indexer, const Map *map) {
  Arena *arena = indexer->context->arena;
  ArenaMark mark = arena_mark(arena);
  bool *used = ARENA_NEW(arena, bool, map_variable_count(map)), uses = false;
  ExprVariables variables = {};
  for (VarKind kind = VAR_DIM; kind <= VAR_RUNTIME; kind++)
    variables.of[kind] = used + map_first_number(map, kind);
  map_mark_variables(indexer->context, map, &variables);
  for (uint32_t i = 0; i < map_variable_count(map); i++) {
    Interval bounds = map_variable(map, i)->bounds;
    uses |= used[i] && bounds.lo == bounds.hi;
  }
  arena_rewind(arena, mark);
  return uses;
}

/* The key by which maps are compared: the map with each variable of a single value replaced by that
 * value, so that a dimension of size 1 and the constant 0 are the same. A canonical map without
 * such variables in its expressions is its own key. */
static const Map *key_of(Indexer *indexer, const Map *map) {
  bool points = has_point(map->dim_count, map->dims) || has_point(map->range_count, map->ranges);
  const Map *key = map;
  if (!points || indexer->simplifier == nullptr ||
      (map->runtime_count == 0 && !uses_points(indexer, map)))
    return map;
  Error ignored;
  error_clear(&ignored);
  if (!simplify_map(indexer->simplifier, map, nullptr, &key, nullptr, &ignored)) return map;
  return map_drop_unused(indexer->context, key);
}

static Interval set_join(Interval a, Interval b) {
  return (Interval){min64(a.lo, b.lo), max64(a.hi, b.hi)};
}

/* An interval inside the array that contains the result. */
static Interval result_bounds(const Indexer *indexer, const Map *map, uint32_t i, const Shape *to) {
  Interval all = {0, to->sizes[i] - 1}, bounds;
  if (!expr_bounds(indexer->context, map, map->results[i], &bounds)) return all;
  bounds = (Interval){max64(bounds.lo, all.lo), min64(bounds.hi, all.hi)};
  return bounds.lo <= bounds.hi ? bounds : all;
}

typedef struct Boxes {
  Interval *dims, *results;
} Boxes;

static void boxes_add(
    const Indexer *indexer, Boxes *boxes, const Map *map, bool is_first, const Shape *to) {
  for (uint32_t i = 0; i < map->dim_count; i++)
    boxes->dims[i] = is_first ? map->dims[i].bounds : set_join(boxes->dims[i], map->dims[i].bounds);
  for (uint32_t i = 0; i < map->result_count; i++) {
    Interval bounds = result_bounds(indexer, map, i, to);
    boxes->results[i] = is_first ? bounds : set_join(boxes->results[i], bounds);
  }
}

static const Map *box_map(
    Indexer *indexer, const Boxes *boxes, const Shape *from, const Shape *to) {
  Build build = build_start(indexer->context);
  for (uint32_t i = 0; i < from->rank; i++) build_add_dim(&build, boxes->dims[i]);
  for (uint32_t i = 0; i < to->rank; i++) {
    Interval bounds = boxes->results[i];
    build_result(&build, bounds.lo == bounds.hi ? build_const(&build, bounds.lo)
                                                : build_range(&build, bounds.lo, bounds.hi));
  }
  const Map *map;
  [[maybe_unused]] bool fits = build_finish(&build, &map, &(Error){});
  assert(fits && map != nullptr);
  return map;
}

/* Replaces the set, and `more` if it is not nullptr, by their hull. */
static void take_hull(
    Indexer *indexer, IndexResult *set, const Map *more, const Shape *from, const Shape *to) {
  Arena *arena = indexer->context->arena;
  Boxes boxes = {.dims = ARENA_NEW(arena, Interval, from->rank),
      .results = ARENA_NEW(arena, Interval, to->rank)};
  assert(set->count > 0 || more != nullptr);
  for (uint32_t i = 0; i < set->count; i++) boxes_add(indexer, &boxes, set->items[i], i == 0, to);
  if (more != nullptr) boxes_add(indexer, &boxes, more, set->count == 0, to);
  set->is_hull = true;
  set->count = set->capacity = 0;
  set->keys = (MapList){};
  const Map *map = box_map(indexer, &boxes, from, to);
  *ARENA_PUSH(arena, set) = map;
  *ARENA_PUSH(arena, &set->keys) = map;
}

/* Keys are computed only when a second map arrives: most sets have one map. */
static const Map *item_key(Indexer *indexer, IndexResult *set, uint32_t at) {
  while (set->keys.count <= at) {
    const Map *key = key_of(indexer, set->items[set->keys.count]);
    *ARENA_PUSH(indexer->context->arena, &set->keys) = key;
  }
  return set->keys.items[at];
}

static bool is_known(Indexer *indexer, IndexResult *set, const Map *key) {
  for (uint32_t i = 0; i < set->count; i++)
    if (map_identical(indexer->context, item_key(indexer, set, i), key)) return true;
  return false;
}

/* An item that is already in the set also has its key there. */
static bool is_item(const Indexer *indexer, const IndexResult *set, const Map *map) {
  for (uint32_t i = 0; i < set->count; i++)
    if (map_identical(indexer->context, set->items[i], map)) return true;
  return false;
}

/* The map's key; with nothing to compare, only if it is known. */
static const Map *key_to_compare(
    Indexer *indexer, const IndexResult *set, const Map *map, IndexResult *other, uint32_t at) {
  if (other != nullptr && (set->count > 0 || at < other->keys.count))
    return item_key(indexer, other, at);
  return set->count > 0 ? key_of(indexer, map) : nullptr;
}

/* The map is item `at` of `other`, or `other` is nullptr. */
static void set_insert(Indexer *indexer, IndexResult *set, const Map *map, IndexResult *other,
    uint32_t at, const Shape *from, const Shape *to) {
  Arena *arena = indexer->context->arena;
  assert(map->dim_count == from->rank && map->result_count == to->rank);
  for (uint32_t i = 0; i < set->count; i++)
    if (set->items[i] == map) return;
  if (set->is_hull) {
    take_hull(indexer, set, map, from, to);
    return;
  }
  if (is_item(indexer, set, map)) return;
  const Map *key = key_to_compare(indexer, set, map, other, at);
  if (key != nullptr && is_known(indexer, set, key)) return;
  if (set->count == max_maps) {
    answer_claim(set, INDEX_OVER_APPROXIMATION, "more than 256 maps: their hull");
    take_hull(indexer, set, map, from, to);
    return;
  }
  *ARENA_PUSH(arena, set) = map;
  if (key != nullptr) *ARENA_PUSH(arena, &set->keys) = key;
}

void set_add(
    Indexer *indexer, IndexResult *set, const Map *map, const Shape *from, const Shape *to) {
  set_insert(indexer, set, map, nullptr, 0, from, to);
}

void set_add_item(Indexer *indexer, IndexResult *set, IndexResult *other, uint32_t at,
    const Shape *from, const Shape *to) {
  assert(other != set && at < other->count);
  set_insert(indexer, set, other->items[at], other, at, from, to);
}

/* A list at its capacity is copied before anything is appended to it. */
void set_start_as(IndexResult *set, const IndexResult *other) {
  assert(set->count == 0 && !set->is_hull && !other->is_hull);
  set->count = set->capacity = other->count;
  set->items = other->items;
  set->keys = other->keys;
  set->keys.capacity = other->keys.count;
}

void set_widen(Indexer *indexer, IndexResult *set, const Shape *from, const Shape *to) {
  if (!set->is_hull && set->count > 0) take_hull(indexer, set, nullptr, from, to);
  set->is_hull = true;
}

void set_add_everything(Indexer *indexer, IndexResult *set, const Shape *from, const Shape *to) {
  Arena *arena = indexer->context->arena;
  Boxes boxes = {.dims = ARENA_NEW(arena, Interval, from->rank),
      .results = ARENA_NEW(arena, Interval, to->rank)};
  for (uint32_t i = 0; i < from->rank; i++) boxes.dims[i] = (Interval){0, from->sizes[i] - 1};
  for (uint32_t i = 0; i < to->rank; i++) boxes.results[i] = (Interval){0, to->sizes[i] - 1};
  set_widen(indexer, set, from, to);
  set_add(indexer, set, box_map(indexer, &boxes, from, to), from, to);
}
