/* Mutation and crossover of decoded graphs, on whole records: each result is again a byte string
 * that decodes to a valid graph. */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

typedef enum FuzzMutation : uint8_t {
#define FUZZ_MUTATION(name, weight) FUZZ_MUTATION_##name,
#include "generate/mutations.def"
#undef FUZZ_MUTATION
} FuzzMutation;

static constexpr uint32_t fuzz_mutation_count = 0
#define FUZZ_MUTATION(name, weight) +1
#include "generate/mutations.def"
#undef FUZZ_MUTATION
    ;

[[nodiscard]] const char *fuzz_mutation_name(FuzzMutation mutation);

/* Changes bytes[0..size) in place, at most to `room` bytes, by one to three steps; gives the new
 * size. Deterministic in `seed`. `taken`, which may be null, gets the set of mutations (bit 1 <<
 * mutation) that changed bytes; one that has no place to work in changes nothing. */
[[nodiscard]] size_t fuzz_mutate_graph(
    uint8_t *bytes, size_t size, size_t capacity, uint32_t seed, uint32_t *taken);

/* The first graph with operations of the second, into out[0..room): a head of the one and a tail of
 * the other, or a piece of the second inside the first, which is fed by what stands before it and
 * feeds what comes after. */
[[nodiscard]] size_t fuzz_cross_graphs(const uint8_t *first, size_t first_size,
    const uint8_t *second, size_t second_size, uint8_t *out, size_t capacity, uint32_t seed);

/* The second of the two: `count` operations of the second graph from `from` on, before operation
 * `at` of the first; as many as there is room for. Both graphs have these operations. */
typedef struct FuzzGraft {
  size_t from, count, at;
} FuzzGraft;
[[nodiscard]] size_t fuzz_graft_graph(const uint8_t *first, size_t first_size,
    const uint8_t *second, FuzzGraft graft, uint8_t *out, size_t capacity);

#endif
