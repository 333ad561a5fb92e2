/* The table of standing: the sums of several `affirm score --json` files, with a row for each
 * engine in order of first occurrence. The columns are those of a score. Counts whose sum differs
 * from the number of questions are bad input. Rows without the totals of their run are of a run
 * that did not end. */
#include "cli/score/score.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "cli/session_guard.h"
#include "core/base/file.h"

typedef struct Standing {
  const char *name, *first, *last; /* dates */
  uint64_t questions, counts[score_column_count], bytes, ours, nanoseconds, slowest;
} Standing;

typedef struct Standings {
  Standing *items;
  uint32_t count, capacity;
  const char *interrupted; /* a file of a run that was interrupted, or nullptr */
  const char *unread;      /* a file of a run that could not read a part, or nullptr */
  const char *endless;     /* a file with rows of a run that has no totals, or nullptr */
} Standings;

const char *score_today(char text[score_date_length]) {
  time_t now = time(nullptr);
  struct tm parts = {};
  if (gmtime_r(&now, &parts) == nullptr ||
      strftime(text, score_date_length, "%Y-%m-%d", &parts) == 0)
    text[0] = 0;
  return text;
}

static uint64_t count_of(const cJSON *object, const char *name, bool *is_right) {
  const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
  *is_right &= cJSON_IsNumber(found) && found->valuedouble >= 0 && found->valuedouble < 9e15;
  return *is_right ? (uint64_t)found->valuedouble : 0;
}

static const char *text_of(Arena *arena, const cJSON *object, const char *name, bool *is_right) {
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
  *is_right &= text != nullptr;
  return text == nullptr ? "" : arena_text(arena, text, strlen(text));
}

/* False if the object is not a result of score, or if its counts do not add up. A missing count is
 * 0: an older file lacks a newer column. */
static bool read_standing(Arena *arena, const cJSON *object, Standing *row) {
  bool is_right = cJSON_IsObject(object);
  *row = (Standing){.name = text_of(arena, object, "engine", &is_right),
      .first = text_of(arena, object, "date", &is_right),
      .questions = count_of(object, "asked", &is_right),
      .bytes = count_of(object, "bytes", &is_right),
      .nanoseconds = count_of(object, "nanoseconds", &is_right),
      .slowest = count_of(object, "slowest_nanoseconds", &is_right)};
  row->last = row->first;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < score_column_count; i++)
    if (cJSON_HasObjectItem(object, score_column_text((ScoreColumn)i)))
      sum += row->counts[i] = count_of(object, score_column_text((ScoreColumn)i), &is_right);
  return is_right && sum == row->questions;
}

static Standing *standing_of(Arena *arena, Standings *all, const Standing *row) {
  for (uint32_t i = 0; i < all->count; i++)
    if (strcmp(all->items[i].name, row->name) == 0) return &all->items[i];
  Standing *added = ARENA_PUSH(arena, all);
  *added = (Standing){.name = row->name, .first = row->first, .last = row->last};
  return added;
}

static void score_standing_add(Standing *to, const Standing *row) {
  to->questions += row->questions;
  to->bytes += row->bytes;
  to->ours += row->ours;
  to->nanoseconds += row->nanoseconds;
  for (uint32_t i = 0; i < score_column_count; i++) to->counts[i] += row->counts[i];
  if (row->slowest > to->slowest) to->slowest = row->slowest;
  if (strcmp(row->first, to->first) < 0) to->first = row->first;
  if (strcmp(row->last, to->last) > 0) to->last = row->last;
}

/* True for an object that is no row: the totals, or a part that the run could not read. */
static bool note_other(const cJSON *object, const char *path, Standings *all) {
  const bool is_totals = cJSON_HasObjectItem(object, "totals") != 0;
  const char *answer = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "answer"));
  const cJSON *status = cJSON_GetObjectItemCaseSensitive(object, "status");
  const bool is_unread = answer != nullptr && strcmp(answer, "bad input") == 0,
             is_bad = is_totals && (!cJSON_IsNumber(status) || status->valueint >= STATUS_BAD);
  if (is_totals && cJSON_HasObjectItem(object, "interrupted")) all->interrupted = path;
  if (is_unread || is_bad) all->unread = path;
  return is_totals || is_unread;
}

static double totals_objects(const cJSON *object) {
  const cJSON *totals = cJSON_GetObjectItemCaseSensitive(object, "totals"),
              *objects = cJSON_GetObjectItemCaseSensitive(totals, "objects");
  return cJSON_IsNumber(objects) ? objects->valuedouble : 0;
}

/* A row of affirm's own engine follows the row of the engine that it is compared with. */
static Status read_file(Arena *arena, const char *path, Standings *all) {
  Source source;
  Error error = {};
  session_at("%s", path);
  if (!file_read_text(arena, path, file_limit, &source, &error)) return session_fail(&error);
  Standing *before = nullptr;
  uint32_t line = 1;
  double objects = 0; /* since the last totals, which count them, and perhaps some left out since */
  bool is_ended = false;
  const char *end = source.text + source.length;
  for (const char *at = source.text; at < end; line++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t length = (size_t)((stop == nullptr ? end : stop) - at);
    Standing row;
    cJSON *object = cJSON_ParseWithLength(at, length);
    at += length + 1;
    is_ended = cJSON_HasObjectItem(object, "totals") != 0;
    if (is_ended && objects > totals_objects(object)) all->endless = path;
    objects = is_ended ? 0 : objects + 1;
    if (note_other(object, path, all)) {
      cJSON_Delete(object);
      continue;
    }
    bool is_right = read_standing(arena, object, &row);
    cJSON_Delete(object);
    if (!is_right)
      return session_usage(
          "%s:%" PRIu32 ": not a row of `score --json`, or its counts do not add up", path, line);
    bool is_ours = strcmp(row.name, "affirm") == 0;
    if (is_ours && before != nullptr) before->ours += row.bytes;
    Standing *to = standing_of(arena, all, &row);
    score_standing_add(to, &row);
    before = is_ours ? nullptr : to;
  }
  if (!is_ended) all->endless = path;
  return STATUS_PROVED;
}

/* `|` would end a cell. */
static void print_cell(Text *text, const char *words) {
  text_string(text, "| ");
  for (const char *at = words; *at != 0; at++) text_append(text, *at == '|' ? "/" : at, 1);
  text_string(text, " ");
}

static void print_standing(Text *text, const Standing *row) {
  print_cell(text, row->name);
  text_printf(text, "| %" PRIu64 " ", row->questions);
  for (uint32_t i = 0; i < score_column_count; i++)
    text_printf(text, "| %" PRIu64 " ", row->counts[i]);
  double calls = row->questions == 0 ? 1 : (double)row->questions;
  text_printf(
      text, "| %.0f | %.0f ", (double)row->nanoseconds / calls * 1e-3, (double)row->slowest * 1e-3);
  if (row->ours > 0) text_printf(text, "| %.2f ", (double)row->bytes / (double)row->ours);
  else text_string(text, "| - ");
  text_printf(text, "| %s", row->first);
  if (strcmp(row->first, row->last) != 0) text_printf(text, " to %s", row->last);
  text_string(text, " |\n");
}

Status score_standing(Arena *arena, int count, char **paths) {
  Standings all = {};
  if (count == 0) return session_usage("--standing needs files of `score --json`");
  for (int i = 0; i < count; i++)
    if (read_file(arena, paths[i], &all) == STATUS_BAD) return STATUS_BAD;
  if (all.interrupted != nullptr)
    fprintf(stderr, "affirm: %s: the run was interrupted, so its counts are of a part\n",
        all.interrupted);
  if (all.unread != nullptr)
    fprintf(
        stderr, "affirm: %s: the run could not read a part, so its counts lack it\n", all.unread);
  if (all.endless != nullptr)
    fprintf(
        stderr, "affirm: %s: a run did not end: its rows have no line of totals\n", all.endless);
  Text text = text_create(arena);
  text_string(&text, "| engine | asked ");
  for (uint32_t i = 0; i < score_column_count; i++)
    text_printf(&text, "| %s ", score_column_text((ScoreColumn)i));
  text_string(&text, "| us a call | slowest | length to ours | date |\n|---");
  for (uint32_t i = 0; i < score_column_count + 5; i++) text_string(&text, "|---");
  text_string(&text, "|\n");
  for (uint32_t i = 0; i < all.count; i++) print_standing(&text, &all.items[i]);
  if (!session_print(text.bytes) || all.unread != nullptr) return STATUS_BAD;
  const bool is_whole = all.interrupted == nullptr && all.endless == nullptr;
  return is_whole ? STATUS_PROVED : STATUS_UNDECIDED;
}
