/* Judges the maps of a collective across devices. The devices are the smallest mesh that the
 * groups or pairs of the collective name. Only the oracle judges such maps. */
#ifndef JUDGE_MAPS_DEVICES_H
#define JUDGE_MAPS_DEVICES_H

#include "judge/maps/judge.h"

typedef struct DevicesJudgement {
  MapSet maps;
  /* The oracle's. NOT_ASKED: no collective, or its attributes imply no mesh; UNDEFINED: the
   * engine's answer; NO_MAPS: the engine rejects the question; REJECTED: the oracle rejects it. */
  Verdict verdict;
  Error error; /* of NO_MAPS and REJECTED; the verdict's sentence is its message */
} DevicesJudgement;

void devices_judge(MapContext *context, Indexer *indexer, Oracle *oracle, const Question *question,
    DevicesJudgement *judgement);
/* True if the maps miss a read, claim exactness and contain more, or are rejected. */
[[nodiscard]] bool devices_are_wrong(const DevicesJudgement *judgement);

#endif
