/* How two judges' words become one answer: every combination, held against the rules that the
 * header states. */
#include "judge/maps/judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct Heard {
  bool has_oracle, complete, has_smt,
      open; /* open: smt says that it covers, and not whether anything is too much */
  OracleAnswer oracle;
  SmtCover smt;
  IndexClaim claim;
} Heard;

static JudgeAnswer decide(const Heard *heard, Judgement *judgement) {
  *judgement =
      (Judgement){.has_oracle = heard->has_oracle, .has_smt = heard->has_smt, .cover = heard->smt};
  judgement->maps =
      (MapSet){.claim = heard->claim, .reason = heard->claim == INDEX_COVERING ? "lost" : nullptr};
  judgement->oracle.answer = heard->oracle;
  judgement->oracle.assignments_complete = heard->complete;
  judgement->smt.answer = heard->open ? SMT_UNKNOWN : SMT_REFUTED;
  judge_decide(judgement);
  return judgement->answer;
}

static bool oracle_decides(const Heard *heard) {
  if (!heard->has_oracle) return false;
  return heard->oracle == ORACLE_WRONG ||
         (heard->complete && (heard->oracle == ORACLE_EXACT || heard->oracle == ORACLE_COVERING));
}

static bool smt_contains(const Heard *heard) {
  return heard->has_smt && heard->open && heard->smt == SMT_COVERS;
}

static bool smt_decides(const Heard *heard) {
  return heard->has_smt && heard->smt <= SMT_WRONG && !smt_contains(heard);
}

static void check_one(const Heard *heard) {
  Judgement judgement;
  JudgeAnswer answer = decide(heard, &judgement);
  bool oracle = oracle_decides(heard);
  bool smt = smt_decides(heard);
  bool contains = smt_contains(heard);
  bool differ = oracle && ((smt && (int)heard->oracle != (int)heard->smt) ||
                              (contains && heard->oracle == ORACLE_WRONG));
  bool by_containing = contains && !oracle && heard->claim == INDEX_COVERING;
  bool any_wrong = (oracle && heard->oracle == ORACLE_WRONG) || (smt && heard->smt == SMT_WRONG);
  bool any_more = (oracle && heard->oracle == ORACLE_COVERING) || (smt && heard->smt == SMT_COVERS);
  assert_int_equal(answer == JUDGE_NOT_JUDGED, !oracle && !smt && !by_containing);
  assert_int_equal(answer == JUDGE_DISAGREE, differ);
  assert_int_equal(answer == JUDGE_WRONG, any_wrong && !differ);
  assert_int_equal(answer == JUDGE_COVERING,
      ((oracle || smt) && !any_wrong && !differ && heard->claim == INDEX_COVERING) ||
          by_containing);
  assert_int_equal(answer == JUDGE_LOOSE, any_more && !differ && heard->claim == INDEX_EXACT);
  assert_int_equal(answer == JUDGE_EXACT,
      (oracle || smt) && !any_wrong && !any_more && heard->claim == INDEX_EXACT);
  if (answer == JUDGE_DISAGREE || answer == JUDGE_NOT_JUDGED) assert_true(judgement.reason[0] != 0);
}

static void every_combination(void **) {
  static_assert((int)ORACLE_EXACT == (int)SMT_EXACT && (int)ORACLE_COVERING == (int)SMT_COVERS &&
                (int)ORACLE_WRONG == (int)SMT_WRONG);
  uint32_t count = 0;
  for (uint32_t bits = 0; bits < 16; bits++)
    for (uint32_t oracle = ORACLE_EXACT; oracle <= ORACLE_UNSUPPORTED; oracle++)
      for (uint32_t smt = SMT_EXACT; smt <= SMT_NO_SEMANTICS; smt++)
        for (uint32_t claim = INDEX_EXACT; claim <= INDEX_COVERING; claim++, count++)
          check_one(&(Heard){.has_oracle = bits & 1,
              .complete = bits & 2,
              .has_smt = bits & 4,
              .open = bits & 8,
              .oracle = (OracleAnswer)oracle,
              .smt = (SmtCover)smt,
              .claim = (IndexClaim)claim});
  assert_int_equal(count, 16 * 5 * 5 * 2);
}

/* The engine, the oracle and the solver each say something else than the other two. Where the two
 * judges agree it is the engine whose claim is refuted. */
static void the_one_that_stands_alone_is_named(void **) {
  static const struct {
    OracleAnswer oracle;
    SmtCover smt;
    IndexClaim claim;
    JudgeAnswer answer;
    const char *words;
  } rows[] = {
      {ORACLE_EXACT, SMT_EXACT, INDEX_EXACT, JUDGE_EXACT, ""},
      {ORACLE_WRONG, SMT_WRONG, INDEX_EXACT, JUDGE_WRONG, "a read is missing"},
      {ORACLE_COVERING, SMT_COVERS, INDEX_EXACT, JUDGE_LOOSE, "a read is missing"},
      {ORACLE_WRONG, SMT_EXACT, INDEX_EXACT, JUDGE_DISAGREE,
          "oracle stands alone: engine claims exact, oracle says wrong (a read is missing), smt says exact"},
      {ORACLE_COVERING, SMT_EXACT, INDEX_EXACT, JUDGE_DISAGREE,
          "oracle stands alone: engine claims exact, oracle says covering"},
      {ORACLE_EXACT, SMT_COVERS, INDEX_COVERING, JUDGE_DISAGREE,
          "oracle stands alone: engine claims covering, oracle says exact"},
      {ORACLE_EXACT, SMT_WRONG, INDEX_EXACT, JUDGE_DISAGREE,
          "smt stands alone: engine claims exact, oracle says exact"},
      {ORACLE_EXACT, SMT_COVERS, INDEX_EXACT, JUDGE_DISAGREE,
          "smt stands alone: engine claims exact, oracle says exact"},
      {ORACLE_COVERING, SMT_WRONG, INDEX_COVERING, JUDGE_DISAGREE,
          "smt stands alone: engine claims covering, oracle says covering"},
      {ORACLE_COVERING, SMT_WRONG, INDEX_EXACT, JUDGE_DISAGREE,
          "all three differ: engine claims exact, oracle says covering"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Judgement judgement = {.has_oracle = true, .has_smt = true, .cover = rows[i].smt};
    judgement.maps = (MapSet){
        .claim = rows[i].claim, .reason = rows[i].claim == INDEX_COVERING ? "lost" : nullptr};
    judgement.oracle = (OracleVerdict){
        .answer = rows[i].oracle, .assignments_complete = true, .text = "a read is missing"};
    judgement.smt.answer = SMT_REFUTED;
    judge_decide(&judgement);
    assert_int_equal(judgement.answer, rows[i].answer);
    if (strstr(judgement.reason, rows[i].words) == nullptr)
      fail_msg("row %zu: %s", i, judgement.reason);
  }
}

static void only_decided_answers_pass(void **) {
  for (uint32_t i = 0; i < judge_answer_count; i++) {
    bool passes = judge_answer_status((JudgeAnswer)i) == STATUS_PROVED;
    assert_int_equal(passes, i == JUDGE_EXACT || i == JUDGE_COVERING);
  }
}

static void a_counterexample_outweighs_everything(void **) {
  static const Status order[] = {STATUS_PROVED, STATUS_UNDECIDED, STATUS_BAD, STATUS_REFUTED};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++)
      assert_int_equal(status_worse(order[i], order[k]), order[i > k ? i : k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_combination),
      cmocka_unit_test(the_one_that_stands_alone_is_named),
      cmocka_unit_test(only_decided_answers_pass),
      cmocka_unit_test(a_counterexample_outweighs_everything),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
