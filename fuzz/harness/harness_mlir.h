/* MLIR for the fuzz targets: one library and one context per process. AFFIRM_MLIR names the library
 * (core/adapters/mlir/load.h). */
#ifndef FUZZ_HARNESS_HARNESS_MLIR_H
#define FUZZ_HARNESS_HARNESS_MLIR_H

#include "core/adapters/mlir/load.h"
#include "fuzz/harness/harness.h"

typedef struct HarnessPeer {
  const MlirLibrary *library;
  Peer *peer;
} HarnessPeer;

/* Ends the process with status 3 if the library is missing: nothing would be compared. */
[[nodiscard]] HarnessPeer harness_peer(void);
/* Checks by enumeration that both are the same map, and counts the result. False only if they
 * differ. */
[[nodiscard]] bool harness_is_same(
    Harness *harness, const Map *map, const Map *result, const char *body, Verdict *verdict);
/* Reports a finding in MLIR, not in affirm. The first twenty are printed as cases; all are
 * counted. */
void harness_report_theirs(Harness *harness, const char *step, const Map *result, const char *body,
    const Verdict *verdict);

#endif
