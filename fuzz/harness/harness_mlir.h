/* MLIR as a peer of the fuzz targets: one library and one context for the process; AFFIRM_MLIR
 * names the library (core/adapters/mlir/load.h). */
#ifndef FUZZ_HARNESS_MLIR_H
#define FUZZ_HARNESS_MLIR_H

#include "core/adapters/mlir/load.h"
#include "fuzz/harness/harness.h"

typedef struct HarnessPeer {
  const MlirLibrary *library;
  Peer *peer;
} HarnessPeer;

/* Ends the process where the library is not there: nothing would be compared. */
[[nodiscard]] HarnessPeer harness_peer(void);
/* The same map by enumeration, counted. */
[[nodiscard]] bool harness_is_same(
    Harness *harness, const Map *map, const Map *result, const char *body, Verdict *verdict);
/* A finding that is not ours: the first twenty are printed as cases, all are counted. */
void harness_report_theirs(Harness *harness, const char *step, const Map *result, const char *body,
    const Verdict *verdict);

#endif
