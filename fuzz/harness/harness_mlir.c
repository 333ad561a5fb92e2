/* The peer recreates its MLIR context by itself, so that memory stays constant. */
#include "fuzz/harness/harness_mlir.h"

#include <stdio.h>
#include <stdlib.h>

static constexpr uint64_t printed_findings = 20;

HarnessPeer harness_peer(void) {
  static HarnessPeer one;
  Error error = {};
  if (one.library != nullptr) return one;
  if (!mlir_library(&one.library, &error)) {
    error_print(&error, stderr);
    exit(3);
  }
  one.peer = one.library->mlir_peer_create();
  return one;
}

bool harness_is_same(
    Harness *harness, const Map *map, const Map *result, const char *body, Verdict *verdict) {
  Error error = {};
  if (!oracle_same_map(harness->oracle, map, result, 1 << 14, verdict, &error))
    harness_fail(FOUND_JUDGE, body, "%s", error.message);
  harness->answers[verdict->status == VERDICT_UNKNOWN ? REASON_TOO_LARGE : REASON_EXACT]++;
  return verdict->status != VERDICT_REFUTED;
}

void harness_report_theirs(Harness *harness, const char *step, const Map *result, const char *body,
    const Verdict *verdict) {
  if (harness->unequal++ >= printed_findings) return;
  const char *text = harness_map_text(harness, result);
  fprintf(stderr, "\n# mlir_%s\n# note: becomes %s: %s\nsame %s ; %s\n", step, text,
      verdict_text(verdict), body, text);
}
