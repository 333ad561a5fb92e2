/* Journals against lines that this file writes by the form in journal.h, with every byte of a line
 * changed; and groups of failed cases against a list of all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/file.h"
#include "core/base/test/length.h"
#include "exhaust/fault_groups.h"
#include "exhaust/journal.h"

static uint64_t exhaust_state = 20261218;

static uint64_t exhaust_below(uint64_t end) {
  exhaust_state = exhaust_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (exhaust_state >> 24) % end;
}

/* ---- journals ---- */

static char journal_path[512];

static constexpr size_t most_journal_text = 1 << 15;
static constexpr uint32_t most_journal_lines = 24;

typedef struct WrittenJournal {
  JournalHead head;
  uint64_t chunks, own; /* of all shards, and of this one */
  uint32_t lines;
  JournalChunk chunk[most_journal_lines];
  size_t begin[most_journal_lines + 1], length; /* begin[0] is the end of the head */
  char text[most_journal_text];
} WrittenJournal;

/* FNV-1a over the head and the line, the head padded with nothing. */
static uint64_t written_sum(const char *head, size_t head_length, const char *line, size_t length) {
  uint64_t sum = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < head_length + length; i++) {
    sum ^= (unsigned char)(i < head_length ? head[i] : line[i - head_length]);
    sum *= UINT64_C(1099511628211);
  }
  return sum;
}

static void write_journal_head(WrittenJournal *made) {
  const JournalHead *head = &made->head;
  made->length = (size_t)snprintf(made->text, most_journal_text,
      "affirm-exhaust 3 %s %s cases %" PRIu64 " chunk %" PRIu64 " shard %" PRIu64 " %" PRIu64
      " all %" PRIu64 " build %016" PRIx64 "\n",
      head->scope, head->tier, head->cases, head->chunk_size, head->shard, head->shards,
      head->stride, head->build);
  made->begin[0] = made->length;
}

static void write_journal_line(WrittenJournal *made, const JournalChunk *chunk) {
  char *line = made->text + made->length;
  int length = sprintf(line, "chunk %" PRIu64 " cases %" PRIu64 " failed %" PRIu64 " open %" PRIu64,
      chunk->number, chunk->tally.cases, chunk->tally.failed, chunk->tally.open);
  for (uint32_t i = 0; i < exhaust_count_count; i++)
    length += sprintf(line + length, " %" PRIu64, chunk->tally.counts[i]);
  length += sprintf(line + length, " first");
  for (uint32_t i = 0; i < chunk->kept; i++) {
    length += sprintf(line + length, " %" PRIu64, chunk->cases[i].number);
    if (chunk->cases[i].end[0] != 0) length += sprintf(line + length, ":%s", chunk->cases[i].end);
  }
  uint64_t sum = written_sum(made->text, made->begin[0], line, (size_t)length);
  length += sprintf(line + length, " end %016" PRIx64 "\n", sum);
  made->chunk[made->lines] = *chunk;
  made->length += (size_t)length;
  made->begin[++made->lines] = made->length;
  assert_true(made->length < most_journal_text);
}

static JournalChunk draw_chunk(const JournalHead *head, uint64_t number) {
  static const char *const ends[] = {"", "", "SIGABRT", "exit-3", "hung", "a-name-of-15-by"};
  uint64_t first = number * head->chunk_size, cases = 0;
  for (uint64_t k = 0; k < head->chunk_size; k++) cases += first + k < head->cases;
  JournalChunk chunk = {.number = number,
      .tally = {.cases = cases, .failed = exhaust_below(3), .open = exhaust_below(3)},
      .kept = (uint32_t)exhaust_below(journal_kept + 1)};
  for (uint32_t i = 0; i < exhaust_count_count; i++)
    chunk.tally.counts[i] = exhaust_below(4) == 0 ? exhaust_below(UINT64_C(1) << 40) : 0;
  for (uint32_t i = 0; i < chunk.kept; i++) {
    chunk.cases[i].number = first + exhaust_below(head->chunk_size);
    strcpy(chunk.cases[i].end, ends[exhaust_below(6)]);
  }
  return chunk;
}

/* Up to 19 chunks; the shard has those whose number it leaves over. */
static void draw_journal(WrittenJournal *made, uint64_t shard, uint64_t shards) {
  *made = (WrittenJournal){.head = {.scope = "pad",
                               .tier = "gate",
                               .chunk_size = 1 + exhaust_below(5),
                               .shard = shard,
                               .shards = shards,
                               .stride = exhaust_below(3),
                               .build = exhaust_below(UINT64_C(1) << 30) << 20}};
  made->head.cases = exhaust_below(19 * made->head.chunk_size + 1);
  for (uint64_t k = 0; k < made->head.cases; k++) made->chunks += k % made->head.chunk_size == 0;
  for (uint64_t k = 0; k < made->chunks; k++) made->own += k % shards == shard;
  write_journal_head(made);
}

static void store_journal(const char *text, size_t length) {
  FILE *file = fopen(journal_path, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

/* What lines that count say: `without` is left out, UINT32_MAX: none is. */
static void check_journal(const WrittenJournal *made, const Journal *read, uint32_t without) {
  ExhaustTally tally = {};
  uint64_t kept = 0, done = 0, repeated = 0;
  bool has[most_journal_lines] = {};
  for (uint32_t i = 0; i < made->lines; i++) {
    const JournalChunk *chunk = &made->chunk[i];
    if (i == without) continue;
    bool is_again = has[chunk->number];
    has[chunk->number] = true;
    repeated += is_again;
    if (is_again) continue;
    done++;
    tally.cases += chunk->tally.cases;
    tally.failed += chunk->tally.failed;
    tally.open += chunk->tally.open;
    for (uint32_t k = 0; k < exhaust_count_count; k++) tally.counts[k] += chunk->tally.counts[k];
    for (uint32_t k = 0; k < chunk->kept; k++, kept++) {
      assert_true(kept < read->kept);
      assert_int_equal(read->cases[kept].number, chunk->cases[k].number);
      assert_string_equal(read->cases[kept].end, chunk->cases[k].end);
    }
  }
  assert_int_equal(read->kept, kept);
  assert_int_equal(read->done_count, done);
  assert_int_equal(read->repeated, repeated);
  assert_int_equal(read->torn, without != UINT32_MAX);
  assert_int_equal(read->chunk_count, made->chunks);
  for (uint64_t k = 0; k < made->chunks; k++) assert_int_equal(journal_has(read, k), has[k]);
  assert_memory_equal(&read->tally, &tally, sizeof tally);
}

static void journals_read_as_they_are_written(void **) {
  static WrittenJournal made;
  for (uint32_t round = 0; round < 60; round++) {
    uint64_t shards = 1 + exhaust_below(3);
    draw_journal(&made, exhaust_below(shards), shards);
    assert_int_equal(journal_share(&made.head), made.own);
    unlink(journal_path);
    Journal journal;
    Error error = {};
    if (!journal_open(&journal, journal_path, &made.head, false, &error))
      fail_msg("%s", error.message);
    for (uint64_t k = 0; k < made.chunks; k++) {
      if (k % shards != made.head.shard || exhaust_below(4) == 0) continue;
      JournalChunk chunk = draw_chunk(&made.head, k);
      for (uint64_t times = exhaust_below(6) == 0 ? 2 : 1; times > 0; times--) {
        write_journal_line(&made, &chunk);
        assert_true(journal_append(&journal, &chunk));
      }
    }
    for (uint32_t times = 0; times < 2; times++) { /* what was read before is forgotten */
      assert_true(journal_refresh(&journal, &error));
      check_journal(&made, &journal, UINT32_MAX);
    }
    journal_close(&journal);
    Source source;
    Arena *arena = arena_create();
    if (!file_read(arena, journal_path, most_journal_text, &source, &error))
      fail_msg("%s", error.message);
    assert_int_equal(source.length, made.length);
    assert_memory_equal(source.text, made.text, made.length);
    arena_destroy(arena);
  }
}

/* A line with another byte does not count; a head with another byte is of another run. */
static void each_changed_byte_is_seen(void **) {
  static WrittenJournal made;
  static char text[most_journal_text];
  do {
    made = (WrittenJournal){};
    draw_journal(&made, 1, 2);
  } while (made.own < 3);
  for (uint64_t k = 1; k < made.chunks && made.lines < 3; k += 2) {
    JournalChunk chunk = draw_chunk(&made.head, k);
    write_journal_line(&made, &chunk);
  }
  for (size_t at = 0; at < made.length; at += test_length(1, 1, 5)) {
    memcpy(text, made.text, made.length);
    text[at] = text[at] == '7' ? '8' : text[at] >= '0' && text[at] <= '9' ? '7' : 0;
    store_journal(text, made.length);
    Journal journal;
    Error error = {};
    uint32_t line = 0;
    while (line < made.lines && at >= made.begin[line + 1]) line++;
    if (at < made.begin[0]) {
      if (!journal_read(&journal, journal_path, &error)) continue;
      assert_int_equal(journal.done_count + journal.kept, 0);
      assert_int_equal(journal.torn, made.lines);
    } else {
      assert_true(journal_read(&journal, journal_path, &error));
      if (made.text[at] != '\n') check_journal(&made, &journal, line);
      else assert_int_equal(journal.done_count, made.lines - (line + 1 < made.lines ? 2 : 1));
    }
    journal_close(&journal);
  }
}

/* An empty file begins with the head; another one goes on if that is asked for and it is of the
 * same run, after a line break if its last line is torn. */
static void a_journal_goes_on_if_that_is_asked_for(void **) {
  static WrittenJournal made;
  made = (WrittenJournal){.head = {.scope = "pad",
                              .tier = "gate",
                              .cases = 9,
                              .chunk_size = 3,
                              .shard = 0,
                              .shards = 1,
                              .build = 5},
      .chunks = 3};
  write_journal_head(&made);
  JournalChunk chunk = draw_chunk(&made.head, 1);
  write_journal_line(&made, &chunk);
  for (size_t length = 0; length <= made.length; length += test_length(1, 1, 7))
    for (uint32_t resumed = 0; resumed < 2; resumed++)
      for (uint32_t other = 0; other < 2; other++) {
        store_journal(made.text, length);
        JournalHead head = made.head;
        head.build += other;
        Journal journal;
        Error error = {};
        bool has_head = length + 1 >= made.begin[0]; /* the line break is added */
        bool fits = length == 0 || (resumed == 1 && other == 0 && has_head);
        assert_int_equal(journal_open(&journal, journal_path, &head, resumed == 1, &error), fits);
        if (!fits) assert_int_equal(error.kind, ERROR_INPUT);
        if (!fits) continue;
        chunk = draw_chunk(&head, 0);
        assert_true(journal_append(&journal, &chunk));
        journal_close(&journal);
        assert_true(journal_read(&journal, journal_path, &error));
        bool is_whole = length + 1 >= made.length;
        assert_int_equal(journal.torn, length > made.begin[0] && !is_whole);
        assert_int_equal(journal.done_count, is_whole ? 2 : 1);
        assert_true(journal_has(&journal, 0));
        journal_close(&journal);
      }
}

static void heads_have_numbers_that_fit(void **) {
  static const struct {
    const char *text;
    bool is_read;
  } rows[] = {
      {"affirm-exhaust 3 pad gate cases 7 chunk 2 shard 0 1 all 0 build 0123456789abcdef\n", true},
      {"affirm-exhaust 3 pad gate cases 0 chunk 1 shard 4 5 all 9 build 0123456789abcdef\n", true},
      {"affirm-exhaust 3 pad gate cases 7 chunk 0 shard 0 1 all 0 build 0123456789abcdef\n", false},
      {"affirm-exhaust 3 pad gate cases 7 chunk 2 shard 0 0 all 0 build 0123456789abcdef\n", false},
      {"affirm-exhaust 3 pad gate cases 7 chunk 2 shard 1 1 all 0 build 0123456789abcdef\n", false},
      {"affirm-exhaust 3 pad gate cases 4294967296 chunk 1 shard 0 1 all 0 build 0123456789abcdef\n",
          false},
      {"affirm-exhaust 3 pad gate cases 18446744073709551616 chunk 1 shard 0 1 all 0 build 0123456789abcdef\n",
          false},
      {"affirm-exhaust 3 pad gate cases -7 chunk 2 shard 0 1 all 0 build 0123456789abcdef\n",
          false},
      {"affirm-exhaust 3 pad gate cases  7 chunk 2 shard 0 1 all 0 build 0123456789abcdef\n",
          false},
      {"affirm-exhaust 3 pad gate cases 7 chunk 2 shard 0 1 all 0 build 0123456789abcde\n", false},
      {"affirm-exhaust 3 pad gate cases 7 chunk 2 shard 0 1 all 0 build 0123456789abcdef0\n",
          false},
      {"affirm-exhaust 3 pad gate cases 7 chunk 2 shard 0 1 all 0 build 0123456789abcdeg\n", false},
      {"affirm-exhaust 3 pad gate cases 7 chunk 2 shard 0 1 all 0 build 0123456789abcdef", false},
      {"affirm-exhaust 3 pad a-tier-of-15-by cases 7 chunk 2 shard 0 1 all 0 build 0123456789abcdef\n",
          true},
      {"affirm-exhaust 3 pad a-tier-of-16-byt cases 7 chunk 2 shard 0 1 all 0 build 0123456789abcdef\n",
          false},
      {"affirm-exhaust 3  gate cases 7 chunk 2 shard 0 1 all 0 build 0123456789abcdef\n", false},
      {"affirm-exhaust 2 pad gate cases 7 chunk 2 shard 0 1 all 0 build 0123456789abcdef\n", false},
      {"", false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    store_journal(rows[i].text, strlen(rows[i].text));
    Journal journal;
    Error error = {};
    if (journal_read(&journal, journal_path, &error) != rows[i].is_read)
      fail_msg("%s", rows[i].text);
    if (rows[i].is_read) journal_close(&journal);
    else assert_int_equal(error.kind, ERROR_INPUT);
  }
}

/* Lines that are complete and yet wrong end the reading: of no chunk of the shard, with another
 * number of cases, and two results of a chunk. */
static void complete_lines_that_do_not_fit_are_errors(void **) {
  static WrittenJournal made;
  for (uint64_t number = 0; number < 8; number++)
    for (uint64_t cases = 0; cases < 4; cases++)
      for (uint32_t again = 0; again < 3; again++) {
        made = (WrittenJournal){.head = {.scope = "pad",
                                    .tier = "full",
                                    .cases = 11,
                                    .chunk_size = 2,
                                    .shard = 1,
                                    .shards = 2}};
        write_journal_head(&made);
        JournalChunk chunk = {.number = number, .tally = {.cases = cases}};
        write_journal_line(&made, &chunk);
        chunk.tally.open = again == 1;
        if (again > 0) write_journal_line(&made, &chunk);
        store_journal(made.text, made.length);
        Journal journal;
        Error error = {};
        uint64_t expected = number == 5 ? 1 : 2; /* of chunks 1, 3 and 5 of 11 cases */
        bool fits = number % 2 == 1 && number < 6 && cases == expected && again != 1;
        assert_int_equal(journal_read(&journal, journal_path, &error), fits);
        if (fits) assert_int_equal(journal.repeated, again == 2);
        if (fits) journal_close(&journal);
      }
}

static void journals_of_one_run_merge(void **) {
  static WrittenJournal made[2];
  for (uint32_t field = 0; field < 8; field++)
    for (uint64_t shard = 0; shard < 2; shard++) {
      draw_journal(&made[0], 0, 2);
      made[0].head.cases = 7 * made[0].head.chunk_size;
      made[0].chunks = 7;
      made[1] = (WrittenJournal){.head = made[0].head, .chunks = 7};
      JournalHead *head = &made[1].head;
      head->shard = shard;
      if (field == 1) strcpy(head->scope, "pads");
      if (field == 2) strcpy(head->tier, "full");
      if (field == 3) head->cases--;
      if (field == 4) head->chunk_size++;
      if (field == 5) head->stride++;
      if (field == 6) head->build++;
      if (field == 7) head->shards = 3; /* chunk 0 or 4 is then in both */
      Journal all = {.file = -1};
      Error error = {};
      for (uint32_t i = 0; i < 2; i++) {
        write_journal_head(&made[i]);
        for (uint64_t k = made[i].head.shard; k < 7 && field != 3 && field != 4;
            k += made[i].head.shards) {
          JournalChunk chunk = draw_chunk(&made[i].head, k);
          write_journal_line(&made[i], &chunk);
        }
        store_journal(made[i].text, made[i].length);
        Journal one;
        if (!journal_read(&one, journal_path, &error)) fail_msg("%s", error.message);
        bool fits = i == 0 || (field == 0 && shard == 1);
        assert_int_equal(journal_merge(&all, &one, &error), fits);
        if (i == 1 && fits) {
          assert_int_equal(all.done_count, 7);
          assert_int_equal(all.head.shards, 1);
          assert_int_equal(all.head.shard, 0);
          assert_int_equal(all.tally.cases, made[0].head.cases);
        }
        journal_close(&one);
      }
      journal_close(&all);
    }
}

/* ---- groups of faults ---- */

static constexpr uint32_t most_grouped = 400;

/* The groups of the cases so far: the first sets of operations have a group each, all further ones
 * share the last. */
static uint32_t group_number(const FaultGroup *cases, uint32_t at) {
  uint32_t number = 0;
  bool is_first = true;
  for (uint32_t i = 0; i <= at; i++) {
    is_first = true;
    for (uint32_t k = 0; k < i; k++)
      is_first &= cases[k].operations.words[0] != cases[i].operations.words[0];
    if (cases[i].operations.words[0] == cases[at].operations.words[0]) break;
    number += is_first;
  }
  return number < fault_groups_most ? number : fault_groups_most - 1;
}

static void failed_cases_are_grouped_by_their_operations(void **) {
  static FaultGroups groups;
  static FaultGroup cases[most_grouped];
  for (uint32_t round = 0; round < 3; round++) {
    uint64_t sets = round == 0 ? 5 : round == 1 ? fault_groups_most : most_grouped;
    uint32_t of[most_grouped];
    groups = (FaultGroups){};
    for (uint32_t i = 0; i < most_grouped; i++) {
      cases[i] = (FaultGroup){.operations = {{1 + exhaust_below(sets)}},
          .cases = 1 + exhaust_below(3),
          .size = exhaust_below(4),
          .smallest = {.number = (i * 7) % most_grouped}};
      of[i] = group_number(cases, i);
      fault_groups_add(&groups, &cases[i]);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < most_grouped; i++) count = of[i] >= count ? of[i] + 1 : count;
    assert_int_equal(groups.count, count);
    for (uint32_t g = 0; g < count; g++) {
      uint64_t all = 0, common = UINT64_MAX;
      const FaultGroup *best = nullptr;
      for (uint32_t i = 0; i < most_grouped; i++) {
        if (of[i] != g) continue;
        all += cases[i].cases;
        common &= cases[i].operations.words[0];
        if (best == nullptr || cases[i].size < best->size ||
            (cases[i].size == best->size && cases[i].smallest.number < best->smallest.number))
          best = &cases[i];
      }
      assert_int_equal(groups.items[g].cases, all);
      assert_int_equal(groups.items[g].operations.words[0], common);
      assert_int_equal(groups.items[g].size, best->size);
      assert_int_equal(groups.items[g].smallest.number, best->smallest.number);
    }
  }
}

static int make_path(void **) {
  file_scratch(sizeof journal_path, journal_path, "definitions");
  int file = mkstemp(journal_path);
  return file < 0 || close(file) != 0;
}

static int remove_path(void **) { return unlink(journal_path); }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(journals_read_as_they_are_written),
      cmocka_unit_test(each_changed_byte_is_seen),
      cmocka_unit_test(a_journal_goes_on_if_that_is_asked_for),
      cmocka_unit_test(heads_have_numbers_that_fit),
      cmocka_unit_test(complete_lines_that_do_not_fit_are_errors),
      cmocka_unit_test(journals_of_one_run_merge),
      cmocka_unit_test(failed_cases_are_grouped_by_their_operations),
  };
  return cmocka_run_group_tests(tests, make_path, remove_path);
}
