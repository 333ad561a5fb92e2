/* A question that exceeds its time budget is NOT_JUDGED, "out of time"; one that the user ends is
 * NOT_JUDGED, "interrupted". The judge's next question has a fresh budget. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/clock.h"
#include "core/hlo/read/read.h"
#include "judge/graphs/equiv.h"
#include "judge/maps/judge.h"

static const char hard[] = "HloModule m\n"
                           "ENTRY e {\n"
                           "  p = f32[8,12]{1,0:T(2,2)} parameter(0)\n"
                           "  ROOT r = bf16[12,16]{0,1:T(4,3)(2,1)} bitcast(p)\n"
                           "}\n";
static const char easy[] = "HloModule m\n"
                           "ENTRY e {\n"
                           "  p = f32[8,12] parameter(0)\n"
                           "  ROOT r = f32[12,8] transpose(p), dimensions={1,0}\n"
                           "}\n";

static bool has_no_patience(void) { return true; }

static const Judgement *budget_query(Judge *judge, Arena *arena, const char *text) {
  Source source = {.name = "module", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module = nullptr;
  Error error = {};
  if (!hlo_read(arena, &source, &module, &error)) fail_msg("%s", error.message);
  QuestionList questions = {};
  questions_add(arena, module->entry->root, &question_filter_all, &questions);
  assert_true(questions.count > 0);
  Judgement *judgement = ARENA_NEW(arena, Judgement, 1);
  judge_question(judge, &questions.items[0], judgement);
  return judgement;
}

/* 16,777,216 pairs under each of many assignments. */
static const char long_enumeration[] =
    "HloModule m\n"
    "max {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] maximum(a, b)\n}\n"
    "ENTRY e {\n"
    "  i = s32[4096,2] parameter(1)\n"
    "  u = f32[4096,1,1] parameter(2)\n"
    "  p = f32[1,4096] parameter(0)\n"
    "  ROOT r = f32[1,4096] scatter(p, i, u), update_window_dims={1,2}, inserted_window_dims={}, "
    "scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=max\n"
    "}\n";

static const char *enumerated(Arena *arena, const JudgeOptions *options, double *taken) {
  Source source = {.name = "module",
      .text = long_enumeration,
      .length = strlen(long_enumeration),
      .first_line = 1};
  const Module *module = nullptr;
  Error error = {};
  Judgement judgement = {};
  Judge *judge = judge_create(options, &error);
  if (!hlo_read(arena, &source, &module, &error)) fail_msg("%s", error.message);
  double start = clock_processor();
  judge_question(judge,
      &(Question){.instruction = module->entry->root, .direction = INPUT_TO_OUTPUT, .operand = 2},
      &judgement);
  *taken = clock_processor() - start;
  assert_int_equal(judgement.answer, REASON_OPEN);
  const char *reason = arena_text(arena, judgement.reason, strlen(judgement.reason));
  judge_destroy(judge);
  return reason;
}

static void an_enumeration_ends(void **) {
  Arena *arena = arena_create();
  double taken;
  const char *reason =
      enumerated(arena, &(JudgeOptions){.without_smt = true, .oracle.seconds = 1}, &taken);
  print_message("%.2f s: %s\n", taken, reason);
  assert_non_null(strstr(reason, "out of time: more than 1 s of enumeration"));
  assert_true(taken > 0.9 && taken < 8);
  reason =
      enumerated(arena, &(JudgeOptions){.without_smt = true, .smt.stop = has_no_patience}, &taken);
  assert_non_null(strstr(reason, "interrupted"));
  assert_true(taken < 5);
  arena_destroy(arena);
}

static uint32_t refusals;

static bool refuse_once(void) { return ++refusals > 0; }

/* All questions about a pair share one budget: once it is spent, nothing asks for it again. */
static void a_pair_of_reads_has_one_budget(void **) {
  Arena *arena = arena_create();
  Source source = {.name = "module",
      .text = long_enumeration,
      .length = strlen(long_enumeration),
      .first_line = 1};
  const Module *modules[2] = {};
  Error error = {};
  Equiv equiv;
  EquivVerdict verdict;
  Judge *judge = judge_create(&(JudgeOptions){.smt.stop = refuse_once}, &error);
  for (int i = 0; i < 2; i++) assert_true(hlo_read(arena, &source, &modules[i], &error));
  assert_true(equiv_create(judge, arena, modules[0], modules[1], &equiv, &error));
  refusals = 0;
  equiv_judge(&equiv, (EquivPair){.parameter = 2}, &verdict);
  assert_string_equal(verdict.judges, "literal");
  assert_int_equal(refusals, 1);
  judge_destroy(judge);
  arena_destroy(arena);
}

static Judge *open_judge(const SmtOptions *smt) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){.without_oracle = true, .smt = *smt}, &error);
  assert_non_null(judge);
  return judge;
}

static void a_question_past_its_seconds_is_not_judged(void **) {
  Arena *arena = arena_create();
  Judge *judge = open_judge(&(SmtOptions){.seconds = 1});
  double start = clock_processor();
  const Judgement *judgement = budget_query(judge, arena, hard);
  double taken = clock_processor() - start;
  print_message("%.2f s: %s\n", taken, judgement->reason);
  assert_int_equal(judgement->answer, REASON_OPEN);
  assert_non_null(strstr(judgement->reason, "out of time"));
  assert_true(taken < 10);
  assert_int_equal(budget_query(judge, arena, easy)->answer, REASON_EXACT);
  judge_destroy(judge);
  arena_destroy(arena);
}

static void a_question_that_the_user_ends_is_not_judged(void **) {
  Arena *arena = arena_create();
  Judge *judge = open_judge(&(SmtOptions){.stop = has_no_patience});
  const Judgement *judgement = budget_query(judge, arena, easy);
  assert_int_equal(judgement->answer, REASON_OPEN);
  assert_non_null(strstr(judgement->reason, "interrupted"));
  judge_destroy(judge);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_enumeration_ends),
      cmocka_unit_test(a_pair_of_reads_has_one_budget),
      cmocka_unit_test(a_question_past_its_seconds_is_not_judged),
      cmocka_unit_test(a_question_that_the_user_ends_is_not_judged),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
