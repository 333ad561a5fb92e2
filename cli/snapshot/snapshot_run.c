/* The streams of a corpus in the order of their names, and the loop over all rows. */
#include "cli/snapshot/snapshot_run.h"

#include <string.h>
#include <unistd.h>

#include "cli/paths.h"
#include "cli/session.h"
#include "cli/session_guard.h"
#include "core/base/file.h"

static bool add_files(SnapshotRun *run, Error *error) {
  static const char *const tails[] = {".case", ".hlo"};
  PathSearch search = {.directory = run->corpus, .tail_count = 2, .tails = tails};
  PathList paths = {};
  if (!paths_find(run->arena, &search, &paths, error)) return false;
  for (uint32_t i = 0; i < paths.count; i++) {
    const char *name = paths.items[i] + strlen(run->corpus);
    while (*name == '/') name++;
    if (!snapshot_add_file(run->snapshot, paths.items[i], name, error)) return false;
  }
  return true;
}

bool snapshot_run_open(SnapshotRun *run, Error *error) {
  Source source;
  run->path = arena_printf(run->arena, "%s/answers.snapshot", run->corpus);
  run->snapshot = snapshot_create(run->judges, error);
  if (run->snapshot == nullptr || !add_files(run, error)) return false;
  run->is_new = access(run->path, F_OK) != 0;
  return run->is_new || (file_read_text(run->arena, run->path, file_limit, &source, error) &&
                            snapshot_record_read(run->arena, &source, &run->before, error));
}

static void keep_row(SnapshotRun *run, const SnapshotStream *stream, uint32_t row, RowState state) {
  run->same += state == ROW_SAME;
  run->changed += state == ROW_CHANGED;
  run->added += state == ROW_NEW;
  if (state != ROW_SAME && !run->judges) session_note(STATUS_REFUTED);
  if (state != ROW_SAME)
    *ARENA_PUSH(run->arena, &run->changes) = (SnapshotChange){stream->name, row, state};
}

bool snapshot_run_wants(const SnapshotRun *run, const char *name) {
  size_t length = run->only == nullptr ? 0 : strlen(run->only);
  if (length > 0 && run->only[length - 1] == '/') return strncmp(run->only, name, length) == 0;
  return run->only == nullptr || strcmp(run->only, name) == 0;
}

static uint64_t count_rows(const SnapshotRun *run) {
  uint64_t rows = 0;
  for (uint32_t i = 0; i < run->snapshot->streams.count; i++)
    if (snapshot_run_wants(run, run->snapshot->streams.items[i].name))
      rows += run->snapshot->streams.items[i].rows;
  return rows;
}

/* Recorded rows of a stream that is gone or has become shorter. */
static void count_gone(SnapshotRun *run) {
  for (uint32_t i = 0; i < run->before.count; i++) {
    const RecordStream *kept = &run->before.items[i];
    const SnapshotStream *stream = snapshot_stream(run->snapshot, kept->name);
    uint32_t rows = stream == nullptr ? 0 : stream->rows;
    if (snapshot_run_wants(run, kept->name) && rows < kept->rows) run->gone += kept->rows - rows;
  }
}

void snapshot_run_compare(SnapshotRun *run,
    void (*at)(void *owner, const char *stream, uint64_t done, uint64_t all), void *owner) {
  const uint64_t all = count_rows(run);
  for (uint32_t i = 0; i < run->snapshot->streams.count; i++) {
    SnapshotStream *stream = &run->snapshot->streams.items[i];
    const RecordStream *kept = snapshot_record_stream(&run->before, stream->name);
    if (!snapshot_run_wants(run, stream->name)) {
      if (kept != nullptr) *ARENA_PUSH(run->arena, &run->now) = *kept;
      continue;
    }
    RecordStream now = {.name = stream->name,
        .rows = stream->rows,
        .digests = ARENA_NEW(run->arena, uint16_t, stream->rows)};
    for (uint32_t row = 0; row < stream->rows && !run->is_interrupted; row++) {
      session_at("snapshot --show %s:%u", stream->name, row);
      keep_row(run, stream, row,
          snapshot_record_compare(run->snapshot, stream, kept, row, &now.digests[row]));
      run->is_interrupted = session_is_interrupted();
      at(owner, stream->name, run->same + run->changed + run->added, all);
    }
    *ARENA_PUSH(run->arena, &run->now) = now;
  }
  count_gone(run);
}

void snapshot_run_close(SnapshotRun *run) {
  if (run->snapshot != nullptr) snapshot_destroy(run->snapshot);
}
