/* A foreign engine as seen by a judge: every kind of failure is distinguished, and the next call is
 * answered normally. Engines are the library with seeded faults
 * (judge/engines/engine_faulty_main.c) and shell commands. engine_process_test.c tests the pipe. */
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

#include "core/hlo/read/read.h"
#include "core/map/text.h"
#include "judge/maps/tested.h"
#include "judge/engines/test/engine_scripts.h"

static char library[4200];

static int find_library(void **) {
  ssize_t length = readlink("/proc/self/exe", library, sizeof library - 100);
  assert_true(length > 0);
  library[length] = 0;
  strcpy(strrchr(library, '/'), "/libengine_faulty.so");
  return 0;
}

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
        "3 dimensions, 0 runtime variables and 4 results, expected 1, 0 and 1, in the answer (", 0},
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

/* Makes a call that the fault affects and one that it does not, twice. Returns false if the limit
 * was too short for the latter. */
static bool check_row(const Calls *calls, Engine *engine, const EngineRow *row) {
  const Map *result;
  assert_string_equal(engine_name(engine), "faulty 1");
  for (uint64_t round = 1; round <= 2; round++) {
    EngineKind kind = engine_simplify(engine, calls->context, calls->bad, &result);
    if (kind != row->kind)
      fail_msg("%s: %s: %s", row->fault, engine_kind_text(kind), engine_reply(engine)->why);
    if (strstr(engine_reply(engine)->why, row->words) == nullptr)
      fail_msg("%s: '%s' is not in '%s'", row->fault, row->words, engine_reply(engine)->why);
    kind = engine_simplify(engine, calls->context, calls->good, &result);
    if (kind == ENGINE_HUNG) return false;
    assert_int_equal(kind, ENGINE_ANSWERED);
    assert_true(map_identical(calls->context, result, calls->good));
    bool has_ended =
        row->kind == ENGINE_CRASHED || row->kind == ENGINE_ABORTED || row->kind == ENGINE_EXITED;
    uint64_t queried_again =
        has_ended && round == 2; /* it had answered before, so a fresh process is asked */
    assert_int_equal(engine_starts(engine), 1 + round * row->restarts + queried_again);
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

/* Constraints are sent in their order: the engine drops the last one. */
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

/* The third question ends the process, but not on its own. */
static void an_end_that_needs_earlier_questions_is_reported(void **) {
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
  } starts[] = {{"version", "of interface version 99"}, {"nameless", "states no name"},
      {"unable", "cannot work here"}, {"start", "aborted: SIGABRT"}};
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
      {"read r; printf '1\\tengine\\t2\\tx\\tsimplify\\n'", "garbage: does not support version 1"},
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

/* A forked process starts its own engine. */
static void each_process_has_its_own_engine(void **) {
  MapContext *context = map_context_create();
  const Map *map = engine_parse(context, "(d0) -> (d0 * 3 + 1), domain: d0 in [0, 8]"), *result;
  Engine *engine = open_faulty("none");
  assert_int_equal(engine_simplify(engine, context, map, &result), ENGINE_ANSWERED);
  pid_t children[3];
  for (size_t k = 0; k < 3; k++) {
    children[k] = fork();
    if (children[k] != 0) continue;
    bool right = true;
    for (uint32_t i = 0; i < 200; i++)
      right &= engine_simplify(engine, context, map, &result) == ENGINE_ANSWERED &&
               map_identical(context, map, result);
    _exit(right ? 0 : 1);
  }
  for (uint32_t i = 0; i < 200; i++)
    assert_int_equal(engine_simplify(engine, context, map, &result), ENGINE_ANSWERED);
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

/* The query names an output in nested tuples by its leaf, and so does the answer. An answer with
 * two headings of the pair would be judged by one of them. */
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
      "$n;; esac; done",
      "tab=$(printf '\\t'); while IFS= read -r l; do n=${l%%$tab*}; r=${l#*$tab}; "
      "case \"$r\" in hello*) printf '%s\\tengine\\t1\\te\\tanalyse\\n' $n;; "
      "*) printf '%s\\tanswer\\tOutput 2 operand 1:\\\\n(d0) -> (d0), domain: d0 in [0, 1]\\\\n"
      "Output 2 operand 1:\\\\n(d0) -> (0), domain: d0 in [0, 1]\\n' $n;; esac; done"};
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
    if (kind != (i < 2 ? ENGINE_ANSWERED : ENGINE_GARBAGE))
      fail_msg("%s", engine_reply(engine)->why);
    if (i < 2) assert_int_equal(maps.count, 1);
    else assert_non_null(strstr(engine_reply(engine)->why, "has two headings"));
    map_context_destroy(context);
    engine_destroy(engine);
  }
  arena_destroy(arena);
}

/* Of two maps the engine simplifies the first to one without points. */
static void maps_without_points_are_left_out(void **) {
  static const char text[] =
      "HloModule m\nf {\n  x = f32[4] parameter(0)\n  a = f32[2] slice(x), slice={[0:2]}\n"
      "  b = f32[2] slice(x), slice={[2:4]}\n  ROOT s = f32[2] add(a, b)\n}\n"
      "ENTRY e {\n  x = f32[4] parameter(0)\n"
      "  ROOT r = f32[2] fusion(x), kind=kLoop, calls=f\n}\n";
  static const char command[] =
      "tab=$(printf '\\t'); k=0; while IFS= read -r l; do n=${l%%$tab*}; r=${l#*$tab}; "
      "case \"$k\" in 0) printf '%s\\tengine\\t1\\te\\tsimplify\\n' $n;; "
      "1) printf '%s\\tanswer\\tKNOWN EMPTY\\n' $n;; "
      "*) printf '%s\\tanswer\\t%s\\n' $n \"${r#*$tab}\";; esac; k=$((k + 1)); done";
  Error error = {};
  Engine *engine = open_command(command, enough, &error);
  if (engine == nullptr) fail_msg("%s", error.message);
  Judge *judge = judge_create(&(JudgeOptions){.engine = engine}, &error);
  Arena *arena = arena_create();
  const Source source = {.name = "m", .text = text, .length = sizeof text - 1, .first_line = 1};
  const Module *module;
  if (!hlo_read(arena, &source, &module, &error)) fail_msg("%s", error.message);
  MapSet own, maps;
  const Question question = {.instruction = module->entry->root, .direction = OUTPUT_TO_INPUT};
  engine_set_module(engine, module);
  assert_true(judge_query_own(judge, &question, &own, &error));
  assert_int_equal(own.count, 2);
  assert_true(tested_maps(judge, &question, &maps, &error));
  assert_int_equal(maps.count, 1);
  assert_true(map_identical(judge->context, maps.maps[0], own.maps[1]));
  judge_destroy(judge);
  engine_destroy(engine);
  arena_destroy(arena);
}

/* --- judged --- */

/* Judging is no further request: a fault in its answer would be in nobody's row. */
static void each_question_is_asked_once(void **) {
  static const char text[] =
      "HloModule m\nENTRY e {\n  p = f32[6] parameter(0)\n  ROOT n = f32[6] negate(p)\n}\n";
  static const char command[] =
      "read -r l; set -- $l; printf \"$1\\tengine\\t1\\tx\\tanalyse\\n\"; "
      "while read -r l; do set -- $l; printf \"$1\\tanswer\\t(d0) -> (d0), domain: d0 in [0, 5]\\n\"; done";
  Error error = {};
  Engine *engine = open_command(command, enough, &error);
  assert_non_null(engine);
  Judge *judge = judge_create(&(JudgeOptions){.engine = engine}, &error);
  Arena *arena = arena_create();
  const Source source = {.name = "m", .text = text, .length = sizeof text - 1, .first_line = 1};
  const Module *module;
  if (!hlo_read(arena, &source, &module, &error)) fail_msg("%s", error.message);
  engine_set_module(engine, module);
  const uint64_t before = engine_requests(engine);
  for (uint32_t i = 0; i < 2; i++) {
    const Question question = {.instruction = module->entry->root, .direction = (Direction)i};
    Judgement judgement;
    judge_question(judge, &question, &judgement);
    assert_int_equal(judgement.answer, REASON_EXACT);
    assert_int_equal(engine_requests(engine) - before, i + 1);
  }
  judge_destroy(judge);
  engine_destroy(engine);
  arena_destroy(arena);
}

static void a_wrong_answer_is_refuted_and_a_broken_one_too(void **) {
  static const struct {
    const char *fault;
    VerdictReason reason;
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
    if (same.reason != wanted[i].reason)
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
      cmocka_unit_test(an_end_that_needs_earlier_questions_is_reported),
      cmocka_unit_test(a_call_that_hangs_ends_and_the_next_one_is_answered),
      cmocka_unit_test(what_does_not_start_is_an_error),
      cmocka_unit_test(a_start_that_hangs_is_an_error),
      cmocka_unit_test(each_process_has_its_own_engine),
      cmocka_unit_test(the_option_that_replays_is_quoted),
      cmocka_unit_test(an_output_within_two_tuples_is_read),
      cmocka_unit_test(maps_without_points_are_left_out),
      cmocka_unit_test(each_question_is_asked_once),
      cmocka_unit_test(a_wrong_answer_is_refuted_and_a_broken_one_too),
  };
  return cmocka_run_group_tests(tests, find_library, nullptr);
}
