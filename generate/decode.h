/* Bytes to HLO graphs, totally: every byte string is the text of a valid module.
 * A header of 4 bytes (how the body is wrapped, how many outputs, the first parameter's shape and
 * its layout), then records of 16 bytes, one operation each, at most fuzz_max_operations; missing
 * bytes read as 0. A record that does not fit the values made so far becomes an operation that
 * does,
 * so that a small edit of the bytes is a small edit of the graph, and shorter strings make smaller
 * graphs.
 * Tensors have at most fuzz_max_elements elements and rank at most 4. */
#ifndef FUZZ_DECODE_H
#define FUZZ_DECODE_H

#include "core/base/arena.h"

static constexpr uint32_t fuzz_max_operations = 12;
static constexpr int64_t fuzz_max_elements = 256;
static constexpr size_t fuzz_header_bytes = 4;
static constexpr size_t fuzz_record_bytes = 16;

/* The text of the module, NUL-terminated, in the arena. */
[[nodiscard]] const char *fuzz_decode_graph(
    Arena *arena, const uint8_t *bytes, size_t size, size_t *length);

#endif
