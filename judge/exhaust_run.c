/* The processes of a run. The parent judges nothing: it hands out, watches, and reads the journal when all have ended.
 * Keeps: a chunk is in the journal only when each of its cases was judged; after the run the cases of all chunks are counted against the number computed before. */
#include "judge/exhaust_run.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static constexpr uint64_t least_chunk = 512;
static constexpr uint64_t most_chunks = UINT64_C(1) << 20;
static constexpr uint32_t most_crashes = 16;

typedef struct Slot {
  _Atomic uint64_t number;
  _Atomic bool is_judging;
} Slot;

typedef struct Shared {
  _Atomic uint64_t next, cases;
  _Atomic bool stop;
  _Atomic int unwritten; /* why the journal took no line; 0: it took all */
  Slot slots[exhaust_max_jobs];
} Shared;

typedef struct Run {
  const ScopePlan *plan;
  const ExhaustOptions *options;
  Journal journal;
  Shared *shared;
  pid_t workers[exhaust_max_jobs];
  uint32_t crashes;
  uint64_t crashed[most_crashes];
  bool is_broken; /* a process could not be started, or the journal could not be written */
} Run;

static constexpr int worker_broken = 3;

static double clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

uint64_t exhaust_chunk_size(uint64_t cases) {
  uint64_t size = cases / most_chunks + 1;
  return size < least_chunk ? least_chunk : size;
}

static bool should_stop(const Run *run) { return run->shared->stop || (run->options->stop != nullptr && run->options->stop()); }

/* Cases that failed stand before those that are open and push them out: an engine that leaves much open still shows its faults. */
static void keep_case(JournalChunk *chunk, uint32_t *failed, uint64_t number, bool is_failed) {
  assert(*failed <= chunk->kept && chunk->kept <= journal_kept);
  uint32_t at = is_failed ? *failed : chunk->kept;
  if (at == journal_kept) return;
  if (chunk->kept < journal_kept) chunk->kept++;
  chunk->cases[chunk->kept - 1] = chunk->cases[at];
  chunk->cases[at] = number;
  *failed += is_failed;
}

/* False when it was stopped between two cases: the chunk is dropped. */
static bool judge_chunk(Run *run, Examiner *examiner, Slot *slot, JournalChunk *chunk) {
  uint64_t first = chunk->number * run->journal.head.chunk_size;
  uint64_t end = first + run->journal.head.chunk_size;
  if (end > run->plan->count) end = run->plan->count;
  uint32_t failed = 0;
  for (uint64_t k = first; k < end; k++) {
    if (should_stop(run)) return false;
    slot->number = k;
    slot->is_judging = true;
    Status status = examiner_judge(examiner, k, &chunk->tally);
    slot->is_judging = false;
    if (status != STATUS_PROVED) keep_case(chunk, &failed, k, status == STATUS_REFUTED);
    run->shared->cases++;
  }
  return true;
}

static int work(Run *run, Slot *slot) {
  Error error = {};
  Examiner *examiner = examiner_create_of(run->plan, run->options->rules, run->options->engine, &error);
  if (examiner == nullptr) return worker_broken;
  examiner_call_all(examiner, run->options->stride);
  for (;;) {
    JournalChunk chunk = {.number = run->options->shard + run->shared->next++ * run->options->shards};
    if (chunk.number >= run->journal.chunk_count || should_stop(run)) break;
    if (journal_has(&run->journal, chunk.number)) continue;
    if (!judge_chunk(run, examiner, slot, &chunk)) break;
    if (!journal_append(&run->journal, &chunk)) {
      run->shared->unwritten = errno == 0 ? ENOSPC : errno;
      run->shared->stop = true;
      return worker_broken;
    }
  }
  examiner_destroy(examiner);
  return 0;
}

/* A worker ends with its parent, also with one that ends before this is said; a file that may not grow is an error of the write, not a signal. */
static void start(Run *run, uint32_t job) {
  pid_t parent = getpid();
  run->workers[job] = fork();
  if (run->workers[job] == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(worker_broken);
    signal(SIGXFSZ, SIG_IGN);
    _exit(work(run, &run->shared->slots[job]));
  }
  if (run->workers[job] < 0) run->is_broken = true;
}

/* A worker that ended; a crash is kept and another worker takes its place, up to a limit. */
static void note_end(Run *run, uint32_t job, int state) {
  run->workers[job] = 0;
  if (WIFEXITED(state)) {
    run->is_broken |= WEXITSTATUS(state) != 0;
    return;
  }
  Slot *slot = &run->shared->slots[job];
  if (!slot->is_judging || run->crashes == most_crashes) {
    run->is_broken = true;
    return;
  }
  slot->is_judging = false;
  run->crashed[run->crashes++] = slot->number;
  if (!should_stop(run)) start(run, job);
}

static bool watch(Run *run, double begin, uint64_t all) {
  bool any = false;
  for (uint32_t job = 0; job < run->options->jobs; job++) {
    int state;
    if (run->workers[job] <= 0) continue;
    pid_t ended = waitpid(run->workers[job], &state, WNOHANG);
    if (ended == run->workers[job]) note_end(run, job, state);
    any |= run->workers[job] > 0;
  }
  if (run->options->stop != nullptr && run->options->stop()) run->shared->stop = true;
  if (run->options->progress != nullptr) run->options->progress(run->plan, run->shared->cases, all, clock_now() - begin);
  return any;
}

static uint64_t cases_of_shard(const JournalHead *head) {
  uint64_t share = journal_share(head), cases = share * head->chunk_size;
  uint64_t last = head->shard + (share == 0 ? 0 : (share - 1) * head->shards);
  uint64_t end = (last + 1) * head->chunk_size;
  return share > 0 && end > head->cases ? cases - (end - head->cases) : cases;
}

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void gather_result(Run *run, Arena *arena, ExhaustResult *result) {
  result->tally = run->journal.tally;
  result->is_complete = run->journal.tally.cases == result->cases && run->journal.done_count == journal_share(&run->journal.head);
  result->kept = run->journal.kept + run->crashes;
  result->numbers = ARENA_NEW(arena, uint64_t, result->kept + 1);
  if (run->journal.kept > 0) memcpy(result->numbers, run->journal.cases, run->journal.kept * sizeof *result->numbers);
  for (uint32_t i = 0; i < run->crashes; i++) result->numbers[run->journal.kept + i] = run->crashed[i];
  qsort(result->numbers, result->kept, sizeof *result->numbers, by_number);
  result->tally.failed += run->crashes;
  result->tally.counts[EXHAUST_crashed] += run->crashes;
}

/* MLIR's file where it is asked, nullptr where it is not or cannot be, which the judges then say themselves. Opened once, before there are several processes. */
static const char *open_judges(const ExhaustOptions *options) {
  const MlirLibrary *mlir;
  Error error = {};
  return options->stride > 0 && mlir_library(&mlir, &error) ? mlir_library_file() : nullptr;
}

/* What decides the counts besides the scope: the program, the foreign engine under test, MLIR. */
static uint64_t build_of(const ExhaustOptions *options) {
  return journal_build(open_judges(options)) ^ (options->engine == nullptr ? 0 : engine_mark(options->engine));
}

static bool run_workers(Run *run, Arena *arena, ExhaustResult *result, Error *error) {
  double begin = clock_now();
  result->resumed = run->journal.tally.cases;
  result->cases = cases_of_shard(&run->journal.head);
  for (uint32_t job = 0; job < run->options->jobs; job++) start(run, job);
  while (watch(run, begin, result->cases - result->resumed)) nanosleep(&(struct timespec){.tv_nsec = 20'000'000}, nullptr);
  if (!journal_refresh(&run->journal, error)) return false;
  gather_result(run, arena, result);
  result->seconds = clock_now() - begin;
  if (run->shared->unwritten != 0)
    return error_set(error, ERROR_ENVIRONMENT, "the journal cannot be written: %s; the %" PRIu64 " cases that it holds are kept, --resume goes on from there",
                     strerror(run->shared->unwritten), result->tally.cases);
  if (run->is_broken && !result->is_complete && run->crashes == 0) return error_set(error, ERROR_ENVIRONMENT, "a process of the run could not do its work");
  return true;
}

bool exhaust_run(const ScopePlan *plan, const ExhaustOptions *options, Arena *arena, ExhaustResult *result, Error *error) {
  assert(options->shards >= 1 && options->shard < options->shards && options->jobs >= 1 && options->jobs <= exhaust_max_jobs);
  *result = (ExhaustResult){};
  Run run = {.plan = plan, .options = options};
  JournalHead head = {.cases = plan->count, .chunk_size = exhaust_chunk_size(plan->count), .shard = options->shard, .shards = options->shards,
                      .stride = options->stride, .build = build_of(options)};
  snprintf(head.scope, sizeof head.scope, "%s", plan->scope->name);
  snprintf(head.tier, sizeof head.tier, "%s", tier_text(plan->tier));
  run.shared = mmap(nullptr, sizeof *run.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (run.shared == MAP_FAILED) return error_set(error, ERROR_ENVIRONMENT, "%s", strerror(errno));
  bool ran = journal_open(&run.journal, options->journal, &head, options->resume, error);
  if (ran) {
    ran = run_workers(&run, arena, result, error);
    journal_close(&run.journal);
  }
  munmap(run.shared, sizeof *run.shared);
  return ran;
}
