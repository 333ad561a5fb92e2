/* Runs a command in a test as a user would: a scratch directory, the exit status, and the output on
 * both streams. */
#ifndef CLI_TEST_COMMAND_H
#define CLI_TEST_COMMAND_H

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/commands.h"
#include "core/base/file.h"

static Arena *arena;
static char directory[512];

static int command_begin(void **) {
  arena = arena_create();
  file_scratch(sizeof directory, directory, "command");
  return mkdtemp(directory) == nullptr ? -1 : 0;
}

static int command_end(void **) {
  int status = system(arena_printf(arena, "rm -r '%s'", directory));
  arena_destroy(arena);
  return status;
}

static char *path_of(const char *name) { return arena_printf(arena, "%s/%s", directory, name); }

static const char *read_text(const char *path) {
  Source source;
  Error error = {};
  return file_read(arena, path, (size_t)1 << 28, &source, &error) ? source.text : "";
}

[[maybe_unused]] static char *write_text(const char *name, const char *text) {
  char *path = path_of(name);
  FILE *file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
  return path;
}

typedef struct Ran {
  int status;
  const char *printed, *complained;
} Ran;

static int put_file(int file, const char *name) {
  int kept = dup(file), to = open(path_of(name), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  dup2(to, file);
  close(to);
  return kept;
}

static void put_back(int file, int kept) {
  dup2(kept, file);
  close(kept);
}

/* `name` is the subcommand; the command may reorder its arguments. */
[[maybe_unused]] static Ran command_call(
    int (*command)(int argc, char **argv), char *name, int count, char **arguments) {
  char *argv[16] = {name};
  for (int i = 0; i < count; i++) argv[i + 1] = arguments[i];
  fflush(stdout);
  fflush(stderr);
  int out = put_file(STDOUT_FILENO, "out"), err = put_file(STDERR_FILENO, "err");
  Ran ran = {.status = command(count + 1, argv)};
  fflush(stdout);
  fflush(stderr);
  put_back(STDOUT_FILENO, out);
  put_back(STDERR_FILENO, err);
  ran.printed = read_text(path_of("out"));
  ran.complained = read_text(path_of("err"));
  return ran;
}

#define WORD(text) ((char[]){text})
#define RUN(command, ...) \
  command_call(cli_##command, WORD(#command), \
      (int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)), (char *[]){__VA_ARGS__})

[[maybe_unused]] static void assert_contains(const char *text, const char *piece) {
  if (strstr(text, piece) == nullptr) fail_msg("no '%s' in:\n%s", piece, text);
}

#endif
