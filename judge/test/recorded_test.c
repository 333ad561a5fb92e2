/* corpus/verdicts.txt has a digest of what the judges say about each item of the corpus: every
 * verdict with its reason, witness, method and names, of both judges and of the oracle alone. So a
 * sentence cannot change unseen. An item that is not recorded yet passes. The digest of both judges
 * leaves out numbers and the witnesses of cases, which depend on the version of the solver.
 * AFFIRM_VERDICTS=FILE writes the record, and AFFIRM_VERDICTS_TEXT=FILE all sentences:
 * AFFIRM_VERDICTS=corpus/verdicts.txt build/judge_tests recorded_test */
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
#include "core/base/hash.h"
#include "core/hlo/read/read.h"
#include "judge/cases/case_run.h"
#include "judge/graphs/equiv.h"
#include "judge/graphs/equiv_open.h"
#include "judge/hazards/hazards.h"

#define CORPUS AFFIRM_SOURCE_DIR "/corpus"

static Arena *arena;
static Text record, sentences;
static bool without_smt;

typedef struct CorpusNames {
  uint32_t count, capacity;
  const char **items;
} CorpusNames;

static int compare_names(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The files below the directory whose names end so, by name. */
static void find_names(const char *directory, const char *end, CorpusNames *names) {
  DIR *files = opendir(directory);
  assert_non_null(files);
  for (const struct dirent *file = readdir(files); file != nullptr; file = readdir(files)) {
    size_t length = strlen(file->d_name), end_length = strlen(end);
    if (file->d_name[0] == '.') continue;
    const char *path = arena_printf(arena, "%s/%s", directory, file->d_name);
    if (file->d_type == DT_DIR) find_names(path, end, names);
    else if (length > end_length && strcmp(file->d_name + length - end_length, end) == 0)
      *ARENA_PUSH(arena, names) = path;
  }
  closedir(files);
  if (names->count > 1) qsort(names->items, names->count, sizeof *names->items, compare_names);
}

static void read_source(const char *path, Source *source) {
  Error error = {};
  if (!file_read(arena, path, (size_t)1 << 24, source, &error))
    fail_msg("%s: %s", path, error.message);
}

static const Module *read_module(const char *path) {
  Source *source = ARENA_NEW(arena, Source, 1);
  const Module *module = nullptr;
  Error error = {};
  read_source(path, source);
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s: %s", path, error.message);
  return module;
}

/* ---- sentences ---- */

static void say_words(Text *text, const char *label, const char *sentence) {
  if (sentence != nullptr) text_printf(text, " %s{%s}", label, sentence);
}

static void say_index(Text *text, const char *label, uint32_t rank, const int64_t *at) {
  text_printf(text, " %s(", label);
  for (uint32_t i = 0; i < rank; i++)
    text_printf(text, i == 0 ? "%lld" : ", %lld", (long long)at[i]);
  text_string(text, ")");
}

/* Appends the text to the sentences, and a digest to the record. */
static void record_item(const char *path, const char *item, const Text *text) {
  uint64_t hash = 0;
  bool was_number = false;
  for (const char *byte = text->bytes; *byte != 0; byte++) {
    bool is_number =
        isdigit((unsigned char)*byte) != 0 || (*byte == '-' && isdigit((unsigned char)byte[1]));
    if (!without_smt && is_number && was_number) continue;
    hash = hash_mix(hash, !without_smt && is_number ? '#' : (unsigned char)*byte);
    was_number = is_number;
  }
  const char *judges = without_smt ? "oracle" : "both", *name = path + strlen(CORPUS "/");
  text_printf(&record, "%s%s %s %08x\n", name, item, judges, (uint32_t)(hash >> 32));
  text_printf(&sentences, "== %s%s %s\n%s", name, item, judges, text->bytes);
}

static Judge *open_judge(void) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){.without_smt = without_smt}, &error);
  assert_non_null(judge);
  return judge;
}

/* What follows may be the solver's witness. */
static const char *first_word(const char *text) {
  return arena_printf(arena, "%.*s", (int)strcspn(text, " \n"), text);
}

/* Expects what no case prints, so that each case says what it found. */
static void record_cases(const char *path) {
  static CaseExpectation other = {.kind = EXPECT_TEXT, .text = {.text = "?", .length = 1}};
  Source source;
  CaseFile cases;
  Error error = {};
  Judge *judge = open_judge();
  read_source(path, &source);
  if (!cases_parse(arena, &source, &cases, &error)) fail_msg("%s: %s", path, error.message);
  for (uint32_t i = 0; i < cases.count; i++) {
    Case one = cases.items[i];
    CaseResult expected, found;
    bool needs_mlir =
        one.verb == VERB_MLIR || one.verb == VERB_MLIR_FOLDS || one.verb == VERB_MLIR_SIMPLIFIES;
    if (needs_mlir) continue;
    case_run(judge, arena, &one, &expected);
    one.expected = (CaseExpectations){.count = 1, .items = &other};
    case_run(judge, arena, &one, &found);
    Text text = text_create(arena);
    text_string(&text, case_outcome_text(expected.outcome));
    if (without_smt) say_words(&text, "expected", expected.text);
    say_words(&text, "found", without_smt ? found.text : first_word(found.text));
    text_string(&text, "\n");
    record_item(path, arena_printf(arena, ":%s", one.name), &text);
  }
  judge_destroy(judge);
}

static void say_values(Text *text, const EquivValuesVerdict *verdict) {
  const ValuesVerdict *values = &verdict->values;
  text_printf(text, "%s", equiv_values_text(verdict->answer));
  say_words(text, "by", values->by);
  say_words(text, "judges", verdict->judges);
  say_words(text, "laws", verdict->laws);
  say_words(text, "laws", values->laws);
  say_words(text, "reason", verdict->reason);
  say_words(text, "stopped", values->stopped);
  say_words(text, "element", values->element);
  if (values->has_point) say_index(text, "at ", values->rank, values->point);
  if (without_smt) {
    say_words(text, "terms", values->terms);
    say_words(text, "before", values->sides[0]);
    say_words(text, "after", values->sides[1]);
    say_words(text, "inputs", values->inputs);
    say_words(text, "value", values->values[0]);
    say_words(text, "value", values->values[1]);
    say_words(text, "reason", values->reason);
  }
  text_string(text, "\n");
}

static void judge_values(Text *text, const Module *before, const Module *after, LawGrade grade) {
  EquivValues values;
  Error error = {};
  Judge *judge = open_judge();
  ValuesLimits limits = {.grade = grade, .elements = 20'000};
  if (!equiv_values_open(arena, before, after, &limits, judge->smt, &values, &error))
    fail_msg("%s", error.message);
  for (uint32_t leaf = 0; leaf < values.leaf_count; leaf++) {
    EquivValuesVerdict *verdict = ARENA_NEW(arena, EquivValuesVerdict, 1);
    equiv_values_judge(&values, leaf, verdict);
    say_values(text, verdict);
  }
  equiv_values_close(&values);
  judge_destroy(judge);
}

static void judge_reads(Text *text, const Module *before, const Module *after) {
  Equiv equiv;
  EquivPairs pairs = {};
  Error error = {};
  Judge *judge = open_judge();
  if (!equiv_create(judge, arena, before, after, &equiv, &error)) fail_msg("%s", error.message);
  equiv_pairs(&equiv, arena, &pairs);
  for (uint32_t i = 0; i < pairs.count; i++) {
    EquivVerdict verdict;
    equiv_judge(&equiv, pairs.items[i], &verdict);
    text_printf(
        text, "%s%s", equiv_answer_text(verdict.answer), verdict.is_unread ? " unread" : "");
    say_words(text, "judges", verdict.judges);
    say_words(text, "reason", verdict.reason);
    if (verdict.has_witness) {
      say_index(text, verdict.reader == EQUIV_BEFORE ? "before " : "after ", verdict.point_rank,
          verdict.point);
      say_index(text, "reads ", verdict.element_rank, verdict.element);
    }
    text_string(text, "\n");
  }
  judge_destroy(judge);
}

static void record_pair(const char *path) {
  static const char *const kinds[] = {"after", "broken"};
  const Module *before = read_module(path);
  size_t stem = strlen(path) - strlen("before.hlo");
  bool has_values = strstr(path, "/rewrites/values/") != nullptr;
  Text text = text_create(arena);
  for (size_t i = 0; i < 2; i++) {
    const char *other = arena_printf(arena, "%.*s%s.hlo", (int)stem, path, kinds[i]);
    if (i == 1 && strstr(path, "/rewrites/open/") != nullptr) continue;
    const Module *after = read_module(other);
    judge_values(&text, before, after, LAW_EXACT);
    if (has_values) judge_values(&text, before, after, LAW_FAST);
    else judge_reads(&text, before, after);
  }
  record_item(path, "", &text);
}

static void record_hazards(const char *path) {
  HazardPairs pairs;
  Error error = {};
  Text text = text_create(arena);
  if (!hazard_pairs(arena, read_module(path), &pairs, &error))
    fail_msg("%s: %s", path, error.message);
  for (uint32_t i = 0; i < pairs.count; i++) {
    const HazardPair *pair = &pairs.items[i];
    HazardVerdict verdict;
    oracle_hazard_query(arena, &pair->question, &verdict);
    text_printf(&text, "%u %s %s of %s, leaf %u", verdict.answer, pair->why,
        pair->writer == nullptr ? "" : pair->writer->name, pair->fusion->name, pair->written);
    say_words(&text, "reason", verdict.reason);
    say_words(&text, "offsets", verdict.offsets);
    if (verdict.answer == HAZARD_FOUND) {
      say_index(&text, verdict.writes_window ? "window " : "writer ", verdict.rank, verdict.writer);
      say_index(&text, "reader ", verdict.reader_rank, verdict.reader);
      say_index(&text, "buffer ", verdict.buffer_rank, verdict.buffer);
    }
    text_string(&text, "\n");
  }
  record_item(path, "", &text);
}

static void record_all(const char *directory, const char *end, void (*one)(const char *)) {
  CorpusNames names = {};
  find_names(arena_printf(arena, CORPUS "%s", directory), end, &names);
  assert_true(names.count > 20);
  for (uint32_t i = 0; i < names.count; i++) one(names.items[i]);
}

/* Prints and counts the lines that only the first text has. */
static uint32_t print_changes(const char *mark, const char *lines, const char *others) {
  uint32_t count = 0;
  for (const char *line = lines; *line != 0;) {
    size_t length = strcspn(line, "\n") + 1;
    const char *copy = arena_printf(arena, "%.*s", (int)length, line);
    if (*line != '#' && strstr(others, copy) == nullptr) {
      print_message("%s %s", mark, copy);
      count++;
    }
    line += length;
  }
  return count;
}

static void the_judges_say_what_is_recorded(void **) {
  const char *path = getenv("AFFIRM_VERDICTS"), *all = getenv("AFFIRM_VERDICTS_TEXT");
  Source known;
  Error error = {};
  record = text_create(arena);
  sentences = text_create(arena);
  text_string(&record,
      "# What the judges say about each case, rewrite and hazard of the corpus, as a digest (judge/test/recorded_test.c).\n"
      "# AFFIRM_VERDICTS=corpus/verdicts.txt build/judge_tests recorded_test\n");
  for (int judges = 0; judges < 2; judges++) {
    without_smt = judges == 0;
    record_all("", ".case", record_cases);
    record_all("/rewrites", ".before.hlo", record_pair);
    if (without_smt) record_all("/hazards", ".hlo", record_hazards);
  }
  if (all != nullptr) assert_true(file_write(all, sentences.bytes, sentences.length, &error));
  if (path != nullptr) {
    assert_true(file_write(path, record.bytes, record.length, &error));
    return;
  }
  read_source(CORPUS "/verdicts.txt", &known);
  uint32_t changes = print_changes("recorded:", known.text, record.bytes);
  uint32_t others = print_changes("now:     ", record.bytes, known.text);
  if (others > changes) print_message("not recorded yet: %u\n", others - changes);
  assert_int_equal(changes, 0);
}

static int set_up(void **) { return (arena = arena_create()) == nullptr; }
static int tear_down(void **) { return arena_destroy(arena), 0; }

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_judges_say_what_is_recorded)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
