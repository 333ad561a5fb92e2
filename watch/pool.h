/* Judges steps in child processes: up to `jobs` at a time, each with a limit of processor time and
 * of memory. A child that is killed or fails makes its step UNKNOWN with a reason and does not
 * affect the other steps. */
#ifndef WATCH_POOL_H
#define WATCH_POOL_H

#include <sys/types.h>

#include "watch/step.h"

static constexpr uint32_t pool_most_jobs = 64;

typedef struct PoolJob {
  const char *before, *after;
  const ValuesLimits *limits;
  uint32_t number; /* of the step, chosen by the caller */
  pid_t child;     /* 0: free */
  int file;        /* in memory: the child's record */
  double started;  /* in clock_wall seconds */
} PoolJob;

typedef struct WorkerPool {
  uint32_t jobs;
  double seconds;  /* of processor time for one step */
  uint64_t memory; /* bytes for one step */
  PoolJob items[pool_most_jobs];
} WorkerPool;

/* KEEP: paths and limits, until the step has ended. Returns false, with an errno, if no process can
 * be started. The pool must not be full. */
[[nodiscard]] bool pool_start(WorkerPool *pool, uint32_t number, const char *before,
    const char *after, const ValuesLimits *limits);
[[nodiscard]] bool pool_is_full(const WorkerPool *pool);
[[nodiscard]] bool pool_is_empty(const WorkerPool *pool);
/* Returns a step that has ended, or false after a short wait. The verdict's texts are in the
 * arena. */
[[nodiscard]] bool pool_take(
    WorkerPool *pool, Arena *arena, uint32_t *number, StepVerdict *verdict);
/* Kills all running children. */
void pool_stop(WorkerPool *pool);

#endif
