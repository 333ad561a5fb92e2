/* corpus/judges.snapshot has a digest of what the oracle alone and smt alone answer to generated
 * questions: two maps that differ in one place, reads with right and wrong maps, answers of the
 * algebra, pairs of graphs, hazards, rules. So no answer of a judge changes unseen. Where the two
 * contradict each other, the test fails, also when it records.
 * The solver's part is left out: of smt's refutations everything but the reason, of its sentences
 * the numbers, and a row that takes more than a quarter of the solver's units (digest 0).
 * AFFIRM_JUDGES=FILE writes the record, and AFFIRM_JUDGES_TEXT=FILE all sentences:
 * AFFIRM_JUDGES=corpus/judges.snapshot build/exhaust_tests judges_alone_test */
#include <ctype.h>
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/file.h"
#include "core/base/test/length.h"
#include "exhaust/snapshot/record.h"
#include "exhaust/test/judges_alone.h"

#define CORPUS AFFIRM_SOURCE_DIR "/corpus"

static Snapshot *inputs;
static Judge *judge;
static Indexer *raw;
static Arena *arena, *kept; /* of a row; of all */

typedef struct Kind {
  const char *name;
  uint32_t rows;
  AloneAsk *ask;
  const char *streams[4]; /* a row takes the next one; "": the next scope of `scopes` */
  uint32_t scopes;        /* a bit for each kind */
} Kind;

static constexpr uint32_t of_modules =
    1u << SCOPE_CHAIN | 1u << SCOPE_MIXED | 1u << SCOPE_EMPTY | 1u << SCOPE_WRAPPED;
static const Kind kinds[] = {
    {"maps", 100, ask_about_map, {"maps", "near-rules", ""},
        1u << SCOPE_MAPS | 1u << SCOPE_OPERATORS},
    {"pairs", 200, ask_about_pair, {""}, 1u << SCOPE_PAIRS},
    {"algebra", 160, ask_about_algebra, {"", "maps", "near-rules"}, 1u << SCOPE_ALGEBRA},
    {"reads", 180, ask_about_module, {"modules", "", ""}, of_modules},
    {"hazards", 600, ask_about_hazards, {"modules", ""}, of_modules},
    {"edits", 120, ask_about_edit, {"modules", "", ""}, of_modules},
    {"graphs", 80, ask_about_graphs, {""}, 1u << SCOPE_GRAPHS},
    {"mutants", 100, ask_about_mutant, {}, 0},
    {"rules", 200, ask_about_rule, {}, 0},
};
static ScopePlan **plans; /* [scope_count] */

/* A file of the corpus is a kind of its own, so that a new file changes no other one's rows. */
typedef struct Kinds {
  uint32_t count, capacity;
  Kind *items;
} Kinds;

static int compare_kinds(const void *left, const void *right) {
  return strcmp(((const Kind *)left)->name, ((const Kind *)right)->name);
}

static void add_files(
    Kinds *all, const char *directory, const char *ending, AloneAsk *ask, uint32_t rows) {
  DIR *files = opendir(directory);
  assert_non_null(files);
  for (const struct dirent *file = readdir(files); file != nullptr; file = readdir(files)) {
    const char *path = arena_printf(kept, "%s/%s", directory, file->d_name);
    if (file->d_name[0] == '.') continue;
    if (file->d_type == DT_DIR) add_files(all, path, ending, ask, rows);
    else if (string_ends_with(path, ending))
      *ARENA_PUSH(kept, all) = (Kind){.name = path + strlen(CORPUS "/"), .rows = rows, .ask = ask};
  }
  closedir(files);
}

static bool is_of(const Kind *kind, uint32_t scope) {
  const ScopeSize *size = &scopes[scope].sizes[TIER_GATE];
  return (kind->scopes >> scopes[scope].kind & 1) != 0 && (size->rank > 0 || size->elements > 0);
}

static const char *scope_text(const Kind *kind, uint32_t row) {
  RandomChoices random = choices_of_seed(row);
  Text text = text_create(arena);
  uint32_t count = 0, at = 0;
  for (uint32_t i = 0; i < scope_count; i++) count += is_of(kind, i);
  for (uint64_t left = choose(&random.choices, count); !is_of(kind, at) || left-- > 0;) at++;
  if (plans[at] == nullptr) plans[at] = scope_plan_create(&scopes[at], TIER_GATE);
  if (plans[at]->count > 0)
    scope_write_case(plans[at], choose(&random.choices, plans[at]->count), &text);
  return text.length == 0 ? "" : text.bytes;
}

static const char *row_text(const Kind *kind, uint32_t row) {
  uint32_t count = 0;
  while (kind->streams[count] != nullptr) count++;
  if (count == 0) return arena_printf(arena, CORPUS "/%s", kind->name);
  const char *name = kind->streams[row % count];
  if (*name == 0) return scope_text(kind, row);
  SnapshotStream *stream = snapshot_stream(inputs, name);
  return snapshot_input(inputs, stream, row % stream->rows).text;
}

static void begin_row(const Kind *kind, uint32_t row, const char *text, Alone *alone) {
  *alone =
      (Alone){.judge = judge, .raw = raw, .arena = arena, .rules = &inputs->rules, .asked = row};
  alone->where = arena_printf(arena, "%s %u", kind->name, row);
  alone->oracle = text_create(arena);
  alone->smt = text_create(arena);
  text_string(&alone->oracle, "");
  text_string(&alone->smt, "");
  for (size_t digits = 0; *text != 0; text++) {
    digits = isdigit((unsigned char)*text) != 0 ? digits + 1 : 0;
    alone->has_large |= digits > 9;
  }
}

static void forget_row(const ArenaMark *mark, MapMark maps) {
  snapshot_next(inputs);
  indexer_reset(judge->indexer);
  indexer_reset(raw);
  map_context_rewind(judge->context, maps);
  arena_rewind(arena, *mark);
}

static const char *stream_name(const Kind *kind, const char *who) {
  return arena_printf(arena, "%s/%s", kind->name, who);
}

/* The digest of what a judge says about the row. 0: it is not compared. */
static uint16_t row_digest(const Kind *kind, const char *who, uint32_t row, const Alone *alone,
    const Text *text, const SnapshotRecord *known, uint32_t *changes) {
  uint16_t digest = snapshot_digest(text->bytes);
  const RecordStream *stream = snapshot_record_stream(known, stream_name(kind, who));
  if (digest == 0) digest = 1;
  if (stream == nullptr || row >= stream->rows || stream->digests[row] == 0 ||
      stream->digests[row] == digest)
    return digest;
  print_message("%s says something else about %s, now:\n%s", who, alone->where, text->bytes);
  ++*changes;
  return digest;
}

/* Answers the kind's rows; returns how many changed, and gives up after a few. */
static uint32_t answer_kind(const Kind *kind, uint32_t first, uint32_t every,
    const SnapshotRecord *known, Text *record, Text *sentences) {
  static constexpr uint32_t most_changes = 4;
  ArenaMark mark = arena_mark(arena);
  MapMark maps = map_context_mark(judge->context);
  uint16_t *digests = calloc(2 * kind->rows, sizeof *digests);
  uint32_t changes = 0;
  for (uint32_t row = first; row < kind->rows && changes < most_changes; row += every) {
    Alone alone;
    const char *text = row_text(kind, row);
    begin_row(kind, row, text, &alone);
    kind->ask(&alone, text, row);
    if (alone.contradiction != nullptr) fail_msg("%s", alone.contradiction);
    digests[row] = row_digest(kind, "oracle", row, &alone, &alone.oracle, known, &changes);
    if (alone.units <= solver_units / 4)
      digests[kind->rows + row] = row_digest(kind, "smt", row, &alone, &alone.smt, known, &changes);
    text_printf(sentences, "== %s\n%s\n-- oracle\n%s-- smt\n%s", alone.where, text,
        alone.oracle.bytes, alone.smt.bytes);
    forget_row(&mark, maps);
  }
  for (uint32_t i = 0; i < 2 * kind->rows; i++) {
    const char *who = i == 0 ? "oracle" : "smt";
    uint32_t row = i % kind->rows;
    if (row == 0) text_printf(record, "\n%s %u", stream_name(kind, who), kind->rows);
    text_printf(record, "%s%04x", row % 32 == 0 ? "\n" : "", digests[i]);
  }
  free(digests);
  return changes;
}

static void the_judges_answer_as_recorded(void **) {
  const char *path = getenv("AFFIRM_JUDGES"), *all = getenv("AFFIRM_JUDGES_TEXT");
  Text record = text_create(kept), sentences = text_create(kept);
  Source source;
  const uint32_t every = path == nullptr && test_is_brief() ? 32 : 1;
  SnapshotRecord known = {};
  Kinds all_kinds = {};
  Error error = {};
  uint32_t changes = 0;
  text_string(&record,
      "# Digests of what each judge alone answers to generated questions.\n"
      "# AFFIRM_JUDGES=corpus/judges.snapshot build/exhaust_tests judges_alone_test");
  if (path == nullptr && (!file_read(kept, CORPUS "/judges.snapshot", 1 << 20, &source, &error) ||
                             !snapshot_record_read(kept, &source, &known, &error)))
    fail_msg("%s", error.message);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    *ARENA_PUSH(kept, &all_kinds) = kinds[i];
  add_files(&all_kinds, CORPUS "/rewrites", ".before.hlo", ask_about_rewrite, 1);
  add_files(&all_kinds, CORPUS "/hazards", ".hlo", ask_about_program, 1);
  add_files(&all_kinds, CORPUS "/modules", ".hlo", ask_about_file, rows_of_file);
  qsort(all_kinds.items, all_kinds.count, sizeof *all_kinds.items, compare_kinds);
  for (uint32_t i = 0; i < all_kinds.count && changes == 0; i++)
    changes = answer_kind(&all_kinds.items[i], i % every, every, &known, &record, &sentences);
  text_string(&record, "\n");
  if (all != nullptr) assert_true(file_write(all, sentences.bytes, sentences.length, &error));
  if (path != nullptr) assert_true(file_write(path, record.bytes, record.length, &error));
  assert_int_equal(changes, 0);
}

static int set_up(void **) {
  Error error = {};
  arena = arena_create();
  kept = arena_create();
  plans = calloc(scope_count, sizeof *plans);
  inputs = snapshot_create(false, &error);
  judge = judge_create(&(JudgeOptions){.smt = {.rlimit = solver_units, .seconds = 100},
                           .points = 2048,
                           .oracle = {.elements = 512, .pairs = 1 << 15, .seconds = 100}},
      &error);
  raw = judge == nullptr ? nullptr : indexer_create(judge->context, nullptr, &error);
  return inputs == nullptr || raw == nullptr;
}

static int tear_down(void **) {
  for (uint32_t i = 0; i < scope_count; i++)
    if (plans[i] != nullptr) scope_plan_destroy(plans[i]);
  free(plans);
  indexer_destroy(raw);
  judge_destroy(judge);
  snapshot_destroy(inputs);
  arena_destroy(kept);
  return arena_destroy(arena), 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_judges_answer_as_recorded)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
