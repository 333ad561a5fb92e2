/* How answers are counted: each kind of reply of a foreign engine to each verb, affirm's own
 * answers, and the exit status of all counts. Engines are shell commands. */
#include "judge/audit/score.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "core/hlo/read/read.h"
#include "core/map/text.h"
#include "judge/engines/test/engine_scripts.h"

typedef enum ScoredVerb : uint8_t { SCORED_SIMPLIFY, SCORED_COMPOSE, SCORED_ANALYSE } ScoredVerb;

typedef struct ScoreRow {
  ScoredVerb verb;
  const char *reply; /* the shell command that prints it */
  ScoreColumn column;
  bool is_reply, is_refusal, is_avoidable;
  const char *words, *fault;
} ScoreRow;

#define REPLY(text) "printf '2\\t" text "\\n'"
#define ANSWER(text) REPLY("answer\\t" text)
#define TEN "domain: d0 in [0, 9]"
#define FOUR "domain: d0 in [0, 3]"

/* Questions: simplify (d0) -> (d0 mod 16) over TEN; compose d0 + 1 with d0 * 2; analyse a reverse
 * of four elements. */
static const ScoreRow rows[] = {
    {SCORED_SIMPLIFY, ANSWER("(d0) -> (d0), " TEN), SCORE_exact, .words = ""},
    {SCORED_SIMPLIFY, ANSWER("(d0) -> (d0 mod 8), " TEN), SCORE_wrong, .words = "d0 = 8",
        .fault = "simplify/"},
    {SCORED_SIMPLIFY, ANSWER("(d0) -> (d0), domain: d0 in [0, 8]"), SCORE_wrong_domain,
        .words = "d0 = 9", .fault = "simplify/"},
    {SCORED_SIMPLIFY, ANSWER("UNDEFINED"), SCORE_undefined, .is_reply = true, .is_refusal = true,
        .words = ""},
    {SCORED_SIMPLIFY, REPLY("undefined\\tno idea"), SCORE_undefined, .is_reply = true,
        .is_refusal = true, .words = "no idea"},
    {SCORED_SIMPLIFY, REPLY("rejected\\tnot today"), SCORE_rejected, .is_reply = true,
        .is_refusal = true, .words = "not today"},
    {SCORED_SIMPLIFY, REPLY("not-offered"), SCORE_not_offered, .is_reply = true, .words = ""},
    {SCORED_SIMPLIFY, ANSWER("(d0"), SCORE_malformed, .is_reply = true, .words = "",
        .fault = "simplify/garbage"},
    {SCORED_SIMPLIFY, ANSWER("(d0) -> (d0, 0), " TEN), SCORE_malformed, .is_reply = true,
        .words = "results, expected", .fault = "simplify/wrong-rank"},
    {SCORED_SIMPLIFY, ANSWER("(d0) -> (d0 * 9223372036854775807 * 9223372036854775807), " TEN),
        SCORE_rejected, .is_reply = true, .words = ""},
    {SCORED_SIMPLIFY, "exit 7", SCORE_crashed, .is_reply = true, .words = "7",
        .fault = "simplify/exited"},
    {SCORED_SIMPLIFY, "kill -SEGV $$", SCORE_crashed, .is_reply = true, .words = "SIGSEGV",
        .fault = "simplify/crashed"},
    {SCORED_COMPOSE, ANSWER("(d0) -> (d0 * 2 + 2), " TEN), SCORE_exact, .words = ""},
    {SCORED_COMPOSE, ANSWER("(d0) -> (d0 * 2 + 1), " TEN), SCORE_wrong, .words = "d0 = 0",
        .fault = "compose/"},
    {SCORED_COMPOSE, REPLY("undefined"), SCORE_undefined, .is_reply = true, .is_refusal = true,
        .words = ""},
    {SCORED_COMPOSE, REPLY("garbage"), SCORE_malformed, .is_reply = true, .words = "",
        .fault = "compose/garbage"},
    {SCORED_ANALYSE, ANSWER("(d0) -> (-d0 + 3), " FOUR), SCORE_exact, .words = ""},
    {SCORED_ANALYSE, ANSWER("(d0) -> (d0), " FOUR), SCORE_wrong, .words = "reads",
        .fault = "reverse"},
    {SCORED_ANALYSE, ANSWER("(d0)[s0] -> (s0), " FOUR ", s0 in [0, 3]"), SCORE_over_approximation,
        .is_avoidable = true, .words = ""},
    {SCORED_ANALYSE, REPLY("undefined"), SCORE_undefined, .is_reply = true, .is_refusal = true,
        .words = ""},
    {SCORED_ANALYSE, REPLY("rejected\\tno"), SCORE_rejected, .is_reply = true, .is_refusal = true,
        .words = "no"},
    {SCORED_ANALYSE, "exit 7", SCORE_crashed, .is_reply = true, .words = "7",
        .fault = "reverse/exited"},
};

static const Map *score_parse(MapContext *context, const char *text) {
  const Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  Error error = {};
  if (!map_parse(context, &source, &map, &error)) fail_msg("%s: %s", text, error.message);
  return map;
}

static const Module *score_module(Arena *arena) {
  static const char text[] =
      "HloModule m\nENTRY e {\np = f32[4] parameter(0)\nROOT r = f32[4] reverse(p), dimensions={0}\n}\n";
  static const Source source = {
      .name = "m", .text = text, .length = sizeof text - 1, .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, &source, &module, &error)) fail_msg("%s", error.message);
  return module;
}

/* Asks the question of the verb. */
static void score_verb(
    Judge *judge, Arena *arena, ScoredVerb verb, Score *score, ScoreAnswer *answer) {
  if (verb == SCORED_SIMPLIFY) {
    score_simplify(
        judge, arena, score_parse(judge->context, "(d0) -> (d0 mod 16), " TEN), score, answer);
  } else if (verb == SCORED_COMPOSE) {
    const Map *consumer = score_parse(judge->context, "(d0) -> (d0 + 1), " TEN),
              *producer = score_parse(judge->context, "(d0) -> (d0 * 2), domain: d0 in [0, 99]");
    Error error = {};
    assert_true(score_compose(judge, arena, consumer, producer, score, answer, &error));
  } else {
    const Module *module = score_module(arena);
    tested_module(judge, module);
    const Question question = {.instruction = module->entry->root, .direction = OUTPUT_TO_INPUT};
    score_analyse(judge, arena, &question, score, answer);
  }
}

/* Only one at a time: the command's buffer is static. */
static Engine *score_engine(const char *reply) {
  static char command[4000];
  Error error = {};
  snprintf(command, sizeof command,
      "read -r l; set -- $l; printf \"$1\\tengine\\t1\\tx\\tanalyse simplify compose\\n\"; read -r l; %s; read -r l",
      reply);
  EngineLimits limits = {
      .milliseconds = enough, .memory = UINT64_C(1) << 32, .output = UINT64_C(1) << 20};
  Engine *engine = engine_create(&(EngineOptions){.command = command, .limits = limits}, &error);
  if (engine == nullptr) fail_msg("%s", error.message);
  return engine;
}

static void check_score(const ScoreRow *row, const Score *score, const ScoreAnswer *answer) {
  if (answer->column != row->column || strstr(answer->words, row->words) == nullptr)
    fail_msg("%s: %s: %s", row->reply, score_column_text(answer->column), answer->words);
  if (answer->is_reply != row->is_reply || answer->is_refusal != row->is_refusal ||
      answer->is_avoidable != row->is_avoidable)
    fail_msg(
        "%s: %d %d %d", row->reply, answer->is_reply, answer->is_refusal, answer->is_avoidable);
  const char *fault = row->fault == nullptr ? "" : row->fault;
  if (strncmp(answer->fault.text, fault, strlen(fault)) != 0 ||
      (row->fault == nullptr && answer->fault.text[0] != 0))
    fail_msg("%s: %s", row->reply, answer->fault.text);
  if (answer->is_reply) assert_string_equal(answer->maps, "");
  else assert_non_null(strstr(answer->maps, "domain: "));
  assert_int_equal(answer->length, strlen(answer->maps));
  if (!answer->is_reply) assert_string_equal(answer->kind, score_column_text(row->column));
  assert_int_equal(score->questions, 1);
  for (uint32_t i = 0; i < score_column_count; i++)
    assert_int_equal(score->counts[i], i == row->column);
  assert_true(score->seconds > 0 && score->slowest == score->seconds);
  assert_int_equal(score_status(score), score_column_status(row->column));
}

static void each_reply_has_its_column(void **) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Engine *engine = score_engine(rows[i].reply);
    Error error = {};
    Judge *judge = judge_create(&(JudgeOptions){.engine = engine, .without_smt = true}, &error);
    Arena *arena = arena_create();
    Score score = {};
    ScoreAnswer answer;
    assert_non_null(judge);
    judge->exactness = EXACTNESS_NOTED;
    score_verb(judge, arena, rows[i].verb, &score, &answer);
    check_score(&rows[i], &score, &answer);
    arena_destroy(arena);
    judge_destroy(judge);
    engine_destroy(engine);
  }
}

/* More than the reads, where affirm's own maps are exact. */
static void a_map_with_more_is_wrong_only_if_exactness_is_wanted(void **) {
  static const Exactness wants[] = {EXACTNESS_NOT_SOUGHT, EXACTNESS_NOTED, EXACTNESS_WANTED};
  for (uint32_t i = 0; i < 3; i++) {
    Engine *engine = score_engine(ANSWER("(d0)[s0] -> (s0), " FOUR ", s0 in [0, 3]"));
    Error error = {};
    Judge *judge = judge_create(&(JudgeOptions){.engine = engine, .without_smt = true}, &error);
    Arena *arena = arena_create();
    Score score = {};
    ScoreAnswer answer;
    assert_non_null(judge);
    judge->exactness = wants[i];
    score_verb(judge, arena, SCORED_ANALYSE, &score, &answer);
    assert_int_equal(
        answer.column, wants[i] == EXACTNESS_WANTED ? SCORE_wrong : SCORE_over_approximation);
    assert_int_equal(answer.is_avoidable, wants[i] != EXACTNESS_NOT_SOUGHT);
    arena_destroy(arena);
    judge_destroy(judge);
    engine_destroy(engine);
  }
}

static void affirms_own_answers_are_exact(void **) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){.without_smt = true}, &error);
  Arena *arena = arena_create();
  Score score = {};
  assert_non_null(judge);
  static const char *const maps[] = {
      "(d0) -> (d0), " TEN, "(d0) -> (d0 * 2 + 2), " TEN, "(d0) -> (-d0 + 3), " FOUR};
  for (uint32_t verb = 0; verb < 3; verb++) {
    ScoreAnswer answer;
    score_verb(judge, arena, (ScoredVerb)verb, &score, &answer);
    assert_int_equal(answer.column, SCORE_exact);
    assert_string_equal(answer.maps, maps[verb]);
    assert_true(!answer.is_reply && !answer.is_refusal && answer.fault.text[0] == 0);
  }
  assert_int_equal(score.questions, 3);
  assert_int_equal(score.counts[SCORE_exact], 3);
  assert_true(score.slowest <= score.seconds);
  ScoreAnswer answer;
  assert_false(score_compose(judge, arena, score_parse(judge->context, "(d0) -> (d0, 0), " TEN),
      score_parse(judge->context, "(d0) -> (d0), " TEN), &score, &answer, &error));
  assert_string_equal(
      error.message, "composition: the first map has 2 results and the second 1 dimension");
  assert_int_equal(score.questions, 3);
  arena_destroy(arena);
  judge_destroy(judge);
}

/* A wrong answer is worse than one that decides nothing, which is worse than a right one. */
static void the_status_is_that_of_the_worst_column(void **) {
  for (uint32_t i = 0; i < score_column_count; i++)
    for (uint32_t k = 0; k < score_column_count; k++) {
      Score score = {.counts = {[0] = 5}};
      score.counts[i] += 1;
      score.counts[k] += 2;
      Status one = score_column_status((ScoreColumn)i), other = score_column_status((ScoreColumn)k);
      bool is_refuted = one == STATUS_REFUTED || other == STATUS_REFUTED,
           is_open = one == STATUS_UNDECIDED || other == STATUS_UNDECIDED;
      assert_int_equal(score_status(&score), is_refuted ? STATUS_REFUTED
                                             : is_open  ? STATUS_UNDECIDED
                                                        : STATUS_PROVED);
    }
}

int main(void) {
  signal(SIGPIPE, SIG_DFL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_reply_has_its_column),
      cmocka_unit_test(a_map_with_more_is_wrong_only_if_exactness_is_wanted),
      cmocka_unit_test(affirms_own_answers_are_exact),
      cmocka_unit_test(the_status_is_that_of_the_worst_column),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
