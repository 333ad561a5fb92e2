/* Judges instructions of the real modules: of each computation the first `most_instructions`, of
 * each instruction the first `most_operands` operands, of each operand the first and the last leaf,
 * for tensors of up to 256 elements. Each verdict is one of the five, with a sentence. Only opcodes
 * of the list below may be unsupported. What is left out is counted and printed. */
#include <dirent.h>

#include "core/base/file.h"
#include "oracle/test/test_module.h"

static constexpr uint32_t most_instructions = 400, most_operands = 3;

/* Opcodes whose reads cannot be known. */
static const Opcode unknown_opcodes[] = {HLO_CUSTOM_CALL, HLO_INFEED, HLO_OUTFEED, HLO_SEND,
    HLO_RECV, HLO_RNG_BIT_GENERATOR, HLO_SET_DIMENSION_SIZE, HLO_GET_DIMENSION_SIZE,
    HLO_DYNAMIC_RESHAPE, HLO_DYNAMIC_PAD, HLO_SEND_DONE, HLO_RECV_DONE};
/* Parts in the directory that are not valid modules. */
static constexpr uint64_t most_invalid = 5;

static bool is_unknown(Opcode opcode) {
  for (size_t i = 0; i < sizeof unknown_opcodes / sizeof *unknown_opcodes; i++)
    if (unknown_opcodes[i] == opcode) return true;
  return false;
}

typedef struct ModulesCount {
  uint64_t answers[verdict_reason_count];
  uint64_t unsupported[opcode_count];
  uint64_t files, modules, invalid;
  uint64_t queried, left_instructions, left_operands, left_leaves;
} ModulesCount;

static void modules_query(OracleFixture *bench, const Instruction *instruction, uint32_t leaf,
    uint32_t operand, uint32_t operand_leaf, ModulesCount *count) {
  Verdict verdict;
  Error error = {};
  assert_true(oracle_output_to_input(
      bench->oracle, instruction, leaf, operand, operand_leaf, 0, nullptr, &verdict, &error));
  assert_true(verdict_text(&verdict)[0] != '\0');
  count->answers[verdict.reason]++;
  count->unsupported[instruction->opcode] += verdict.reason == REASON_UNSUPPORTED;
  assert_true(verdict.reason != REASON_EXTRA);
  Verdict back;
  assert_true(oracle_input_to_output(
      bench->oracle, instruction, operand, operand_leaf, leaf, 0, nullptr, &back, &error));
  bool both_complete = verdict.scope == SCOPE_WHOLE && back.scope == SCOPE_WHOLE;
  if (both_complete && verdict.reason != REASON_TOO_LARGE && back.reason != REASON_TOO_LARGE)
    assert_int_equal(verdict.reason, back.reason);
}

/* Judges the first and the last leaf of both sides. */
static void query_instruction(
    OracleFixture *bench, const Instruction *instruction, ModulesCount *count) {
  uint32_t leaves = shape_leaf_count(instruction->shape);
  if (instruction->operand_count > most_operands)
    count->left_operands += instruction->operand_count - most_operands;
  for (uint32_t operand = 0; operand < instruction->operand_count && operand < most_operands;
      operand++) {
    uint32_t operand_leaves = shape_leaf_count(instruction->operands[operand]->shape);
    if (leaves == 0 || operand_leaves == 0) continue;
    modules_query(bench, instruction, 0, operand, 0, count);
    uint64_t pairs = (uint64_t)leaves * operand_leaves,
             queried = leaves + operand_leaves > 2 ? 2 : 1;
    count->queried += queried;
    count->left_leaves += pairs - queried;
    if (leaves + operand_leaves > 2)
      modules_query(bench, instruction, leaves - 1, operand, operand_leaves - 1, count);
  }
}

static void query_module(OracleFixture *bench, const Module *module, ModulesCount *count) {
  for (uint32_t i = 0; i < module->computation_count; i++) {
    const Computation *computation = module->computations[i];
    if (computation->instruction_count > most_instructions)
      count->left_instructions += computation->instruction_count - most_instructions;
    for (uint32_t k = 0; k < computation->instruction_count && k < most_instructions; k++)
      query_instruction(bench, computation->instructions[k], count);
  }
}

static void query_file(const char *path, ModulesCount *count) {
  OracleFixture bench = bench_create();
  OracleLimits limits = {.elements = 256, .pairs = 1 << 14};
  Source source, *parts;
  Error error = {};
  uint32_t part_count;
  oracle_destroy(bench.oracle);
  bench.oracle = oracle_create(bench.maps, &limits);
  assert_true(file_read(bench.arena, path, (size_t)64 << 20, &source, &error));
  count->files++;
  if (hlo_split(bench.arena, &source, &part_count, &parts, &error))
    for (uint32_t i = 0; i < part_count; i++) {
      const Module *module;
      Error part_error = {};
      bool is_read = hlo_read(bench.arena, &parts[i], &module, &part_error);
      count->modules += is_read;
      count->invalid += !is_read;
      if (is_read) query_module(&bench, module, count);
    }
  bench_destroy(&bench);
}

static void print_count(const ModulesCount *count) {
  print_message(
      "%llu files, %llu modules, %llu not valid: %llu read nothing, %llu read something, %llu too large, %llu unsupported\n",
      (unsigned long long)count->files, (unsigned long long)count->modules,
      (unsigned long long)count->invalid, (unsigned long long)count->answers[REASON_EXACT],
      (unsigned long long)count->answers[REASON_WRONG],
      (unsigned long long)count->answers[REASON_TOO_LARGE],
      (unsigned long long)count->answers[REASON_UNSUPPORTED]);
  print_message(
      "%llu pairs of leaves asked about; left out: %llu instructions, %llu operands, %llu pairs of leaves\n",
      (unsigned long long)count->queried, (unsigned long long)count->left_instructions,
      (unsigned long long)count->left_operands, (unsigned long long)count->left_leaves);
  for (uint32_t i = 0; i < opcode_count; i++)
    if (count->unsupported[i] > 0)
      print_message("  unsupported %s: %llu\n", opcode_name((Opcode)i),
          (unsigned long long)count->unsupported[i]);
}

static void real_modules_are_answered(void **state) {
  (void)state;
  DIR *directory = opendir(AFFIRM_DATA_DIR "/hlo");
  if (directory == nullptr) {
    print_message("skipped: no real modules at " AFFIRM_DATA_DIR "/hlo\n");
    skip();
  }
  ModulesCount count = {};
  for (struct dirent *entry; (entry = readdir(directory)) != nullptr;) {
    char path[4096];
    const char *end = strrchr(entry->d_name, '.');
    if (end == nullptr || strcmp(end, ".hlo") != 0) continue;
    snprintf(path, sizeof path, "%s/hlo/%s", AFFIRM_DATA_DIR, entry->d_name);
    query_file(path, &count);
  }
  closedir(directory);
  print_count(&count);
  assert_true(count.answers[REASON_WRONG] > 0);
  assert_true(count.invalid <= most_invalid);
  for (uint32_t i = 0; i < opcode_count; i++)
    if (count.unsupported[i] > 0 && !is_unknown((Opcode)i))
      fail_msg("%s is unsupported", opcode_name((Opcode)i));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(real_modules_are_answered)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
