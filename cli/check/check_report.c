/* What all judgements of a run share: its status, its output, and the groups of its faults. */
#include <stdio.h>

#include "cli/check/check.h"
#include "cli/report/json.h"
#include "cli/session_guard.h"

void check_note(Checker *checker, Status status) {
  session_note(status);
  checker->status = status_worse(checker->status, status);
}

void check_print(Checker *checker, const char *text) {
  if (!session_print(text)) checker->is_broken = true;
}

void check_say(Checker *checker, const char *text) {
  if (!checker->quiet) check_print(checker, text);
}

void check_fail(Checker *checker, const Failure *failure, const char *row) {
  if (checker->failures != nullptr) failures_add(checker->failures, failure);
  if (checker->failures == nullptr || checker->json || !checker->quiet) check_print(checker, row);
}

bool check_is_cut(const Checker *checker) {
  const Engine *engine = checker->judge->engine;
  return engine != nullptr && engine_reply(engine)->is_cut;
}

/* The row of an accepted or known fault is no pass: JUnit has it as skipped. */
static void report_accepted(Checker *checker, const char *answer, const FaultName *name,
    const FaultWitness *witness, Result row) {
  Arena *arena = arena_create();
  row.status = STATUS_PROVED;
  row.is_left_out = true;
  row.text = arena_printf(arena, "%s: %s", answer, name->text);
  results_add(&checker->results, &row);
  Text text = text_create(arena);
  if (checker->json) {
    Json json = json_begin(&text);
    json_string(&json, "file", row.file);
    json_integer(&json, "line", row.line);
    json_string(&json, "question", row.name);
    json_answer(&json, "answer", answer);
    json_string(&json, "fault", name->text);
    json_end(&json);
  } else {
    text_printf(&text, "  %-8s %s %s\n", answer, name->text, witness->text);
  }
  check_say(checker, text.bytes);
  arena_destroy(arena);
}

bool check_accepts(Checker *checker, const FaultName *name, uint64_t size, const char *question,
    const Result *row) {
  bool is_named = known_faults_has(&checker->accepted, name),
       is_known = is_named && checker->accepted.is_baseline;
  FaultWitness witness = {.size = size, .number = row->line};
  snprintf(witness.text, sizeof witness.text, "%s:%u%s%s", row->file, row->line,
      question[0] == 0 ? "" : " ", question);
  if (is_known || !is_named) engine_faults_note(checker->faults, name, &witness);
  if (!is_named) return false;
  checker->tally.known += is_known;
  checker->tally.accepted += !is_known;
  report_accepted(checker, is_known ? "known" : "accepted", name, &witness, *row);
  return true;
}

void check_unread(
    Checker *checker, const char *part, const char *name, uint32_t line, const char *why) {
  results_add_unread(&checker->results, part, name, checker->path, line, why);
  if (!checker->json) return;
  Arena *arena = arena_create();
  Text text = text_create(arena);
  json_unread(&text, checker->path, line, why);
  check_print(checker, text.bytes);
  arena_destroy(arena);
}
