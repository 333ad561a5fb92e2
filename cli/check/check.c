/* affirm check: asks every applicable judge about modules, maps and cases. Prints a row a
 * judgement, a line a file, and a summary. Operands that no judge could decide have a column of
 * their own and make the exit status 2. */
#include "cli/check/check.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/engine_options.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/report/json.h"
#include "cli/paths.h"
#include "cli/session_guard.h"
#include "core/base/file.h"
#include "core/map/lines.h"

/* The path's own memory ends with the search of its directory. */
static void note_left_in(Checker *checker, const char *path) {
  static char copy[PATH_MAX];
  snprintf(copy, sizeof copy, "%s", path);
  checker->tally.left_in = copy;
}

void check_file(Checker *checker, const char *path) {
  Arena *arena = arena_create();
  Source source;
  Error error = {};
  checker->tally.files++;
  checker->path = path;
  session_at("%s", path);
  if (!file_read_text(arena, path, file_limit, &source, &error)) {
    checker->tally.bad_parts++;
    check_note(checker, session_fail(&error));
    check_unread(checker, "files", path, 0, error.message);
    arena_destroy(arena);
    return;
  }
  if (strcmp(path, "-") == 0) checker->path = source.name;
  checker->source = &source;
  if (string_ends_with(path, ".case")) check_cases(checker, arena, &source);
  else if (map_lines_begin(&source)) check_maps(checker, arena, &source);
  else check_module_text(checker, arena, &source);
  if (session_is_interrupted()) note_left_in(checker, path);
  checker->source = nullptr;
  arena_destroy(arena);
}

static void fail_path(Checker *checker, const char *path, const Error *error) {
  checker->tally.bad_parts++;
  check_note(checker, session_fail(error));
  checker->path = path;
  check_unread(checker, "files", path, 0, error->message);
}

void check_irregular(Checker *checker, const PathList *paths) {
  for (uint32_t i = 0; i < paths->count; i++) {
    Error error = {};
    if (file_check_regular(paths->items[i], &error)) {
      check_file(checker, paths->items[i]); /* a file has taken its place */
      continue;
    }
    checker->tally.files++;
    fail_path(checker, paths->items[i], &error);
  }
}

/* Checks one file, or every .hlo, .txt, .maps and .case file below a directory, in the order of
 * names. Files with other names are counted. */
static void check_path(Checker *checker, const char *path) {
  static const char *const tails[] = {".hlo", ".txt", ".maps", ".case"};
  PathList irregular = {}, outside = {};
  PathSearch search = {.directory = path,
      .tail_count = sizeof tails / sizeof *tails,
      .tails = tails,
      .irregular = &irregular,
      .outside = &outside};
  if (!path_is_directory(path)) {
    if (session_is_interrupted()) checker->tally.left_files++;
    else check_file(checker, path);
    return;
  }
  Arena *arena = arena_create();
  PathList found = {};
  Error error = {};
  bool is_found = paths_find(arena, &search, &found, &error);
  if (is_found && found.count + irregular.count == 0)
    is_found = error_of_file(
        &error, ERROR_INPUT, path, "no .hlo, .txt, .maps or .case file in this directory");
  if (!is_found) fail_path(checker, path, &error);
  check_irregular(checker, &irregular);
  results_add_outside(&checker->results, path, outside.count, outside.items);
  checker->tally.passed_over += search.passed_over;
  checker->tally.links += outside.count;
  Progress progress = progress_begin("files", found.count, !checker->quiet);
  for (uint32_t i = 0; is_found && i < found.count && !checker->is_broken; i++) {
    progress_at(&progress, i, found.items[i]);
    if (session_is_interrupted()) checker->tally.left_files++;
    else check_file(checker, found.items[i]);
  }
  progress_clear();
  arena_destroy(arena);
}

static uint64_t check_sum(const uint64_t *counts, uint32_t count) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < count; i++) total += counts[i];
  return total;
}

/* A run without any question has proved nothing. */
static Status status_of_nothing(const CheckTally *tally) {
  uint64_t judged = verdict_counts_sum(tally->answers) + check_sum(tally->cases, CASE_UNKNOWN + 1) +
                    check_sum(tally->maps, REASON_DISSENT + 1) + tally->accepted + tally->known;
  return judged > 0 ? STATUS_PROVED : STATUS_UNDECIDED;
}

/* The later columns, which only a foreign engine fills, are shown if they are not empty. */
static constexpr uint32_t always_shown = 7;

static void print_counts(Text *text, const char *what, uint32_t count, const uint64_t *counts,
    const char *const *names) {
  uint64_t total = check_sum(counts, count);
  if (total == 0) return;
  text_printf(text, "%s %llu:", what, (unsigned long long)total);
  for (uint32_t i = 0; i < count; i++)
    if (counts[i] > 0 || i < always_shown)
      text_printf(text, "%s %llu %s", i == 0 ? "" : ",", (unsigned long long)counts[i], names[i]);
  text_string(text, "\n");
}

static void print_operands(Text *text, const CheckTally *tally) {
  uint64_t counts[judge_answer_count];
  const char *names[judge_answer_count];
  for (uint32_t i = 0; i < judge_answer_count; i++) {
    counts[i] = tally->answers[judge_answers[i]];
    names[i] = judge_answer_text(judge_answers[i]);
  }
  print_counts(text, "operands", judge_answer_count, counts, names);
}

static void check_print_summary(Text *text, const CheckTally *tally) {
  static const char *const cases[] = {"passed", "failed", "unknown"};
  static const char *const maps[] = {"proved", "refuted", "unknown", "disagree"};
  text_printf(text, "files %llu, modules %llu, not read %llu", (unsigned long long)tally->files,
      (unsigned long long)tally->modules,
      (unsigned long long)tally->bad_parts + tally->unread_maps);
  if (tally->passed_over > 0)
    text_printf(text, ", passed over %llu (other names)", (unsigned long long)tally->passed_over);
  if (tally->links > 0)
    text_printf(text, ", not followed %llu (links)", (unsigned long long)tally->links);
  text_string(text, "\n");
  if (tally->modules > 0 && verdict_counts_sum(tally->answers) == 0)
    text_string(text, "operands 0: no question was asked\n");
  print_operands(text, tally);
  if (tally->unexpected > 0)
    text_printf(text, "unexpected %llu\n", (unsigned long long)tally->unexpected);
  if (tally->accepted > 0)
    text_printf(text, "accepted over-approximations %llu\n", (unsigned long long)tally->accepted);
  if (tally->again > 0)
    text_printf(text,
        "the same question with the same maps had been judged before: %llu of these\n",
        (unsigned long long)tally->again);
  print_counts(text, "cases", CASE_UNKNOWN + 1, tally->cases, cases);
  const uint64_t by_text[] = {tally->maps[REASON_EXACT], tally->maps[REASON_DIFFERENT],
      tally->maps[REASON_OPEN], tally->maps[REASON_DISSENT]};
  print_counts(text, "simplified maps", 4, by_text, maps);
}

static void print_left_out(Text *text, Checker *checker) {
  const CheckTally *tally = &checker->tally;
  text_string(text, session_is_out_of_time() ? "out of time" : "interrupted");
  if (tally->left_operands > 0)
    text_printf(text, "; left out: %s of %s and everything after them there",
        counted(tally->left_operands, "operand"), tally->left_in);
  else if (tally->left_in != nullptr)
    text_printf(text, "; left out: the rest of %s", tally->left_in);
  if (tally->left_files > 0)
    text_printf(text, "%s%s", tally->left_in == nullptr ? "; left out: " : ", ",
        counted(tally->left_files, "file"));
  results_add(&checker->results,
      &(Result){
          .part = "files", .name = "left out", .status = STATUS_UNDECIDED, .text = text->bytes});
  check_note(checker, STATUS_UNDECIDED);
  text_string(text, "; so far:\n");
}

/* A run in which the foreign engine was asked nothing, as where no operand has a map to simplify,
 * says nothing about it. */
static Status status_of_engine(const Engine *engine, uint64_t requests) {
  if (engine == nullptr || engine_requests(engine) != requests) return STATUS_PROVED;
  session_warn("%s was asked nothing", engine_name(engine));
  return STATUS_UNDECIDED;
}

static Status check_run(Checker *checker, const EngineSettings *settings, int count, char **paths) {
  Error error = {};
  Engine *engine;
  Arena *arena = arena_create();
  results_begin(&checker->results);
  if (!engine_read_accepted(arena, settings, &checker->accepted) ||
      !engine_open(settings, &engine)) {
    arena_destroy(arena);
    return results_write(&checker->results, STATUS_BAD);
  }
  if (engine != nullptr) checker->faults = ARENA_NEW(arena, EngineFaults, 1);
  if (engine != nullptr) engine_set_stop(engine, session_must_end);
  uint64_t requests = engine == nullptr ? 0 : engine_requests(engine);
  checker->judge =
      judge_create(&(JudgeOptions){.engine = engine, .smt.stop = session_is_interrupted}, &error);
  if (checker->judge == nullptr) {
    arena_destroy(arena);
    return results_write(&checker->results, session_fail(&error));
  }
  checker->memory = check_memory_create();
  checker->selection.file = count == 1 ? paths[0] : nullptr;
  for (int i = 0; i < count && !checker->is_broken; i++) check_path(checker, paths[i]);
  check_memory_destroy(checker->memory);
  Text text = text_create(arena);
  if (session_is_interrupted()) print_left_out(&text, checker);
  if (checker->table) check_print_table(&text, &checker->tally);
  check_print_summary(&text, &checker->tally);
  if (checker->faults != nullptr) engine_faults_print(&text, checker->faults);
  if (!checker->json) check_print(checker, text.bytes);
  else if (session_is_interrupted())
    (void)session_usage("%.*s", (int)strcspn(text.bytes, "\n"), text.bytes);
  arena_destroy(arena);
  judge_destroy(checker->judge);
  check_note(checker, status_of_engine(engine, requests));
  engine_close(engine);
  check_note(checker, status_of_nothing(&checker->tally));
  check_note(checker, selection_end(&checker->selection, &checker->filter, STATUS_PROVED));
  return results_write(&checker->results, checker->status);
}

static const OptionNeed check_needs[] = {ENGINE_NEEDS, {"accept", "engine engine-cmd"}};

int cli_check(int argc, char **argv) {
  SelectionOptions selected = {.output = -1};
  Checker checker = {.rows_limit = 64};
  EngineSettings settings = engine_settings_usual;
  int64_t seconds = 0;
  const Option options[] = {
      SELECTION_OPTIONS(selected),
      {"json", OPTION_FLAG, &checker.json, "print one JSON object per line", nullptr},
      {"table", OPTION_FLAG, &checker.table,
          "add a table to the summary: the number of operands by operation and result", nullptr},
      {"seconds", OPTION_NUMBER, &seconds,
          "N: stop after N seconds and report what was not checked (0: no limit)", nullptr},
      {"exact", OPTION_FLAG, &checker.exact,
          "treat over-approximations as failures unless the file lists them in `// over-approximation: NAME...`",
          nullptr},
      {"quiet", OPTION_FLAG, &checker.quiet, "print only failures and the summary", nullptr},
      RESULT_OPTIONS(checker.results),
      ENGINE_OPTIONS(settings),
      ENGINE_ACCEPT_OPTION(settings),
  };
  const Command table = {.usage = "check FILE|DIRECTORY... [OPTION]...",
      .about =
          "Judges HLO modules, texts of maps, and cases. Of a module it judges the maps of the entry root's operands, in both directions; of a map, whether the simplified "
          "map is the same map. A directory stands for every .hlo, .txt, .maps and .case file below it; names that begin with a dot are passed over.",
      .notes =
          "exact                the maps are the read set\n"
          "over-approximation   the maps contain the read set and more, and the engine states what is lost\n"
          "inexact              the maps contain the read set and more, but the engine claims exactness\n"
          "wrong                the maps miss a read, or leave the operand\n"
          "disagree             two judges decided differently\n"
          "undefined            the engine returned no map, and states this\n"
          "not judged           too large, unsupported, only sampled, or unknown\n"
          "not offered, broken  a foreign engine (--engine) does not offer this; or it crashed, hung or returned no map",
      OPTION_TABLE(options),
      .contrary = "all instruction",
      NEED_TABLE(check_needs)};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  json_keep_inputs();
  if (!selection_read(&selected, &checker.selection, &checker.filter)) return STATUS_BAD;
  if (first == argc)
    return session_end(session_usage("check needs a file or a directory; - reads standard input"));
  session_catch_signals();
  session_limit((uint64_t)seconds);
  return session_end(check_run(&checker, &settings, argc - first, argv + first));
}
