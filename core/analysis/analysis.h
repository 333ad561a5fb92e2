/* Numbers computed from maps alone: how much of an operand is read, which tile of it a tile of the
 * output reads, how a warp's accesses fall into memory segments, and which element a thread works
 * on.
 *
 * Maps must be plain (neither known empty nor undefined). Numbers are exact unless a field states
 * otherwise. */
#ifndef CORE_ANALYSIS_ANALYSIS_H
#define CORE_ANALYSIS_ANALYSIS_H

#include "core/index/index.h"

/* Points that one call may visit; more are ERROR_LIMIT. */
static constexpr uint64_t use_most_points = UINT64_C(1) << 24;

typedef struct Utilization {
  int64_t read;     /* distinct elements that any output element reads */
  int64_t elements; /* of the operand */
  bool is_at_most;  /* `read` is an upper bound: runtime variables could not be fixed, or the set is
                       an over-approximation */
} Utilization;
/* For the operand that the set's maps index. If the set is not exact, counts what its maps
 * contain. */
[[nodiscard]] bool use_utilization(Simplifier *simplifier, const MapSet *maps, const Shape *operand,
    Utilization *utilization, Error *error);

/* Elements offset + stride * t, t in [0, size - 1]. */
typedef struct TileDim {
  int64_t offset, size, stride;
} TileDim;
typedef struct Tile {
  bool is_box;
  const char *reason; /* why it is no box; nullptr if it is one */
  uint32_t rank;
  TileDim *dims; /* [rank]; size 0 in every dimension: nothing is read */
  Expr *bases;   /* [rank] the runtime part of the offset, over the map's runtime variables; the
                  * constant 0 if there is none */
} Tile;
/* The tile of the operand for the output tile `of` [map->dim_count]. Parts of the tile outside the
 * map's domain read nothing. */
[[nodiscard]] bool use_tile(
    MapContext *context, const Map *map, const TileDim *of, Tile *tile, Error *error);

typedef struct WarpAccess {
  uint32_t lanes; /* threads of a warp: consecutive values of dimension 0, starting at a multiple of
                   * `lanes` */
  uint32_t segment_bytes; /* bytes of one memory transaction */
  uint32_t element_bits;  /* of the operand; 0: as its type and layout state */
  uint64_t most_points;   /* limit of visited points; 0: use_most_points */
} WarpAccess;
typedef struct Coalescing {
  uint64_t accesses;    /* one warp with at least one active lane, for fixed other variables */
  uint64_t segments;    /* sum over accesses: distinct segments touched */
  uint64_t least;       /* sum over accesses: segments that the same bytes would fill if packed */
  uint64_t worst;       /* the maximum number of segments of one access */
  uint64_t assignments; /* assignments of values to the runtime variables; the sums run over all of
                         * them, one run of the program makes one */
  bool is_sampled;      /* only every n-th access was visited */
} Coalescing;
/* Dimension 0 of the map is the thread within its block; results index the operand, whose layout
 * determines addresses. ERROR_UNSUPPORTED if lanes of one warp use different elements of a runtime
 * value, as in a gather: their addresses are then unrelated. */
[[nodiscard]] bool use_coalescing(MapContext *context, const Map *map, const Shape *operand,
    const WarpAccess *access, Coalescing *coalescing, Error *error);

typedef struct ThreadGrid {
  int64_t threads; /* in a block */
  int64_t vector;  /* consecutive elements of one thread */
} ThreadGrid;
/* (th_x, bl_x)[vector] -> element: element number (bl_x * threads + th_x) * vector + v of the array
 * in the order of its layout, minor first. If a thread has one element, there is no range variable.
 * Threads past the last element are outside the domain. The map is nullptr for an array without
 * elements and for a shape that is no array. Rejects a layout with tiles, because the map does not
 * describe memory with padding. */
[[nodiscard]] bool use_thread_map(
    MapContext *context, const Shape *shape, const ThreadGrid *grid, const Map **map, Error *error);

#endif
