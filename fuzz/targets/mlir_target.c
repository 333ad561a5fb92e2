/* The bytes encode two maps, which are converted to MLIR and back. Each must come back as the same
 * map, unless it has a form that is not converted; else the fault is affirm's. MLIR's own folding,
 * simplification and composition are compared as well. A difference there is a finding in MLIR: it
 * is printed and counted separately, and does not crash. */
#include "core/map/compose.h"
#include "generate/decode_map.h"
#include "fuzz/harness/harness_mlir.h"
#include "fuzz/targets/target.h"

static const char *const steps[] = {[PEER_FOLD] = "folds", [PEER_SIMPLIFY] = "simplifies"};

static void mlir_target_compare(
    Harness *harness, const char *step, const Map *map, bool done, const Map *result) {
  const char *body = harness_map_text(harness, map);
  Verdict verdict;
  harness->rejected += !done;
  if (done && !harness_is_same(harness, map, result, body, &verdict))
    harness_report_theirs(harness, step, result, body, &verdict);
}

static void check_alone(Harness *harness, const HarnessPeer *mlir, const Map *map) {
  const char *body = harness_map_text(harness, map);
  const Map *result;
  Error error = {};
  Verdict verdict;
  bool done = mlir->library->mlir_peer_round_trip(
      mlir->peer, harness->context, map, nullptr, &result, &error);
  if (done && !harness_is_same(harness, map, result, body, &verdict))
    harness_fail(FOUND_ROUND_TRIP, body, "comes back as %s: %s", harness_map_text(harness, result),
        verdict_text(&verdict));
  if (!done && !mlir_may_reject(&error))
    harness_fail(FOUND_ROUND_TRIP, body, "does not come back: %s", error.message);
  harness->rejected += !done;
  for (PeerStep step = PEER_FOLD; done && step <= PEER_SIMPLIFY; step++)
    mlir_target_compare(harness, steps[step], map,
        mlir->library->mlir_peer_map(mlir->peer, harness->context, map, step, &result, &error),
        result);
}

static void check_pair(Harness *harness, const HarnessPeer *mlir, const FuzzPair *pair) {
  const Map *both, *result;
  Error error = {};
  if (!map_compose(harness->context, pair->first, pair->second, &both, &error)) {
    harness->rejected++;
    return;
  }
  bool done = mlir->library->mlir_peer_compose(
      mlir->peer, harness->context, pair->first, pair->second, PEER_FOLD, &result, &error);
  mlir_target_compare(harness, "composes", both, done, result);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  HarnessPeer mlir = harness_peer();
  FuzzPair pair = fuzz_decode_pair(harness->context, bytes, size);
  check_alone(harness, &mlir, fuzz_decode_map(harness->context, bytes, size));
  check_pair(harness, &mlir, &pair);
  return 0;
}
