/* How the verdicts of two judges combine into one answer: every combination, against the rules in
 * the header. */
#include "judge/maps/judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "core/map/text.h"

typedef struct Heard {
  bool has_oracle, complete, has_smt,
      open; /* open: smt reports an over-approximation without deciding whether it has an extra
               pair */
  VerdictReason oracle;
  VerdictReason smt;
  IndexClaim claim;
} Heard;

static Arena *arena;

/* The verdict of one judge; all zeros if it was not asked. */
static Verdict heard_verdict(bool is_queried, VerdictReason reason, bool is_complete) {
  Verdict verdict = verdict_begin(arena);
  if (!is_queried) return verdict;
  verdict.scope = is_complete ? SCOPE_WHOLE : SCOPE_SAMPLE;
  verdict_decide(&verdict, reason, "a read is missing");
  return verdict;
}

static VerdictReason judge_test_decide(const Heard *heard, Judgement *judgement) {
  bool is_open = heard->open && heard->smt == REASON_EXTRA;
  *judgement = (Judgement){
      .by = {[BY_ORACLE] = heard_verdict(heard->has_oracle, heard->oracle, heard->complete),
          [BY_SMT] = heard_verdict(heard->has_smt, is_open ? REASON_CONTAINS : heard->smt, true)}};
  judgement->maps = (MapSet){
      .claim = heard->claim, .reason = heard->claim == INDEX_OVER_APPROXIMATION ? "lost" : nullptr};
  judge_decide(judgement);
  return judgement->answer;
}

static bool oracle_decides(const Heard *heard) {
  if (!heard->has_oracle) return false;
  return heard->oracle == REASON_WRONG ||
         (heard->complete && (heard->oracle == REASON_EXACT || heard->oracle == REASON_EXTRA));
}

static bool smt_contains(const Heard *heard) {
  return heard->has_smt && heard->open && heard->smt == REASON_EXTRA;
}

static bool smt_decides(const Heard *heard) {
  return heard->has_smt && verdict_reason_status(heard->smt) != VERDICT_UNKNOWN &&
         !smt_contains(heard);
}

static void check_one(const Heard *heard) {
  Judgement judgement;
  VerdictReason answer = judge_test_decide(heard, &judgement);
  bool oracle = oracle_decides(heard);
  bool smt = smt_decides(heard);
  bool contains = smt_contains(heard);
  bool differ = oracle && ((smt && (int)heard->oracle != (int)heard->smt) ||
                              (contains && heard->oracle == REASON_WRONG));
  bool by_containing = contains && !oracle && heard->claim == INDEX_OVER_APPROXIMATION;
  bool any_wrong = (oracle && heard->oracle == REASON_WRONG) || (smt && heard->smt == REASON_WRONG);
  bool any_more = (oracle && heard->oracle == REASON_EXTRA) || (smt && heard->smt == REASON_EXTRA);
  assert_int_equal(answer == REASON_OPEN, !oracle && !smt && !by_containing);
  assert_int_equal(answer == REASON_DISSENT, differ);
  assert_int_equal(answer == REASON_WRONG, any_wrong && !differ);
  assert_int_equal(answer == REASON_COVERS,
      ((oracle || smt) && !any_wrong && !differ && heard->claim == INDEX_OVER_APPROXIMATION) ||
          by_containing);
  assert_int_equal(answer == REASON_EXTRA, any_more && !differ && heard->claim == INDEX_EXACT);
  assert_int_equal(answer == REASON_EXACT,
      (oracle || smt) && !any_wrong && !any_more && heard->claim == INDEX_EXACT);
  if (answer == REASON_DISSENT || answer == REASON_OPEN) assert_true(judgement.reason[0] != 0);
}

static void every_combination(void **) {
  static constexpr VerdictReason reasons[] = {
      REASON_EXACT, REASON_EXTRA, REASON_WRONG, REASON_TOO_LARGE, REASON_UNSUPPORTED};
  uint32_t count = 0;
  for (uint32_t bits = 0; bits < 16; bits++)
    for (uint32_t oracle = 0; oracle < 5; oracle++)
      for (uint32_t smt = 0; smt < 5; smt++)
        for (uint32_t claim = INDEX_EXACT; claim <= INDEX_OVER_APPROXIMATION; claim++, count++)
          check_one(&(Heard){.has_oracle = bits & 1,
              .complete = bits & 2,
              .has_smt = bits & 4,
              .open = bits & 8,
              .oracle = reasons[oracle],
              .smt = reasons[smt],
              .claim = (IndexClaim)claim});
  assert_int_equal(count, 16 * 5 * 5 * 2);
}

/* The engine, oracle and smt dissent in turn. If the two judges agree, the engine's claim is
 * refuted. */
static void the_one_that_stands_alone_is_named(void **) {
  static const struct {
    VerdictReason oracle;
    VerdictReason smt;
    IndexClaim claim;
    VerdictReason answer;
    const char *words;
  } rows[] = {
      {REASON_EXACT, REASON_EXACT, INDEX_EXACT, REASON_EXACT, ""},
      {REASON_WRONG, REASON_WRONG, INDEX_EXACT, REASON_WRONG, "a read is missing"},
      {REASON_EXTRA, REASON_EXTRA, INDEX_EXACT, REASON_EXTRA, "a read is missing"},
      {REASON_WRONG, REASON_EXACT, INDEX_EXACT, REASON_DISSENT,
          "oracle dissents: engine claims exact, oracle says wrong (a read is missing), smt says exact"},
      {REASON_EXTRA, REASON_EXACT, INDEX_EXACT, REASON_DISSENT,
          "oracle dissents: engine claims exact, oracle says over-approximation"},
      {REASON_EXACT, REASON_EXTRA, INDEX_OVER_APPROXIMATION, REASON_DISSENT,
          "oracle dissents: engine claims over-approximation, oracle says exact"},
      {REASON_EXACT, REASON_WRONG, INDEX_EXACT, REASON_DISSENT,
          "smt dissents: engine claims exact, oracle says exact"},
      {REASON_EXACT, REASON_EXTRA, INDEX_EXACT, REASON_DISSENT,
          "smt dissents: engine claims exact, oracle says exact"},
      {REASON_EXTRA, REASON_WRONG, INDEX_OVER_APPROXIMATION, REASON_DISSENT,
          "smt dissents: engine claims over-approximation, oracle says over-approximation"},
      {REASON_EXTRA, REASON_WRONG, INDEX_EXACT, REASON_DISSENT,
          "all three differ: engine claims exact, oracle says over-approximation"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Judgement judgement = {.by = {[BY_ORACLE] = heard_verdict(true, rows[i].oracle, true),
                               [BY_SMT] = heard_verdict(true, rows[i].smt, true)}};
    judgement.maps = (MapSet){.claim = rows[i].claim,
        .reason = rows[i].claim == INDEX_OVER_APPROXIMATION ? "lost" : nullptr};
    judge_decide(&judgement);
    assert_int_equal(judgement.answer, rows[i].answer);
    if (strstr(judgement.reason, rows[i].words) == nullptr)
      fail_msg("row %zu: %s", i, judgement.reason);
  }
}

static void only_decided_answers_pass(void **) {
  for (uint32_t i = 0; i < judge_answer_count; i++) {
    VerdictReason answer = judge_answers[i];
    bool passes = judge_answer_status(answer) == STATUS_PROVED;
    assert_int_equal(passes, answer == REASON_EXACT || answer == REASON_COVERS);
    assert_non_null(judge_answer_text(answer));
  }
}

static void a_counterexample_outweighs_everything(void **) {
  static const Status order[] = {STATUS_PROVED, STATUS_UNDECIDED, STATUS_BAD, STATUS_REFUTED};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++)
      assert_int_equal(status_worse(order[i], order[k]), order[i > k ? i : k]);
}

/* Each map is right inside the output and has points outside it. */
static void a_domain_that_leaves_the_output_is_wrong_for_each_judge(void **) {
  static const struct {
    const char *module, *map;
  } rows[] = {
      {"ENTRY e { a = f32[4] parameter(0) v = f32[] parameter(1) ROOT r = f32[4] pad(a, v), padding=1_-1 }",
          "(d0) -> (d0 - 1), domain: d0 in [1, 4]"},
      {"ENTRY e { a = f32[9] parameter(0) ROOT r = f32[4] slice(a), slice={[2:6]} }",
          "(d0) -> (d0 + 2), domain: d0 in [0, 5]"},
      {"ENTRY e { a = f32[4] parameter(0) ROOT r = f32[4,2] broadcast(a), dimensions={0} }",
          "(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [-1, 1]"},
  };
  Error error = {};
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Source module = {.name = "m", .text = rows[i].module, .length = strlen(rows[i].module)};
    Source text = {.name = "t", .text = rows[i].map, .length = strlen(rows[i].map)};
    const Module *read;
    const Map *map;
    assert_true(hlo_read(arena, &module, &read, &error));
    assert_true(map_parse(judge->context, &text, &map, &error));
    Judgement judgement;
    judge_maps(judge, &(Question){.instruction = read->entry->root},
        &(MapSet){.claim = INDEX_EXACT, .count = 1, .maps = &map}, &judgement);
    for (uint32_t k = 0; k < judge_count; k++)
      if (judgement.by[k].reason != REASON_NOT_ASKED)
        assert_int_equal(judgement.by[k].reason, REASON_WRONG);
    assert_int_equal(judgement.answer, REASON_WRONG);
  }
  judge_destroy(judge);
}

int main(void) {
  arena = arena_create();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_combination),
      cmocka_unit_test(the_one_that_stands_alone_is_named),
      cmocka_unit_test(only_decided_answers_pass),
      cmocka_unit_test(a_domain_that_leaves_the_output_is_wrong_for_each_judge),
      cmocka_unit_test(a_counterexample_outweighs_everything),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
