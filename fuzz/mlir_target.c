/* Bytes are a map, given to MLIR: there and back it must be the same map (ours to keep); what MLIR itself folds and simplifies is compared as well,
 * and where that is another map it is a finding in MLIR: printed, counted apart and no crash. AFFIRM_MLIR names the library (core/mlir/load.h). */
#include "core/mlir/load.h"
#include "fuzz/decode_map.h"
#include "fuzz/harness.h"
#include "fuzz/target.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t compared, too_large, unsupported, theirs;

static void print_counts(void) {
  fprintf(stderr, "mlir: %llu comparisons; %llu not compared, too large; %llu refused; findings in MLIR: %llu\n", (unsigned long long)compared,
          (unsigned long long)too_large, (unsigned long long)unsupported, (unsigned long long)theirs);
}

static const MlirLibrary *library(Peer **peer) {
  static const MlirLibrary *opened;
  static Peer *one;
  Error error = {};
  if (opened == nullptr) {
    if (!mlir_library(&opened, &error)) {
      error_print(&error, stderr);
      exit(3);
    }
    one = opened->mlir_peer_create();
    atexit(print_counts);
  }
  *peer = one;
  return opened;
}

static bool is_same(Harness *harness, const Map *map, const Map *result, const char *body, SameVerdict *verdict) {
  Error error = {};
  if (!oracle_same_map(harness->oracle, map, result, 1 << 14, verdict, &error)) harness_fail("oracle", body, "%s", error.message);
  compared += verdict->answer != SAME_TOO_LARGE;
  too_large += verdict->answer == SAME_TOO_LARGE;
  return verdict->answer != SAME_NO;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  Peer *peer;
  const MlirLibrary *mlir = library(&peer);
  const Map *map = fuzz_decode_map(harness->context, bytes, size), *result;
  const char *body = harness_map_text(harness, map);
  Error error = {};
  SameVerdict verdict;
  if (!mlir->mlir_peer_round_trip(peer, harness->context, map, nullptr, &result, &error)) {
    unsupported++;
    return 0;
  }
  if (!is_same(harness, map, result, body, &verdict)) harness_fail("round_trip", body, "comes back as %s: %s", harness_map_text(harness, result), verdict.text);
  for (PeerStep step = PEER_FOLD; step <= PEER_SIMPLIFY; step++) {
    bool came = mlir->mlir_peer_map(peer, harness->context, map, step, &result, &error);
    unsupported += !came;
    if (!came || is_same(harness, map, result, body, &verdict) || theirs++ >= 20) continue;
    fprintf(stderr, "\n# mlir_%s\n# note: becomes %s: %s\nsame %s ; %s\n", step == PEER_FOLD ? "folds" : "simplifies", harness_map_text(harness, result), verdict.text, body, harness_map_text(harness, result));
  }
  return 0;
}
