/* What is decided about maps: each kind of obligation with each answer, by both judges and by each
 * alone, and the comparisons that verdicts rest on, where one side lacks what the other has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "core/map/text.h"
#include "judge/audit/score.h"
#include "judge/maps/counterexample.h"
#include "judge/maps/operations.h"
#include "judge/maps/pairs.h"
#include "judge/maps/same.h"
#include "judge/maps/same_rule.h"
#include "judge/maps/steps.h"
#include "judge/maps/unknowable.h"

static Arena *arena;

typedef struct ObligationRow {
  const char *before, *after;
  VerdictReason map, relation, contained; /* expected of the three kinds */
} ObligationRow;

#define D0 ", domain: d0 in [0, 9]"
#define SAME REASON_EXACT
#define OTHER REASON_DIFFERENT

static const ObligationRow rows[] = {
    {"(d0) -> (d0 mod 20)" D0, "(d0) -> (d0)" D0, SAME, SAME, SAME},
    {"(d0) -> (d0 mod 5)" D0, "(d0) -> (d0)" D0, OTHER, OTHER, OTHER},
    {"(d0)[s0] -> (s0)" D0 ", s0 in [0, 3]", "(d0)[s0] -> (3 - s0)" D0 ", s0 in [0, 3]", OTHER,
        SAME, SAME},
    {"(d0)[s0] -> (s0)" D0 ", s0 in [0, 3]", "(d0)[s0] -> (s0)" D0 ", s0 in [0, 4]", OTHER, OTHER,
        SAME},
    {"(d0)[s0] -> (s0)" D0 ", s0 in [0, 4]", "(d0)[s0] -> (s0)" D0 ", s0 in [0, 3]", OTHER, OTHER,
        OTHER},
    {"(d0) -> (d0)" D0,
        "(d0) -> (d0)"
        ", domain: d0 in [0, 8]",
        OTHER, OTHER, OTHER},
    {"(d0) -> (d0)"
     ", domain: d0 in [0, 8]",
        "(d0) -> (d0)" D0, OTHER, OTHER, SAME},
    {"KNOWN EMPTY", "(d0) -> (d0)" D0, OTHER, OTHER, SAME},
    {"(d0) -> (d0)" D0, "KNOWN EMPTY", OTHER, OTHER, OTHER},
    {"KNOWN EMPTY", "(d0) -> (d0)" D0 ", d0 in [20, 30]", SAME, SAME, SAME},
    {"UNDEFINED", "(d0) -> (d0)" D0, REASON_OPEN, REASON_OPEN, REASON_OPEN},
    {"(d0) -> (d0)" D0, "UNDEFINED", REASON_OPEN, REASON_OPEN, REASON_OPEN},
};

static const Map *map_of(MapContext *context, const char *text) {
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map = nullptr;
  Error error = {};
  if (!map_parse(context, &source, &map, &error)) fail_msg("%s: %s", text, error.message);
  return map;
}

static bool row_holds(Judge *judge, const ObligationRow *row) {
  static constexpr ObligationKind kinds[] = {
      OBLIGATION_SAME_MAP, OBLIGATION_SAME_RELATION, OBLIGATION_CONTAINED};
  const VerdictReason wanted[] = {row->map, row->relation, row->contained};
  const Map *before = map_of(judge->context, row->before),
            *after = map_of(judge->context, row->after);
  bool holds = true;
  for (uint32_t i = 0; i < 3; i++) {
    SameJudgement one;
    judge_same(judge, kinds[i], before, after, &one);
    if (one.reason == wanted[i] && (one.reason != OTHER || one.text[0] != 0)) continue;
    print_message("%s ; %s: kind %u %d, %s\n", row->before, row->after, i, one.reason, one.text);
    holds = false;
  }
  return holds;
}

static void rows_hold(const JudgeOptions *options) {
  Error error = {};
  Judge *judge = judge_create(options, &error);
  uint32_t failed = 0;
  assert_non_null(judge);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) failed += !row_holds(judge, &rows[i]);
  judge_destroy(judge);
  assert_int_equal(failed, 0);
}

static void both_judges_decide(void **) { rows_hold(&(JudgeOptions){}); }
static void the_oracle_alone_decides(void **) { rows_hold(&(JudgeOptions){.without_smt = true}); }
static void the_solver_alone_decides(void **) {
  rows_hold(&(JudgeOptions){.without_oracle = true});
}
static void the_first_that_decides_is_enough(void **) {
  rows_hold(&(JudgeOptions){.effort = EFFORT_FIRST});
}
/* Without judges nothing is decided, and past the limit of points the oracle alone decides
 * nothing. */
static void without_a_judge_all_is_open(void **) {
  static const JudgeOptions options[] = {
      {.without_oracle = true, .without_smt = true}, {.without_smt = true, .points = 3}};
  for (size_t i = 0; i < 2; i++) {
    Error error = {};
    Judge *judge = judge_create(&options[i], &error);
    const Map *map = map_of(judge->context, "(d0) -> (d0 mod 20)" D0);
    for (ObligationKind kind = OBLIGATION_SAME_MAP; kind <= OBLIGATION_CONTAINED; kind++) {
      SameJudgement one;
      judge_same(judge, kind, map, map_of(judge->context, "(d0) -> (d0)" D0), &one);
      assert_int_equal(one.reason, REASON_OPEN);
      assert_int_equal(same_reason_status(one.reason), STATUS_UNDECIDED);
    }
    judge_destroy(judge);
  }
}

/* Sparing: smt is asked if the oracle is past its limit of points, and only then. */
static void the_solver_decides_what_is_left(void **) {
  for (uint32_t is_left = 0; is_left < 2; is_left++) {
    Error error = {};
    Judge *judge = judge_create(
        &(JudgeOptions){.effort = EFFORT_SPARING, .points = is_left == 1 ? 3 : 0}, &error);
    Verdict by[judge_count];
    Obligation obligation = {.kind = OBLIGATION_SAME_MAP,
        .before = map_of(judge->context, "(d0) -> (d0 mod 20)" D0),
        .after = map_of(judge->context, "(d0) -> (d0)" D0)};
    obligation_decide(judge, &obligation, by);
    assert_int_equal(by[BY_ORACLE].status, is_left == 1 ? VERDICT_UNKNOWN : VERDICT_PROVED);
    assert_int_equal(by[BY_SMT].status, is_left == 1 ? VERDICT_PROVED : VERDICT_UNKNOWN);
    if (is_left == 0) assert_int_equal(by[BY_SMT].reason, REASON_NOT_ASKED);
    judge_destroy(judge);
  }
}

static VerdictReason compared(MapContext *context, const char *first, const char *second) {
  MapPairs listed = {}, found = {};
  Error error = {};
  assert_true(map_pairs_list(context, map_of(context, first), &listed, &error));
  assert_true(map_pairs_list(context, map_of(context, second), &found, &error));
  Verdict verdict = verdict_begin(arena);
  map_pairs_compare(&listed, &found, &verdict);
  return verdict.reason;
}

/* A row that one of both lists lacks is a difference, whichever of them it is. */
static void lists_of_pairs_are_compared_both_ways(void **) {
  MapContext *context = map_context_create();
  static const char all[] = "(d0) -> (d0)" D0, fewer[] = "(d0) -> (d0), domain: d0 in [0, 8]",
                    other[] = "(d0) -> (d0 + d0 floordiv 9)" D0;
  assert_int_equal(compared(context, all, all), REASON_EXACT);
  assert_int_equal(compared(context, all, fewer), REASON_DIFFERENT);
  assert_int_equal(compared(context, fewer, all), REASON_DIFFERENT);
  assert_int_equal(compared(context, all, other), REASON_DIFFERENT);
  assert_int_equal(compared(context, "() -> (3)", "() -> (3)"), REASON_EXACT);
  assert_int_equal(compared(context, "() -> (3)", "() -> (4)"), REASON_DIFFERENT);
  MapPairs pairs = {};
  Error error = {};
  assert_false(map_pairs_list(
      context, map_of(context, "(d0) -> (d0), domain: d0 in [0, 1024]"), &pairs, &error));
  assert_int_equal(error.kind, ERROR_LIMIT);
  map_context_destroy(context);
}

static int64_t spoil_last(uint32_t, int64_t result) { return result == 9 ? 10 : result; }
static int64_t spoil_the_list(uint32_t judge, int64_t result) {
  return judge == pairs_listing && result == 9 ? 10 : result;
}

/* A list that is spoiled is denied by each judge that is asked about its points, and a judge that
 * is spoiled dissents. */
static void spoiled_pairs_are_noticed(void **) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){}, &error);
  const Map *map = map_of(judge->context, "(d0) -> (d0)" D0);
  PairsJudgement judgement;
  assert_true(pairs_judge(judge, map, nullptr, &judgement));
  assert_true(judgement.agree);
  assert_true(judge_has_decided(judgement.by, BY_ORACLE));
  for (uint32_t i = 0; i < judge_count; i++)
    if (judge_has_decided(judgement.by, (JudgeId)i))
      assert_int_equal(judgement.by[i].status, VERDICT_PROVED);
  assert_true(pairs_judge(judge, map, spoil_last, &judgement));
  assert_true(judge_has_decided(judgement.by, BY_ORACLE));
  assert_int_equal(judgement.by[BY_ORACLE].status, VERDICT_REFUTED);
  assert_true(judgement.is_denied && !judgement.agree);
  assert_true(pairs_judge(judge, map, spoil_the_list, &judgement));
  assert_false(judgement.agree);
  assert_non_null(strstr(judgement.text, "9"));
  judge_destroy(judge);
}

/* A judge that is not there has no verdict about a list, and the others have theirs. Without any,
 * the judges do not agree. */
static void a_judge_that_is_not_there_confirms_no_list(void **) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){.without_oracle = true}, &error);
  PairsJudgement judgement;
  assert_true(pairs_judge(judge, map_of(judge->context, "(d0) -> (d0)" D0), nullptr, &judgement));
  assert_false(judge_has_decided(judgement.by, BY_ORACLE));
  assert_int_equal(judgement.by[BY_ORACLE].reason, REASON_NOT_ASKED);
  const Map *product =
      map_of(judge->context, "(d0, d1) -> (min(d0 * d1, 3)), domain: d0 in [0, 3], d1 in [0, 3]");
  assert_true(pairs_judge(judge, product, nullptr, &judgement));
  assert_false(judgement.is_denied);
  assert_int_equal(judgement.agree, judge_has_decided(judgement.by, BY_MLIR));
  assert_non_null(strstr(judgement.text, "isl was not asked"));
  judge_destroy(judge);
}

#define QUOTIENT "rule r (c*x + y) floordiv c => x + y floordiv c when c > 0\n"

static void rules_differ_in_each_part(void **) {
  static const char *const texts[] = {"rule r (c*x + y) floordiv c => x + y floordiv c when c > 0",
      "rule s (c*x + y) floordiv c => x + y floordiv c when c > 0",
      "rule r (c*x + y) floordiv c => x + y floordiv c when c > 1",
      "rule r (c*x + y) floordiv c => x + y floordiv c when c >= 0",
      "rule r (c*x + y) floordiv c => x + y floordiv c",
      "rule r (c*x + y) floordiv c => y + x floordiv c when c > 0",
      "rule r (c*x + y) ceildiv c => x + y floordiv c when c > 0",
      "rule r x + c in [a, b] => x in [a - c, b - c]",
      "rule r x + c in [a, b] => x in [a - c, a - c]",
      "rule r x + c in [b, b] => x in [b - c, b - c]", QUOTIENT "scope: c in [1, 8]",
      QUOTIENT "scope: c in [1, 9]", QUOTIENT "scope: c in [2, 8]", QUOTIENT "near-miss: c >= 0",
      QUOTIENT "near-miss: c > -1", QUOTIENT "near-miss: c >= 0, c < 9", QUOTIENT "near-miss: x",
      QUOTIENT "near-miss: y", "rule r x mod c => x when c > 0, 0 <= lo(x), hi(x) < c",
      "rule r x mod c => x when c > 0, 0 <= hi(x), hi(x) < c",
      "rule r x mod c => x when c > 0, 0 <= lo(x), lo(x) < c",
      "rule r x mod c => x when c > 0, 0 <= lo(x)",
      "rule r a*x mod c => a when gcd(a, c) == 1, c > 0",
      "rule r a*x mod c => a when gcd(c, a) == 1, c > 0",
      "rule r a*x mod c => a when gcd(a, a) == 1, c > 0"};
  RuleSet sets[sizeof texts / sizeof *texts] = {};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Source source = {.name = "r", .text = texts[i], .length = strlen(texts[i]), .first_line = 1};
    Error error = {};
    if (!rules_parse(arena, &source, &sets[i], &error)) fail_msg("%s", error.message);
    for (size_t k = 0; k <= i; k++)
      if (rule_is_same(&sets[i].items[0], &sets[k].items[0]) != (i == k || (i == 1 && k == 0)))
        fail_msg("%s ; %s", texts[i], texts[k]);
  }
}

static void sets_of_opcodes_are_sets(void **) {
  OpcodeSet some = {}, more = {}, both;
  assert_true(opcode_set_is_empty(&some));
  assert_true(opcode_set_add_list(&some, "pad,reverse"));
  assert_true(opcode_set_add_list(&more, "reverse,pad,dot"));
  assert_false(opcode_set_add_list(&(OpcodeSet){}, "pad,nothing"));
  assert_false(opcode_set_is_empty(&some));
  assert_true(opcode_set_has(&some, HLO_PAD) && !opcode_set_has(&some, HLO_DOT));
  assert_true(opcode_set_contains(&more, &some) && !opcode_set_contains(&some, &more));
  assert_true(opcode_set_is_same(&some, &some) && !opcode_set_is_same(&some, &more));
  both = more;
  opcode_set_intersect(&both, &some);
  assert_true(opcode_set_is_same(&both, &some));
  OpcodeSet named = {};
  static const char text[] = "r = f32[4] reverse(p), dimensions={0} # pad";
  opcode_set_add_text(&named, text, strlen(text));
  assert_true(opcode_set_has(&named, HLO_REVERSE) && !opcode_set_has(&named, HLO_PAD));
}

/* Every column has a text, and only the first two are passed. */
static void each_column_of_a_score_has_its_status(void **) {
  for (uint32_t i = 0; i < score_column_count; i++) {
    Score score = {.questions = 1};
    score.counts[i] = 1;
    assert_string_not_equal(score_column_text((ScoreColumn)i), "");
    assert_int_equal(score_status(&score), score_column_status((ScoreColumn)i));
    bool passes = i == SCORE_exact || i == SCORE_over_approximation;
    assert_int_equal(score_column_status((ScoreColumn)i) == STATUS_PROVED, passes);
  }
}

static void steps_of_the_engine_are_judged(void **) {
  static const char *const maps[] = {"(d0) -> (d0 mod 20), domain: d0 in [0, 9]",
      "(d0, d1) -> ((d0 * 6 + d1) floordiv 6, (d0 * 6 + d1) mod 6), domain: d0 in [0, 9], d1 in [0, 5]",
      "(d0) -> (d0), domain: d0 in [0, 9], d0 mod 2 in [0, 0]", "KNOWN EMPTY"};
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){}, &error);
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
    SameJudgement judgement;
    judge_steps(judge, map_of(judge->context, maps[i]), &judgement);
    if (judgement.reason != REASON_EXACT) fail_msg("%s: %s", maps[i], judgement.text);
  }
  judge_destroy(judge);
}

/* (d0 * 4611686018427387903 + 2) leaves int64 between the second and the third step. */
static void a_step_may_leave_int64(void **) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){}, &error);
  SameJudgement judgement;
  judge_steps(judge,
      map_of(
          judge->context, "(d0) -> ((d0 * 4611686018427387903) ceildiv 3), domain: d0 in [0, 2]"),
      &judgement);
  if (judgement.reason != REASON_EXACT) fail_msg("%s", judgement.text);
  judge_destroy(judge);
}

/* Built by hand: the parser rejects maps that leave int64. */
static const Map *shifted_map(MapContext *context, int64_t by) {
  Map *map = map_create(context, 1, 0, 0, 1, 0);
  Expr variable = expr_var(context->pool, VAR_DIM, 0);
  map->dims[0].bounds = (Interval){0, 9};
  map->results[0] = expr_binary(context->pool, EXPR_ADD, variable, expr_const(context->pool, by));
  return map;
}

/* The maps leave int64 at their last points. Two of them are different at all points. */
static void a_wrong_step_that_leaves_int64_is_refuted(void **) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){}, &error);
  const Map *first = shifted_map(judge->context, INT64_MAX - 3),
            *next = shifted_map(judge->context, INT64_MAX - 2);
  SameJudgement judgement;
  judge_step(judge, first, next, &judgement);
  assert_int_equal(same_reason_status(judgement.reason), STATUS_REFUTED);
  judge_step(judge, first, first, &judgement);
  assert_int_equal(same_reason_status(judgement.reason), STATUS_PROVED);
  judge_same(judge, OBLIGATION_SAME_MAP, first, first, &judgement);
  assert_int_equal(same_reason_status(judgement.reason), STATUS_REFUTED);
  judge_destroy(judge);
}

static void what_nobody_can_know_is_listed(void **) {
  static constexpr Opcode known[] = {HLO_ADD, HLO_REVERSE, HLO_DYNAMIC_SLICE, HLO_ALL_REDUCE},
                          unknown[] = {HLO_CUSTOM_CALL, HLO_INFEED, HLO_OUTFEED, HLO_SEND, HLO_RECV,
                              HLO_RNG_BIT_GENERATOR, HLO_GET_DIMENSION_SIZE, HLO_DYNAMIC_PAD};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) assert_false(is_unknowable(known[i]));
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
    assert_true(is_unknowable(unknown[i]));
}

/* A counterexample names the operation and its line, the maps, the point, the element, and a
 * command that replays it. */
static void a_counterexample_names_everything(void **) {
  static const char text[] = "HloModule m\nENTRY e {\n  p = f32[4,6] parameter(0)\n"
                             "  ROOT t = f32[6,4] transpose(p), dimensions={1,0}\n}\n";
  static const char *const parts[] = {"wrong: ", "t, output 0, operand 0 (p), m.hlo:4\n",
      "transpose(", "(d0, d1) -> (d1, d0), domain: d0 in [0, 4], d1 in [0, 3]\n",
      "point        (5, 0)\n", "element      (0, 5)\n", "affirm check m.hlo "};
  Source source = {.name = "m.hlo", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module;
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){}, &error);
  assert_true(hlo_read(arena, &source, &module, &error));
  const Map *map =
      map_of(judge->context, "(d0, d1) -> (d1, d0), domain: d0 in [0, 4], d1 in [0, 3]");
  Question question = {.instruction = module->entry->root, .direction = OUTPUT_TO_INPUT};
  Judgement judgement;
  judge_maps(judge, &question, &(MapSet){.maps = &map, .count = 1}, &judgement);
  Text printed = text_create(arena);
  counterexample_print(&printed, judge, &source, &judgement);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(printed.bytes, parts[i]) == nullptr) fail_msg("%s in\n%s", parts[i], printed.bytes);
  judge_destroy(judge);
}

static int set_up(void **) { return (arena = arena_create()) == nullptr; }
static int tear_down(void **) { return arena_destroy(arena), 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_judges_decide),
      cmocka_unit_test(the_oracle_alone_decides),
      cmocka_unit_test(the_solver_alone_decides),
      cmocka_unit_test(the_first_that_decides_is_enough),
      cmocka_unit_test(the_solver_decides_what_is_left),
      cmocka_unit_test(without_a_judge_all_is_open),
      cmocka_unit_test(lists_of_pairs_are_compared_both_ways),
      cmocka_unit_test(spoiled_pairs_are_noticed),
      cmocka_unit_test(a_judge_that_is_not_there_confirms_no_list),
      cmocka_unit_test(rules_differ_in_each_part),
      cmocka_unit_test(sets_of_opcodes_are_sets),
      cmocka_unit_test(each_column_of_a_score_has_its_status),
      cmocka_unit_test(steps_of_the_engine_are_judged),
      cmocka_unit_test(a_step_may_leave_int64),
      cmocka_unit_test(a_wrong_step_that_leaves_int64_is_refuted),
      cmocka_unit_test(what_nobody_can_know_is_listed),
      cmocka_unit_test(a_counterexample_names_everything),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
