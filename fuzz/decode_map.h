/* Bytes to indexing maps, totally: every byte string is a map that passes map_check.
 * 4 bytes of header (numbers of variables, results, constraints), 2 bytes a variable's bounds, then expressions in prefix order;
 * missing bytes read as 0. A subexpression that could leave int64 becomes its left operand. */
#ifndef FUZZ_DECODE_MAP_H
#define FUZZ_DECODE_MAP_H

#include "core/map/map.h"

[[nodiscard]] const Map *fuzz_decode_map(MapContext *context, const uint8_t *bytes, size_t size);

#endif
