/* affirm simplify: reads maps as text and prints them simplified. As a line tool it prints exactly
 * one line for each input line, in order: a blank line, a comment or a heading as it is, `error:
 * ...` for one that is not a map. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/report/explain.h"
#include "cli/report/json.h"
#include "cli/report/map_certificate.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/prove/prove_example.h"
#include "cli/prove/rule_files.h"
#include "cli/session.h"
#include "cli/session_guard.h"
#include "cli/text_kind.h"
#include "core/base/file.h"
#include "core/base/foreign.h"
#include "core/map/lines.h"
#include "core/map/text.h"

typedef struct SimplifyCommand {
  bool explain, prove, keep_points, json, quiet;
  uint32_t style;
  const char *rules, *certificate;
  FILE *certificates;
  Judge *judge;
} SimplifyCommand;

static bool simplify_text(const SimplifyCommand *command, const Source *source, const Map **map,
    const Map **simplified, Trace *trace, Error *error) {
  const SimplifyOptions options = {.keep_points = command->keep_points};
  return map_parse(command->judge->context, source, map, error) &&
         simplify_map(command->judge->simplifier, *map, &options, simplified, trace, error);
}

static bool wants_trace(const SimplifyCommand *command) {
  return command->explain || command->prove || command->certificates != nullptr;
}

/* Appends to the file of certificates. An UNDEFINED map has no certificate, so the request for a
 * proof stays open. */
static Status simplified_certify(const SimplifyCommand *command, Arena *arena, const Map *map,
    const Map *simplified, const Trace *trace) {
  if (command->certificates == nullptr) return STATUS_PROVED;
  if (map->state == MAP_UNDEFINED) {
    session_warn("no certificate: the map is UNDEFINED");
    return STATUS_UNDECIDED;
  }
  Text text = text_create(arena);
  map_certificate_print(&text, command->judge->context, map, simplified, trace);
  fwrite(text.bytes, 1, text.length, command->certificates);
  return STATUS_PROVED;
}

static void answer_json(Text *text, const Source *source, const Error *error,
    const char *simplified, const SameJudgement *judgement) {
  Json json = json_begin(text);
  json_integer(&json, "line", source->first_line);
  if (simplified == nullptr) {
    json_answer(&json, "answer", "error");
    json_string(&json, "reason", error->message);
    json_integer(&json, "column", error->column);
  } else {
    json_answer(
        &json, "answer", judgement == nullptr ? "simplified" : same_reason_text(judgement->reason));
    json_string(&json, "simplified", simplified);
  }
  if (judgement != nullptr && judgement->text[0] != 0) {
    json_string(&json, "witness", judgement->text);
    json_bindings(&json, "at", &judgement->at);
  }
  json_end(&json);
}

static Status simplify_answer(const SimplifyCommand *command, Text *text, const Source *source) {
  const Map *map, *simplified;
  Error error = {};
  Trace trace = {.arena = text->arena, .keeps_unseen = command->certificates != nullptr};
  if (!simplify_text(
          command, source, &map, &simplified, wants_trace(command) ? &trace : nullptr, &error))
    return session_fail(&error);
  Status status = simplified_certify(command, text->arena, map, simplified, &trace);
  map_print(text, command->judge->context, simplified, (MapStyle)command->style);
  text_string(text, "\n");
  if (command->explain) explain_print(text, command->judge->context, map, &trace);
  if (!command->prove) return status;
  return status_worse(status, explain_prove(text, command->judge, map, simplified, &trace));
}

static Status answer_line(const SimplifyCommand *command, Text *text, const Source *line);

static Status run_texts(const SimplifyCommand *command, int count, char **texts) {
  Status status = STATUS_PROVED;
  for (int i = 0; i < count && !session_is_interrupted(); i++) {
    Arena *arena = arena_create();
    Text text = text_create(arena);
    MapMark mark = map_context_mark(command->judge->context);
    Source source = {
        .name = "<map>", .text = texts[i], .length = strlen(texts[i]), .first_line = 1};
    session_worsen(&status, command->json ? answer_line(command, &text, &source)
                                          : simplify_answer(command, &text, &source));
    bool goes_on = session_print(text.bytes);
    map_context_rewind(command->judge->context, mark);
    arena_destroy(arena);
    if (!goes_on) break;
  }
  return status;
}

static void print_error_line(Text *text, const Error *error) {
  text_printf(text, "error: %s", error->message);
  if (error->line != 0) text_printf(text, " (column %u)", error->column);
}

static Status answer_line(const SimplifyCommand *command, Text *text, const Source *line) {
  const Map *map, *simplified;
  Error error = {};
  Trace trace = {.arena = text->arena, .keeps_unseen = command->certificates != nullptr};
  if (!simplify_text(command, line, &map, &simplified,
          command->certificates == nullptr ? nullptr : &trace, &error)) {
    if (command->json) answer_json(text, line, &error, nullptr, nullptr);
    else print_error_line(text, &error);
    return STATUS_BAD;
  }
  Status status = simplified_certify(command, text->arena, map, simplified, &trace);
  SameJudgement judgement;
  if (command->prove) judge_same(command->judge, OBLIGATION_SAME_MAP, map, simplified, &judgement);
  if (command->json)
    answer_json(text, line, &error,
        map_text(text->arena, command->judge->context, simplified, MAP_STYLE_LINE),
        command->prove ? &judgement : nullptr);
  else map_print(text, command->judge->context, simplified, (MapStyle)command->style);
  if (!command->prove) return status;
  if (!command->json) text_printf(text, "\t%s", same_reason_text(judgement.reason));
  return status_worse(status, same_reason_status(judgement.reason));
}

/* Without the carriage returns at its end. */
static size_t line_length(const char *line, ssize_t length) {
  while (length > 0 && line[length - 1] == '\r') length--;
  return (size_t)length;
}

/* Simplifies each line of an open file; `name` is used in errors. `lines` 0: unknown. */
static Status run_lines(
    const SimplifyCommand *command, FILE *file, const char *name, uint64_t lines) {
  Progress progress = progress_begin("lines", lines, isatty(STDOUT_FILENO) == 0);
  Status status = STATUS_PROVED;
  bool is_empty = true;
  Arena *arena = arena_create();
  char *line = nullptr;
  size_t capacity = 0;
  setvbuf(stdout, nullptr, _IOLBF, 0);
  for (uint32_t number = 1; !session_is_interrupted(); number++) {
    ssize_t length = getline(&line, &capacity, file);
    if (length < 0) break;
    if (line[length - 1] == '\n') line[--length] = 0;
    ArenaMark mark = arena_mark(arena);
    MapMark map_mark = map_context_mark(command->judge->context);
    Text text = text_create(arena);
    session_item(number - 1, lines, "lines", "line %u of %s", number, name);
    progress_at(&progress, number - 1, name);
    const Source source = {
        .name = name, .text = line, .length = (size_t)length, .first_line = number};
    bool is_skipped = map_line_is_skipped(&source);
    is_empty &= is_skipped;
    if (!is_skipped) session_worsen(&status, answer_line(command, &text, &source));
    else if (!command->json) text_append(&text, line, line_length(line, length));
    if (!command->json) text_join_lines(&text);
    if (!command->json) text_string(&text, "\n");
    bool goes_on = session_print(text.bytes);
    map_context_rewind(command->judge->context, map_mark);
    arena_rewind(arena, mark);
    is_empty &= goes_on; /* after a lost output nothing is known of the rest */
    if (!goes_on) break;
  }
  progress_clear();
  free(line);
  arena_destroy(arena);
  if (ferror(file) && !session_is_interrupted()) return session_usage("%s cannot be read", name);
  return is_empty && !session_is_interrupted() ? session_usage("%s: no map in it", name) : status;
}

/* Reads the file as a whole, so that encoding errors are reported as everywhere else, and once: it
 * may be a pipe. */
static Status run_file(const SimplifyCommand *command, const char *path) {
  Arena *arena = arena_create();
  Source source;
  Error error = {};
  bool is_text = file_read_text(arena, path, file_limit, &source, &error);
  FILE *file = is_text ? fmemopen(arena_text(arena, source.text, source.length), source.length, "r")
                       : nullptr;
  Status status = !is_text            ? session_fail(&error)
                  : (file == nullptr) ? session_usage("%s: %s", path, strerror(errno))
                                      : run_lines(command, file, path, session_lines(&source));
  if (file != nullptr) fclose(file);
  if (is_text && status == STATUS_BAD) text_kind_remedy(&source, TEXT_OF_MAPS);
  arena_destroy(arena);
  return status;
}

/* Whether the word names an existing file. A map begins with a parenthesis, a path usually does
 * not. */
static bool is_path(const char *word) {
  struct stat status;
  return word[0] != '(' && stat(word, &status) == 0;
}

/* Whether the word is the name of a missing file: one word without a parenthesis cannot be a
 * map. */
static bool is_missing_path(const char *word) {
  return strpbrk(word, "( ") == nullptr && strcmp(word, "-") != 0 &&
         strncmp(word, "UNDEFINED", 9) != 0 && !is_path(word) && word[0] != 0;
}

static Status reject_path(const char *path) {
  Error error = {};
  (void)error_of_file(&error, ERROR_ENVIRONMENT, path, "%s; a map begins with (", strerror(errno));
  return session_fail(&error);
}

/* A false rule gives wrong maps, and nothing in them says so. */
static void warn_of_rules(const SimplifyCommand *command, Arena *arena) {
  if (command->rules == nullptr || command->prove || command->quiet) return;
  session_warn(
      "the rules of %s are not proved by this command; `affirm prove %s` proves them, and --prove judges each rewrite",
      command->rules, shell_path(arena, command->rules));
}

/* `rules`: the engine's and then those of --rules. A rule that does not fire on its example is not
 * the rule that its author means. */
static Status check_examples(Arena *arena, RuleSet rules) {
  Status status = STATUS_PROVED;
  RuleSet own = {};
  Error error = {};
  if (!rules_engine(arena, &own, &error)) return session_fail(&error);
  rules_note_obstacles(arena, &rules);
  for (uint32_t i = own.count; i < rules.count && !session_is_interrupted(); i++) {
    const char *line;
    session_worsen(&status, rule_example_status(arena, &rules, &rules.items[i], false, &line));
    if (line != nullptr) session_warn("%.*s", (int)strcspn(line + 2, "\n"), line + 2);
  }
  return status;
}

static Status run_maps(SimplifyCommand *command, int count, char **texts) {
  bool is_file = count == 1 && is_path(texts[0]);
  if (command->json && (command->explain || command->style != MAP_STYLE_LINE))
    return session_usage("--json cannot be combined with --explain, --style pretty or --style xla");
  if (count == 1 && is_missing_path(texts[0])) return reject_path(texts[0]);
  bool is_line_tool = is_file || count == 0 || (count == 1 && strcmp(texts[0], "-") == 0);
  if (is_line_tool && command->explain)
    return session_usage(
        "--explain needs maps as arguments: a file or - gets one line of output for each map");
  if (is_line_tool && command->style == MAP_STYLE_PRETTY)
    return session_usage(
        "--style pretty needs maps as arguments: a file or - gets one line of output for each map");
  Arena *arena = arena_create();
  Error error = {};
  const RuleSet *rules;
  Status status = STATUS_BAD;
  if (rule_files_read(arena, command->rules, &rules, &error))
    command->judge = judge_create(&(JudgeOptions){.rules = rules,
                                      .without_oracle = !command->prove,
                                      .without_smt = !command->prove,
                                      .smt.stop = session_is_interrupted},
        &error);
  if (command->judge != nullptr) warn_of_rules(command, arena);
  Status examples =
      command->judge == nullptr || rules == nullptr ? STATUS_PROVED : check_examples(arena, *rules);
  if (command->judge == nullptr) status = session_fail(&error);
  else if (is_file) status = run_file(command, texts[0]);
  else if (is_line_tool) status = run_lines(command, stdin, "<stdin>", 0);
  else status = run_texts(command, count, texts);
  judge_destroy(command->judge);
  arena_destroy(arena);
  return status_worse(status, examples);
}

/* The certificates are written at the end, so that the file is whole or as it was: a run that is
 * rejected or interrupted leaves it alone, unless it has certified a map. */
static Status simplify_run(SimplifyCommand *command, int count, char **texts) {
  char *bytes = nullptr;
  size_t length = 0;
  if (command->certificate == nullptr) return run_maps(command, count, texts);
  command->certificates = open_memstream(&bytes, &length);
  if (command->certificates == nullptr) return session_usage("%s", strerror(errno));
  Status status = run_maps(command, count, texts);
  bool is_whole = (ferror(command->certificates) | fclose(command->certificates)) == 0;
  if (!is_whole) status = session_usage("%s: no memory for it", command->certificate);
  else if (length > 0 && !session_write(command->certificate, bytes, length)) status = STATUS_BAD;
  free(bytes);
  return status;
}

int cli_simplify(int argc, char **argv) {
  static const char *const styles[] = {
      [MAP_STYLE_LINE] = "line", [MAP_STYLE_PRETTY] = "pretty", [MAP_STYLE_XLA] = "xla", nullptr};
  SimplifyCommand command = {};
  const Option options[] = {
      {"explain", OPTION_FLAG, &command.explain,
          "print each rewrite: rule, location, bindings, facts", nullptr},
      {"prove", OPTION_FLAG, &command.prove,
          "prove that each rewrite, and the whole simplification, preserves the map", nullptr},
      {"rules", OPTION_INPUT, &command.rules,
          "FILE: apply these rules after the engine's own; without --prove, nothing proves them",
          nullptr},
      {"certificate", OPTION_OUTPUT, &command.certificate,
          "FILE: write a certificate of each simplified map to this file (docs/map_certificates.md)",
          nullptr},
      {"keep-points", OPTION_FLAG, &command.keep_points, "keep dimensions that have a single value",
          nullptr},
      {"json", OPTION_FLAG, &command.json, "print one JSON object per map", nullptr},
      {"quiet", OPTION_FLAG, &command.quiet, "do not warn of rules that are not proved", nullptr},
      {"style", OPTION_CHOICE, &command.style, "line|pretty|xla: the format of printed maps",
          styles},
  };
  const Command table = {.usage = "simplify [OPTION]... [MAP]... | FILE | -",
      .about =
          "Simplifies indexing maps. A file has one map per line. So has standard input, which is read if no map is given, or for -. The output has one line for each input line, in order.",
      OPTION_TABLE(options),
      .usual_input = "-"};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  session_catch_signals();
  return session_end(simplify_run(&command, argc - first, argv + first));
}
