/* A question about a collective, asked with devices: those of the smallest run that its groups or
 * pairs name. The oracle judges the engine's maps across devices. */
#ifndef JUDGE_DEVICES_H
#define JUDGE_DEVICES_H

#include "judge/maps/judge.h"

typedef struct DevicesJudgement {
  MapSet maps;
  /* Of the oracle; NOT_ASKED: no collective, or its attributes imply no run; UNDEFINED: so the
   * engine says; NO_MAPS: the engine rejects the question; REJECTED: the oracle does. */
  Verdict verdict;
  Error error; /* of NO_MAPS and REJECTED; the verdict's sentence is its message */
} DevicesJudgement;

void devices_judge(MapContext *context, Indexer *indexer, Oracle *oracle, const Question *question,
    DevicesJudgement *judgement);
/* A map misses a read, is said to be exact and holds more, or is rejected. */
[[nodiscard]] bool devices_are_wrong(const DevicesJudgement *judgement);

#endif
