/* What one process of a run does: takes chunks, judges their cases, writes finished ones into the
 * journal. How far it has come stands in memory that it shares with the process that watches it, so
 * that where it ends in the middle of a case another one goes on after that case and nothing is
 * judged twice. */
#ifndef JUDGE_EXHAUST_WORK_H
#define JUDGE_EXHAUST_WORK_H

#include <stdatomic.h>

#include "exhaust/exhaust_run.h"

typedef enum KeptRank : uint8_t { KEPT_LOST, KEPT_FAILED, KEPT_OPEN } KeptRank;
static constexpr uint32_t kept_rank_count = 3;

/* Of a chunk at hand: all cases below `next` are in its tally. */
typedef struct WorkProgress {
  bool is_open; /* there is a chunk at hand */
  uint64_t next, end;
  uint32_t upto[kept_rank_count]; /* so many of its kept cases are of this rank or before it */
  JournalChunk chunk;
} WorkProgress;

/* A step is written beside the one before and then takes its place at once: a process that ends at
 * any moment leaves a whole one. */
typedef struct Slot {
  _Atomic bool is_at_work; /* it can judge: if it ends now, the case at hand has ended it */
  _Atomic uint64_t number; /* of the case at hand, for those who look on */
  _Atomic uint8_t current;
  WorkProgress steps[2];
  FaultGroups groups; /* of the cases that failed in this slot */
  EngineFaults faults;
} Slot;

typedef struct SharedWork {
  _Atomic uint64_t next,
      cases; /* chunks that were handed out; cases of which the result is known */
  _Atomic bool stop;
  _Atomic int unwritten; /* why the journal took no line; 0: it took all */
  Slot slots[exhaust_max_jobs];
} SharedWork;

/* The worker's exit status. */
static constexpr int worker_broken = 3;
[[nodiscard]] int exhaust_work(const ScopePlan *plan, const ExhaustOptions *options,
    const Journal *journal, SharedWork *shared, Slot *slot);
[[nodiscard]] bool exhaust_should_stop(const ExhaustOptions *options, const SharedWork *shared);

/* The case at hand of a process that is gone is counted and kept as lost, and the next one is at
 * hand. */
void slot_lose(
    Slot *slot, SharedWork *shared, const ScopePlan *plan, ExhaustCount count, const char *end);
[[nodiscard]] const WorkProgress *slot_progress(const Slot *slot);

#endif
