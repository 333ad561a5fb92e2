/* Finds the steps of a directory by scanning, starts them whenever a job is free, and prints them
 * in order. A growing directory is scanned repeatedly. A file counts once a later file of its
 * module exists, or once no more files can come. Steps with equal texts, and steps in a journal,
 * need no job. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "cli/watch/watch.h"
#include "cli/session_guard.h"
#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/base/program.h"

static constexpr double scan_seconds = 0.3;

/* The step whose text after is at this path; nullptr if there is none. */
static const WatchStep *step_after(const WatchCommand *command, const char *path) {
  uint32_t item;
  for (TableProbe probe = table_probe(&command->known, hash_text(0, path));
      table_next(&command->known, &probe, &item);)
    if (strcmp(command->steps.items[item].after.path, path) == 0)
      return &command->steps.items[item];
  return nullptr;
}

static DumpFile copy_file(Arena *arena, const DumpFile *file) {
  DumpFile copy = *file;
  copy.path = arena_text(arena, file->path, strlen(file->path));
  copy.module = arena_text(arena, file->module, strlen(file->module));
  if (file->pipeline != nullptr)
    copy.pipeline = arena_text(arena, file->pipeline, strlen(file->pipeline));
  if (file->pass != nullptr) copy.pass = arena_text(arena, file->pass, strlen(file->pass));
  return copy;
}

/* Reports numbers that are missing in a dump. The step over the gap is judged as one step. The
 * first number of a module is 0 or 1. */
static void warn_of_gap(const DumpFile *before, const DumpFile *after) {
  int64_t last = before->number < 0 ? 0 : before->number;
  if (after->number < INT64_MAX && after->number - 1 > last)
    session_warn("%s: numbers %lld to %lld are missing; they are judged as one step", after->path,
        (long long)last + 1, (long long)after->number - 1);
}

/* Whether the first text of a module is the result of a pass whose text before is missing. The
 * start of a pipeline is not a pass. A numbered text that is alone may belong to another module:
 * in the name m.3.fold.2.hlo the pass has a number as well. */
static bool lacks_text_before(const DumpFile *first, bool has_next) {
  return first->pipeline == nullptr ? !has_next : strcmp(first->pass, "pipeline-start") != 0;
}

static void scan_file(WatchCommand *command, const Dump *dump, uint32_t at, bool is_final) {
  const DumpFile *file = &dump->items[at];
  bool has_before = at > 0 && strcmp(file[-1].module, file->module) == 0;
  bool has_next = at + 1 < dump->count && strcmp(file[1].module, file->module) == 0;
  if (file->pass == nullptr || (!is_final && !has_next) ||
      step_after(command, file->path) != nullptr)
    return;
  if (!has_before && !lacks_text_before(file, has_next)) return;
  if (has_before) warn_of_gap(file - 1, file);
  *ARENA_PUSH(command->arena, &command->steps) =
      (WatchStep){.before = copy_file(command->arena, has_before ? file - 1 : file),
          .after = copy_file(command->arena, file),
          .has_before = has_before};
  table_add(&command->known, command->arena, hash_text(0, file->path), command->steps.count - 1);
}

/* A text that belongs to no step is a step that is not read, so that the run does not pass. */
static void scan_unjudged(WatchCommand *command, const Dump *dump) {
  for (uint32_t i = 0; i < dump->unjudged.count; i++) {
    const DumpFile file = copy_file(command->arena, &dump->unjudged.items[i]);
    *ARENA_PUSH(command->arena, &command->steps) = (WatchStep){.before = file, .after = file};
  }
}

static bool scan(WatchCommand *command, const char *path, bool is_final, Error *error) {
  Dump dump;
  Arena *arena = arena_create();
  bool is_read = dump_read(arena, path, &dump, error);
  for (uint32_t i = 0; is_read && i < dump.count; i++) scan_file(command, &dump, i, is_final);
  if (is_read && is_final) scan_unjudged(command, &dump);
  arena_destroy(arena);
  return is_read;
}

/* --- one step --- */

static uint64_t sum_file(WatchCommand *command, const char *path, bool *is_read) {
  Source source;
  Error error = {};
  if (command->last_path != nullptr && strcmp(command->last_path, path) == 0)
    return command->last_sum;
  Arena *arena = arena_create();
  *is_read = *is_read && step_read(arena, path, &source, &error);
  uint64_t sum = *is_read ? checksum_bytes(checksum_start, source.text, source.length) : 0;
  arena_destroy(arena);
  return sum;
}

/* The key of the question: both texts, the options, and the judging program. */
static uint64_t step_key(
    const WatchCommand *command, const WatchStep *step, uint64_t before, uint64_t after) {
  uint64_t parts[] = {before, after, (uint64_t)command->elements, command->grade, command->both,
      (uint64_t)command->pairs, (uint64_t)command->seconds, (uint64_t)command->megabytes,
      program_hash(), strcmp(step->before.path, step->after.path) < 0};
  char bytes[sizeof parts];
  memcpy(bytes, parts, sizeof parts);
  return checksum_bytes(checksum_start, bytes, sizeof bytes);
}

static void judge_repeated(const WatchStep *step) {
  step->verdict->answer = REASON_MALFORMED;
  if (step->after.number == INT64_MAX)
    snprintf(step->verdict->reason, sizeof step->verdict->reason,
        "%s: another text is the last one of this module", step->after.path);
  else
    snprintf(step->verdict->reason, sizeof step->verdict->reason,
        "%s: another file has number %lld", step->after.path, (long long)step->after.number);
}

static void judge_without_text_before(const WatchStep *step) {
  const char *why = step->after.why_unjudged;
  step->verdict->answer = REASON_MALFORMED;
  snprintf(step->verdict->reason, sizeof step->verdict->reason, "%s: %s, so it is not judged",
      step->after.path, why == nullptr ? "no text before this pass" : why);
}

/* `why`: the errno of the failed start. */
static void judge_not_started(WatchStep *step, int why) {
  *step->verdict = (StepVerdict){.answer = REASON_OPEN, .is_lost = true};
  snprintf(step->verdict->reason, sizeof step->verdict->reason,
      "no process for this step can be started: %s", strerror(why));
  step->is_judged = true;
}

/* If the text before a step cannot be parsed, the step begins at the text before that one, so that
 * no pass is left out. */
static bool step_goes_back(const WatchCommand *command, WatchStep *step) {
  const WatchStep *unread = step_after(command, step->before.path);
  if (!step->verdict->lacks_before || unread == nullptr || !unread->has_before) return false;
  step->before = unread->before;
  session_warn("%s: the text before cannot be parsed; the step begins at %s", step->after.path,
      step->before.path);
  return true;
}

/* Starts a step. Equal texts, and steps in the journal, need no job. */
static void query_step(WatchCommand *command, uint32_t number) {
  WatchStep *step = &command->steps.items[number];
  do {
    bool is_read = true;
    uint64_t before = sum_file(command, step->before.path, &is_read),
             after = sum_file(command, step->after.path, &is_read);
    command->last_sum = after;
    command->last_path = is_read ? step->after.path : nullptr;
    step->key = step_key(command, step, before, after);
    step->is_judged = true;
    if (is_read && before == after) {
      step_judge(step->arena, step->before.path, step->after.path, &command->limits, step->verdict);
      return;
    }
    step->is_judged = kept_find(&command->kept, step->arena, step->key, step->verdict);
  } while (step->is_judged && step_goes_back(command, step));
  if (!step->is_judged &&
      !pool_start(&command->pool, number, step->before.path, step->after.path, &command->limits))
    judge_not_started(step, errno);
}

static void start_step(WatchCommand *command, uint32_t number) {
  WatchStep *step = &command->steps.items[number];
  step->is_started = step->is_judged = true;
  step->arena = arena_create();
  step->verdict = ARENA_NEW(step->arena, StepVerdict, 1);
  if (!step->has_before) judge_without_text_before(step);
  else if (step->after.is_repeated) judge_repeated(step);
  else query_step(command, number);
}

/* A journal that cannot be written is not written again: a torn line is then its last one. */
static void leave_journal(WatchCommand *command) {
  session_warn("%s: cannot be written; further steps are not recorded", command->journal);
  kept_close(&command->kept);
  command->status = status_worse(command->status, STATUS_BAD);
}

static void take_step(WatchCommand *command) {
  uint32_t number;
  StepVerdict verdict;
  Arena *arena = arena_create();
  if (!pool_take(&command->pool, arena, &number, &verdict)) {
    arena_destroy(arena);
    return;
  }
  WatchStep *step = &command->steps.items[number];
  arena_destroy(step->arena);
  step->arena = arena;
  step->verdict = ARENA_NEW(arena, StepVerdict, 1);
  *step->verdict = verdict;
  step->is_judged = true;
  if (!kept_add(&command->kept, step->key, &verdict)) leave_journal(command);
  if (step_goes_back(command, step)) query_step(command, number);
}

/* Reports files that are no modules, and modules whose entry has another signature. */
static void say_bad(const WatchStep *step) {
  const StepVerdict *verdict = step->verdict;
  if (verdict->answer == REASON_MALFORMED) session_warn("%s", verdict->reason);
  if (verdict->answer == REASON_SIGNATURE ||
      (verdict->answer == REASON_EXACT && verdict->reason[0] != 0))
    session_warn("%s: %s", step->after.path, verdict->reason);
}

/* Prints the judged steps, in order. */
static bool print_judged(WatchCommand *command) {
  bool is_printed = true;
  while (is_printed && command->steps.printed < command->steps.count) {
    WatchStep *step = &command->steps.items[command->steps.printed];
    if (!step->is_judged) break;
    say_bad(step);
    watch_note(command, &step->before, &step->after, step->verdict);
    is_printed = watch_print_step(command, &step->before, &step->after, step->verdict);
    arena_destroy(step->arena);
    step->arena = nullptr;
    command->steps.printed++;
  }
  watch_print_progress(command, false);
  return is_printed;
}

static bool has_ended(const WatchCommand *command, bool grows) {
  return !grows && command->steps.started == command->steps.count && pool_is_empty(&command->pool);
}

static bool start_steps(WatchCommand *command) {
  while (command->steps.started < command->steps.count && !pool_is_full(&command->pool) &&
         command->steps.started < command->steps.printed + 4096) {
    start_step(command, command->steps.started);
    command->steps.started++;
    if (!print_judged(command)) return false;
  }
  return true;
}

static void end_steps(WatchCommand *command) {
  watch_print_progress(command, true);
  pool_stop(&command->pool);
  for (uint32_t i = command->steps.printed; i < command->steps.count; i++)
    if (command->steps.items[i].arena != nullptr) arena_destroy(command->steps.items[i].arena);
}

static void say_what_is_left(WatchCommand *command, const char *path) {
  uint32_t left = command->steps.count - command->steps.printed;
  command->status = status_worse(command->status, STATUS_UNDECIDED);
  session_at("step %u of %u of %s", command->steps.printed + 1, command->steps.count, path);
  session_warn(
      "%u of %s that were found are not judged", left, counted(command->steps.count, "step"));
}

Status watch_directory(
    WatchCommand *command, const char *path, bool (*is_growing)(void *state), void *state) {
  Error error = {};
  bool grows = is_growing != nullptr, goes_on = true;
  command->root = path;
  command->is_scratch = grows;
  if (!grows && !scan(command, path, true, &error)) return session_fail(&error);
  for (double scanned = 0; goes_on && !has_ended(command, grows) && !session_is_interrupted();) {
    if (grows && clock_wall() > scanned + scan_seconds) {
      Error early = {};
      grows = is_growing(state);
      if (!scan(command, path, !grows, grows ? &early : &error) && !grows)
        return session_fail(&error);
      scanned = clock_wall();
    }
    goes_on = start_steps(command);
    if (!pool_is_empty(&command->pool)) take_step(command);
    else if (grows) nanosleep(&(struct timespec){.tv_nsec = 20'000'000}, nullptr);
    goes_on = goes_on && print_judged(command);
    if (grows) (void)fflush(stdout);
  }
  end_steps(command);
  if (!goes_on) return STATUS_BAD;
  if (session_is_interrupted()) say_what_is_left(command, path);
  else watch_reduce(command);
  if (!watch_print_table(command)) return STATUS_BAD;
  return command->read == 0 && !session_is_interrupted() ? STATUS_BAD : command->status;
}
