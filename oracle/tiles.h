/* Where elements stand in memory, counted in elements from the first, and which element stands at a place. */
#ifndef ORACLE_TILES_H
#define ORACLE_TILES_H

#include "core/hlo/shape.h"

typedef struct Tiling {
  uint32_t count;       /* tiles; 0: the layout is an order of dimensions alone */
  uint32_t ranks[8];
  int64_t sizes[8][8];  /* [count][ranks[i]] */
} Tiling;

/* False where the layout has a tile that is not a list of positive numbers, more than eight tiles, or a tile of more than eight sizes. */
[[nodiscard]] bool tiling_of(const Shape *shape, Tiling *tiling);
/* Number of places that the array takes, padding included; 0 where int64 does not hold it. */
[[nodiscard]] int64_t tiling_places(const Shape *shape, const Tiling *tiling);
[[nodiscard]] int64_t tiling_place(const Shape *shape, const Tiling *tiling, const int64_t *at);
/* False where the place is padding. */
[[nodiscard]] bool tiling_element(const Shape *shape, const Tiling *tiling, int64_t place, int64_t *at);

#endif
