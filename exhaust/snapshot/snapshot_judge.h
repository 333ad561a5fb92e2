/* Judges the answers of a row before they are recorded. */
#ifndef EXHAUST_SNAPSHOT_SNAPSHOT_JUDGE_H
#define EXHAUST_SNAPSHOT_SNAPSHOT_JUDGE_H

#include "exhaust/snapshot/snapshot.h"

typedef struct SnapshotTally {
  uint64_t proved, refuted, open; /* judgements */
  uint64_t unanswered; /* questions without an answer to judge: an undefined map, no inverse */
  uint64_t unjudged;   /* rows without any judgement: rejected inputs, texts of rules */
  uint64_t in_part; /* rows with answers that nothing judges: of modules, and of compositions with
                       many points are not listed */
} SnapshotTally;

/* The snapshot must have been created with judges. Maps: the simplified map is the same map, and
 * each answer of the algebra holds, where the map has few points. Pairs: the composition is one map
 * after the other at every point, and the same map after simplifying; of many points some are
 * compared, which refute, but do not prove. Modules: each question about the entry's instructions.
 * A question that the engine rejects is open. Not judged: steps, numbers of the analysis, maps
 * across devices, maps of whole computations and of their producers. `words` receives a line for
 * each refuted or open judgement. */
void snapshot_judge(
    Snapshot *snapshot, const SnapshotInput *input, SnapshotTally *tally, Text *words);

#endif
