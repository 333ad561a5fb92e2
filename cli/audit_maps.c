/* Every block of the text is judged; a question of the entry root that no block answers is a row of its own, not judged. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cli/audit_rows.h"
#include "core/base/file.h"
#include "core/hlo/read.h"

typedef struct AuditRun {
  AuditRows rows;
  const Module *module;
  Printed printed;
} AuditRun;

static int compare_pairs(const void *left, const void *right) {
  const PrintedBlock *a = *(const PrintedBlock *const *)left, *b = *(const PrintedBlock *const *)right;
  if (a->section != b->section) return a->section < b->section ? -1 : 1;
  if (a->is_turned != b->is_turned) return a->is_turned ? 1 : -1;
  if (a->output != b->output) return a->output < b->output ? -1 : 1;
  if (a->operand != b->operand) return a->operand < b->operand ? -1 : 1;
  if (a->operand_leaf != b->operand_leaf) return a->operand_leaf < b->operand_leaf ? -1 : 1;
  return 0;
}

static int compare_blocks(const void *left, const void *right) {
  const PrintedBlock *a = *(const PrintedBlock *const *)left, *b = *(const PrintedBlock *const *)right;
  int order = compare_pairs(left, right);
  if (order != 0) return order;
  return a->line == b->line ? 0 : a->line < b->line ? -1 : 1;
}

static const PrintedBlock **sorted_blocks(AuditRun *run) {
  const PrintedBlock **blocks = ARENA_NEW(run->rows.arena, const PrintedBlock *, run->printed.count);
  for (uint32_t i = 0; i < run->printed.count; i++) blocks[i] = &run->printed.items[i];
  qsort(blocks, run->printed.count, sizeof *blocks, compare_blocks);
  return blocks;
}

static bool is_asked(const AuditRun *run, const PrintedBlock *block) {
  const QuestionFilter *filter = &run->rows.command->filter;
  return (filter->output < 0 || filter->output == block->output) && (filter->operand < 0 || filter->operand == block->operand) &&
         (filter->operand_leaf < 0 || filter->operand_leaf == (block->operand_leaf < 0 ? 0 : block->operand_leaf));
}

/* The instruction of the block's section; nullptr where the module has none of these names. */
static const Instruction *instruction_of(const AuditRun *run, const PrintedBlock *block) {
  if (block->instruction == nullptr) return run->module->entry->root;
  for (uint32_t c = 0; c < run->module->computation_count; c++) {
    const Computation *computation = run->module->computations[c];
    for (uint32_t i = 0; strcmp(computation->name, block->computation) == 0 && i < computation->instruction_count; i++)
      if (strcmp(computation->instructions[i]->name, block->instruction) == 0) return computation->instructions[i];
  }
  return nullptr;
}

static void judge_named(AuditRun *run, const PrintedBlock *block, Audit *audit) {
  const Instruction *instruction = instruction_of(run, block);
  if (instruction != nullptr) {
    run->rows.root = instruction;
    audit_block(run->rows.judge, run->rows.arena, instruction, block, audit);
    return;
  }
  audit->answer = AUDIT_MALFORMED;
  snprintf(audit->text, sizeof audit->text, "the module has no instruction '%.200s' in '%.200s'", block->instruction, block->computation);
}

static void judge_block(AuditRun *run, const PrintedBlock *block, bool is_repeated) {
  ArenaMark mark = arena_mark(run->rows.arena);
  MapMark map_mark = map_context_mark(run->rows.judge->context);
  Audit *audit = ARENA_NEW(run->rows.arena, Audit, 1);
  if (!is_repeated) {
    judge_named(run, block, audit);
  } else {
    audit->answer = AUDIT_MALFORMED;
    snprintf(audit->text, sizeof audit->text, "this heading stands twice; the judged one is the first");
  }
  audit_rows_add(&run->rows, block, audit);
  run->rows.root = run->module->entry->root;
  map_context_rewind(run->rows.judge->context, map_mark);
  arena_rewind(run->rows.arena, mark);
}

static bool is_repeated(const AuditRun *run, const PrintedBlock **sorted, const PrintedBlock *block) {
  const PrintedBlock **found = bsearch(&block, sorted, run->printed.count, sizeof *sorted, compare_blocks);
  assert(found != nullptr);
  return found > sorted && compare_pairs(found - 1, &block) == 0;
}

static bool is_answered(const AuditRun *run, const PrintedBlock **sorted, const PrintedBlock *wanted) {
  PrintedBlock any = *wanted;
  const PrintedBlock *keys[] = {wanted, &any};
  any.operand_leaf = -1;
  for (uint32_t i = 0; i < 2; i++)
    if (bsearch(&keys[i], sorted, run->printed.count, sizeof *sorted, compare_pairs) != nullptr) return true;
  return false;
}

/* The section that the text has for the root: the first; 0 where there is none. */
static uint32_t root_section(const AuditRun *run) {
  for (uint32_t i = 0; i < run->printed.count; i++)
    if (instruction_of(run, &run->printed.items[i]) == run->rows.root) return run->printed.items[i].section;
  return 0;
}

/* The root's questions that the text leaves out. */
static void report_missing(AuditRun *run, const PrintedBlock **sorted) {
  QuestionFilter filter = run->rows.command->filter;
  filter.i2o = false;
  QuestionList questions = {};
  questions_add(run->rows.arena, run->rows.root, &filter, &questions);
  const uint32_t section = root_section(run);
  for (uint32_t i = 0; i < questions.count && !run->rows.is_broken && run->rows.root->operand_count > 0; i++) {
    const Question *question = &questions.items[i];
    PrintedBlock wanted = {.section = section, .output = question->output, .operand = question->operand, .operand_leaf = question->operand_leaf};
    if (is_answered(run, sorted, &wanted)) continue;
    if (!shape_is_tuple(run->rows.root->operands[question->operand]->shape)) wanted.operand_leaf = -1;
    ArenaMark mark = arena_mark(run->rows.arena);
    Audit *audit = ARENA_NEW(run->rows.arena, Audit, 1);
    audit->answer = AUDIT_NOT_JUDGED;
    snprintf(audit->text, sizeof audit->text, "the text has no block for it");
    audit_rows_add(&run->rows, &wanted, audit);
    arena_rewind(run->rows.arena, mark);
  }
}

static void judge_all(AuditRun *run) {
  const PrintedBlock **sorted = sorted_blocks(run);
  bool goes_on = true;
  for (uint32_t i = 0; i < run->printed.count && goes_on; i++) {
    const PrintedBlock *block = &run->printed.items[i];
    if (is_asked(run, block)) judge_block(run, block, is_repeated(run, sorted, block));
    goes_on = !run->rows.is_broken && !session_is_interrupted();
  }
  if (goes_on) report_missing(run, sorted);
  uint64_t total = 0;
  for (uint32_t i = 0; i < audit_answer_count; i++) total += run->rows.counts[i];
  if (goes_on && total == 0) run->rows.status = status_worse(run->rows.status, session_usage("%s: nothing to judge in it", run->rows.maps_name));
  audit_rows_totals(&run->rows, &run->printed);
}

/* --- files --- */

static bool read_module(const AuditRun *run, Source *source, const Module **module, Error *error) {
  uint32_t count;
  Source *parts;
  if (!file_read(run->rows.arena, run->rows.module_path, file_limit, source, error) || !hlo_split(run->rows.arena, source, &count, &parts, error)) return false;
  int64_t wanted = run->rows.command->module;
  if (wanted < 1 || wanted > count)
    return error_set(error, ERROR_INPUT, "%s has %u modules, none of number %lld", run->rows.module_path, count, (long long)wanted);
  if (count > 1 && !run->rows.command->quiet)
    fprintf(stderr, "affirm: %s has %u modules; number %lld is judged\n", run->rows.module_path, count, (long long)wanted);
  if (!hlo_read(run->rows.arena, &parts[wanted - 1], module, error)) return false;
  if ((*module)->entry == nullptr) return error_set(error, ERROR_INPUT, "%s has no entry computation", run->rows.module_path);
  return true;
}

static Status run_files(AuditRun *run) {
  Source module_source, maps_source;
  const Module *module;
  Error error = {};
  if (!read_module(run, &module_source, &module, &error) || !file_read(run->rows.arena, run->rows.command->maps, file_limit, &maps_source, &error) ||
      !printed_parse(run->rows.arena, &maps_source, &run->printed, &error))
    return session_fail(&error);
  run->module = module;
  run->rows.root = module->entry->root;
  run->rows.maps_name = maps_source.name;
  run->rows.judge = judge_create(&(JudgeOptions){.smt.stop = session_is_interrupted}, &error);
  if (run->rows.judge == nullptr) return session_fail(&error);
  judge_all(run);
  judge_destroy(run->rows.judge);
  return run->rows.status;
}

Status audit_printed(const AuditCommand *command, const char *module_path) {
  AuditRun run = {.rows = {.command = command, .module_path = module_path, .arena = arena_create()}};
  Status status = run_files(&run);
  arena_destroy(run.rows.arena);
  return status;
}
