/* The journal of a run: an append-only text file, a line a finished chunk of cases. It is the run's
 * result as well: `affirm merge` reads it.
 *     affirm-exhaust 3 SCOPE TIER cases K chunk S shard I N all N build HEX
 *     chunk C cases N failed F open O <counts> first K K:END K end HEX
 * Keeps: a line is written by one write and ends in a sum over the head and its bytes, so that a
 * line that a killed process left torn is known and not counted, nor one of another run; a chunk
 * counts only when its line is whole. Two lines of one chunk that differ are an error, never a
 * choice. */
#ifndef JUDGE_JOURNAL_H
#define JUDGE_JOURNAL_H

#include "exhaust/exhaust.h"

static constexpr uint32_t journal_kept = 8; /* cases that a chunk names: the first that were lost,
                                               then that failed, then that are open */

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
  uint8_t *done;        /* a bit a chunk */
  uint64_t done_count, torn, repeated;
  ExhaustTally tally;
  uint64_t kept, kept_capacity;
  KeptCase *cases; /* that chunks name, in the order of the file */
  uint64_t *sums;  /* of each finished chunk's line, to compare repeated ones */
} Journal;

/* Opens or makes the file for one run at a time. path == nullptr: a file without a name. An
 * existing file must have the same head, and `resume` must be said. */
[[nodiscard]] bool journal_open(
    Journal *journal, const char *path, const JournalHead *head, bool resume, Error *error);
/* Reads a journal that nobody writes. */
[[nodiscard]] bool journal_read(Journal *journal, const char *path, Error *error);
void journal_close(Journal *journal);
/* Takes in what was appended. */
[[nodiscard]] bool journal_refresh(Journal *journal, Error *error);
[[nodiscard]] bool journal_append(const Journal *journal, const JournalChunk *chunk);
/* Adds another journal of the same scope, tier and build. */
[[nodiscard]] bool journal_merge(Journal *all, const Journal *some, Error *error);
[[nodiscard]] bool journal_has(const Journal *journal, uint64_t chunk);
/* Chunks of the shard. */
[[nodiscard]] uint64_t journal_share(const JournalHead *head);
/* A number for the program that runs and a library that it has opened (nullptr: none), by the bytes
 * of their files. */
[[nodiscard]] uint64_t journal_build(const char *library);

#endif
