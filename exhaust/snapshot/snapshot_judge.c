/* Uses the judges of the commands `simplify --prove`, `algebra --prove` and `check`, and compares
 * the points of compositions. */
#include "exhaust/snapshot/snapshot_judge.h"

#include <string.h>

#include "core/hlo/read/read.h"
#include "core/map/compose.h"
#include "core/map/text.h"
#include "exhaust/snapshot/composed_points.h"
#include "judge/maps/tested.h"

static void tally_add(
    SnapshotTally *tally, VerdictStatus status, const char *what, const char *why, Text *words) {
  switch (status) {
    case VERDICT_PROVED: tally->proved++; return;
    case VERDICT_REFUTED: tally->refuted++; break;
    case VERDICT_UNKNOWN: tally->open++; break;
  }
  const char *verdict = status == VERDICT_REFUTED ? "refuted" : "unknown";
  text_printf(words, "  %s: %s: %s\n", what, verdict, why);
}

static void tally_same(
    SnapshotTally *tally, const SameJudgement *judgement, const char *what, Text *words) {
  VerdictStatus status = judgement->reason == REASON_DISSENT
                             ? VERDICT_REFUTED
                             : verdict_reason_status(judgement->reason);
  tally_add(tally, status, what, judgement->text, words);
}

/* A question of a legal input that the engine no longer answers is open: its answers before may
 * have been right. */
static void tally_rejected(
    SnapshotTally *tally, const char *what, const Error *error, Text *words) {
  tally_add(tally, VERDICT_UNKNOWN, what,
      arena_printf(words->arena, "the engine rejects it: %s", error->message), words);
}

static void judge_simplified(
    Snapshot *snapshot, const Map *map, SnapshotTally *tally, Text *words) {
  static constexpr SimplifyOptions ways[] = {{}, {.keep_points = true}};
  for (uint32_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    const Map *simplified;
    SameJudgement judgement;
    Error error = {};
    if (tested_keeps(snapshot->judge, map, &ways[i], &simplified, &judgement, &error))
      tally_same(tally, &judgement, "simplified", words);
    else tally_rejected(tally, "simplified", &error, words);
  }
}

static void judge_algebra(Snapshot *snapshot, AlgebraOperation operation, const Map *map,
    SnapshotTally *tally, Text *words) {
  int64_t numbers[snapshot_most_results];
  AlgebraQuery query = {.operation = operation, .maps = {map}};
  SameJudgement judgement;
  Error error = {};
  if (!snapshot_query(&query, numbers)) return;
  if (algebra_holds(snapshot->judge, &query, &judgement, &error))
    tally_same(tally, &judgement, algebra_row(operation)->text, words);
  else if (operation == ALGEBRA_INVERSE && error.kind == ERROR_UNSUPPORTED) tally->unanswered++;
  else tally_rejected(tally, algebra_row(operation)->text, &error, words);
}

static void judge_map(Snapshot *snapshot, const Source *source, SnapshotTally *tally, Text *words) {
  const Map *map;
  Error error = {};
  if (!map_parse(snapshot->judge->context, source, &map, &error)) return;
  judge_simplified(snapshot, map, tally, words);
  bool is_small = snapshot_has_few_points(1, &map, snapshot_most_points);
  for (uint32_t i = 0; is_small && i < algebra_operation_count; i++)
    judge_algebra(snapshot, (AlgebraOperation)i, map, tally, words);
}

/* Points that differ refute the composition. Only all points prove it. */
static void judge_composed(Snapshot *snapshot, const Map *first, const Map *second,
    const Map *composed, SnapshotTally *tally, Text *words) {
  ComposedPoints points =
      composed_points(snapshot->arena, snapshot->judge->context, first, second, composed);
  if (points.difference == nullptr && !points.is_whole) tally->in_part++;
  else
    tally_add(tally, points.difference == nullptr ? VERDICT_PROVED : VERDICT_REFUTED, "composed",
        points.difference, words);
}

static void judge_pair(
    Snapshot *snapshot, const Source *source, SnapshotTally *tally, Text *words) {
  const Map *first, *second, *composed;
  Source pair[2];
  Error error = {};
  if (!map_cut_pair(snapshot->arena, source, pair) ||
      !map_parse(snapshot->judge->context, &pair[0], &first, &error) ||
      !map_parse(snapshot->judge->context, &pair[1], &second, &error))
    return;
  if (map_compose(snapshot->judge->context, first, second, &composed, &error)) {
    judge_composed(snapshot, first, second, composed, tally, words);
    judge_simplified(snapshot, composed, tally, words);
  } else if (first->result_count == second->dim_count) {
    tally_rejected(tally, "composed", &error, words);
  }
}

static void judge_module(
    Snapshot *snapshot, const Source *source, SnapshotTally *tally, Text *words) {
  const Module *module;
  Error error = {};
  if (!hlo_read(snapshot->arena, source, &module, &error)) return;
  for (uint32_t i = 0; i < module->entry->instruction_count; i++) {
    const Instruction *instruction = module->entry->instructions[i];
    Question question;
    QuestionWalk walk = question_walk(instruction, &question_filter_all);
    while (instruction->operand_count > 0 && question_next(&walk, &question)) {
      Judgement judgement;
      judge_question(snapshot->judge, &question, &judgement);
      if (judgement.answer == REASON_UNDEFINED) {
        tally->unanswered++;
        continue;
      }
      Status status = judge_answer_status(judgement.answer);
      tally_add(tally,
          status == STATUS_PROVED    ? VERDICT_PROVED
          : status == STATUS_REFUTED ? VERDICT_REFUTED
                                     : VERDICT_UNKNOWN,
          instruction->name, judgement.reason, words);
    }
  }
}

void snapshot_judge(
    Snapshot *snapshot, const SnapshotInput *input, SnapshotTally *tally, Text *words) {
  const uint64_t before = tally->proved + tally->refuted + tally->open;
  Source source = {
      .name = "input", .text = input->text, .length = strlen(input->text), .first_line = 1};
  switch (input->kind) {
    case SNAPSHOT_MAP: judge_map(snapshot, &source, tally, words); break;
    case SNAPSHOT_PAIR: judge_pair(snapshot, &source, tally, words); break;
    case SNAPSHOT_MODULE: judge_module(snapshot, &source, tally, words); break;
    case SNAPSHOT_RULE: break;
  }
  bool is_judged = tally->proved + tally->refuted + tally->open > before;
  tally->unjudged += !is_judged;
  tally->in_part += is_judged && input->kind == SNAPSHOT_MODULE;
}
