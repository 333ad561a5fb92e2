/* What a text of modules says about itself: a line `// covering: NAME NAME` names the instructions
 * whose maps may have more than is read. With --exact every other one must be exact, and each that
 * is named must really cover, so that a line that no longer holds is seen too. */
#include <string.h>

#include "cli/check/check.h"

static const char mark[] = "// covering:";

static void add_names(Arena *arena, CoveringNames *names, const char *at, const char *end) {
  while (at < end) {
    at += strspn(at, " ,\t\r");
    size_t length = strcspn(at, " ,\t\r\n");
    if (at >= end || length == 0) return;
    *ARENA_PUSH(arena, names) = (CoveringName){.name = arena_text(arena, at, length)};
    at += length;
  }
}

void check_read_expected(Arena *arena, const Source *source, CoveringNames *names) {
  *names = (CoveringNames){};
  for (const char *at = strstr(source->text, mark); at != nullptr; at = strstr(at, mark)) {
    at += sizeof mark - 1;
    add_names(arena, names, at, at + strcspn(at, "\n"));
  }
}

static void refute(Checker *checker, const char *name, const char *what) {
  Arena *arena = arena_create();
  check_note(checker, STATUS_REFUTED);
  checker->tally.unexpected++;
  if (!checker->json)
    check_tell(checker, arena_printf(arena, "  unexpected  %s: %s\n", name, what));
  results_add(&checker->results, &(Result){.part = "expected",
                                     .name = name,
                                     .file = checker->path,
                                     .status = STATUS_REFUTED,
                                     .text = what});
  arena_destroy(arena);
}

void check_expected(Checker *checker, const Judgement *judgement) {
  const char *name = judgement->question.instruction->name;
  if (!checker->exact || judgement->answer != JUDGE_COVERING) return;
  for (uint32_t i = 0; i < checker->covering.count; i++) {
    if (strcmp(checker->covering.items[i].name, name) != 0) continue;
    checker->covering.items[i].is_seen = true;
    return;
  }
  refute(checker, name, "covering, and the text does not say so (a line `// covering: NAME`)");
}

void check_expected_end(Checker *checker) {
  for (uint32_t i = 0; checker->exact && i < checker->covering.count && !session_is_interrupted();
      i++)
    if (!checker->covering.items[i].is_seen)
      refute(checker, checker->covering.items[i].name, "said to be covering, and no map of it is");
  checker->covering = (CoveringNames){};
}
