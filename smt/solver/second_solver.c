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
    Arena *arena, char *const *arguments, const char *input, double seconds) {
  static constexpr double longest = 86'400;
  ProgramResult result;
  program_run(arena,
      &(ProgramRun){.argv = arguments,
          .input = input,
          .length = strlen(input),
          .wall_seconds = seconds < longest ? seconds : longest,
          .is_joined = true,
          .stop = budget_is_spent},
      &result);
  return result.end == PROGRAM_EXITED ? result.output : nullptr;
}

const char *second_solver_version(Arena *arena) {
  char *const arguments[] = {(char[]){"cvc5"}, (char[]){"--version"}, nullptr};
  const char *output = solver_run(arena, arguments, "", seconds_for_a_text);
  if (output == nullptr || strstr(output, "cvc5") == nullptr) return nullptr;
  return arena_text(arena, output, strcspn(output, "\n"));
}

static bool read_answer(const char **output, VerdictStatus *answer) {
  static const char *const words[] = {
      [VERDICT_PROVED] = "unsat", [VERDICT_REFUTED] = "sat", [VERDICT_UNKNOWN] = "unknown"};
  size_t length = strcspn(*output, "\n");
  for (uint8_t i = 0; i < 3; i++) {
    if (strlen(words[i]) != length || memcmp(words[i], *output, length) != 0) continue;
    *answer = (VerdictStatus)i;
    *output += length + ((*output)[length] == '\n');
    return true;
  }
  return false;
}

bool second_solver_query(Arena *arena, uint32_t count, const char *const *texts,
    VerdictStatus *answers, const char **transcript, Error *error) {
  char *const arguments[] = {(char[]){"cvc5"}, (char[]){"--lang=smt2"}, (char[]){"--incremental"},
      (char[]){"--rlimit-per=20000000"}, nullptr};
  Text input = text_create(arena);
  for (uint32_t i = 0; i < count; i++) {
    text_string(&input, texts[i]);
    text_string(&input, "(reset)\n");
  }
  const char *answer = solver_run(arena, arguments, input.bytes, (1 + count) * seconds_for_a_text);
  if (answer == nullptr)
    return error_set(error, ERROR_ENVIRONMENT, "cvc5 could not be run, or did not end in time");
  *transcript = answer;
  for (uint32_t i = 0; i < count; i++)
    if (!read_answer(&answer, &answers[i]))
      return error_set(error, ERROR_ENVIRONMENT, "cvc5 answered: %.200s", answer);
  return true;
}
