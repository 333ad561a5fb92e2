/* Queries as text, and maps through threads. Text in any other format is rejected. */
#include "core/analysis/query.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "core/base/checked.h"
#include "core/map/compose.h"
#include "core/map/text.h"

static constexpr uint32_t use_max_rank = 256;

static bool query_read_number(const char **at, int64_t *value) {
  char *end;
  if (**at < '0' || **at > '9') return false;
  errno = 0;
  *value = strtoll(*at, &end, 10);
  *at = end;
  return errno == 0;
}

static bool query_accept(const char **at, char c) {
  if (**at != c) return false;
  (*at)++;
  return true;
}

static bool is_permutation(const UseOrder *order) {
  for (uint32_t i = 0; i < order->count; i++) {
    if (order->items[i] >= order->count) return false;
    for (uint32_t k = 0; k < i; k++)
      if (order->items[k] == order->items[i]) return false;
  }
  return true;
}

bool use_order_parse(Arena *arena, const char *text, UseOrder *order) {
  do {
    int64_t dimension;
    if (!query_read_number(&text, &dimension) || dimension >= use_max_rank ||
        order->count == use_max_rank)
      return false;
    *ARENA_PUSH(arena, order) = (uint32_t)dimension;
  } while (query_accept(&text, ','));
  return *text == 0 && is_permutation(order);
}

bool use_order_apply(const UseOrder *order, const Shape *array, Shape *ordered, Error *error) {
  *ordered = *array;
  if (order == nullptr) return true;
  if (order->count != array->rank)
    return error_set(error, ERROR_INPUT, "the order has %s, the output %u",
        counted(order->count, "dimension"), array->rank);
  ordered->has_layout = true;
  ordered->minor_to_major = order->items;
  ordered->layout_rest = nullptr;
  return true;
}

static bool read_dim(const char **at, TileDim *dim) {
  *dim = (TileDim){.stride = 1};
  if (!query_read_number(at, &dim->offset) || !query_accept(at, ':') ||
      !query_read_number(at, &dim->size))
    return false;
  if (query_accept(at, ':') && !query_read_number(at, &dim->stride)) return false;
  int64_t last;
  if (dim->size < 1 || dim->stride < 1) return false;
  return mul64(dim->size - 1, dim->stride, &last) && add64(last, dim->offset, &last);
}

bool use_tile_parse(Arena *arena, const char *text, UseTile *tile) {
  do {
    TileDim dim;
    if (tile->count == use_max_rank || !read_dim(&text, &dim)) return false;
    *ARENA_PUSH(arena, tile) = dim;
  } while (query_accept(&text, ','));
  return *text == 0;
}

bool use_width_type(int64_t bits, ElementType *type) {
  for (uint32_t i = 0; i < TYPE_TUPLE; i++) {
    Shape array = {.type = (ElementType)i};
    if (!shape_is_array(&array) || element_type_bits(array.type) != bits) continue;
    *type = array.type;
    return true;
  }
  return false;
}

bool use_tile_of(
    MapContext *context, const Map *map, const UseTile *of, Tile *tile, Error *error) {
  if (of->count != map->dim_count)
    return error_set(error, ERROR_INPUT, "the tile has %s, the output %u",
        counted(of->count, "dimension"), map->dim_count);
  return use_tile(context, map, of->items, tile, error);
}

/* In the format of use_tile_parse; runtime variables come first: rt0 + 0:2. */
static void print_tile_dim(
    Text *text, MapContext *context, const Map *map, const Tile *tile, uint32_t i) {
  const TileDim *dim = &tile->dims[i];
  int64_t base;
  if (!expr_is_const(context->pool, tile->bases[i], &base) || base != 0) {
    expr_print(text, context, map, tile->bases[i], MAP_STYLE_LINE);
    text_string(text, " + ");
  }
  text_printf(text, "%lld:%lld", (long long)dim->offset, (long long)dim->size);
  if (dim->stride != 1) text_printf(text, ":%lld", (long long)dim->stride);
}

void use_tile_print(Text *text, MapContext *context, const Map *map, const Tile *tile) {
  if (!tile->is_box) {
    text_printf(text, "no box: %s", tile->reason);
    return;
  }
  if (tile->rank > 0 && tile->dims[0].size == 0) {
    text_string(text, "nothing");
    return;
  }
  if (tile->rank == 0) text_string(text, "at most the one element");
  for (uint32_t i = 0; i < tile->rank; i++) {
    if (i > 0) text_string(text, ",");
    print_tile_dim(text, context, map, tile, i);
  }
}

/* ---- through threads ---- */

static bool query_simplified(Simplifier *simplifier, const Map **map, Error *error) {
  static const SimplifyOptions options = {.keep_points = true};
  return simplifier == nullptr || (*map)->state != MAP_PLAIN ||
         simplify_map(simplifier, *map, &options, map, nullptr, error);
}

static bool through_threads(MapContext *context, Simplifier *simplifier, const Map *threads,
    const Map *map, const Map **through, Error *error) {
  return map_compose(context, threads, map, through, error) &&
         query_simplified(simplifier, through, error);
}

bool use_threads(MapContext *context, Simplifier *simplifier, const Shape *array,
    const ThreadGrid *grid, MapSet *maps, Error *error) {
  const Map *threads;
  *maps = (MapSet){.maps = ARENA_NEW(context->arena, const Map *, 1)};
  if (!use_thread_map(context, array, grid, &threads, error)) return false;
  if (threads == nullptr) return true;
  if (!query_simplified(simplifier, &threads, error)) return false;
  maps->maps[0] = threads;
  maps->count = threads->state == MAP_PLAIN;
  return true;
}

bool use_through_threads(MapContext *context, Simplifier *simplifier, const Shape *array,
    const ThreadGrid *grid, const MapSet *maps, MapSet *through, Error *error) {
  const Map *threads;
  *through = (MapSet){.claim = maps->claim,
      .reason = maps->reason,
      .maps = ARENA_NEW(context->arena, const Map *, maps->count)};
  if (!use_thread_map(context, array, grid, &threads, error)) return false;
  for (uint32_t i = 0; threads != nullptr && i < maps->count; i++) {
    const Map *map;
    if (!through_threads(context, simplifier, threads, maps->maps[i], &map, error)) return false;
    if (map->state == MAP_PLAIN) through->maps[through->count++] = map;
  }
  return true;
}

/* Simplified for faster evaluation; unchanged if simplifying overflows. */
static bool thread_accesses(Simplifier *simplifier, const Map *threads, const Map *map,
    const Map **accesses, Error *error) {
  MapContext *context = simplifier_context(simplifier);
  Error ignored = {};
  return through_threads(context, simplifier, threads, map, accesses, &ignored) ||
         map_compose(context, threads, map, accesses, error);
}

bool use_warps(Simplifier *simplifier, const Map *map, const Shape *output, const Shape *operand,
    int64_t threads, const WarpAccess *warp, Coalescing *coalescing, Error *error) {
  MapContext *context = simplifier_context(simplifier);
  const Map *grid, *accesses;
  *coalescing = (Coalescing){};
  if (!use_thread_map(context, output, &(ThreadGrid){threads, 1}, &grid, error)) return false;
  assert(grid != nullptr);
  if (!thread_accesses(simplifier, grid, map, &accesses, error)) return false;
  return accesses->state != MAP_PLAIN ||
         use_coalescing(context, accesses, operand, warp, coalescing, error);
}
