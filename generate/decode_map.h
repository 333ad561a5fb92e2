/* Decodes bytes to general maps (generate/general_map.h), one byte per choice. Missing bytes read
 * as 0, so that every byte string is a map. */
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
