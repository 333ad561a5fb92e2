/* Compares the engine's answers with the recorded ones. Shared by `affirm snapshot` and the
 * gate. */
#ifndef CLI_SNAPSHOT_SNAPSHOT_RUN_H
#define CLI_SNAPSHOT_SNAPSHOT_RUN_H

#include "exhaust/snapshot/record.h"

typedef struct SnapshotChange {
  const char *stream;
  uint32_t row;
  RowState state; /* ROW_CHANGED or ROW_NEW */
} SnapshotChange;

typedef struct SnapshotChanges {
  uint32_t count, capacity;
  SnapshotChange *items;
} SnapshotChanges;

typedef struct SnapshotRun {
  Arena *arena;
  const char *corpus; /* a directory; its file answers.snapshot is the record */
  const char *path;   /* of the record; set by snapshot_run_open */
  const char *only;   /* the one stream to compare, or the streams whose names begin with it if it
                         ends in `/`; nullptr: all */
  bool judges;        /* the snapshot can judge answers */
  bool is_new;        /* there is no record yet */
  Snapshot *snapshot;
  SnapshotRecord before, now; /* now: has the streams that were compared, and those left out */
  uint64_t same, changed, added, gone; /* rows; gone: recorded rows that no longer exist */
  SnapshotChanges changes;             /* rows that changed or are new */
  bool is_interrupted;
} SnapshotRun;

/* Finds the corpus's files and reads its record. GIVE: the caller ends it with
 * snapshot_run_close, also after a failure. */
[[nodiscard]] bool snapshot_run_open(SnapshotRun *run, Error *error);
[[nodiscard]] bool snapshot_run_wants(const SnapshotRun *run, const char *name);
/* Compares every row, until an interrupt. `at` receives the number of rows done and of all. */
void snapshot_run_compare(SnapshotRun *run,
    void (*at)(void *owner, const char *stream, uint64_t done, uint64_t all), void *owner);
void snapshot_run_close(SnapshotRun *run);

#endif
