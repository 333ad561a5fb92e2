/* Test support: small modules from text, read sets as text, and verdicts on maps from text. */
#ifndef ORACLE_TEST_TEST_MODULE_H
#define ORACLE_TEST_TEST_MODULE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "core/map/text.h"
#include "oracle/evaluate/read_set.h"
#include "oracle/compare/same.h"
#include "oracle/evaluate/values.h"

typedef struct OracleFixture {
  Arena *arena;
  MapContext *maps;
  Oracle *oracle;
  const Module *module;
} OracleFixture;

[[maybe_unused]] static OracleFixture bench_create(void) {
  OracleFixture bench = {.arena = arena_create(), .maps = map_context_create()};
  bench.oracle = oracle_create(bench.maps, nullptr);
  return bench;
}

[[maybe_unused]] static void bench_destroy(OracleFixture *bench) {
  oracle_destroy(bench->oracle);
  map_context_destroy(bench->maps);
  arena_destroy(bench->arena);
}

[[maybe_unused]] static Source *source_of(OracleFixture *bench, const char *text) {
  Source *source = ARENA_NEW(bench->arena, Source, 1);
  *source = (Source){.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  return source;
}

/* Parses a module; its root is the judged instruction. */
[[maybe_unused]] static const Instruction *read_root(OracleFixture *bench, const char *text) {
  Error error = {};
  if (!hlo_read(bench->arena, source_of(bench, text), &bench->module, &error)) {
    char message[1024];
    error_format(&error, message, sizeof message);
    fail_msg("%s\n%s", message, text);
  }
  return bench->module->entry->root;
}

/* A module with one computation that consists of the given lines. */
[[maybe_unused]] static const Instruction *root_of(OracleFixture *bench, const char *lines) {
  return read_root(bench, arena_printf(bench->arena, "HloModule m\nENTRY e {\n%s\n}\n", lines));
}

[[maybe_unused]] static const Instruction *instruction_named(
    const OracleFixture *bench, const char *name) {
  for (uint32_t i = 0; i < bench->module->computation_count; i++) {
    const Computation *computation = bench->module->computations[i];
    for (uint32_t k = 0; k < computation->instruction_count; k++)
      if (strcmp(computation->instructions[k]->name, name) == 0)
        return computation->instructions[k];
  }
  return nullptr;
}

/* A map whose runtime variables are resolved in the module. */
[[maybe_unused]] static const Map *map_of(OracleFixture *bench, const char *text) {
  const Map *map;
  Error error = {};
  if (!map_parse(bench->maps, source_of(bench, text), &map, &error)) {
    char message[1024];
    error_format(&error, message, sizeof message);
    fail_msg("%s\n%s", message, text);
  }
  for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++) {
    map->sources[i].instruction = instruction_named(bench, map->sources[i].name);
    assert_non_null(map->sources[i].instruction);
  }
  return map;
}

/* "0 1|2|": for each output element in row-major order, the numbers of the operand's elements.
 * ChosenValue values are the lowest candidates. */
[[maybe_unused]] static const char *reads_of_leaf(OracleFixture *bench,
    const Instruction *instruction, uint32_t leaf, uint32_t operand, uint32_t operand_leaf) {
  Rejection rejection = {};
  Flow flow;
  Values values;
  ReadSet set;
  OracleLimits limits = {.elements = 4096, .pairs = 1 << 24};
  Text text = text_create(bench->arena);
  if (!flow_create(&flow, bench->arena, instruction, &rejection))
    return arena_printf(bench->arena, "rejected: %s", rejection.text);
  values_create(&values, &flow);
  if (!read_set_create(&set, &flow, &values, &limits, leaf, operand, operand_leaf))
    return arena_printf(bench->arena, "rejected: %s", rejection.text);
  int64_t at[oracle_max_rank] = {};
  values_begin(&values);
  for (int64_t element = 0; element < set.output->elements; element++) {
    uint64_t *bits = ARENA_NEW(bench->arena, uint64_t, set.words);
    if (!read_set_of(&set, element, at, bits))
      return arena_printf(bench->arena, "rejected: %s", rejection.text);
    text_string(&text, element == 0 ? "" : "|");
    for (int64_t i = 0, first = 1; i < set.operand->elements; i++)
      if (bits_has(bits, i)) text_printf(&text, first ? "%lld" : " %lld", (long long)i), first = 0;
    leaf_next(set.output, at);
  }
  return text.bytes;
}

[[maybe_unused]] static const char *reads_of(
    OracleFixture *bench, const Instruction *instruction, uint32_t operand) {
  return reads_of_leaf(bench, instruction, 0, operand, 0);
}

/* One row of a table of read sets. */
typedef struct ReadCase {
  const char *lines; /* of the entry computation, the root last */
  uint32_t operand;
  const char *reads;
} ReadCase;

[[maybe_unused]] static void check_reads(const ReadCase *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    OracleFixture bench = bench_create();
    const Instruction *root = root_of(&bench, cases[i].lines);
    const char *reads = reads_of(&bench, root, cases[i].operand);
    if (strcmp(reads, cases[i].reads) != 0)
      fail_msg("%s\noperand %u: %s\nexpected: %s", cases[i].lines, cases[i].operand, reads,
          cases[i].reads);
    bench_destroy(&bench);
  }
}

[[maybe_unused]] static Verdict judge_maps(OracleFixture *bench, const Instruction *instruction,
    bool is_backward, uint32_t leaf, uint32_t operand, uint32_t map_count,
    const char *const *texts) {
  Verdict verdict;
  Error error = {};
  const Map *maps[8];
  assert_true(map_count <= 8);
  for (uint32_t i = 0; i < map_count; i++) maps[i] = map_of(bench, texts[i]);
  bool done = is_backward ? oracle_input_to_output(bench->oracle, instruction, operand, 0, leaf,
                                map_count, maps, &verdict, &error)
                          : oracle_output_to_input(bench->oracle, instruction, leaf, operand, 0,
                                map_count, maps, &verdict, &error);
  assert_true(done);
  return verdict;
}

[[maybe_unused]] static Verdict judge_map(
    OracleFixture *bench, const Instruction *instruction, uint32_t operand, const char *text) {
  return judge_maps(bench, instruction, false, 0, operand, 1, &text);
}

[[maybe_unused]] static Verdict judge_back(
    OracleFixture *bench, const Instruction *instruction, uint32_t operand, const char *text) {
  return judge_maps(bench, instruction, true, 0, operand, 1, &text);
}

#endif
