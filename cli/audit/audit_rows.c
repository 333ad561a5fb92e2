/* Prints one row an operand. Below the row of a wrong map: the instruction, the maps, the point and
 * a command that replays it. Exact and undefined rows are printed up to a limit, all others always.
 * The totals at the end count all rows. */
#include "cli/audit/audit_rows.h"

#include <string.h>

#include "cli/report/json.h"
#include "core/base/foreign.h"
#include "core/hlo/print/print.h"
#include "judge/maps/witness.h"

static constexpr uint64_t rows_limit = 64;

static void audit_rows_print(AuditRows *rows, const char *text) {
  if (!session_print(text)) rows->is_broken = true;
}

static const char *judges_of(const Audit *audit) {
  return audit->is_judged ? judges_text(audit->judgement.by) : "-";
}

static void print_operand(Text *text, const PrintedBlock *block) {
  text_printf(text, "%u", block->operand);
  if (block->operand_leaf >= 0) text_printf(text, ".%lld", (long long)block->operand_leaf);
}

static void print_heading(Text *text, const PrintedBlock *block) {
  if (!block->is_inverse) text_printf(text, "Output %u operand ", block->output);
  else text_string(text, "Operand ");
  print_operand(text, block);
  if (block->is_inverse) text_printf(text, " output %u", block->output);
}

static void print_index(Text *text, const char *name, uint32_t rank, const int64_t *index) {
  text_printf(text, "    %-12s ", name);
  text_tuple(text, rank < oracle_max_rank ? rank : oracle_max_rank, index);
  text_string(text, "\n");
}

static PairWitness audited_witness(const Audit *audit) {
  return audit->is_judged ? judgement_witness(&audit->judgement) : (PairWitness){};
}

/* Prints the lines of the map without its blank lines. */
static void print_map(Text *text, const char *map) {
  for (const char *at = map; *at != 0;) {
    size_t length = strcspn(at, "\n");
    if (length > 0) text_printf(text, "    %-12s %.*s\n", at == map ? "map" : "", (int)length, at);
    at += length + (at[length] != 0);
  }
}

static void print_replay(Text *text, const AuditRows *rows, const PrintedBlock *block) {
  text_printf(text, "    replay       affirm audit %s", shell_path(text->arena, rows->module_path));
  if (rows->maps_name != rows->module_path) {
    text_printf(text, " --maps %s --output %u --operand ", shell_path(text->arena, rows->maps_name),
        block->output);
    print_operand(text, block);
  }
  if (rows->module > 0) text_printf(text, " --module %u", rows->module);
  text_string(text, "\n");
}

static void print_details(
    Text *text, const AuditRows *rows, const PrintedBlock *block, const Audit *audit) {
  text_string(text, "    instruction  ");
  hlo_print_instruction(text, rows->root);
  if (text->bytes[text->length - 1] != '\n') text_string(text, "\n");
  for (uint32_t i = 0; i < block->maps.count; i++) print_map(text, block->maps.items[i].text);
  if (block->is_none) text_string(text, "    map          (none)\n");
  PairWitness witness = audited_witness(audit);
  if (witness.point != nullptr) print_index(text, "point", witness.point_rank, witness.point);
  if (witness.element != nullptr)
    print_index(text, "element", witness.element_rank, witness.element);
  print_replay(text, rows, block);
}

static void audit_rows_print_row(
    Text *text, const AuditRows *rows, const PrintedBlock *block, const Audit *audit) {
  Text heading = text_create(text->arena);
  print_heading(&heading, block);
  text_printf(text, "  %-10s %-10s %2u map%s %-22s", judge_answer_text(audit->answer),
      judges_of(audit), block->maps.count, block->maps.count == 1 ? " " : "s", heading.bytes);
  if (block->line != 0) text_printf(text, " %s:%u", rows->maps_name, block->line);
  if (audit->text[0] != 0) text_printf(text, ": %s", audit->text);
  text_string(text, "\n");
  if (audit->answer == REASON_WRONG || audit->answer == REASON_DISSENT)
    print_details(text, rows, block, audit);
}

/* Whether --exact makes a failure of it. */
static bool is_rejected(const AuditRows *rows, VerdictReason answer) {
  return answer == REASON_COVERS && rows->command->exact;
}

static void audit_rows_print_json(
    Text *text, const AuditRows *rows, const PrintedBlock *block, const Audit *audit) {
  Json json = json_begin(text);
  json_string(&json, "file", rows->module_path);
  if (rows->module > 0) json_integer(&json, "module", rows->module);
  json_string(&json, "maps_file", rows->maps_name);
  json_integer(&json, "line", block->line);
  json_string(&json, "instruction", rows->root->name);
  json_string(
      &json, "direction", direction_text(block->is_inverse ? INPUT_TO_OUTPUT : OUTPUT_TO_INPUT));
  json_integer(&json, "output", block->output);
  json_integer(&json, "operand", block->operand);
  if (block->operand_leaf >= 0) json_integer(&json, "operand_leaf", block->operand_leaf);
  json_answer(&json, "answer", judge_answer_text(audit->answer));
  if (is_rejected(rows, audit->answer)) json_string(&json, "rejected", "--exact");
  json_string(&json, "judges", judges_of(audit));
  if (audit->text[0] != 0) json_string(&json, "reason", audit->text);
  if (audit->is_judged)
    json_maps(&json, rows->judge->context, &audit->judgement.maps, MAP_STYLE_LINE);
  PairWitness witness = audited_witness(audit);
  if (witness.point != nullptr) {
    json_integers(&json, "point", witness.point_rank, witness.point);
    json_integers(&json, "element", witness.element_rank, witness.element);
  }
  const Verdict *counted_by = &audit->judgement.by[BY_ORACLE];
  if (witness.kind != WITNESS_NONE && verdict_decides(counted_by)) {
    json_integer(&json, "extra", counted_by->extra);
    json_integer(&json, "missing", counted_by->missing);
  }
  json_end(&json);
}

static bool is_shown(const AuditRows *rows, VerdictReason answer) {
  if (rows->command->json) return true;
  bool is_common = answer == REASON_EXACT || answer == REASON_UNDEFINED;
  if (rows->command->quiet && answer == REASON_COVERS) return is_rejected(rows, answer);
  if (rows->command->quiet) return !is_common && answer != REASON_OPEN;
  return !is_common || rows->counts[answer] <= rows_limit;
}

/* Keeps the result for the result files: pass or not, the map, the reason and the command that
 * repeats it. */
static void keep_result(
    const AuditRows *rows, const PrintedBlock *block, const Audit *audit, Status status) {
  Text name = text_create(rows->arena), text = text_create(rows->arena);
  text_printf(&name, "%s ", rows->root->name);
  print_heading(&name, block);
  text_printf(&text, "%s: %s\n", judge_answer_text(audit->answer), audit->text);
  if (status != STATUS_PROVED) print_details(&text, rows, block, audit);
  results_add(rows->command->results, &(Result){.part = "operands",
                                          .name = name.bytes,
                                          .file = rows->maps_name,
                                          .line = block->line,
                                          .status = status,
                                          .text = text.bytes});
}

void audit_rows_add(AuditRows *rows, const PrintedBlock *block, const Audit *audit) {
  rows->counts[audit->answer]++;
  Status status = judge_answer_status(audit->answer);
  if (is_rejected(rows, audit->answer)) status = STATUS_REFUTED;
  rows->status = status_worse(rows->status, status);
  keep_result(rows, block, audit, status);
  if (!is_shown(rows, audit->answer)) return;
  Text text = text_create(rows->arena);
  if (rows->command->json) audit_rows_print_json(&text, rows, block, audit);
  else audit_rows_print_row(&text, rows, block, audit);
  audit_rows_print(rows, text.bytes);
}

void audit_rows_module(AuditRows *rows, const char *name) {
  if (rows->command->json || rows->command->quiet) return;
  ArenaMark mark = arena_mark(rows->arena);
  audit_rows_print(rows, arena_printf(rows->arena, "module %u: %s\n", rows->module, name));
  arena_rewind(rows->arena, mark);
}

void audit_rows_totals(AuditRows *rows, const Printed *printed) {
  Text text = text_create(rows->arena);
  if (session_is_interrupted()) text_string(&text, "interrupted; so far:\n");
  text_printf(&text, "operands %llu:", (unsigned long long)verdict_counts_sum(rows->counts));
  for (uint32_t i = 0; i < audit_answer_count; i++)
    text_printf(&text, "%s %llu %s", i == 0 ? "" : ",",
        (unsigned long long)rows->counts[audit_answers[i]], judge_answer_text(audit_answers[i]));
  text_printf(&text, "; lines passed over %u, of them about replica ids %u", printed->passed_over,
      printed->replica_lines);
  if (rows->unread > 0) text_printf(&text, "; modules not read %u", rows->unread);
  text_string(&text, "\n");
  if (!rows->command->json) audit_rows_print(rows, text.bytes);
}
