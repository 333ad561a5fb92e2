/* Judges cases that are modules: both directions of every operand of the root, and the printed
 * text. */
#include <string.h>

#include "core/hlo/compare.h"
#include "core/hlo/print/print.h"
#include "core/hlo/read/read.h"
#include "judge/maps/inverse_relation.h"
#include "exhaust/exhaust_case.h"
#include "judge/maps/tested.h"
#include "judge/maps/unknowable.h"
#include "judge/maps/witness.h"

/* A wrong map without a missing read is out of bounds, whichever judge finds it. */
static ExhaustCount count_of_wrong(const Judgement *judgement) {
  if (judgement_witness(judgement).kind != WITNESS_MISSING) return EXHAUST_outside;
  return judgement->question.direction == OUTPUT_TO_INPUT ? EXHAUST_wrong : EXHAUST_wrong_inverse;
}

static ExhaustCount count_of_undefined(const Judgement *judgement) {
  return is_unknowable(judgement->question.instruction->opcode) ? EXHAUST_unknown
                                                                : EXHAUST_undefined;
}

static ExhaustCount count_of(const Judge *judge, const Judgement *judgement) {
  static constexpr struct {
    VerdictReason answer;
    ExhaustCount count;
  } counts[] = {{REASON_EXACT, EXHAUST_exact}, {REASON_COVERS, EXHAUST_over_approximation},
      {REASON_EXTRA, EXHAUST_inexact}, {REASON_DISSENT, EXHAUST_differs},
      {REASON_NOT_OFFERED, EXHAUST_not_offered}, {REASON_BROKEN, EXHAUST_broken}};
  if (judgement->answer == REASON_WRONG) return count_of_wrong(judgement);
  if (judgement->answer == REASON_UNDEFINED) return count_of_undefined(judgement);
  for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++)
    if (counts[i].answer == judgement->answer) return counts[i].count;
  if (judgement->cause != REASON_NO_MAPS) return EXHAUST_not_judged;
  return judge->engine == nullptr ? EXHAUST_rejected : EXHAUST_declined;
}

/* Queries our own engine; a test's spoil function may replace the maps. Returns false if the
 * question is already judged, because the engine is foreign or failed. */
static bool query_engine(const Examiner *examiner, const Question *question, bool is_raw,
    MapSet *maps, Judgement *judgement) {
  Judge *judge = is_raw ? examiner->raw : examiner->judge;
  Error error = {};
  if (judge->engine != nullptr || !judge_query_engine(judge, question, maps, &error)) {
    judge_question(judge, question, judgement);
    return false;
  }
  if (examiner->spoil != nullptr && examiner->spoil->maps != nullptr)
    examiner->spoil->maps(judge, question, is_raw, maps);
  return true;
}

static bool is_same_answer(const MapContext *context, const MapSet *a, const MapSet *b) {
  bool same = a->claim == b->claim && a->count == b->count;
  for (uint32_t i = 0; same && i < a->count; i++)
    same = map_identical(context, a->maps[i], b->maps[i]);
  return same;
}

/* Raw maps that are identical to the simplified ones, handle by handle, are not judged again. */
static void check_raw(ExhaustCase *run, const Question *question, const Judgement *simplified) {
  const Examiner *examiner = run->examiner;
  Judgement *raw = ARENA_NEW(examiner->arena, Judgement, 1);
  MapSet maps;
  if (query_engine(examiner, question, true, &maps, raw)) {
    if (is_same_answer(examiner->judge->context, &simplified->maps, &maps)) return;
    judge_maps(examiner->raw, question, &maps, raw);
  }
  exhaust_compare_raw(run, simplified, raw);
}

static void judge_simplified_maps(
    const Examiner *examiner, const Question *question, Judgement *simplified) {
  MapSet maps;
  if (query_engine(examiner, question, false, &maps, simplified))
    judge_maps(examiner->judge, question, &maps, simplified);
}

/* Returns true if the map is idempotent and canonical. */
static bool check_rest(ExhaustCase *run, const Map *map) {
  Judge *judge = run->examiner->judge;
  CanonicalProperty rest = CANONICAL_IDEMPOTENT;
  UnequalMaps unequal;
  VerdictStatus idempotent = answer_idempotence(
      judge->context, judge->simplifier, &(MapSet){.count = 1, .maps = &map}, &unequal);
  if (idempotent == VERDICT_UNKNOWN) exhaust_note(run, EXHAUST_not_judged);
  bool is_canonical =
      idempotent != VERDICT_REFUTED && answer_is_canonical(judge, map, &rest, &unequal);
  if (!is_canonical) exhaust_report_unequal(run, rest, &unequal);
  return is_canonical && idempotent == VERDICT_PROVED;
}

/* Checks what depends on the map alone, unless the map passed in an earlier case. An accepted map
 * must be idempotent and canonical. A test's spoil function may replace a result, so with one no
 * map is known. */
static void check_form(ExhaustCase *run, const Map *map, bool is_accepted) {
  const Examiner *examiner = run->examiner;
  KnownMap *known = examiner->spoil != nullptr
                        ? nullptr
                        : known_map(examiner->known, examiner->judge->context->pool, map);
  if (known == nullptr) known = &(KnownMap){};
  if (is_accepted && !known->is_settled) known->is_settled = check_rest(run, map);
  if (!known->reads_back) known->reads_back = exhaust_check_text(run, map);
}

static bool is_accepted(ExhaustCase *run, const Judgement *judgement) {
  Judge *judge = run->examiner->judge;
  if (judge->engine == nullptr || judge_answer_status(judgement->answer) != STATUS_REFUTED)
    return false;
  FaultName name;
  fault_name_of_judgement(judge, judgement, &name);
  return exhaust_accepts(run, &name);
}

static void exhaust_graph_query(ExhaustCase *run, const Question *question, Judgement *simplified) {
  Examiner *examiner = run->examiner;
  judge_simplified_maps(examiner, question, simplified);
  if (is_accepted(run, simplified)) return;
  if (simplified->is_avoidable && simplified->answer == REASON_COVERS)
    exhaust_note(run, EXHAUST_avoidable);
  exhaust_report(run, count_of(examiner->judge, simplified), examiner->judge, simplified);
  if (examiner->judge->engine != nullptr) return;
  bool is_judged = simplified->answer == REASON_EXACT || simplified->answer == REASON_COVERS;
  for (uint32_t i = 0; i < simplified->maps.count; i++)
    check_form(run, simplified->maps.maps[i], is_judged);
  check_raw(run, question, simplified);
  exhaust_devices(run, question);
  if (exhaust_goes_to_all(run))
    exhaust_put_to_all(run, simplified->maps.count, simplified->maps.maps);
}

/* The single map whose relation is the whole answer, or nullptr: several maps, or one with runtime
 * variables. */
static const Map *map_of(const Judgement *judgement) {
  bool is_single = judgement->maps.count == 1 && judgement->maps.maps[0]->runtime_count == 0;
  return is_single ? judgement->maps.maps[0] : nullptr;
}

static bool is_accepted_pair(const Judgement *forth, const Judgement *back) {
  return (forth->answer == REASON_EXACT || forth->answer == REASON_COVERS) &&
         (back->answer == REASON_EXACT || back->answer == REASON_COVERS);
}

/* Two exact directions both equal the read relation. Only over-approximations are inverted and
 * compared; accepted ones that cannot be are counted. */
static void check_inverse(ExhaustCase *run, const Judgement *forth, const Judgement *back) {
  const Map *map = map_of(forth), *other = map_of(back), *inverse;
  if (!is_accepted_pair(forth, back) ||
      (forth->answer == REASON_EXACT && back->answer == REASON_EXACT))
    return;
  const Shape *operand =
      shape_leaf(forth->question.instruction->operands[forth->question.operand]->shape,
          forth->question.operand_leaf);
  Judge *judge = run->examiner->judge;
  Verdict verdict = {};
  Error error = {};
  bool compared =
      map != nullptr && other != nullptr &&
      relation_inverse(judge->context, map, operand->rank, operand->sizes, &inverse, &error) &&
      oracle_same_relation(judge->oracle, inverse, other, exhaust_same_limit, &verdict, &error);
  if (compared && verdict.status == VERDICT_REFUTED)
    exhaust_fault(run, EXHAUST_inverse, "output %u, operand %u: %s", forth->question.output,
        forth->question.operand, verdict_text(&verdict));
  else if (!compared || verdict.status == VERDICT_UNKNOWN) exhaust_note(run, EXHAUST_unmatched);
}

static void check_inverses(ExhaustCase *run, uint32_t count, const Judgement *judgements) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count; k++) {
      const Question *a = &judgements[i].question, *b = &judgements[k].question;
      bool is_pair = a->direction == OUTPUT_TO_INPUT && b->direction == INPUT_TO_OUTPUT &&
                     a->output == b->output && a->operand == b->operand &&
                     a->operand_leaf == b->operand_leaf;
      if (is_pair) check_inverse(run, &judgements[i], &judgements[k]);
    }
}

static bool read_text(ExhaustCase *run, const Source *source, const Module **module) {
  Error error = {};
  if (hlo_read(run->examiner->arena, source, module, &error)) return true;
  exhaust_fault(run, source == &run->source ? EXHAUST_unread : EXHAUST_text, "%u:%u: %s",
      error.line, error.column, error.message);
  return false;
}

/* A printed text that equals the case, byte by byte, is not read again: the module was read from
 * this text. */
static void check_module_text(ExhaustCase *run, const Module *module) {
  Text once = text_create(run->examiner->arena), twice = text_create(run->examiner->arena);
  hlo_print(&once, module);
  if (run->examiner->spoil != nullptr && run->examiner->spoil->text != nullptr)
    run->examiner->spoil->text(&once);
  if (strcmp(once.bytes, run->source.text) == 0) return;
  Source source = {.name = "printed", .text = once.bytes, .length = once.length, .first_line = 1};
  const Module *again;
  if (!read_text(run, &source, &again)) return;
  hlo_print(&twice, again);
  Error error = {};
  if (strcmp(once.bytes, twice.bytes) != 0)
    exhaust_fault(run, EXHAUST_text, "prints as %s", twice.bytes);
  else if (!hlo_same_graph(module, again, &error))
    exhaust_fault(run, EXHAUST_text, "reads back as another graph: %s", error.message);
}

/* True if the module has an opcode that the foreign engine does not know. Every result about a
 * fusion with that operation would be undefined. */
static bool is_left_out(const OpcodeSet *opcodes, const Module *module) {
  OpcodeSet used = {};
  for (uint32_t i = 0; opcodes != nullptr && i < module->entry->instruction_count; i++)
    opcode_set_add_instruction(&used, module->entry->instructions[i]);
  return opcodes != nullptr && !opcode_set_contains(opcodes, &used);
}

void exhaust_graph(ExhaustCase *run) {
  const Module *module;
  if (!read_text(run, &run->source, &module)) return;
  if (is_left_out(run->examiner->opcodes, module)) {
    exhaust_note(run, EXHAUST_left_out);
    return;
  }
  check_module_text(run, module);
  tested_module(run->examiner->judge, module);
  QuestionList questions = {};
  questions_add(run->examiner->arena, module->entry->root, &question_filter_all, &questions);
  Judgement *judgements = ARENA_NEW(run->examiner->arena, Judgement, questions.count + 1);
  for (uint32_t i = 0; i < questions.count; i++)
    exhaust_graph_query(run, &questions.items[i], &judgements[i]);
  check_inverses(run, questions.count, judgements);
}
