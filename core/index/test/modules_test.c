/* Every instruction and operand of the real modules, in both directions, for the first
 * `most_leaves` leaves of each side; other pairs are counted. Checks that there is no error, that
 * results of maps without constraints are inside the operand, and that only opcodes of the list
 * below are undefined. Prints a table of exact, over-approximation and undefined. Parts that do not
 * parse are counted. Skipped, with a message, if the modules are missing. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/hlo/read/read.h"
#include "core/index/index.h"
#include "core/map/bounds.h"
#include "core/map/text.h"

/* Leaves on each side of one instruction and operand that are queried; of larger tuples the first
 * ones. */
static constexpr uint32_t most_leaves = 24;

/* Operations without known semantics: only these, and their callers, may be undefined. */
static const Opcode unknown_opcodes[] = {HLO_CUSTOM_CALL, HLO_INFEED, HLO_OUTFEED, HLO_SEND,
    HLO_RECV, HLO_RNG_BIT_GENERATOR, HLO_SET_DIMENSION_SIZE, HLO_GET_DIMENSION_SIZE,
    HLO_DYNAMIC_RESHAPE, HLO_DYNAMIC_PAD, HLO_SEND_DONE, HLO_RECV_DONE};
static constexpr uint32_t deepest_call = 32;
/* Parts of the directory's files that are no valid modules. */
static constexpr uint64_t most_unread = 5;

static bool may_be_undefined(const Instruction *instruction, uint32_t depth) {
  for (size_t i = 0; i < sizeof unknown_opcodes / sizeof *unknown_opcodes; i++)
    if (unknown_opcodes[i] == instruction->opcode) return true;
  for (uint32_t i = 0; depth < deepest_call && i < instruction->called_count; i++)
    for (uint32_t k = 0; k < instruction->called[i]->instruction_count; k++)
      if (may_be_undefined(instruction->called[i]->instructions[k], depth + 1)) return true;
  return false;
}

typedef struct CoreModulesTally {
  uint64_t queried[opcode_count][2][3];
  uint64_t errors, maps, modules, unread, left_pairs;
} CoreModulesTally;

typedef struct Survey {
  Arena *arena;
  MapContext *context;
  Simplifier *simplifier;
  Indexer *indexer;
  CoreModulesTally *tally;
  const char *file;
} Survey;

/* Without constraints and runtime variables only the bounds can keep a result inside; they do so in
 * all of these modules. */
static void check_inside(
    const Survey *survey, const Instruction *instruction, const Map *map, const Shape *target) {
  assert_int_equal(map->result_count, target->rank);
  if (map->constraint_count > 0) return;
  for (uint32_t i = 0; i < map->result_count; i++) {
    Interval bounds;
    bool inside = expr_bounds(survey->context, map, map->results[i], &bounds) && bounds.lo >= 0 &&
                  bounds.hi < target->sizes[i];
    if (inside) continue;
    Text text = text_create(survey->arena);
    map_print(&text, survey->context, map, MAP_STYLE_LINE);
    fprintf(stderr, "%s: %s: result %u leaves its array: %s\n", survey->file, instruction->name, i,
        text.bytes);
    fail();
  }
}

/* Simplifying a result changes nothing. */
static void check_rests(const Survey *survey, const Instruction *instruction, const Map *map) {
  const Map *again;
  Error error = {};
  bool is_canonical = simplify_map(survey->simplifier, map, &(SimplifyOptions){.keep_points = true},
                          &again, nullptr, &error) &&
                      map_identical(survey->context, map, again);
  if (!is_canonical)
    fail_msg(
        "%s: a map of %s is not canonical: %s", survey->file, instruction->name, error.message);
}

static void survey_pair(Survey *survey, const Instruction *instruction, uint32_t output,
    uint32_t operand, uint32_t leaf) {
  const Shape *shapes[2] = {shape_leaf(instruction->operands[operand]->shape, leaf),
      shape_leaf(instruction->shape, output)};
  MapMark mark = map_context_mark(survey->context);
  indexer_reset(survey->indexer);
  for (int forward = 0; forward < 2; forward++) {
    MapSet maps;
    Error error = {};
    bool fits = forward ? index_input_to_output(
                              survey->indexer, instruction, operand, leaf, output, &maps, &error)
                        : index_output_to_input(
                              survey->indexer, instruction, output, operand, leaf, &maps, &error);
    if (!fits) {
      fprintf(stderr, "%s: %s\n", survey->file, error.message);
      survey->tally->errors++;
      continue;
    }
    assert_true((maps.claim == INDEX_EXACT) == (maps.reason == nullptr));
    survey->tally->queried[instruction->opcode][forward][maps.claim]++;
    if (maps.claim == INDEX_UNDEFINED && !may_be_undefined(instruction, 0))
      fail_msg("%s: %s is undefined: %s", survey->file, instruction->name, maps.reason);
    survey->tally->maps += maps.count;
    for (uint32_t i = 0; i < maps.count; i++) {
      check_inside(survey, instruction, maps.maps[i], shapes[forward]);
      check_rests(survey, instruction, maps.maps[i]);
    }
  }
  map_context_rewind(survey->context, mark);
}

static void survey_instruction(Survey *survey, const Instruction *instruction) {
  uint32_t outputs = shape_leaf_count(instruction->shape);
  for (uint32_t operand = 0; operand < instruction->operand_count; operand++) {
    uint32_t leaves = shape_leaf_count(instruction->operands[operand]->shape);
    for (uint32_t o = 0; o < outputs && o < most_leaves; o++)
      for (uint32_t l = 0; l < leaves && l < most_leaves; l++)
        survey_pair(survey, instruction, o, operand, l);
    uint64_t queried = (uint64_t)(outputs < most_leaves ? outputs : most_leaves) *
                       (leaves < most_leaves ? leaves : most_leaves);
    survey->tally->left_pairs += (uint64_t)outputs * leaves - queried;
  }
}

static void survey_module(Survey *survey, const Module *module) {
  survey->tally->modules++;
  for (uint32_t c = 0; c < module->computation_count; c++)
    for (uint32_t i = 0; i < module->computations[c]->instruction_count; i++)
      survey_instruction(survey, module->computations[c]->instructions[i]);
}

static void survey_file(const char *path, CoreModulesTally *tally) {
  Survey survey = {
      .arena = arena_create(), .context = map_context_create(), .tally = tally, .file = path};
  Error error = {};
  Source source, *parts;
  uint32_t count;
  survey.simplifier = simplifier_create(survey.context, nullptr, &error);
  assert_non_null(survey.simplifier);
  survey.indexer = indexer_create(survey.context, survey.simplifier, &error);
  assert_true(file_read(survey.arena, path, (size_t)64 << 20, &source, &error));
  if (hlo_split(survey.arena, &source, &count, &parts, &error))
    for (uint32_t i = 0; i < count; i++) {
      const Module *module;
      Error unread = {};
      if (hlo_read(survey.arena, &parts[i], &module, &unread)) survey_module(&survey, module);
      else tally->unread++;
    }
  indexer_destroy(survey.indexer);
  simplifier_destroy(survey.simplifier);
  map_context_destroy(survey.context);
  arena_destroy(survey.arena);
}

static void print_table(const CoreModulesTally *tally) {
  printf("%-24s %30s %30s\n", "operation", "o2i exact/over-approximation/undefined",
      "i2o exact/over-approximation/undefined");
  for (uint32_t i = 0; i < opcode_count; i++) {
    const uint64_t(*row)[3] = tally->queried[i];
    if (row[0][0] + row[0][1] + row[0][2] + row[1][0] + row[1][1] + row[1][2] == 0) continue;
    printf("%-24s %14llu %7llu %7llu %14llu %7llu %7llu\n", opcode_name((Opcode)i),
        (unsigned long long)row[0][0], (unsigned long long)row[0][1], (unsigned long long)row[0][2],
        (unsigned long long)row[1][0], (unsigned long long)row[1][1],
        (unsigned long long)row[1][2]);
  }
  printf(
      "%llu modules, %llu parts not read, %llu maps, %llu errors, %llu pairs of leaves left out, past the first %u of a side\n",
      (unsigned long long)tally->modules, (unsigned long long)tally->unread,
      (unsigned long long)tally->maps, (unsigned long long)tally->errors,
      (unsigned long long)tally->left_pairs, most_leaves);
}

static void every_instruction_of_the_real_modules(void **) {
  DIR *directory = opendir(AFFIRM_DATA_DIR "/hlo");
  if (directory == nullptr) {
    printf("skipped: the modules are not there\n");
    skip();
  }
  CoreModulesTally *tally = calloc(1, sizeof *tally);
  assert_non_null(tally);
  for (const struct dirent *entry = readdir(directory); entry != nullptr;
      entry = readdir(directory)) {
    char path[1024];
    if (entry->d_name[0] == '.') continue;
    (void)snprintf(path, sizeof path, "%s/hlo/%s", AFFIRM_DATA_DIR, entry->d_name);
    double start = clock_processor();
    survey_file(path, tally);
    double seconds = clock_processor() - start;
    if (seconds > 1) printf("%s: %.1f s\n", entry->d_name, seconds);
  }
  closedir(directory);
  print_table(tally);
  assert_true(tally->modules > 0);
  assert_int_equal(tally->errors, 0);
  assert_true(tally->unread <= most_unread);
  free(tally);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_instruction_of_the_real_modules)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
