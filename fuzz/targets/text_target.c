/* The bytes are text for one of the parsers, selected by the first byte: a map, rules, HLO, cases.
 * An accepted text must print and read back to the same. The error of a rejected text must have a
 * position. */
#include "fuzz/harness/harness_text.h"
#include "fuzz/targets/target.h"

static void (*const readers[])(Harness *, const Source *) = {
    harness_read_map, harness_read_rules, harness_read_hlo, harness_read_cases};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  if (size == 0) return 0;
  const char *text = arena_text(harness->arena, (const char *)bytes + 1, size - 1);
  Source source = {.name = "fuzz", .text = text, .length = size - 1, .first_line = 1};
  readers[bytes[0] % 4](harness, &source);
  return 0;
}
