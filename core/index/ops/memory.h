/* The positions of an array's elements in memory: from major to minor, tile by tile.
 *
 * The layout's order of dimensions gives a list of sizes. A tile (t_1, .., t_m) splits each of the
 * last m sizes n_i into ceil(n_i / t_i) and t_i, all outer parts before all inner ones. A further
 * tile splits the list that results from the one before it. If t_i does not divide n_i, some
 * positions are padding without an element. */
#ifndef CORE_INDEX_OPS_MEMORY_H
#define CORE_INDEX_OPS_MEMORY_H

#include "core/index/ops/build.h"

typedef struct MemoryOrder {
  const Shape *shape;
  uint32_t *order; /* [rank] the logical dimension at position i, major to minor */
  uint32_t tile_count;
  Ints *tiles;  /* [tile_count], outermost first */
  Ints *stages; /* [tile_count + 1] the sizes before and after each tile; for a tile with more
                 * dimensions than the list, sizes 1 are prepended */
} MemoryOrder;

/* False with a reason if the layout is more than an order and tiles, or the padded size leaves
 * int64. */
[[nodiscard]] bool memory_order(
    Arena *arena, const Shape *shape, MemoryOrder *memory, const char **reason);

/* The sizes from major to minor, and their product. */
[[nodiscard]] Ints memory_sizes(const MemoryOrder *memory);
[[nodiscard]] int64_t memory_positions(const MemoryOrder *memory);

/* The position of the element `index` [rank], as one index for each of memory_sizes. */
void memory_position(Build *build, const MemoryOrder *memory, const Expr *index, Expr *position);
/* The position as one number below memory_places. */
[[nodiscard]] Expr memory_address(Build *build, const MemoryOrder *memory, const Expr *index);
/* The element at a position; constraints require that it exists, since a position can be padding of
 * any tile. */
void memory_element(Build *build, const MemoryOrder *memory, const Expr *position, Expr *index);

#endif
