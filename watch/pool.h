/* Steps judged by child processes: as many at a time as there are jobs, each under a limit of
 * processor time and of memory. A child that is killed or ends badly is an UNKNOWN step with its
 * reason, so that no step takes the others with it. */
#ifndef WATCH_POOL_H
#define WATCH_POOL_H

#include <sys/types.h>

#include "watch/step.h"

static constexpr uint32_t pool_most_jobs = 64;

typedef struct PoolJob {
  const char *before, *after;
  const ValuesLimits *limits;
  uint32_t number; /* the caller's */
  pid_t child;     /* 0: free */
  int file;        /* in memory: the record that the child writes */
  double started;  /* by clock_wall */
} PoolJob;

typedef struct WorkerPool {
  uint32_t jobs;
  double seconds;  /* of processor time for one step */
  uint64_t memory; /* bytes for one step */
  PoolJob items[pool_most_jobs];
} WorkerPool;

/* KEEP: paths and limits, until the step has ended. False where no process can be made, or all jobs
 * are taken. */
[[nodiscard]] bool pool_start(WorkerPool *pool, uint32_t number, const char *before,
    const char *after, const ValuesLimits *limits);
[[nodiscard]] bool pool_is_full(const WorkerPool *pool);
[[nodiscard]] bool pool_is_empty(const WorkerPool *pool);
/* One step that has ended, or false after a short wait. Texts of the verdict live in the arena. */
[[nodiscard]] bool pool_take(
    WorkerPool *pool, Arena *arena, uint32_t *number, StepVerdict *verdict);
/* Kills what still runs. */
void pool_stop(WorkerPool *pool);

#endif
