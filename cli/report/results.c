/* Rows are copied into an arena of their own, which is created with the first row. Without a result
 * file only the first open and the first bad row are kept. */
#include "cli/report/results.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/session.h"
#include "cli/session_guard.h"
#include "core/base/clock.h"

/* Both the main work and the guard thread (cli/session_guard.h) use the results. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The written results, until the program ends: what comes after them may change its exit status. */
static Results ended;

static const char *results_copied(Results *results, const char *text) {
  return text == nullptr ? nullptr : arena_text(results->arena, text, strlen(text));
}

static bool is_wanted(const Results *results) {
  return results->junit != nullptr || results->sarif != nullptr || results->github;
}

static Result result_copied(Results *results, const Result *result) {
  Result copy = *result;
  if (results->arena == nullptr) results->arena = arena_create();
  copy.part = results_copied(results, result->part);
  copy.name = results_copied(results, result->name);
  copy.file = results_copied(results, result->file);
  copy.text = results_copied(results, result->text == nullptr ? "" : result->text);
  return copy;
}

static void result_add(Results *results, const Result *result) {
  assert(result->part != nullptr && result->name != nullptr && result->status <= STATUS_BAD);
  Result copy = result_copied(results, result);
  double now = clock_wall();
  if (copy.seconds == 0 && results->last > 0) copy.seconds = now - results->last;
  results->last = results->last > 0 ? now : 0;
  *ARENA_PUSH(results->arena, results) = copy;
}

void results_add(Results *results, const Result *result) {
  if (results == nullptr) return;
  session_note(result->status);
  pthread_mutex_lock(&lock);
  if (result->status == STATUS_UNDECIDED && results->first_open.name == nullptr)
    results->first_open = result_copied(results, result);
  if (result->status == STATUS_BAD && results->first_bad.name == nullptr)
    results->first_bad = result_copied(results, result);
  if (is_wanted(results)) result_add(results, result);
  pthread_mutex_unlock(&lock);
}

void results_add_rule(Results *results, const char *part, const Rule *rule, Status status,
    const char *text, double seconds) {
  results_add(results, &(Result){.part = part,
                           .name = rule->name,
                           .file = rule->file,
                           .line = rule->line,
                           .status = status,
                           .text = text,
                           .seconds = seconds});
}

void results_add_unread(Results *results, const char *part, const char *name, const char *file,
    uint32_t line, const char *why) {
  results_add(results, &(Result){.part = part,
                           .name = name,
                           .file = file,
                           .line = line,
                           .status = STATUS_BAD,
                           .text = why});
}

void results_add_outside(
    Results *results, const char *directory, uint32_t count, const char *const *links) {
  if (count > 0)
    session_warn(
        "%s: not followed: %s out of it, as %s", directory, counted(count, "link"), links[0]);
  for (uint32_t i = 0; i < count; i++)
    results_add(results, &(Result){.part = "files",
                             .name = links[i],
                             .file = links[i],
                             .is_left_out = true,
                             .text = "a link that leads out of the directory is not followed"});
}

static bool write_annotations(Results *results, Text *text) {
  Text lines = text_create(results->arena);
  if (results->token[0] != 0) text_printf(&lines, "::%s::\n", results->token);
  results->token[0] = 0;
  text_string(&lines, text->bytes);
  return session_print_command(lines.bytes);
}

static Status write_all(Results *results, Status status) {
  static const struct {
    void (*print)(Text *text, const Results *results);
  } forms[] = {{results_print_junit}, {results_print_sarif}, {results_print_annotations}};
  const char *paths[] = {results->junit, results->sarif};
  if (results->arena == nullptr) results->arena = arena_create();
  for (uint32_t i = 0; i < 3; i++) {
    Text text = text_create(results->arena);
    if (i < 2 ? paths[i] == nullptr : !results->github) continue;
    forms[i].print(&text, results);
    if (i < 2 ? session_write(paths[i], text.bytes, text.length)
              : write_annotations(results, &text))
      continue;
    status = STATUS_BAD;
    if (i < 2) *(i == 0 ? &results->junit : &results->sarif) = nullptr; /* reported once */
  }
  results->is_written = true;
  return status;
}

static bool has_row_of(const Results *results, Status status) {
  for (uint32_t i = 0; i < results->count; i++)
    if (status_worse(results->items[i].status, status) == results->items[i].status) return true;
  return status == STATUS_PROVED;
}

static char incomplete[160]; /* empty: nothing was left out */

void results_set_incomplete(const char *why) { snprintf(incomplete, sizeof incomplete, "%s", why); }

/* Adds a row for a run that failed outside its results, as on an unreadable file. False if a row
 * says so already. */
static bool add_end(Results *results, Status status, int exit_status) {
  char text[200];
  if (incomplete[0] != 0) {
    snprintf(text, sizeof text, "incomplete: %s", incomplete);
    result_add(results,
        &(Result){.part = "run", .name = "left out", .status = STATUS_UNDECIDED, .text = text});
  }
  if (has_row_of(results, status)) return incomplete[0] != 0;
  snprintf(text, sizeof text, "the run ended with status %d; standard error says why", exit_status);
  result_add(results, &(Result){.part = "run", .name = "affirm", .status = status, .text = text});
  return true;
}

/* Adds the row of what an interrupt left out. False if the work has added one, or if nobody wants
 * it. */
static bool add_left_out(Results *results) {
  static const char name[] = "left out";
  if (!is_wanted(results)) return false;
  for (uint32_t i = 0; i < results->count; i++)
    if (strcmp(results->items[i].name, name) == 0) return false;
  result_add(results, &(Result){.part = "files",
                          .name = name,
                          .status = STATUS_UNDECIDED,
                          .text = "interrupted; what comes after the results here is left out"});
  return true;
}

/* Annotations are printed once. */
static void write_again(Results *results) {
  results->github = false;
  (void)write_all(results, STATUS_PROVED);
}

void results_end(Status status, int exit_status) {
  pthread_mutex_lock(&lock);
  if (is_wanted(&ended) && add_end(&ended, status, exit_status)) write_again(&ended);
  pthread_mutex_unlock(&lock);
}

/* Called by the guard thread, while the work may be about to add a result. */
static void results_finish(void *owner) {
  Results *results = owner;
  pthread_mutex_lock(&lock);
  const bool is_new = add_left_out(results);
  if (!results->is_written && is_wanted(results)) (void)write_all(results, STATUS_UNDECIDED);
  else if (is_new) write_again(results);
  pthread_mutex_unlock(&lock);
}

static void keep_written(Results *results) {
  if (ended.arena != nullptr) arena_destroy(ended.arena);
  ended = *results;
  *results = (Results){.is_written = true};
  if (is_wanted(&ended)) return;
  if (ended.arena != nullptr) arena_destroy(ended.arena);
  ended = (Results){};
}

/* The guard gets the copy: `results` may be on a stack that ends before it. */
Status results_write(Results *results, Status status) {
  const bool is_interrupted = session_is_interrupted();
  if (is_interrupted) status = status_worse(status, STATUS_UNDECIDED);
  if (is_wanted(results)) session_on_end(results_finish, &ended);
  pthread_mutex_lock(&lock);
  if (!results->is_written && is_interrupted) (void)add_left_out(results);
  if (!results->is_written && is_wanted(results)) (void)add_end(results, status, (int)status);
  if (!results->is_written) status = write_all(results, status);
  keep_written(results);
  pthread_mutex_unlock(&lock);
  session_not_on_end(results);
  return status;
}

/* The random token keeps printed text from resuming the runner's commands. */
void results_begin(Results *results) {
  uint64_t random[2];
  results->last = clock_wall();
  session_on_end(results_finish, results);
  if (!results->github || getentropy(random, sizeof random) != 0) return;
  snprintf(results->token, sizeof results->token, "affirm-%016" PRIx64 "%016" PRIx64, random[0],
      random[1]);
  char line[80];
  snprintf(line, sizeof line, "::stop-commands::%s\n", results->token);
  if (!session_print_command(line)) results->token[0] = 0;
}
