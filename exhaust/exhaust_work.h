/* One process of a run: takes chunks, judges their cases, and appends finished chunks to the
 * journal. Its progress is in memory shared with the watching parent. If the process ends in the
 * middle of a case, another process continues after that case, and no case is judged twice. */
#ifndef EXHAUST_EXHAUST_WORK_H
#define EXHAUST_EXHAUST_WORK_H

#include <stdatomic.h>

#include "exhaust/exhaust_run.h"

typedef enum KeptRank : uint8_t { KEPT_LOST, KEPT_FAILED, KEPT_OPEN } KeptRank;
static constexpr uint32_t kept_rank_count = 3;

/* Progress in the current chunk: the tally contains all cases below `next`. */
typedef struct WorkProgress {
  bool is_open; /* there is a current chunk */
  uint64_t next, end;
  uint32_t upto[kept_rank_count]; /* number of kept cases of this rank or a higher one */
  JournalChunk chunk;
} WorkProgress;

/* A step is written into the unused element of `steps` and then made current at once. A process
 * that ends at any moment therefore leaves a complete step. */
typedef struct Slot {
  _Atomic bool is_at_work; /* it is judging: if it ends now, the current case ended it */
  _Atomic uint64_t number; /* of the current case, for the watching parent */
  _Atomic uint8_t current;
  WorkProgress steps[2];
  FaultGroups groups; /* of the cases that failed in this slot */
  EngineFaults faults;
  EngineAnswered answered; /* by a foreign engine */
} Slot;

typedef struct SharedWork {
  _Atomic uint64_t next, cases; /* distributed chunks; cases with a known result */
  _Atomic bool stop;
  _Atomic double first_failed; /* when the first case failed, by clock_wall; 0: none has */
  _Atomic int unwritten;       /* errno of a failed journal write; 0: all lines were written */
  Slot slots[exhaust_max_jobs];
} SharedWork;

/* The worker's exit status. */
static constexpr int worker_broken = 3;
[[nodiscard]] int exhaust_work(const ScopePlan *plan, const ExhaustOptions *options,
    const Journal *journal, SharedWork *shared, Slot *slot);
[[nodiscard]] bool exhaust_should_stop(const ExhaustOptions *options, const SharedWork *shared);

/* Counts and keeps the current case of an ended process as lost, and advances to the next case. */
void slot_lose(
    Slot *slot, SharedWork *shared, const ScopePlan *plan, ExhaustCount count, const char *end);
[[nodiscard]] const WorkProgress *slot_progress(const Slot *slot);

#endif
