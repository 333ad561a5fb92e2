/* Queries of core/analysis as text, and maps through threads. */
#ifndef CORE_ANALYSIS_QUERY_H
#define CORE_ANALYSIS_QUERY_H

#include "core/analysis/analysis.h"
#include "core/base/text.h"

/* A permutation of dimension numbers. */
typedef struct UseOrder {
  uint32_t count, capacity;
  uint32_t *items;
} UseOrder;
typedef struct UseTile {
  uint32_t count, capacity;
  TileDim *items;
} UseTile;

/* Parses a permutation such as `1,0`, with each dimension once. */
[[nodiscard]] bool use_order_parse(Arena *arena, const char *text, UseOrder *order);
/* Gives the array this order instead of its layout; nullptr leaves it unchanged. False if the order
 * has another rank. */
[[nodiscard]] bool use_order_apply(
    const UseOrder *order, const Shape *array, Shape *ordered, Error *error);
/* Parses `0:4,2:8:2`: OFFSET:SIZE or OFFSET:SIZE:STRIDE for each dimension. Size and stride must be
 * at least 1, and no end may exceed int64. */
[[nodiscard]] bool use_tile_parse(Arena *arena, const char *text, UseTile *tile);
/* use_tile for a tile that may have another rank than the map has dimensions: ERROR_INPUT. */
[[nodiscard]] bool use_tile_of(
    MapContext *context, const Map *map, const UseTile *of, Tile *tile, Error *error);
/* Prints the tile in the same format. */
void use_tile_print(Text *text, MapContext *context, const Map *map, const Tile *tile);
/* Finds an element type of `bits` bits. */
[[nodiscard]] bool use_width_type(int64_t bits, ElementType *type);

/* The map of use_thread_map, simplified unless `simplifier` is nullptr. No map if the array has no
 * elements. */
[[nodiscard]] bool use_threads(MapContext *context, Simplifier *simplifier, const Shape *array,
    const ThreadGrid *grid, MapSet *maps, Error *error);
/* Composes the map of use_thread_map with each map from the array, and simplifies the compositions
 * unless `simplifier` is nullptr. Keeps the claim; drops maps that become empty. */
[[nodiscard]] bool use_through_threads(MapContext *context, Simplifier *simplifier,
    const Shape *array, const ThreadGrid *grid, const MapSet *maps, MapSet *through, Error *error);
/* use_coalescing for blocks of `threads` threads that visit the output in memory order, one element
 * each. Both arrays must have elements. */
[[nodiscard]] bool use_warps(Simplifier *simplifier, const Map *map, const Shape *output,
    const Shape *operand, int64_t threads, const WarpAccess *warp, Coalescing *coalescing,
    Error *error);

#endif
