/* Sends each text followed by (reset). The budget is a resource limit per text, so that the answer
 * is the same on every machine. A far larger deadline ends a solver that hangs. */
#include "smt/solver/second_solver.h"

#include <string.h>

#include "core/base/budget.h"
#include "core/base/command.h"
#include "core/base/text.h"

static constexpr double seconds_for_a_text = 120;

/* The program's output, or nullptr if it did not exit by itself. */
static const char *solver_run(
    Arena *arena, char *const *arguments, const char *said, double seconds) {
  static constexpr double longest = 86'400;
  ProgramResult result;
  program_run(arena,
      &(ProgramRun){.argv = arguments,
          .input = said,
          .length = strlen(said),
          .wall_seconds = seconds < longest ? seconds : longest,
          .is_joined = true,
          .stop = budget_is_spent},
      &result);
  return result.end == PROGRAM_EXITED ? result.output : nullptr;
}

const char *second_solver_version(Arena *arena) {
  char *const arguments[] = {(char[]){"cvc5"}, (char[]){"--version"}, nullptr};
  const char *said = solver_run(arena, arguments, "", seconds_for_a_text);
  if (said == nullptr || strstr(said, "cvc5") == nullptr) return nullptr;
  return arena_text(arena, said, strcspn(said, "\n"));
}

static bool read_answer(const char **said, VerdictStatus *answer) {
  static const char *const words[] = {
      [VERDICT_PROVED] = "unsat", [VERDICT_REFUTED] = "sat", [VERDICT_UNKNOWN] = "unknown"};
  size_t length = strcspn(*said, "\n");
  for (uint8_t i = 0; i < 3; i++) {
    if (strlen(words[i]) != length || memcmp(words[i], *said, length) != 0) continue;
    *answer = (VerdictStatus)i;
    *said += length + ((*said)[length] == '\n');
    return true;
  }
  return false;
}

bool second_solver_ask(Arena *arena, uint32_t count, const char *const *texts,
    VerdictStatus *answers, const char **transcript, Error *error) {
  char *const arguments[] = {(char[]){"cvc5"}, (char[]){"--lang=smt2"}, (char[]){"--incremental"},
      (char[]){"--rlimit-per=20000000"}, nullptr};
  Text said = text_create(arena);
  for (uint32_t i = 0; i < count; i++) {
    text_string(&said, texts[i]);
    text_string(&said, "(reset)\n");
  }
  const char *answer = solver_run(arena, arguments, said.bytes, (1 + count) * seconds_for_a_text);
  if (answer == nullptr)
    return error_set(error, ERROR_ENVIRONMENT, "cvc5 could not be run, or did not end in time");
  *transcript = answer;
  for (uint32_t i = 0; i < count; i++)
    if (!read_answer(&answer, &answers[i]))
      return error_set(error, ERROR_ENVIRONMENT, "cvc5 answered: %.200s", answer);
  return true;
}
