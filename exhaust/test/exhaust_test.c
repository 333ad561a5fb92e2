/* Tests of runs: shards add up to the whole, a run killed at any moment resumes where it stopped,
 * and torn and foreign journals are handled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/file.h"
#include "core/base/test/length.h"
#include "exhaust/exhaust_run.h"

static char directory[512];

static const char *path_of(const char *name) {
  static char paths[4][544];
  static uint32_t next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", directory, name);
  return path;
}

static ScopePlan *small_plan(void) {
  return scope_plan_of_size(scope_find("pad"), TIER_GATE,
      getenv("AFFIRM_FEW") == nullptr ? (ScopeSize){2, 3}
      : test_is_brief()               ? (ScopeSize){1, 6}
                                      : (ScopeSize){1, 24});
}

static ExhaustResult exhaust_scope_run(
    const ScopePlan *plan, const ExhaustOptions *options, Arena *arena) {
  ExhaustResult result;
  Error error = {};
  if (!exhaust_run(plan, options, arena, &result, &error)) fail_msg("%s", error.message);
  return result;
}

static void same_tally(const ExhaustTally *a, const ExhaustTally *b) {
  assert_memory_equal(a, b, sizeof *a);
}

static void shards_add_up(void **) {
  Arena *arena = arena_create();
  ScopePlan *plan = small_plan();
  ExhaustResult whole = exhaust_scope_run(plan, &(ExhaustOptions){.jobs = 2, .shards = 1}, arena);
  assert_true(whole.is_complete && whole.cases == plan->count && whole.tally.cases == plan->count);
  assert_int_equal(whole.tally.failed + whole.tally.open, 0);
  assert_true(whole.tally.counts[EXHAUST_exact] >= 2 * plan->count);
  Journal all = {.file = -1};
  Error error = {};
  for (uint64_t shard = 0; shard < 3; shard++) {
    char name[16];
    snprintf(name, sizeof name, "shard%u", (unsigned)shard);
    ExhaustResult part = exhaust_scope_run(plan,
        &(ExhaustOptions){.jobs = 1, .shard = shard, .shards = 3, .journal = path_of(name)}, arena);
    assert_true(part.is_complete);
    Journal one;
    assert_true(journal_read(&one, path_of(name), &error));
    assert_true(journal_merge(&all, &one, &error));
    assert_int_equal(all.done_count == all.chunk_count, shard == 2);
    if (shard == 2) assert_false(journal_merge(&all, &one, &error));
    journal_close(&one);
  }
  same_tally(&all.tally, &whole.tally);
  journal_close(&all);
  scope_plan_destroy(plan);
  arena_destroy(arena);
}

/* Only fusions of the named opcodes are judged, as many as exist without a filter. The others are
 * counted as left out. */
static void other_opcodes_are_left_out(void **) {
  Arena *arena = arena_create();
  ScopePlan *plan = scope_plan_of_size(scope_find("wrapped"), TIER_GATE, (ScopeSize){1, 2});
  OpcodeSet some, none;
  assert_true(opcode_set_of_option(&some, "reverse,transpose"));
  assert_true(opcode_set_of_option(&none, "fft"));
  assert_false(opcode_set_of_option(&none, "fft,nothing"));
  assert_true(opcode_set_of_option(&none, "fft"));
  ExhaustResult queries = exhaust_scope_run(
                    plan, &(ExhaustOptions){.jobs = 1, .shards = 1, .opcodes = &some}, arena),
                not= exhaust_scope_run(
                    plan, &(ExhaustOptions){.jobs = 1, .shards = 1, .opcodes = &none}, arena);
  uint64_t left_out = queries.tally.counts[EXHAUST_left_out];
  if (left_out == 0 || left_out >= plan->count || queries.tally.counts[EXHAUST_exact] == 0)
    fail_msg(
        "left out %llu of %llu", (unsigned long long)left_out, (unsigned long long)plan->count);
  assert_int_equal(not.tally.counts[EXHAUST_left_out], plan->count);
  assert_int_equal(not.tally.counts[EXHAUST_exact], 0);
  scope_plan_destroy(plan);
  arena_destroy(arena);
}

/* Scopes of other kinds: three shards add up to the whole, with a sample given to all judges. */
static void every_kind_of_scope_is_cut_exactly(void **) {
  static const struct {
    const char *name;
    ScopeSize size;
  } rows[] = {{"empty-operands", {1, 1}}, {"wrapped", {1, 1}}, {"collective", {1, 2}},
      {"computed-offset", {1, 2}}, {"maps", {3, 0}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    ScopePlan *plan = scope_plan_of_size(scope_find(rows[i].name), TIER_GATE, rows[i].size);
    uint64_t stride = plan->count / 2 + 1;
    ExhaustResult whole =
        exhaust_scope_run(plan, &(ExhaustOptions){.jobs = 2, .shards = 1, .stride = stride}, arena);
    assert_true(whole.is_complete && whole.tally.cases == plan->count &&
                whole.tally.failed + whole.tally.open == 0);
    ExhaustTally all = {};
    for (uint64_t shard = 0; shard < 3; shard++) {
      ExhaustResult part = exhaust_scope_run(
          plan, &(ExhaustOptions){.jobs = 1, .shard = shard, .shards = 3, .stride = stride}, arena);
      assert_true(part.is_complete);
      exhaust_tally_add(&all, &part.tally);
    }
    same_tally(&all, &whole.tally);
    scope_plan_destroy(plan);
    arena_destroy(arena);
  }
}

/* Scatters have over-approximations of several maps, which are not compared with the other
 * direction. Reversals are exact. */
static void directions_that_are_not_compared_are_counted(void **) {
  static const char *const names[] = {"reverse", "scatter"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    Arena *arena = arena_create();
    ScopePlan *plan = scope_plan_of_size(scope_find(names[i]), TIER_GATE, (ScopeSize){1, 2});
    ExhaustResult result =
        exhaust_scope_run(plan, &(ExhaustOptions){.jobs = 1, .shards = 1}, arena);
    assert_true(result.is_complete && result.tally.failed + result.tally.open == 0);
    assert_int_equal(result.tally.counts[EXHAUST_unmatched] > 0, i == 1);
    scope_plan_destroy(plan);
    arena_destroy(arena);
  }
}

/* Answers of the gate that are open and pass: an engine or a judge that leaves one more open must
 * change its number here. */
static void tolerated_answers_have_their_numbers(void **) {
  static const struct {
    const char *name;
    ExhaustCount count;
    uint64_t times;
  } rows[] = {{"algebra", EXHAUST_no_inverse, 22}, {"algebra-constrained", EXHAUST_no_inverse, 9},
      {"graphs", EXHAUST_alike, 24}};
  if (test_is_brief()) {
    print_message("skipped: the numbers are those of all cases of the gate\n");
    skip();
  }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    ScopePlan *plan = scope_plan_create(scope_find(rows[i].name), TIER_GATE);
    ExhaustResult result =
        exhaust_scope_run(plan, &(ExhaustOptions){.jobs = 2, .shards = 1}, arena);
    assert_true(result.is_complete && result.tally.failed + result.tally.open == 0);
    if (result.tally.counts[rows[i].count] != rows[i].times)
      fail_msg("the scope %s has %llu of '%s', its row here states %llu", rows[i].name,
          (unsigned long long)result.tally.counts[rows[i].count], exhaust_count_text(rows[i].count),
          (unsigned long long)rows[i].times);
    scope_plan_destroy(plan);
    arena_destroy(arena);
  }
}

/* A child process with two workers is killed after a time that grows with each call. No worker that
 * still writes may survive. */
static bool run_and_kill(const ScopePlan *plan, const char *path, long microseconds) {
  pid_t child = fork();
  if (child == 0) {
    Arena *arena = arena_create();
    ExhaustResult result;
    Error error = {};
    bool ran = exhaust_run(plan,
        &(ExhaustOptions){.jobs = 2, .shards = 1, .journal = path, .resume = true}, arena, &result,
        &error);
    _exit(ran && result.is_complete ? 0 : 1);
  }
  nanosleep(&(struct timespec){.tv_sec = microseconds / 1000000,
                .tv_nsec = microseconds % 1000000 * 1000},
      nullptr);
  kill(child, SIGKILL);
  int state;
  assert_int_equal(waitpid(child, &state, 0), child);
  return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

static void killed_runs_go_on(void **) {
  Arena *arena = arena_create();
  ScopePlan *plan = small_plan();
  ExhaustResult whole = exhaust_scope_run(plan, &(ExhaustOptions){.jobs = 2, .shards = 1}, arena);
  const char *path = path_of("killed");
  uint32_t kills = 0;
  srand(7);
  for (bool is_done = false; !is_done && kills < 500; kills++)
    is_done = run_and_kill(plan, path, rand() % (50000 * (kills + 1)));
  ExhaustResult rest = exhaust_scope_run(
      plan, &(ExhaustOptions){.jobs = 2, .shards = 1, .journal = path, .resume = true}, arena);
  assert_true(rest.is_complete && kills > 1);
  same_tally(&rest.tally, &whole.tally);
  Journal journal;
  Error error = {};
  assert_true(journal_read(&journal, path, &error));
  assert_int_equal(journal.repeated, 0);
  assert_int_equal(journal.done_count, journal.chunk_count);
  journal_close(&journal);
  scope_plan_destroy(plan);
  arena_destroy(arena);
}

/* A file size limit simulates a full disk: the error says so, and written chunks are not judged
 * again. */
static void full_disks_lose_nothing(void **) {
  Arena *arena = arena_create();
  ScopePlan *plan = small_plan();
  const char *path = path_of("full");
  ExhaustResult whole = exhaust_scope_run(plan, &(ExhaustOptions){.jobs = 2, .shards = 1}, arena);
  pid_t child = fork();
  if (child == 0) {
    ExhaustResult result;
    Error error = {};
    signal(SIGXFSZ, SIG_IGN);
    bool is_limited = setrlimit(RLIMIT_FSIZE, &(struct rlimit){400, 400}) == 0;
    bool ran = exhaust_run(
        plan, &(ExhaustOptions){.jobs = 2, .shards = 1, .journal = path}, arena, &result, &error);
    _exit(is_limited && !ran && result.is_known && result.tally.cases > 0 && !result.is_complete &&
                  error.kind == ERROR_ENVIRONMENT &&
                  strstr(error.message, "cannot be written") != nullptr
              ? 0
              : 1);
  }
  int state;
  assert_int_equal(waitpid(child, &state, 0), child);
  assert_true(WIFEXITED(state) && WEXITSTATUS(state) == 0);
  ExhaustResult rest = exhaust_scope_run(
      plan, &(ExhaustOptions){.jobs = 2, .shards = 1, .journal = path, .resume = true}, arena);
  assert_true(rest.is_complete && rest.resumed > 0 && rest.resumed < rest.cases);
  same_tally(&rest.tally, &whole.tally);
  scope_plan_destroy(plan);
  arena_destroy(arena);
}

static void cut_file(const char *path, off_t bytes) {
  int file = open(path, O_RDWR);
  off_t size = lseek(file, 0, SEEK_END);
  assert_int_equal(ftruncate(file, size - bytes), 0);
  close(file);
}

static void torn_lines_are_done_again(void **) {
  Arena *arena = arena_create();
  ScopePlan *plan = small_plan();
  const char *path = path_of("torn");
  ExhaustResult whole =
      exhaust_scope_run(plan, &(ExhaustOptions){.jobs = 1, .shards = 1, .journal = path}, arena);
  for (off_t bytes = 1; bytes < 60; bytes += test_length(19, 19, 57)) {
    cut_file(path, bytes);
    Journal journal;
    Error error = {};
    assert_true(journal_read(&journal, path, &error));
    assert_int_equal(journal.torn, 1);
    assert_int_equal(journal.done_count, journal.chunk_count - 1);
    journal_close(&journal);
    ExhaustResult again = exhaust_scope_run(
        plan, &(ExhaustOptions){.jobs = 1, .shards = 1, .journal = path, .resume = true}, arena);
    assert_true(again.is_complete && again.resumed > 0);
    assert_int_equal(again.resumed == again.cases, bytes == 1);
    same_tally(&again.tally, &whole.tally);
    unlink(path);
    (void)exhaust_scope_run(
        plan, &(ExhaustOptions){.jobs = 1, .shards = 1, .journal = path}, arena);
  }
  scope_plan_destroy(plan);
  arena_destroy(arena);
}

static void other_journals_are_rejected(void **) {
  Arena *arena = arena_create();
  ScopePlan *plan = small_plan();
  const char *path = path_of("foreign");
  (void)exhaust_scope_run(plan, &(ExhaustOptions){.jobs = 1, .shards = 1, .journal = path}, arena);
  ExhaustResult result;
  Error error = {};
  assert_false(exhaust_run(
      plan, &(ExhaustOptions){.jobs = 1, .shards = 1, .journal = path}, arena, &result, &error));
  error = (Error){};
  assert_false(exhaust_run(plan,
      &(ExhaustOptions){.jobs = 1, .shards = 1, .stride = 7, .journal = path, .resume = true},
      arena, &result, &error));
  error = (Error){};
  assert_false(exhaust_run(plan,
      &(ExhaustOptions){.jobs = 1, .shard = 1, .shards = 2, .journal = path, .resume = true}, arena,
      &result, &error));
  ScopePlan *other = scope_plan_of_size(scope_find("reverse"), TIER_GATE, (ScopeSize){2, 3});
  error = (Error){};
  assert_false(
      exhaust_run(other, &(ExhaustOptions){.jobs = 1, .shards = 1, .journal = path, .resume = true},
          arena, &result, &error));
  assert_int_equal(error.kind, ERROR_INPUT);
  FILE *file = fopen(path, "a");
  fputs("chunk 0 cases 1 failed 0 open 0\nrubbish\n", file);
  fclose(file);
  Journal journal;
  error = (Error){};
  assert_true(journal_read(&journal, path, &error));
  assert_int_equal(journal.torn, 2);
  journal_close(&journal);
  scope_plan_destroy(other);
  scope_plan_destroy(plan);
  arena_destroy(arena);
}

/* Text files, and a journal of another run, without a line break at their ends. */
static void rejected_files_stay_as_they_are(void **) {
  ScopePlan *plan = small_plan();
  const char *path = path_of("notes"),
             *texts[] = {"my notes", "affirm-exhaust", "two\nlines", nullptr};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Arena *arena = arena_create();
    ScopePlan *other = scope_plan_of_size(scope_find("reverse"), TIER_GATE, (ScopeSize){1, 2});
    if (texts[i] == nullptr) {
      unlink(path);
      (void)exhaust_scope_run(
          other, &(ExhaustOptions){.jobs = 1, .shards = 1, .journal = path}, arena);
      cut_file(path, 1);
    } else {
      FILE *file = fopen(path, "w");
      fputs(texts[i], file);
      fclose(file);
    }
    struct stat before, after;
    ExhaustResult result;
    Error error = {};
    assert_int_equal(stat(path, &before), 0);
    assert_false(exhaust_run(plan,
        &(ExhaustOptions){.jobs = 1, .shards = 1, .journal = path, .resume = true}, arena, &result,
        &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(after.st_size, before.st_size);
    scope_plan_destroy(other);
    arena_destroy(arena);
  }
  scope_plan_destroy(plan);
}

static uint32_t queries;
static bool stop_soon(void) { return ++queries > test_length(1000, 1000, 200); }

static void stopped_runs_are_incomplete(void **) {
  Arena *arena = arena_create();
  ScopePlan *plan = small_plan();
  queries = 0;
  ExhaustResult result =
      exhaust_scope_run(plan, &(ExhaustOptions){.jobs = 1, .shards = 1, .stop = stop_soon}, arena);
  assert_false(result.is_complete);
  assert_true(result.tally.cases < plan->count);
  scope_plan_destroy(plan);
  arena_destroy(arena);
}

/* The first questions whether to stop are asked by workers that have not taken a chunk yet. */
static pid_t run_process;
static atomic_uint *ends_left;
static bool end_worker(void) {
  if (getpid() != run_process && *ends_left > 0) {
    --*ends_left;
    raise(SIGTERM);
  }
  return false;
}

/* The first question of the run itself comes while the first worker still makes its judges. */
static bool end_new_worker(void) {
  static const char list[] = "/proc/thread-self/children";
  FILE *file = getpid() == run_process && *ends_left > 0 ? fopen(list, "r") : nullptr;
  int worker;
  if (file == nullptr) return false;
  --*ends_left;
  if (fscanf(file, "%d", &worker) == 1) kill(worker, SIGTERM);
  fclose(file);
  return false;
}

/* A worker that a signal ends at its start or between two chunks is replaced. After three such ends
 * in a row the run is at fault. */
static void workers_ended_outside_cases_are_replaced(void **) {
  Arena *arena = arena_create();
  ScopePlan *plan = small_plan();
  run_process = getpid();
  ends_left =
      mmap(nullptr, sizeof *ends_left, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(ends_left, MAP_FAILED);
  const ExhaustOptions options = {.jobs = 1, .shards = 1, .stop = end_worker};
  *ends_left = 2;
  ExhaustResult result = exhaust_scope_run(plan, &options, arena);
  assert_true(result.is_complete);
  assert_int_equal(result.replaced, 2);
  assert_int_equal(result.tally.cases, plan->count);
  *ends_left = 3;
  Error error = {};
  assert_false(exhaust_run(plan, &options, arena, &result, &error));
  assert_int_equal(error.kind, ERROR_ENVIRONMENT);
  *ends_left = 1;
  result = exhaust_scope_run(
      plan, &(ExhaustOptions){.jobs = 1, .shards = 1, .stop = end_new_worker}, arena);
  assert_true(result.is_complete);
  assert_int_equal(result.replaced, 1);
  munmap(ends_left, sizeof *ends_left);
  scope_plan_destroy(plan);
  arena_destroy(arena);
}

static int make_directory(void **) {
  file_scratch(sizeof directory, directory, "exhaust");
  return mkdtemp(directory) == nullptr;
}

static int remove_directory(void **) {
  static const char *const names[] = {
      "shard0", "shard1", "shard2", "killed", "full", "torn", "foreign", "notes"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(path_of(names[i]));
  return rmdir(directory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shards_add_up),
      cmocka_unit_test(other_opcodes_are_left_out),
      cmocka_unit_test(every_kind_of_scope_is_cut_exactly),
      cmocka_unit_test(directions_that_are_not_compared_are_counted),
      cmocka_unit_test(tolerated_answers_have_their_numbers),
      cmocka_unit_test(killed_runs_go_on),
      cmocka_unit_test(full_disks_lose_nothing),
      cmocka_unit_test(torn_lines_are_done_again),
      cmocka_unit_test(other_journals_are_rejected),
      cmocka_unit_test(rejected_files_stay_as_they_are),
      cmocka_unit_test(stopped_runs_are_incomplete),
      cmocka_unit_test(workers_ended_outside_cases_are_replaced),
  };
  return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
