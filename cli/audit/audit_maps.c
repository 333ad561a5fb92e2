/* Judges every block of the text. A question about the entry root, or about an instruction that a
 * section names, is a row of its own with the verdict `not judged` if no block answers it.
 * Questions from input to output count if the text has a block of that direction for the
 * instruction: a text may leave the direction out, but no part of it. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cli/audit/audit_rows.h"
#include "cli/session_guard.h"
#include "core/base/file.h"
#include "core/hlo/read/read.h"

typedef struct AuditRun {
  AuditRows rows;
  const Module *module;
  const Source *maps; /* the text of the maps */
  Printed printed;
} AuditRun;

static int compare_pairs(const void *left, const void *right) {
  const PrintedBlock *a = *(const PrintedBlock *const *)left,
                     *b = *(const PrintedBlock *const *)right;
  if (a->section != b->section) return a->section < b->section ? -1 : 1;
  if (a->is_inverse != b->is_inverse) return a->is_inverse ? 1 : -1;
  if (a->output != b->output) return a->output < b->output ? -1 : 1;
  if (a->operand != b->operand) return a->operand < b->operand ? -1 : 1;
  if (a->operand_leaf != b->operand_leaf) return a->operand_leaf < b->operand_leaf ? -1 : 1;
  return 0;
}

static int compare_blocks(const void *left, const void *right) {
  const PrintedBlock *a = *(const PrintedBlock *const *)left,
                     *b = *(const PrintedBlock *const *)right;
  int order = compare_pairs(left, right);
  if (order != 0) return order;
  return a->line == b->line ? 0 : a->line < b->line ? -1 : 1;
}

static const PrintedBlock **sorted_blocks(AuditRun *run) {
  const PrintedBlock **blocks =
      ARENA_NEW(run->rows.arena, const PrintedBlock *, run->printed.count);
  for (uint32_t i = 0; i < run->printed.count; i++) blocks[i] = &run->printed.items[i];
  qsort(blocks, run->printed.count, sizeof *blocks, compare_blocks);
  return blocks;
}

static bool is_selected(const AuditRun *run, const PrintedBlock *block) {
  const QuestionFilter *filter = &run->rows.command->filter;
  return (filter->output < 0 || filter->output == block->output) &&
         (filter->operand < 0 || filter->operand == block->operand) &&
         (filter->operand_leaf < 0 ||
             filter->operand_leaf == (block->operand_leaf < 0 ? 0 : block->operand_leaf));
}

static const Instruction *instruction_of(const AuditRun *run, const PrintedBlock *block) {
  return audit_instruction(run->module, block);
}

static void judge_named(AuditRun *run, const PrintedBlock *block, Audit *audit) {
  const Instruction *instruction = instruction_of(run, block);
  if (instruction != nullptr) {
    run->rows.root = instruction;
    audit_block(run->rows.judge, run->rows.arena, instruction, block, audit);
    return;
  }
  audit->answer = REASON_MALFORMED;
  audit->text = arena_printf(audit->arena, "the module has no instruction '%.200s' in '%.200s'",
      block->instruction, block->computation);
}

static void judge_block(AuditRun *run, const PrintedBlock *block, bool is_repeated) {
  ArenaMark mark = arena_mark(run->rows.arena);
  MapMark map_mark = map_context_mark(run->rows.judge->context);
  Audit *audit = audit_create(run->rows.arena);
  if (!is_repeated) {
    judge_named(run, block, audit);
  } else {
    audit->answer = REASON_MALFORMED;
    audit->text = arena_printf(audit->arena, "this heading occurs twice; the first one is judged");
  }
  audit_rows_add(&run->rows, block, audit);
  run->rows.root = run->module->entry->root;
  map_context_rewind(run->rows.judge->context, map_mark);
  arena_rewind(run->rows.arena, mark);
}

static bool is_repeated(
    const AuditRun *run, const PrintedBlock **sorted, const PrintedBlock *block) {
  const PrintedBlock **found =
      bsearch(&block, sorted, run->printed.count, sizeof *sorted, compare_blocks);
  assert(found != nullptr);
  return found > sorted && compare_pairs(found - 1, &block) == 0;
}

static bool is_answered(
    const AuditRun *run, const PrintedBlock **sorted, const PrintedBlock *wanted) {
  PrintedBlock any = *wanted;
  const PrintedBlock *keys[] = {wanted, &any};
  any.operand_leaf = -1;
  for (uint32_t i = 0; i < 2; i++)
    if (bsearch(&keys[i], sorted, run->printed.count, sizeof *sorted, compare_pairs) != nullptr)
      return true;
  return false;
}

/* A part of the text that is about one instruction. */
typedef struct AuditHead {
  const Instruction *instruction; /* nullptr: the module has none of this name */
  uint32_t section;
  bool has_inverse; /* a block from input to output */
} AuditHead;
typedef struct AuditHeads {
  uint32_t count, capacity;
  AuditHead *items;
} AuditHeads;

/* The part without a section line, which is about the entry root, and the sections in the order of
 * the text. */
static AuditHeads heads_of(const AuditRun *run) {
  AuditHeads heads = {};
  const Printed *printed = &run->printed;
  AuditHead *first = ARENA_PUSH(run->rows.arena, &heads);
  *first = (AuditHead){.instruction = run->rows.root};
  if (printed->count > 0 && printed->items[0].instruction == nullptr)
    first->section = printed->items[0].section;
  for (uint32_t i = 0; i < printed->sections.count; i++)
    *ARENA_PUSH(run->rows.arena, &heads) =
        (AuditHead){.instruction = instruction_of(run, &printed->sections.items[i]),
            .section = printed->sections.items[i].section};
  uint32_t at = 0;
  for (uint32_t i = 0; i < printed->count; i++) {
    while (at + 1 < heads.count && heads.items[at].section < printed->items[i].section) at++;
    const bool is_named = printed->items[i].instruction != nullptr;
    heads.items[is_named ? at : 0].has_inverse |= printed->items[i].is_inverse;
  }
  return heads;
}

static bool has_answer(const AuditRun *run, const PrintedBlock **sorted, const AuditHeads *heads,
    const PrintedBlock *wanted) {
  PrintedBlock one = *wanted;
  for (uint32_t i = 0; i < heads->count; i++) {
    if (heads->items[i].instruction != run->rows.root) continue;
    one.section = heads->items[i].section;
    if (is_answered(run, sorted, &one)) return true;
  }
  return false;
}

static void report_question(AuditRun *run, PrintedBlock *wanted, const char *text) {
  if (!shape_is_tuple(run->rows.root->operands[wanted->operand]->shape)) wanted->operand_leaf = -1;
  ArenaMark mark = arena_mark(run->rows.arena);
  Audit *audit = audit_create(run->rows.arena);
  audit->answer = REASON_OPEN;
  audit->text = text;
  audit_rows_add(&run->rows, wanted, audit);
  arena_rewind(run->rows.arena, mark);
}

/* Reports the questions about an instruction that the text leaves out. */
static void report_missing_of(
    AuditRun *run, const PrintedBlock **sorted, const AuditHeads *heads, const char *text) {
  QuestionFilter filter = run->rows.command->filter;
  filter.i2o = false;
  for (uint32_t i = 0; i < heads->count; i++)
    filter.i2o |= heads->items[i].instruction == run->rows.root && heads->items[i].has_inverse;
  QuestionList questions = {};
  questions_add(run->rows.arena, run->rows.root, &filter, &questions);
  for (uint32_t i = 0;
      i < questions.count && !run->rows.is_broken && run->rows.root->operand_count > 0; i++) {
    const Question *question = &questions.items[i];
    PrintedBlock wanted = {.is_inverse = question->direction == INPUT_TO_OUTPUT,
        .output = question->output,
        .operand = question->operand,
        .operand_leaf = question->operand_leaf};
    if (!has_answer(run, sorted, heads, &wanted)) report_question(run, &wanted, text);
  }
}

static bool is_reported(const AuditHeads *heads, uint32_t at) {
  for (uint32_t i = 0; i < at; i++)
    if (heads->items[i].instruction == heads->items[at].instruction) return true;
  return false;
}

static void report_missing(AuditRun *run, const PrintedBlock **sorted) {
  const AuditHeads heads = heads_of(run);
  const Instruction *root = run->rows.root;
  report_missing_of(run, sorted, &heads, "the text has no block for it");
  for (uint32_t i = 1; i < heads.count; i++) {
    run->rows.root = heads.items[i].instruction;
    if (run->rows.root != nullptr && !is_reported(&heads, i))
      report_missing_of(run, sorted, &heads,
          arena_printf(
              run->rows.arena, "the section of %s has no block for it", run->rows.root->name));
  }
  run->rows.root = root;
}

static void judge_all(AuditRun *run) {
  const PrintedBlock **sorted = sorted_blocks(run);
  bool goes_on = true;
  for (uint32_t i = 0; i < run->printed.count && goes_on; i++) {
    const PrintedBlock *block = &run->printed.items[i];
    session_item(i, run->printed.count, "blocks", "%s:%u, block %u of %u", run->rows.maps_name,
        block->line, i + 1, run->printed.count);
    if (is_selected(run, block)) judge_block(run, block, is_repeated(run, sorted, block));
    goes_on = !run->rows.is_broken && !session_is_interrupted();
  }
  if (goes_on) report_missing(run, sorted);
}

/* --- modules of the file --- */

typedef struct AuditMapsParts {
  uint32_t count;
  Source *items;
} AuditMapsParts;

/* The blocks of one module; all blocks if the text names no modules. */
static Printed blocks_of(Arena *arena, const Printed *all, uint32_t module) {
  Printed own = {.passed_over = all->passed_over, .replica_lines = all->replica_lines};
  for (uint32_t i = 0; i < all->count; i++)
    if (all->modules.count == 0 || all->items[i].module == module)
      *ARENA_PUSH(arena, &own) = all->items[i];
  for (uint32_t i = 0; i < all->sections.count; i++)
    if (all->modules.count == 0 || all->sections.items[i].module == module)
      *ARENA_PUSH(arena, &own.sections) = all->sections.items[i];
  return own;
}

static bool audit_maps_read_module(
    AuditRun *run, const Source *part, const Module **module, Error *error) {
  if (!hlo_read(run->rows.arena, part, module, error)) return false;
  return (*module)->entry != nullptr ||
         error_at(error, ERROR_INPUT, part, 0, 1, "the module has no entry computation");
}

/* A module that cannot be read, or that another text is about, is reported, and the others are
 * judged. */
static void reject_module(AuditRun *run, uint32_t number, const char *file, const Error *error) {
  run->rows.unread++;
  run->rows.status = status_worse(run->rows.status, session_fail(error));
  results_add_unread(run->rows.command->results, "modules",
      arena_printf(run->rows.arena, "module %u", number), file, error->line, error->message);
}

/* Whether each line `# module N: NAME` of the module has its name. */
static bool names_agree(
    const AuditRun *run, const Printed *all, const Module *module, uint32_t number, Error *error) {
  for (uint32_t i = 0; i < all->modules.count; i++) {
    const PrintedModule *line = &all->modules.items[i];
    if (line->number == number && line->name[0] != 0 && strcmp(line->name, module->name) != 0)
      return error_at(error, ERROR_INPUT, run->maps, line->offset, 1,
          "the line names '%.100s', but module %u of %s is '%.100s'", line->name, number,
          run->rows.module_path, module->name);
  }
  return true;
}

static void judge_module(
    AuditRun *run, const AuditMapsParts *parts, const Printed *all, uint32_t number) {
  const Module *module;
  Error error = {};
  if (!audit_maps_read_module(run, &parts->items[number - 1], &module, &error)) {
    reject_module(run, number, run->rows.module_path, &error);
    return;
  }
  if (!names_agree(run, all, module, number, &error)) {
    reject_module(run, number, run->rows.command->maps, &error);
    return;
  }
  run->module = module;
  run->rows.root = module->entry->root;
  run->rows.module = parts->count > 1 ? number : 0;
  run->printed = blocks_of(run->rows.arena, all, number);
  if (parts->count > 1) audit_rows_module(&run->rows, module->name);
  judge_all(run);
  indexer_reset(run->rows.judge->indexer);
}

/* Rejects a module that does not exist, and a block without a module in a text that names modules.
 * No judge would look at their blocks. */
static bool all_have_modules(
    const AuditRun *run, const AuditMapsParts *parts, const Printed *all, Error *error) {
  const PrintedModules *modules = &all->modules;
  for (uint32_t i = 0; i < modules->count; i++)
    if (modules->items[i].number > parts->count)
      return error_set(error, ERROR_INPUT, "%s:%u: the line names module %u, but %s has %u",
          run->rows.maps_name, modules->items[i].line, modules->items[i].number,
          run->rows.module_path, parts->count);
  if (modules->count > 0 && all->items[0].module == 0)
    return error_set(error, ERROR_INPUT, "%s:%u: precedes the first line `# module N: NAME`",
        run->rows.maps_name, all->items[0].line);
  return true;
}

/* Whether a line of the text names the module, even if no block follows. */
static bool text_names_module(const Printed *all, uint32_t number) {
  for (uint32_t i = 0; i < all->modules.count; i++)
    if (all->modules.items[i].number == number) return true;
  return false;
}

/* A text may be about some of the modules. The others are no failure, but are named. */
static void leave_module(AuditRun *run, uint32_t number) {
  const char *name = arena_printf(run->rows.arena, "module %u", number);
  if (!run->rows.command->quiet)
    session_warn("%s: no line of %s names %s, which is not judged", run->rows.module_path,
        run->rows.maps_name, name);
  results_add(run->rows.command->results, &(Result){.part = "modules",
                                              .name = name,
                                              .file = run->rows.module_path,
                                              .is_left_out = true,
                                              .text = "no line `# module N: NAME` names it"});
}

static bool judge_modules(
    AuditRun *run, const AuditMapsParts *parts, const Printed *all, Error *error) {
  int64_t wanted = run->rows.command->module;
  if (wanted > parts->count)
    return error_set(error, ERROR_INPUT, "%s has %s; there is no module %lld",
        run->rows.module_path, counted(parts->count, "module"), (long long)wanted);
  if (!all_have_modules(run, parts, all, error)) return false;
  if (wanted > 0 || all->modules.count == 0) {
    if (parts->count > 1 && wanted == 0 && !run->rows.command->quiet)
      session_warn("%s has %s, and the maps name none of them; module 1 is judged",
          run->rows.module_path, counted(parts->count, "module"));
    judge_module(run, parts, all, wanted > 0 ? (uint32_t)wanted : 1);
    return true;
  }
  for (uint32_t number = 1;
      number <= parts->count && !run->rows.is_broken && !session_is_interrupted(); number++)
    if (text_names_module(all, number)) judge_module(run, parts, all, number);
    else leave_module(run, number);
  return true;
}

static void report_totals(AuditRun *run, const Printed *all) {
  bool is_whole = !run->rows.is_broken && !session_is_interrupted();
  if (is_whole && verdict_counts_sum(run->rows.counts) == 0 && run->rows.unread == 0)
    run->rows.status = status_worse(
        run->rows.status, session_usage("%s: nothing to judge in it", run->rows.maps_name));
  audit_rows_totals(&run->rows, all);
}

static Status run_files(AuditRun *run) {
  Source module_source, maps_source;
  AuditMapsParts parts;
  Printed all;
  Error error = {};
  Arena *arena = run->rows.arena;
  if (!file_read_text(arena, run->rows.module_path, file_limit, &module_source, &error) ||
      !hlo_split(arena, &module_source, &parts.count, &parts.items, &error) ||
      !file_read_text(arena, run->rows.command->maps, file_limit, &maps_source, &error) ||
      !printed_parse(arena, &maps_source, &all, &error))
    return session_fail(&error);
  run->rows.maps_name = maps_source.name;
  run->maps = &maps_source;
  run->rows.judge = judge_create(&(JudgeOptions){.smt.stop = session_is_interrupted}, &error);
  if (run->rows.judge == nullptr) return session_fail(&error);
  if (!judge_modules(run, &parts, &all, &error))
    run->rows.status = status_worse(run->rows.status, session_fail(&error));
  else report_totals(run, &all);
  judge_destroy(run->rows.judge);
  return run->rows.status;
}

Status audit_printed(const AuditCommand *command, const char *module_path) {
  AuditRun run = {
      .rows = {.command = command, .module_path = module_path, .arena = arena_create()}};
  Status status = run_files(&run);
  arena_destroy(run.rows.arena);
  return status;
}
