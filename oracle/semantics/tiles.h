/* The memory layout of an array, as two tables: the position of every element, and the element at
 * every position. Positions are counted in elements from the first one, including padding. */
#ifndef ORACLE_SEMANTICS_TILES_H
#define ORACLE_SEMANTICS_TILES_H

#include "core/base/arena.h"
#include "core/hlo/shape.h"

static constexpr int64_t memory_max_positions = 1 << 22;
static constexpr uint32_t memory_padding = UINT32_MAX;

typedef struct Memory {
  int64_t bits; /* of one position: the layout's element width, otherwise that of the element
                   type */
  int64_t positions;
  uint32_t *elements; /* [places]: the row-major number of the element at this position, or
                         memory_padding */
  uint32_t *position_of; /* [elements of the array] */
} Memory;

typedef enum MemoryAnswer : uint8_t {
  MEMORY_KNOWN,
  MEMORY_NOT_FOLLOWED, /* the layout has a tile that is not a list of at most eight positive
                        * numbers, more than eight tiles, positions narrower than an element, or a
                        * property other than tiles T, element width E and memory space S */
  MEMORY_TOO_LARGE,    /* more than memory_max_places */
} MemoryAnswer;

/* The array has at least one element. The tables are allocated in `arena`. */
[[nodiscard]] MemoryAnswer memory_of(Arena *arena, const Shape *shape, Memory *memory);

#endif
