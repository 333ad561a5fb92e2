/* Checks graphs. The engine's maps of each direction go to the oracle's judge of that direction, so
 * exact maps of both directions are each other's inverse relation. Answers that the engine calls
 * undefined, and questions that the oracle does not decide, are counted. */
#include "fuzz/harness/harness_graph.h"

#include "core/hlo/compare.h"
#include "core/hlo/print/print.h"
#include "judge/maps/devices.h"
#include "judge/maps/canonical_form.h"

#include <string.h>

/* The generators write the printed form, so that the text read back is as a rule the one that was
 * read already, and is the same graph. */
void harness_check_text(Harness *harness, const Module *module, const char *hlo) {
  Text printed = text_create(harness->arena);
  Error error = {};
  hlo_print(&printed, module);
  if (strcmp(printed.bytes, hlo) == 0) return;
  if (!hlo_same_graph(
          module, harness_module(harness, printed.bytes, printed.length, "printed"), &error))
    harness_fail(FOUND_HLO_TEXT, hlo, "printing and reading changes it (%s) to:\n%s", error.message,
        printed.bytes);
}

static bool query_engine(Harness *harness, const Question *query, MapSet *maps, Error *error) {
  if (query->direction == INPUT_TO_OUTPUT)
    return index_input_to_output(harness->indexer, query->instruction, query->operand,
        query->operand_leaf, query->output, maps, error);
  return index_output_to_input(harness->indexer, query->instruction, query->output, query->operand,
      query->operand_leaf, maps, error);
}

static bool query_oracle(
    Harness *harness, const Question *query, const MapSet *maps, Verdict *verdict, Error *error) {
  if (query->direction == INPUT_TO_OUTPUT)
    return oracle_input_to_output(harness->oracle, query->instruction, query->operand,
        query->operand_leaf, query->output, maps->count, maps->maps, verdict, error);
  return oracle_output_to_input(harness->oracle, query->instruction, query->output, query->operand,
      query->operand_leaf, maps->count, maps->maps, verdict, error);
}

static void require_right(Harness *harness, const char *hlo, const Question *query,
    const MapSet *maps, const Verdict *verdict) {
  bool wrong = verdict->reason == REASON_WRONG,
       inexact = verdict->reason == REASON_EXTRA && maps->claim == INDEX_EXACT;
  if (!wrong && !inexact) return;
  harness_fail(wrong ? FOUND_WRONG : FOUND_INEXACT, hlo,
      "%s, %s, output %u, operand %u{%u}: %s (map 0: %s)", query->instruction->name,
      direction_text(query->direction), query->output, query->operand, query->operand_leaf,
      verdict_text(verdict), maps->count > 0 ? harness_map_text(harness, maps->maps[0]) : "none");
}

static void require_rest(
    Harness *harness, const char *hlo, const Question *query, const MapSet *maps) {
  UnequalMaps unequal;
  if (answer_idempotence(harness->context, harness->simplifier, maps, &unequal) == VERDICT_REFUTED)
    harness_fail(FOUND_NOT_CANONICAL, hlo, "%s: %s, simplified once more, is %s",
        query->instruction->name, harness_map_text(harness, unequal.before),
        harness_map_text(harness, unequal.after));
}

static void harness_graph_judge(Harness *harness, const char *hlo, const Question *query) {
  MapSet maps;
  Verdict verdict;
  Error error = {};
  if (!query_engine(harness, query, &maps, &error))
    harness_fail(FOUND_REJECTED, hlo, "%s: %s", query->instruction->name, error.message);
  harness->undefined += maps.claim == INDEX_UNDEFINED;
  if (maps.claim == INDEX_UNDEFINED) return;
  require_rest(harness, hlo, query, &maps);
  if (!query_oracle(harness, query, &maps, &verdict, &error))
    harness_fail(FOUND_JUDGE, hlo, "%s: %s", query->instruction->name, error.message);
  harness->answers[verdict.reason]++;
  harness->sampled += verdict.scope == SCOPE_SAMPLE;
  require_right(harness, hlo, query, &maps, &verdict);
}

static void judge_instruction(Harness *harness, const char *hlo, const Instruction *instruction) {
  uint32_t outputs = shape_leaf_count(instruction->shape);
  for (uint32_t operand = 0; operand < instruction->operand_count; operand++)
    for (uint32_t leaf = 0; leaf < shape_leaf_count(instruction->operands[operand]->shape); leaf++)
      for (uint32_t output = 0; output < 2 * outputs; output++)
        harness_graph_judge(harness, hlo,
            &(Question){instruction, (Direction)(output % 2), output / 2, operand, leaf});
}

/* Judges a collective also across devices. */
static void judge_devices(Harness *harness, const char *hlo, const Question *query) {
  DevicesJudgement judgement;
  devices_judge(harness->context, harness->indexer, harness->oracle, query, &judgement);
  VerdictReason reason = judgement.verdict.reason;
  harness->undefined += reason == REASON_UNDEFINED;
  if (reason != REASON_NOT_ASKED && reason != REASON_UNDEFINED && reason != REASON_NO_MAPS)
    harness->answers[reason == REASON_REJECTED ? REASON_UNSUPPORTED : reason]++;
  if (!devices_are_wrong(&judgement)) return;
  harness_fail(FOUND_DEVICES, hlo, "%s, %s, output %u, operand %u{%u}: %s",
      query->instruction->name, direction_text(query->direction), query->output, query->operand,
      query->operand_leaf, verdict_text(&judgement.verdict));
}

static void judge_collective(Harness *harness, const char *hlo, const Instruction *instruction) {
  for (uint32_t operand = 0; operand < instruction->operand_count; operand++)
    for (uint32_t output = 0; output < 2 * shape_leaf_count(instruction->shape); output++)
      judge_devices(
          harness, hlo, &(Question){instruction, (Direction)(output % 2), output / 2, operand, 0});
}

void harness_judge_module(Harness *harness, const Module *module, const char *hlo) {
  for (uint32_t i = 0; i < module->entry->instruction_count; i++) {
    const Instruction *instruction = module->entry->instructions[i];
    judge_instruction(harness, hlo, instruction);
    if (opcode_family(instruction->opcode) == FAMILY_COLLECTIVE)
      judge_collective(harness, hlo, instruction);
  }
}
