/* Linked into the target mlir with --wrap=harness_peer: MLIR as a peer that converts no map back.
 * The target must report it. */
#include "fuzz/harness/harness_mlir.h"

HarnessPeer __real_harness_peer(void);
HarnessPeer __wrap_harness_peer(void);

static bool never_back(Peer *, MapContext *, const Map *, Text *, const Map **, Error *error) {
  return error_set(error, ERROR_INPUT, "a test");
}

HarnessPeer __wrap_harness_peer(void) {
  static MlirLibrary library;
  HarnessPeer peer = __real_harness_peer();
  library = *peer.library;
  library.mlir_peer_round_trip = never_back;
  peer.library = &library;
  return peer;
}
