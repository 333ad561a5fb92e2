/* One case: its text is read, the engine is asked, the oracle judges. Every question of a case is asked, whatever came before. */
#include "judge/exhaust.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/budget.h"
#include "core/hlo/compare.h"
#include "core/hlo/print.h"
#include "core/hlo/read.h"
#include "core/map/text.h"
#include "judge/converse.h"
#include "judge/counterexample.h"
#include "judge/exhaust_case.h"
#include "judge/same_rule.h"
#include "judge/settled.h"
#include "judge/tested.h"
#include "judge/unknowable.h"

static const Column columns[] = {
#define COUNT(field, text, status, help) {text, STATUS_##status},
#include "judge/exhaust_counts.def"
#undef COUNT
};

const char *exhaust_count_text(ExhaustCount count) { return columns[count].text; }

Status exhaust_count_status(ExhaustCount count) { return columns[count].status; }

void exhaust_tally_add(ExhaustTally *all, const ExhaustTally *some) {
  all->cases += some->cases;
  all->failed += some->failed;
  all->open += some->open;
  for (uint32_t i = 0; i < exhaust_count_count; i++) all->counts[i] += some->counts[i];
}

Status exhaust_tally_status(const ExhaustTally *tally) {
  return tally->failed > 0 ? STATUS_REFUTED : tally->open > 0 ? STATUS_UNDECIDED : STATUS_PROVED;
}

Examiner *examiner_create(const ScopePlan *plan, const RuleSet *rules, Error *error) { return examiner_create_of(plan, rules, nullptr, error); }

Examiner *examiner_create_of(const ScopePlan *plan, const RuleSet *rules, Engine *engine, Error *error) {
  Arena *arena = arena_create();
  Examiner *examiner = ARENA_NEW(arena, Examiner, 1);
  *examiner = (Examiner){.plan = plan, .arena = arena, .text = text_create(arena), .replay = ""};
  examiner->judge = judge_create(&(JudgeOptions){.rules = rules, .without_smt = plan->scope->kind != SCOPE_PAIRS, .engine = engine}, error);
  if (examiner->judge != nullptr) {
    examiner->raw = ARENA_NEW(arena, Judge, 1);
    *examiner->raw = (Judge){.context = examiner->judge->context, .simplifier = examiner->judge->simplifier, .oracle = examiner->judge->oracle};
    examiner->raw->indexer = indexer_create(examiner->judge->context, nullptr, error);
  }
  if (examiner->judge == nullptr || examiner->raw->indexer == nullptr) {
    examiner_destroy(examiner);
    return nullptr;
  }
  examiner->peers = (Peers){.context = examiner->judge->context, .oracle = examiner->judge->oracle};
  return examiner;
}

static constexpr uint64_t sampled_gate = 3, sampled_pairs = 64, sampled_nightly = 100; /* cases of a scope */

uint64_t exhaust_usual_stride(const ScopePlan *plan) {
  if (plan->scope->kind == SCOPE_OPERATORS) return 1;
  switch (plan->tier) {
  case TIER_GATE: return plan->count / (plan->scope->kind == SCOPE_PAIRS ? sampled_pairs : sampled_gate) + 1;
  case TIER_NIGHTLY: return plan->count / sampled_nightly + 1;
  case TIER_FULL: return 1;
  }
  return 1;
}

void examiner_call_all(Examiner *examiner, uint64_t stride) {
  const char *why;
  examiner->stride = stride;
  if (stride > 0) examiner->peers = peers_open(examiner->judge->context, examiner->judge->oracle, &why);
}

void examiner_destroy(Examiner *examiner) {
  if (examiner->raw != nullptr && examiner->raw->indexer != nullptr) indexer_destroy(examiner->raw->indexer);
  judge_destroy(examiner->judge);
  arena_destroy(examiner->arena);
}

void exhaust_note(CaseRun *run, ExhaustCount count) { run->tally.counts[count]++; }

static constexpr char source_name[] = "case.hlo";

static void report_head(const Examiner *examiner, ExhaustCount count) {
  text_printf(examiner->report, "case %llu: %s (%s)\n%s", (unsigned long long)examiner->number, exhaust_count_text(count), source_name, examiner->text.bytes);
}

static void report_replay(const Examiner *examiner) {
  text_printf(examiner->report, "  %-12s affirm exhaust %s --case %llu", "case", examiner->replay, (unsigned long long)examiner->number);
  if (examiner->judge->engine != nullptr) text_printf(examiner->report, " | affirm check - %s", engine_option(examiner->judge->engine));
  text_string(examiner->report, "\n\n");
}

static void report_fault(const Examiner *examiner, ExhaustCount count, const char *words) {
  report_head(examiner, count);
  text_printf(examiner->report, "  %-12s %s\n", "fault", words);
  report_replay(examiner);
}

void exhaust_fault(CaseRun *run, ExhaustCount count, const char *format, ...) {
  exhaust_note(run, count);
  if (run->examiner->report == nullptr) return;
  char words[700];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  report_fault(run->examiner, count, words);
}

static void report_judgement(CaseRun *run, ExhaustCount count, const Judge *judge, const Judgement *judgement) {
  exhaust_note(run, count);
  if (run->examiner->report == nullptr || exhaust_count_status(count) == STATUS_PROVED) return;
  report_head(run->examiner, count);
  counterexample_print(run->examiner->report, judge, &run->source, judgement);
  if (judgement->reason[0] != 0) text_printf(run->examiner->report, "  %-12s %s\n", "reason", judgement->reason);
  report_replay(run->examiner);
}

/* A map that is wrong and misses nothing gives what is outside. */
static ExhaustCount count_of_wrong(const Judgement *judgement) {
  if (judgement->oracle.missing == 0) return EXHAUST_outside;
  return judgement->question.direction == OUTPUT_TO_INPUT ? EXHAUST_wrong : EXHAUST_turned;
}

static ExhaustCount count_of(const Judgement *judgement) {
  switch (judgement->answer) {
  case JUDGE_EXACT: return EXHAUST_exact;
  case JUDGE_COVERING: return EXHAUST_covering;
  case JUDGE_LOOSE: return EXHAUST_loose;
  case JUDGE_WRONG: return count_of_wrong(judgement);
  case JUDGE_DISAGREE: return EXHAUST_differs;
  case JUDGE_UNDEFINED: return is_unknowable(judgement->question.instruction->opcode) ? EXHAUST_unknown : EXHAUST_undefined;
  case JUDGE_NOT_OFFERED: return EXHAUST_not_offered;
  case JUDGE_BROKEN: return EXHAUST_broken;
  case JUDGE_NOT_JUDGED: return strncmp(judgement->reason, "engine:", 7) == 0 ? EXHAUST_refused : EXHAUST_not_judged;
  }
  return EXHAUST_not_judged;
}

/* Of equal maps of one case one is printed and read back; a map too many to remember is read back again. */
static bool was_read_back(CaseRun *run, const Map *map) {
  for (uint32_t i = 0; i < run->printed_count; i++)
    if (map_identical(run->examiner->judge->context, run->printed[i], map)) return true;
  if (run->printed_count < exhaust_most_put) run->printed[run->printed_count++] = map;
  return false;
}

/* Expression by expression, as stated. A line does not say where runtime variables come from. */
static bool is_read_back(const MapContext *context, const Map *map, const Map *read) {
  Map plain = *map, again = *read;
  plain.sources = again.sources = nullptr;
  return map_identical(context, &plain, &again);
}

static bool has_same_names(uint32_t count, const Variable *a, const Variable *b) {
  bool same = true;
  for (uint32_t i = 0; i < count; i++) same &= a[i].name == nullptr && b[i].name == nullptr;
  return same;
}

/* Handle by handle in the same order, and nothing has a name: what decides a line is the same, so that printing the one prints the other. */
static bool is_printed_alike(const Map *map, const Map *read) {
  bool same = map->state == MAP_PLAIN && read->state == MAP_PLAIN && map->constraint_count == read->constraint_count;
  same = same && has_same_names(map->dim_count, map->dims, read->dims) && has_same_names(map->range_count, map->ranges, read->ranges) &&
         has_same_names(map->runtime_count, map->runtimes, read->runtimes);
  for (uint32_t i = 0; same && i < map->constraint_count; i++) same = map->constraints[i].expr.at == read->constraints[i].expr.at;
  return same;
}

static const char *map_text(CaseRun *run, const Map *map) {
  Text text = text_create(run->examiner->arena);
  map_print(&text, run->examiner->judge->context, map, MAP_STYLE_LINE);
  return text.bytes;
}

static void check_map_text(CaseRun *run, const Map *map) {
  MapContext *context = run->examiner->judge->context;
  Text once = text_create(run->examiner->arena), twice = text_create(run->examiner->arena);
  map_print(&once, context, map, MAP_STYLE_LINE);
  if (run->examiner->spoil != nullptr && run->examiner->spoil->text != nullptr) run->examiner->spoil->text(&once);
  Source source = {.name = "map", .text = once.bytes, .length = once.length, .first_line = 1};
  const Map *read;
  Error error = {};
  if (!map_parse(context, &source, &read, &error)) {
    exhaust_fault(run, EXHAUST_text, "%s: %s", once.bytes, error.message);
    return;
  }
  bool is_same = is_read_back(context, map, read);
  if (is_same && is_printed_alike(map, read)) return;
  map_print(&twice, context, read, MAP_STYLE_LINE);
  if (strcmp(once.bytes, twice.bytes) != 0) exhaust_fault(run, EXHAUST_text, "%s reads back as %s", once.bytes, twice.bytes);
  else if (!is_same) exhaust_fault(run, EXHAUST_text, "%s reads back as another map of the same text", once.bytes);
}

/* The engine's answer, spoiled where a test wants it. False: it is judged already, being a foreign engine's or refused. */
static bool ask_engine(const Examiner *examiner, const Question *question, bool is_raw, MapSet *maps, Judgement *judgement) {
  Judge *judge = is_raw ? examiner->raw : examiner->judge;
  Error error = {};
  if (judge->engine != nullptr || !judge_ask_engine(judge, question, maps, &error)) {
    judge_question(judge, question, judgement);
    return false;
  }
  if (examiner->spoil != nullptr && examiner->spoil->maps != nullptr) examiner->spoil->maps(judge, question, is_raw, maps);
  return true;
}

static bool is_same_answer(const MapContext *context, const MapSet *a, const MapSet *b) {
  bool same = a->claim == b->claim && a->count == b->count;
  for (uint32_t i = 0; same && i < a->count; i++) same = map_identical(context, a->maps[i], b->maps[i]);
  return same;
}

/* A claim that only covers may go with a map that simplifying finds empty: then both must be exact to the judges. */
static void compare_raw(CaseRun *run, const Judgement *simplified, const Judgement *raw) {
  bool both_exact = judge_finds_exact(simplified) && judge_finds_exact(raw);
  if (simplified->answer != raw->answer && !both_exact) report_judgement(run, EXHAUST_differs, run->examiner->raw, raw);
  else if (raw->oracle.answer == ORACLE_COVERING || simplified->oracle.answer == ORACLE_COVERING) exhaust_compare_coverings(run, simplified, raw);
}

/* Raw maps that are the simplified ones, handle by handle, need no judgement of their own. */
static void check_raw(CaseRun *run, const Question *question, const Judgement *simplified) {
  const Examiner *examiner = run->examiner;
  Judgement *raw = ARENA_NEW(examiner->arena, Judgement, 1);
  MapSet maps;
  if (ask_engine(examiner, question, true, &maps, raw)) {
    if (is_same_answer(examiner->judge->context, &simplified->maps, &maps)) return;
    judge_maps(examiner->raw, question, &maps, raw);
  }
  compare_raw(run, simplified, raw);
}

static void judge_simplified_maps(const Examiner *examiner, const Question *question, Judgement *simplified) {
  MapSet maps;
  if (ask_engine(examiner, question, false, &maps, simplified)) judge_maps(examiner->judge, question, &maps, simplified);
}

/* An answer that is accepted is simplified to the end. */
static void check_rest(CaseRun *run, const Judgement *simplified) {
  const Judge *judge = run->examiner->judge;
  Unrest unrest;
  if (simplified->answer != JUDGE_EXACT && simplified->answer != JUDGE_COVERING) return;
  if (!answer_rests(judge->context, judge->simplifier, &simplified->maps, &unrest))
    exhaust_fault(run, EXHAUST_restless, "%s, then %s", map_text(run, unrest.before), map_text(run, unrest.after));
}

static void ask(CaseRun *run, const Question *question, Judgement *simplified) {
  Examiner *examiner = run->examiner;
  judge_simplified_maps(examiner, question, simplified);
  report_judgement(run, count_of(simplified), examiner->judge, simplified);
  if (examiner->judge->engine != nullptr) return;
  check_rest(run, simplified);
  check_raw(run, question, simplified);
  exhaust_devices(run, question);
  for (uint32_t i = 0; i < simplified->maps.count; i++)
    if (!was_read_back(run, simplified->maps.maps[i])) check_map_text(run, simplified->maps.maps[i]);
  if (exhaust_goes_to_all(run)) exhaust_put_to_all(run, simplified->maps.count, simplified->maps.maps);
}

/* Accepted, complete, and by one map that has no runtime variables: then the relation is that map's. */
static const Map *map_of(const Judgement *judgement) {
  bool is_accepted = judgement->answer == JUDGE_EXACT || judgement->answer == JUDGE_COVERING;
  if (!is_accepted || judgement->maps.count != 1 || judgement->maps.maps[0]->runtime_count > 0) return nullptr;
  return judgement->maps.maps[0];
}

/* Two exact directions meet the same relation already, so that only coverings are turned and compared. */
static void check_converse(CaseRun *run, const Judgement *forth, const Judgement *back) {
  const Map *map = map_of(forth), *other = map_of(back), *turned;
  if (map == nullptr || other == nullptr || (forth->answer == JUDGE_EXACT && back->answer == JUDGE_EXACT)) return;
  const Shape *operand = shape_leaf(forth->question.instruction->operands[forth->question.operand]->shape, forth->question.operand_leaf);
  Judge *judge = run->examiner->judge;
  SameVerdict verdict = {};
  Error error = {};
  bool compared = relation_converse(judge->context, map, operand->rank, operand->sizes, &turned, &error) &&
                  oracle_same_relation(judge->oracle, turned, other, exhaust_same_limit, &verdict, &error);
  if (compared && verdict.answer == SAME_NO) exhaust_fault(run, EXHAUST_converse, "output %u, operand %u: %s", forth->question.output, forth->question.operand, verdict.text);
}

static void check_converses(CaseRun *run, uint32_t count, const Judgement *judgements) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count; k++) {
      const Question *a = &judgements[i].question, *b = &judgements[k].question;
      bool is_pair = a->direction == OUTPUT_TO_INPUT && b->direction == INPUT_TO_OUTPUT && a->output == b->output && a->operand == b->operand &&
                     a->operand_leaf == b->operand_leaf;
      if (is_pair) check_converse(run, &judgements[i], &judgements[k]);
    }
}

static bool read_text(CaseRun *run, const Source *source, const Module **module) {
  Error error = {};
  if (hlo_read(run->examiner->arena, source, module, &error)) return true;
  exhaust_fault(run, source == &run->source ? EXHAUST_unread : EXHAUST_text, "%u:%u: %s", error.line, error.column, error.message);
  return false;
}

static void check_module_text(CaseRun *run, const Module *module) {
  Text once = text_create(run->examiner->arena), twice = text_create(run->examiner->arena);
  hlo_print(&once, module);
  if (run->examiner->spoil != nullptr && run->examiner->spoil->text != nullptr) run->examiner->spoil->text(&once);
  Source source = {.name = "printed", .text = once.bytes, .length = once.length, .first_line = 1};
  const Module *again;
  if (!read_text(run, &source, &again)) return;
  hlo_print(&twice, again);
  Error error = {};
  if (strcmp(once.bytes, twice.bytes) != 0) exhaust_fault(run, EXHAUST_text, "prints as %s", twice.bytes);
  else if (!hlo_same_graph(module, again, &error)) exhaust_fault(run, EXHAUST_text, "reads back as another graph: %s", error.message);
}

static void judge_graph(CaseRun *run) {
  const Module *module;
  if (!read_text(run, &run->source, &module)) return;
  check_module_text(run, module);
  tested_module(run->examiner->judge, module);
  QuestionList questions = {};
  questions_add(run->examiner->arena, module->entry->root, &question_filter_all, &questions);
  Judgement *judgements = ARENA_NEW(run->examiner->arena, Judgement, questions.count + 1);
  for (uint32_t i = 0; i < questions.count; i++) ask(run, &questions.items[i], &judgements[i]);
  check_converses(run, questions.count, judgements);
}

static const Map *simplify(CaseRun *run, const Map *map, const SimplifyOptions *options) {
  const Map *simplified;
  Error error = {};
  if (simplify_map(run->examiner->judge->simplifier, map, options, &simplified, nullptr, &error)) return simplified;
  exhaust_fault(run, EXHAUST_refused, "%s", error.message);
  return nullptr;
}

static void judge_same_map(CaseRun *run, const Map *before, const Map *after) {
  SameVerdict verdict;
  Error error = {};
  if (!oracle_same_map(run->examiner->judge->oracle, before, after, exhaust_same_limit, &verdict, &error)) {
    exhaust_fault(run, EXHAUST_not_judged, "%s", error.message);
    return;
  }
  switch (verdict.answer) {
  case SAME_YES: exhaust_note(run, EXHAUST_same); return;
  case SAME_NO: exhaust_fault(run, EXHAUST_differs, "%s: %s", map_text(run, after), verdict.text); return;
  case SAME_TOO_LARGE: exhaust_fault(run, EXHAUST_not_judged, "too many points"); return;
  }
}

/* Simplified ones have lost operators. */
static bool is_put_as_stated(const CaseRun *run) { return run->examiner->plan->scope->kind == SCOPE_OPERATORS; }

static void judge_simplified(CaseRun *run, const Map *map, const SimplifyOptions *options) {
  const Map *once = simplify(run, map, options);
  if (once == nullptr) return;
  const ExhaustSpoil *spoil = run->examiner->spoil;
  if (spoil != nullptr && spoil->simplified != nullptr) once = spoil->simplified(run->examiner->judge->context, once, false);
  judge_same_map(run, map, once);
  check_map_text(run, once);
  const Map *twice = simplify(run, once, options);
  if (spoil != nullptr && spoil->simplified != nullptr && twice != nullptr) twice = spoil->simplified(run->examiner->judge->context, twice, true);
  if (exhaust_goes_to_all(run) && !is_put_as_stated(run)) exhaust_put_to_all(run, 1, &once);
  if (twice != nullptr && !map_identical(run->examiner->judge->context, once, twice))
    exhaust_fault(run, EXHAUST_restless, "%s%s, then %s", options->keep_points ? "keeping points, " : "", map_text(run, once), map_text(run, twice));
}

static void judge_foreign(CaseRun *run, const Map *map) {
  Judge *judge = run->examiner->judge;
  const Map *simplified;
  SameJudgement same;
  Error error = {};
  (void)tested_keeps(judge, map, nullptr, &simplified, &same, &error);
  const char *text = simplified == nullptr ? "" : map_text(run, simplified), *between = simplified == nullptr ? "" : ": ";
  if (simplified == nullptr) {
    bool is_broken = tested_answer(judge) == JUDGE_BROKEN, is_refused = tested_answer(judge) == JUDGE_NOT_JUDGED;
    exhaust_fault(run, is_broken ? EXHAUST_broken : is_refused ? EXHAUST_refused : EXHAUST_not_offered, "%s", same.text);
    return;
  }
  switch (same.word) {
  case SAME_WORD_PROVED: exhaust_note(run, EXHAUST_same); return;
  case SAME_WORD_REFUTED:
  case SAME_WORD_DISAGREE: exhaust_fault(run, EXHAUST_differs, "%s%s%s", text, between, same.text); return;
  case SAME_WORD_UNKNOWN: exhaust_fault(run, EXHAUST_not_judged, "%s%s%s", text, between, same.text); return;
  }
}

static bool read_map(CaseRun *run, const Source *source, const Map **map) {
  Error error = {};
  if (!map_parse(run->examiner->judge->context, source, map, &error)) {
    exhaust_fault(run, EXHAUST_unread, "%u:%u: %s", error.line, error.column, error.message);
    return false;
  }
  check_map_text(run, *map);
  return true;
}

static void judge_map(CaseRun *run) {
  const Map *map;
  if (!read_map(run, &run->source, &map)) return;
  if (run->examiner->judge->engine != nullptr) {
    judge_foreign(run, map);
    return;
  }
  if (exhaust_goes_to_all(run) && is_put_as_stated(run)) {
    exhaust_put_to_all(run, 1, &map);
    exhaust_round_trip(run, map);
  }
  judge_simplified(run, map, &(SimplifyOptions){});
  judge_simplified(run, map, &(SimplifyOptions){.keep_points = true});
}

static void judge_algebra(CaseRun *run) {
  const Map *map;
  if (!read_map(run, &run->source, &map)) return;
  if (run->examiner->judge->engine != nullptr) {
    exhaust_fault(run, EXHAUST_not_offered, "no foreign engine is asked about the algebra of maps");
    return;
  }
  exhaust_algebra(run, map);
  if (exhaust_goes_to_all(run)) exhaust_put_to_all(run, 1, &map);
}

/* `MAP ; MAP`, as `algebra` and the cases of the corpus take them. */
static void judge_pair(CaseRun *run) {
  const char *between = strstr(run->source.text, " ; ");
  assert(between != nullptr);
  Source left = run->source, right = run->source;
  left.length = (size_t)(between - run->source.text);
  left.text = arena_text(run->examiner->arena, run->source.text, left.length);
  right.text = between + 3;
  right.length -= left.length + 3;
  const Map *before, *after;
  if (!read_map(run, &left, &before) || !read_map(run, &right, &after)) return;
  if (run->examiner->judge->engine != nullptr) exhaust_fault(run, EXHAUST_not_offered, "no foreign engine is asked about two maps");
  else exhaust_pair(run, before, after);
}

static const char *rule_text(CaseRun *run, const RuleSet *rules) {
  Text text = text_create(run->examiner->arena);
  for (uint32_t i = 0; i < rules->count; i++) rule_print(&text, &rules->items[i]);
  if (run->examiner->spoil != nullptr && run->examiner->spoil->text != nullptr) run->examiner->spoil->text(&text);
  return text.bytes;
}

static void judge_rule_text(CaseRun *run) {
  RuleSet rules = {}, again = {};
  Error error = {};
  if (!rules_parse(run->examiner->arena, &run->source, &rules, &error)) {
    exhaust_fault(run, EXHAUST_unread, "%u:%u: %s", error.line, error.column, error.message);
    return;
  }
  const char *once = rule_text(run, &rules);
  Source source = {.name = "printed", .text = once, .length = strlen(once), .first_line = 1};
  if (!rules_parse(run->examiner->arena, &source, &again, &error)) exhaust_fault(run, EXHAUST_text, "%s: %s", once, error.message);
  else if (rules.count != 1 || again.count != 1 || !rule_is_same(&rules.items[0], &again.items[0])) exhaust_fault(run, EXHAUST_text, "reads back as another rule:\n%s", once);
  else exhaust_note(run, EXHAUST_rules);
}

static void write_case(Examiner *examiner, uint64_t k) {
  assert(k < examiner->plan->count);
  examiner->number = k;
  examiner->text.length = 0;
  scope_write_case(examiner->plan, k, &examiner->text);
}

static Status name_lost(Examiner *examiner, const KeptCase *kept) {
  write_case(examiner, kept->number);
  if (strcmp(kept->end, "hung") == 0) report_fault(examiner, EXHAUST_hung, "past the limit of processor time");
  else if (strcmp(kept->end, "memory") == 0) report_fault(examiner, EXHAUST_grown, "past the limit of memory");
  else report_fault(examiner, EXHAUST_crashed, kept->end);
  return STATUS_REFUTED;
}

Status examiner_explain(Examiner *examiner, const KeptCase *kept) {
  assert(examiner->report != nullptr);
  return kept->end[0] != 0 ? name_lost(examiner, kept) : examiner_judge(examiner, kept->number, &(ExhaustTally){});
}

static Status status_of(const ExhaustTally *tally) {
  Status status = STATUS_PROVED;
  for (uint32_t i = 0; i < exhaust_count_count; i++)
    if (tally->counts[i] > 0) status = status_worse(status, exhaust_count_status((ExhaustCount)i));
  return status;
}

Status examiner_judge(Examiner *examiner, uint64_t k, ExhaustTally *tally) {
  MapMark judged = map_context_mark(examiner->judge->context);
  bool began = budget_begin(0, nullptr); /* one for all questions of the case: reading the clock for each costs more than some questions */
  oracle_use_words(examiner->judge->oracle, examiner->report != nullptr);
  write_case(examiner, k);
  ArenaMark mark = arena_mark(examiner->arena);
  CaseRun run = {.examiner = examiner, .tally.cases = 1,
                 .source = {.name = source_name, .text = examiner->text.bytes, .length = examiner->text.length, .first_line = 1}};
  switch (examiner->plan->scope->kind) {
  case SCOPE_CHAIN:
  case SCOPE_MIXED:
  case SCOPE_EMPTY:
  case SCOPE_WRAPPED: judge_graph(&run); break;
  case SCOPE_MAPS:
  case SCOPE_LINEAR:
  case SCOPE_DIGITS:
  case SCOPE_OPERATORS: judge_map(&run); break;
  case SCOPE_ALGEBRA: judge_algebra(&run); break;
  case SCOPE_PAIRS: judge_pair(&run); break;
  case SCOPE_RULES: judge_rule_text(&run); break;
  }
  Status status = status_of(&run.tally);
  run.tally.failed = status == STATUS_REFUTED;
  run.tally.open = status == STATUS_UNDECIDED;
  exhaust_tally_add(tally, &run.tally);
  budget_end(began);
  indexer_reset(examiner->judge->indexer);
  indexer_reset(examiner->raw->indexer);
  map_context_rewind(examiner->judge->context, judged);
  arena_rewind(examiner->arena, mark);
  return status;
}
