/* The empty target: measures the time of the fuzzing engine itself. */
#include "fuzz/targets/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  (void)bytes;
  (void)size;
  return 0;
}
