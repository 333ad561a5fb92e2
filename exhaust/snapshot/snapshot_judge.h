/* Judges the answers of a row before they are recorded. */
#ifndef EXHAUST_SNAPSHOT_SNAPSHOT_JUDGE_H
#define EXHAUST_SNAPSHOT_SNAPSHOT_JUDGE_H

#include "exhaust/snapshot/snapshot.h"

typedef struct SnapshotTally {
  uint64_t proved, refuted, open; /* judgements */
  uint64_t unanswered; /* questions without an answer to judge: undefined, or rejected */
  uint64_t unjudged;   /* rows without any judgement: rejected inputs, texts of rules */
} SnapshotTally;

/* The snapshot must have been created with judges. Maps: the simplified map is the same map, and
 * each answer of the algebra holds, where the map has few points. Pairs: the composition is the
 * same map before and after simplifying. Modules: each question about the entry's instructions. Not
 * judged: steps, numbers of the analysis, maps across devices. `words` receives a line for each
 * refuted or open judgement. */
void snapshot_judge(
    Snapshot *snapshot, const SnapshotInput *input, SnapshotTally *tally, Text *words);

#endif
