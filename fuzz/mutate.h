/* Mutation and crossover of decoded graphs, on whole records: each result is again a byte string that decodes to a valid graph. */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* Changes bytes[0..size) in place, at most to `room` bytes; gives the new size. Deterministic in `seed`. */
[[nodiscard]] size_t fuzz_mutate_graph(uint8_t *bytes, size_t size, size_t room, uint32_t seed);
/* Records of both, in order, into out[0..room). */
[[nodiscard]] size_t fuzz_cross_graphs(const uint8_t *first, size_t first_size, const uint8_t *second, size_t second_size,
                                       uint8_t *out, size_t room, uint32_t seed);

#endif
