/* Answers each input line with one output line, in order, for use in pipes. A blank line is
 * answered by a blank line. Output is flushed before a read that would block: a caller that sends
 * one question at a time is answered at once, and files are processed in large blocks. Columns in
 * errors are counted from the start of the line. Totals go to standard error. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/audit/audit.h"
#include "cli/progress.h"
#include "cli/report/json.h"
#include "cli/session_guard.h"
#include "core/base/file.h"
#include "judge/audit/audit_pair.h"

static constexpr size_t piece_size = 1 << 18;
static constexpr size_t longest_line = 1 << 26;

typedef struct LineReader {
  int file;
  char *bytes;
  size_t begin, end, capacity;
  bool is_begun, is_over;
} LineReader;

typedef struct LineRun {
  const AuditCommand *command;
  const char *name;
  Judge *judge;
  Arena *arena;
  uint32_t number;
  uint64_t counts[verdict_reason_count];
  Status status;
} LineRun;

/* --- reading --- */

static bool would_wait(int file) {
  struct pollfd one = {.fd = file, .events = POLLIN};
  return poll(&one, 1, 0) == 0;
}

static bool audit_lines_make_capacity(LineReader *reader) {
  if (reader->begin > 0)
    memmove(reader->bytes, reader->bytes + reader->begin, reader->end - reader->begin);
  reader->end -= reader->begin;
  reader->begin = 0;
  if (reader->capacity - reader->end > piece_size / 2) return true;
  if (reader->capacity >= longest_line) return false;
  size_t capacity = reader->capacity == 0 ? piece_size : 2 * reader->capacity;
  char *bytes = realloc(reader->bytes, capacity + 1);
  if (bytes == nullptr) arena_out_of_memory(capacity);
  reader->bytes = bytes;
  reader->capacity = capacity;
  return true;
}

/* Checks the encoding of the first bytes of the input. */
static bool check_encoding(const LineReader *reader, const char *name) {
  Error error = {};
  const Source begin = {
      .name = name, .text = reader->bytes, .length = reader->end, .first_line = 1};
  if (file_check_encoding(&begin, &error)) return true;
  (void)session_fail(&error);
  return false;
}

/* False after an error, which has been reported. */
static bool read_piece(LineReader *reader, const char *name) {
  if (!audit_lines_make_capacity(reader))
    return session_reject("%s: a line is longer than %s", name, counted(longest_line, "byte"));
  if (would_wait(reader->file)) fflush(stdout);
  ssize_t count = read(reader->file, reader->bytes + reader->end, reader->capacity - reader->end);
  if (count < 0 && errno == EINTR) return true;
  if (count < 0) return session_reject("%s cannot be read: %s", name, strerror(errno));
  bool is_first = reader->end == 0 && !reader->is_begun;
  reader->is_over = count == 0;
  reader->is_begun = true;
  reader->end += (size_t)count;
  assert(reader->end <= reader->capacity);
  return !is_first || check_encoding(reader, name);
}

/* Returns the next line without its line break. nullptr at the end of the input, and after an
 * error, which sets *failed. */
static char *next_line(LineReader *reader, const char *name, size_t *length, bool *failed) {
  size_t looked = 0;
  while (!session_is_interrupted()) {
    char *begin = reader->bytes + reader->begin;
    size_t have = reader->end - reader->begin;
    char *stop = have == looked ? nullptr : memchr(begin + looked, '\n', have - looked);
    if (stop == nullptr && reader->is_over && have > 0) stop = begin + have;
    if (stop != nullptr) {
      *length = (size_t)(stop - begin);
      *stop = 0;
      reader->begin += *length < have ? *length + 1 : have;
      assert(reader->begin <= reader->end);
      return begin;
    }
    if (reader->is_over) return nullptr;
    looked = have;
    *failed = !read_piece(reader, name);
    if (*failed) return nullptr;
  }
  return nullptr;
}

/* --- answering --- */

/* Splits a line at its tabs. Returns the number of pieces, at most `most` + 1. */
static uint32_t audit_lines_cut(
    const LineRun *run, char *line, size_t length, uint32_t most, Source *pieces) {
  uint32_t count = 0;
  for (char *at = line, *end = line + length; count <= most; count++) {
    char *stop = memchr(at, '\t', (size_t)(end - at));
    size_t size = (size_t)((stop == nullptr ? end : stop) - at);
    if (count < most)
      pieces[count] =
          (Source){.name = run->name, .text = at, .length = size, .first_line = run->number};
    at[size] = 0;
    if (stop == nullptr) return count + 1;
    at = stop + 1;
  }
  return count;
}

static VerdictReason answer_line(
    LineRun *run, char *line, size_t length, Text *answer, Bindings *at) {
  *at = (Bindings){};
  bool is_triple = run->command->triples != nullptr;
  Source pieces[3];
  uint32_t wanted = is_triple ? 3 : 2;
  if (memchr(line, 0, length) != nullptr) {
    text_string(answer, "error: a byte 0x00 in the line");
    return REASON_MALFORMED;
  }
  if (audit_lines_cut(run, line, length, wanted, pieces) != wanted) {
    text_printf(answer, "error: expected %s with a tab between them", counted(wanted, "map"));
    return REASON_MALFORMED;
  }
  return pair_judge_texts(
      run->judge, &pieces[0], &pieces[1], is_triple ? &pieces[2] : nullptr, answer, at);
}

static void audit_lines_print_json(
    const LineRun *run, Text *text, VerdictReason reason, const char *answer, const Bindings *at) {
  Json json = json_begin(text);
  json_integer(&json, "line", run->number);
  json_answer(&json, "answer", pair_answer_text(reason));
  json_string(&json, "text", answer);
  json_bindings(&json, "at", at);
  json_end(&json);
}

/* With `quiet` only the lines that do not pass, each with its number; otherwise a line for each
 * line of the input. */
static bool print_line(const LineRun *run, const Text *answer, bool passes) {
  if (!run->command->quiet) return session_print(arena_printf(run->arena, "%s\n", answer->bytes));
  return passes ||
         session_print(arena_printf(run->arena, "line %u: %s\n", run->number, answer->bytes));
}

static bool take_line(LineRun *run, char *line, size_t length) {
  Text text = text_create(run->arena);
  bool passes = true;
  if (strspn(line, " \t\r") < length) {
    Bindings at;
    VerdictReason reason = answer_line(run, line, length, &text, &at);
    passes = pair_answer_status(reason) == STATUS_PROVED;
    run->counts[reason]++;
    run->status = status_worse(run->status, pair_answer_status(reason));
    text_join_lines(&text);
    results_add(run->command->results,
        &(Result){.part = run->command->triples != nullptr ? "compositions" : "pairs",
            .name = arena_printf(run->arena, "line %u", run->number),
            .file = run->name,
            .line = run->number,
            .status = pair_answer_status(reason),
            .text = text.bytes});
    if (run->command->json) {
      Text json = text_create(run->arena);
      audit_lines_print_json(run, &json, reason, text.bytes, &at);
      return session_print(json.bytes);
    }
  }
  return run->command->json || print_line(run, &text, passes);
}

static void take_lines(LineRun *run, LineReader *reader) {
  size_t length;
  bool failed = false;
  Progress progress = progress_begin("lines", 0, isatty(STDOUT_FILENO) == 0);
  for (char *line; (line = next_line(reader, run->name, &length, &failed)) != nullptr;) {
    run->number++;
    session_item(run->number - 1, 0, "lines", "line %u of %s", run->number, run->name);
    progress_at(&progress, run->number - 1, run->name);
    ArenaMark mark = arena_mark(run->arena);
    bool goes_on = take_line(run, line, length);
    arena_rewind(run->arena, mark);
    if (!goes_on) break;
  }
  if (failed) run->status = status_worse(run->status, STATUS_BAD);
}

static void print_totals(const LineRun *run, uint64_t total) {
  session_flush();
  fprintf(stderr, "affirm: %s%s %llu:", session_is_interrupted() ? "interrupted; so far " : "",
      run->command->triples != nullptr ? "triples" : "pairs", (unsigned long long)total);
  for (uint32_t i = 0; i < pair_answer_count; i++)
    fprintf(stderr, "%s %llu %s", i == 0 ? "" : ",",
        (unsigned long long)run->counts[pair_answers[i]], pair_answer_text(pair_answers[i]));
  fputs("\n", stderr);
}

Status audit_lines(const AuditCommand *command) {
  const char *path = command->pairs != nullptr ? command->pairs : command->triples;
  bool is_standard = strcmp(path, "-") == 0;
  LineReader reader = {.file = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)};
  Error error = {};
  struct stat state;
  if (reader.file < 0) (void)error_of_file(&error, ERROR_ENVIRONMENT, path, "%s", strerror(errno));
  else if (fstat(reader.file, &state) == 0 && S_ISDIR(state.st_mode))
    (void)error_of_file(&error, ERROR_ENVIRONMENT, path, "is a directory");
  if (error.kind != ERROR_NONE) {
    if (reader.file >= 0 && !is_standard) close(reader.file);
    return session_fail(&error);
  }
  Judge *judge = pair_judge_create(&error);
  if (judge == nullptr) return session_fail(&error);
  LineRun run = {.command = command,
      .name = is_standard ? "<stdin>" : path,
      .judge = judge,
      .arena = arena_create()};
  setvbuf(stdout, nullptr, _IOFBF, piece_size);
  if (audit_lines_make_capacity(&reader)) take_lines(&run, &reader);
  const uint64_t total = verdict_counts_sum(run.counts);
  print_totals(&run, total);
  if (total == 0)
    run.status = status_worse(run.status, session_usage("%s: nothing to judge in it", run.name));
  judge_destroy(run.judge);
  arena_destroy(run.arena);
  free(reader.bytes);
  if (!is_standard) close(reader.file);
  return run.status;
}
