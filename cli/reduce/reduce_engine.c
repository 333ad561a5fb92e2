/* The subjects are those of affirm reduce: modules, maps, and pairs of maps that are composed. An
 * engine is not asked about rules and claims. */
#include "cli/reduce/reduce_engine.h"

#include <stdio.h>
#include <string.h>

#include "cli/engine_findings.h"
#include "cli/report/json.h"
#include "cli/session_guard.h"
#include "core/base/clock.h"
#include "core/base/file.h"

/* The questions of all subjects, and the subjects for which no time was left. `late`: no time was
 * left for the answer. */
typedef struct ReduceAsked {
  uint64_t asked, undecided, unasked, late, left;
} ReduceAsked;

/* False if an engine cannot be asked about this form. */
static bool verb_of(ShrinkForm form, EngineVerb *verb) {
  switch (form) {
    case FORM_MODULE: *verb = ENGINE_ANALYSE; return true;
    case FORM_MAP: *verb = ENGINE_SIMPLIFY; return true;
    case FORM_COMPOSE: *verb = ENGINE_COMPOSE; return true;
    case FORM_SAME:
    case FORM_RELATION:
    case FORM_CONTAINED:
    case FORM_RULES:
    case FORM_TEXT: return false;
  }
  return false;
}

bool reduce_print_json(
    Arena *arena, const Reduced *reduced, const char *member, const char *value) {
  Text text = text_create(arena);
  Json json = json_begin(&text);
  json_string(&json, "file", reduced->origin);
  json_answer(&json, "answer", reduced->answer);
  json_integer(&json, "size", (int64_t)reduced->size);
  json_string(&json, "unit", reduced->unit);
  json_integer(&json, "trials", reduced->trials);
  json_integer(&json, "late", (int64_t)reduced->late);
  json_integer(&json, "milliseconds", (int64_t)(reduced->seconds * 1000));
  json_string(&json, member, value);
  json_end(&json);
  return session_print(text.bytes);
}

bool reduce_print_end(
    Arena *arena, bool is_json, const char *file, const char *name, const char *end) {
  if (!is_json) return true;
  Text text = text_create(arena);
  Json json = json_begin(&text);
  json_string(&json, "file", file);
  json_string(&json, "name", name);
  json_answer(&json, "answer", end);
  json_end(&json);
  return session_print(text.bytes);
}

Status reduce_write(
    Arena *arena, const Reduced *reduced, bool is_json, const char *output, const char *text) {
  if (is_json && !reduce_print_json(arena, reduced, "case", text)) return STATUS_BAD;
  bool is_written = output != nullptr ? session_write(output, text, strlen(text))
                                      : is_json || session_print(text);
  return is_written ? STATUS_REFUTED : STATUS_BAD;
}

bool reduce_read(Arena *arena, const char *path, Source *file, Subjects *subjects, Error *error) {
  return file_read_text(arena, path, file_limit, file, error) &&
         subjects_read(arena, path, file, subjects, error);
}

const char *reduce_limit_text(bool is_cut, int64_t trials, int64_t most_trials) {
  if (session_is_interrupted()) return "interrupted, not the smallest: ";
  if (!is_cut) return "";
  return trials < most_trials ? "out of time, not the smallest: "
                              : "out of trials, not the smallest: ";
}

static Status reduce_engine_report(
    const ReduceEngine *command, const FindingReduction *reduction, const char *path) {
  fprintf(stderr, "%s%s: %s after %s\n",
      reduce_limit_text(reduction->is_cut, reduction->trials, command->trials),
      reduction->name.text, counted(reduction->size, "byte"), counted(reduction->trials, "trial"));
  if (reduction->unreduced != nullptr) session_warn("not reduced: %s", reduction->unreduced);
  const Reduced reduced = {path, reduction->name.text, "bytes", reduction->size, reduction->trials,
      reduction->late, reduction->seconds};
  return reduce_write(command->arena, &reduced, command->json, command->output, reduction->text);
}

bool reduce_is_case_path(const char *path) {
  return path != nullptr && string_ends_with(path, ".case");
}

/* `affirm check` reads a case by the end of its name. A reduced module is written as HLO, anything
 * else as a case. */
static bool output_fits(const ReduceEngine *command, EngineVerb verb) {
  const char *path = command->output;
  bool is_module = verb == ENGINE_ANALYSE;
  if (path == nullptr || reduce_is_case_path(path) != is_module) return true;
  if (is_module)
    (void)session_usage(
        "--output: a module is written as HLO, so the name must not end in .case: %s", path);
  else
    (void)session_usage(
        "--output: a map is written as a case, so the name must end in .case: %s", path);
  return false;
}

static Status reduce_one(const ReduceEngine *command, Judge *judge, const Subject *subject,
    const char *path, ReduceAsked *sum) {
  size_t length = subject->text.length;
  while (length > 0 && strchr(" \t\r\n", subject->text.text[length - 1]) != nullptr) length--;
  FindingReduction reduction = {.subject = arena_text(command->arena, subject->text.text, length),
      .kind = command->kind,
      .path = command->output == nullptr ? "FILE" : command->output,
      .end = command->end,
      .most_trials = command->trials};
  Error error = subject->error;
  session_at("%s", subject->name);
  if (!verb_of(subject->form, &reduction.verb)) return STATUS_UNDECIDED;
  if (!output_fits(command, reduction.verb)) return STATUS_BAD;
  if (error.kind != ERROR_NONE || !shrink_subject_reads(subject->form, &subject->text, &error)) {
    const Error placed = subject_error(subject, &error);
    return session_fail(&placed);
  }
  bool is_found = finding_reduce(judge, command->arena, &reduction);
  sum->asked += reduction.asked;
  sum->undecided += reduction.undecided;
  sum->unasked += reduction.unasked;
  sum->late += reduction.late;
  if (!is_found) return STATUS_UNDECIDED;
  return reduce_engine_report(command, &reduction, path);
}

static void say_no_fault(const ReduceEngine *command, const char *path, const ReduceAsked *sum) {
  const char *kind =
      command->kind == nullptr ? "" : arena_printf(command->arena, " of kind '%s'", command->kind);
  if (sum->unasked == 0 && sum->late == 0 && sum->left == 0)
    session_warn("%s: the engine has no fault%s here: %s, %llu undecided", path, kind,
        counted(sum->asked, "question"), (unsigned long long)sum->undecided);
  else
    session_warn("%s: out of time after %s without a fault%s, %llu undecided; not asked: %s, %s",
        path, counted(sum->asked, "question"), kind, (unsigned long long)sum->undecided,
        counted(sum->unasked, "question"), counted(sum->left, "further subject"));
}

static Status reduce_any(
    const ReduceEngine *command, Judge *judge, const Subjects *subjects, const char *path) {
  Status status = STATUS_UNDECIDED;
  uint32_t tried = 0;
  ReduceAsked sum = {};
  for (uint32_t i = 0;
      i < subjects->count && status == STATUS_UNDECIDED && !session_is_interrupted(); i++) {
    const Subject *subject = &subjects->items[i];
    EngineVerb verb;
    bool is_wanted = command->wanted == nullptr || strcmp(command->wanted, subject->name) == 0;
    if (!is_wanted || !verb_of(subject->form, &verb)) continue;
    tried++;
    bool is_left = tried > 1 && clock_wall() >= command->end;
    uint64_t late = sum.late + sum.unasked;
    sum.left += is_left;
    if (!is_left) status = reduce_one(command, judge, subject, path, &sum);
    const char *end = is_left                         ? reduce_no_time
                      : sum.late + sum.unasked > late ? reduce_late
                                                      : reduce_no_finding;
    if (status == STATUS_UNDECIDED && !session_is_interrupted() &&
        !reduce_print_end(command->arena, command->json, path, subject->name, end))
      status = STATUS_BAD;
  }
  if (tried == 0 && !session_is_interrupted())
    return session_usage(
        "%s has no module, map or composition%s%s that an engine can be asked about", path,
        command->wanted == nullptr ? "" : " named ",
        command->wanted == nullptr ? "" : command->wanted);
  if (status == STATUS_UNDECIDED && !session_is_interrupted()) say_no_fault(command, path, &sum);
  return status;
}

static Status reduce_with(const ReduceEngine *command, Engine *engine, const char *path) {
  Source file;
  Subjects subjects;
  Error error = {};
  if (!reduce_read(command->arena, path, &file, &subjects, &error)) return session_fail(&error);
  Judge *judge =
      judge_create(&(JudgeOptions){.engine = engine, .smt.stop = session_is_interrupted}, &error);
  if (judge == nullptr) return session_fail(&error);
  Status status = reduce_any(command, judge, &subjects, path);
  judge_destroy(judge);
  return status;
}

Status reduce_for_engine(const ReduceEngine *command, const char *path) {
  Engine *engine;
  if (command->kind != nullptr && !fault_kind_is_known(command->kind))
    return session_usage(
        "an engine has no fault of kind '%s'; docs/formats.md has the kinds", command->kind);
  if (!engine_open(command->settings, &engine)) return STATUS_BAD;
  Status status = reduce_with(command, engine, path);
  engine_close(engine);
  return status;
}
