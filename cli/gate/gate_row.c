/* What the parts of the gate share: rows, progress, the end of a run, and the corpus' files. */
#include <assert.h>
#include <stdio.h>

#include "cli/gate/gate.h"
#include "cli/report/json.h"

/* The row's counts, and the smallest counterexample since the previous row. */
static const char *row_text(Gate *gate, const GateRow *row) {
  Text text = text_create(gate->arena);
  text_printf(&text, "%llu passed, %llu failed, %llu open, %llu not read",
      (unsigned long long)row->passed, (unsigned long long)row->failed,
      (unsigned long long)row->open, (unsigned long long)row->unread);
  if (row->note != nullptr) text_printf(&text, "; %s", row->note);
  FailureList since = gate->failures;
  since.items += gate->reported_failures;
  since.count -= gate->reported_failures;
  const Failure *smallest = since.count == 0 ? nullptr : failures_smallest(&since);
  if (smallest != nullptr) text_printf(&text, "\n%s", gate_explain(gate, smallest));
  return text.bytes;
}

void gate_say(Gate *gate, const char *text) {
  if (!gate->checker.json) check_print(&gate->checker, text);
}

/* The line for a question that did not pass: the text, or with --json an object. */
static const char *question_line(
    Gate *gate, const char *part, const char *name, const char *answer, const char *text) {
  if (!gate->checker.json) return text;
  Text line = text_create(gate->arena);
  Json json = json_begin(&line);
  json_string(&json, "part", part);
  if (name != nullptr) json_string(&json, "name", name);
  json_answer(&json, "answer", answer);
  json_string(&json, "text", text);
  json_end(&json);
  return line.bytes;
}

void gate_fail(Gate *gate, const Failure *failure, const char *name) {
  check_fail(
      &gate->checker, failure, question_line(gate, failure->stage, name, "refuted", failure->text));
}

void gate_open(Gate *gate, const char *part, const char *name, const char *text) {
  check_print(&gate->checker, question_line(gate, part, name, "unknown", text));
}

void gate_note(Gate *gate, GateRow *row, Status status, const char *name, const char *text) {
  row->passed += status == STATUS_PROVED;
  row->failed += status == STATUS_REFUTED;
  row->open += status == STATUS_UNDECIDED;
  if (status == STATUS_UNDECIDED) gate_open(gate, row->what, name, text);
  if (status == STATUS_REFUTED)
    gate_fail(gate, &(Failure){.stage = row->what, .count = 1, .text = text}, name);
}

/* Appends to the note what the columns do not count. */
static void add_to_note(const Gate *gate, GateRow *row) {
  Text note = text_create(gate->arena);
  if (row->note != nullptr) text_string(&note, row->note);
  const char *between = row->note == nullptr ? "" : "; ";
  if (row->avoidable > 0)
    text_printf(&note, "%s%s where affirm's own map is exact", between,
        counted(row->avoidable, "over-approximation"));
  if (row->avoidable > 0) between = "; ";
  if (row->refused > 0)
    text_printf(&note, "%sthe engine refused %llu", between, (unsigned long long)row->refused);
  if (row->refused > 0) between = "; ";
  if (row->known > 0) text_printf(&note, "%s%s", between, counted(row->known, "known fault"));
  if (note.length > 0) row->note = note.bytes;
}

bool gate_has_judged(const Gate *gate) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < gate->table.count; i++) {
    const GateRow *row = &gate->table.items[i];
    count += row->passed + row->failed + row->open + row->known + row->unread;
  }
  return count > 0;
}

void gate_row(Gate *gate, GateRow row) {
  assert(row.what != nullptr && row.seconds >= 0);
  add_to_note(gate, &row);
  *ARENA_PUSH(gate->arena, &gate->table) = row;
  Status status = row.failed > 0                                       ? STATUS_REFUTED
                  : row.unread > 0                                     ? STATUS_BAD
                  : row.open > 0 && !(row.is_sample && row.passed > 0) ? STATUS_UNDECIDED
                                                                       : STATUS_PROVED;
  gate->status = status_worse(gate->status, status);
  Results *results = &gate->checker.results;
  if (results->count == gate->reported)
    results_add(results, &(Result){.part = "gate",
                             .name = row.what,
                             .status = status,
                             .is_left_out = row.is_left_out,
                             .seconds = row.seconds,
                             .text = row.is_left_out ? row.note : row_text(gate, &row)});
  gate->reported = results->count;
  gate->reported_failures = gate->failures.count;
}

void gate_at(GatePart *part, const char *unit, uint64_t done, uint64_t all, const char *what) {
  char label[256];
  if (done == 0) part->progress = progress_begin(unit, all, true);
  snprintf(label, sizeof label, "part %u of %u, %s%s%s", part->number, part->all, part->what,
      *what == 0 ? "" : ": ", what);
  progress_at(&part->progress, done, label);
}

bool gate_should_end(const Gate *gate) {
  return session_is_interrupted() || (gate->fail_fast && gate->failures.count > 0);
}

bool gate_find(
    const Gate *gate, const char *tail, PathList *paths, PathList *irregular, Error *error) {
  PathSearch search = {
      .directory = gate->corpus, .tail_count = 1, .tails = &tail, .irregular = irregular};
  return paths_find(gate->arena, &search, paths, error);
}
