/* affirm reduce: a module, or a case with a module, in which a judge refutes the engine, made small and written as one case that stands alone.
 * The same judge gives the same answer about the same operation, nothing else is asked of it. */
#include <errno.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/rule_files.h"
#include "cli/session.h"
#include "core/base/file.h"
#include "fuzz/shrink.h"
#include "judge/case.h"

typedef struct ReduceCommand {
  const char *rules, *output;
  int64_t seconds, trials;
} ReduceCommand;

static bool ends_with(const char *text, const char *tail) {
  size_t length = strlen(text), wanted = strlen(tail);
  return length >= wanted && strcmp(text + length - wanted, tail) == 0;
}

/* The module of the first case that has one. */
static bool module_of_case(Arena *arena, const Source *file, Source *module, Error *error) {
  CaseFile cases;
  if (!cases_parse(arena, file, &cases, error)) return false;
  for (uint32_t i = 0; i < cases.count; i++) {
    const Case *one = &cases.items[i];
    if (one->block.text == nullptr || one->verb == VERB_PROVE) continue;
    *module = one->block;
    if (strstr(module->text, "ENTRY") != nullptr || strchr(module->text, '{') != nullptr) return true;
    module->text = arena_printf(arena, "ENTRY case {\n%s}\n", module->text);
    module->length = strlen(module->text);
    return true;
  }
  return error_set(error, ERROR_INPUT, "%s: no case with a module", file->name);
}

static bool write_case(const ReduceCommand *command, const char *text) {
  if (command->output == nullptr) return session_print(text);
  FILE *file = fopen(command->output, "w");
  bool written = file != nullptr && fputs(text, file) != EOF;
  if (file != nullptr && fclose(file) != 0) written = false;
  if (!written) fprintf(stderr, "affirm: %s: %s\n", command->output, strerror(errno));
  return written;
}

static Status report(const ReduceCommand *command, Arena *arena, const Shrink *shrink, const char *path) {
  Text text = text_create(arena);
  shrink_print_case(&text, shrink, path, AFFIRM_VERSION, command->output == nullptr ? "FILE.case" : command->output);
  fprintf(stderr, "%u operations after %u trials\n", shrink->operations, shrink->trials);
  return write_case(command, text.bytes) ? STATUS_REFUTED : STATUS_BAD;
}

static Status reduce_file(const ReduceCommand *command, Arena *arena, const char *path) {
  Source file, module;
  Error error = {};
  Shrink shrink = {.arena = arena, .seconds = (double)command->seconds, .most_trials = (uint32_t)command->trials};
  if (!rule_files_read(arena, command->rules, &shrink.rules, &error) || !file_read(arena, path, file_limit, &file, &error)) return session_fail(&error);
  module = file;
  if (ends_with(path, ".case") && !module_of_case(arena, &file, &module, &error)) return session_fail(&error);
  switch (shrink_module(&shrink, &module, &error)) {
  case SHRINK_DONE: return report(command, arena, &shrink, path);
  case SHRINK_NO_FAULT: fprintf(stderr, "affirm: %s: no judge refutes anything about the entry's instructions\n", path); return STATUS_UNDECIDED;
  case SHRINK_ERROR: break;
  }
  return session_fail(&error);
}

int cli_reduce(int argc, char **argv) {
  ReduceCommand command = {.seconds = 30, .trials = 20000};
  const Option options[] = {
      {"output", OPTION_TEXT, &command.output, "FILE: where the case goes, instead of standard output", nullptr},
      {"rules", OPTION_TEXT, &command.rules, "FILE: rules behind the engine's own, as check has them", nullptr},
      {"seconds", OPTION_NUMBER, &command.seconds, "N: be content with what is there after so long (30)", nullptr},
      {"trials", OPTION_NUMBER, &command.trials, "N: at most so many smaller modules are tried (20000)", nullptr},
  };
  const Command table = {.usage = "reduce FILE.hlo|FILE.case [OPTION]...",
                         .about = "Makes a module in which a judge refutes the engine small and writes it as a case.",
                         .notes = "Exit status: 1 reduced; 2 nothing is refuted; 3 bad input.",
                         .option_count = sizeof options / sizeof *options, .options = options};
  int first;
  switch (options_parse(&table, argc, argv, &first)) {
  case OPTIONS_HELPED: return session_end(STATUS_PROVED);
  case OPTIONS_BAD: return STATUS_BAD;
  case OPTIONS_GO: break;
  }
  if (first + 1 != argc) return session_end(session_usage("reduce wants one file"));
  if (command.trials > UINT32_MAX || command.trials == 0) return session_end(session_usage("--trials is out of range"));
  Arena *arena = arena_create();
  Status status = reduce_file(&command, arena, argv[first]);
  arena_destroy(arena);
  return session_end(status);
}
