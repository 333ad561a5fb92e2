/* The bytes encode a map or, if the first byte is at least 128, choices for a map that matches or
 * nearly matches engine rules. The simplified map must be the same map by enumeration, be
 * idempotent, be no larger (core/simplify/normal/size.h; a longer text is only counted), and be
 * independent of the order of operands and constraints. A hash of the bytes selects samples: one
 * input in 512, and one in 64 of those too large to enumerate, is also proved; one in 256 is
 * checked step by step. Rejections by the engine are counted; a rejection in only one order is a
 * finding. */
#include "core/base/hash.h"
#include "core/simplify/normal/size.h"
#include "core/base/choices.h"
#include "generate/decode_map.h"
#include "generate/from_rules.h"
#include "generate/general_map.h"
#include "fuzz/harness/harness_map.h"
#include "fuzz/targets/target.h"
#include "judge/maps/canonical_form.h"

#include <string.h>

static uint64_t simplify_target_hash_of(const uint8_t *bytes, size_t size) {
  uint64_t hash = size;
  for (size_t i = 0; i < size; i++) hash = hash_mix(hash, bytes[i]);
  return hash;
}

/* Selects by the first byte: a map from rules, a map of random choices without an end, or
 * the decoded one. */
static const Map *map_of(Harness *harness, const uint8_t *bytes, size_t size, uint64_t hash) {
  if (size > 0 && bytes[0] == 127) {
    RandomChoices random = choices_of_seed(hash);
    return generate_general_map(harness->context, &random.choices);
  }
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
