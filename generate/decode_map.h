/* Bytes to indexing maps, totally: every byte string is a map that passes map_check.
 * 4 bytes of header (numbers of variables, results, constraints), 2 bytes a variable's bounds, then
 * expressions in prefix order; missing bytes read as 0. A subexpression that could leave int64
 * becomes its left operand. */
#ifndef FUZZ_DECODE_MAP_H
#define FUZZ_DECODE_MAP_H

#include "core/map/map.h"

[[nodiscard]] const Map *fuzz_decode_map(MapContext *context, const uint8_t *bytes, size_t size);

/* Two maps that compose, from half of the bytes each: the first one's results are repeated or cut
 * to the second one's dimensions. */
typedef struct FuzzPair {
  const Map *first, *second;
} FuzzPair;
[[nodiscard]] FuzzPair fuzz_decode_pair(MapContext *context, const uint8_t *bytes, size_t size);

#endif
