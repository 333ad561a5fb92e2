/* What maps are good for: how much of an operand is read, what tile of it a tile of the output
 * needs, how a warp's accesses fall into memory segments, and which element a thread works on. All
 * of it is computed from maps alone.
 * Maps are plain (neither known empty nor undefined). Numbers are exact unless a field says
 * otherwise. */
#ifndef CORE_USE_USE_H
#define CORE_USE_USE_H

#include "core/index/index.h"

/* Points that one call may look at; past it, ERROR_LIMIT. */
static constexpr uint64_t use_most_points = UINT64_C(1) << 24;

typedef struct Utilization {
  int64_t read;     /* distinct elements that any output element reads */
  int64_t elements; /* of the operand */
  bool is_at_most;  /* runtime variables could not be held still: `read` is an upper bound */
} Utilization;
/* Of the operand that the set's maps index. A set that is not exact counts what the maps say. */
[[nodiscard]] bool use_utilization(Simplifier *simplifier, const MapSet *maps, const Shape *operand,
    Utilization *utilization, Error *error);

/* Elements offset + stride * t, t in [0, size - 1]. */
typedef struct TileDim {
  int64_t offset, size, stride;
} TileDim;
typedef struct Tile {
  bool is_box;
  const char *reason; /* why it is none; nullptr when it is one */
  uint32_t rank;
  TileDim *dims; /* [rank]; size 0 everywhere: nothing is read */
  Expr *bases; /* [rank] runtime part of the offset, over the map's runtime variables; the constant
                  0 where there is none */
} Tile;
/* The operand's tile for the output tile `of` [map->dim_count]. Tile parts outside the map's domain
 * read nothing. */
[[nodiscard]] bool use_tile(
    MapContext *context, const Map *map, const TileDim *of, Tile *tile, Error *error);

typedef struct WarpAccess {
  uint32_t
      lanes; /* threads of a warp: consecutive values of dimension 0, from a multiple of lanes on */
  uint32_t segment_bytes; /* what memory moves at once */
  uint64_t most_points;   /* that are looked at; 0: use_most_points */
} WarpAccess;
typedef struct Coalescing {
  uint64_t accesses;    /* by a warp with at least one active lane, for fixed other variables */
  uint64_t segments;    /* sum over accesses of the distinct segments touched */
  uint64_t least;       /* sum over accesses of the segments that the same bytes fill when packed */
  uint64_t worst;       /* most segments of one access */
  uint64_t assignments; /* of values to the runtime variables, over all of which the sums run; one
                           run makes one of them */
  bool is_sampled;      /* every n-th access was looked at, not every one */
} Coalescing;
/* Dimension 0 of the map is the thread within its block; results index the operand, whose layout
 * gives addresses. ERROR_UNSUPPORTED where lanes of one warp take a runtime value from different
 * elements, as in a gather: their addresses do not follow from each other. */
[[nodiscard]] bool use_coalescing(MapContext *context, const Map *map, const Shape *operand,
    const WarpAccess *access, Coalescing *coalescing, Error *error);

typedef struct ThreadGrid {
  int64_t threads; /* of a block */
  int64_t vector;  /* consecutive elements of a thread */
} ThreadGrid;
/* (th_x, bl_x)[vector] -> element: element number (bl_x * threads + th_x) * vector + v of the array
 * in the order of its layout, minor first; without the range variable where a thread has one
 * element. Threads past the last element are outside the domain. An array without elements, and
 * what is no array, gives nullptr. Rejects a layout with tiles: threads in the order of a memory
 * that has padding are not what this describes. */
[[nodiscard]] bool use_thread_map(
    MapContext *context, const Shape *shape, const ThreadGrid *grid, const Map **map, Error *error);

#endif
