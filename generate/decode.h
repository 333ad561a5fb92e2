/* Decodes bytes to HLO graphs. Decoding is total: every byte string is the text of a valid module.
 * A header of 4 bytes (wrapping of the body, number of outputs, shape and layout of the first
 * parameter) is followed by records of 16 bytes, one operation each, at most fuzz_max_operations.
 * Missing bytes read as 0. A record that does not fit the values so far becomes an operation that
 * does. A small edit of the bytes is therefore a small edit of the graph, and shorter strings make
 * smaller graphs. Tensors have at most fuzz_max_elements elements and rank at most 4. */
#ifndef GENERATE_DECODE_H
#define GENERATE_DECODE_H

#include "core/base/arena.h"

static constexpr uint32_t fuzz_max_operations = 12;
static constexpr int64_t fuzz_max_elements = 256;
static constexpr size_t fuzz_header_bytes = 4;
static constexpr size_t fuzz_record_bytes = 16;

/* The NUL-terminated text of the module, in the arena. */
[[nodiscard]] const char *fuzz_decode_graph(
    Arena *arena, const uint8_t *bytes, size_t size, size_t *length);

#endif
