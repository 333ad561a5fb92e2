/* A child writes its record to a file in memory, which is read when the child has ended. Unlike a
 * pipe, such a file cannot fill up. */
#define _GNU_SOURCE
#include "watch/pool.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/process.h"
#include "watch/record.h"

static int judge_in_child(void *state) {
  const PoolJob *job = state;
  Arena *arena = arena_create();
  StepVerdict *verdict = ARENA_NEW(arena, StepVerdict, 1);
  Text text = text_create(arena);
  step_judge(arena, job->before, job->after, job->limits, verdict);
  record_print(&text, 0, verdict);
  return file_append(job->file, text.bytes, text.length) ? 0 : 1;
}

static PoolJob *find_free(WorkerPool *pool) {
  for (uint32_t i = 0; i < pool->jobs && i < pool_most_jobs; i++)
    if (pool->items[i].child == 0) return &pool->items[i];
  return nullptr;
}

bool pool_is_full(const WorkerPool *pool) {
  for (uint32_t i = 0; i < pool->jobs && i < pool_most_jobs; i++)
    if (pool->items[i].child == 0) return false;
  return true;
}

bool pool_is_empty(const WorkerPool *pool) {
  for (uint32_t i = 0; i < pool_most_jobs; i++)
    if (pool->items[i].child != 0) return false;
  return true;
}

bool pool_start(WorkerPool *pool, uint32_t number, const char *before, const char *after,
    const ValuesLimits *limits) {
  PoolJob *job = find_free(pool);
  assert(job != nullptr);
  *job = (PoolJob){.before = before,
      .after = after,
      .limits = limits,
      .number = number,
      .file = memfd_create("affirm-step", MFD_CLOEXEC),
      .started = clock_wall()};
  if (job->file < 0) return false;
  job->child = process_start(
      &(ProcessStart){.body = judge_in_child, .state = job, .in = -1, .out = -1, .err = -1});
  if (job->child > 0) return true;
  int why = errno;
  close(job->file);
  job->child = 0;
  errno = why;
  return false;
}

static bool read_record(const PoolJob *job, Arena *arena, StepVerdict *verdict) {
  struct stat status;
  uint64_t key;
  if (fstat(job->file, &status) != 0 || status.st_size <= 1) return false;
  char *bytes = ARENA_NEW(arena, char, (size_t)status.st_size);
  ssize_t length = pread(job->file, bytes, (size_t)status.st_size, 0);
  return length > 1 && record_parse(arena, bytes, (size_t)length - 1, &key, verdict);
}

static void set_ended(const WorkerPool *pool, const PoolJob *job, StepVerdict *verdict,
    const char *what, uint64_t number) {
  *verdict = (StepVerdict){.answer = REASON_OPEN, .seconds = clock_wall() - job->started};
  if (verdict->seconds > pool->seconds) verdict->seconds = pool->seconds;
  snprintf(verdict->reason, sizeof verdict->reason, "%s %llu", what, (unsigned long long)number);
}

/* True if the job has ended. A job beyond a limit is killed. */
static bool has_ended(
    const WorkerPool *pool, const PoolJob *job, Arena *arena, StepVerdict *verdict) {
  int state = 0;
  if (process_wait(job->child, 0, &state)) {
    if (read_record(job, arena, verdict)) return true;
    set_ended(pool, job, verdict, "the judge ended with status",
        WIFEXITED(state) ? (uint64_t)WEXITSTATUS(state) : 128 + (uint64_t)WTERMSIG(state));
    verdict->is_lost = true;
    return true;
  }
  if (process_seconds(job->child) > pool->seconds)
    set_ended(pool, job, verdict, "too long: seconds of processor time are more than",
        (uint64_t)pool->seconds);
  else if (process_memory(job->child) > pool->memory)
    set_ended(pool, job, verdict, "too large: megabytes are more than", pool->memory >> 20);
  else return false;
  (void)process_kill(job->child);
  return true;
}

bool pool_take(WorkerPool *pool, Arena *arena, uint32_t *number, StepVerdict *verdict) {
  static constexpr long first_nap = 100'000, longest_nap = 5'000'000; /* nanoseconds */
  for (long nap = first_nap; nap < longest_nap; nap *= 2) {
    for (uint32_t i = 0; i < pool->jobs && i < pool_most_jobs; i++) {
      PoolJob *job = &pool->items[i];
      if (job->child == 0 || !has_ended(pool, job, arena, verdict)) continue;
      *number = job->number;
      close(job->file);
      job->child = 0;
      return true;
    }
    nanosleep(&(struct timespec){.tv_nsec = nap}, nullptr);
  }
  return false;
}

void pool_stop(WorkerPool *pool) {
  for (uint32_t i = 0; i < pool_most_jobs; i++) {
    if (pool->items[i].child == 0) continue;
    (void)process_kill(pool->items[i].child);
    close(pool->items[i].file);
    pool->items[i].child = 0;
  }
}
