/* One function per verb. A rejected input is a result, not a failure of the run. */
#include "judge/cases/case_verbs.h"

#include <assert.h>
#include <string.h>

#include "core/hlo/compare.h"
#include "core/hlo/print/print.h"
#include "core/map/text.h"
#include "core/adapters/mlir/load.h"
#include "judge/algebra/algebra.h"
#include "judge/cases/case_give.h"
#include "judge/cases/case_use.h"
#include "judge/maps/devices.h"
#include "judge/maps/same_rule.h"
#include "judge/maps/canonical_form.h"
#include "judge/maps/steps.h"
#include "judge/maps/tested.h"
#include "smt/rules/prove.h"

static void give_map(CaseRun *run, const Map *map) {
  run->verb_result.kind = VERB_RESULT_MAPS;
  run->verb_result.verdict = EXPECT_TEXT;
  run->verb_result.maps =
      (MapSet){.claim = INDEX_EXACT, .count = 1, .maps = ARENA_NEW(run->arena, const Map *, 1)};
  run->verb_result.maps.maps[0] = map;
}

static bool case_verbs_parse(CaseRun *run, const Source *source, const Map **map) {
  run->first_line = source->first_line;
  return map_parse(run->judge->context, source, map, &run->verb_result.error) ||
         case_give_error(run);
}

static bool parse_two(CaseRun *run, const Map **first, const Map **second) {
  const Source *input = &run->one->input;
  Source pair[2];
  if (!map_cut_pair(run->arena, input, pair)) {
    error_at(&run->verb_result.error, ERROR_INPUT, input, input->length, 1,
        "expected two maps with ` ; ` between them");
    return case_give_error(run);
  }
  return case_verbs_parse(run, &pair[0], first) && case_verbs_parse(run, &pair[1], second);
}

/* Sets the result to the engine's failure. Always returns false. */
static bool give_failure(CaseRun *run) {
  if (run->judge->engine == nullptr) return case_give_error(run);
  const char *words = arena_text(
      run->arena, run->verb_result.error.message, strlen(run->verb_result.error.message));
  if (judge_answer_status(tested_answer(run->judge)) == STATUS_REFUTED)
    case_give_verdict(run, EXPECT_TEXT, arena_printf(run->arena, "engine: %s", words));
  else case_give_unknown(run, words);
  return false;
}

static bool case_verbs_simplify(CaseRun *run, const Map *map, const Map **simplified) {
  return tested_simplify(run->judge, map, nullptr, simplified, &run->verb_result.error) ||
         give_failure(run);
}

/* True if the results have the same handles. Constraints are not compared, because printing sorts
 * them. */
static bool has_results(const Map *map, const Map *other) {
  bool same = map->result_count == other->result_count;
  for (uint32_t i = 0; same && i < map->result_count; i++)
    same = map->results[i].at == other->results[i].at;
  return same;
}

/* EXACT if the printed map reads back to the same map. */
static void run_parse(CaseRun *run) {
  const Map *map, *again;
  if (!case_verbs_parse(run, &run->one->input, &map)) return;
  const char *text = map_text(run->arena, run->judge->context, map, MAP_STYLE_LINE);
  Source printed = {.name = "printed", .text = text, .length = strlen(text), .first_line = 1};
  Error error = {};
  run->verb_result = (VerbResult){.kind = VERB_RESULT_TEXT, .text = text, .verdict = EXPECT_WRONG};
  if (!map_parse(run->judge->context, &printed, &again, &error)) return;
  const char *twice = map_text(run->arena, run->judge->context, again, MAP_STYLE_LINE);
  if (has_results(map, again) && strcmp(text, twice) == 0) run->verb_result.verdict = EXPECT_EXACT;
}

static void run_simplify(CaseRun *run) {
  const Map *map, *simplified;
  if (case_verbs_parse(run, &run->one->input, &map) && case_verbs_simplify(run, map, &simplified))
    give_map(run, simplified);
}

static void run_compose(CaseRun *run) {
  const Map *consumer, *producer, *composed;
  if (!parse_two(run, &consumer, &producer)) return;
  if (tested_compose(run->judge, consumer, producer, &composed, &run->verb_result.error))
    give_map(run, composed);
  else give_failure(run);
}

static void give_same(CaseRun *run, const SameJudgement *judged) {
  const char *text = arena_text(run->arena, judged->text, strlen(judged->text));
  if (judged->reason == REASON_DISSENT) {
    case_give_verdict(run, EXPECT_TEXT, arena_printf(run->arena, "the judges disagree: %s", text));
    return;
  }
  switch (verdict_reason_status(judged->reason)) {
    case VERDICT_PROVED: case_give_verdict(run, EXPECT_PROVED, ""); return;
    case VERDICT_REFUTED: case_give_verdict(run, EXPECT_REFUTED, text); return;
    case VERDICT_UNKNOWN: case_give_unknown(run, text); return;
  }
}

static void run_same(CaseRun *run) {
  const CaseVerb verb = run->one->verb;
  const Map *before, *after;
  if (!parse_two(run, &before, &after)) return;
  SameJudgement judgement;
  judge_same(run->judge,
      verb == VERB_SAME       ? OBLIGATION_SAME_MAP
      : verb == VERB_RELATION ? OBLIGATION_SAME_RELATION
                              : OBLIGATION_CONTAINED,
      before, after, &judgement);
  give_same(run, &judgement);
}

bool case_algebra_parts(
    Arena *arena, const Source *input, AlgebraQuery *query, Source *map, Error *error) {
  size_t word = strcspn(input->text, " \t\n");
  bool is_known = algebra_find(input->text, word, &query->operation) &&
                  algebra_row(query->operation)->map_count == 1;
  size_t at = word + strspn(input->text + word, " \t\n");
  if (is_known && algebra_row(query->operation)->takes_numbers) {
    size_t length = strcspn(input->text + at, " \t\n");
    is_known = algebra_numbers(arena, input->text + at, length, &query->numbers);
    at += length + strspn(input->text + at + length, " \t\n");
  }
  *map = (Source){.name = input->name,
      .text = input->text + at,
      .length = input->length - at,
      .first_line = input->first_line};
  return is_known ||
         error_at(error, ERROR_INPUT, input, 0, word == 0 ? 1 : word,
             "expected an operation about one map, such as inverse or points, and numbers such as 4,8 where it takes them");
}

static bool parse_algebra(CaseRun *run, AlgebraQuery *query) {
  const Source *input = &run->one->input;
  Source map;
  run->first_line = input->first_line;
  return case_algebra_parts(run->arena, input, query, &map, &run->verb_result.error)
             ? case_verbs_parse(run, &map, &query->maps[0])
             : case_give_error(run);
}

static void run_algebra(CaseRun *run) {
  AlgebraQuery query = {};
  AlgebraAnswer answer;
  if (!case_needs_own_engine(run) || !parse_algebra(run, &query)) return;
  algebra_answer(run->judge, &query, &answer, &run->verb_result.error);
  switch (answer.kind) {
    case ALGEBRA_IS_MAP: give_map(run, answer.map); return;
    case ALGEBRA_IS_TEXT:
      run->verb_result = (VerbResult){.kind = VERB_RESULT_TEXT,
          .text = arena_text(run->arena, answer.text, strlen(answer.text)),
          .verdict = EXPECT_TEXT};
      return;
    case ALGEBRA_IS_TRUE: case_give_verdict(run, EXPECT_PROVED, answer.text); return;
    case ALGEBRA_IS_FALSE: case_give_verdict(run, EXPECT_REFUTED, answer.text); return;
    case ALGEBRA_IS_OPEN:
      if (run->verb_result.error.kind != ERROR_NONE) case_give_error(run);
      else case_give_unknown(run, arena_text(run->arena, answer.text, strlen(answer.text)));
      return;
    case ALGEBRA_IS_REJECTED: case_give_error(run); return;
  }
}

/* Numbers, truth values and maps are judged alike: the judge checks the answer, whatever it is. */
static void run_holds(CaseRun *run) {
  AlgebraQuery query = {};
  SameJudgement judgement;
  if (!case_needs_own_engine(run) || !parse_algebra(run, &query)) return;
  if (algebra_holds(run->judge, &query, &judgement, &run->verb_result.error))
    give_same(run, &judgement);
  else case_give_error(run);
}

static void run_keeps(CaseRun *run) {
  const Map *map, *simplified;
  if (!case_verbs_parse(run, &run->one->input, &map) || !case_verbs_simplify(run, map, &simplified))
    return;
  SameJudgement judgement;
  tested_same(run->judge, map, simplified, &judgement);
  give_same(run, &judgement);
}

static void run_canonical(CaseRun *run) {
  const Map *map, *simplified;
  SameJudgement judgement;
  if (!case_needs_own_engine(run) || !case_verbs_parse(run, &run->one->input, &map) ||
      !case_verbs_simplify(run, map, &simplified))
    return;
  judge_obligation(
      run->judge, &(Obligation){.kind = OBLIGATION_CANONICAL, .before = map}, &judgement);
  give_same(run, &judgement);
}

static void run_steps(CaseRun *run) {
  const Map *map;
  SameJudgement judgement;
  if (!case_needs_own_engine(run) || !case_verbs_parse(run, &run->one->input, &map)) return;
  judge_steps(run->judge, map, &judgement);
  give_same(run, &judgement);
}

static bool query_mlir(
    CaseRun *run, const MlirLibrary *mlir, const Map *map, const Map **result, Error *error) {
  Peer *peer = mlir->mlir_peer_create();
  MapContext *context = run->judge->context;
  bool verb_result =
      run->one->verb == VERB_MLIR
          ? mlir->mlir_peer_round_trip(peer, context, map, nullptr, result, error)
          : mlir->mlir_peer_map(peer, context, map,
                run->one->verb == VERB_MLIR_FOLDS ? PEER_FOLD : PEER_SIMPLIFY, result, error);
  mlir->mlir_peer_destroy(peer);
  return verb_result;
}

/* The result is unknown without MLIR and for maps that it rejects. */
static void run_mlir(CaseRun *run) {
  const MlirLibrary *mlir;
  const Map *map, *result;
  Error error = {};
  if (!case_verbs_parse(run, &run->one->input, &map)) return;
  if (!mlir_library(&mlir, &error) || !query_mlir(run, mlir, map, &result, &error)) {
    case_give_unknown(run, arena_text(run->arena, error.message, strlen(error.message)));
    return;
  }
  SameJudgement judgement;
  judge_same(run->judge, OBLIGATION_SAME_MAP, map, result, &judgement);
  give_same(run, &judgement);
}

/* EXACT if the printed module reads back to the same graph. */
static void run_read(CaseRun *run) {
  const Module *module, *again;
  if (!case_read_module(run, &run->one->block, run->one->block.first_line, &module)) return;
  Text first = text_create(run->arena);
  hlo_print(&first, module);
  Source printed = {
      .name = "printed", .text = first.bytes, .length = first.length, .first_line = 1};
  if (!case_read_module(run, &printed, 1, &again)) return;
  Error difference = {};
  run->verb_result = (VerbResult){.kind = VERB_RESULT_TEXT,
      .text = first.bytes,
      .verdict = hlo_same_graph(module, again, &difference) ? EXPECT_EXACT : EXPECT_WRONG};
}

static void give_judgement(CaseRun *run, const Judgement *judgement) {
  static constexpr struct {
    VerdictReason answer;
    CaseExpect verdict;
  } words[] = {{REASON_EXACT, EXPECT_EXACT}, {REASON_COVERS, EXPECT_OVER_APPROXIMATION},
      {REASON_WRONG, EXPECT_WRONG}, {REASON_UNDEFINED, EXPECT_UNDEFINED}};
  const char *reason = judgement->answer == REASON_EXACT ? "" : judgement->reason;
  for (uint32_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i].answer == judgement->answer) {
      case_give_verdict(run, words[i].verdict, reason);
      return;
    }
  if (verdict_reason_status(judgement->answer) == VERDICT_REFUTED)
    case_give_verdict(run, EXPECT_TEXT,
        arena_printf(run->arena, "%s: %s", judge_answer_text(judgement->answer), reason));
  else case_give_unknown(run, arena_text(run->arena, reason, strlen(reason)));
}

/* A foreign engine's maps may differ in form and number: the judges decide. */
static void give_answer(CaseRun *run, const Question *question) {
  if (question->operand >= question->instruction->operand_count) {
    case_give_unknown(run, "no operand to ask about");
    return;
  }
  Judgement judgement;
  judge_question(run->judge, question, &judgement);
  give_judgement(run, &judgement);
}

static void run_map(CaseRun *run) {
  const Module *module;
  Question question;
  if (!case_entry_module(run, &module)) return;
  VerbResult *verb_result = &run->verb_result;
  run->first_line = run->one->input.first_line;
  if (!question_parse(&run->one->input, module->entry->root, &question, &verb_result->error)) {
    case_give_error(run);
    return;
  }
  if (run->judge->engine != nullptr) {
    give_answer(run, &question);
    return;
  }
  MapSet maps;
  if (judge_query_engine(run->judge, &question, &maps, &verb_result->error))
    case_give_maps(run, &maps);
  else case_give_error(run);
}

/* A given map claims no exactness: if it is not exact, it may be an over-approximation. */
static void claim_nothing(Judgement *judgement) {
  if (judgement->answer == REASON_UNDEFINED) return;
  judgement->maps.claim = INDEX_OVER_APPROXIMATION;
  judgement->maps.reason = "as given";
  judge_decide(judgement);
  assert(judgement->answer != REASON_EXACT && judgement->answer != REASON_EXTRA);
}

static void check_given(CaseRun *run, const Instruction *instruction) {
  Question question;
  run->first_line = run->one->input.first_line;
  if (!question_parse(&run->one->input, instruction, &question, &run->verb_result.error)) {
    case_give_error(run);
    return;
  }
  if (instruction->operand_count == 0) {
    case_give_unknown(run, "no operand to ask about");
    return;
  }
  Judgement judgement;
  const CaseMaps *given = &run->one->maps;
  if (given->count == 0) {
    judge_question(run->judge, &question, &judgement);
  } else {
    MapSet maps = {.claim = INDEX_EXACT, .maps = ARENA_NEW(run->arena, const Map *, given->count)};
    for (; maps.count < given->count; maps.count++)
      if (!case_verbs_parse(run, &given->items[maps.count], &maps.maps[maps.count])) return;
    judge_maps(run->judge, &question, &maps, &judgement);
    if (judgement.answer != REASON_EXACT) claim_nothing(&judgement);
  }
  give_judgement(run, &judgement);
}

static void note_fault(CaseRun *run, const Judgement *judgement) {
  CaseBreak *broken = &run->broken;
  FaultName name = {};
  if (run->judge->engine == nullptr || judge_answer_status(judgement->answer) != STATUS_REFUTED)
    return;
  const bool is_broken = judgement->answer == REASON_BROKEN;
  if (is_broken) fault_name_of_reply("case", engine_reply(run->judge->engine), &name);
  broken->is_mixed |=
      !is_broken || (broken->is_broken && strcmp(broken->name.text, name.text) != 0);
  if (is_broken && !broken->is_broken) broken->name = name;
  broken->is_broken |= is_broken;
}

/* Sets the worst answer about any operand in any direction. */
static void check_all(CaseRun *run, const Instruction *instruction) {
  static constexpr uint8_t weight[] = {[REASON_EXACT] = 0,
      [REASON_COVERS] = 1,
      [REASON_UNDEFINED] = 2,
      [REASON_OPEN] = 3,
      [REASON_NOT_OFFERED] = 3,
      [REASON_EXTRA] = 4,
      [REASON_DISSENT] = 5,
      [REASON_BROKEN] = 6,
      [REASON_WRONG] = 7};
  QuestionList questions = {};
  questions_add(run->arena, instruction, &question_filter_all, &questions);
  Judgement worst = {.answer = REASON_EXACT};
  for (uint32_t i = 0; i < questions.count; i++) {
    Judgement judgement;
    judge_question(run->judge, &questions.items[i], &judgement);
    note_fault(run, &judgement);
    if (i == 0 || weight[judgement.answer] > weight[worst.answer]) worst = judgement;
  }
  if (questions.count == 0) case_give_unknown(run, "no operand to ask about");
  else give_judgement(run, &worst);
}

static void run_check(CaseRun *run) {
  const Module *module;
  if (!case_entry_module(run, &module)) return;
  if (run->one->input.length > 0 || run->one->maps.count > 0) check_given(run, module->entry->root);
  else check_all(run, module->entry->root);
}

static void settle_question(CaseRun *run, const Question *question) {
  MapSet maps;
  UnequalMaps unequal;
  if (!judge_query_engine(run->judge, question, &maps, &run->verb_result.error)) {
    case_give_error(run);
    return;
  }
  VerdictStatus status =
      answer_idempotence(run->judge->context, run->judge->simplifier, &maps, &unequal);
  if (status == VERDICT_UNKNOWN) case_give_unknown(run, "the engine rejects one of its own maps");
  if (status != VERDICT_REFUTED) return;
  Text text = text_create(run->arena);
  unequal_print(&text, run->judge->context, &unequal, CANONICAL_IDEMPOTENT);
  case_give_verdict(run, EXPECT_REFUTED, text.bytes);
}

/* Checks one question, or all questions about the root. */
static void run_idempotent(CaseRun *run) {
  const Module *module;
  Question question;
  QuestionList questions = {};
  if (!case_needs_own_engine(run) || !case_entry_module(run, &module)) return;
  run->first_line = run->one->input.first_line;
  if (run->one->input.length > 0) {
    if (question_parse(&run->one->input, module->entry->root, &question, &run->verb_result.error))
      *ARENA_PUSH(run->arena, &questions) = question;
  } else {
    questions_add(run->arena, module->entry->root, &question_filter_all, &questions);
  }
  if (run->verb_result.error.kind != ERROR_NONE) case_give_error(run);
  else if (questions.count == 0) case_give_unknown(run, "no operand to ask about");
  else case_give_verdict(run, EXPECT_PROVED, "");
  for (uint32_t i = 0; i < questions.count && run->verb_result.kind == VERB_RESULT_VERDICT &&
                       run->verb_result.verdict == EXPECT_PROVED;
      i++)
    settle_question(run, &questions.items[i]);
}

/* Returns true if the result decides for all questions: anything but exact, or an
 * over-approximation, which a later question may override. */
static bool give_devices(CaseRun *run, const DevicesJudgement *judgement) {
  const char *text = arena_printf(run->arena, "%s", verdict_text(&judgement->verdict));
  run->verb_result.error = judgement->error;
  VerdictReason reason = judgement->verdict.reason;
  if (reason == REASON_NO_MAPS) case_give_error(run);
  if (reason == REASON_NOT_ASKED) case_give_unknown(run, "no collective with a run to ask about");
  if (reason == REASON_UNDEFINED) case_give_verdict(run, EXPECT_UNDEFINED, "");
  if (reason == REASON_NO_MAPS || reason == REASON_NOT_ASKED || reason == REASON_UNDEFINED)
    return true;
  if (reason == REASON_EXTRA) {
    if (devices_are_wrong(judgement))
      case_give_verdict(run, EXPECT_TEXT, arena_printf(run->arena, "inexact: %s", text));
    else case_give_verdict(run, EXPECT_OVER_APPROXIMATION, text);
    return devices_are_wrong(judgement);
  }
  switch (verdict_reason_status(reason)) {
    case VERDICT_PROVED: return false;
    case VERDICT_REFUTED: case_give_verdict(run, EXPECT_WRONG, text); return true;
    case VERDICT_UNKNOWN: case_give_unknown(run, text); return true;
  }
  return true;
}

static void run_devices(CaseRun *run) {
  const Module *module;
  QuestionList questions = {};
  bool decided = false;
  if (!case_needs_own_engine(run) || !case_entry_module(run, &module)) return;
  questions_add(run->arena, module->entry->root, &question_filter_all, &questions);
  if (questions.count == 0 || run->judge->oracle == nullptr)
    case_give_unknown(
        run, questions.count == 0 ? "no operand to ask about" : "enumeration is not asked");
  else case_give_verdict(run, EXPECT_EXACT, "");
  for (uint32_t i = 0;
      run->verb_result.kind == VERB_RESULT_VERDICT && i < questions.count && !decided; i++) {
    DevicesJudgement judgement;
    devices_judge(run->judge->context, run->judge->indexer, run->judge->oracle, &questions.items[i],
        &judgement);
    decided = give_devices(run, &judgement);
  }
}

static const char *print_rules(Arena *arena, const RuleSet *rules) {
  Text text = text_create(arena);
  for (uint32_t i = 0; i < rules->count; i++) rule_print(&text, &rules->items[i]);
  return text.bytes;
}

static bool read_rules(CaseRun *run, RuleSet *rules) {
  run->first_line = run->one->block.first_line;
  return rules_parse(run->arena, &run->one->block, rules, &run->verb_result.error) ||
         case_give_error(run);
}

/* EXACT if the printed rules read back to the same rules. */
static void run_read_rules(CaseRun *run) {
  RuleSet rules = {}, again = {};
  Error error = {};
  if (!read_rules(run, &rules)) return;
  const char *text = print_rules(run->arena, &rules);
  Source printed = {.name = "printed", .text = text, .length = strlen(text), .first_line = 1};
  run->verb_result = (VerbResult){.kind = VERB_RESULT_TEXT, .text = text, .verdict = EXPECT_WRONG};
  if (!rules_parse(run->arena, &printed, &again, &error) || rules.count != again.count) return;
  for (uint32_t i = 0; i < rules.count; i++)
    if (!rule_is_same(&rules.items[i], &again.items[i])) return;
  if (strcmp(text, print_rules(run->arena, &again)) == 0) run->verb_result.verdict = EXPECT_EXACT;
}

static CaseExpect wanted_of_rules(const Case *one) {
  for (uint32_t i = 0; i < one->expected.count; i++)
    if (one->expected.items[i].kind == EXPECT_REFUTED) return EXPECT_REFUTED;
  return EXPECT_PROVED;
}

/* Every rule is asked. The block has the expected verdict (rank 1) if each rule has it. An open
 * rule ranks higher, and another verdict still higher. Bad input decides before all of them. */
static void prove_each(CaseRun *run, const RuleSet *rules) {
  const ProveOptions options = {.source = &run->one->block};
  CaseExpect wanted = wanted_of_rules(run->one);
  uint32_t block = 0;
  for (uint32_t i = 0; i < rules->count; i++) {
    const Rule *rule = &rules->items[i];
    RuleVerdict verdict;
    if (!prove_rule(run->arena, rule, &options, &verdict, &run->verb_result.error)) {
      case_give_error(run);
      return;
    }
    bool is_refuted = verdict.answer == VERDICT_REFUTED,
         is_open = verdict.answer == VERDICT_UNKNOWN;
    CaseExpect found = is_refuted ? EXPECT_REFUTED : EXPECT_PROVED;
    uint32_t rank = is_open ? 2 : found == wanted ? 1 : 3;
    if (rank <= block) continue;
    block = rank;
    if (is_open) case_give_unknown(run, verdict.text);
    else case_give_verdict(run, found, is_refuted ? verdict.text : rule->name);
  }
}

static void run_prove(CaseRun *run) {
  RuleSet rules = {};
  if (!read_rules(run, &rules)) return;
  if (rules.count > 0) prove_each(run, &rules);
  else if (!error_set(&run->verb_result.error, ERROR_INPUT, "no rule to prove"))
    case_give_error(run);
}

void case_verb_run(CaseRun *run) {
  static void (*const runs[])(CaseRun *run) = {
#define VERB(id, text, block, run, help) run,
#include "judge/cases/verbs.def"
#undef VERB
  };
  runs[run->one->verb](run);
}
