/* Bytes are a map, or, where the first is 128 or more, choices of rules that it is made to match or nearly match. Simplified it must be the same map
 * by enumeration (and, by a hash of the bytes, by proof: one input in 512, and one in 64 of those too large to enumerate), simplify to itself,
 * print no larger, and come out the same whatever the order in which summands and constraints stood. What the engine refuses is counted. */
#include "core/base/hash.h"
#include "fuzz/decode_map.h"
#include "fuzz/from_rules.h"
#include "fuzz/harness_map.h"
#include "fuzz/target.h"

#include <string.h>

static uint64_t hash_of(const uint8_t *bytes, size_t size) {
  uint64_t hash = size;
  for (size_t i = 0; i < size; i++) hash = hash_mix(hash, bytes[i]);
  return hash;
}

static void check_again(Harness *harness, const char *kind, const Map *map, const char *body, const char *text) {
  const Map *result = harness_simplified(harness, map, body);
  if (result != nullptr) harness_require_alike(kind, body, text, harness_map_text(harness, result));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  bool by_rules = size > 0 && bytes[0] >= 128;
  const Map *map = by_rules ? fuzz_map_from_rules(harness->context, harness_rules(), bytes + 1, size - 1) : fuzz_decode_map(harness->context, bytes, size);
  const char *raw = harness_map_text(harness, map), *body = arena_printf(harness->arena, "simplify %s", raw);
  const Map *result = harness_simplified(harness, map, body);
  if (result == nullptr) return 0;
  const char *text = harness_map_text(harness, result);
  bool enumerated = harness_require_same(harness, map, result, body);
  if (hash_of(bytes, size) % (enumerated ? 512 : 64) == 0) harness_prove_same(harness, map, result, body);
  harness->larger += strlen(text) > strlen(raw);
  check_again(harness, "idempotent", result, body, text);
  check_again(harness, "order", harness_turned(harness, map), body, text);
  return 0;
}
