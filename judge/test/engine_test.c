/* The pipe to a foreign engine, and every way in which one can fail, each as its own kind; after
 * each the next call is answered as if nothing had been. Engines are the library with seeded
 * faults (judge/engines/engine_faulty_main.c) and commands of the shell. */
#include "judge/engines/engine_faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/map/test/random_map.h"
#include "core/hlo/read/read.h"
#include "core/map/text.h"
#include "judge/maps/tested.h"

static char library[4200];

static int find_library(void **) {
  ssize_t length = readlink("/proc/self/exe", library, sizeof library - 100);
  assert_true(length > 0);
  library[length] = 0;
  strcpy(strrchr(library, '/'), "/libengine_faulty.so");
  return 0;
}

/* Longer than anything takes that ends, also on a busy machine. What never ends is waited for in
 * limits that grow from the first one until they suffice for what comes before it. */
static constexpr uint64_t enough = 120'000, first_limit = 25;

static EngineLimits limits_of(uint64_t milliseconds) {
  return (EngineLimits){
      .milliseconds = milliseconds, .memory = UINT64_C(1) << 32, .output = UINT64_C(1) << 20};
}

static Engine *open_in(const char *fault, uint64_t milliseconds, Error *error) {
  setenv("AFFIRM_FAULT", fault, 1);
  return engine_create(
      &(EngineOptions){.library = library, .limits = limits_of(milliseconds)}, error);
}

static Engine *open_faulty(const char *fault) {
  Error error = {};
  Engine *engine = open_in(fault, enough, &error);
  if (engine == nullptr) fail_msg("%s: %s", fault, error.message);
  return engine;
}

static const Map *engine_parse(MapContext *context, const char *text) {
  const Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  Error error = {};
  if (!map_parse(context, &source, &map, &error)) fail_msg("%s: %s", text, error.message);
  return map;
}

static Engine *open_command(const char *command, uint64_t milliseconds, Error *error) {
  return engine_create(
      &(EngineOptions){.command = command, .limits = limits_of(milliseconds)}, error);
}

/* --- the library with mutants --- */

typedef struct EngineRow {
  const char *fault;
  EngineKind kind;
  const char *words;
  uint64_t restarts;
} EngineRow;

static const EngineRow rows[] = {
    {"crash", ENGINE_CRASHED, "SIGSEGV", 1},
    {"abort", ENGINE_ABORTED, "SIGABRT; its last words: engine.c:7: assertion of its own failed",
        1},
    {"exit", ENGINE_EXITED, "with status 7", 1},
    {"endless", ENGINE_ENDLESS, "longer than the limit", 1},
    {"memory", ENGINE_ABORTED, "SIGABRT", 1},
    {"garbage", ENGINE_GARBAGE, "1:5: expected", 0},
    {"rank", ENGINE_RANK,
        "3 dimensions, 0 runtime variables and 4 results, where 1, 0 and 1 were wanted", 0},
    {"null", ENGINE_GARBAGE, "answered-without-text", 1},
    {"status", ENGINE_GARBAGE, "status-unknown", 1},
    {"undefined", ENGINE_UNDEFINED, "", 0},
    {"undefined-text", ENGINE_UNDEFINED, "the text says UNDEFINED", 0},
    {"overflow", ENGINE_OVERFLOW, "can leave int64", 0},
    {"reject", ENGINE_REJECTED, " mod 8", 0},
    {"not-offered", ENGINE_NOT_OFFERED, "", 0},
    {"wrong", ENGINE_ANSWERED, "", 0},
    {"chatter", ENGINE_ANSWERED, "", 0},
};

typedef struct Calls {
  MapContext *context;
  const Map *bad, *good;
} Calls;

static Calls calls_create(void) {
  MapContext *context = map_context_create();
  return (Calls){.context = context,
      .bad = engine_parse(context, "(d0) -> (d0 mod 8), domain: d0 in [0, 8]"),
      .good = engine_parse(context, "(d0) -> (d0 * 3 + 1), domain: d0 in [0, 8]")};
}

/* A call that the fault answers and one that it does not, twice. False where the limit was too
 * short for the latter. */
static bool check_row(const Calls *calls, Engine *engine, const EngineRow *row) {
  const Map *verb_result;
  assert_string_equal(engine_name(engine), "faulty 1");
  for (uint64_t round = 1; round <= 2; round++) {
    EngineKind kind = engine_simplify(engine, calls->context, calls->bad, &verb_result);
    if (kind != row->kind)
      fail_msg("%s: %s: %s", row->fault, engine_kind_text(kind), engine_reply(engine)->why);
    if (strstr(engine_reply(engine)->why, row->words) == nullptr)
      fail_msg("%s: '%s' is not in '%s'", row->fault, row->words, engine_reply(engine)->why);
    kind = engine_simplify(engine, calls->context, calls->good, &verb_result);
    if (kind == ENGINE_HUNG) return false;
    assert_int_equal(kind, ENGINE_ANSWERED);
    assert_true(map_identical(calls->context, verb_result, calls->good));
    bool has_ended =
        row->kind == ENGINE_CRASHED || row->kind == ENGINE_ABORTED || row->kind == ENGINE_EXITED;
    uint64_t asked_again =
        has_ended && round == 2; /* it had answered before: a fresh one is asked */
    assert_int_equal(engine_starts(engine), 1 + round * row->restarts + asked_again);
    assert_null(strstr(engine_reply(engine)->why, "earlier"));
  }
  return true;
}

static void each_fault_has_its_kind_and_the_next_call_is_answered(void **) {
  Calls calls = calls_create();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Engine *engine = open_faulty(rows[i].fault);
    assert_true(check_row(&calls, engine, &rows[i]));
    engine_destroy(engine);
  }
  map_context_destroy(calls.context);
}

/* An engine may take the first constraint for the last one. */
static void constraints_go_out_as_they_stand(void **) {
  static const char *const texts[] = {
      "(d0) -> (d0), domain: d0 in [0, 8], d0 mod 3 in [0, 1], d0 + d0 in [0, 9]",
      "(d0) -> (d0), domain: d0 in [0, 8], d0 + d0 in [0, 9], d0 mod 3 in [0, 1]"};
  Calls calls = calls_create();
  Engine *engine = open_faulty("forget");
  for (size_t i = 0; i < 2; i++) {
    const Map *map = engine_parse(calls.context, texts[i]), *answer;
    assert_int_equal(engine_simplify(engine, calls.context, map, &answer), ENGINE_ANSWERED);
    assert_int_equal(answer->constraint_count, 1);
    assert_true(expr_same(answer->constraints[0].expr, map->constraints[0].expr));
  }
  engine_destroy(engine);
  map_context_destroy(calls.context);
}

/* The third question ends the process; alone it does not. */
static void an_end_that_wants_earlier_questions_says_so(void **) {
  Calls calls = calls_create();
  Engine *engine = open_faulty("late");
  const Map *simplified;
  for (uint32_t i = 1; i <= 2; i++)
    assert_int_equal(
        engine_simplify(engine, calls.context, calls.bad, &simplified), ENGINE_ANSWERED);
  assert_int_equal(engine_simplify(engine, calls.context, calls.bad, &simplified), ENGINE_ABORTED);
  assert_string_equal(engine_reply(engine)->why, "SIGABRT, only after 2 earlier questions");
  FaultName name;
  fault_name_of_reply("simplify", engine_reply(engine), &name);
  assert_string_equal(name.text, "simplify/aborted/SIGABRT-only-after-earlier-questions");
  engine_destroy(engine);
  map_context_destroy(calls.context);
}

static void a_call_that_hangs_ends_and_the_next_one_is_answered(void **) {
  static const EngineRow row = {"hang", ENGINE_HUNG, "no answer in time", 1};
  Calls calls = calls_create();
  bool is_right = false;
  for (uint64_t limit = first_limit; !is_right && limit < enough; limit *= 2) {
    Error error = {};
    Engine *engine = open_in(row.fault, limit, &error);
    if (engine == nullptr && strstr(error.message, "hung: no answer in time") == nullptr)
      fail_msg("%s", error.message);
    is_right = engine != nullptr && check_row(&calls, engine, &row);
    engine_destroy(engine);
  }
  assert_true(is_right);
  map_context_destroy(calls.context);
}

static void what_does_not_start_is_an_error(void **) {
  static const struct {
    const char *fault, *words;
  } starts[] = {{"version", "of interface version 99"}, {"unable", "cannot work here"},
      {"start", "aborted: SIGABRT"}};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    Error error = {};
    assert_null(open_in(starts[i].fault, enough, &error));
    if (strstr(error.message, starts[i].words) == nullptr) fail_msg("%s", error.message);
    assert_int_equal(error.kind, ERROR_ENVIRONMENT);
  }
  static const struct {
    const char *command, *words;
  } commands[] = {{"exit 3", "exited: with status 3"},
      {"no_such_program_anywhere", "exited: with status 127"},
      {"echo hello", "garbage: a line that is no answer"},
      {"read r; printf '1\\tengine\\t2\\tx\\tsimplify\\n'",
          "garbage: speaks no version that we speak"},
      {"read r; printf '1\\tengine\\t1\\tx\\\\n::error::y\\tsimplify\\n'",
          "garbage: a line break in the engine's name"},
      {"read r; printf '1\\tengine\\t1\\tx\\033[2J\\tsimplify\\n'",
          "garbage: a line that is no answer"},
      {"read r; printf '1\\trefused\\tfirst\\\\nsecond\\n'", "refused: first second"},
      {"read r; printf '1\\tengine\\t1\\tx\\tnothing\\n'; cat", "offers none of"}};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    Error error = {};
    assert_null(open_command(commands[i].command, enough, &error));
    if (strstr(error.message, commands[i].words) == nullptr)
      fail_msg("%s: %s", commands[i].command, error.message);
  }
  Error error = {};
  assert_null(engine_create(
      &(EngineOptions){.library = "/nowhere/libno.so", .limits = limits_of(enough)}, &error));
  assert_non_null(strstr(error.message, "cannot open shared object file"));
}

static void a_start_that_hangs_is_an_error(void **) {
  Error error = {};
  assert_null(open_command("sleep 100", first_limit, &error));
  assert_non_null(strstr(error.message, "hung: no answer in time"));
  bool is_closed = false;
  for (uint64_t limit = first_limit; !is_closed && limit < enough; limit *= 2) {
    error = (Error){};
    assert_null(open_command("exec 0<&- 1>&-; sleep 1000", limit, &error));
    is_closed = strstr(error.message, "hung: has closed its end") != nullptr;
    assert_true(is_closed || strstr(error.message, "hung: no answer in time") != nullptr);
  }
  assert_true(is_closed);
}

/* --- the protocol --- */

/* Answers each request with the request's own third field. */
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
    engine_process_ask(process, 2, (const char *const[]){"say", texts[i]}, &answer, &reply);
    if (reply.kind != ENGINE_ANSWERED) fail_msg("%s", reply.why);
    assert_string_equal(answer.bytes, texts[i]);
    assert_int_equal(reply.length, strlen(texts[i]));
  }
  engine_process_destroy(process);
  arena_destroy(arena);
}

/* Random bytes of the dangerous kinds; and megabytes, which no pipe holds at once. */
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
    engine_process_ask(process, 2, (const char *const[]){"say", text}, &answer, &reply);
    if (reply.kind != ENGINE_ANSWERED)
      fail_msg("round %u: %s: %s", round, engine_kind_text(reply.kind), reply.why);
    assert_string_equal(answer.bytes, text);
    arena_rewind(arena, mark);
  }
  assert_int_equal(engine_process_starts(process), 1);
  engine_process_destroy(process);
  arena_destroy(arena);
}

#define GREETING "read -r l; printf '1\\tengine\\t1\\tx\\tsimplify\\n'; "
typedef struct Breach {
  const char *script; /* after the greeting */
  EngineKind kind;
  const char *words;
} Breach;

/* One request, and how it ended. */
static EngineReply breach(const char *script, const char *text, uint64_t milliseconds) {
  Arena *arena = arena_create();
  const char *const argv[] = {
      "/bin/sh", "-c", arena_printf(arena, "%s%s", GREETING, script), nullptr};
  EngineProcess *process = start_command(argv, milliseconds, 1 << 16);
  Text answer = text_create(arena);
  EngineReply reply;
  engine_process_ask(process, 2, (const char *const[]){"simplify", text}, &answer, &reply);
  engine_process_destroy(process);
  arena_destroy(arena);
  return reply;
}

/* The same, of an engine that goes on after its greeting once we have read that, and has ended when
 * we send the request. */
static EngineReply breach_of_one_that_has_ended(const char *script) {
  Arena *arena = arena_create();
  int go[2];
  assert_int_equal(pipe(go), 0);
  const char *const argv[] = {"/bin/sh", "-c",
      arena_printf(arena, "%sread -r go </proc/self/fd/%d; %s", GREETING, go[0], script), nullptr};
  EngineProcess *process = start_command(argv, enough, 1 << 16);
  Text answer = text_create(arena);
  EngineReply reply;
  const char *name, *offers;
  if (!engine_process_hello(process, &name, &offers, &reply)) fail_msg("%s", reply.why);
  assert_int_equal(write(go[1], "\n", 1), 1);
  siginfo_t end;
  assert_int_equal(waitid(P_ALL, 0, &end, WEXITED | WNOWAIT), 0);
  engine_process_ask(process, 2, (const char *const[]){"simplify", "(d0)"}, &answer, &reply);
  engine_process_destroy(process);
  close(go[0]), close(go[1]);
  arena_destroy(arena);
  return reply;
}

static void expect_breach(const Breach *row, const EngineReply *reply) {
  if (reply->kind != row->kind)
    fail_msg("%s: %s: %s", row->script, engine_kind_text(reply->kind), reply->why);
  if (strstr(reply->why, row->words) == nullptr)
    fail_msg("%s: '%s' is not in '%s'", row->script, row->words, reply->why);
}

static void each_breach_of_the_protocol_is_said(void **) {
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
      /* a child of the shell that a signal ends, and what it said before the shell named that */
      {"read -r l; sh -c 'echo of its own >&2; kill -ABRT $$'; exit $?", ENGINE_ABORTED,
          "SIGABRT; its last words: of its own"},
      {"read -r l; sh -c 'kill -SEGV $$'; exit $?", ENGINE_CRASHED, "SIGSEGV"},
      {"read -r l; exit 135", ENGINE_CRASHED, "SIGBUS"},
      {"read -r l; exit 130", ENGINE_EXITED, "with status 130"},
      /* a failed check stays with the line after it, however long the trace is */
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
    EngineReply reply = breach(breaches[i].script, "(d0)", enough);
    expect_breach(&breaches[i], &reply);
  }
}

/* What an engine printed before it ended is judged, and then how it ended, also where the request
 * meets nobody. */
static void what_was_printed_before_the_end_is_judged_first(void **) {
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
    EngineReply before = breach_of_one_that_has_ended(breaches[i].script),
                after = breach(script, "(d0)", enough);
    expect_breach(&breaches[i], &before);
    expect_breach(&breaches[i], &after);
  }
}

/* One that reads nothing more but still speaks is listened to. No pipe holds the request. */
static void who_reads_nothing_more_may_still_answer(void **) {
  static const Breach late = {
      "exec 0<&-; sleep 0.1; printf '2\\tanswer\\tx\\n'; exec sleep 1000", ENGINE_ANSWERED, ""};
  static char text[4'000'001];
  memset(text, 'x', sizeof text - 1);
  EngineReply reply = breach(late.script, text, enough);
  expect_breach(&late, &reply);
}

/* The limit grows until the engine has reached the place where it hangs. */
static void each_way_to_hang_ends_in_time(void **) {
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
    EngineReply reply = {};
    for (uint64_t limit = first_limit;
        strstr(reply.why, breaches[i].words) == nullptr && limit < enough; limit *= 2) {
      reply = breach(breaches[i].script, "(d0)", limit);
      assert_int_equal(reply.kind, ENGINE_HUNG);
    }
    expect_breach(&breaches[i], &reply);
  }
}

/* A request larger than any buffer, to somebody who reads nothing, ends in time. */
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
    is_up = engine_process_hello(process, &name, &offers, &reply);
    if (is_up)
      engine_process_ask(process, 2, (const char *const[]){"simplify", text}, &answer, &reply);
    assert_int_equal(reply.kind, ENGINE_HUNG);
    engine_process_destroy(process);
  }
  assert_true(is_up);
  arena_destroy(arena);
}

/* What an engine has started ends with it: four processes, in two sessions, the last of which says
 * that all are there. */
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
  EngineReply reply = {};
  for (uint64_t limit = first_limit; strstr(reply.why, "words: 1") == nullptr && limit < enough;
      limit *= 2) {
    EngineProcess *process = start_command(argv, limit, 1 << 16);
    engine_process_ask(process, 1, (const char *const[]){"simplify"}, &answer, &reply);
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

static unsigned long long lower(int what, rlim_t most) {
  struct rlimit now;
  assert_int_equal(getrlimit(what, &now), 0);
  return now.rlim_cur < most ? now.rlim_cur : most;
}

/* What an engine may write and start has an end. */
static void files_and_processes_have_limits(void **) {
  char words[100];
  snprintf(words, sizeof words, "its last words: %llu %llu", lower(RLIMIT_FSIZE, 1 << 30),
      lower(RLIMIT_NPROC, 4096));
  const Breach row = {
      "read -r l; exec awk '/^Max file size/ { size = $4 } /processes/ { print size, $3 > \"/dev/stderr\" }' /proc/self/limits",
      ENGINE_EXITED, words};
  EngineReply reply = breach(row.script, "(d0)", enough);
  expect_breach(&row, &reply);
}

/* Each process stays below the limit, and all of them together do not. One is in another session.
 */
static void processes_together_have_the_limit_of_one(void **) {
  static const char command[] = GREETING
      "for how in '' '' setsid; do $how sh -c '(head -c 50000000 /dev/zero; exec sleep 300) | tail' >&2 & done; sleep 300";
  const char *const argv[] = {"/bin/sh", "-c", command, nullptr};
  EngineProcess *process = engine_process_create(argv,
      &(EngineLimits){.milliseconds = 100'000, .memory = UINT64_C(128) << 20, .output = 1 << 16});
  Arena *arena = arena_create();
  Text answer = text_create(arena);
  EngineReply reply;
  engine_process_ask(process, 1, (const char *const[]){"simplify"}, &answer, &reply);
  if (reply.kind != ENGINE_MEMORY) fail_msg("%s: %s", engine_kind_text(reply.kind), reply.why);
  assert_true(reply.seconds < 90);
  engine_process_destroy(process);
  arena_destroy(arena);
}

/* A process that is forked off has an engine of its own. */
static void each_process_has_its_own_engine(void **) {
  MapContext *context = map_context_create();
  const Map *map = engine_parse(context, "(d0) -> (d0 * 3 + 1), domain: d0 in [0, 8]"),
            *verb_result;
  Engine *engine = open_faulty("none");
  assert_int_equal(engine_simplify(engine, context, map, &verb_result), ENGINE_ANSWERED);
  pid_t children[3];
  for (size_t k = 0; k < 3; k++) {
    children[k] = fork();
    if (children[k] != 0) continue;
    bool right = true;
    for (uint32_t i = 0; i < 200; i++)
      right &= engine_simplify(engine, context, map, &verb_result) == ENGINE_ANSWERED &&
               map_identical(context, map, verb_result);
    _exit(right ? 0 : 1);
  }
  for (uint32_t i = 0; i < 200; i++)
    assert_int_equal(engine_simplify(engine, context, map, &verb_result), ENGINE_ANSWERED);
  for (size_t k = 0; k < 3; k++) {
    int state;
    assert_int_equal(waitpid(children[k], &state, 0), children[k]);
    assert_int_equal(state, 0);
  }
  assert_int_equal(engine_starts(engine), 1);
  engine_destroy(engine);
  map_context_destroy(context);
}

static void the_option_that_replays_is_quoted(void **) {
  Error error = {};
  static const char command[] = "echo 'x' >/dev/null; " GREETING "cat >/dev/null";
  Engine *engine = open_command(command, enough, &error);
  if (engine == nullptr) fail_msg("%s", error.message);
  char check[1000];
  snprintf(check, sizeof check, "set -- %s; [ \"$1\" = --engine-cmd ] && [ \"$2\" = \"$WANTED\" ]",
      engine_option(engine));
  setenv("WANTED", command, 1);
  assert_int_equal(system(check), 0);
  engine_destroy(engine);
}

/* An output of a tuple within a tuple is named by its leaf in the query, and so in the answer. */
static void an_output_within_two_tuples_is_read(void **) {
  static const char text[] =
      "HloModule m\n\nENTRY e {\n  a = f32[2] parameter(0)\n  b = f32[2] parameter(1)\n"
      "  i = (f32[2], f32[2]) tuple(a, b)\n  ROOT r = ((f32[2], f32[2]), f32[2]) tuple(i, b)\n}\n";
  static const char *const commands[] = {
      "tab=$(printf '\\t'); while IFS= read -r l; do n=${l%%$tab*}; r=${l#*$tab}; "
      "case \"$r\" in hello*) printf '%s\\tengine\\t1\\te\\tanalyse\\n' $n;; "
      "*) printf '%s\\tanswer\\t(d0) -> (d0), domain: d0 in [0, 1]\\n' $n;; esac; done",
      "tab=$(printf '\\t'); while IFS= read -r l; do n=${l%%$tab*}; r=${l#*$tab}; "
      "case \"$r\" in hello*) printf '%s\\tengine\\t1\\te\\tanalyse\\n' $n;; "
      "*) printf '%s\\tanswer\\tOutput 2 operand 1:\\\\n(d0) -> (d0), domain: d0 in [0, 1]\\n' "
      "$n;; esac; done"};
  Arena *arena = arena_create();
  const Source source = {.name = "m", .text = text, .length = sizeof text - 1, .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, &source, &module, &error)) fail_msg("%s", error.message);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    Engine *engine = open_command(commands[i], enough, &error);
    if (engine == nullptr) fail_msg("%s", error.message);
    MapContext *context = map_context_create();
    MapSet maps;
    engine_set_module(engine, module);
    EngineKind kind = engine_analyse(engine, context,
        &(Question){.instruction = module->entry->root, .output = 2, .operand = 1}, &maps);
    if (kind != ENGINE_ANSWERED) fail_msg("%s", engine_reply(engine)->why);
    assert_int_equal(maps.count, 1);
    map_context_destroy(context);
    engine_destroy(engine);
  }
  arena_destroy(arena);
}

/* --- judged --- */

static void a_wrong_answer_is_refuted_and_a_broken_one_too(void **) {
  static const struct {
    const char *fault;
    VerdictReason word;
  } wanted[] = {{"none", REASON_EXACT}, {"wrong", REASON_DIFFERENT}, {"crash", REASON_DIFFERENT},
      {"rank", REASON_DIFFERENT}, {"garbage", REASON_DIFFERENT}, {"undefined", REASON_OPEN},
      {"not-offered", REASON_OPEN}, {"overflow", REASON_OPEN}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    Error error = {};
    Engine *engine = open_faulty(wanted[i].fault);
    Judge *judge = judge_create(&(JudgeOptions){.engine = engine}, &error);
    const Map *
        map = engine_parse(judge->context,
           "(d0)[s0]{rt0} -> (d0 mod 8 + s0 + rt0), domain: d0 in [0, 8], s0 in [0, 1], rt0 in [0, 2]"),
       *simplified;
    if (strcmp(wanted[i].fault, "rank") == 0 || strcmp(wanted[i].fault, "overflow") == 0)
      map = engine_parse(judge->context, "(d0) -> (d0 mod 8), domain: d0 in [0, 8]");
    SameJudgement same;
    assert_true(tested_keeps(judge, map, nullptr, &simplified, &same, &error));
    if (same.reason != wanted[i].word)
      fail_msg("%s: %s: %s", wanted[i].fault, same_reason_text(same.reason), same.text);
    assert_true(same.reason == REASON_EXACT || same.text[0] != 0);
    judge_destroy(judge);
    engine_destroy(engine);
  }
}

int main(void) {
  signal(SIGPIPE, SIG_DFL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_fault_has_its_kind_and_the_next_call_is_answered),
      cmocka_unit_test(constraints_go_out_as_they_stand),
      cmocka_unit_test(an_end_that_wants_earlier_questions_says_so),
      cmocka_unit_test(a_call_that_hangs_ends_and_the_next_one_is_answered),
      cmocka_unit_test(what_does_not_start_is_an_error),
      cmocka_unit_test(a_start_that_hangs_is_an_error),
      cmocka_unit_test(texts_come_back_as_they_were_sent),
      cmocka_unit_test(random_and_large_texts_come_back),
      cmocka_unit_test(each_breach_of_the_protocol_is_said),
      cmocka_unit_test(what_was_printed_before_the_end_is_judged_first),
      cmocka_unit_test(who_reads_nothing_more_may_still_answer),
      cmocka_unit_test(each_way_to_hang_ends_in_time),
      cmocka_unit_test(nobody_who_reads_nothing_holds_us_up),
      cmocka_unit_test(no_process_is_left),
      cmocka_unit_test(files_and_processes_have_limits),
      cmocka_unit_test(processes_together_have_the_limit_of_one),
      cmocka_unit_test(each_process_has_its_own_engine),
      cmocka_unit_test(the_option_that_replays_is_quoted),
      cmocka_unit_test(an_output_within_two_tuples_is_read),
      cmocka_unit_test(a_wrong_answer_is_refuted_and_a_broken_one_too),
  };
  return cmocka_run_group_tests(tests, find_library, nullptr);
}
