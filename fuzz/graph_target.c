/* Bytes are an HLO graph; the engine's maps of every instruction of its entry, both directions, go before the oracle.
 * A finding: a map that misses a read, a claim of exactness that does not hold, a graph or map whose text does not read back. */
#include "core/hlo/print.h"
#include "core/hlo/read.h"
#include "fuzz/decode.h"
#include "fuzz/harness.h"
#include "fuzz/mutate.h"
#include "fuzz/target.h"

#include <string.h>

static const Module *read_back(Harness *harness, const char *text, size_t length, const char *what) {
  Source *source = ARENA_NEW(harness->arena, Source, 1);
  *source = (Source){.name = what, .text = text, .length = length, .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(harness->arena, source, &module, &error)) harness_fail("unreadable", text, "%s: %s", what, error.message);
  return module;
}

static void check_text(Harness *harness, const Module *module, const char *hlo) {
  Text once = text_create(harness->arena), twice = text_create(harness->arena);
  hlo_print(&once, module);
  hlo_print(&twice, read_back(harness, once.bytes, once.length, "printed"));
  if (strcmp(once.bytes, twice.bytes) != 0) harness_fail("text", hlo, "printing and reading changes it to:\n%s", twice.bytes);
}

typedef struct Question {
  const Instruction *instruction;
  uint32_t output_leaf, operand, operand_leaf;
  bool forward; /* input to output */
} Question;

static void judge(Harness *harness, const char *hlo, const Question *ask) {
  MapSet maps;
  OracleVerdict verdict;
  Error error = {};
  bool answered = ask->forward
      ? index_input_to_output(harness->indexer, ask->instruction, ask->operand, ask->operand_leaf, ask->output_leaf, &maps, &error)
      : index_output_to_input(harness->indexer, ask->instruction, ask->output_leaf, ask->operand, ask->operand_leaf, &maps, &error);
  if (!answered) harness_fail("refused", hlo, "%s: %s", ask->instruction->name, error.message);
  harness->undefined += maps.claim == INDEX_UNDEFINED;
  if (maps.claim == INDEX_UNDEFINED) return;
  bool judged = ask->forward
      ? oracle_input_to_output(harness->oracle, ask->instruction, ask->operand, ask->operand_leaf, ask->output_leaf, maps.count, maps.maps, &verdict, &error)
      : oracle_output_to_input(harness->oracle, ask->instruction, ask->output_leaf, ask->operand, ask->operand_leaf, maps.count, maps.maps, &verdict, &error);
  if (!judged) harness_fail("oracle", hlo, "%s: %s", ask->instruction->name, error.message);
  harness->answers[verdict.answer]++;
  harness->sampled += !verdict.assignments_complete;
  bool wrong = verdict.answer == ORACLE_WRONG, inexact = verdict.answer == ORACLE_COVERING && maps.claim == INDEX_EXACT;
  if (wrong || inexact)
    harness_fail(wrong ? "wrong" : "inexact", hlo, "%s, %s, output %u, operand %u{%u}: %s (map 0: %s)", ask->instruction->name,
                 ask->forward ? "i2o" : "o2i", ask->output_leaf, ask->operand, ask->operand_leaf, verdict.text,
                 maps.count > 0 ? harness_map_text(harness, maps.maps[0]) : "none");
}

static void judge_instruction(Harness *harness, const char *hlo, const Instruction *instruction) {
  for (uint32_t operand = 0; operand < instruction->operand_count; operand++)
    for (uint32_t leaf = 0; leaf < shape_leaf_count(instruction->operands[operand]->shape); leaf++)
      for (uint32_t output = 0; output < 2 * shape_leaf_count(instruction->shape); output++)
        judge(harness, hlo, &(Question){instruction, output / 2, operand, leaf, output % 2 == 1});
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  size_t length;
  const char *hlo = fuzz_decode_graph(harness->arena, bytes, size, &length);
  const Module *module = read_back(harness, hlo, length, "decoded");
  check_text(harness, module, hlo);
  for (uint32_t i = 0; i < module->entry->instruction_count; i++) judge_instruction(harness, hlo, module->entry->instructions[i]);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned int seed) {
  return fuzz_mutate_graph(bytes, size, room, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second, size_t second_size, uint8_t *out,
                                 size_t room, unsigned int seed) {
  return fuzz_cross_graphs(first, first_size, second, second_size, out, room, seed);
}
