/* The file of recorded digests, and the comparison with it. The file has a line `NAME ROWS` for
 * each stream, then its digests in hexadecimal, four digits each; lines that begin with # are
 * comments. */
#ifndef EXHAUST_SNAPSHOT_RECORD_H
#define EXHAUST_SNAPSHOT_RECORD_H

#include "exhaust/snapshot/snapshot.h"

typedef struct RecordStream {
  const char *name;
  uint32_t rows;
  uint16_t *digests; /* [rows] */
} RecordStream;

typedef struct SnapshotRecord {
  uint32_t count, capacity;
  RecordStream *items;
} SnapshotRecord;

/* The record is in the arena. */
[[nodiscard]] bool snapshot_record_read(
    Arena *arena, const Source *source, SnapshotRecord *record, Error *error);
void snapshot_record_print(Text *text, const SnapshotRecord *record);
/* nullptr if the record lacks the stream. */
[[nodiscard]] const RecordStream *snapshot_record_stream(
    const SnapshotRecord *record, const char *name);

typedef enum RowState : uint8_t { ROW_SAME, ROW_CHANGED, ROW_NEW } RowState;

/* Answers a row and compares its digest. `kept` is the recorded stream or nullptr. A stream whose
 * number of rows has changed is compared as far as both have rows. */
[[nodiscard]] RowState snapshot_record_compare(Snapshot *snapshot, SnapshotStream *stream,
    const RecordStream *kept, uint32_t row, uint16_t *digest);

#endif
