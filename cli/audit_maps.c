/* Every block of the text is judged; a question of the entry root that no block answers is a row of its own, not judged.
 * Rows that are exact or undefined are printed up to a limit, all others always; the totals count each. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cli/audit.h"
#include "cli/json.h"
#include "core/base/file.h"
#include "core/hlo/print.h"
#include "core/hlo/read.h"
#include "judge/audit.h"

static constexpr uint64_t rows_limit = 64;

typedef struct AuditRun {
  const AuditCommand *command;
  Judge *judge;
  Arena *arena;
  const char *module_path;
  const Source *maps;
  const Instruction *root;
  Printed printed;
  uint64_t counts[audit_answer_count];
  Status status;
  bool is_broken;
} AuditRun;

static void tell(AuditRun *run, const char *text) {
  if (!session_print(text)) run->is_broken = true;
}

/* --- rows --- */

static const char *judges_text(const Audit *audit) {
  if (!audit->is_judged) return "-";
  const Judgement *judgement = &audit->judgement;
  bool by_oracle = judgement->has_oracle && judgement->oracle.answer != ORACLE_TOO_LARGE && judgement->oracle.answer != ORACLE_UNSUPPORTED;
  bool by_smt = judgement->has_smt && judgement->cover != SMT_UNDECIDED && judgement->cover != SMT_NO_SEMANTICS;
  if (by_oracle && by_smt) return "oracle+smt";
  return by_oracle ? "oracle" : by_smt ? "smt" : "-";
}

static void print_operand(Text *text, const PrintedBlock *block) {
  text_printf(text, "%u", block->operand);
  if (block->operand_leaf >= 0) text_printf(text, ".%lld", (long long)block->operand_leaf);
}

static void print_heading(Text *text, const PrintedBlock *block) {
  if (!block->is_turned) text_printf(text, "Output %u operand ", block->output);
  else text_string(text, "Operand ");
  print_operand(text, block);
  if (block->is_turned) text_printf(text, " output %u", block->output);
}

static void print_index(Text *text, const char *name, uint32_t rank, const int64_t *index) {
  text_printf(text, "    %-12s (", name);
  for (uint32_t i = 0; i < rank && i < oracle_max_rank; i++) text_printf(text, "%s%lld", i == 0 ? "" : ", ", (long long)index[i]);
  text_string(text, ")\n");
}

static bool has_point(const Audit *audit) {
  if (!audit->is_judged || !audit->judgement.has_oracle) return false;
  OracleAnswer answer = audit->judgement.oracle.answer;
  return answer == ORACLE_WRONG || answer == ORACLE_COVERING;
}

/* Lines of the map one under the other, blank ones left out. */
static void print_map(Text *text, const char *map) {
  for (const char *at = map; *at != 0;) {
    size_t length = strcspn(at, "\n");
    if (length > 0) text_printf(text, "    %-12s %.*s\n", at == map ? "map" : "", (int)length, at);
    at += length + (at[length] != 0);
  }
}

static void print_details(Text *text, const AuditRun *run, const PrintedBlock *block, const Audit *audit) {
  text_string(text, "    instruction  ");
  hlo_print_instruction(text, run->root);
  if (text->bytes[text->length - 1] != '\n') text_string(text, "\n");
  for (uint32_t i = 0; i < block->maps.count; i++) print_map(text, block->maps.items[i].text);
  if (block->is_none) text_string(text, "    map          (none)\n");
  if (has_point(audit)) {
    print_index(text, "point", audit->judgement.oracle.point_rank, audit->judgement.oracle.point);
    print_index(text, "element", audit->judgement.oracle.element_rank, audit->judgement.oracle.element);
  }
  text_printf(text, "    replay       affirm audit %s --maps %s --output %u --operand ", run->module_path, run->maps->name, block->output);
  print_operand(text, block);
  text_string(text, "\n");
}

static void print_row(Text *text, const AuditRun *run, const PrintedBlock *block, const Audit *audit) {
  Text heading = text_create(text->arena);
  print_heading(&heading, block);
  text_printf(text, "  %-10s %-10s %2u map%s %-22s", audit_answer_text(audit->answer), judges_text(audit), block->maps.count,
              block->maps.count == 1 ? " " : "s", heading.bytes);
  if (block->line != 0) text_printf(text, " %s:%u", run->maps->name, block->line);
  if (audit->text[0] != 0) text_printf(text, ": %s", audit->text);
  text_string(text, "\n");
  if (audit->answer == AUDIT_WRONG || audit->answer == AUDIT_DISAGREE) print_details(text, run, block, audit);
}

static void print_json(Text *text, const AuditRun *run, const PrintedBlock *block, const Audit *audit) {
  Json json = json_begin(text);
  json_string(&json, "file", run->module_path);
  json_string(&json, "maps_file", run->maps->name);
  json_integer(&json, "line", block->line);
  json_string(&json, "instruction", run->root->name);
  json_string(&json, "direction", direction_text(block->is_turned ? INPUT_TO_OUTPUT : OUTPUT_TO_INPUT));
  json_integer(&json, "output", block->output);
  json_integer(&json, "operand", block->operand);
  if (block->operand_leaf >= 0) json_integer(&json, "operand_leaf", block->operand_leaf);
  json_string(&json, "answer", audit_answer_text(audit->answer));
  json_string(&json, "judges", judges_text(audit));
  if (audit->text[0] != 0) json_string(&json, "reason", audit->text);
  if (audit->is_judged) json_maps(&json, run->judge->context, &audit->judgement.maps, MAP_STYLE_LINE);
  if (has_point(audit)) {
    json_integers(&json, "point", audit->judgement.oracle.point_rank, audit->judgement.oracle.point);
    json_integers(&json, "element", audit->judgement.oracle.element_rank, audit->judgement.oracle.element);
    json_integer(&json, "extra", audit->judgement.oracle.extra);
    json_integer(&json, "missing", audit->judgement.oracle.missing);
  }
  json_end(&json);
}

static bool is_shown(const AuditRun *run, AuditAnswer answer) {
  if (run->command->json) return true;
  bool is_common = answer == AUDIT_EXACT || answer == AUDIT_UNDEFINED;
  if (run->command->quiet) return !is_common && answer != AUDIT_COVERING && answer != AUDIT_NOT_JUDGED;
  return !is_common || run->counts[answer] <= rows_limit;
}

static void report(AuditRun *run, const PrintedBlock *block, const Audit *audit) {
  run->counts[audit->answer]++;
  Status status = audit_answer_status(audit->answer);
  if (audit->answer == AUDIT_COVERING && run->command->exact) status = STATUS_REFUTED;
  run->status = status_worse(run->status, status);
  if (!is_shown(run, audit->answer)) return;
  Text text = text_create(run->arena);
  if (run->command->json) print_json(&text, run, block, audit);
  else print_row(&text, run, block, audit);
  tell(run, text.bytes);
}

/* --- blocks --- */

static int compare_pairs(const void *left, const void *right) {
  const PrintedBlock *a = *(const PrintedBlock *const *)left, *b = *(const PrintedBlock *const *)right;
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
  const PrintedBlock **blocks = ARENA_NEW(run->arena, const PrintedBlock *, run->printed.count);
  for (uint32_t i = 0; i < run->printed.count; i++) blocks[i] = &run->printed.items[i];
  qsort(blocks, run->printed.count, sizeof *blocks, compare_blocks);
  return blocks;
}

static bool is_asked(const AuditRun *run, const PrintedBlock *block) {
  const QuestionFilter *filter = &run->command->filter;
  return (filter->output < 0 || filter->output == block->output) && (filter->operand < 0 || filter->operand == block->operand) &&
         (filter->operand_leaf < 0 || filter->operand_leaf == (block->operand_leaf < 0 ? 0 : block->operand_leaf));
}

static void judge_block(AuditRun *run, const PrintedBlock *block, bool is_repeated) {
  ArenaMark mark = arena_mark(run->arena);
  MapMark map_mark = map_context_mark(run->judge->context);
  Audit *audit = ARENA_NEW(run->arena, Audit, 1);
  if (!is_repeated) {
    audit_block(run->judge, run->arena, run->root, block, audit);
  } else {
    audit->answer = AUDIT_MALFORMED;
    snprintf(audit->text, sizeof audit->text, "this heading stands twice; the judged one is the first");
  }
  report(run, block, audit);
  map_context_rewind(run->judge->context, map_mark);
  arena_rewind(run->arena, mark);
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

/* The root's questions that the text leaves out. */
static void report_missing(AuditRun *run, const PrintedBlock **sorted) {
  QuestionFilter filter = run->command->filter;
  filter.i2o = false;
  QuestionList questions = {};
  questions_add(run->arena, run->root, &filter, &questions);
  for (uint32_t i = 0; i < questions.count && !run->is_broken && run->root->operand_count > 0; i++) {
    const Question *question = &questions.items[i];
    PrintedBlock wanted = {.output = question->output, .operand = question->operand, .operand_leaf = question->operand_leaf};
    if (is_answered(run, sorted, &wanted)) continue;
    if (!shape_is_tuple(run->root->operands[question->operand]->shape)) wanted.operand_leaf = -1;
    ArenaMark mark = arena_mark(run->arena);
    Audit *audit = ARENA_NEW(run->arena, Audit, 1);
    audit->answer = AUDIT_NOT_JUDGED;
    snprintf(audit->text, sizeof audit->text, "the text has no block for it");
    report(run, &wanted, audit);
    arena_rewind(run->arena, mark);
  }
}

static void print_totals(AuditRun *run) {
  static const char *const names[] = {
#define AUDIT(id, text, status, help) text,
#include "judge/audit.def"
#undef AUDIT
  };
  uint64_t total = 0;
  for (uint32_t i = 0; i < audit_answer_count; i++) total += run->counts[i];
  Text text = text_create(run->arena);
  if (session_is_interrupted()) text_string(&text, "interrupted; so far:\n");
  text_printf(&text, "operands %llu:", (unsigned long long)total);
  for (uint32_t i = 0; i < audit_answer_count; i++)
    text_printf(&text, "%s %llu %s", i == 0 ? "" : ",", (unsigned long long)run->counts[i], names[i]);
  text_printf(&text, "; lines passed over %u, of them about replica ids %u\n", run->printed.passed_over, run->printed.replica_lines);
  if (!run->command->json) tell(run, text.bytes);
}

static void judge_all(AuditRun *run) {
  const PrintedBlock **sorted = sorted_blocks(run);
  bool goes_on = true;
  for (uint32_t i = 0; i < run->printed.count && goes_on; i++) {
    const PrintedBlock *block = &run->printed.items[i];
    if (is_asked(run, block)) judge_block(run, block, is_repeated(run, sorted, block));
    goes_on = !run->is_broken && !session_is_interrupted();
  }
  if (goes_on) report_missing(run, sorted);
  print_totals(run);
}

/* --- files --- */

static bool read_module(const AuditRun *run, Source *source, const Module **module, Error *error) {
  uint32_t count;
  Source *parts;
  if (!file_read(run->arena, run->module_path, file_limit, source, error) || !hlo_split(run->arena, source, &count, &parts, error)) return false;
  int64_t wanted = run->command->module;
  if (wanted < 1 || wanted > count)
    return error_set(error, ERROR_INPUT, "%s has %u modules, none of number %lld", run->module_path, count, (long long)wanted);
  if (count > 1 && !run->command->quiet)
    fprintf(stderr, "affirm: %s has %u modules; number %lld is judged\n", run->module_path, count, (long long)wanted);
  if (!hlo_read(run->arena, &parts[wanted - 1], module, error)) return false;
  if ((*module)->entry == nullptr) return error_set(error, ERROR_INPUT, "%s has no entry computation", run->module_path);
  return true;
}

static Status run_files(AuditRun *run) {
  Source module_source, maps_source;
  const Module *module;
  Error error = {};
  if (!read_module(run, &module_source, &module, &error) || !file_read(run->arena, run->command->maps, file_limit, &maps_source, &error) ||
      !printed_parse(run->arena, &maps_source, &run->printed, &error))
    return session_fail(&error);
  run->root = module->entry->root;
  run->maps = &maps_source;
  run->judge = judge_create(nullptr, &error);
  if (run->judge == nullptr) return session_fail(&error);
  judge_all(run);
  judge_destroy(run->judge);
  return run->status;
}

Status audit_printed(const AuditCommand *command, const char *module_path) {
  AuditRun run = {.command = command, .module_path = module_path, .arena = arena_create()};
  Status status = run_files(&run);
  arena_destroy(run.arena);
  return status;
}
