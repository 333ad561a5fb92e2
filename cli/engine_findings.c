/* Failures are grouped by the names of judge/engines/engine_faults.h. A text is reduced first
 * (reduce/reduce.h) and named afterwards, so that texts with the same fault get one file.
 * Keeps: the engine was asked last about the written file, and failed on it. The exception is an
 * engine that does not fail twice: its original text is kept. */
#include "cli/engine_findings.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/session.h"
#include "core/base/budget.h"
#include "core/base/foreign.h"
#include "core/base/clock.h"
#include "core/hlo/read/read.h"
#include "core/map/compose.h"
#include "core/map/text.h"
#include "judge/cases/case.h"
#include "reduce/reduce.h"

static constexpr uint32_t usual_trials = 1500;
/* An engine that hangs gets less time for an answer in a trial; the result is asked about again
 * with the whole time limit. */
static constexpr uint64_t trial_milliseconds = 1000;

typedef enum Unreduced : uint8_t {
  UNREDUCED_NOT, /* it is reduced, or was not tried */
  UNREDUCED_NEEDS_EARLIER,
  UNREDUCED_HANGS,
  UNREDUCED_NO_TIME,
  UNREDUCED_NOT_AGAIN,
  UNREDUCED_ENDED, /* it is not the smallest */
} Unreduced;
static const char *const unreduced_texts[] = {[UNREDUCED_NOT] = nullptr,
    [UNREDUCED_NEEDS_EARLIER] =
        "the engine fails only after earlier questions, and this one alone does not show it",
    [UNREDUCED_HANGS] = "the engine hangs, and each trial would last until the time limit",
    [UNREDUCED_NO_TIME] = "no time is left, because each answer that hangs takes its limit",
    [UNREDUCED_NOT_AGAIN] = "the engine does not fail again when asked the same",
    [UNREDUCED_ENDED] = "the campaign ended"};

/* The engine's result for a text. */
typedef struct Look {
  bool is_fault;
  const char *options;     /* of an analysis: options that select the question; else "" */
  const char *instruction; /* of an analysis: its name; else nullptr */
  bool is_called;          /* the instruction is not in the entry */
  uint64_t unasked, late;  /* questions for which no time was left, and for whose answers */
  Unreduced unreduced;     /* why its text is not reduced */
  ScoreAnswer answer;
} Look;

typedef struct EngineFindingsCourse {
  EngineFindings *findings;
  EngineVerb verb;
  const char *wanted; /* the name of the fault; "": any wrong answer; nullptr: any fault */
  const char *kind;   /* of any fault; nullptr: all kinds */
  double end;         /* by clock_wall; 0: none */
  uint32_t most_trials;
  const char *only; /* options of the one question that is asked; nullptr: all are */
  bool asks_called; /* after the entry's instructions, those of the other computations */
  bool is_cut;      /* set: the trials or the time ended a reduction */
  Look last;        /* set: the result for the smallest text so far */
  Arena *last_texts;
  Unreduced unreduced; /* set */
} EngineFindingsCourse;

static bool is_wrong(const ScoreAnswer *answer) {
  return answer->column == SCORE_wrong || answer->column == SCORE_wrong_domain;
}

static void set_cause(const EngineFindingsCourse *course, Look *look) {
  look->late += look->answer.is_reply && engine_reply(course->findings->judge->engine)->is_cut;
  look->is_fault = score_column_status(look->answer.column) == STATUS_REFUTED;
}

/* --- asking --- */

static bool engine_findings_parse(
    Judge *judge, Arena *arena, const char *text, size_t length, const Map **map) {
  const Source source = {
      .name = "map", .text = arena_text(arena, text, length), .length = length, .first_line = 1};
  Error error = {};
  return map_parse(judge->context, &source, map, &error) && (*map)->state != MAP_UNDEFINED;
}

static void look_simplify(
    const EngineFindingsCourse *course, Arena *arena, const char *text, size_t length, Look *look) {
  Judge *judge = course->findings->judge;
  const Map *map;
  if (!engine_findings_parse(judge, arena, text, length, &map)) return;
  score_simplify(judge, arena, map, &course->findings->score, &look->answer);
  set_cause(course, look);
}

static void look_compose(
    const EngineFindingsCourse *course, Arena *arena, const char *text, size_t length, Look *look) {
  Judge *judge = course->findings->judge;
  const char *between = strstr(text, " ; ");
  const Map *consumer, *producer;
  if (between == nullptr) return;
  size_t first = (size_t)(between - text);
  if (!engine_findings_parse(judge, arena, text, first, &consumer) ||
      !engine_findings_parse(judge, arena, between + 3, length - first - 3, &producer))
    return;
  if (consumer->state != MAP_PLAIN || producer->state != MAP_PLAIN ||
      consumer->result_count != producer->dim_count)
    return;
  Error error = {};
  if (score_compose(
          judge, arena, consumer, producer, &course->findings->score, &look->answer, &error))
    set_cause(course, look);
}

static bool is_wanted(const EngineFindingsCourse *course, const Look *look) {
  if (!look->is_fault) return false;
  if (course->wanted == nullptr)
    return course->kind == nullptr || fault_name_has_kind(look->answer.fault.text, course->kind);
  return *course->wanted == 0 ? is_wrong(&look->answer)
                              : strcmp(look->answer.fault.text, course->wanted) == 0;
}

static const char *question_options(Arena *arena, const Question *question) {
  Text options = text_create(arena);
  question_print_options(&options, question);
  return options.bytes;
}

static void add_questions(const EngineFindingsCourse *course, Arena *arena,
    const Computation *computation, QuestionList *questions) {
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    QuestionWalk walk = question_walk(computation->instructions[i], &question_filter_all);
    for (Question question; question_next(&walk, &question);)
      if (course->only == nullptr || strcmp(course->only, question_options(arena, &question)) == 0)
        *ARENA_PUSH(arena, questions) = question;
  }
}

/* The questions about the entry come first. */
static QuestionList questions_of(
    const EngineFindingsCourse *course, Arena *arena, const Module *module) {
  QuestionList questions = {};
  add_questions(course, arena, module->entry, &questions);
  for (uint32_t i = 0; i < module->computation_count && course->asks_called; i++)
    if (module->computations[i] != module->entry)
      add_questions(course, arena, module->computations[i], &questions);
  return questions;
}

static bool reduction_ends(const void *state) {
  const EngineFindingsCourse *course = state;
  double now = clock_wall(), end = course->findings->end;
  return session_is_interrupted() || (course->end > 0 && now >= course->end) ||
         (end > 0 && now >= end);
}

/* The judges get their usual time for a question, or what is left of it. */
static uint32_t question_seconds(const EngineFindingsCourse *course) {
  double left = course->end == 0 ? budget_usual_seconds : ceil(course->end - clock_wall());
  return (uint32_t)fmax(1, fmin(left, budget_usual_seconds));
}

/* Finds the first question with the wanted failure. */
static void look_module(
    const EngineFindingsCourse *course, Arena *arena, const char *text, size_t length, Look *look) {
  Judge *judge = course->findings->judge;
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){
      .name = "module", .text = arena_text(arena, text, length), .length = length, .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error) || module->entry == nullptr) return;
  tested_module(judge, module);
  const QuestionList questions = questions_of(course, arena, module);
  for (uint32_t i = 0; i < questions.count && !look->is_fault; i++) {
    const Question *question = &questions.items[i];
    if (reduction_ends(course)) look->unasked = questions.count - i;
    if (look->unasked > 0) break;
    bool began = budget_begin(question_seconds(course), session_is_interrupted);
    score_analyse(judge, arena, question, &course->findings->score, &look->answer);
    budget_end(began);
    set_cause(course, look);
    look->is_fault = is_wanted(course, look);
    if (!look->is_fault) continue;
    look->options = question_options(arena, question);
    look->instruction = question->instruction->name;
    look->is_called = question->instruction->parent != module->entry;
  }
  indexer_reset(judge->indexer);
}

static void look_at(
    const EngineFindingsCourse *course, Arena *arena, const char *text, size_t length, Look *look) {
  Judge *judge = course->findings->judge;
  *look = (Look){.options = "", .answer = {.maps = ""}};
  MapMark mark = map_context_mark(judge->context);
  engine_set_end(judge->engine, course->end);
  switch (course->verb) {
    case ENGINE_SIMPLIFY: look_simplify(course, arena, text, length, look); break;
    case ENGINE_COMPOSE: look_compose(course, arena, text, length, look); break;
    case ENGINE_ANALYSE: look_module(course, arena, text, length, look); break;
  }
  engine_set_end(judge->engine, 0);
  map_context_rewind(judge->context, mark);
}

static bool still_shows(void *state, const char *text, size_t length) {
  EngineFindingsCourse *course = state;
  if (reduction_ends(course)) return false;
  Arena *arena = arena_create();
  Look look;
  look_at(course, arena, text, length, &look);
  bool shows = is_wanted(course, &look);
  if (shows) {
    Arena *before = course->last_texts;
    course->last = look;
    course->last_texts = arena;
    arena = before;
  }
  if (arena != nullptr) arena_destroy(arena);
  return shows;
}

/* An engine that hung has ended, so the question is the first of a new process. */
static Unreduced why_unreduced(
    EngineFindingsCourse *course, Arena *arena, const Look *look, const char *subject) {
  if (look->answer.earlier > 0) return UNREDUCED_NEEDS_EARLIER;
  if (look->answer.column != SCORE_hung) return UNREDUCED_NOT;
  if (course->end == 0) return UNREDUCED_HANGS;
  Look alone;
  course->only = look->options;
  look_at(course, arena, subject, strlen(subject), &alone);
  course->only = nullptr;
  if (is_wanted(course, &alone)) return UNREDUCED_NOT;
  return reduction_ends(course) ? UNREDUCED_NO_TIME : UNREDUCED_NEEDS_EARLIER;
}

/* Reduces the text; after an interrupt or the end of the time it stays as it is. */
static const char *engine_findings_reduce(
    EngineFindingsCourse *course, Arena *arena, const Look *look, const char *subject) {
  Reduction reduction = {.still_shows = still_shows,
      .instruction = look->instruction,
      .is_over = reduction_ends,
      .state = course,
      .most_trials = course->most_trials};
  const char *smallest = subject;
  course->unreduced = why_unreduced(course, arena, look, subject);
  if (course->unreduced != UNREDUCED_NOT) return subject;
  MapContext *context = map_context_create();
  bool reduced = false;
  if (course->verb == ENGINE_ANALYSE) reduced = reduce_hlo(arena, &reduction, subject, &smallest);
  else
    reduced = reduce_maps(arena, context, &reduction,
        course->verb == ENGINE_COMPOSE ? PAIR_CHAIN : PAIR_NONE, subject, &smallest);
  course->findings->trials += reduction.trials;
  course->is_cut = reduction.is_cut || (!reduced && reduction_ends(course));
  map_context_destroy(context);
  return reduced ? smallest : subject;
}

/* The same with less time for each answer of an engine that hangs. The whole limit is kept for the
 * last question. */
static const char *engine_findings_reduce_hang(
    EngineFindingsCourse *course, Arena *arena, const Look *look, const char *subject) {
  Engine *engine = course->findings->judge->engine;
  double end = course->end;
  if (look->answer.column != SCORE_hung || end == 0)
    return engine_findings_reduce(course, arena, look, subject);
  uint64_t limit = engine_set_time(engine, trial_milliseconds);
  if (limit < trial_milliseconds) (void)engine_set_time(engine, limit);
  double last = 1 + (double)limit * 1e-3;
  course->end = end - last;
  const char *small = engine_findings_reduce(course, arena, look, subject);
  (void)engine_set_time(engine, limit);
  course->end = fmax(end, clock_wall() + last);
  return small;
}

/* --- names and files --- */

/* The name of the fault's group as a file name. */
static FindingName engine_findings_name_of(EngineVerb verb, const Look *look) {
  FindingName name = {};
  snprintf(name.text, sizeof name.text, "%s%s", verb == ENGINE_ANALYSE ? "graph-" : "",
      look->answer.fault.text);
  for (char *at = name.text; *at != 0; at++)
    if (*at == '/') *at = '-';
  return name;
}

static bool has_name(uint32_t count, const FindingName *items, const FindingName *name) {
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(items[i].text, name->text) == 0) return true;
  return false;
}

/* Prints what the engine did, and how to ask it again. */
static void print_head(Text *text, const Engine *engine, const char *remark, const char *path,
    const char *name, const Look *look) {
  const ScoreAnswer *answer = &look->answer;
  text_printf(text, "%s %s\n%s %s%s%s\n", remark, name, remark,
      answer->is_reply ? "" : answer->kind, answer->is_reply ? "" : ": ", answer->words);
  for (const char *at = answer->maps; *at != 0;) {
    size_t length = strcspn(at, "\n");
    text_printf(text, "%s answer: %.*s\n", remark, (int)length, at);
    at += length + (at[length] != 0);
  }
  if (look->unreduced != UNREDUCED_NOT)
    text_printf(text, "%s %s: %s\n", remark,
        look->unreduced == UNREDUCED_ENDED ? "not the smallest" : "not reduced",
        unreduced_texts[look->unreduced]);
  if (look->unreduced == UNREDUCED_NEEDS_EARLIER) {
    text_printf(text, "%s of %s; no replay by one question\n", remark, engine_name(engine));
    return;
  }
  text_printf(text, "%s of %s; replay: ", remark, engine_name(engine));
  text_foreign(
      text, arena_printf(text->arena, "affirm check %s%s%s %s%s", shell_word(text->arena, path),
                look->options[0] == 0 ? "" : " ", look->options, engine_option(engine),
                answer->is_avoidable ? " --exact" : ""));
  text_string(text, "\n");
}

/* Prints affirm's own composition as the expected result of a case, simplified as the case's is. It
 * succeeded before, or there would be no finding. */
static void print_composition(Text *text, Judge *judge, const char *subject) {
  MapMark mark = map_context_mark(judge->context);
  const char *between = strstr(subject, " ; ");
  const Map *consumer, *producer, *both, *simplified;
  Error error = {};
  assert(between != nullptr);
  const char *right = "";
  if (engine_findings_parse(judge, text->arena, subject, (size_t)(between - subject), &consumer) &&
      engine_findings_parse(judge, text->arena, between + 3, strlen(between + 3), &producer) &&
      map_compose(judge->context, consumer, producer, &both, &error)) {
    if (!simplify_map(judge->simplifier, both, nullptr, &simplified, nullptr, &error))
      simplified = both;
    right = map_text(text->arena, judge->context, simplified, MAP_STYLE_LINE);
  }
  text_printf(text, "compose %s\n= %s\n", case_continued(text->arena, subject),
      case_continued(text->arena, right));
  map_context_rewind(judge->context, mark);
}

static Text finding_text(Judge *judge, Arena *arena, EngineVerb verb, const char *subject,
    const char *path, const FindingName *name, const Look *look) {
  Text text = text_create(arena);
  print_head(&text, judge->engine, verb == ENGINE_ANALYSE ? "//" : "#", path, name->text, look);
  switch (verb) {
    case ENGINE_ANALYSE: text_string(&text, subject); break;
    case ENGINE_SIMPLIFY:
      text_printf(&text, "keeps %s\nproved\n", case_continued(arena, subject));
      break;
    case ENGINE_COMPOSE: print_composition(&text, judge, subject); break;
  }
  return text;
}

static void write_finding(EngineFindings *findings, Arena *arena, EngineVerb verb,
    const char *subject, const FindingName *name, const Look *look) {
  const char *path = arena_printf(
      arena, "%s/%s.%s", findings->directory, name->text, verb == ENGINE_ANALYSE ? "hlo" : "case");
  Text text = finding_text(findings->judge, arena, verb, subject, path, name, look);
  bool is_written = session_write(path, text.bytes, text.length);
  findings->lost += !is_written;
  if (!is_written) return;
  if (findings->found != nullptr) findings->found(findings->state, path);
  else session_warn("found %s", path);
}

static const char *text_kept(Arena *arena, const char *text) {
  return text == nullptr ? nullptr : arena_text(arena, text, strlen(text));
}

static void forget_last(EngineFindingsCourse *course) {
  if (course->last_texts != nullptr) arena_destroy(course->last_texts);
  course->last_texts = nullptr;
}

/* Copies the result of the last trial that showed the fault, if there is one. */
static void keep_last(const EngineFindingsCourse *course, Arena *arena, Look *look) {
  if (course->last_texts == nullptr) return;
  *look = course->last;
  look->options = text_kept(arena, look->options);
  look->instruction = text_kept(arena, look->instruction);
  look->answer.maps = text_kept(arena, look->answer.maps);
  look->answer.words = text_kept(arena, look->answer.words);
}

/* The reduced text, and the engine's result for it: the original if the engine does not fail
 * twice. Once the work should end, the result of the last trial counts. */
static const char *reduced_look(EngineFindingsCourse *course, Arena *arena, const char *subject,
    const Look *look, Look *again) {
  const char *small = engine_findings_reduce_hang(course, arena, look, subject);
  bool is_known = course->unreduced != UNREDUCED_NOT &&
                  (look->instruction != nullptr || course->verb != ENGINE_ANALYSE);
  *again = *look;
  if (!is_known) look_at(course, arena, small, strlen(small), again);
  bool has_ended = reduction_ends(course);
  if (!again->is_fault && has_ended) keep_last(course, arena, again);
  forget_last(course);
  bool is_again = again->is_fault;
  if (!is_again) *again = *look;
  if (!is_again && !has_ended && course->unreduced == UNREDUCED_NOT)
    course->unreduced = UNREDUCED_NOT_AGAIN;
  again->unreduced = course->unreduced;
  return is_again ? small : subject;
}

static void note_questions(const Score *score, FindingReduction *reduction) {
  reduction->asked = score->questions;
  for (uint32_t i = 0; i < score_column_count; i++)
    if (score_column_status((ScoreColumn)i) == STATUS_UNDECIDED)
      reduction->undecided += score->counts[i];
}

bool finding_reduce(Judge *judge, Arena *arena, FindingReduction *reduction) {
  EngineFindings findings = {.judge = judge};
  double begin = clock_wall();
  EngineFindingsCourse course = {.findings = &findings,
      .verb = reduction->verb,
      .kind = reduction->kind,
      .end = reduction->end,
      .most_trials = reduction->most_trials,
      .asks_called = true};
  Look look, again;
  look_at(&course, arena, reduction->subject, strlen(reduction->subject), &look);
  note_questions(&findings.score, reduction);
  reduction->unasked = look.unasked;
  reduction->late = look.late;
  if (!is_wanted(&course, &look)) return false;
  course.wanted = look.answer.fault.text;
  course.asks_called = look.is_called;
  const char *small = reduced_look(&course, arena, reduction->subject, &look, &again);
  reduction->trials = (uint32_t)findings.trials;
  reduction->seconds = clock_wall() - begin;
  reduction->size = strlen(small);
  reduction->is_cut = course.is_cut;
  reduction->unreduced = unreduced_texts[again.unreduced];
  reduction->name = engine_findings_name_of(reduction->verb, &again);
  reduction->text =
      finding_text(judge, arena, reduction->verb, small, reduction->path, &reduction->name, &again)
          .bytes;
  return true;
}

/* Reduces a kept wrong answer as long as any wrong answer remains, and counts its form. */
static void note_form(
    EngineFindingsCourse *course, Arena *arena, const char *subject, const Look *look) {
  if (!is_wrong(&look->answer)) return;
  course->wanted = "";
  const char *small = engine_findings_reduce(course, arena, look, subject);
  Look again;
  look_at(course, arena, small, strlen(small), &again);
  forget_last(course);
  if (!is_wanted(course, &again)) return; /* an engine that does not fail twice */
  bool is_module = course->verb == ENGINE_ANALYSE;
  const char *form = is_module ? finding_form_of_module(arena, small, again.answer.maps)
                               : finding_form_of_maps(arena, small, again.answer.maps);
  EngineFindings *findings = course->findings;
  finding_forms_add(findings->arena, &findings->forms, form, is_module ? "" : small);
}

void engine_finding(
    EngineFindings *findings, EngineVerb verb, const char *subject, const ScoreAnswer *answer) {
  assert(score_column_status(answer->column) == STATUS_REFUTED);
  Look look = {.is_fault = true, .options = "", .answer = *answer};
  FaultWitness witness = {.size = strlen(subject), .text = "a random input"};
  if (findings->faults != nullptr) engine_faults_note(findings->faults, &answer->fault, &witness);
  if (findings->baseline != nullptr && known_faults_has(findings->baseline, &answer->fault)) {
    findings->known++;
    return;
  }
  FindingName verb_result = engine_findings_name_of(verb, &look);
  if (has_name(findings->seen.count, findings->seen.items, &verb_result)) {
    findings->known++;
    return;
  }
  *ARENA_PUSH(findings->arena, &findings->seen) = verb_result;
  Arena *arena = arena_create();
  EngineFindingsCourse course = {.findings = findings,
      .verb = verb,
      .wanted = look.answer.fault.text,
      .most_trials = usual_trials};
  Look again;
  const char *small = reduced_look(&course, arena, subject, &look, &again);
  if (again.unreduced == UNREDUCED_NOT && course.is_cut && reduction_ends(&course))
    again.unreduced = UNREDUCED_ENDED;
  FindingName name = engine_findings_name_of(verb, &again);
  if (has_name(findings->names.count, findings->names.items, &name)) {
    findings->known++;
  } else {
    *ARENA_PUSH(findings->arena, &findings->names) = name;
    findings->kept++;
    write_finding(findings, arena, verb, small, &name, &again);
    note_form(&course, arena, small, &again);
  }
  arena_destroy(arena);
}
