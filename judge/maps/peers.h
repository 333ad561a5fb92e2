/* Four judges of one map's pairs: core/map's walk of the tree, the oracle's own arithmetic, MLIR
 * (the map in the simplified polyhedral form, verified, lowered and run through MLIR's own
 * pipeline) and isl (the map as an integer relation). A pair is a point of all variables with its
 * results.
 * Keeps: they agree only where each judge that was asked holds exactly the same pairs; where one
 * does not, the first point that differs is put to all of them, and the one that stands alone is
 * named. Who could not be asked (not installed, refused, too many points) is said, never
 * counted. */
#ifndef JUDGE_PEERS_H
#define JUDGE_PEERS_H

#include "core/adapters/mlir/load.h"
#include "oracle/oracle.h"

typedef enum PairJudge : uint8_t { PEER_WALK, PEER_ORACLE, PEER_MLIR, PEER_ISL } PairJudge;
static constexpr uint32_t peer_count = 4;
[[nodiscard]] const char *pair_judge_text(PairJudge peer);

static constexpr uint64_t peers_most_points = 1024; /* of a map's box */

typedef struct Peers {
  MapContext *context;
  Oracle *oracle;
  const MlirLibrary *mlir; /* nullptr: not here */
  int64_t (*spoil)(PairJudge peer,
      int64_t result); /* for tests: what a judge makes of a result; nullptr: nothing */
} Peers;

/* MLIR is opened where it is installed; `why` says why it is not there. */
[[nodiscard]] Peers peers_open(MapContext *context, Oracle *oracle, const char **why);

typedef struct PeersReport {
  bool agree;
  bool asked[peer_count];
  uint64_t pairs;
  char text[400]; /* "MLIR stands alone at d0=1, s0=0: (3), the others (2)"; who was not asked, and
                     why */
} PeersReport;

/* False where the walk itself is not possible: UNDEFINED, overflow, more points than
 * peers_most_points; report->text says which. */
[[nodiscard]] bool peers_compare(const Peers *peers, const Map *map, PeersReport *report);

#endif
