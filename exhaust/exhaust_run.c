/* The parent process judges nothing. It starts the workers, watches the resources that each worker
 * uses for its current case, and reads the journal when all workers have ended.
 * Keeps: a chunk is in the journal only if each of its cases was judged or ended its process. After
 * the run, the cases of all chunks are compared with the precomputed count. */
#define _GNU_SOURCE /* sigabbrev_np */

#include "exhaust/exhaust_run.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/base/process.h"
#include "core/base/program.h"
#include "exhaust/exhaust_work.h"

static constexpr uint64_t least_chunk = 128;
static constexpr uint64_t most_chunks = UINT64_C(1) << 20;
/* How long the current case may still run: processor time after the run stops by itself, wall-clock
 * time after a user asks it to end (cli/session_guard.h), and after the first failed case. */
static constexpr double seconds_after_stop = 2;
static constexpr double seconds_to_end = 0.1;

/* A process of the run, as the parent sees it. */
typedef struct Worker {
  pid_t process;     /* 0: none; -1: failed to start */
  uint64_t number;   /* of the case at which the parent last saw it */
  double before;     /* its processor time when the parent first saw that case */
  const char *lost;  /* why it was killed: "hung" or "memory": for that case; "": the run ends;
                        nullptr: it was not killed */
  uint64_t ended_in; /* the case during which an outside signal may have ended the previous
                        worker; UINT64_MAX: it was outside cases */
  uint32_t ended;    /* number of consecutive ends there */
} Worker;

typedef struct ExhaustRun {
  const ScopePlan *plan;
  const ExhaustOptions *options;
  Journal journal;
  SharedWork *shared;
  Worker workers[exhaust_max_jobs];
  uint64_t crashed, killed, replaced;
  double stop_time; /* when the parent first saw a request to end, or the end by the first failed
                       case; 0: neither */
  bool is_broken;   /* a process failed to start, or the journal could not be written */
} ExhaustRun;

/* The chunk size keeps the journal small. It depends only on the number of cases. */
static uint64_t exhaust_chunk_size(uint64_t cases) {
  uint64_t size = cases / most_chunks + 1;
  return size < least_chunk ? least_chunk : size;
}

typedef struct WorkerStart {
  ExhaustRun *run;
  uint32_t job;
} WorkerStart;

/* A file size limit is reported as a write error, not as a signal. */
static int worker_run(void *state) {
  const WorkerStart *start = state;
  ExhaustRun *run = start->run;
  signal(SIGXFSZ, SIG_IGN);
  return exhaust_work(
      run->plan, run->options, &run->journal, run->shared, &run->shared->slots[start->job]);
}

static void worker_start(ExhaustRun *run, uint32_t job) {
  WorkerStart start = {run, job};
  pid_t process = process_start(
      &(ProcessStart){.body = worker_run, .state = &start, .in = -1, .out = -1, .err = -1});
  Worker *worker = &run->workers[job];
  *worker = (Worker){.process = process,
      .number = UINT64_MAX,
      .ended_in = worker->ended_in,
      .ended = worker->ended};
  if (process < 0) run->is_broken = true;
}

static bool must_have_ended(const ExhaustRun *run) {
  return run->stop_time != 0 && clock_wall() - run->stop_time > seconds_to_end;
}

/* Returns why the worker must be killed, or nullptr. The limit is processor time, so that a busy
 * machine does not make a case hang. A worker at work without a case is writing to the journal. */
static const char *excess(ExhaustRun *run, Worker *worker, const Slot *slot) {
  const ExhaustOptions *options = run->options;
  uint64_t number = slot->number;
  if (slot->is_at_work && number == UINT64_MAX) return nullptr;
  if (must_have_ended(run)) return "";
  if (!slot->is_at_work) return nullptr;
  double seconds = process_seconds(worker->process);
  if (number != worker->number) {
    worker->number = number;
    worker->before = seconds;
  }
  seconds -= worker->before;
  if (seconds > (double)(options->case_seconds == 0 ? exhaust_case_seconds : options->case_seconds))
    return "hung";
  if (process_memory(worker->process) >
      (options->case_memory == 0 ? exhaust_case_memory : options->case_memory))
    return "memory";
  return run->shared->stop && seconds > seconds_after_stop ? "" : nullptr;
}

static void watch_worker(ExhaustRun *run, uint32_t job) {
  Worker *worker = &run->workers[job];
  if (worker->lost != nullptr) return;
  worker->lost = excess(run, worker, &run->shared->slots[job]);
  if (worker->lost != nullptr) kill(worker->process, SIGKILL);
}

static void name_end(int state, size_t capacity, char *end) {
  const char *name = WIFSIGNALED(state) ? sigabbrev_np(WTERMSIG(state)) : nullptr;
  if (WIFEXITED(state)) snprintf(end, capacity, "exit-%d", WEXITSTATUS(state));
  else if (name != nullptr) snprintf(end, capacity, "SIG%s", name);
  else snprintf(end, capacity, "signal-%d", WTERMSIG(state));
}

/* A run tolerates many crashes but few killed cases, because each killed case costs its full
 * limit. */
static bool has_lost_too_many(const ExhaustRun *run) {
  return run->killed >= exhaust_most_killed || run->crashed >= exhaust_most_crashed;
}

/* A signal that a person or a supervisor may have sent is blamed neither on the case, which is
 * judged again, nor on the run. After three such ends in one case, or outside cases, it is.
 * `number`: of the case, or UINT64_MAX. */
static bool is_replaced(Worker *worker, uint64_t number, int state) {
  static constexpr int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGKILL};
  static constexpr uint32_t most_ended = 3;
  bool is_by_others = false;
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    is_by_others |= WIFSIGNALED(state) && WTERMSIG(state) == signals[i];
  if (worker->lost != nullptr || !is_by_others) return false;
  worker->ended = worker->ended_in == number ? worker->ended + 1 : 1;
  worker->ended_in = number;
  return worker->ended < most_ended;
}

/* The worker's current case is lost, unless the case was finished just before the worker was killed
 * for it. */
static void note_lost(ExhaustRun *run, const Worker *worker, Slot *slot, int state) {
  const WorkProgress *progress = slot_progress(slot);
  char end[exhaust_end_capacity];
  if (worker->lost == nullptr) {
    name_end(state, sizeof end, end);
    slot_lose(slot, run->shared, run->plan, EXHAUST_crashed, end);
    run->crashed++;
  } else if (worker->lost[0] != 0 && progress->next == worker->number) {
    slot_lose(slot, run->shared, run->plan,
        strcmp(worker->lost, "hung") == 0 ? EXHAUST_hung : EXHAUST_grown, worker->lost);
    run->killed++;
  }
  if (has_lost_too_many(run)) run->shared->stop = true;
}

/* Another worker continues if this one ended while it was at work, or by a signal from outside. */
static void note_end(ExhaustRun *run, uint32_t job, int state) {
  Worker worker = run->workers[job];
  Slot *slot = &run->shared->slots[job];
  const WorkProgress *progress = slot_progress(slot);
  bool is_at_work = slot->is_at_work;
  bool is_in_case = is_at_work && progress->is_open && progress->next < progress->end;
  run->workers[job].process = 0;
  slot->is_at_work = false;
  if (is_replaced(&run->workers[job], is_in_case ? progress->next : UINT64_MAX, state)) {
    run->replaced++;
  } else if (is_in_case) {
    note_lost(run, &worker, slot, state);
  } else {
    bool is_well = !is_at_work && WIFEXITED(state) && WEXITSTATUS(state) == 0;
    run->is_broken |= worker.lost == nullptr && !is_well;
    if (!is_at_work) return;
  }
  if (!run->is_broken && !exhaust_should_stop(run->options, run->shared)) worker_start(run, job);
}

static bool watch(ExhaustRun *run, double begin, uint64_t all) {
  bool any = false;
  for (uint32_t job = 0; job < run->options->jobs; job++) {
    int state;
    pid_t process = run->workers[job].process;
    if (process <= 0) continue;
    if (process_wait(process, 0, &state)) note_end(run, job, state);
    else watch_worker(run, job);
    any |= run->workers[job].process > 0;
  }
  bool ends = run->options->stop != nullptr && run->options->stop(),
       has_first = run->options->first && exhaust_should_stop(run->options, run->shared);
  if (run->stop_time == 0 && (ends || has_first)) {
    run->shared->stop = true;
    run->stop_time = clock_wall();
  }
  if (run->options->progress != nullptr)
    run->options->progress(run->plan, run->shared->cases, all, clock_wall() - begin);
  return any;
}

static uint64_t cases_of_shard(const JournalHead *head) {
  uint64_t share = journal_share(head), cases = share * head->chunk_size;
  uint64_t last = head->shard + (share == 0 ? 0 : (share - 1) * head->shards);
  uint64_t end = (last + 1) * head->chunk_size;
  return share > 0 && end > head->cases ? cases - (end - head->cases) : cases;
}

static void take_kept(ExhaustResult *result, const KeptCase *cases, uint64_t count) {
  if (count > 0) memcpy(&result->named[result->kept], cases, count * sizeof *cases);
  result->kept += count;
}

/* Combines the journal with the results of unfinished chunks. A resumed run judges unfinished
 * chunks again. */
static void gather_result(const ExhaustRun *run, Arena *arena, ExhaustResult *result) {
  const Journal *journal = &run->journal;
  result->tally = journal->tally;
  result->is_complete =
      journal->tally.cases == result->cases && journal->done_count == journal_share(&journal->head);
  result->has_lost_too_many = has_lost_too_many(run);
  result->replaced = run->replaced;
  result->faults = ARENA_NEW(arena, EngineFaults, 1);
  result->named = ARENA_NEW(arena, KeptCase, journal->kept + run->options->jobs * journal_kept);
  take_kept(result, journal->cases, journal->kept);
  for (uint32_t job = 0; job < run->options->jobs; job++) {
    const FaultGroups *groups = &run->shared->slots[job].groups;
    for (uint32_t i = 0; i < groups->count; i++)
      fault_groups_add(&result->groups, &groups->items[i]);
    const EngineFaults *faults = &run->shared->slots[job].faults;
    for (uint32_t i = 0; i < faults->count; i++)
      engine_faults_add(result->faults, &faults->items[i]);
    if (run->options->engine != nullptr)
      engine_answered_add(run->options->engine, &run->shared->slots[job].answered);
    const WorkProgress *progress = slot_progress(&run->shared->slots[job]);
    if (!progress->is_open || journal_has(journal, progress->chunk.number)) continue;
    exhaust_tally_add(&result->tally, &progress->chunk.tally);
    take_kept(result, progress->chunk.cases, progress->chunk.kept);
  }
  qsort(result->named, result->kept, sizeof *result->named, kept_case_order);
}

/* MLIR's library file if MLIR is used, else nullptr. If MLIR cannot be opened, the judges report
 * it. Opened once, before the workers are started. */
static const char *open_judges(const ExhaustOptions *options) {
  const MlirLibrary *mlir;
  Error error = {};
  return options->stride > 0 && mlir_library(&mlir, &error) ? mlir_library_file() : nullptr;
}

/* A hash: different sets have different marks. */
static uint64_t opcodes_mark(const OpcodeSet *opcodes) {
  static constexpr uint32_t words = sizeof opcodes->words / sizeof *opcodes->words;
  uint64_t mark = 0;
  for (uint32_t i = 0; opcodes != nullptr && i < words; i++)
    mark = (mark ^ opcodes->words[i]) * UINT64_C(0x9e3779b97f4a7c15);
  return mark;
}

/* A hash of the accepted divergences, in any order. */
static uint64_t accepted_mark(const KnownFaults *accepted) {
  uint64_t mark = 0;
  for (uint32_t i = 0; accepted != nullptr && i < accepted->count; i++)
    mark +=
        checksum_bytes(checksum_start, accepted->items[i].name, strlen(accepted->items[i].name));
  return mark;
}

/* A mark of everything besides the scope that determines the counts: the program, the foreign
 * engine under test, what is asked of it and accepted, MLIR and the opcode filter. */
static uint64_t build_of(const ExhaustOptions *options) {
  return journal_build(open_judges(options)) ^
         (options->engine == nullptr ? 0 : engine_mark(options->engine)) ^
         opcodes_mark(options->opcodes) ^ accepted_mark(options->accepted) ^
         (options->simplifies_twice ? checksum_start : 0) ^
         (options->wants_exact ? checksum_bytes(checksum_start, "exact", 5) : 0);
}

static bool run_workers(ExhaustRun *run, Arena *arena, ExhaustResult *result, Error *error) {
  double begin = clock_wall();
  result->resumed = run->journal.tally.cases;
  result->cases = cases_of_shard(&run->journal.head);
  for (uint32_t job = 0; job < run->options->jobs; job++) worker_start(run, job);
  while (watch(run, begin, result->cases - result->resumed))
    nanosleep(&(struct timespec){.tv_nsec = 20'000'000}, nullptr);
  if (!journal_refresh(&run->journal, error)) return false;
  gather_result(run, arena, result);
  result->seconds = clock_wall() - begin;
  result->is_known = true;
  if (run->shared->unwritten != 0)
    return error_set(error, ERROR_ENVIRONMENT,
        "the journal cannot be written: %s; the %" PRIu64
        " cases that it holds are kept, --resume goes on from there",
        strerror(run->shared->unwritten), run->journal.tally.cases);
  if (run->is_broken && !result->is_complete && run->crashed + run->killed == 0)
    return error_set(error, ERROR_ENVIRONMENT, "a process of the run could not do its work");
  return true;
}

bool exhaust_run(const ScopePlan *plan, const ExhaustOptions *options, Arena *arena,
    ExhaustResult *result, Error *error) {
  assert(options->shards >= 1 && options->shard < options->shards && options->jobs >= 1 &&
         options->jobs <= exhaust_max_jobs);
  *result = (ExhaustResult){};
  if (options->journal != nullptr && program_hash() == 0)
    return error_set(error, ERROR_ENVIRONMENT,
        "the program's own file cannot be read, so that journals of different programs could not be told apart");
  if (options->journal != nullptr && options->engine != nullptr &&
      !engine_has_mark(options->engine, error))
    return false;
  /* Opened here once, MLIR's libraries are open in every process of this and later runs. A process
   * that opens them itself takes 0.12 seconds, as long as the cases of a small scope. */
  if (options->stride > 0 && options->engine == nullptr && !mlir_library_is_as_named(error))
    return false;
  ExhaustRun run = {.plan = plan, .options = options};
  JournalHead head = {.cases = plan->count,
      .chunk_size = exhaust_chunk_size(plan->count),
      .shard = options->shard,
      .shards = options->shards,
      .stride = options->stride,
      .build = build_of(options)};
  snprintf(head.scope, sizeof head.scope, "%s", plan->scope->name);
  snprintf(head.tier, sizeof head.tier, "%s", tier_text(plan->tier));
  run.shared =
      mmap(nullptr, sizeof *run.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (run.shared == MAP_FAILED) return error_set(error, ERROR_ENVIRONMENT, "%s", strerror(errno));
  bool ran = journal_open(&run.journal, options->journal, &head, options->resume, error);
  if (ran) {
    ran = run_workers(&run, arena, result, error);
    journal_close(&run.journal);
  }
  munmap(run.shared, sizeof *run.shared);
  return ran;
}
