/* The pipe to a foreign engine: texts return unchanged, each protocol violation has its kind, and
 * an engine leaves no process behind and stays within its limits. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "judge/engines/engine_process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/process.h"
#include "core/map/test/random_map.h"
#include "judge/engines/test/engine_scripts.h"

/* Answers each request with the request's third field. */
static const char echo_engine[] =
    "tab=$(printf '\\t'); while IFS= read -r l; do n=${l%%$tab*}; r=${l#*$tab}; v=${r%%$tab*}; f=${r#*$tab}; "
    "if [ $v = hello ]; then printf '%s\\tengine\\t1\\techo\\tsimplify\\n' $n; else printf '%s\\tanswer\\t%s\\n' $n \"$f\"; fi; done";

static EngineProcess *start_command(
    const char *const argv[4], uint64_t milliseconds, uint64_t output) {
  return engine_process_create(argv,
      &(EngineLimits){.milliseconds = milliseconds, .memory = UINT64_C(1) << 32, .output = output});
}

static void texts_come_back_as_they_were_sent(void **) {
  const char *const argv[] = {"/bin/sh", "-c", echo_engine, nullptr};
  EngineProcess *process = start_command(argv, enough, 1 << 22);
  Arena *arena = arena_create();
  static const char *const texts[] = {"", "plain", "a\tb", "two\nlines\n", "\\", "\\n",
      "\\\\t\t\\\n\n", "(d0)[s0] -> (d0)\nruntime variables:\nrt0: %c.1; (d0) -> (0)", "\xff\xfe"};
  EngineReply reply;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Text answer = text_create(arena);
    engine_process_query(process, 2, (const char *const[]){"say", texts[i]}, &answer, &reply);
    if (reply.kind != ENGINE_ANSWERED) fail_msg("%s", reply.why);
    assert_string_equal(answer.bytes, texts[i]);
    assert_int_equal(reply.length, strlen(texts[i]));
  }
  engine_process_destroy(process);
  arena_destroy(arena);
}

/* Random dangerous bytes, and megabytes that no pipe can hold at once. */
static void random_and_large_texts_come_back(void **) {
  const char *const echo[] = {"/bin/sh", "-c",
      "exec python3 -c \"\nimport sys\nfor l in sys.stdin:\n n,v,f=l.rstrip('\\n').split('\\t')\n print(n,*(['engine','1','e','simplify'] if v=='hello' else ['answer',f]),sep='\\t',flush=True)\n\"",
      nullptr};
  if (system("python3 -c 1 2>/dev/null") != 0) {
    print_message("skipped: no python3\n");
    return;
  }
  EngineProcess *process = start_command(echo, enough, 1 << 24);
  Arena *arena = arena_create();
  RandomMaps random = {.state = 7};
  for (uint32_t round = 0; round < 300; round++) {
    ArenaMark mark = arena_mark(arena);
    size_t length = round == 299 ? 5'000'000 : (size_t)random_between(&random, 0, round * 20);
    char *text = ARENA_NEW(arena, char, length + 1);
    for (size_t i = 0; i < length; i++) text[i] = "\\\t\nntx 0"[random_next(&random) % 8];
    Text answer = text_create(arena);
    EngineReply reply;
    engine_process_query(process, 2, (const char *const[]){"say", text}, &answer, &reply);
    if (reply.kind != ENGINE_ANSWERED)
      fail_msg("round %u: %s: %s", round, engine_kind_text(reply.kind), reply.why);
    assert_string_equal(answer.bytes, text);
    arena_rewind(arena, mark);
  }
  assert_int_equal(engine_process_starts(process), 1);
  engine_process_destroy(process);
  arena_destroy(arena);
}

typedef struct Breach {
  const char *script; /* after the greeting */
  EngineKind kind;
  const char *words;
} Breach;

/* Sends one request and returns its outcome. */
static EngineReply breach(
    Arena *arena, const char *script, const char *text, uint64_t milliseconds) {
  const char *const argv[] = {
      "/bin/sh", "-c", arena_printf(arena, "%s%s", GREETING, script), nullptr};
  EngineProcess *process = start_command(argv, milliseconds, 1 << 16);
  Text answer = text_create(arena);
  EngineReply reply;
  engine_process_query(process, 2, (const char *const[]){"simplify", text}, &answer, &reply);
  engine_process_destroy(process);
  return reply;
}

/* The same for an engine that continues after we have read its greeting and has ended when we send
 * the request. */
static EngineReply breach_of_one_that_has_ended(Arena *arena, const char *script) {
  int go[2];
  assert_int_equal(pipe(go), 0);
  const char *const argv[] = {"/bin/sh", "-c",
      arena_printf(arena, "%sread -r go </proc/self/fd/%d; %s", GREETING, go[0], script), nullptr};
  EngineProcess *process = start_command(argv, enough, 1 << 16);
  Text answer = text_create(arena);
  EngineReply reply;
  const char *name, *offers;
  if (!engine_process_hello(process, arena, &name, &offers, &reply)) fail_msg("%s", reply.why);
  assert_int_equal(write(go[1], "\n", 1), 1);
  siginfo_t end;
  assert_int_equal(waitid(P_ALL, 0, &end, WEXITED | WNOWAIT), 0);
  engine_process_query(process, 2, (const char *const[]){"simplify", "(d0)"}, &answer, &reply);
  engine_process_destroy(process);
  close(go[0]), close(go[1]);
  return reply;
}

static void expect_breach(const Breach *row, const EngineReply *reply) {
  if (reply->kind != row->kind)
    fail_msg("%s: %s: %s", row->script, engine_kind_text(reply->kind), reply->why);
  if (strstr(reply->why, row->words) == nullptr)
    fail_msg("%s: '%s' is not in '%s'", row->script, row->words, reply->why);
}

static void each_breach_of_the_protocol_is_reported(void **) {
  Arena *arena = arena_create();
  static const Breach breaches[] = {
      {"read -r l; printf '3\\tanswer\\tx\\n'; cat >/dev/null", ENGINE_GARBAGE,
          "no answer to request 2: 3?answer?x"},
      {"read -r l; printf '2\\tyes\\tx\\n'; cat >/dev/null", ENGINE_GARBAGE,
          "no answer to request 2: 2?yes?x"},
      {"read -r l; printf 'log: starting\\n'; cat >/dev/null", ENGINE_GARBAGE, "log: starting"},
      {"read -r l; printf '2\\tanswer\\tx\\nmore\\n'; cat >/dev/null", ENGINE_GARBAGE,
          "more than one line"},
      {"read -r l; printf '2\\tanswer\\ta\\0b\\n'; cat >/dev/null", ENGINE_GARBAGE,
          "no answer to request 2"},
      {"read -r l; printf '\\n'; cat >/dev/null", ENGINE_GARBAGE, "no answer to request 2"},
      {"read -r l; printf '2\\tanswer\\tno end'", ENGINE_EXITED, "with status 0"},
      /* a child of the shell that a signal ends, and its output before the shell's message */
      {"read -r l; sh -c 'echo of its own >&2; kill -ABRT $$'; exit $?", ENGINE_ABORTED,
          "SIGABRT; its last words: of its own"},
      {"read -r l; sh -c 'kill -SEGV $$'; exit $?", ENGINE_CRASHED, "SIGSEGV"},
      {"read -r l; exit 135", ENGINE_CRASHED, "SIGBUS"},
      {"read -r l; exit 130", ENGINE_EXITED, "with status 130"},
      /* a failed check is kept with the next line, however long the trace is */
      {"read -r l; { echo first; echo 'f.cc:7] Check failed: a == b (1 vs. 2)'; echo 'of the map'; "
       "i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo \"    @ 0x$i frame\"; done; } >&2; kill -ABRT $$",
          ENGINE_ABORTED, "last words: f.cc:7] Check failed: a == b (1 vs. 2) | of the map"},
      {"read -r l; { echo 'f.cc:7] Check failed: a'; echo '*** Check failure stack trace: ***'; } >&2; "
       "kill -ABRT $$",
          ENGINE_ABORTED, "last words: f.cc:7] Check failed: a"},
      {"read -r l; exec cat /dev/zero", ENGINE_ENDLESS, "longer than the limit"},
      {"read -r l; yes", ENGINE_GARBAGE, "no answer to request 2"},
      {"kill -9 $$", ENGINE_CRASHED, "SIGKILL"},
      {"kill -FPE $$", ENGINE_CRASHED, "SIGFPE"},
      {"printf 'its\\tend\\n' >&2; exit 1", ENGINE_EXITED,
          "with status 1; its last words: its end"},
  };
  for (size_t i = 0; i < sizeof breaches / sizeof *breaches; i++) {
    EngineReply reply = breach(arena, breaches[i].script, "(d0)", enough);
    expect_breach(&breaches[i], &reply);
  }
  arena_destroy(arena);
}

/* Output before the end is judged first, then the end, even if the request cannot be delivered. */
static void what_was_printed_before_the_end_is_judged_first(void **) {
  Arena *arena = arena_create();
  static const Breach breaches[] = {
      {"echo hello", ENGINE_GARBAGE, "no answer to request 2: hello"},
      {"echo hello; kill -SEGV $$", ENGINE_GARBAGE, "no answer to request 2: hello"},
      {"printf '2\\tanswer\\tx\\nmore\\n'; exit 1", ENGINE_GARBAGE, "more than one line"},
      {"printf '2\\trefused\\tnot this one\\n'; exit 1", ENGINE_REJECTED, "not this one"},
      {"printf '2\\tanswer\\tx\\n'; exit 1", ENGINE_ANSWERED, ""},
      {"printf '2\\tanswer\\tno end'; exit 5", ENGINE_EXITED, "with status 5"},
      {"exit 5", ENGINE_EXITED, "with status 5"},
      {"echo last >&2; kill -SEGV $$", ENGINE_CRASHED, "SIGSEGV; its last words: last"},
      {"kill -ABRT $$", ENGINE_ABORTED, "SIGABRT"},
  };
  for (size_t i = 0; i < sizeof breaches / sizeof *breaches; i++) {
    char script[200];
    snprintf(script, sizeof script, "read -r l; %s", breaches[i].script);
    EngineReply before = breach_of_one_that_has_ended(arena, breaches[i].script),
                after = breach(arena, script, "(d0)", enough);
    expect_breach(&breaches[i], &before);
    expect_breach(&breaches[i], &after);
  }
  arena_destroy(arena);
}

/* The answer of an engine that has stopped reading is still accepted. The request is larger than
 * any pipe. */
static void who_reads_nothing_more_may_still_answer(void **) {
  Arena *arena = arena_create();
  static const Breach late = {
      "exec 0<&-; sleep 0.1; printf '2\\tanswer\\tx\\n'; exec sleep 1000", ENGINE_ANSWERED, ""};
  static char text[4'000'001];
  memset(text, 'x', sizeof text - 1);
  EngineReply reply = breach(arena, late.script, text, enough);
  expect_breach(&late, &reply);
  arena_destroy(arena);
}

/* The limit is doubled until the engine reaches the point where it hangs. */
static void each_way_to_hang_ends_in_time(void **) {
  Arena *arena = arena_create();
  static const Breach breaches[] = {
      {"read -r l; printf '2\\tanswer\\tno end'; echo here >&2; exec sleep 1000", ENGINE_HUNG,
          "no answer in time; its last words: here"},
      {"read -r l; cat /dev/zero >&2; :", ENGINE_HUNG, "no answer in time"},
      {"echo here >&2; exec 2>&-; read -r l; exec sleep 1000", ENGINE_HUNG,
          "no answer in time; its last words: here"},
      {"echo here >&2; exec 1>&-; exec sleep 1000", ENGINE_HUNG,
          "has closed its end of the pipe and does not end; its last words: here"},
      {"echo here >&2; exec 0<&-; exec sleep 1000", ENGINE_HUNG,
          "no answer in time; its last words: here"},
  };
  for (size_t i = 0; i < sizeof breaches / sizeof *breaches; i++) {
    EngineReply reply = {.why = ""};
    for (uint64_t limit = first_limit;
        strstr(reply.why, breaches[i].words) == nullptr && limit < enough; limit *= 2) {
      reply = breach(arena, breaches[i].script, "(d0)", limit);
      assert_int_equal(reply.kind, ENGINE_HUNG);
    }
    expect_breach(&breaches[i], &reply);
  }
  arena_destroy(arena);
}

/* A request larger than any buffer, to an engine that reads nothing, ends in time. */
/* A child that the engine leaves holds the pipe: the deadline passes, and the status is known. */
static void an_end_with_a_held_pipe_is_no_hang(void **) {
  Arena *arena = arena_create();
  EngineReply reply = {.why = ""};
  for (uint64_t limit = first_limit; reply.kind != ENGINE_EXITED && limit < enough; limit *= 2)
    reply = breach(arena, "read -r l; sleep 1000 & exit 4", "(d0)", limit);
  assert_int_equal(reply.kind, ENGINE_EXITED);
  assert_non_null(strstr(reply.why, "with status 4"));
  arena_destroy(arena);
}

static void nobody_who_reads_nothing_holds_us_up(void **) {
  const char *const argv[] = {"/bin/sh", "-c", GREETING "exec sleep 1000", nullptr};
  Arena *arena = arena_create();
  char *text = ARENA_NEW(arena, char, 4'000'001);
  memset(text, 'x', 4'000'000);
  Text answer = text_create(arena);
  bool is_up = false;
  for (uint64_t limit = first_limit; !is_up && limit < enough; limit *= 2) {
    EngineProcess *process = start_command(argv, limit, 1 << 16);
    EngineReply reply;
    const char *name, *offers;
    is_up = engine_process_hello(process, arena, &name, &offers, &reply);
    if (is_up)
      engine_process_query(process, 2, (const char *const[]){"simplify", text}, &answer, &reply);
    assert_int_equal(reply.kind, ENGINE_HUNG);
    engine_process_destroy(process);
  }
  assert_true(is_up);
  arena_destroy(arena);
}

/* All processes that an engine started end with it: four processes in two sessions; the last one
 * reports that all are running. */
static void no_process_is_left(void **) {
  char mark[64], command[500];
  snprintf(mark, sizeof mark, "affirm-left-%d", (int)getpid());
  snprintf(command, sizeof command,
      GREETING
      "setsid sh -c 'sh -c \"echo 1 >&2; sleep 3000; : %s\" & sleep 3000; : %s' & sh -c 'sleep 3000; : %s' & sleep 3000; : %s",
      mark, mark, mark, mark);
  const char *const argv[] = {"/bin/sh", "-c", command, nullptr};
  Arena *arena = arena_create();
  Text answer = text_create(arena);
  EngineReply reply = {.why = ""};
  for (uint64_t limit = first_limit; strstr(reply.why, "words: 1") == nullptr && limit < enough;
      limit *= 2) {
    EngineProcess *process = start_command(argv, limit, 1 << 16);
    engine_process_query(process, 1, (const char *const[]){"simplify"}, &answer, &reply);
    assert_int_equal(reply.kind, ENGINE_HUNG);
    char look[400];
    snprintf(look, sizeof look,
        "look() { for f in /proc/[0-9]*/cmdline; do tr '\\0' ' ' 2>/dev/null <$f | grep -q '%.20s[-]%d' && return 1; done; return 0; }; "
        "for try in $(seq 1200); do look && exit 0; sleep 0.05; done; exit 1",
        "affirm-left", (int)getpid());
    assert_int_equal(system(look), 0);
    engine_process_destroy(process);
  }
  assert_non_null(strstr(reply.why, "words: 1"));
  arena_destroy(arena);
}

/* The same for an engine that ends by itself: its last words have the number of a process in
 * another session, whose leader has ended. */
static void no_process_is_left_by_one_that_ends(void **) {
  const char *const argv[] = {"/bin/sh", "-c",
      GREETING
      "read -r l; setsid sh -c '(exec >/dev/null 2>&1; exec sleep 3000) & echo $!' >&2; exit 3",
      nullptr};
  Arena *arena = arena_create();
  Text answer = text_create(arena);
  EngineReply reply;
  EngineProcess *process = start_command(argv, enough, 1 << 16);
  engine_process_query(process, 1, (const char *const[]){"simplify"}, &answer, &reply);
  assert_int_equal(reply.kind, ENGINE_EXITED);
  const char *words = strstr(reply.why, "words: ");
  assert_non_null(words);
  pid_t left = (pid_t)strtol(words + strlen("words: "), nullptr, 10);
  assert_true(left > 1);
  assert_int_equal(kill(left, 0), -1);
  engine_process_destroy(process);
  arena_destroy(arena);
}

static unsigned long long lower(int what, rlim_t most) {
  struct rlimit now;
  assert_int_equal(getrlimit(what, &now), 0);
  return now.rlim_cur < most ? now.rlim_cur : most;
}

/* Files and processes of an engine are limited. */
static void files_and_processes_have_limits(void **) {
  Arena *arena = arena_create();
  char words[100];
  snprintf(words, sizeof words, "its last words: %llu %llu", lower(RLIMIT_FSIZE, 1 << 30),
      lower(RLIMIT_NPROC, 4096));
  const Breach row = {
      "read -r l; exec awk '/^Max file size/ { size = $4 } /processes/ { print size, $3 > \"/dev/stderr\" }' /proc/self/limits",
      ENGINE_EXITED, words};
  EngineReply reply = breach(arena, row.script, "(d0)", enough);
  expect_breach(&row, &reply);
  arena_destroy(arena);
}

/* Each process stays below the limit, but all together exceed it. One is in another session. */
static void processes_together_have_the_limit_of_one(void **) {
  static const char command[] = GREETING
      "for how in '' '' setsid; do $how sh -c '(head -c 50000000 /dev/zero; exec sleep 300) | tail' >&2 & done; sleep 300";
  const char *const argv[] = {"/bin/sh", "-c", command, nullptr};
  EngineProcess *process = engine_process_create(argv,
      &(EngineLimits){.milliseconds = 100'000, .memory = UINT64_C(128) << 20, .output = 1 << 16});
  Arena *arena = arena_create();
  Text answer = text_create(arena);
  EngineReply reply;
  engine_process_query(process, 1, (const char *const[]){"simplify"}, &answer, &reply);
  if (reply.kind != ENGINE_MEMORY) fail_msg("%s: %s", engine_kind_text(reply.kind), reply.why);
  assert_true(reply.seconds < 90);
  engine_process_destroy(process);
  arena_destroy(arena);
}

/* A script that ends this way as long as there are mark files to remove, and then answers. */
static const char *ended_script(
    Arena *arena, const char *directory, uint32_t times, const char *end) {
  for (uint32_t i = 0; i < times; i++) {
    const char *path = arena_printf(arena, "%s/%u", directory, i);
    FILE *mark = fopen(path, "w");
    assert_non_null(mark);
    fclose(mark);
  }
  return arena_printf(arena,
      "read -r l; for m in %s/[0-9]; do [ ! -e $m ] || { rm $m; %s; }; done; set -- $l; printf \"$1\\tanswer\\tx\\n\"; cat",
      directory, end);
}

/* A run ended by hand, or a machine without memory, is not blamed on the question: it is repeated
 * up to twice. After three ended processes in a row the question is blamed. */
static void an_end_from_outside_is_no_finding(void **) {
  Arena *arena = arena_create();
  static const struct {
    const char *end, *name;
  } ends[] = {{"kill -HUP $$", "SIGHUP"}, {"kill -INT $$", "SIGINT"}, {"kill -QUIT $$", "SIGQUIT"},
      {"kill -TERM $$", "SIGTERM"}, {"kill -KILL $$", "SIGKILL"},
      {"sh -c 'kill -TERM $$'; exit $?", "with status 143"}};
  char directory[512];
  file_scratch(sizeof directory, directory, "ended");
  assert_non_null(mkdtemp(directory));
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    for (uint32_t times = 0; times <= 3; times++) {
      const char *script = ended_script(arena, directory, times, ends[i].end);
      const char *const argv[] = {
          "/bin/sh", "-c", arena_printf(arena, "%s%s", GREETING, script), nullptr};
      EngineProcess *process = start_command(argv, enough, 1 << 16);
      Text answer = text_create(arena);
      EngineReply reply;
      engine_process_query(process, 2, (const char *const[]){"simplify", "(d0)"}, &answer, &reply);
      bool is_answered = times < 3;
      if ((reply.kind == ENGINE_ANSWERED) != is_answered)
        fail_msg("%s, %u times: %s", ends[i].end, times, engine_kind_text(reply.kind));
      if (!is_answered) assert_non_null(strstr(reply.why, ends[i].name));
      assert_int_equal(engine_process_interrupted(process), is_answered ? times : 2);
      assert_int_equal(engine_process_starts(process), is_answered ? times + 1 : 3);
      engine_process_destroy(process);
    }
  assert_int_equal(rmdir(directory), 0);
  arena_destroy(arena);
}

/* Processor seconds of a loop in awk. */
static double time_of_loop(uint64_t rounds) {
  char command[100];
  struct rusage before, after;
  snprintf(command, sizeof command, "awk 'BEGIN { for (i = 0; i < %llu; i++); }'",
      (unsigned long long)rounds);
  assert_int_equal(getrusage(RUSAGE_CHILDREN, &before), 0);
  assert_int_equal(system(command), 0);
  assert_int_equal(getrusage(RUSAGE_CHILDREN, &after), 0);
  return (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
         (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) * 1e-6;
}

static void stay_on_one_processor(void) {
  cpu_set_t all, one;
  CPU_ZERO(&one);
  assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, &all) && CPU_COUNT(&one) == 0) CPU_SET(i, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
}

static int spin(void *) {
  for (volatile uint64_t i = 0;; i++) {}
}

/* Beside four other processes on one processor: an engine that needs the rounds, and an endless
 * one. The limit of the first is twice the processor time of the rounds there, in milliseconds. */
static void query_beside_others(
    Arena *arena, uint64_t rounds, uint64_t *limit, EngineReply *ends, EngineReply *never) {
  pid_t others[4];
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    others[i] = process_start(&(ProcessStart){.body = spin, .in = -1, .out = -1, .err = -1});
  *limit = (uint64_t)(time_of_loop(rounds) * 2000);
  *ends = breach(arena,
      arena_printf(arena,
          "read -r l; awk 'BEGIN { for (i = 0; i < %llu; i++); }'; printf '2\\tanswer\\tx\\n'; cat",
          (unsigned long long)rounds),
      "(d0)", *limit);
  *never = breach(arena, "read -r l; while :; do :; done", "(d0)", 300);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) (void)process_kill(others[i]);
}

/* An engine that needs less than the limit answers even if others use its processor; an endless one
 * is still reported as hung. On a busy machine the same rounds may need twice the time a moment
 * later, so there are three trials. */
static void a_busy_machine_hangs_no_engine(void **) {
  if (access("/proc/self/schedstat", R_OK) != 0) skip();
  Arena *arena = arena_create();
  cpu_set_t all;
  assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
  stay_on_one_processor();
  uint64_t rounds = 1 << 18, limit = 0;
  while (time_of_loop(rounds) < 0.2) rounds *= 2;
  EngineReply ends = {.kind = ENGINE_HUNG}, never = {};
  for (uint32_t trial = 0; trial < 3 && ends.kind == ENGINE_HUNG; trial++)
    query_beside_others(arena, rounds, &limit, &ends, &never);
  assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
  arena_destroy(arena);
  if (ends.kind == ENGINE_HUNG && ends.seconds * 1000 > 19 * (double)limit) skip(); /* too busy */
  if (ends.kind != ENGINE_ANSWERED)
    fail_msg("%s after %.2f s, of %.2f", engine_kind_text(ends.kind), ends.seconds,
        (double)limit / 2000);
  assert_true(ends.seconds * 1000 > (double)limit);
  assert_int_equal(never.kind, ENGINE_HUNG);
}

/* Signals that the caller ignores, as nohup does, would be ignored by the engines too. */
int main(void) {
  static const int ends[] = {SIGPIPE, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) signal(ends[i], SIG_DFL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_come_back_as_they_were_sent),
      cmocka_unit_test(random_and_large_texts_come_back),
      cmocka_unit_test(each_breach_of_the_protocol_is_reported),
      cmocka_unit_test(what_was_printed_before_the_end_is_judged_first),
      cmocka_unit_test(who_reads_nothing_more_may_still_answer),
      cmocka_unit_test(each_way_to_hang_ends_in_time),
      cmocka_unit_test(an_end_from_outside_is_no_finding),
      cmocka_unit_test(a_busy_machine_hangs_no_engine),
      cmocka_unit_test(an_end_with_a_held_pipe_is_no_hang),
      cmocka_unit_test(nobody_who_reads_nothing_holds_us_up),
      cmocka_unit_test(no_process_is_left),
      cmocka_unit_test(no_process_is_left_by_one_that_ends),
      cmocka_unit_test(files_and_processes_have_limits),
      cmocka_unit_test(processes_together_have_the_limit_of_one),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
