/* Both texts are unnamed files in memory, which the checker opens through /proc. The result is its
 * exit status and the name that it prints. */
#define _GNU_SOURCE
#include "proof/store/checker.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/command.h"
#include "core/base/program.h"
#include "core/base/text.h"

static constexpr double seconds_limit = 10;

/* Creates a file with this text that a child inherits; -1: failed. */
static int text_file(const char *text) {
  int file = memfd_create("affirm", 0);
  size_t length = strlen(text), done = 0;
  while (file >= 0 && done < length) {
    ssize_t written = write(file, text + done, length - done);
    if (written > 0) {
      done += (size_t)written;
      continue;
    }
    close(file);
    file = -1;
  }
  return file;
}

/* nullptr if /proc does not name the running program. */
static char *checker_path(Arena *arena) {
  char path[4096];
  if (!program_directory(sizeof path, path)) return nullptr;
  Text text = text_create(arena);
  text_printf(&text, "%s/affirm-check", path);
  return text.bytes;
}

static char *file_path(Arena *arena, int file) {
  Text text = text_create(arena);
  text_printf(&text, "/proc/self/fd/%d", file);
  return text.bytes;
}

/* Why the certificate is not accepted, by the checker's output and exit; nullptr: it is
 * accepted. */
static const char *rejection_of(const ProgramResult *result, const char *name) {
  size_t length = strlen(name);
  if (result->end == PROGRAM_NOT_STARTED) return "there is no affirm-check beside the program";
  if (result->end == PROGRAM_LATE) return "affirm-check did not end";
  if (result->end == PROGRAM_STOPPED) return "interrupted";
  bool is_accepted = result->end == PROGRAM_EXITED && result->code == 0 &&
                     result->output_length == length + 1 &&
                     strncmp(result->output, name, length) == 0 && result->output[length] == '\n';
  return is_accepted ? nullptr : "affirm-check does not accept the certificate";
}

const char *certificate_rejection(Arena *arena, const char *rules, const char *name,
    const char *certificate, bool (*stop)(void)) {
  char *program = checker_path(arena);
  if (program == nullptr) return "/proc does not name the program that runs";
  int files[2] = {text_file(rules), text_file(certificate)};
  ProgramResult result = {.end = PROGRAM_NOT_STARTED};
  if (files[0] >= 0 && files[1] >= 0) {
    char *const arguments[] = {
        program, file_path(arena, files[0]), file_path(arena, files[1]), nullptr};
    const ProgramRun run = {.argv = arguments, .wall_seconds = seconds_limit, .stop = stop};
    program_run(arena, &run, &result);
  }
  for (int i = 0; i < 2; i++)
    if (files[i] >= 0) close(files[i]);
  return rejection_of(&result, name);
}
