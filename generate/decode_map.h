/* Decodes bytes to indexing maps. Decoding is total: every byte string is a map that passes
 * map_check. A header of 4 bytes (numbers of variables, results, constraints), 2 bytes per
 * variable's bounds, then expressions in prefix order. Missing bytes read as 0. A subexpression
 * that could leave int64 is replaced by its left operand. */
#ifndef GENERATE_DECODE_MAP_H
#define GENERATE_DECODE_MAP_H

#include "core/map/map.h"

[[nodiscard]] const Map *fuzz_decode_map(MapContext *context, const uint8_t *bytes, size_t size);

/* Two maps that compose, each from half of the bytes. The first one's results are repeated or cut
 * to the second one's dimensions. */
typedef struct FuzzPair {
  const Map *first, *second;
} FuzzPair;
[[nodiscard]] FuzzPair fuzz_decode_pair(MapContext *context, const uint8_t *bytes, size_t size);

#endif
