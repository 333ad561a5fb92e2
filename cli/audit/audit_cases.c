/* Judges results of other engines that are written as cases: `check o2i J K` with a module and
 * `map` lines, `same MAP ; MAP`, `compose MAP ; MAP` with `= RESULT`. Prints one verdict a case, in
 * order. The expected verdict of the case is ignored; `affirm check` compares it. */
#include <stdarg.h>

#include "cli/audit/audit_rows.h"
#include "cli/report/json.h"
#include "cli/session_guard.h"
#include "core/base/file.h"
#include "core/hlo/read/read.h"
#include "judge/audit/audit_pair.h"
#include "judge/cases/case_give.h"

typedef struct CaseAudit {
  AuditRows rows;
  Judge *pairs;
  uint64_t operands;
} CaseAudit;

static void audit_cases_report(
    CaseAudit *audit, const Case *one, VerdictReason reason, const char *text, const Bindings *at) {
  Status status = pair_answer_status(reason);
  audit->rows.status = status_worse(audit->rows.status, status);
  results_add(audit->rows.command->results, &(Result){.part = "cases",
                                                .name = one->name,
                                                .file = audit->rows.module_path,
                                                .line = one->line,
                                                .status = status,
                                                .text = text});
  Text line = text_create(audit->rows.arena);
  if (audit->rows.command->json) {
    Json json = json_begin(&line);
    json_string(&json, "case", one->name);
    json_integer(&json, "line", one->line);
    json_answer(&json, "answer", pair_answer_text(reason));
    json_string(&json, "text", text);
    json_bindings(&json, "at", at);
    json_end(&json);
  } else {
    text_printf(&line, "%s\n", text);
  }
  if (!session_print(line.bytes)) audit->rows.is_broken = true;
}

[[gnu::format(printf, 3, 4)]] static void reject(
    CaseAudit *audit, const Case *one, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *text = arena_write(audit->rows.arena, format, arguments);
  va_end(arguments);
  audit_cases_report(audit, one, REASON_MALFORMED, text, &(Bindings){});
}

/* --- pairs --- */

static const Source *expected_text(const Case *one) {
  for (uint32_t i = 0; i < one->expected.count; i++)
    if (one->expected.items[i].kind == EXPECT_TEXT) return &one->expected.items[i].text;
  return nullptr;
}

static void audit_pair(CaseAudit *audit, const Case *one) {
  bool is_triple = one->verb == VERB_COMPOSE;
  const Source *result = is_triple ? expected_text(one) : nullptr;
  Source pair[2];
  if ((is_triple && result == nullptr) || !map_cut_pair(audit->rows.arena, &one->input, pair)) {
    reject(audit, one, "error: %s: expected two maps with ` ; ` between them%s", one->name,
        is_triple ? ", and `= RESULT`" : "");
    return;
  }
  Text answer = text_create(audit->rows.arena);
  Bindings at;
  VerdictReason reason = pair_judge_texts(audit->pairs, &pair[0], &pair[1], result, &answer, &at);
  for (size_t i = 0; i < answer.length; i++)
    if (answer.bytes[i] == '\n') answer.bytes[i] = ' ';
  audit_cases_report(audit, one, reason, answer.bytes, &at);
}

/* --- operands --- */

static PrintedBlock block_of(const Case *one, const Question *question) {
  return (PrintedBlock){.line = one->line,
      .is_inverse = question->direction == INPUT_TO_OUTPUT,
      .output = question->output,
      .operand = question->operand,
      .operand_leaf = question->operand_leaf,
      .maps = {.count = one->maps.count, .capacity = one->maps.capacity, .items = one->maps.items}};
}

static void audit_operand(CaseAudit *audit, const Case *one) {
  AuditRows *rows = &audit->rows;
  const Module *module;
  Question question;
  Error error = {};
  if (!hlo_read(rows->arena, case_entry_source(rows->arena, &one->block), &module, &error) ||
      !question_parse(&one->input, module->entry->root, &question, &error) ||
      module->entry->root->operand_count == 0) {
    reject(audit, one, "error: %s: %s", one->name,
        error.kind == ERROR_NONE ? "no operand to ask about" : error.message);
    return;
  }
  MapMark mark = map_context_mark(rows->judge->context);
  Audit *judged = audit_create(rows->arena);
  const PrintedBlock block = block_of(one, &question);
  rows->root = module->entry->root;
  audit_block(rows->judge, rows->arena, rows->root, &block, judged);
  audit_rows_add(rows, &block, judged);
  audit->operands++;
  map_context_rewind(rows->judge->context, mark);
}

static void audit_case(CaseAudit *audit, const Case *one) {
  if (one->verb == VERB_SAME || one->verb == VERB_RELATION || one->verb == VERB_COMPOSE)
    audit_pair(audit, one);
  else if (one->verb == VERB_CHECK && one->maps.count > 0) audit_operand(audit, one);
  else reject(audit, one, "error: %s: the case has no result of another engine", one->name);
}

static Status audit_cases_run(CaseAudit *audit, const char *path) {
  Source source;
  CaseFile cases;
  Error error = {};
  Arena *arena = audit->rows.arena;
  if (!file_read_text(arena, path, file_limit, &source, &error) ||
      !cases_parse(arena, &source, &cases, &error))
    return session_fail(&error);
  if (cases.count == 0) return session_usage("%s: nothing to judge in it", path);
  audit->rows.judge = judge_create(&(JudgeOptions){.smt.stop = session_is_interrupted}, &error);
  if (audit->rows.judge == nullptr) return session_fail(&error);
  for (uint32_t i = 0; i < cases.count && !audit->rows.is_broken && !session_is_interrupted();
      i++) {
    ArenaMark mark = arena_mark(arena);
    session_item(
        i, cases.count, "cases", "%s, case %u of %u", cases.items[i].name, i + 1, cases.count);
    audit_case(audit, &cases.items[i]);
    arena_rewind(arena, mark);
  }
  if (audit->operands > 0) audit_rows_totals(&audit->rows, &(Printed){});
  judge_destroy(audit->rows.judge);
  return audit->rows.status;
}

Status audit_cases(const AuditCommand *command, const char *path) {
  Error error = {};
  Judge *pairs = pair_judge_create(&error);
  if (pairs == nullptr) return session_fail(&error);
  CaseAudit audit = {
      .rows = {.command = command, .module_path = path, .maps_name = path, .arena = arena_create()},
      .pairs = pairs};
  Status status = audit_cases_run(&audit, path);
  judge_destroy(audit.pairs);
  arena_destroy(audit.rows.arena);
  return status;
}
