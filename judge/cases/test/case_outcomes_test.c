/* A case passes only if what it expects is so: each question is asked with every expectation, and
 * fails with all but those that its answer allows. Without judges nothing passes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "judge/cases/case_run.h"

static Arena *arena;

static const char *const expectations[] = {"proved", "refuted", "exact", "over-approximation",
    "wrong", "sound", "undefined", "nothing", "error 1:1: nothing of the kind", "= (d0) -> (d0)"};

typedef struct OutcomeRow {
  const char *question;
  const char *allowed; /* words of expectations that it allows */
} OutcomeRow;

#define D0 ", domain: d0 in [0, 9]"
#define REVERSED \
  " hlo\np = f32[10] parameter(0)\nROOT r = f32[10] reverse(p), dimensions={0}\nend\n"
#define COPIED \
  " hlo\np = f32[10] parameter(0)\nq = f32[10] parameter(1)\nROOT r = f32[10] copy(p)\nend\n"
#define CALLED \
  " hlo\np = f32[10] parameter(0)\nROOT r = f32[10] custom-call(p), custom_call_target=\"t\"\nend\n"

/* Only one offset leaves this element of the updated array. */
#define UPDATED \
  " hlo\nf {\nx = f32[2] parameter(0)\nu = f32[1] parameter(1)\ni = s32[] parameter(2)\n" \
  "d = f32[2] dynamic-update-slice(x, u, i)\nROOT s = f32[1] slice(d), slice={[0:1]}\n}\n" \
  "ENTRY e {\nx = f32[2] parameter(0)\nu = f32[1] parameter(1)\nj = s32[] parameter(2)\n" \
  "ROOT r = f32[1] fusion(x, u, j), kind=kLoop, calls=f\n}\nend\n"
#define OF_UPDATED(clamp) \
  "= (d0){rt0} -> (d0), domain: d0 in [0, 0], rt0 in [1, 1]\n  runtime variables:\n" \
  "  rt0: j" clamp "; (d0){rt0} -> (), domain: d0 in [0, 0], rt0 in [1, 1]"

#define MEMBER(attributes) \
  " hlo\np = f32[2] parameter(0)\nROOT r = f32[4] all-gather(p), dimensions={0}" attributes \
  "\nend\n"

static const OutcomeRow rows[] = {
    {"devices" MEMBER(", replica_groups={{0,1}}"), "exact sound"},
    {"same (d0) -> (d0 mod 20)" D0 " ; (d0) -> (d0)" D0 "\n", "proved"},
    {"same (d0) -> (d0 mod 5)" D0 " ; (d0) -> (d0)" D0 "\n", "refuted"},
    {"same-relation (d0)[s0] -> (s0)" D0 ", s0 in [0, 3] ; (d0)[s0] -> (3 - s0)" D0
     ", s0 in [0, 3]\n",
        "proved"},
    {"same-relation (d0)[s0] -> (s0)" D0 ", s0 in [0, 3] ; (d0)[s0] -> (s0)" D0 ", s0 in [0, 4]\n",
        "refuted"},
    {"contained (d0)[s0] -> (s0)" D0 ", s0 in [0, 3] ; (d0)[s0] -> (s0)" D0 ", s0 in [0, 4]\n",
        "proved"},
    {"contained (d0)[s0] -> (s0)" D0 ", s0 in [0, 4] ; (d0)[s0] -> (s0)" D0 ", s0 in [0, 3]\n",
        "refuted"},
    {"keeps (d0) -> (d0 mod 20)" D0 "\n", "proved"},
    {"steps (d0) -> (d0 mod 20)" D0 "\n", "proved"},
    {"canonical (d0) -> (d0 mod 20)" D0 "\n", "proved"},
    {"check o2i 0 0" REVERSED "map (d0) -> (9 - d0)" D0 "\n", "exact sound"},
    {"check o2i 0 0" REVERSED "map (d0)[s0] -> (s0)" D0 ", s0 in [0, 9]\n",
        "over-approximation sound"},
    {"check o2i 0 0" REVERSED "map (d0) -> (d0)" D0 "\n", "wrong"},
    {"check o2i 0 0" REVERSED, "exact sound"},
    {"check i2o 0 0" REVERSED, "exact sound"},
    {"map o2i 0 0" CALLED, "undefined"},
    {"map o2i 0 1" COPIED, ""},
    {"prove rules\nrule r x + 0 => x\nend\n", "proved"},
    {"prove rules\nrule r x + 1 => x\nend\n", "refuted"},
    {"prove rules\nrule r x + 1 => x\nrule s x + 2 => x\nend\n", "refuted"},
    {"prove rules\nrule r x + 1 => x\nrule s x + 0 => x\nend\n", ""},
    {"prove rules\nrule r x + 0 => x\nrule s x + 1 => x\nend\n", ""},
};

static CaseOutcome outcome_of(Judge *judge, const char *question, const char *expected) {
  const char *text = arena_printf(arena, "# one\n%s%s\n", question, expected);
  Source source = {.name = "a.case", .text = text, .length = strlen(text), .first_line = 1};
  CaseFile cases;
  CaseResult result;
  Error error = {};
  if (!cases_parse(arena, &source, &cases, &error)) fail_msg("%s: %s", text, error.message);
  case_run(judge, arena, &cases.items[0], &result);
  return result.outcome;
}

static bool has_expectation(const char *allowed, const char *expected) {
  size_t length = strcspn(expected, " ");
  for (const char *at = allowed; *at != 0; at += strcspn(at, " "), at += *at == ' ')
    if (strcspn(at, " ") == length && memcmp(at, expected, length) == 0) return true;
  return false;
}

static void only_what_is_so_passes(void **) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){}, &error);
  uint32_t failed = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (size_t k = 0; k < sizeof expectations / sizeof *expectations; k++) {
      CaseOutcome outcome = outcome_of(judge, rows[i].question, expectations[k]);
      bool is_allowed = has_expectation(rows[i].allowed, expectations[k]);
      bool is_bad = outcome == CASE_BAD && rows[i].allowed[0] == 0; /* there is no operand 1 */
      if (is_bad || outcome == (is_allowed ? CASE_PASSED : CASE_FAILED)) continue;
      print_message("%s%s: %s\n", rows[i].question, expectations[k], case_outcome_text(outcome));
      failed++;
    }
  judge_destroy(judge);
  assert_int_equal(failed, 0);
}

/* The map that a wrong rule makes is judged, and not the given one. */
static void a_wrong_rule_is_seen(void **) {
  static const char text[] = "rule wide\nx mod c => x\nwhen c > 0, 0 <= lo(x), hi(x) <= c\n";
  static const char *const questions[] = {
      "keeps (d0) -> (d0 mod 9)" D0 "\n", "steps (d0) -> (d0 mod 9)" D0 "\n"};
  const Source source = {
      .name = "wide.rules", .text = text, .length = sizeof text - 1, .first_line = 1};
  RuleSet rules = {};
  Error error = {};
  assert_true(rules_parse(arena, &source, &rules, &error));
  Judge *judge = judge_create(&(JudgeOptions){.rules = &rules}, &error);
  assert_non_null(judge);
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
    assert_int_equal(outcome_of(judge, questions[i], "refuted"), CASE_PASSED);
    assert_int_equal(outcome_of(judge, questions[i], "proved"), CASE_FAILED);
  }
  judge_destroy(judge);
}

#define FIVE "x*x*x*x*x"
#define OPEN_RULE "rule o (" FIVE "*" FIVE "*" FIVE "*" FIVE "*" FIVE " - x) mod 2 => 0\n"
#define FALSE_RULE "rule f x + 1 => x\n"
#define TRUE_RULE "rule t x + 0 => x\n"

/* Bad input decides before all else, then a rule with another verdict, then an open rule. */
static void each_rule_of_a_block_is_asked(void **) {
  static const struct {
    const char *rules, *expected;
    CaseOutcome outcome;
  } blocks[] = {
      {FALSE_RULE "rule v x + c => x + c when c > 0, c < 0\n", "refuted", CASE_BAD},
      {FALSE_RULE OPEN_RULE, "refuted", CASE_UNKNOWN},
      {FALSE_RULE OPEN_RULE TRUE_RULE, "refuted", CASE_FAILED},
      {OPEN_RULE FALSE_RULE, "proved", CASE_FAILED},
      {TRUE_RULE OPEN_RULE, "proved", CASE_UNKNOWN},
  };
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){}, &error);
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
    const char *question = arena_printf(arena, "prove rules\n%send\n", blocks[i].rules);
    assert_int_equal(outcome_of(judge, question, blocks[i].expected), blocks[i].outcome);
  }
  judge_destroy(judge);
}

static void nothing_passes_without_judges(void **) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){.without_oracle = true, .without_smt = true}, &error);
  for (size_t i = 0; i < 6; i++)
    for (size_t k = 0; k < 6; k++)
      assert_int_equal(outcome_of(judge, rows[i].question, expectations[k]), CASE_UNKNOWN);
  judge_destroy(judge);
}

/* An expected text is compared whole, and an error with its place. */
static void texts_and_errors_are_compared_whole(void **) {
  static const struct {
    const char *question, *expected;
    bool passes;
  } texts[] = {
      {"simplify (d0) -> (d0 mod 20)" D0 "\n", "= (d0) -> (d0), domain: d0 in [0, 9]", true},
      {"simplify (d0) -> (d0 mod 20)" D0 "\n", "= (d0) -> (d0), domain: d0 in [0, 8]", false},
      {"simplify (d0) -> (d0 mod 20)" D0 "\n", "= (d0) -> (d0 mod 20), domain: d0 in [0, 9]",
          false},
      {"compose (d0) -> (d0 + 1)" D0 " ; (d0) -> (9 - d0), domain: d0 in [0, 10]\n",
          "= (d0) -> (-d0 + 8), domain: d0 in [0, 9]", true},
      {"compose (d0) -> (d0 + 1)" D0 " ; (d0) -> (9 - d0), domain: d0 in [0, 10]\n",
          "= (d0) -> (-d0 + 10), domain: d0 in [0, 9]", false},
      {"compose (d0) -> (d0)" D0 " ; (d0) -> (d0 * 9223372036854775807)" D0 "\n",
          "error 1:1: result 0 can leave int64 on the domain", true},
      {"idempotent" REVERSED, "proved", true},
      {"idempotent o2i 0 0" REVERSED, "proved", true},
      {"idempotent" REVERSED, "refuted", false},
      {"idempotent o2i 0 1" REVERSED, "proved", false},
      {"read hlo\nHloModule m\nENTRY e {\n  ROOT p = f32[] parameter(0)\n}\nend\n", "exact", true},
      {"read hlo\nHloModule m\nENTRY e {\n  ROOT p = f32[] parameter(0)\n}\nend\n", "wrong", false},
      {"read-rules rules\nrule r x + 0 => x\nend\n", "exact", true},
      {"read-rules rules\nrule r x + 0 => x\nend\n", "wrong", false},
      {"map o2i 0 0" REVERSED, "= (d0) -> (-d0 + 9), domain: d0 in [0, 9]", true},
      {"map o2i 0 0" REVERSED, "= (d0) -> (d0), domain: d0 in [0, 9]", false},
      {"map o2i 0 0" UPDATED, OF_UPDATED(" clamped to [0, 1]"), true},
      {"map o2i 0 0" UPDATED, OF_UPDATED(" clamped to [0, 2]"), false},
      {"map o2i 0 0" UPDATED, OF_UPDATED(""), false},
      {"parse (d0) -> (d1)\n", "error 1:10: unknown variable", false},
  };
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){}, &error);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if ((outcome_of(judge, texts[i].question, texts[i].expected) == CASE_PASSED) != texts[i].passes)
      fail_msg("%s%s", texts[i].question, texts[i].expected);
  judge_destroy(judge);
}

/* A text that does not parse asks nothing, unless the error is expected or parsing is the subject.
 */
static void bad_input_is_no_failure(void **) {
  static const struct {
    const char *question, *expected;
    CaseOutcome outcome;
  } texts[] = {
      {"same (d0) -> (d0)" D0 "\n", "proved", CASE_BAD},
      {"same (d0) -> (d0)" D0 "\n", "error 1:35: expected two maps with ` ; ` between them",
          CASE_PASSED},
      {"same (d0) -> (d0)" D0 "\n", "error 1:1: another", CASE_FAILED},
      {"simplify (d0) -> (d0 mod 8" D0 "\n", "= (d0) -> (d0)" D0, CASE_BAD},
      {"simplify (d0) -> (d0)" D0 "\n", "= (d0) -> (d0), domian: d0 in [0, 9]", CASE_BAD},
      {"map o2i 0 0 hlo\np = f32[10] parameter(0\nend\n", "exact", CASE_BAD},
      {"simplify (d0) -> (d0 * 9223372036854775807)" D0 "\n", "= (d0) -> (d0)" D0, CASE_BAD},
      {"simplify (d0) -> (d0 * 9223372036854775807)" D0 "\n",
          "error 1:1: result 0 can leave int64 on the domain", CASE_PASSED},
      {"map o2i 0 7" REVERSED, "exact", CASE_BAD},
      {"prove rules\nrule r x +\nend\n", "proved", CASE_BAD},
      {"parse (d0) -> (d0\n", "exact", CASE_FAILED},
      {"read hlo\np = f32[10] parameter(0\nend\n", "exact", CASE_FAILED},
      {"read-rules rules\nrule r x +\nend\n", "exact", CASE_FAILED},
  };
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){}, &error);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    CaseOutcome outcome = outcome_of(judge, texts[i].question, texts[i].expected);
    if (outcome != texts[i].outcome)
      fail_msg("%s%s: %s", texts[i].question, texts[i].expected, case_outcome_text(outcome));
  }
  judge_destroy(judge);
}

static int set_up(void **) { return (arena = arena_create()) == nullptr; }
static int tear_down(void **) { return arena_destroy(arena), 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_what_is_so_passes),
      cmocka_unit_test(a_wrong_rule_is_seen),
      cmocka_unit_test(each_rule_of_a_block_is_asked),
      cmocka_unit_test(nothing_passes_without_judges),
      cmocka_unit_test(bad_input_is_no_failure),
      cmocka_unit_test(texts_and_errors_are_compared_whole),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
