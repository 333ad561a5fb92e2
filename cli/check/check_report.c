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

bool check_accepts(
    Checker *checker, const FaultName *name, uint64_t size, uint32_t line, const char *question) {
  bool is_named = known_faults_has(&checker->accepted, name),
       is_known = is_named && checker->accepted.is_baseline;
  FaultWitness witness = {.size = size, .number = line};
  snprintf(witness.text, sizeof witness.text, "%s:%u%s%s", checker->path, line,
      question[0] == 0 ? "" : " ", question);
  if (is_known || !is_named) engine_faults_note(checker->faults, name, &witness);
  if (!is_named) return false;
  checker->tally.known += is_known;
  checker->tally.accepted += !is_known;
  Arena *arena = arena_create();
  check_say(checker, arena_printf(arena, "  %s %s %s\n", is_known ? "known   " : "accepted",
                         name->text, witness.text));
  arena_destroy(arena);
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
