/* affirm report: one HTML page with the verdicts about modules, and with the JSON results of other
 * commands. Refuted rows come first. Two runs are compared row by row. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/commands.h"
#include "cli/modules.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/prove/prove_example.h"
#include "cli/report/matrix.h"
#include "cli/report/rule_page.h"
#include "cli/report/run_page.h"
#include "cli/session_guard.h"
#include "core/base/file.h"
#include "core/simplify/rule_lines.h"

typedef struct ReportRow {
  Status status;
  const char *html;
} ReportRow;

typedef struct Report {
  Arena *arena;
  Judge *judge;
  Derivations derivations;
  const Source *source;
  Selection selection;
  QuestionFilter filter;
  Status status;
  uint64_t modules, runs;
  bool has_clean_run; /* one in which nothing was found; its file has no rows */
  const char *command;
  PageCounts words;
  Matrix matrix;
  uint32_t count, capacity;
  ReportRow *items;
  RuleSet rules; /* of the rule files */
  struct {
    uint32_t count, capacity;
    ReportRun *items;
  } missing; /* files that are not read, or not whole; their rows come last */
} Report;

static void keep_row(Report *report, const MatrixCell *cell, const char *html) {
  session_worsen(&report->status, cell->status);
  page_count(report->arena, &report->words, cell->verdict, cell->status);
  matrix_add(report->arena, &report->matrix, cell);
  *ARENA_PUSH(report->arena, report) = (ReportRow){.status = cell->status, .html = html};
}

static void add_row(Report *report, const Judgement *judgement) {
  Text text = text_create(report->arena);
  const Question *question = &judgement->question;
  page_print_row(&text, &report->derivations, report->source, judgement, report->count);
  keep_row(report,
      &(MatrixCell){.operation = opcode_name(question->instruction->opcode),
          .direction = direction_text(question->direction),
          .verdict = judge_answer_text(judgement->answer),
          .status = judge_answer_status(judgement->answer)},
      text.bytes);
}

static void judge_one(Report *report, const Question *question) {
  Judgement *judgement = ARENA_NEW(report->arena, Judgement, 1);
  judge_question(report->judge, question, judgement);
  add_row(report, judgement);
}

static bool report_visit(void *state, Arena *arena, const Module *module, ModulePosition) {
  Report *report = state;
  InstructionSelection list = {};
  MapMark mark = map_context_mark(report->judge->context);
  report->modules++;
  report->source = module->source; /* offsets of instructions count from it */
  module_select(arena, module, &report->selection, &list);
  for (uint32_t i = 0; i < list.count; i++) {
    QuestionList questions = {};
    session_item(
        i, list.count, "instructions", "%s of %s", list.items[i]->name, report->source->name);
    selection_questions(
        arena, &report->selection, report->judge, &report->filter, list.items[i], &questions);
    for (uint32_t k = 0; k < questions.count && !session_is_interrupted(); k++)
      judge_one(report, &questions.items[k]);
  }
  indexer_reset(report->judge->indexer);
  indexer_reset(report->derivations.raw);
  map_context_rewind(report->judge->context, mark);
  return !session_is_interrupted();
}

static void keep_row_of_run(
    Report *report, const RunRow *row, const char *verdict, Status status, const char *html) {
  keep_row(report,
      &(MatrixCell){.operation = row->kind,
          .direction = row->direction,
          .verdict = verdict,
          .status = status},
      html);
}

static void keep_run_row(Report *report, const RunRow *row) {
  Text text = text_create(report->arena);
  run_page_print(&text, report->judge->context, row, report->count);
  keep_row_of_run(report, row, row->verdict, row->status, text.bytes);
}

/* Reports a run that lacks results. */
static bool run_is_cut(Report *report, const ReportRun *run) {
  if (run->cut == nullptr) return false;
  session_warn("%s: %s", run->name, run->cut);
  report->status = status_worse(report->status, STATUS_UNDECIDED);
  return true;
}

static Status add_run(Report *report, const Source *source) {
  ReportRun run;
  Error error = {};
  if (!run_read(report->arena, source, &run, &error)) return session_fail(&error);
  report->runs++;
  report->has_clean_run |= run.count == 0;
  for (uint32_t i = 0; i < run.count; i++) keep_run_row(report, &run.items[i]);
  if (run_is_cut(report, &run)) {
    RunRow row = run_cut_row(&run);
    keep_run_row(report, &row);
  }
  return STATUS_PROVED;
}

/* A rule with an `order:` or `example:` line that does not parse is reported, and not judged. */
static Status add_rules(Report *report, const Source *source) {
  RuleFaults faults = {};
  RuleSet *rules = &report->rules;
  uint32_t kept = rules->count;
  rules_parse_statements(report->arena, source, rules, &faults);
  Status status = STATUS_PROVED;
  for (uint32_t i = kept; i < rules->count; i++) {
    Error error = {};
    bool is_right = rule_lines_parse(report->arena, source, &rules->items[i], &error);
    if (is_right) rules->items[kept++] = rules->items[i];
    else status = status_worse(status, session_fail(&error));
  }
  rules->count = kept;
  for (uint32_t i = 0; i < faults.count; i++)
    status = status_worse(status, session_fail(&faults.items[i]));
  return status;
}

static int64_t times_fired(const Report *report, const char *name) {
  for (uint32_t i = 0; i < report->derivations.count; i++)
    if (strcmp(report->derivations.items[i].rule->name, name) == 0)
      return report->derivations.items[i].count;
  return report->modules > 0 ? 0 : -1;
}

static void add_rule(Report *report, const Rule *rule) {
  Text text = text_create(report->arena);
  MatrixCell cell = {.operation = "rule", .direction = ""};
  rule_page_row(&text, &report->rules, rule, times_fired(report, rule->name), report->count,
      &cell.verdict, &cell.status);
  keep_row(report, &cell, text.bytes);
}

/* Runs after all modules, when the number of times each rule fired is known. */
static void judge_rules(Report *report) {
  rules_note_obstacles(report->arena, &report->rules);
  for (uint32_t i = 0; i < report->rules.count && !session_is_interrupted(); i++)
    add_rule(report, &report->rules.items[i]);
}

static void keep_missing(Report *report, const char *name, const char *why, Status status) {
  *ARENA_PUSH(report->arena, &report->missing) =
      (ReportRun){.name = name, .cut = why, .cut_status = status};
}

/* A page of other rows must not look whole. */
static void keep_missing_rows(Report *report) {
  if (report->selection.left_out > 0)
    keep_missing(report, "all files",
        arena_printf(report->arena, "%s left out, past a limit",
            counted(report->selection.left_out, "query")),
        STATUS_UNDECIDED);
  if (report->count == 0) return;
  for (uint32_t i = 0; i < report->missing.count; i++) {
    RunRow row = run_cut_row(&report->missing.items[i]);
    keep_run_row(report, &row);
  }
}

static void judge_file(Report *report, const char *path) {
  Source *source = ARENA_NEW(report->arena, Source, 1);
  Arena *arena = arena_create();
  Error error = {};
  report->source = source;
  Status status =
      !file_read_text(report->arena, path, file_limit, source, &error) ? session_fail(&error)
      : string_ends_with(path, ".rules")                               ? add_rules(report, source)
      : run_is(source)
          ? add_run(report, source)
          : modules_walk_selected(arena, source, &report->selection, report_visit, nullptr, report);
  report->status = status_worse(report->status, status);
  if (status == STATUS_BAD)
    keep_missing(report, path, "the file, or a part of it, is not read", STATUS_BAD);
  arena_destroy(arena);
}

static bool read_one(Report *report, const char *path, ReportRun *run) {
  Source *source = ARENA_NEW(report->arena, Source, 1);
  Error error = {};
  bool is_read = file_read_text(report->arena, path, file_limit, source, &error) &&
                 run_read(report->arena, source, run, &error);
  if (!is_read) report->status = session_fail(&error);
  else (void)run_is_cut(report, run);
  return is_read;
}

/* Rows that passed in both runs, with equal maps, are only counted. */
static void compare_files(Report *report, const char *before, const char *after) {
  ReportRun runs[2];
  RunChanges changes = {};
  if (!read_one(report, before, &runs[0]) || !read_one(report, after, &runs[1])) return;
  report->runs = 2;
  report->has_clean_run = runs[0].count == 0 && runs[1].count == 0;
  run_compare(report->arena, &runs[0], &runs[1], &changes);
  for (uint32_t i = 0; i < changes.count; i++) {
    const RunChange *change = &changes.items[i];
    Text text = text_create(report->arena);
    if (strcmp(change->verdict, "same") == 0) {
      page_count(report->arena, &report->words, "same", STATUS_PROVED);
      continue;
    }
    const RunRow *row = change->after != nullptr ? change->after : change->before;
    run_page_print_change(&text, report->judge->context, change, report->count);
    keep_row_of_run(report, row, change->verdict, change->status, text.bytes);
  }
}

/* Prints the rows in groups; the browser lays out only visible groups. */
static void print_rows(Text *text, const Report *report) {
  static constexpr Status order[] = {STATUS_REFUTED, STATUS_BAD, STATUS_UNDECIDED, STATUS_PROVED};
  uint32_t printed = 0;
  for (uint32_t k = 0; k < sizeof order / sizeof *order; k++)
    for (uint32_t i = 0; i < report->count; i++)
      if (report->items[i].status == order[k])
        page_print_in_group(text, report->items[i].html, printed++, report->count);
}

static void print_count(Text *text, uint64_t count, const char *what) {
  if (count > 0) text_printf(text, "%s%s", text->length > 0 ? ", " : "", counted(count, what));
}

static const char *what_was_judged(const Report *report) {
  Text text = text_create(report->arena);
  print_count(&text, report->modules, "module");
  print_count(&text, report->runs, "run");
  print_count(&text, report->count, "row");
  if (report->words.count == 0) text_string(&text, "; nothing was found");
  if (session_is_interrupted()) text_string(&text, "; interrupted, so the rest is missing");
  return text.bytes;
}

/* Prints the rules that the steps link to. `refuted` receives links to refuted rules, which need
 * not have made a row wrong. */
static void print_fired_rules(Text *text, Text *refuted, Report *report) {
  const Derivations *derivations = &report->derivations;
  if (derivations->count > 0) text_string(text, "<h2>Rules of the steps above</h2>\n");
  for (uint32_t i = 0; i < derivations->count; i++) {
    const Rule *rule = derivations->items[i].rule;
    if (session_must_end()) {
      rule_page_left_out(text, rule);
      continue;
    }
    if (rule_page_section(text, rule, derivations->items[i].count) != STATUS_REFUTED) continue;
    session_worsen(&report->status, STATUS_REFUTED);
    text_string(refuted, refuted->length > 0 ? ", " : "");
    html_rule_link(refuted, rule);
  }
}

static void print_page(Text *text, Report *report) {
  Text rules = text_create(report->arena), refuted = text_create(report->arena),
       matrix = text_create(report->arena);
  print_fired_rules(&rules, &refuted, report);
  matrix_print(&matrix, &report->matrix);
  page_begin(
      text, what_was_judged(report), report->command, &report->words, refuted.bytes, matrix.bytes);
  print_rows(text, report);
  text_string(text, "</div>\n");
  text_string(text, rules.bytes);
  page_end(text);
}

static Status write_page(Report *report, const char *path) {
  Text text = text_create(report->arena);
  bool is_clean =
      report->has_clean_run && report->status == STATUS_PROVED && !session_is_interrupted();
  if (report->words.count == 0 && !is_clean) {
    Status status = session_usage("there are no rows; %s is not changed", path);
    return status_worse(report->status, session_is_interrupted() ? STATUS_UNDECIDED : status);
  }
  if (session_is_interrupted()) session_say_ending();
  print_page(&text, report);
  if (!session_write(path, text.bytes, text.length)) return STATUS_BAD;
  session_warn("%s in %s", counted(report->count, "row"), path);
  return report->status;
}

/* The command line and the date. */
static const char *command_of(Arena *arena, int argc, char **argv) {
  Text text = text_create(arena);
  char when[40] = "";
  const char *epoch = getenv("SOURCE_DATE_EPOCH"); /* for reproducible pages */
  time_t now = epoch == nullptr ? time(nullptr) : (time_t)strtoll(epoch, nullptr, 10);
  struct tm parts;
  if (gmtime_r(&now, &parts) != nullptr) strftime(when, sizeof when, "%Y-%m-%d %H:%M UTC", &parts);
  text_string(&text, "affirm");
  for (int i = 0; i < argc && text.length < 400; i++) text_printf(&text, " %s", argv[i]);
  text_printf(&text, "%s, %s", text.length < 400 ? "" : " ...", when);
  return text.bytes;
}

static void report_run(Report *report, bool is_compared, int count, char **paths) {
  assert(report->judge != nullptr);
  if (is_compared && count != 2)
    report->status = session_usage("--compare needs two runs: OLD NEW");
  else if (is_compared) compare_files(report, paths[0], paths[1]);
  Progress progress = progress_begin("files", (uint64_t)count, true);
  for (int i = 0; i < count && !is_compared && !session_is_interrupted(); i++) {
    progress_at(&progress, (uint64_t)i, paths[i]);
    judge_file(report, paths[i]);
  }
  judge_rules(report);
  if (!is_compared) keep_missing_rows(report);
  progress_clear();
}

static const OptionUse report_uses[] = {
    {"instruction all direction output questions megabytes operand", "none"}};

int cli_report(int argc, char **argv) {
  SelectionOptions selected = {.output = -1};
  const char *output = "report.html";
  bool is_compared = false;
  Report report = {.arena = arena_create()};
  const Option options[] = {
      {"page", OPTION_OUTPUT, &output, "FILE: write the page to this file (report.html)", nullptr},
      {"compare", OPTION_FLAG, &is_compared,
          "compare two files with the JSON of a command: what changed from the first to the second; a row that still fails counts as a failure",
          nullptr},
      SELECTION_OPTIONS(selected),
  };
  const Command table = {.usage = "report FILE... [OPTION]...",
      .about =
          "Writes one self-contained HTML page. Modules are judged as by check, with a picture of each relation and the steps that simplified its maps. Files with the JSON of check, audit, gate, exhaust, prove, equiv, watch, hazard, score or fuzz, or with SARIF, get a row for each result. Files named .rules get each rule with its proof, certificate, negative example and a picture of both sides.",
      OPTION_TABLE(options),
      .contrary = "all instruction",
      MODE_TABLE("compare", report_uses)};
  int first, ended = STATUS_BAD;
  report.command = command_of(report.arena, argc, argv);
  if (!options_parse(&table, argc, argv, &first, &ended) ||
      !selection_read(&selected, &report.selection, &report.filter)) {
    arena_destroy(report.arena);
    return ended;
  }
  Error error = {};
  session_catch_signals();
  report.judge = judge_create(&(JudgeOptions){.smt.stop = session_is_interrupted}, &error);
  bool is_ready = report.judge != nullptr &&
                  derivations_begin(&report.derivations, report.judge, report.arena, &error);
  report.derivations.is_replayed = true;
  Status status = first == argc ? session_usage("report needs a file")
                  : is_ready    ? STATUS_PROVED
                                : session_fail(&error);
  if (status == STATUS_PROVED) {
    report.selection.file = argc - first == 1 ? argv[first] : nullptr;
    report_run(&report, is_compared, argc - first, &argv[first]);
    status = selection_end(&report.selection, &report.filter, write_page(&report, output));
  }
  derivations_end(&report.derivations);
  judge_destroy(report.judge);
  arena_destroy(report.arena);
  return session_end(status);
}
