/* Reads what a text of modules declares: a line `// over-approximation: NAME NAME` names the
 * instructions whose maps may contain more than is read. With --exact every other instruction must
 * be exact. Each named one must be an over-approximation, so that an outdated declaration is
 * reported too. */
#include <string.h>

#include "cli/check/check.h"
#include "cli/report/json.h"
#include "core/base/foreign.h"

/* The second is the spelling of the first version. */
static const char *const marks[] = {"// over-approximation:", "// covering:"};

static void add_names(
    Arena *arena, OverApproximationNames *names, const char *at, const char *end) {
  while (at < end) {
    at += strspn(at, " ,\t\r");
    size_t length = strcspn(at, " ,\t\r\n");
    if (at >= end || length == 0) return;
    *ARENA_PUSH(arena, names) = (OverApproximationName){.name = arena_text(arena, at, length)};
    at += length;
  }
}

void check_read_expected(Arena *arena, const Source *source, OverApproximationNames *names) {
  *names = (OverApproximationNames){};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    for (const char *at = strstr(source->text, marks[i]); at != nullptr;
        at = strstr(at, marks[i])) {
      at += strlen(marks[i]);
      add_names(arena, names, at, at + strcspn(at, "\n"));
    }
}

static void print_declaration(
    Text *text, const char *file, const char *name, const char *answer, const char *reason) {
  Json json = json_begin(text);
  json_string(&json, "file", file);
  json_string(&json, "declaration", name);
  json_answer(&json, "answer", answer);
  json_string(&json, "reason", reason);
  json_end(&json);
}

/* `question`: the one question that it is about; nullptr: all of the instruction. */
static void expected_report(Checker *checker, const char *name, const Question *question,
    ModulePosition position, Status status, const char *what) {
  const char *word = status == STATUS_REFUTED ? "unexpected" : "not judged";
  Arena *arena = arena_create();
  check_note(checker, status);
  checker->tally.unexpected += status == STATUS_REFUTED;
  Text text = text_create(arena);
  if (!checker->json) text_printf(&text, "  %-11s %s: %s\n", word, name, what);
  else print_declaration(&text, checker->path, name, word, what);
  check_print(checker, text.bytes);
  Text row = text_create(arena);
  if (question != nullptr && position.count > 1) text_printf(&row, "module %u, ", position.number);
  text_string(&row, name);
  if (question != nullptr) {
    text_string(&row, ", ");
    question_print_heading(&row, question);
  }
  results_add(
      &checker->results, &(Result){.part = "expected",
                             .name = row.bytes,
                             .file = checker->path,
                             .status = status,
                             .text = arena_printf(arena, "%s\nreplay: affirm check --exact %s",
                                 what, shell_path(arena, checker->path))});
  arena_destroy(arena);
}

static OverApproximationName *declared_find(const Checker *checker, const char *name) {
  const OverApproximationNames *names = &checker->over_approximation;
  for (uint32_t i = 0; i < names->count; i++)
    if (strcmp(names->items[i].name, name) == 0) return &names->items[i];
  return nullptr;
}

bool check_is_declared(const Checker *checker, const Instruction *instruction) {
  return declared_find(checker, instruction->name) != nullptr;
}

void check_expected_module(Checker *checker, const Module *module) {
  if (!checker->exact || checker->over_approximation.count == 0) return;
  for (uint32_t i = 0; i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++) {
      const Instruction *instruction = module->computations[i]->instructions[k];
      OverApproximationName *declared = declared_find(checker, instruction->name);
      if (declared == nullptr) continue;
      QuestionWalk walk = question_walk(instruction, &question_filter_all);
      for (Question question; question_next(&walk, &question);) declared->questions++;
    }
}

void check_expected(Checker *checker, const Judgement *judgement, ModulePosition position) {
  const char *name = judgement->question.instruction->name;
  if (!checker->exact) return;
  OverApproximationName *declared = declared_find(checker, name);
  if (declared == nullptr) {
    if (judgement->answer == REASON_COVERS)
      expected_report(checker, name, &judgement->question, position, STATUS_REFUTED,
          "over-approximation that the text does not declare (a line `// over-approximation: NAME`)");
    return;
  }
  declared->is_seen |= judgement->answer == REASON_COVERS;
  declared->exact += judgement->answer == REASON_EXACT;
  declared->open += judge_answer_status(judgement->answer) == STATUS_UNDECIDED ||
                    judgement->answer == REASON_UNDEFINED;
}

/* A declaration is refuted only if every question that there is had the answer `exact`. What the
 * selection leaves out says nothing. */
static void declared_end(Checker *checker, const OverApproximationName *declared) {
  if (declared->is_seen) return;
  if (declared->open > 0)
    expected_report(checker, declared->name, nullptr, (ModulePosition){}, STATUS_UNDECIDED,
        "declared as over-approximation, but not all its maps are judged");
  else if (declared->exact == declared->questions)
    expected_report(checker, declared->name, nullptr, (ModulePosition){}, STATUS_REFUTED,
        declared->questions == 0
            ? "declared as over-approximation, but no instruction of this name has a map"
            : "declared as over-approximation, but all its maps are exact");
}

void check_expected_end(Checker *checker, bool is_whole) {
  const OverApproximationNames *names = &checker->over_approximation;
  for (uint32_t i = 0; checker->exact && is_whole && i < names->count; i++)
    declared_end(checker, &names->items[i]);
  checker->over_approximation = (OverApproximationNames){};
}
