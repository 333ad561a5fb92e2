/* affirm snapshot: shows that a change of the engine changes no answer, or which ones. Changed
 * answers are judged before they are recorded, and nothing is recorded if one is refuted. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/session_guard.h"
#include "cli/snapshot/snapshot_run.h"
#include "cli/report/json.h"
#include "core/base/foreign.h"
#include "exhaust/snapshot/snapshot_judge.h"

static constexpr uint32_t most_named = 8;

typedef struct SnapshotCommand {
  SnapshotRun run;
  bool update, list, json;
  bool is_named;    /* CORPUS is an argument */
  const char *show; /* NAME:ROW; nullptr: none */
} SnapshotCommand;

static void show_progress(void *owner, const char *stream, uint64_t done, uint64_t all) {
  Progress *progress = owner;
  progress->all = all;
  progress_at(progress, done, stream);
}

static void snapshot_print_counts(const SnapshotCommand *command, Text *text) {
  const SnapshotRun *run = &command->run;
  if (!command->json) {
    text_printf(text, "%s the same, %" PRIu64 " changed, %" PRIu64 " new, %" PRIu64 " gone\n",
        counted(run->same, "row"), run->changed, run->added, run->gone);
    return;
  }
  Json json = json_begin(text);
  json_integer(&json, "unchanged", (int64_t)run->same);
  json_integer(&json, "changed", (int64_t)run->changed);
  json_integer(&json, "new", (int64_t)run->added);
  json_integer(&json, "gone", (int64_t)run->gone);
  json_end(&json);
}

/* CORPUS as the last argument of a command to paste, after a blank; nothing without it. */
static const char *corpus_argument(const SnapshotCommand *command) {
  Arena *arena = command->run.arena;
  return command->is_named ? arena_printf(arena, " %s", shell_path(arena, command->run.corpus))
                           : "";
}

/* For people the first rows, as JSON all of them. */
static void name_changes(const SnapshotCommand *command, Text *text) {
  const SnapshotRun *run = &command->run;
  for (uint32_t i = 0; i < run->changes.count && (command->json || i < most_named); i++) {
    const SnapshotChange *change = &run->changes.items[i];
    if (!command->json) {
      text_printf(text, "  affirm snapshot --show %s:%u%s\n", change->stream, change->row,
          corpus_argument(command));
      continue;
    }
    Json json = json_begin(text);
    json_string(&json, "stream", change->stream);
    json_integer(&json, "row", change->row);
    json_answer(&json, "answer", change->state == ROW_NEW ? "new" : "changed");
    json_end(&json);
  }
  if (!command->json && run->changes.count > most_named)
    text_printf(text, "  and %u more\n", run->changes.count - most_named);
}

static Status snapshot_reject_stream(const SnapshotCommand *command, const char *name) {
  return session_usage(
      "no stream '%s'; affirm snapshot --list%s lists them", name, corpus_argument(command));
}

/* Prints the input of a row and its answers. */
static Status show_row(SnapshotCommand *command) {
  SnapshotRun *run = &command->run;
  const char *colon = strrchr(command->show, ':');
  char *end = nullptr;
  unsigned long row = colon == nullptr ? 0 : strtoul(colon + 1, &end, 10);
  if (colon == nullptr || end == colon + 1 || *end != 0)
    return session_usage("--show needs NAME:ROW, such as maps:17");
  const char *name = arena_text(run->arena, command->show, (size_t)(colon - command->show));
  SnapshotStream *stream = snapshot_stream(run->snapshot, name);
  if (stream == nullptr) return snapshot_reject_stream(command, name);
  if (row >= stream->rows)
    return session_usage("%s has rows 0 to %u", stream->name, stream->rows - 1);
  SnapshotInput input = snapshot_input(run->snapshot, stream, (uint32_t)row);
  Text text = text_create(run->arena);
  const char *digest =
      arena_printf(run->arena, "%04x", snapshot_digest(snapshot_answers(run->snapshot, &input)));
  run->snapshot->breaks_lines = true;
  const char *answers = snapshot_answers(run->snapshot, &input);
  if (command->json) {
    Json json = json_begin(&text);
    json_string(&json, "input", input.text);
    json_string(&json, "answers", answers);
    json_string(&json, "digest", digest);
    json_end(&json);
  } else {
    text_printf(&text, "%s\n\n%s\n%s\n", input.text, answers, digest);
  }
  return session_print(text.bytes) ? STATUS_PROVED : STATUS_BAD;
}

static Status list_streams(const SnapshotCommand *command) {
  const SnapshotRun *run = &command->run;
  Text text = text_create(run->arena);
  for (uint32_t i = 0; i < run->snapshot->streams.count; i++) {
    const SnapshotStream *stream = &run->snapshot->streams.items[i];
    if (!command->json) {
      text_printf(&text, "%7u  %s  %s\n", stream->rows, stream->name, stream->help);
      continue;
    }
    Json json = json_begin(&text);
    json_string(&json, "stream", stream->name);
    json_integer(&json, "rows", stream->rows);
    json_end(&json);
  }
  return session_print(text.bytes) ? STATUS_PROVED : STATUS_BAD;
}

/* Prints a row with a refuted or undecided answer. */
static bool print_judged(const SnapshotCommand *command, const SnapshotChange *change,
    bool is_refuted, const char *words) {
  Text text = text_create(command->run.snapshot->arena);
  if (command->json) {
    Json json = json_begin(&text);
    json_string(&json, "stream", change->stream);
    json_integer(&json, "row", change->row);
    json_answer(&json, "answer", is_refuted ? "refuted" : "unknown");
    json_string(&json, "why", words);
    json_end(&json);
  } else {
    text_printf(&text, "%s:%u\n%s", change->stream, change->row, words);
  }
  return session_print(text.bytes);
}

/* Judges the rows that changed or are new. */
static bool judge_changes(SnapshotCommand *command, SnapshotTally *tally) {
  SnapshotRun *run = &command->run;
  Progress progress = progress_begin("rows", run->changes.count, isatty(STDOUT_FILENO) == 0);
  for (uint32_t i = 0; i < run->changes.count && !session_is_interrupted(); i++) {
    const SnapshotChange *change = &run->changes.items[i];
    SnapshotStream *stream = snapshot_stream(run->snapshot, change->stream);
    uint64_t before = tally->refuted + tally->open, refuted = tally->refuted;
    session_at("judging snapshot row %s:%u", change->stream, change->row);
    progress_at(&progress, i, change->stream);
    Text words = text_create(run->snapshot->arena);
    SnapshotInput input = snapshot_input(run->snapshot, stream, change->row);
    snapshot_judge(run->snapshot, &input, tally, &words);
    if (tally->refuted > refuted) session_note(STATUS_REFUTED);
    bool is_printed = tally->refuted + tally->open == before ||
                      print_judged(command, change, tally->refuted > refuted, words.bytes);
    snapshot_next(run->snapshot);
    if (!is_printed) return false;
    session_flush();
  }
  progress_clear();
  return true;
}

static void print_tally(const SnapshotCommand *command, const SnapshotTally *tally, Text *text) {
  if (!command->json) {
    text_printf(text,
        "judged: %" PRIu64 " proved, %" PRIu64 " refuted, %" PRIu64 " unknown; %" PRIu64
        " without an answer; %s judged in part, %" PRIu64 " without anything to judge\n",
        tally->proved, tally->refuted, tally->open, tally->unanswered,
        counted(tally->in_part, "row"), tally->unjudged);
    return;
  }
  Json json = json_begin(text);
  json_integer(&json, "proved", (int64_t)tally->proved);
  json_integer(&json, "refuted", (int64_t)tally->refuted);
  json_integer(&json, "unknown", (int64_t)tally->open);
  json_integer(&json, "unanswered", (int64_t)tally->unanswered);
  json_integer(&json, "in_part", (int64_t)tally->in_part);
  json_integer(&json, "unjudged", (int64_t)tally->unjudged);
  json_end(&json);
}

static Status update_record(SnapshotCommand *command) {
  SnapshotRun *run = &command->run;
  SnapshotTally tally = {};
  Text text = text_create(run->arena), record = text_create(run->arena);
  if (!judge_changes(command, &tally)) return STATUS_BAD;
  bool is_refused = tally.refuted > 0 || session_is_interrupted();
  print_tally(command, &tally, &text);
  if (!session_print(text.bytes)) return STATUS_BAD;
  if (is_refused) session_warn("%s is as it was", run->path);
  if (is_refused) return tally.refuted > 0 ? STATUS_REFUTED : STATUS_UNDECIDED;
  snapshot_record_print(&record, &run->now);
  if (!session_write(run->path, record.bytes, record.length)) return STATUS_BAD;
  return tally.open > 0 ? STATUS_UNDECIDED : STATUS_PROVED;
}

static Status compare_rows(SnapshotCommand *command) {
  SnapshotRun *run = &command->run;
  Text text = text_create(run->arena);
  bool is_known = false;
  for (uint32_t i = 0; i < run->snapshot->streams.count; i++)
    is_known |= snapshot_run_wants(run, run->snapshot->streams.items[i].name);
  if (!is_known) return snapshot_reject_stream(command, run->only);
  if (run->is_new && !command->update)
    return session_usage("%s does not exist; affirm snapshot --update%s writes it", run->path,
        corpus_argument(command));
  Progress progress = progress_begin("rows", 0, isatty(STDOUT_FILENO) == 0);
  snapshot_run_compare(run, show_progress, &progress);
  progress_clear();
  if (command->json) name_changes(command, &text);
  snapshot_print_counts(command, &text);
  if (!command->json && !command->update) name_changes(command, &text);
  if (!session_print(text.bytes)) return STATUS_BAD;
  if (command->update && !run->is_interrupted) return update_record(command);
  if (!command->update && run->changed + run->added + run->gone > 0) return STATUS_REFUTED;
  return run->is_interrupted ? STATUS_UNDECIDED : STATUS_PROVED;
}

static Status snapshot_command_run(SnapshotCommand *command) {
  Error error = {};
  if (!snapshot_run_open(&command->run, &error)) return session_fail(&error);
  if (command->list) return list_streams(command);
  return command->show != nullptr ? show_row(command) : compare_rows(command);
}

static const OptionUse snapshot_uses[] = {{"stream", "none update"}};

int cli_snapshot(int argc, char **argv) {
  SnapshotCommand command = {.run = {.corpus = "corpus"}};
  const Option options[] = {
      {"update", OPTION_FLAG, &command.update,
          "judge the answers that changed and record them; nothing is recorded if one is refuted",
          nullptr},
      {"stream", OPTION_TEXT, &command.run.only,
          "NAME: only this stream; with NAME/, only streams whose names begin with NAME/", nullptr},
      {"show", OPTION_TEXT, &command.show,
          "ROW: print the input of a row, such as maps:17, and today's answers", nullptr},
      {"list", OPTION_FLAG, &command.list, "print the streams, each with its number of rows",
          nullptr},
      {"json", OPTION_FLAG, &command.json, "print one JSON object per line", nullptr},
  };
  const Command table = {.usage = "snapshot [OPTION]... [CORPUS]",
      .about =
          "Compares the engine's answers to generated questions with the answers recorded in CORPUS/answers.snapshot: random maps and modules, cases of the scopes, and every input of the corpus, with edits of each.",
      .notes =
          "The record has only a digest of each row. To print an old answer, use --show NAME:ROW of a build of the old commit. Exit status 1: an answer changed, or with --update an answer is refuted; 2: with --update, an answer is not decided.",
      OPTION_TABLE(options),
      MODE_TABLE("update show list", snapshot_uses)};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (argc - first > 1) return session_end(session_usage("snapshot takes one corpus"));
  command.is_named = first < argc;
  if (command.is_named) command.run.corpus = argv[first];
  command.run.judges = command.update;
  command.run.arena = arena_create();
  session_catch_signals();
  Status status = snapshot_command_run(&command);
  snapshot_run_close(&command.run);
  arena_destroy(command.run.arena);
  return session_end(status);
}
