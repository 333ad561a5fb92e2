/* A question about a collective, asked with devices: those of the smallest run that its groups or
 * pairs name. The engine's maps across devices go before the oracle. */
#ifndef JUDGE_DEVICES_H
#define JUDGE_DEVICES_H

#include "judge/maps/judge.h"

typedef enum DevicesEnd : uint8_t {
  DEVICES_JUDGED,
  DEVICES_NONE,       /* no collective, or its attributes imply no run */
  DEVICES_UNDEFINED,  /* so the engine says */
  DEVICES_REJECTED,   /* by the engine */
  DEVICES_NOT_JUDGED, /* by the oracle */
} DevicesEnd;

typedef struct DevicesJudgement {
  DevicesEnd end;
  MapSet maps;
  Verdict verdict; /* where judged */
  Error error;     /* where rejected or not judged */
} DevicesJudgement;

void devices_judge(
    Indexer *indexer, Oracle *oracle, const Question *question, DevicesJudgement *judgement);
/* A map misses a read, is said to be exact and holds more, or is rejected. */
[[nodiscard]] bool devices_are_wrong(const DevicesJudgement *judgement);

#endif
