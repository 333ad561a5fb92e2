/* Tries each judge in turn (rules and texts have none). A child process examines the subject with
 * this judge. If the child finds a fault, the subject is reduced as long as the child finds the
 * same fault. A candidate may take a few times as long as the first examination. A run that a time
 * limit ends shows nothing, unless `timeout` is the wanted kind: then a candidate shows it only
 * within the limit of the first examination, not if the whole time ends earlier. */
#include "reduce/shrink.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/base/foreign.h"
#include "core/base/budget.h"
#include "core/base/clock.h"
#include "core/hlo/print/print.h"
#include "core/hlo/read/read.h"
#include "fuzz/harness/harness.h"
#include "reduce/reducer.h"
#include "reduce/shrink_form.h"

typedef struct ShrinkCourse {
  Hunt hunt;
  Child *child;
  Reduction reduction;
  double deadline, patience; /* patience: limit of one look */
  double share;              /* of the remaining time, until the fault is seen */
  Error *error;
  bool is_broken;
  bool is_described; /* the description of the smallest text is not stopped, only limited */
} ShrinkCourse;

static const struct {
  FindFault *look;
  void (*describe)(Hunt *hunt);
  const char *unit;
} forms[] = {
    [FORM_MODULE] = {look_module, describe_module, "operations"},
    [FORM_MAP] = {look_maps, describe_maps, "expression nodes"},
    [FORM_COMPOSE] = {look_maps, describe_maps, "expression nodes"},
    [FORM_SAME] = {look_maps, describe_maps, "expression nodes"},
    [FORM_RELATION] = {look_maps, describe_maps, "expression nodes"},
    [FORM_CONTAINED] = {look_maps, describe_maps, "expression nodes"},
    [FORM_RULES] = {look_rules, describe_rules, "expression nodes"},
    [FORM_TEXT] = {look_text, describe_text, "bytes"},
};

const char *shrink_unit(ShrinkForm form) { return forms[form].unit; }

static bool is_stopped(const Shrink *shrink) { return shrink->stop != nullptr && shrink->stop(); }

static bool course_is_stopped(const ShrinkCourse *course) {
  return !course->is_described && is_stopped(course->hunt.shrink);
}

/* Counts a run that a time limit ended. False if the whole time ended before the run's own limit.
 */
static bool course_note_end(
    ShrinkCourse *course, double patience, const FaultSignature *signature) {
  if (!signature_is_timeout(signature)) return true;
  course->hunt.shrink->late++;
  return patience >= 0.99 * course->patience;
}

static bool shrink_look(ShrinkCourse *course, const char *wanted, const char *text, size_t length,
    FaultSignature *signature) {
  double left = course->deadline - clock_wall(),
         patience = course->patience < left ? course->patience : left;
  *signature = (FaultSignature){};
  if (course->is_broken || patience <= 0.01 || course_is_stopped(course)) return false;
  course->is_broken =
      !child_query(course->child, wanted, text, length, patience, signature, course->error);
  bool is_whole = !course->is_broken && !course_is_stopped(course) &&
                  course_note_end(course, patience, signature);
  if (!is_whole) *signature = (FaultSignature){};
  return is_whole;
}

static bool still_shows(void *state, const char *text, size_t length) {
  ShrinkCourse *course = state;
  FaultSignature signature;
  const char *wanted = course->hunt.shrink->signature.text;
  bool crash = signature_is_crash(&course->hunt.shrink->signature);
  if (course->hunt.shrink->at != nullptr)
    course->hunt.shrink->at(course->reduction.trials, course->deadline - clock_wall());
  if (!shrink_look(course, crash ? "" : wanted, text, length, &signature))
    course->reduction.most_trials = 0;
  return strcmp(signature.text, wanted) == 0;
}

static bool shrink_is_over(const void *state) {
  const ShrinkCourse *course = state;
  return course->deadline <= clock_wall() || is_stopped(course->hunt.shrink);
}

static bool shrink_reads(ShrinkCourse *course, const char *text, size_t length) {
  FaultSignature signature;
  return shrink_look(course, signature_reads, text, length, &signature) &&
         strcmp(signature.text, signature_reads) == 0;
}

/* Reduces the subject by its form. If even parsing it crashes, it is reduced as bytes. */
static bool shrink_reduce(ShrinkCourse *course, const char *text, size_t length) {
  Shrink *shrink = course->hunt.shrink;
  static constexpr MapPair pairs[] = {[FORM_MAP] = PAIR_NONE,
      [FORM_COMPOSE] = PAIR_CHAIN,
      [FORM_SAME] = PAIR_ALIKE,
      [FORM_RELATION] = PAIR_ALIKE,
      [FORM_CONTAINED] = PAIR_ALIKE};
  bool reduced = false;
  shrink->length = length;
  switch (shrink->form) {
    case FORM_MODULE:
      if (!shrink_reads(course, text, length))
        return reduce_text(
            shrink->arena, &course->reduction, text, &shrink->length, &shrink->smallest);
      reduced = reduce_hlo(shrink->arena, &course->reduction, text, &shrink->smallest);
      break;
    case FORM_MAP:
    case FORM_COMPOSE:
    case FORM_SAME:
    case FORM_RELATION:
    case FORM_CONTAINED:
      if (shrink_reads(course, text, length)) {
        MapContext *context = map_context_create();
        reduced = reduce_maps(shrink->arena, context, &course->reduction, pairs[shrink->form], text,
            &shrink->smallest);
        map_context_destroy(context);
        break;
      }
      [[fallthrough]];
    case FORM_RULES:
    case FORM_TEXT:
      return reduce_text(
          shrink->arena, &course->reduction, text, &shrink->length, &shrink->smallest);
  }
  shrink->length = reduced ? strlen(shrink->smallest) : 0;
  return reduced;
}

static bool shrink_sees(ShrinkCourse *course, const char *text, size_t length) {
  Shrink *shrink = course->hunt.shrink;
  double start = clock_wall();
  FaultSignature signature = {};
  course->patience = course->share * (course->deadline - start);
  if (*shrink->kind != 0 && !shrink_look(course, shrink->kind, text, length, &signature))
    return false;
  if (signature.text[0] == 0 && !shrink_look(course, "", text, length, &signature)) return false;
  bool is_timeout = signature_is_timeout(&signature);
  if (signature.text[0] == 0 ||
      (is_timeout && strcmp(shrink->kind, finding_name(FOUND_TIMEOUT)) != 0))
    return false;
  FindingKind kind;
  [[maybe_unused]] bool is_known =
      finding_find(signature.text, strcspn(signature.text, " "), &kind);
  assert(is_known);
  shrink->signature = signature;
  if (!is_timeout) course->patience = 1 + 4 * (clock_wall() - start);
  return true;
}

/* After a stop the description has a few seconds: without it there is no case. */
static void shrink_describe(ShrinkCourse *course) {
  static constexpr double seconds_after_stop = 3;
  Shrink *shrink = course->hunt.shrink;
  double seconds = 1 + shrink->seconds / 10;
  bool is_late = is_stopped(shrink);
  if (is_late) seconds = fmin(seconds, seconds_after_stop);
  shrink->name = "finding";
  shrink->witness = shrink->maps = "";
  shrink->body = nullptr;
  course->is_described = is_late;
  if (is_late) child_stop_when(course->child, nullptr);
  course->deadline = clock_wall() + fmin(1 + course->patience, seconds);
  course->hunt.reads = shrink_reads(course, shrink->smallest, shrink->length);
  bool began = budget_begin((uint32_t)seconds, is_late ? nullptr : shrink->stop);
  forms[shrink->form].describe(&course->hunt);
  budget_end(began);
  if (signature_is_crash(&shrink->signature)) shrink->witness = shrink->signature.text;
}

/* Findings without maps and points need no second judge. */
static bool shrink_queries_once(const Shrink *shrink) {
  return shrink->form == FORM_RULES || shrink->form == FORM_TEXT;
}

/* Reduces a subject that shows a finding. If time, trials or a stop end even its first trial, the
 * subject is the smallest text. */
static bool shrink_seen(ShrinkCourse *course, const char *text, size_t length) {
  Shrink *shrink = course->hunt.shrink;
  if (shrink_reduce(course, text, length)) return true;
  if (!reduction_is_over(&course->reduction)) return false;
  course->reduction.is_cut = true;
  shrink->smallest = text;
  shrink->length = length;
  return true;
}

/* Reduces with one judge, until the deadline. Returns false if the judge cannot be created. A judge
 * that does not see the fault gets only its share of the time, because others follow. */
static bool shrink_by(Shrink *shrink, ShrinkJudge kind, bool asks_called, double deadline,
    const char *text, size_t length, bool *found, Error *error) {
  JudgeOptions options = {.rules = shrink->rules,
      .without_smt = kind == SHRINK_ORACLE,
      .without_oracle = kind == SHRINK_SMT};
  ShrinkCourse course = {.hunt = {.shrink = shrink,
                             .judge = judge_create(&options, error),
                             .asks_called = asks_called},
      .deadline = deadline,
      .share = shrink_queries_once(shrink) ? 1 : 1.0 / (1 + SHRINK_BOTH - kind),
      .error = error};
  if (course.hunt.judge == nullptr) return false;
  course.hunt.scratch = arena_create();
  if (shrink->form == FORM_TEXT) (void)harness_begin();
  course.child = child_create(shrink->arena, forms[shrink->form].look, &course.hunt);
  child_stop_when(course.child, shrink->stop);
  course.reduction = (Reduction){.still_shows = still_shows,
      .is_over = shrink_is_over,
      .state = &course,
      .most_trials = shrink->most_trials};
  *found = shrink_sees(&course, text, length) && shrink_seen(&course, text, length);
  shrink->trials = course.reduction.trials;
  shrink->is_cut = course.reduction.is_cut;
  shrink->judge = kind;
  if (*found) shrink_describe(&course);
  child_destroy(course.child);
  judge_destroy(course.hunt.judge);
  arena_destroy(course.hunt.scratch);
  return !course.is_broken;
}

/* Prints one instruction per line. */
static bool one_a_line(Arena *arena, const Source *subject, const char **text, Error *error) {
  const Module *module;
  Text lines = text_create(arena);
  if (!hlo_read(arena, subject, &module, error)) return false;
  hlo_print(&lines, module);
  *text = lines.bytes;
  return true;
}

typedef struct SubjectReading {
  Arena *arena;
  ShrinkForm form;
  const Source *subject;
} SubjectReading;

/* The text of the subject: a module is printed one instruction per line. */
static bool reading_text(const SubjectReading *reading, const char **text, Error *error) {
  *text = reading->subject->text;
  if (reading->form == FORM_MODULE)
    return one_a_line(reading->arena, reading->subject, text, error);
  return shrink_subject_reads(reading->form, reading->subject, error);
}

/* Run in a child first, because parsing and printing are under test too. */
static void look_reading(
    void *state, const char *, const char *, size_t, FaultSignature *signature) {
  Error error = {};
  const char *lines;
  signature_set(signature, reading_text(state, &lines, &error) ? signature_reads : "refused");
}

/* A subject whose parsing ends the process stays unchanged; a rejected subject is bad input. */
static bool shrink_prepare(Shrink *shrink, const Source *subject, const char **text, Error *error) {
  FaultSignature signature;
  SubjectReading reading = {.arena = shrink->arena, .form = shrink->form, .subject = subject};
  *text = subject->text;
  if (shrink->form == FORM_TEXT) return true;
  Child *child = child_create(shrink->arena, look_reading, &reading);
  child_stop_when(child, shrink->stop);
  bool is_answered = child_query(child, "", "", 0, shrink->seconds, &signature, error);
  child_destroy(child);
  return is_answered && (signature_is_crash(&signature) || reading_text(&reading, text, error));
}

ShrinkEnd shrink(Shrink *shrinking, const Source *subject, Error *error) {
  assert(shrinking->seconds > 0 && shrinking->kind != nullptr);
  double start = clock_wall(), deadline = start + shrinking->seconds;
  const char *text;
  shrinking->late = 0;
  if (!shrink_prepare(shrinking, subject, &text, error)) return SHRINK_ERROR;
  size_t length = text == subject->text ? subject->length : strlen(text);
  uint32_t rounds = shrinking->form == FORM_MODULE ? 2 : 1; /* the second asks everywhere */
  for (uint32_t round = 0; round < rounds; round++)
    for (ShrinkJudge kind = SHRINK_ORACLE; kind <= SHRINK_BOTH; kind++) {
      bool found;
      if (!shrink_by(shrinking, kind, round > 0, deadline, text, length, &found, error))
        return SHRINK_ERROR;
      shrinking->took = clock_wall() - start;
      if (found) return SHRINK_DONE;
      if (shrink_queries_once(shrinking) || is_stopped(shrinking)) return SHRINK_NO_FAULT;
    }
  return SHRINK_NO_FAULT;
}

static const char *const judge_names[] = {[SHRINK_ORACLE] = "enumeration",
    [SHRINK_SMT] = "proof",
    [SHRINK_BOTH] = "enumeration and proof together"};

static const char *seen_by(const Shrink *shrink) {
  if (signature_is_crash(&shrink->signature)) return "the process itself";
  if (shrink->form == FORM_RULES) return "plain evaluation of the rule";
  if (strncmp(shrink->signature.text, finding_name(FOUND_NOT_CANONICAL),
          strlen(finding_name(FOUND_NOT_CANONICAL))) == 0)
    return "simplifying once more";
  return shrink->form == FORM_TEXT ? "printing and reading" : judge_names[shrink->judge];
}

static void print_remark(Text *text, const char *word, const char *remark) {
  if (*remark == 0) return;
  text_printf(text, "# %s: ", word);
  for (; *remark != 0; remark++)
    text_append(text, *remark == '\n' ? " | " : remark, *remark == '\n' ? 3 : 1);
  text_string(text, "\n");
}

/* A case does not name rules, so the command that replays it does. Rules added to the engine's own
 * come last. */
static void print_replay(Text *text, const RuleSet *rules, const char *path) {
  if (rules == nullptr || rules->count == 0)
    print_remark(text, "replay",
        arena_printf(text->arena, "affirm check %s", shell_word(text->arena, path)));
  else
    print_remark(text, "replay",
        arena_printf(text->arena, "affirm reduce %s --rules %s", shell_word(text->arena, path),
            shell_word(text->arena, rules->items[rules->count - 1].file)));
}

void shrink_print_case(Text *text, const Shrink *shrinking, const char *origin, const char *seed,
    const char *version, const char *path) {
  assert(shrinking->body != nullptr);
  text_printf(text, "# reduced_%s\n", shrinking->name);
  print_remark(text, "signature", shrinking->signature.text);
  print_remark(text, "witness", shrinking->witness);
  print_remark(text, "map", shrinking->maps);
  text_printf(text, "# refuted by %s; reduced from %s with version %s; %s, %s%s\n",
      seen_by(shrinking), origin, version, counted(shrinking->trials, "trial"),
      seed == nullptr ? "no random choice" : "found with seed ", seed == nullptr ? "" : seed);
  print_replay(text, shrinking->rules, path);
  text_string(text, shrinking->body);
}
