/* affirm reduce: reduces a finding of any kind and writes it as a case of its own. The file's
 * content decides between modules, maps, pairs, compositions, rules and texts; bytes of a fuzz
 * target are run through its program first. Only the judge that showed the finding is asked
 * again. */
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/reduce/reduce_engine.h"
#include "cli/reduce/reduce_program.h"
#include "cli/prove/rule_files.h"
#include "cli/session.h"
#include "cli/session_guard.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/program.h"
#include "fuzz/harness/kinds.h"
#include "reduce/shrink_case.h"

typedef struct ReduceCommand {
  Arena *arena;
  const RuleSet *rule_set; /* the engine's rules and then those of --rules; nullptr without it */
  const char *rules, *output, *target, *wanted, *kind;
  int64_t seconds, trials;
  double end; /* deadline by clock_wall, shared by all subjects */
  EngineSettings engine;
  bool json;
} ReduceCommand;

/* Each subject gets at least one second. */
static double seconds_left(const ReduceCommand *command) {
  return fmax(1, command->end - clock_wall());
}

/* The file for bytes. Without --output it is a new one: nobody has named a file to overwrite, and
 * the input or an earlier finding may have the name. */
static const char *input_path(const ReduceCommand *command) {
  const char *path = command->output == nullptr ? "reduced.input" : command->output;
  for (uint32_t i = 2; command->output == nullptr && access(path, F_OK) == 0; i++)
    path = arena_printf(command->arena, "reduced.%u.input", i);
  return path;
}

/* The file for bytes beside that of a case. */
static const char *beside_case(Arena *arena, const char *path) {
  return arena_printf(arena, "%s.input", path);
}

/* Writes bytes that no case contains, unchanged, and never into a file of cases. */
static Status write_input(
    const ReduceCommand *command, const Shrink *shrinking, const Reduced *reduced) {
  const char *path = input_path(command);
  if (reduce_is_case_path(path)) path = beside_case(command->arena, path);
  session_warn("%s; the text is in %s",
      shrinking->is_cut ? "the limit left no time for a case" : "no case can express this", path);
  if (!session_write(path, shrinking->smallest, shrinking->length)) return STATUS_BAD;
  bool is_shown = !command->json || reduce_print_json(command->arena, reduced, "input", path);
  return is_shown ? STATUS_REFUTED : STATUS_BAD;
}

/* What a time limit ended, or nothing. */
static const char *late_text(
    const ReduceCommand *command, const char *before, uint32_t late, const char *what) {
  return late == 0 ? "" : arena_printf(command->arena, "%s%s", before, counted(late, what));
}

/* The size of a text that was not described is its length. */
static Status reduce_report(
    const ReduceCommand *command, const Shrink *shrinking, const char *origin, const char *seed) {
  bool is_measured = shrinking->body != nullptr || shrinking->size > 0;
  const Reduced reduced = {.origin = origin,
      .answer = shrinking->signature.text,
      .unit = is_measured ? shrink_unit(shrinking->form) : "bytes",
      .size = is_measured ? shrinking->size : shrinking->length,
      .trials = shrinking->trials,
      .late = shrinking->late,
      .seconds = shrinking->took};
  fprintf(stderr, "%s%s: %zu %s after %s in %.1f s%s\n",
      reduce_limit_text(shrinking->is_cut, shrinking->trials, command->trials), reduced.answer,
      reduced.size, reduced.unit, counted(reduced.trials, "trial"), reduced.seconds,
      late_text(command, "; timed out: ", shrinking->late, "run"));
  if (shrinking->body == nullptr) return write_input(command, shrinking, &reduced);
  Text text = text_create(command->arena);
  shrink_print_case(&text, shrinking, origin, seed, AFFIRM_VERSION,
      reduce_is_case_path(command->output) ? command->output : "FILE.case");
  return reduce_write(command->arena, &reduced, command->json, command->output, text.bytes);
}

static void reduce_at(uint32_t trials, double left) {
  session_item(trials - 1, 0, "trials", "trial %u, at most %.0f s left", trials, left);
}

/* The case so far is described and written after an interrupt. */
static bool reduce_stops(void) {
  if (!session_is_interrupted()) return false;
  session_say_ending();
  return true;
}

/* Cases that were not reduced: they pass, or a time limit ended the check whether they do. And runs
 * of other subjects, without a finding, that a time limit ended. `end`: of the last subject, if it
 * was not reduced. */
typedef struct ReduceTally {
  uint32_t passed, late, late_runs;
  const char *end;
} ReduceTally;

/* True if the case is to be reduced. What a case expects may be a finding, as `refuted`, so it is
 * reduced only if it is known not to pass. A case of a `.bad.case` file passes `affirm check` by
 * failing, so it is always reduced. */
static bool is_reduced(const ReduceCommand *command, const Subject *subject, const char *origin,
    const RuleSet *rules, ReduceTally *tally, Error *error) {
  CaseTrialEnd end = CASE_TRIAL_NOT_PASSED;
  bool is_asked =
      subject->one != nullptr && command->kind == nullptr && !string_ends_with(origin, ".bad.case");
  if (is_asked && !shrink_case_try(command->arena, rules, subject->one, seconds_left(command) / 4,
                      reduce_stops, &end, error))
    return false;
  tally->passed += end == CASE_TRIAL_PASSED;
  tally->late += end == CASE_TRIAL_LATE && !session_is_interrupted();
  tally->end = end == CASE_TRIAL_PASSED ? reduce_passes : reduce_late;
  return end == CASE_TRIAL_NOT_PASSED;
}

static Status reduce_fail(const Subject *subject, const Error *error) {
  const Error placed = subject_error(subject, error);
  return session_fail(&placed);
}

static Status reduce_subject(const ReduceCommand *command, const Subject *subject,
    const char *origin, const char *seed, ReduceTally *tally) {
  Error error = {};
  Shrink shrinking = {.arena = command->arena,
      .form = subject->form,
      .kind = command->kind == nullptr ? subject->kind : command->kind,
      .seconds = seconds_left(command),
      .most_trials = (uint32_t)command->trials,
      .rules = command->rule_set,
      .stop = reduce_stops,
      .at = reduce_at};
  session_at("%s", subject->name);
  tally->end = nullptr;
  if (!is_reduced(command, subject, origin, shrinking.rules, tally, &error))
    return error.kind != ERROR_NONE ? session_fail(&error) : STATUS_UNDECIDED;
  if (subject->unasked != nullptr) session_warn("%s: %s", subject->name, subject->unasked);
  error = subject->error;
  switch (error.kind != ERROR_NONE ? SHRINK_ERROR : shrink(&shrinking, &subject->text, &error)) {
    case SHRINK_DONE: return reduce_report(command, &shrinking, origin, seed);
    case SHRINK_NO_FAULT:
      tally->late_runs += shrinking.late;
      tally->end = shrinking.late > 0 ? reduce_late : reduce_no_finding;
      return STATUS_UNDECIDED;
    case SHRINK_ERROR: break;
  }
  tally->end = reduce_no_finding;
  bool expects_error =
      subject->one != nullptr && subject->one->expected.items[0].kind == EXPECT_ERROR;
  return expects_error ? STATUS_UNDECIDED : reduce_fail(subject, &error);
}

static void say_nothing_refuted(
    const ReduceCommand *command, const char *path, const ReduceTally *tally) {
  session_warn("%s: nothing is refuted%s%s%s", path,
      clock_wall() < command->end
          ? ""
          : arena_printf(command->arena, " within %lld s", (long long)command->seconds),
      tally->passed == 0 ? ""
                         : arena_printf(command->arena, "; not reduced, because they pass: %s",
                               counted(tally->passed, "case")),
      late_text(command, "; timed out: ", tally->late_runs, "run"));
}

/* With --json, an object for a subject that was not reduced. An interrupt leaves them out. */
static bool say_not_reduced(const ReduceCommand *command, const char *path, const Subject *subject,
    Status status, const char *end) {
  if (status != STATUS_UNDECIDED || session_is_interrupted()) return true;
  return reduce_print_end(command->arena, command->json, path, subject->name, end);
}

/* Reduces the first subject that shows a finding. Subjects that are no input are reported, and the
 * others are tried. */
static Status reduce_subjects(
    const ReduceCommand *command, const Subjects *subjects, const char *path) {
  Status status = STATUS_UNDECIDED;
  uint32_t tried = 0, unasked = 0;
  ReduceTally tally = {};
  for (uint32_t i = 0; i < subjects->count && status != STATUS_REFUTED && !session_is_interrupted();
      i++) {
    const Subject *subject = &subjects->items[i];
    if (command->wanted != nullptr && strcmp(command->wanted, subject->name) != 0) continue;
    bool is_left = tried++ > 0 && clock_wall() >= command->end;
    unasked += is_left;
    tally.end = reduce_no_time;
    Status one =
        is_left ? STATUS_UNDECIDED : reduce_subject(command, subject, path, subjects->seed, &tally);
    if (!say_not_reduced(command, path, subject, one, tally.end)) one = STATUS_BAD;
    status = status_worse(status, one);
  }
  if (unasked > 0) session_warn("%s: no time is left for %u of %u", path, unasked, subjects->count);
  if (tried == 0 && !session_is_interrupted())
    return session_usage("%s has no case '%s'", path, command->wanted);
  if (status == STATUS_UNDECIDED && !session_is_interrupted())
    say_nothing_refuted(command, path, &tally);
  if (tally.late > 0)
    session_warn(
        "%s: timed out before it is known whether they pass, so not reduced: %s; more --seconds, or --kind, which reduces without this check",
        path, counted(tally.late, "case"));
  return status;
}

static Status reduce_file(const ReduceCommand *command, const char *path) {
  Source file;
  Subjects subjects;
  Error error = {};
  if (!reduce_read(command->arena, path, &file, &subjects, &error)) return session_fail(&error);
  return reduce_subjects(command, &subjects, file.name);
}

static const char *program_path(Arena *arena, const char *target) {
  char directory[PATH_MAX];
  (void)program_directory(sizeof directory, directory);
  const char *fuzz = arena_printf(arena, "%s/fuzz_%s", directory, target);
  return access(fuzz, X_OK) == 0 ? fuzz : arena_printf(arena, "%s/replay_%s", directory, target);
}

/* Extracts the subject from the program's report. For target text it is everything after the first
 * byte, which selects the parser: the target's reports show printed text instead. */
static bool subject_of_program(
    const ReduceCommand *command, const ProgramReduction *program, Subject *subject) {
  if (strcmp(command->target, "text") != 0)
    return subject_of_report(command->arena, program->log, subject);
  *subject = (Subject){.form = FORM_TEXT,
      .kind = "",
      .name = "bytes",
      .text = {.name = "bytes",
          .text = program->smallest + 1,
          .length = program->length - 1,
          .first_line = 1}};
  return program->length > 0;
}

/* Reduces the bytes first; then what they decode to. */
static Status reduce_input(const ReduceCommand *command, const char *path) {
  const double begin = clock_wall();
  Source file;
  Error error = {};
  ProgramReduction program = {.arena = command->arena,
      .program = program_path(command->arena, command->target),
      .seconds = (double)command->seconds,
      .most_trials = (uint32_t)command->trials};
  if (!file_read(command->arena, path, file_limit, &file, &error) ||
      !reduce_by_program(&program, &file, &error))
    return session_fail(&error);
  if (program.kind == nullptr) {
    session_warn("%s: %s finds no fault in it%s", path, program.program,
        late_text(command, "; timed out: ", program.late, "run"));
    return STATUS_UNDECIDED;
  }
  fprintf(stderr, "%s%s: %zu of %s after %s%s\n",
      reduce_limit_text(program.is_cut, program.trials, command->trials), program.kind,
      program.length, counted(file.length, "byte"), counted(program.trials, "trial"),
      late_text(command, "; timed out: ", program.late, "run"));
  Subject subject;
  ReduceTally tally = {};
  Status status = subject_of_program(command, &program, &subject)
                      ? reduce_subject(command, &subject, path, nullptr, &tally)
                      : STATUS_UNDECIDED;
  if (status != STATUS_UNDECIDED) return status;
  const Reduced reduced = {path, program.kind, "bytes", program.length, program.trials,
      program.late, clock_wall() - begin};
  const char *output = input_path(command);
  session_warn("the input is in %s; replay: %s %s", output, program.program, output);
  if (!session_write(output, program.smallest, program.length)) return STATUS_BAD;
  bool is_shown = !command->json || reduce_print_json(command->arena, &reduced, "input", output);
  return is_shown ? STATUS_REFUTED : STATUS_BAD;
}

/* False if no finding has this kind; then the known kinds are listed. */
static bool is_known_kind(const char *kind) {
  FindingKind found;
  if (kind == nullptr || finding_find(kind, strlen(kind), &found)) return true;
  Arena *arena = arena_create();
  Text text = text_create(arena);
  finding_list(&text);
  session_warn("no kind of finding is named '%s'; the kinds are:", kind);
  fputs(text.bytes, stderr);
  arena_destroy(arena);
  return false;
}

static Status reduce_foreign(const ReduceCommand *command, const char *path) {
  if (command->target != nullptr || command->rules != nullptr)
    return session_usage("--engine cannot be combined with --target or --rules");
  return reduce_for_engine(&(ReduceEngine){.arena = command->arena,
                               .settings = &command->engine,
                               .output = command->output,
                               .wanted = command->wanted,
                               .kind = command->kind,
                               .end = command->end,
                               .trials = (uint32_t)command->trials,
                               .json = command->json},
      path);
}

static Status reduce_any_form(ReduceCommand *command, const char *path) {
  Error error = {};
  if (engine_is_wanted(&command->engine)) return reduce_foreign(command, path);
  if (!is_known_kind(command->kind)) return STATUS_BAD;
  if (!rule_files_read(command->arena, command->rules, &command->rule_set, &error))
    return session_fail(&error);
  return command->target == nullptr ? reduce_file(command, path) : reduce_input(command, path);
}

static bool reduce_keeps_input(const ReduceCommand *command, const char *path) {
  const char *beside =
      reduce_is_case_path(command->output) ? beside_case(command->arena, command->output) : nullptr;
  if (beside == nullptr || !input_has(path, input_name_is_usual, beside)) return true;
  session_warn("--output would overwrite an input: %s", beside);
  return false;
}

static const OptionNeed reduce_needs[] = {ENGINE_NEEDS};

int cli_reduce(int argc, char **argv) {
  ReduceCommand command = {.seconds = 30, .trials = 20000, .engine = engine_settings_usual};
  const Option options[] = {
      {"output", OPTION_STREAM, &command.output,
          "FILE: write the case, or an engine's module, to this file instead of standard output (-). An input that no case contains is written to a new file, reduced.input, without the option.",
          nullptr},
      {"case", OPTION_TEXT, &command.wanted,
          "NAME: this case of a .case file, instead of the first that shows a finding", nullptr},
      {"kind", OPTION_TEXT, &command.kind,
          "WORD: the kind of finding to look for first (default: the file's own); an unknown word prints the list",
          nullptr},
      {"target", OPTION_TEXT, &command.target,
          "NAME: the file has bytes for this fuzz target, whose program must be beside affirm",
          nullptr},
      {"rules", OPTION_INPUT, &command.rules, "FILE: apply these rules after the engine's own",
          nullptr},
      {"seconds", OPTION_COUNT, &command.seconds,
          "N: stop after N seconds with the smallest case so far (30)", nullptr},
      {"json", OPTION_FLAG, &command.json,
          "print the case and its finding as one JSON object, and one for each case that is tried before and not reduced",
          nullptr},
      {"trials", OPTION_COUNT, &command.trials,
          "N: maximum number of smaller texts that are tried (20000)", nullptr},
      ENGINE_OPTIONS(command.engine),
  };
  const Command table = {.usage = "reduce FILE [OPTION]...",
      .about =
          "Reduces a finding and writes it as a case. FILE is a module, a .case file, a report of a fuzz target, rules or a map. With --engine or --engine-cmd the finding is a fault of that engine "
          "about a module, a map or a composition, and --kind is a kind of fault, such as wrong, crashed or hung. The reduced module is then written as HLO, a reduced map or composition as a case. "
          "The name of --output must end in .case if a case is written, and must not if HLO is written.",
      .notes =
          "Engine and judges run in a child process: crashes and timeouts are findings like any others.\n"
          "A case that passes affirm check is not reduced, nor one for which a quarter of the time does not show whether it passes, unless --kind says what to look for; those of a .bad.case file always are. Of a module in a case the engine's own maps are asked, not given maps or an expected answer.\n"
          "Exit status: 1 a finding, reduced unless a message says why not; 2 nothing is refuted; 3 bad input.",
      OPTION_TABLE(options),
      NEED_TABLE(reduce_needs)};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (first + 1 != argc) return session_end(session_usage("reduce needs one file"));
  if (!option_fits("trials", command.trials, UINT32_MAX) ||
      !option_fits("seconds", command.seconds, 86'400))
    return session_end(STATUS_BAD);
  if (command.output != nullptr && strcmp(command.output, "-") == 0) command.output = nullptr;
  command.arena = arena_create();
  command.end = clock_wall() + (double)command.seconds;
  Status status = reduce_keeps_input(&command, argv[first]) ? reduce_any_form(&command, argv[first])
                                                            : STATUS_BAD;
  arena_destroy(command.arena);
  return session_end(status);
}
