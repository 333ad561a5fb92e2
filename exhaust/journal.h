/* The journal of a run: an append-only text file with one line per finished chunk of cases. The
 * journal is also the result of the run; `affirm merge` reads it.
 *     affirm-exhaust 3 SCOPE TIER cases K chunk S shard I N all N build HEX
 *     chunk C cases N failed F open O <counts> first K K:END K end HEX
 * Keeps: a line is written by one write and ends with a checksum over the head and the line. A line
 * that a killed process left torn, or that belongs to another run, is detected and not counted. A
 * chunk counts only if its line is complete. Two different lines of one chunk are an error. */
#ifndef EXHAUST_JOURNAL_H
#define EXHAUST_JOURNAL_H

#include "exhaust/exhaust.h"

static constexpr uint32_t journal_kept = 8; /* cases that a chunk names: the first lost ones,
                                               then failed ones, then open ones */

typedef struct JournalHead {
  char scope[64], tier[16];
  uint64_t cases, chunk_size, shard, shards, stride, build;
} JournalHead;

typedef struct JournalChunk {
  uint64_t number;
  ExhaustTally tally;
  uint32_t kept;
  KeptCase cases[journal_kept];
} JournalChunk;

typedef struct Journal {
  JournalHead head;
  int file;
  uint64_t chunk_count; /* of all shards */
  uint8_t *done;        /* one bit per chunk */
  uint64_t done_count, torn, repeated;
  ExhaustTally tally;
  uint64_t kept, kept_capacity;
  KeptCase *cases; /* named by chunks, in file order */
  uint64_t *sums;  /* [chunk_count] checksum of each finished chunk's line, to compare repeated
                      lines */
} Journal;

/* Opens or creates the file and locks it: one run at a time. path == nullptr: an unnamed file. An
 * existing file must have the same head, and `resume` must be set. */
[[nodiscard]] bool journal_open(
    Journal *journal, const char *path, const JournalHead *head, bool resume, Error *error);
/* Reads a journal that no process writes. */
[[nodiscard]] bool journal_read(Journal *journal, const char *path, Error *error);
void journal_close(Journal *journal);
/* Reads the lines appended since the last call. */
[[nodiscard]] bool journal_refresh(Journal *journal, Error *error);
[[nodiscard]] bool journal_append(const Journal *journal, const JournalChunk *chunk);
/* Adds another journal of the same scope, tier and build. */
[[nodiscard]] bool journal_merge(Journal *all, const Journal *some, Error *error);
[[nodiscard]] bool journal_has(const Journal *journal, uint64_t chunk);
/* The number of chunks in the shard. */
[[nodiscard]] uint64_t journal_share(const JournalHead *head);
/* A hash of the bytes of the running program and of a library that it has opened (nullptr:
 * none). */
[[nodiscard]] uint64_t journal_build(const char *library);

#endif
