/* The entry point that libFuzzer, AFL++ and the replay programs call. */
#ifndef FUZZ_TARGETS_TARGET_H
#define FUZZ_TARGETS_TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Hooks with libFuzzer's names. A target defines them if blind mutation would break the structure
 * of its bytes. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t capacity, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
    size_t second_size, uint8_t *out, size_t capacity, unsigned int seed);

#endif
