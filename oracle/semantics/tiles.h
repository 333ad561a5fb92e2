/* Where the elements of an array stand in memory, as two tables: the place of every element, and
 * what stands at every place. Places are counted in elements from the first one, padding
 * included. */
#ifndef ORACLE_TILES_H
#define ORACLE_TILES_H

#include "core/base/arena.h"
#include "core/hlo/shape.h"

static constexpr int64_t memory_max_places = 1 << 22;
static constexpr uint32_t memory_padding = UINT32_MAX;

typedef struct Memory {
  int64_t bits; /* of one place: what the layout says, else those of the element type */
  int64_t places;
  uint32_t *elements; /* [places] the row-major number of the element that stands there, or
                         memory_padding */
  uint32_t *place_of; /* [elements of the array] */
} Memory;

typedef enum MemoryAnswer : uint8_t {
  MEMORY_KNOWN,
  MEMORY_NOT_FOLLOWED, /* the layout has a tile that is not a list of at most eight positive
                        * numbers, more than eight tiles, places narrower than an element, or a
                        * property other than tiles T, element width E and memory space S */
  MEMORY_TOO_LARGE,    /* more than memory_max_places */
} MemoryAnswer;

/* Of an array with at least one element; `arena` keeps the tables. */
[[nodiscard]] MemoryAnswer memory_of(Arena *arena, const Shape *shape, Memory *memory);

#endif
