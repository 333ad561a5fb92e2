/* Clocks, and child processes: input and output pass through, each kind of end is reported, and no
 * child outlives its deadline or its leader. Limits are the lower ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/process.h"
#include "core/base/command.h"

static ProgramResult run_shell(Arena *arena, const char *script, ProgramRun run) {
  char *argv[] = {"sh", "-c", arena_text(arena, script, strlen(script)), nullptr};
  run.argv = argv;
  if (run.wall_seconds == 0) run.wall_seconds = 600;
  ProgramResult result;
  program_run(arena, &run, &result);
  return result;
}

static void the_wall_goes_on_while_the_processor_rests(void **) {
  double wall = clock_wall(), processor = clock_processor();
  nanosleep(&(struct timespec){.tv_nsec = 100'000'000}, nullptr);
  assert_true(clock_wall() - wall >= 0.1);
  assert_true(clock_processor() - processor < 0.1);
}

static double read_clock(clockid_t clock) {
  struct timespec now;
  assert_int_equal(clock_gettime(clock, &now), 0);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void the_clock_of_a_thread_is_its_own(void **) {
  clockid_t clock = CLOCK_REALTIME;
  assert_true(clock_of_thread(&clock));
  double begin = read_clock(CLOCK_THREAD_CPUTIME_ID), between = read_clock(clock),
         end = read_clock(CLOCK_THREAD_CPUTIME_ID);
  assert_true(begin <= between && between <= end);
}

static void input_is_output(void **) {
  static constexpr size_t length = 3'000'000;
  Arena *arena = arena_create();
  char *text = ARENA_NEW(arena, char, length);
  for (size_t i = 0; i < length; i++) text[i] = (char)(i % 251);
  ProgramResult result = run_shell(
      arena, "cat; echo complaint >&2; exit 7", (ProgramRun){.input = text, .length = length});
  assert_int_equal(result.end, PROGRAM_EXITED);
  assert_int_equal(result.code, 7);
  assert_int_equal(result.output_length, length);
  assert_memory_equal(result.output, text, length);
  assert_string_equal(result.errors, "complaint\n");
  assert_false(result.is_cut);
  arena_destroy(arena);
}

static void one_that_does_not_read_is_no_signal(void **) {
  Arena *arena = arena_create();
  char *text = ARENA_NEW(arena, char, 3'000'000);
  ProgramResult result =
      run_shell(arena, "echo done", (ProgramRun){.input = text, .length = 3'000'000});
  assert_int_equal(result.end, PROGRAM_EXITED);
  assert_string_equal(result.output, "done\n");
  result = run_shell(arena, "cat; echo empty", (ProgramRun){});
  assert_string_equal(result.output, "empty\n");
  arena_destroy(arena);
}

static void streams_can_be_joined_and_are_cut(void **) {
  Arena *arena = arena_create();
  ProgramResult result =
      run_shell(arena, "echo one; echo two >&2; echo three", (ProgramRun){.is_joined = true});
  assert_string_equal(result.output, "one\ntwo\nthree\n");
  assert_string_equal(result.errors, "");
  result = run_shell(arena, "echo 123456789; echo 123 >&2", (ProgramRun){.most_output = 5});
  assert_string_equal(result.output, "12345");
  assert_string_equal(result.errors, "123\n");
  assert_true(result.is_cut);
  arena_destroy(arena);
}

static void each_way_of_ending_has_its_name(void **) {
  Arena *arena = arena_create();
  ProgramResult result = run_shell(arena, "kill -SEGV $$", (ProgramRun){});
  assert_int_equal(result.end, PROGRAM_SIGNALED);
  assert_int_equal(result.code, SIGSEGV);
  result = run_shell(arena, "exit 127", (ProgramRun){});
  assert_int_equal(result.end, PROGRAM_EXITED);
  char *argv[] = {"./no such program", nullptr};
  program_run(arena, &(ProgramRun){.argv = argv, .wall_seconds = 60}, &result);
  assert_int_equal(result.end, PROGRAM_NOT_STARTED);
  assert_int_equal(result.code, ENOENT);
  arena_destroy(arena);
}

/* Runs a script that prints and then sleeps, with growing deadlines until it has printed: on a busy
 * machine a shell starts slowly. */
static ProgramResult run_late(Arena *arena, const char *script, double *deadline) {
  ProgramResult result = {};
  for (*deadline = 0.05; *deadline < 7; *deadline *= 2) {
    result = run_shell(arena, script, (ProgramRun){.wall_seconds = *deadline});
    assert_int_equal(result.end, PROGRAM_LATE);
    if (result.output_length > 0) return result;
  }
  fail_msg("%s: nothing is said", script);
  return result;
}

static void a_deadline_by_the_wall_ends_what_sleeps(void **) {
  Arena *arena = arena_create();
  double deadline;
  ProgramResult result = run_late(arena, "echo begun; sleep 8; echo done", &deadline);
  assert_string_equal(result.output, "begun\n");
  assert_true(result.seconds >= deadline && result.seconds < 500);
  assert_true(WIFSIGNALED(result.state));
  arena_destroy(arena);
}

static void a_deadline_by_the_processor_ends_what_computes(void **) {
  Arena *arena = arena_create();
  ProgramResult result = run_shell(arena, "i=0; while [ $i -lt 4000000 ]; do i=$((i+1)); done",
      (ProgramRun){.processor_seconds = 0.2});
  assert_int_equal(result.end, PROGRAM_LATE);
  result = run_shell(arena, "exec head -c 8000000000 /dev/zero",
      (ProgramRun){.processor_seconds = 0.1, .most_output = 100});
  assert_int_equal(result.end, PROGRAM_LATE);
  assert_true(result.is_cut);
  result = run_shell(arena, "sleep 0.4; echo done", (ProgramRun){.processor_seconds = 0.3});
  assert_int_equal(result.end, PROGRAM_EXITED);
  assert_string_equal(result.output, "done\n");
  arena_destroy(arena);
}

static bool stop_at_once(void) { return true; }
static bool stop_never(void) { return false; }
/* Waits for the child, and leaves its end to be read. */
static bool stop_after_the_end(void) {
  siginfo_t end;
  return waitid(P_ALL, 0, &end, WEXITED | WNOWAIT) == 0;
}

static void a_run_can_be_stopped(void **) {
  Arena *arena = arena_create();
  ProgramResult result = run_shell(arena, "sleep 30", (ProgramRun){.stop = stop_at_once});
  assert_int_equal(result.end, PROGRAM_STOPPED);
  assert_true(result.seconds < 500);
  result = run_shell(arena, "sleep 0.2; echo done", (ProgramRun){.stop = stop_never});
  assert_int_equal(result.end, PROGRAM_EXITED);
  assert_string_equal(result.output, "done\n");
  result = run_shell(arena, "exit 7", (ProgramRun){.stop = stop_after_the_end});
  assert_int_equal(result.end, PROGRAM_EXITED);
  assert_int_equal(result.code, 7);
  arena_destroy(arena);
}

/* A process that has ended and that nobody has waited for is a zombie. */
static bool process_lives(pid_t process) {
  char path[48], line[256] = "";
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
  FILE *file = fopen(path, "r");
  if (file == nullptr) return false;
  bool was_read = fgets(line, sizeof line, file) != nullptr;
  fclose(file);
  const char *name_end = strrchr(line, ')');
  return was_read && name_end != nullptr && name_end[2] != 'Z' && name_end[2] != 'X';
}

static bool process_dies(pid_t process) {
  for (int i = 0; i < 1000 && process_lives(process); i++)
    nanosleep(&(struct timespec){.tv_nsec = 10'000'000}, nullptr);
  return !process_lives(process);
}

static void a_group_ends_with_its_leader(void **) {
  Arena *arena = arena_create();
  double deadline;
  ProgramResult late = run_late(arena, "sleep 30 & echo $!; wait", &deadline),
                done = run_shell(arena, "sleep 30 & echo $!", (ProgramRun){});
  assert_int_equal(done.end, PROGRAM_EXITED);
  assert_true(done.seconds < 500);
  pid_t of_late = (pid_t)atol(late.output), of_done = (pid_t)atol(done.output);
  assert_true(of_late > 0 && of_done > 0);
  bool late_dies = process_dies(of_late), done_dies = process_dies(of_done);
  if (!late_dies) kill(of_late, SIGKILL);
  if (!done_dies) kill(of_done, SIGKILL);
  assert_true(late_dies);
  assert_true(done_dies);
  arena_destroy(arena);
}

static int process_answer(void *state) { return *(const int *)state; }
static int rest(void *) {
  sleep(1000);
  return 0;
}

static void a_child_without_a_program_is_a_function(void **) {
  int value = 5, state = 0;
  pid_t child = process_start(
      &(ProcessStart){.body = process_answer, .state = &value, .in = -1, .out = -1, .err = -1});
  assert_true(child > 0);
  assert_true(process_wait(child, 500, &state));
  assert_true(WIFEXITED(state) && WEXITSTATUS(state) == 5);
  assert_true(process_wait(child, 0, &state));
  assert_int_equal(state, 127 << 8);
}

/* More elements than there is address space. */
static int want_elements(void *state) {
  const size_t *counts = state;
  Arena *wanting = arena_create();
  if (counts[0] == 0) arena_out_of_memory(0);
  return arena_alloc(wanting, counts[0], counts[1]) == nullptr ? 1 : 2;
}

static void a_program_without_memory_says_so(void **) {
  static const struct {
    size_t counts[2];
    const char *message;
  } rows[] = {{{SIZE_MAX, 2}, "affirm: out of memory (18446744073709551615 bytes wanted)\n"},
      {{SIZE_MAX, 1}, "affirm: out of memory (18446744073709551615 bytes wanted)\n"},
      {{SIZE_MAX - 31, 1}, "affirm: out of memory (18446744073709551584 bytes wanted)\n"},
      {{(size_t)1 << 61, 8}, "affirm: out of memory (18446744073709551615 bytes wanted)\n"},
      {{0, 0}, "affirm: out of memory\n"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t counts[] = {rows[i].counts[0], rows[i].counts[1]};
    int ends[2], state = 0;
    char text[200] = {};
    assert_int_equal(pipe(ends), 0);
    pid_t child = process_start(&(ProcessStart){
        .body = want_elements, .state = counts, .in = -1, .out = -1, .err = ends[1]});
    close(ends[1]);
    assert_true(child > 0);
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    assert_true(process_wait(child, 500, &state));
    assert_true(WIFEXITED(state));
    assert_int_equal(WEXITSTATUS(state), 3);
    assert_string_equal(text, rows[i].message);
  }
}

static void a_wait_ends_before_its_child(void **) {
  int state = 0;
  pid_t child = process_start(&(ProcessStart){.body = rest, .in = -1, .out = -1, .err = -1});
  assert_true(child > 0);
  assert_false(process_wait(child, 0, &state));
  assert_false(process_wait(child, 0.1, &state));
  state = process_kill(child);
  assert_true(WIFSIGNALED(state) && WTERMSIG(state) == SIGKILL);
  assert_false(process_lives(child));
  assert_int_equal(process_kill(0), 0);
}

/* A limit of the starter, soft and hard, and one that is asked for: 0 asks for none. */
typedef struct ProcessLimits {
  int what;
  rlim_t soft, hard, asked;
} ProcessLimits;

static rlim_t lower_limit(rlim_t a, rlim_t b) { return a < b ? a : b; }

static int see_limits(void *state) {
  const ProcessLimits *limits = state;
  rlim_t most = limits->asked == 0 ? RLIM_INFINITY : limits->asked;
  struct rlimit both, core;
  bool are_read = getrlimit(limits->what, &both) == 0 && getrlimit(RLIMIT_CORE, &core) == 0;
  return are_read && both.rlim_cur == lower_limit(limits->soft, most) &&
                 both.rlim_max == lower_limit(limits->hard, most) && core.rlim_cur == 0 &&
                 core.rlim_max == 0
             ? 7
             : 1;
}

static int start_limited(void *state) {
  ProcessLimits *limits = state;
  if (setrlimit(limits->what, &(struct rlimit){limits->soft, limits->hard}) != 0) return 2;
  pid_t child = process_start(&(ProcessStart){.body = see_limits,
      .state = limits,
      .in = -1,
      .out = -1,
      .err = -1,
      .memory = limits->what == RLIMIT_AS ? limits->asked : 0,
      .file_size = limits->what == RLIMIT_FSIZE ? limits->asked : 0,
      .processes = limits->what == RLIMIT_NPROC ? limits->asked : 0});
  int ended = 0;
  return child > 0 && process_wait(child, 500, &ended) && WIFEXITED(ended) ? WEXITSTATUS(ended) : 3;
}

/* A child has the lower one of the limit that is asked for and that of its starter. */
static void a_limit_is_lowered_and_never_raised(void **) {
  static const int kinds[] = {RLIMIT_AS, RLIMIT_FSIZE, RLIMIT_NPROC};
  for (uint32_t kind = 0; kind < 3; kind++)
    for (uint32_t code = 0; code < 3 * 3 * 4; code++) {
      const rlim_t unit = kinds[kind] == RLIMIT_NPROC ? 10'000 : UINT64_C(1) << 50;
      ProcessLimits limits = {.what = kinds[kind],
          .soft = unit * (1 + code % 3),
          .hard = unit * (1 + code / 3 % 3),
          .asked = unit * (code / 9)};
      struct rlimit now;
      assert_int_equal(getrlimit(limits.what, &now), 0);
      if (limits.soft > limits.hard || limits.hard > now.rlim_max) continue;
      int state = 0;
      pid_t child = process_start(
          &(ProcessStart){.body = start_limited, .state = &limits, .in = -1, .out = -1, .err = -1});
      assert_true(child > 0 && process_wait(child, 500, &state));
      if (!WIFEXITED(state) || WEXITSTATUS(state) != 7)
        fail_msg("limit %u, case %u: %x", kind, code, (unsigned)state);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_wall_goes_on_while_the_processor_rests),
      cmocka_unit_test(the_clock_of_a_thread_is_its_own),
      cmocka_unit_test(input_is_output),
      cmocka_unit_test(one_that_does_not_read_is_no_signal),
      cmocka_unit_test(streams_can_be_joined_and_are_cut),
      cmocka_unit_test(each_way_of_ending_has_its_name),
      cmocka_unit_test(a_deadline_by_the_wall_ends_what_sleeps),
      cmocka_unit_test(a_deadline_by_the_processor_ends_what_computes),
      cmocka_unit_test(a_run_can_be_stopped),
      cmocka_unit_test(a_group_ends_with_its_leader),
      cmocka_unit_test(a_child_without_a_program_is_a_function),
      cmocka_unit_test(a_program_without_memory_says_so),
      cmocka_unit_test(a_wait_ends_before_its_child),
      cmocka_unit_test(a_limit_is_lowered_and_never_raised),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
