/* Every instruction of the real modules is asked about: each answer is one of the five, with a sentence, and what is not judged is counted by its reason. */
#include <dirent.h>
#include <stdlib.h>

#include "core/base/file.h"
#include "oracle/test_module.h"

typedef struct Count {
  uint64_t answers[5];
  uint64_t unsupported[opcode_count];
  uint64_t files, modules, invalid;
} Count;

static void ask(Bench *bench, const Instruction *instruction, uint32_t leaf, uint32_t operand, uint32_t operand_leaf, Count *count) {
  OracleVerdict verdict;
  Error error = {};
  assert_true(oracle_output_to_input(bench->oracle, instruction, leaf, operand, operand_leaf, 0, nullptr, &verdict, &error));
  assert_true(verdict.text[0] != '\0');
  count->answers[verdict.answer]++;
  count->unsupported[instruction->opcode] += verdict.answer == ORACLE_UNSUPPORTED;
  assert_true(verdict.answer != ORACLE_COVERING);
  OracleVerdict back;
  assert_true(oracle_input_to_output(bench->oracle, instruction, operand, operand_leaf, leaf, 0, nullptr, &back, &error));
  bool both_complete = verdict.assignments_complete && back.assignments_complete;
  if (both_complete && verdict.answer != ORACLE_TOO_LARGE && back.answer != ORACLE_TOO_LARGE)
    assert_int_equal(verdict.answer, back.answer);
}

/* The first and the last leaf of either side. */
static void ask_instruction(Bench *bench, const Instruction *instruction, Count *count) {
  uint32_t leaves = shape_leaf_count(instruction->shape);
  for (uint32_t operand = 0; operand < instruction->operand_count && operand < 3; operand++) {
    uint32_t operand_leaves = shape_leaf_count(instruction->operands[operand]->shape);
    if (leaves == 0 || operand_leaves == 0) continue;
    ask(bench, instruction, 0, operand, 0, count);
    if (leaves + operand_leaves > 2) ask(bench, instruction, leaves - 1, operand, operand_leaves - 1, count);
  }
}

static void ask_module(Bench *bench, const Module *module, Count *count) {
  for (uint32_t i = 0; i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count && k < 400; k++)
      ask_instruction(bench, module->computations[i]->instructions[k], count);
}

static void ask_file(const char *path, Count *count) {
  Bench bench = bench_create();
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
      if (is_read) ask_module(&bench, module, count);
    }
  bench_destroy(&bench);
}

static void print_count(const Count *count) {
  print_message("%llu files, %llu modules, %llu not valid: %llu read nothing, %llu read something, %llu too large, %llu unsupported\n",
                (unsigned long long)count->files, (unsigned long long)count->modules, (unsigned long long)count->invalid,
                (unsigned long long)count->answers[ORACLE_EXACT], (unsigned long long)count->answers[ORACLE_WRONG],
                (unsigned long long)count->answers[ORACLE_TOO_LARGE], (unsigned long long)count->answers[ORACLE_UNSUPPORTED]);
  for (uint32_t i = 0; i < opcode_count; i++)
    if (count->unsupported[i] > 0)
      print_message("  unsupported %s: %llu\n", opcode_name((Opcode)i), (unsigned long long)count->unsupported[i]);
}

static void real_modules_are_answered(void **state) {
  (void)state;
  DIR *directory = opendir(AFFIRM_DATA_DIR "/hlo");
  if (directory == nullptr) {
    print_message("skipped: no real modules at " AFFIRM_DATA_DIR "/hlo\n");
    skip();
  }
  Count count = {};
  for (struct dirent *entry; (entry = readdir(directory)) != nullptr;) {
    char path[4096];
    const char *end = strrchr(entry->d_name, '.');
    if (end == nullptr || strcmp(end, ".hlo") != 0) continue;
    snprintf(path, sizeof path, "%s/hlo/%s", AFFIRM_DATA_DIR, entry->d_name);
    ask_file(path, &count);
  }
  closedir(directory);
  print_count(&count);
  assert_true(count.answers[ORACLE_WRONG] > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(real_modules_are_answered)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
