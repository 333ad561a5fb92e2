/* Questions go over in a temporary file and answers come back in another: no pipe that could fill
 * up on either side. Each text is followed by (reset). The budget is a resource limit a text, so
 * that the answer is the same on every machine. */
#include "smt/solver/second_solver.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/text.h"

extern char **environ;

static const char *read_all(Arena *arena, FILE *file) {
  Text text = text_create(arena);
  char block[4096];
  rewind(file);
  for (size_t length; (length = fread(block, 1, sizeof block, file)) > 0;)
    text_append(&text, block, length);
  return text.bytes;
}

static bool write_all(FILE *file, const char *text) {
  return fputs(text, file) >= 0 && fflush(file) == 0 && lseek(fileno(file), 0, SEEK_SET) == 0;
}

/* Runs cvc5 with `input` as standard input; false where it did not start or did not end by
 * itself. */
static bool run(char *const *arguments, FILE *input, FILE *output) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return false;
  pid_t child;
  bool started = posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO) == 0 &&
                 posix_spawn_file_actions_adddup2(&actions, fileno(output), STDOUT_FILENO) == 0 &&
                 posix_spawn_file_actions_adddup2(&actions, fileno(output), STDERR_FILENO) == 0 &&
                 posix_spawnp(&child, arguments[0], &actions, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  if (!started) return false;
  int status;
  pid_t ended;
  do ended = waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  return ended == child && WIFEXITED(status);
}

static const char *converse(Arena *arena, char *const *arguments, const char *said) {
  FILE *input = tmpfile(), *output = tmpfile();
  const char *answer = nullptr;
  if (input != nullptr && output != nullptr && write_all(input, said) &&
      run(arguments, input, output))
    answer = read_all(arena, output);
  if (input != nullptr) fclose(input);
  if (output != nullptr) fclose(output);
  return answer;
}

const char *second_solver_version(Arena *arena) {
  char *const arguments[] = {(char[]){"cvc5"}, (char[]){"--version"}, nullptr};
  const char *said = converse(arena, arguments, "");
  if (said == nullptr || strstr(said, "cvc5") == nullptr) return nullptr;
  return arena_text(arena, said, strcspn(said, "\n"));
}

static bool read_answer(const char **said, SecondAnswer *answer) {
  static const char *const words[] = {
      [SECOND_UNSAT] = "unsat", [SECOND_SAT] = "sat", [SECOND_UNKNOWN] = "unknown"};
  size_t length = strcspn(*said, "\n");
  for (uint8_t i = 0; i < 3; i++) {
    if (strlen(words[i]) != length || memcmp(words[i], *said, length) != 0) continue;
    *answer = (SecondAnswer)i;
    *said += length + ((*said)[length] == '\n');
    return true;
  }
  return false;
}

bool second_solver_ask(Arena *arena, uint32_t count, const char *const *texts,
    SecondAnswer *answers, const char **transcript, Error *error) {
  char *const arguments[] = {(char[]){"cvc5"}, (char[]){"--lang=smt2"}, (char[]){"--incremental"},
      (char[]){"--rlimit-per=20000000"}, nullptr};
  Text said = text_create(arena);
  for (uint32_t i = 0; i < count; i++) {
    text_string(&said, texts[i]);
    text_string(&said, "(reset)\n");
  }
  const char *answer = converse(arena, arguments, said.bytes);
  if (answer == nullptr) return error_set(error, ERROR_ENVIRONMENT, "cvc5 could not be run");
  *transcript = answer;
  for (uint32_t i = 0; i < count; i++)
    if (!read_answer(&answer, &answers[i]))
      return error_set(error, ERROR_ENVIRONMENT, "cvc5 answered: %.200s", answer);
  return true;
}
