/* Prints the table of passes, the reasons for unknown steps, the first wrong step in full, and the
 * times of steps: median, 99th percentile and longest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "core/base/foreign.h"
#include "cli/report/json.h"
#include "cli/watch/watch.h"

static WatchRow *row_named(WatchCommand *command, WatchRows *rows, const char *name) {
  for (uint32_t i = 0; i < rows->count; i++)
    if (strcmp(rows->items[i].name, name) == 0) return &rows->items[i];
  WatchRow *made = ARENA_PUSH(command->arena, rows);
  *made = (WatchRow){.name = arena_text(command->arena, name, strlen(name))};
  return made;
}

static void count_step(WatchRow *row, VerdictReason answer) {
  row->steps++;
  row->counts[answer]++;
}

static void print_values(Text *text, const StepVerdict *verdict) {
  const ValuesVerdict *values = &verdict->values;
  text_printf(text, "  output %u", verdict->output);
  if (values->has_point && values->rank > 0) {
    text_string(text, " element ");
    text_tuple(text, values->rank, values->point);
  }
  if (values->values[0] != nullptr)
    text_printf(text, ": %s before, %s after, where %s", values->values[0], values->values[1],
        values->inputs);
  if (values->terms != nullptr) text_printf(text, "\n  %s", values->terms);
  text_string(text, "\n");
}

/* The module without the directory of all dumps, whose name can be another one in each run. */
static const char *module_name(const WatchCommand *command, const DumpFile *after) {
  size_t length = strlen(command->root);
  bool is_below = strncmp(after->module, command->root, length) == 0;
  const char *name = is_below ? after->module + length : after->module;
  return name + strspn(name, "/");
}

/* Adds a row for other tools: a step is named by its module, number and pass. */
static void add_result(WatchCommand *command, const DumpFile *before, const DumpFile *after,
    const StepVerdict *verdict) {
  Arena *arena = arena_create();
  Text text = text_create(arena);
  const char *module = module_name(command, after);
  text_string(&text, step_answer_text(verdict->answer));
  if (verdict->reason[0] != 0) text_printf(&text, ": %s", verdict->reason);
  if (verdict->answer == REASON_DIFFERENT) print_values(&text, verdict);
  if (step_answer_status(verdict->answer) != STATUS_PROVED && !command->is_scratch &&
      before != nullptr)
    text_printf(&text, "\nreplay: affirm equiv %s %s", shell_path(arena, before->path),
        shell_path(arena, after->path));
  results_add(&command->results,
      &(Result){.part = "steps",
          .name = after->number == INT64_MAX ? arena_printf(arena, "%s %s", module, after->pass)
                                             : arena_printf(arena, "%s %lld %s", module,
                                                   (long long)after->number, after->pass),
          .file = after->path,
          .line = 1,
          .is_scratch = command->is_scratch,
          .status = step_answer_status(verdict->answer),
          .text = text.bytes,
          .seconds = verdict->seconds});
  arena_destroy(arena);
}

void watch_note(WatchCommand *command, const DumpFile *before, const DumpFile *after,
    const StepVerdict *verdict) {
  char reason[300];
  count_step(&command->all, verdict->answer);
  count_step(row_named(command, &command->passes, after->pass), verdict->answer);
  if (verdict->reason[0] != 0 && verdict->answer != REASON_DIFFERENT &&
      verdict->answer != REASON_EXACT) {
    step_reason_class(verdict, sizeof reason, reason);
    count_step(row_named(command, &command->reasons, reason), verdict->answer);
  }
  add_result(command, before, after, verdict);
  command->read += verdict->answer != REASON_MALFORMED;
  if (verdict->answer != REASON_UNCHANGED)
    *ARENA_PUSH(command->arena, &command->seconds_of) = verdict->seconds;
  Status status = step_answer_status(verdict->answer);
  bool is_unread = status == STATUS_BAD && verdict->answer != REASON_DISSENT;
  command->status = status_worse(command->status, is_unread ? STATUS_UNDECIDED : status);
  if (verdict->judges != nullptr)
    count_step(row_named(command, &command->judges, verdict->judges), verdict->answer);
  if (verdict->answer == REASON_DISSENT) {
    Text loud = text_create(command->arena);
    text_printf(&loud, "DISAGREEMENT: pass %s\n  affirm equiv %s %s\n  %s\n", after->pass,
        shell_word(command->arena, before->path), shell_word(command->arena, after->path),
        verdict->reason);
    *ARENA_PUSH(command->arena, &command->disagreements) = loud.bytes;
  }
  if (verdict->answer != REASON_DIFFERENT || command->first_wrong != nullptr) return;
  Text text = text_create(command->arena);
  text_printf(&text, "first wrong step: pass %s\n  affirm equiv %s %s\n", after->pass,
      shell_word(command->arena, before->path), shell_word(command->arena, after->path));
  print_values(&text, verdict);
  command->first_wrong = text.bytes;
  command->wrong[0] = *before;
  command->wrong[1] = *after;
  command->wrong_output = verdict->output;
}

bool watch_print_step(WatchCommand *command, const DumpFile *before, const DumpFile *after,
    const StepVerdict *verdict) {
  if (!command->json) return true;
  Arena *arena = arena_create();
  Text text = text_create(arena);
  Json json = json_begin(&text);
  json_string(&json, "before", before->path);
  json_string(&json, "after", after->path);
  json_string(&json, "pass", after->pass);
  if (after->pipeline != nullptr) json_string(&json, "pipeline", after->pipeline);
  json_answer(&json, "answer", step_answer_text(verdict->answer));
  if (verdict->values.by != nullptr) json_string(&json, "by", verdict->values.by);
  if (verdict->judges != nullptr) json_string(&json, "judges", verdict->judges);
  json_integer(&json, "microseconds", (int64_t)(verdict->seconds * 1e6 + 0.5));
  if (verdict->values.has_point) {
    json_integer(&json, "output", verdict->output);
    json_integers(&json, "point", verdict->values.rank, verdict->values.point);
  }
  json_values(&json, &verdict->values);
  if (verdict->reason[0] != 0) json_string(&json, "reason", verdict->reason);
  json_end(&json);
  bool is_printed = session_print(text.bytes);
  arena_destroy(arena);
  return is_printed;
}

void watch_print_progress(const WatchCommand *command, bool is_last) {
  static Progress progress;
  if (progress.unit == nullptr && !is_last)
    progress = progress_begin("steps", command->steps.count, true);
  char different[48];
  snprintf(different, sizeof different, "%llu different",
      (unsigned long long)command->all.counts[REASON_DIFFERENT]);
  if (is_last) progress_clear();
  else progress_at(&progress, command->steps.printed, different);
}

static void watch_print_print_row(Text *text, const WatchRow *row) {
  text_printf(text, "  %-44.44s %6llu", row->name, (unsigned long long)row->steps);
  for (uint32_t i = 0; i < step_answer_count; i++)
    text_printf(text, " %11llu", (unsigned long long)row->counts[step_answers[i]]);
  text_string(text, "\n");
}

static int compare_rows(const void *a, const void *b) {
  const WatchRow *one = a, *other = b;
  if (one->steps != other->steps) return one->steps > other->steps ? -1 : 1;
  return strcmp(one->name, other->name);
}
static int compare_seconds(const void *a, const void *b) {
  double one = *(const double *)a, other = *(const double *)b;
  return (one > other) - (one < other);
}

static void print_times(Text *text, WatchCommand *command) {
  uint32_t count = command->seconds_of.count;
  if (count == 0) return;
  qsort(command->seconds_of.items, count, sizeof(double), compare_seconds);
  text_printf(text, "a changed step: median %.2f ms, 99th percentile %.2f ms, longest %.2f ms\n",
      1e3 * command->seconds_of.items[count / 2],
      1e3 * command->seconds_of.items[count - 1 - count / 100],
      1e3 * command->seconds_of.items[count - 1]);
}

bool watch_print_table(WatchCommand *command) {
  Text text = text_create(command->arena);
  if (command->json) return true;
  text_printf(&text, "  %-44s %6s", "pass", "steps");
  for (uint32_t i = 0; i < step_answer_count; i++)
    text_printf(&text, " %11s", step_answer_text(step_answers[i]));
  text_string(&text, "\n");
  if (command->passes.count > 0)
    qsort(command->passes.items, command->passes.count, sizeof(WatchRow), compare_rows);
  for (uint32_t i = 0; i < command->passes.count; i++)
    watch_print_print_row(&text, &command->passes.items[i]);
  command->all.name = "all";
  watch_print_print_row(&text, &command->all);
  if (command->reasons.count > 0)
    qsort(command->reasons.items, command->reasons.count, sizeof(WatchRow), compare_rows);
  for (uint32_t i = 0; i < command->reasons.count && i < 20; i++)
    text_printf(&text, "%s %5llu  %s\n", i == 0 ? "why not decided:" : "                ",
        (unsigned long long)command->reasons.items[i].steps, command->reasons.items[i].name);
  for (uint32_t i = 0; i < command->judges.count; i++)
    text_printf(&text, "%s %5llu  %s\n", i == 0 ? "decided by:     " : "                ",
        (unsigned long long)command->judges.items[i].steps, command->judges.items[i].name);
  for (uint32_t i = 0; i < command->disagreements.count; i++)
    text_string(&text, command->disagreements.items[i]);
  print_times(&text, command);
  if (command->first_wrong != nullptr) text_string(&text, command->first_wrong);
  return session_print(text.bytes);
}
