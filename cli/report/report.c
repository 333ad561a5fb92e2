/* affirm report: the verdicts of modules as one HTML page. Refuted rows come first. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/modules.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/report/page.h"
#include "cli/session_guard.h"
#include "core/base/file.h"
#include "core/map/text.h"

typedef struct ReportRow {
  VerdictReason answer;
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
  uint64_t modules, counts[verdict_reason_count];
  uint32_t count, capacity;
  ReportRow *items;
} Report;

static void add_row(Report *report, const Judgement *judgement) {
  Text text = text_create(report->arena);
  page_print_row(&text, &report->derivations, report->source, judgement, report->count);
  *ARENA_PUSH(report->arena, report) = (ReportRow){.answer = judgement->answer, .html = text.bytes};
}

static void judge_one(Report *report, const Question *question) {
  Judgement *judgement = ARENA_NEW(report->arena, Judgement, 1);
  judge_question(report->judge, question, judgement);
  report->counts[judgement->answer]++;
  report->status = status_worse(report->status, judge_answer_status(judgement->answer));
  add_row(report, judgement);
}

static bool report_visit(void *state, Arena *arena, const Module *module, ModulePlace) {
  Report *report = state;
  InstructionList list = {};
  MapMark mark = map_context_mark(report->judge->context);
  report->modules++;
  if (!module_select(arena, module, &report->selection, &list))
    report->status = status_worse(
        report->status, session_usage("%s: no such instruction", report->source->name));
  for (uint32_t i = 0; i < list.count; i++) {
    QuestionList questions = {};
    session_at("%s of %s", list.items[i]->name, report->source->name);
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

static void judge_file(Report *report, const char *path) {
  Source *source = ARENA_NEW(report->arena, Source, 1);
  Arena *arena = arena_create();
  Error error = {};
  report->source = source;
  Status status = file_read(report->arena, path, file_limit, source, &error)
                      ? modules_walk(arena, source, report_visit, report)
                      : session_fail(&error);
  report->status = status_worse(report->status, status);
  arena_destroy(arena);
}

static void print_rows(Text *text, const Report *report) {
  static constexpr Status order[] = {STATUS_REFUTED, STATUS_BAD, STATUS_UNDECIDED, STATUS_PROVED};
  for (uint32_t k = 0; k < sizeof order / sizeof *order; k++)
    for (uint32_t i = 0; i < report->count; i++)
      if (judge_answer_status(report->items[i].answer) == order[k])
        text_string(text, report->items[i].html);
}

static void print_page(Text *text, const Report *report) {
  page_begin(text, report->modules, report->counts, session_is_interrupted());
  print_rows(text, report);
  derivation_print_rules(text, &report->derivations);
  page_end(text);
}

static Status write_page(const Report *report, const char *path) {
  Text text = text_create(report->arena);
  if (report->count == 0)
    return status_worse(
        report->status, session_usage("no operand was judged: %s is left as it was", path));
  print_page(&text, report);
  Error error = {};
  if (!file_write(path, text.bytes, text.length, &error)) return session_fail(&error);
  session_warn("%u operands in %s", report->count, path);
  return report->status;
}

int cli_report(int argc, char **argv) {
  SelectionOptions selected = {.output = -1};
  const char *output = "report.html";
  Report report = {};
  const Option options[] = {
      {"page", OPTION_TEXT, &output, "FILE: where the page goes (report.html)", nullptr},
      SELECTION_OPTIONS(selected),
  };
  const Command table = {.usage = "report FILE.hlo... [OPTION]...",
      .about =
          "Judges modules as check does and writes one self-contained HTML page with a picture of each relation.",
      OPTION_TABLE(options)};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (!selection_read(&selected, &report.selection, &report.filter)) return STATUS_BAD;
  if (first == argc) return session_end(session_usage("report wants a module"));
  Error error = {};
  session_catch_signals();
  report.arena = arena_create();
  report.judge = judge_create(&(JudgeOptions){.smt.stop = session_is_interrupted}, &error);
  bool is_ready = report.judge != nullptr &&
                  derivations_begin(&report.derivations, report.judge, report.arena, &error);
  Status status = is_ready ? STATUS_PROVED : session_fail(&error);
  Progress progress = progress_begin("files", (uint64_t)(argc - first), true);
  for (int i = first; i < argc && is_ready && !session_is_interrupted(); i++) {
    progress_at(&progress, (uint64_t)(i - first), argv[i]);
    judge_file(&report, argv[i]);
  }
  progress_clear();
  if (is_ready)
    status = selection_end(&report.selection, &report.filter, write_page(&report, output));
  derivations_end(&report.derivations);
  judge_destroy(report.judge);
  arena_destroy(report.arena);
  return session_end(status);
}
