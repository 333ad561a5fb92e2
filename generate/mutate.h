/* Mutation and crossover of decoded graphs by whole records: every result is again a byte string
 * that decodes to a valid graph. */
#ifndef GENERATE_MUTATE_H
#define GENERATE_MUTATE_H

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

/* Changes bytes[0..size) in place by one to three steps, up to `capacity` bytes, and returns the
 * new size. Deterministic in `seed`. `taken`, which may be nullptr, receives the set of mutations
 * (bit 1 << mutation) that changed bytes; an inapplicable mutation changes nothing. */
[[nodiscard]] size_t fuzz_mutate_graph(
    uint8_t *bytes, size_t size, size_t capacity, uint32_t seed, uint32_t *taken);

/* Combines two graphs into out[0..capacity): a head of the first and a tail of the second, or a
 * graft of the second inside the first. Records before the graft are its operands, and records
 * after it use its values. */
[[nodiscard]] size_t fuzz_cross_graphs(const uint8_t *first, size_t first_size,
    const uint8_t *second, size_t second_size, uint8_t *out, size_t capacity, uint32_t seed);

/* A graft: `count` operations of the second graph, starting at `from`, inserted before operation
 * `at` of the first, as many as fit the capacity. Both graphs must have these operations. */
typedef struct FuzzGraft {
  size_t from, count, at;
} FuzzGraft;
[[nodiscard]] size_t fuzz_graft_graph(const uint8_t *first, size_t first_size,
    const uint8_t *second, FuzzGraft graft, uint8_t *out, size_t capacity);

#endif
