/* Reads, appends and merges journals. Every number that is read is checked against the head before
 * use. */
#include "exhaust/journal.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/program.h"

static constexpr size_t line_capacity = 2048;
static constexpr size_t journal_limit = (size_t)1 << 31;

uint64_t journal_build(const char *library) {
  uint64_t program = program_hash();
  return library == nullptr ? program : hash_mix(program, program_file_hash(library));
}

static uint64_t chunks_of(const JournalHead *head) {
  return head->cases / head->chunk_size + (head->cases % head->chunk_size != 0);
}

uint64_t journal_share(const JournalHead *head) {
  uint64_t chunks = chunks_of(head);
  return chunks / head->shards + (head->shard < chunks % head->shards);
}

static int print_head(char *line, const JournalHead *head) {
  return snprintf(line, line_capacity,
      "affirm-exhaust 3 %s %s cases %" PRIu64 " chunk %" PRIu64 " shard %" PRIu64 " %" PRIu64
      " all %" PRIu64 " build %016" PRIx64 "\n",
      head->scope, head->tier, head->cases, head->chunk_size, head->shard, head->shards,
      head->stride, head->build);
}

/* The initial value of each line's checksum. A line under another head is therefore invalid. */
static uint64_t sum_of_head(const JournalHead *head) {
  char line[line_capacity] = {};
  int length = print_head(line, head);
  assert(length > 0 && (size_t)length < line_capacity);
  return checksum_bytes(checksum_start, line, (size_t)length);
}

static bool parse_number(const char **at, uint64_t *value) {
  char *end;
  if (**at != ' ' || (*at)[1] < '0' || (*at)[1] > '9') return false;
  errno = 0;
  *value = strtoull(*at, &end, 10);
  *at = end;
  return errno == 0;
}

static bool parse_word(const char **at, const char *word) {
  size_t length = strlen(word);
  if (strncmp(*at, word, length) != 0) return false;
  *at += length;
  return true;
}

static bool parse_name(const char **at, char *name, size_t capacity) {
  if (**at != ' ') return false;
  size_t length = strcspn(++*at, " \n");
  if (length == 0 || length >= capacity) return false;
  memcpy(name, *at, length);
  name[length] = 0;
  *at += length;
  return true;
}

static bool parse_build(const char **at, uint64_t *build) {
  static constexpr size_t digits = 16;
  if (!parse_word(at, " build ") || strspn(*at, "0123456789abcdef") != digits) return false;
  *build = strtoull(*at, nullptr, 16);
  *at += digits;
  return true;
}

/* At `end`, which may be nullptr, the line break may be missing. */
static bool parse_head(const char *line, const char *end, JournalHead *head) {
  const char *at = line;
  bool is_read =
      parse_word(&at, "affirm-exhaust 3") && parse_name(&at, head->scope, sizeof head->scope) &&
      parse_name(&at, head->tier, sizeof head->tier) && parse_word(&at, " cases") &&
      parse_number(&at, &head->cases) && parse_word(&at, " chunk") &&
      parse_number(&at, &head->chunk_size) && parse_word(&at, " shard") &&
      parse_number(&at, &head->shard) && parse_number(&at, &head->shards) &&
      parse_word(&at, " all") && parse_number(&at, &head->stride) && parse_build(&at, &head->build);
  return is_read && (*at == '\n' || at == end) && head->chunk_size > 0 && head->shards > 0 &&
         head->shard < head->shards && head->cases / head->chunk_size < (UINT64_C(1) << 32);
}

static bool same_run(const JournalHead *a, const JournalHead *b) {
  return strcmp(a->scope, b->scope) == 0 && strcmp(a->tier, b->tier) == 0 && a->cases == b->cases &&
         a->chunk_size == b->chunk_size && a->stride == b->stride && a->build == b->build;
}

static bool same_head(const JournalHead *a, const JournalHead *b) {
  return same_run(a, b) && a->shard == b->shard && a->shards == b->shards;
}

static void journal_make_capacity(Journal *journal) {
  journal->chunk_count = chunks_of(&journal->head);
  journal->done = calloc(journal->chunk_count / 8 + 1, 1);
  journal->sums = calloc(journal->chunk_count + 1, sizeof *journal->sums);
  if (journal->done == nullptr || journal->sums == nullptr)
    arena_out_of_memory(journal->chunk_count * sizeof *journal->sums);
}

bool journal_has(const Journal *journal, uint64_t chunk) {
  return (journal->done[chunk / 8] >> chunk % 8 & 1) != 0;
}

/* One write per line, because several processes write. An interrupted write has written nothing. */
static bool write_once(const Journal *journal, const char *line, size_t length) {
  ssize_t written;
  errno = 0;
  do written = write(journal->file, line, length);
  while (written < 0 && errno == EINTR);
  return written == (ssize_t)length;
}

bool journal_append(const Journal *journal, const JournalChunk *chunk) {
  char line[line_capacity];
  int length = snprintf(line, sizeof line,
      "chunk %" PRIu64 " cases %" PRIu64 " failed %" PRIu64 " open %" PRIu64, chunk->number,
      chunk->tally.cases, chunk->tally.failed, chunk->tally.open);
  for (uint32_t i = 0; i < exhaust_count_count; i++)
    length +=
        snprintf(line + length, sizeof line - (size_t)length, " %" PRIu64, chunk->tally.counts[i]);
  length += snprintf(line + length, sizeof line - (size_t)length, " first");
  for (uint32_t i = 0; i < chunk->kept; i++) {
    const KeptCase *kept = &chunk->cases[i];
    length += snprintf(line + length, sizeof line - (size_t)length, " %" PRIu64 "%s%s",
        kept->number, kept->end[0] == 0 ? "" : ":", kept->end);
  }
  uint64_t sum = checksum_bytes(sum_of_head(&journal->head), line, (size_t)length);
  length += snprintf(line + length, sizeof line - (size_t)length, " end %016" PRIx64 "\n", sum);
  assert((size_t)length < sizeof line);
  return write_once(journal, line, (size_t)length);
}

static bool parse_case(const char **at, KeptCase *kept) {
  *kept = (KeptCase){};
  if (!parse_number(at, &kept->number)) return false;
  if (**at != ':') return true;
  size_t length = strcspn(++*at, " ");
  if (length == 0 || length >= sizeof kept->end) return false;
  memcpy(kept->end, *at, length);
  *at += length;
  return true;
}

/* Parses a complete line without its line break. Returns false for a torn line. */
static bool parse_chunk(
    const char *line, size_t length, uint64_t start, JournalChunk *chunk, uint64_t *sum) {
  static constexpr size_t tail = sizeof " end 0123456789abcdef" - 1;
  if (length <= tail || length >= line_capacity) return false;
  char copy[line_capacity];
  memcpy(copy, line, length);
  copy[length] = 0;
  char expected[tail + 1];
  *sum = checksum_bytes(start, copy, length - tail);
  snprintf(expected, sizeof expected, " end %016" PRIx64, *sum);
  if (strcmp(copy + length - tail, expected) != 0) return false;
  const char *at = copy;
  *chunk = (JournalChunk){};
  if (!parse_word(&at, "chunk") || !parse_number(&at, &chunk->number) ||
      !parse_word(&at, " cases") || !parse_number(&at, &chunk->tally.cases) ||
      !parse_word(&at, " failed") || !parse_number(&at, &chunk->tally.failed) ||
      !parse_word(&at, " open") || !parse_number(&at, &chunk->tally.open))
    return false;
  for (uint32_t i = 0; i < exhaust_count_count; i++)
    if (!parse_number(&at, &chunk->tally.counts[i])) return false;
  if (!parse_word(&at, " first")) return false;
  while (chunk->kept < journal_kept && parse_case(&at, &chunk->cases[chunk->kept])) chunk->kept++;
  for (uint64_t i = chunk->tally.failed; i < chunk->kept; i++) chunk->cases[i].is_open = true;
  return strncmp(at, " end ", 5) == 0;
}

static void keep_case(Journal *journal, const KeptCase *kept) {
  if (journal->kept == journal->kept_capacity) {
    journal->kept_capacity = 2 * journal->kept_capacity + 8;
    size_t size = journal->kept_capacity * sizeof *journal->cases;
    KeptCase *grown = realloc(journal->cases, size);
    if (grown == nullptr) arena_out_of_memory(size);
    journal->cases = grown;
  }
  journal->cases[journal->kept++] = *kept;
}

static uint64_t chunk_cases(const JournalHead *head, uint64_t chunk) {
  uint64_t first = chunk * head->chunk_size, left = head->cases - first;
  return left < head->chunk_size ? left : head->chunk_size;
}

static bool add_chunk(Journal *journal, const JournalChunk *chunk, uint64_t sum, Error *error) {
  const JournalHead *head = &journal->head;
  if (chunk->number >= journal->chunk_count || chunk->number % head->shards != head->shard)
    return error_set(error, ERROR_INPUT, "chunk %" PRIu64 " is none of this shard", chunk->number);
  if (chunk->tally.cases != chunk_cases(head, chunk->number))
    return error_set(error, ERROR_INPUT, "chunk %" PRIu64 " has %" PRIu64 " cases, not %" PRIu64,
        chunk->number, chunk->tally.cases, chunk_cases(head, chunk->number));
  if (journal_has(journal, chunk->number)) {
    journal->repeated++;
    return journal->sums[chunk->number] == sum ||
           error_set(error, ERROR_INPUT, "two results of chunk %" PRIu64 " differ", chunk->number);
  }
  journal->done[chunk->number / 8] |= (uint8_t)(1u << chunk->number % 8);
  journal->sums[chunk->number] = sum;
  journal->done_count++;
  exhaust_tally_add(&journal->tally, &chunk->tally);
  for (uint32_t i = 0; i < chunk->kept; i++) keep_case(journal, &chunk->cases[i]);
  return true;
}

/* After a power loss the file may contain zero bytes, so they do not end the text. */
static bool add_lines(Journal *journal, const char *text, const char *text_end, Error *error) {
  uint64_t start = sum_of_head(&journal->head);
  for (const char *end; text < text_end; text = end + 1) {
    JournalChunk chunk;
    uint64_t sum;
    end = memchr(text, '\n', (size_t)(text_end - text));
    size_t length = (size_t)((end == nullptr ? text_end : end) - text);
    if (length > 0 && (end == nullptr || !parse_chunk(text, length, start, &chunk, &sum)))
      journal->torn++;
    else if (length > 0 && !add_chunk(journal, &chunk, sum, error)) return false;
    if (end == nullptr) break;
  }
  return true;
}

static void journal_forget(Journal *journal) {
  memset(journal->done, 0, journal->chunk_count / 8 + 1);
  journal->done_count = journal->torn = journal->repeated = journal->kept = 0;
  journal->tally = (ExhaustTally){};
}

static bool read_all(
    Journal *journal, Arena *arena, const char **text, size_t *size, Error *error) {
  struct stat state;
  if (fstat(journal->file, &state) != 0 || (size_t)state.st_size > journal_limit)
    return error_set(error, ERROR_ENVIRONMENT, "the journal cannot be read");
  char *bytes = ARENA_NEW(arena, char, (size_t)state.st_size + 1);
  size_t length = 0;
  for (ssize_t got; length < (size_t)state.st_size; length += (size_t)got) {
    got = pread(journal->file, bytes + length, (size_t)state.st_size - length, (off_t)length);
    if (got <= 0)
      return error_set(error, ERROR_ENVIRONMENT, "the journal cannot be read: %s", strerror(errno));
  }
  *text = bytes;
  *size = length;
  return true;
}

/* Parses the head, then the lines. With `is_new` the head defines the journal; otherwise it must
 * equal the journal's head, and may lack its line break, which end_last_line adds. */
static bool take_in(Journal *journal, bool is_new, Error *error) {
  Arena *arena = arena_create();
  const char *text;
  size_t size;
  JournalHead head = {};
  bool taken = read_all(journal, arena, &text, &size, error);
  if (taken && !parse_head(text, is_new ? nullptr : text + size, &head))
    taken = error_set(error, ERROR_INPUT, "not a journal of affirm exhaust");
  if (taken && !is_new && !same_head(&head, &journal->head))
    taken = error_set(
        error, ERROR_INPUT, "the journal is of another run: another scope, tier, shard or program");
  if (taken && is_new) {
    journal->head = head;
    journal_make_capacity(journal);
  }
  if (taken) journal_forget(journal);
  if (taken) {
    const char *lines = strchr(text, '\n');
    taken = lines == nullptr || add_lines(journal, lines + 1, text + size, error);
  }
  arena_destroy(arena);
  return taken;
}

/* A killed run may take a moment to release its file. */
static bool lock(int file) {
  for (int i = 0; i < 50; i++) {
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return true;
    nanosleep(&(struct timespec){.tv_nsec = 100'000'000}, nullptr);
  }
  return false;
}

static int open_nameless(void) {
  char path[512];
  file_scratch(sizeof path, path, "journal");
  int file = mkstemp(path);
  if (file < 0) return file;
  unlink(path);
  (void)fcntl(file, F_SETFL, O_APPEND);
  return file;
}

static bool open_file(Journal *journal, const char *path, Error *error) {
  journal->file =
      path == nullptr ? open_nameless() : open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (journal->file < 0)
    return error_set(error, ERROR_ENVIRONMENT, "the journal cannot be opened: %s", strerror(errno));
  if (path == nullptr) return true;
  return lock(journal->file) ||
         error_set(error, ERROR_ENVIRONMENT, "another run writes this journal");
}

/* A partly written head is truncated: no run could resume from it. */
static bool write_head(const Journal *journal, const char *line, size_t length) {
  if (write_once(journal, line, length)) return true;
  int why = errno == 0 ? ENOSPC : errno;
  (void)!ftruncate(journal->file, 0);
  errno = why;
  return false;
}

static bool begin_file(Journal *journal, bool resume, Error *error) {
  struct stat state;
  if (fstat(journal->file, &state) != 0)
    return error_set(error, ERROR_ENVIRONMENT, "%s", strerror(errno));
  if (state.st_size == 0) {
    char line[line_capacity];
    int length = print_head(line, &journal->head);
    return write_head(journal, line, (size_t)length) ||
           error_set(
               error, ERROR_ENVIRONMENT, "the journal cannot be written: %s", strerror(errno));
  }
  return resume ||
         error_set(error, ERROR_INPUT, "the journal is there already; --resume continues it");
}

/* Ends a last line that a killed run has not ended, and reads the journal again. Only an accepted
 * journal is written to. */
static bool end_last_line(Journal *journal, Error *error) {
  char last = '\n';
  off_t size = lseek(journal->file, 0, SEEK_END);
  if (size <= 0 || pread(journal->file, &last, 1, size - 1) != 1 || last == '\n') return true;
  if (!write_once(journal, "\n", 1))
    return error_set(
        error, ERROR_ENVIRONMENT, "the journal cannot be written: %s", strerror(errno));
  return take_in(journal, false, error);
}

bool journal_open(
    Journal *journal, const char *path, const JournalHead *head, bool resume, Error *error) {
  *journal = (Journal){.head = *head, .file = -1};
  journal_make_capacity(journal);
  Error found = {};
  if (open_file(journal, path, &found) && begin_file(journal, resume, &found) &&
      take_in(journal, false, &found) && end_last_line(journal, &found))
    return true;
  journal_close(journal);
  if (path == nullptr) return error_set(error, found.kind, "%s", found.message);
  return error_of_file(error, found.kind, path, "%s", found.message);
}

bool journal_read(Journal *journal, const char *path, Error *error) {
  *journal = (Journal){.file = open(path, O_RDONLY | O_CLOEXEC)};
  if (journal->file < 0)
    return error_of_file(error, ERROR_ENVIRONMENT, path, "%s", strerror(errno));
  if (take_in(journal, true, error)) return true;
  journal_close(journal);
  return false;
}

bool journal_refresh(Journal *journal, Error *error) { return take_in(journal, false, error); }

void journal_close(Journal *journal) {
  if (journal->file >= 0) close(journal->file);
  free(journal->done);
  free(journal->sums);
  free(journal->cases);
  *journal = (Journal){.file = -1};
}

bool journal_merge(Journal *all, const Journal *some, Error *error) {
  if (all->head.scope[0] == 0) {
    all->head = some->head;
    all->head.shard = 0;
    all->head.shards = 1;
    journal_make_capacity(all);
  }
  if (!same_run(&all->head, &some->head))
    return error_set(
        error, ERROR_INPUT, "results of different scopes, tiers or programs do not merge");
  for (uint64_t chunk = 0; chunk < some->chunk_count; chunk++) {
    if (!journal_has(some, chunk)) continue;
    if (journal_has(all, chunk))
      return error_set(error, ERROR_INPUT, "chunk %" PRIu64 " is in two results", chunk);
    all->done[chunk / 8] |= (uint8_t)(1u << chunk % 8);
    all->done_count++;
  }
  exhaust_tally_add(&all->tally, &some->tally);
  all->torn += some->torn;
  for (uint64_t i = 0; i < some->kept; i++) keep_case(all, &some->cases[i]);
  return true;
}
