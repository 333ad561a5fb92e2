/* Reads what a text of modules declares: a line `// over-approximation: NAME NAME` names the
 * instructions whose maps may contain more than is read. With --exact every other instruction must
 * be exact. Each named one must be an over-approximation, so that an outdated declaration is
 * reported too. */
#include <string.h>

#include "cli/check/check.h"

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

static void check_expected_refute(Checker *checker, const char *name, const char *what) {
  Arena *arena = arena_create();
  check_note(checker, STATUS_REFUTED);
  checker->tally.unexpected++;
  if (!checker->json)
    check_print(checker, arena_printf(arena, "  unexpected  %s: %s\n", name, what));
  results_add(&checker->results, &(Result){.part = "expected",
                                     .name = name,
                                     .file = checker->path,
                                     .status = STATUS_REFUTED,
                                     .text = what});
  arena_destroy(arena);
}

bool check_is_declared(const Checker *checker, const Instruction *instruction) {
  const OverApproximationNames *names = &checker->over_approximation;
  for (uint32_t i = 0; i < names->count; i++)
    if (strcmp(names->items[i].name, instruction->name) == 0) return true;
  return false;
}

void check_expected(Checker *checker, const Judgement *judgement) {
  const char *name = judgement->question.instruction->name;
  if (!checker->exact || judgement->answer != REASON_COVERS) return;
  for (uint32_t i = 0; i < checker->over_approximation.count; i++) {
    if (strcmp(checker->over_approximation.items[i].name, name) != 0) continue;
    checker->over_approximation.items[i].is_seen = true;
    return;
  }
  check_expected_refute(checker, name,
      "over-approximation that the text does not declare (a line `// over-approximation: NAME`)");
}

void check_expected_end(Checker *checker) {
  for (uint32_t i = 0;
      checker->exact && i < checker->over_approximation.count && !session_is_interrupted(); i++)
    if (!checker->over_approximation.items[i].is_seen)
      check_expected_refute(checker, checker->over_approximation.items[i].name,
          "declared as over-approximation, but all its maps are exact");
  checker->over_approximation = (OverApproximationNames){};
}
