/* Reads, prints and compares records. A file that was cut or edited is an error, so that no row is
 * left out unseen. */
#include "exhaust/snapshot/record.h"

#include <stdlib.h>
#include <string.h>

static constexpr uint32_t row_digits = 4, rows_a_line = 32;
static constexpr uint32_t most_rows = 1 << 20;

typedef struct DigestReader {
  const Source *source;
  size_t at, line_at;
  Error *error;
} DigestReader;

static bool snapshot_record_reject(DigestReader *reader, const char *wanted) {
  error_at(reader->error, ERROR_INPUT, reader->source, reader->line_at, 1, "expected %s", wanted);
  return false;
}

/* The next line that is no comment; false at the end. */
static bool next_line(DigestReader *reader, size_t *length) {
  const Source *source = reader->source;
  while (reader->at < source->length) {
    const char *line = source->text + reader->at;
    size_t left = source->length - reader->at;
    const char *stop = memchr(line, '\n', left); /* a NUL does not end a line */
    size_t end = stop == nullptr ? left : (size_t)(stop - line);
    reader->line_at = reader->at;
    reader->at += end + (stop != nullptr);
    *length = end;
    if (end > 0 && *line != '#') return true;
  }
  reader->line_at = source->length;
  return false;
}

static bool digit_of(char byte, uint32_t *digit) {
  const char *digits = "0123456789abcdef", *found = byte == 0 ? nullptr : strchr(digits, byte);
  *digit = found == nullptr ? 0 : (uint32_t)(found - digits);
  return found != nullptr;
}

static bool read_digests(DigestReader *reader, RecordStream *stream) {
  uint32_t digit, row = 0;
  size_t length;
  while (row < stream->rows) {
    if (!next_line(reader, &length) || length % row_digits != 0 ||
        length / row_digits > stream->rows - row)
      return snapshot_record_reject(reader, "four hexadecimal digits for each row of the stream");
    for (size_t i = 0; i < length; i++) {
      if (!digit_of(reader->source->text[reader->line_at + i], &digit))
        return snapshot_record_reject(reader, "hexadecimal digits");
      uint16_t *digest = &stream->digests[row + i / row_digits];
      *digest = (uint16_t)(*digest << 4 | digit);
    }
    row += (uint32_t)(length / row_digits);
  }
  return true;
}

static bool read_stream(Arena *arena, DigestReader *reader, size_t length, SnapshotRecord *record) {
  const char *line = arena_text(arena, reader->source->text + reader->line_at, length);
  size_t name = strcspn(line, " ");
  char *end = nullptr;
  unsigned long rows = line[name] == ' ' ? strtoul(line + name + 1, &end, 10) : 0;
  if (name == 0 || rows == 0 || rows > most_rows || end != line + length)
    return snapshot_record_reject(reader, "the name of a stream and its number of rows");
  RecordStream stream = {.name = arena_text(arena, line, name),
      .rows = (uint32_t)rows,
      .digests = ARENA_NEW(arena, uint16_t, rows)};
  if (snapshot_record_stream(record, stream.name) != nullptr)
    return snapshot_record_reject(reader, "each stream once");
  if (!read_digests(reader, &stream)) return false;
  *ARENA_PUSH(arena, record) = stream;
  return true;
}

bool snapshot_record_read(
    Arena *arena, const Source *source, SnapshotRecord *record, Error *error) {
  DigestReader reader = {.source = source, .error = error};
  size_t length;
  while (next_line(&reader, &length))
    if (!read_stream(arena, &reader, length, record)) return false;
  return true;
}

void snapshot_record_print(Text *text, const SnapshotRecord *record) {
  text_string(text, "# Digests of the engine's answers to generated questions: docs/formats.md.\n"
                    "# Written by `affirm snapshot --update`.\n");
  for (uint32_t i = 0; i < record->count; i++) {
    const RecordStream *stream = &record->items[i];
    text_printf(text, "%s %u", stream->name, stream->rows);
    for (uint32_t row = 0; row < stream->rows; row++)
      text_printf(text, "%s%04x", row % rows_a_line == 0 ? "\n" : "", stream->digests[row]);
    text_string(text, "\n");
  }
}

const RecordStream *snapshot_record_stream(const SnapshotRecord *record, const char *name) {
  for (uint32_t i = 0; i < record->count; i++)
    if (strcmp(record->items[i].name, name) == 0) return &record->items[i];
  return nullptr;
}

RowState snapshot_record_compare(Snapshot *snapshot, SnapshotStream *stream,
    const RecordStream *kept, uint32_t row, uint16_t *digest) {
  SnapshotInput input = snapshot_input(snapshot, stream, row);
  *digest = snapshot_digest(snapshot_answers(snapshot, &input));
  snapshot_next(snapshot);
  if (kept == nullptr || row >= kept->rows) return ROW_NEW;
  return kept->digests[row] == *digest ? ROW_SAME : ROW_CHANGED;
}
