/* The empty target: what a fuzzing engine takes by itself. */
#include "fuzz/targets/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  (void)bytes;
  (void)size;
  return 0;
}
