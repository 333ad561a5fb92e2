/* Bytes are a map, or, where the first is 128 or more, choices of rules that it is made to match or
 * nearly match. Simplified it must be the same map
 * by enumeration (and, by a hash of the bytes, by proof: one input in 512, and one in 64 of those
 * too large to enumerate), simplify to itself,
 * be no larger (core/simplify/normal/size.h; more characters are counted), and come out the same
 * whatever the order in which operands and constraints stood; one in 256 goes step by step. What
 * the engine rejects is counted; what it rejects in one order alone is a finding. */
#include "core/base/hash.h"
#include "core/map/test/random_map.h"
#include "core/simplify/normal/size.h"
#include "generate/decode_map.h"
#include "generate/from_rules.h"
#include "fuzz/harness/harness_map.h"
#include "fuzz/targets/target.h"
#include "judge/maps/canonical_form.h"

#include <string.h>

static uint64_t simplify_target_hash_of(const uint8_t *bytes, size_t size) {
  uint64_t hash = size;
  for (size_t i = 0; i < size; i++) hash = hash_mix(hash, bytes[i]);
  return hash;
}

/* By the first byte: from rules, at random (bounds of both signs, names of one's own), or as the
 * bytes say. */
static const Map *map_of(Harness *harness, const uint8_t *bytes, size_t size, uint64_t hash) {
  if (size > 0 && bytes[0] == 127)
    return random_map(harness->context, &(RandomMaps){hash, 4, 4, 3, 2, 40, 12});
  if (size > 0 && bytes[0] >= 128)
    return fuzz_map_from_rules(harness->context, harness_rules(), bytes + 1, size - 1);
  return fuzz_decode_map(harness->context, bytes, size);
}

static void check_again(
    Harness *harness, FindingKind kind, const Map *map, const char *body, const char *text) {
  const Map *result = harness_simplified(harness, map, body);
  harness_require_alike(
      kind, body, text, result == nullptr ? "refused" : harness_map_text(harness, result));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  uint64_t hash = simplify_target_hash_of(bytes, size);
  const Map *map = map_of(harness, bytes, size, hash);
  const char *raw = harness_map_text(harness, map),
             *body = arena_printf(harness->arena, "simplify %s", raw);
  const Map *result = harness_simplified(harness, map, body);
  if (result == nullptr) return 0;
  const char *text = harness_map_text(harness, result);
  bool enumerated = harness_require_same(harness, map, result, body);
  if (hash % (enumerated ? 512 : 64) == 0) harness_prove_same(harness, map, result, body);
  if (hash % 256 == 1) harness_check_trace(harness, map, body, text);
  harness->larger += strlen(text) > strlen(raw);
  if (size_of_text(text) > size_of_text(raw)) harness_fail(FOUND_LARGER, body, "becomes %s", text);
  check_again(harness, FOUND_IDEMPOTENT, result, body, text);
  check_again(harness, FOUND_ORDER, map_reordered(harness->context, map), body, text);
  return 0;
}
