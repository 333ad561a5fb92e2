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
      cmocka_unit_test(a_question_past_its_seconds_is_not_judged),
      cmocka_unit_test(a_question_that_the_user_ends_is_not_judged),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
