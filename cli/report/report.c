/* affirm report: what judges say of modules, as one HTML page that needs nothing else: totals, a
 * row an operand, a picture of each relation that is small enough, what is refuted first. Text is
 * escaped; there is no script. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/modules.h"
#include "cli/options.h"
#include "cli/report/report_picture.h"
#include "core/base/file.h"
#include "core/map/text.h"
#include "judge/maps/counterexample.h"

typedef struct ReportRow {
  JudgeAnswer answer;
  const char *html;
} ReportRow;

typedef struct Report {
  Arena *arena;
  Judge *judge;
  const Source *source;
  Selection selection;
  QuestionFilter filter;
  Status status;
  uint64_t modules, counts[judge_answer_count];
  uint32_t count, capacity;
  ReportRow *items;
} Report;

static void print_escaped(Text *text, const char *value) {
  for (; *value != 0; value++) {
    const char *name = *value == '<'   ? "&lt;"
                       : *value == '>' ? "&gt;"
                       : *value == '&' ? "&amp;"
                       : *value == '"' ? "&quot;"
                                       : nullptr;
    if (name != nullptr) text_string(text, name);
    else text_append(text, value, 1);
  }
}

static void print_cell(Text *text, const char *value) {
  text_string(text, "<td>");
  print_escaped(text, value);
  text_string(text, "</td>");
}

static void print_maps(Text *text, const Report *report, const MapSet *maps) {
  text_string(text, "<td><code>");
  for (uint32_t i = 0; i < maps->count; i++) {
    Text map = text_create(report->arena);
    map_print(&map, report->judge->context, maps->maps[i], MAP_STYLE_LINE);
    print_escaped(text, map.bytes);
    text_string(text, "<br/>");
  }
  text_string(text, "</code></td>");
}

static void add_row(Report *report, const Judgement *judgement) {
  const Question *question = &judgement->question;
  Text text = text_create(report->arena), heading = text_create(report->arena);
  question_print_heading(&heading, question);
  bool refuted = judge_answer_status(judgement->answer) == STATUS_REFUTED;
  text_printf(&text, "<tr class=\"%s\">",
      refuted                                                   ? "refuted"
      : judge_answer_status(judgement->answer) == STATUS_PROVED ? "good"
                                                                : "open");
  print_cell(&text, judge_answer_text(judgement->answer));
  print_cell(&text, arena_printf(report->arena, "%s:%u", report->source->name,
                        source_line(report->source, question->instruction->offset)));
  print_cell(&text, arena_printf(report->arena, "%s = %s", question->instruction->name,
                        opcode_name(question->instruction->opcode)));
  print_cell(&text, heading.bytes);
  print_maps(&text, report, &judgement->maps);
  print_cell(&text, judgement->reason);
  text_string(&text, "<td>");
  if (!picture_print(&text, report->judge->context, judgement))
    text_string(&text, "too large for a picture");
  text_string(&text, "</td></tr>\n");
  *ARENA_PUSH(report->arena, report) = (ReportRow){.answer = judgement->answer, .html = text.bytes};
}

static void judge_one(Report *report, const Question *question) {
  Judgement *judgement = ARENA_NEW(report->arena, Judgement, 1);
  judge_question(report->judge, question, judgement);
  report->counts[judgement->answer]++;
  report->status = status_worse(report->status, judge_answer_status(judgement->answer));
  add_row(report, judgement);
}

static bool visit(void *state, Arena *arena, const Module *module, ModulePlace) {
  Report *report = state;
  InstructionList list = {};
  MapMark mark = map_context_mark(report->judge->context);
  report->modules++;
  if (!module_select(arena, module, &report->selection, &list))
    report->status = status_worse(
        report->status, session_usage("%s: no such instruction", report->source->name));
  for (uint32_t i = 0; i < list.count; i++) {
    QuestionList questions = {};
    selection_questions(
        arena, &report->selection, report->judge, &report->filter, list.items[i], &questions);
    for (uint32_t k = 0; k < questions.count && !session_is_interrupted(); k++)
      judge_one(report, &questions.items[k]);
  }
  indexer_reset(report->judge->indexer);
  map_context_rewind(report->judge->context, mark);
  return !session_is_interrupted();
}

static void judge_file(Report *report, const char *path) {
  Source *source = ARENA_NEW(report->arena, Source, 1);
  Arena *arena = arena_create();
  Error error = {};
  report->source = source;
  Status status = file_read(report->arena, path, file_limit, source, &error)
                      ? modules_walk(arena, source, visit, report)
                      : session_fail(&error);
  report->status = status_worse(report->status, status);
  arena_destroy(arena);
}

static const char style[] =
    "body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:4px 8px;text-align:left;vertical-align:top}"
    "code{font-size:12px}.refuted td:first-child{background:#e66}.open td:first-child{background:#ed8}.good td:first-child{background:#9d9}"
    "svg .frame{fill:#f4f4f4;stroke:#999}svg .pair{fill:#246}svg .some{fill:#8ac}svg .witness{fill:none;stroke:#c00;stroke-width:2}";

static void print_totals(Text *text, const Report *report) {
  text_printf(
      text, "<p>%llu modules, %u operands:", (unsigned long long)report->modules, report->count);
  for (uint32_t i = 0; i < judge_answer_count; i++)
    if (report->counts[i] > 0)
      text_printf(text, " <b>%llu</b> %s", (unsigned long long)report->counts[i],
          judge_answer_text((JudgeAnswer)i));
  text_printf(text,
      "%s.</p>\n<p>A picture has a column for each element that the map goes from and a row for each that it goes to; light pairs depend on values at run time; "
      "a ring is a judge's witness.</p>\n",
      session_is_interrupted() ? "; interrupted" : "");
}

static void print_page(Text *text, const Report *report) {
  static constexpr Status order[] = {STATUS_REFUTED, STATUS_BAD, STATUS_UNDECIDED, STATUS_PROVED};
  text_printf(text,
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><title>affirm</title><style>%s</style></head><body>\n<h1>affirm " AFFIRM_VERSION
      "</h1>\n",
      style);
  print_totals(text, report);
  text_string(text,
      "<table><tr><th>answer</th><th>place</th><th>instruction</th><th>question</th><th>maps</th><th>reason</th><th>relation</th></tr>\n");
  for (uint32_t k = 0; k < sizeof order / sizeof *order; k++)
    for (uint32_t i = 0; i < report->count; i++)
      if (judge_answer_status(report->items[i].answer) == order[k])
        text_string(text, report->items[i].html);
  text_string(text, "</table></body></html>\n");
}

static Status write_page(const Report *report, const char *path) {
  Text text = text_create(report->arena);
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
          "Judges modules as check does and writes one HTML page with a picture of each small relation.",
      OPTION_TABLE(options)};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (!selection_read(&selected, &report.selection, &report.filter)) return STATUS_BAD;
  if (first == argc) return session_end(session_usage("report wants a module"));
  Error error = {};
  session_catch_signals();
  report.arena = arena_create();
  report.judge = judge_create(nullptr, &error);
  Status status = report.judge == nullptr ? session_fail(&error) : STATUS_PROVED;
  for (int i = first; i < argc && report.judge != nullptr && !session_is_interrupted(); i++)
    judge_file(&report, argv[i]);
  if (report.judge != nullptr) {
    status = selection_end(&report.selection, &report.filter, write_page(&report, output));
    judge_destroy(report.judge);
  }
  arena_destroy(report.arena);
  return session_end(status);
}
