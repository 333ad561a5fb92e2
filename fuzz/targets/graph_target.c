/* The bytes encode an HLO graph. The oracle judges the engine's maps of every instruction of its
 * entry, in both directions. The printed graph must read back to the same graph. A graph that was
 * judged before in this process is only counted. */
#include "generate/decode.h"
#include "fuzz/harness/harness_graph.h"
#include "generate/mutate.h"
#include "fuzz/targets/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  size_t length;
  const char *hlo = fuzz_decode_graph(harness->arena, bytes, size, &length);
  if (!harness_is_new(harness, hlo, length)) return 0;
  const Module *module = harness_module(harness, hlo, length, "decoded");
  harness_check_text(harness, module, hlo);
  harness_judge_module(harness, module, hlo);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t capacity, unsigned int seed) {
  return fuzz_mutate_graph(bytes, size, capacity, seed, nullptr);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
    size_t second_size, uint8_t *out, size_t capacity, unsigned int seed) {
  return fuzz_cross_graphs(first, first_size, second, second_size, out, capacity, seed);
}
