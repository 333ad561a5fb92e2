/* Where the elements of an array stand in memory: from major to minor, tile by tile.
 * The layout's order of dimensions gives a list of sizes; a tile (t_1, .., t_m) splits each of the
 * last m of them, n_i, into
 * ceil(n_i / t_i) and t_i, all outer parts before all inner ones; a further tile splits the list
 * that the one before it left. Where t_i does not divide n_i, places hold padding and no
 * element. */
#ifndef CORE_INDEX_MEMORY_H
#define CORE_INDEX_MEMORY_H

#include "core/index/ops/build.h"

typedef struct MemoryOrder {
  const Shape *shape;
  uint32_t *order; /* [rank] the logical dimension at place i, major to minor */
  uint32_t tile_count;
  Ints *tiles;  /* [tile_count], outermost first */
  Ints *stages; /* [tile_count + 1] sizes before and after each tile; a tile with more dimensions
                   than the list puts sizes 1 in front */
} MemoryOrder;

/* False with a reason where the layout says more than an order and tiles, or the padded array
 * leaves int64. */
[[nodiscard]] bool memory_order(
    Arena *arena, const Shape *shape, MemoryOrder *memory, const char **reason);

/* Sizes from major to minor, and their product. */
[[nodiscard]] Ints memory_sizes(const MemoryOrder *memory);
[[nodiscard]] int64_t memory_places(const MemoryOrder *memory);

/* The place of the element `index` [rank], as one number for each of memory_sizes. */
void memory_place(Build *build, const MemoryOrder *memory, const Expr *index, Expr *place);
/* The same as one number below memory_places. */
[[nodiscard]] Expr memory_address(Build *build, const MemoryOrder *memory, const Expr *index);
/* The element at a place, required to be one: a place can be padding of any of the tiles. */
void memory_element(Build *build, const MemoryOrder *memory, const Expr *place, Expr *index);

#endif
