/* The pairs of graphs of the corpus, by the solver alone. Each rewrite is proved, except those that
 * only evaluation decides. Its broken twin is never proved: twins about values by terms, twins
 * about reads for every output and parameter. Two modules that differ in one attribute are never
 * proved the same. */
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
#include "core/base/test/test_arena.h"
#include "core/hlo/read/read.h"
#include "smt/smt.h"

#define REWRITES AFFIRM_SOURCE_DIR "/corpus/rewrites"

typedef struct CorpusPairsTally {
  uint32_t pairs, refuted, wrong;
} CorpusPairsTally;

static const Module *module_of_text(const char *name, const char *text, size_t length) {
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = name, .text = text, .length = length, .first_line = 1};
  const Module *module = nullptr;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s: %s", name, error.message);
  return module;
}

static const Module *module_of_file(const char *directory, const char *name, const char *kind) {
  Source source;
  Error error = {};
  const char *path = arena_printf(arena, "%s/%s.%s.hlo", directory, name, kind);
  if (!file_read(arena, path, (size_t)1 << 24, &source, &error)) fail_msg("%s", error.message);
  return module_of_text(path, source.text, source.length);
}

static uint64_t limit_of_pairs; /* of smt_values_limit */
static SmtOptions options_of_values;

/* The verdict about all leaves: REFUTED if one is, PROVED if all are. */
static VerdictStatus values_of_pair(const Module *before, const Module *after, LawGrade grade) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, &options_of_values);
  SmtValues *values = smt_values_create(smt, before->entry, after->entry, grade);
  smt_values_limit(values, limit_of_pairs);
  VerdictStatus joined = VERDICT_PROVED;
  uint32_t leaves = shape_leaf_count(before->entry->root->shape);
  for (uint32_t leaf = 0; leaf < leaves && joined != VERDICT_REFUTED; leaf++) {
    Verdict verdict;
    Error error = {};
    assert_true(smt_values_query(values, leaf, &verdict, &error));
    if (verdict.status != VERDICT_PROVED) joined = verdict.status;
  }
  smt_values_destroy(values);
  smt_destroy(smt);
  map_context_destroy(context);
  return joined;
}

static SmtOptions options_of_reads;

static VerdictStatus reads_of_pair(const Module *before, const Module *after) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, &options_of_reads);
  VerdictStatus joined = VERDICT_PROVED;
  const Computation *first = before->entry, *second = after->entry;
  uint32_t leaves = shape_leaf_count(first->root->shape);
  for (uint32_t leaf = 0; leaf < leaves; leaf++)
    for (uint32_t i = 0; i < first->parameter_count; i++) {
      Verdict verdict;
      Error error = {};
      bool known;
      assert_true(smt_same_reads(smt, first, second, leaf, i, 0, &known, &verdict, &error));
      if (verdict.status == VERDICT_REFUTED) joined = VERDICT_REFUTED;
      if (verdict.status == VERDICT_UNKNOWN && joined == VERDICT_PROVED) joined = VERDICT_UNKNOWN;
    }
  smt_destroy(smt);
  map_context_destroy(context);
  return joined;
}

/* Their terms differ, and their values do not. */
static const char *const by_evaluation[] = {"angle_of_zero", "loop_with_a_long_step",
    "holes_of_a_window", "mask_of_appended_rows", "first_of_equal_indices",
    "constants_past_32_bits", "gather_of_a_constant", "padding_on_the_other_side"};

static bool is_by_evaluation(const char *name) {
  for (size_t i = 0; i < sizeof by_evaluation / sizeof *by_evaluation; i++)
    if (strcmp(by_evaluation[i], name) == 0) return true;
  return false;
}

static void count_pair(
    CorpusPairsTally *tally, const char *name, VerdictStatus status, bool is_same) {
  tally->pairs++;
  tally->refuted += status == VERDICT_REFUTED;
  bool is_proved = status == VERDICT_PROVED;
  if (is_proved == is_same || (is_same && is_by_evaluation(name))) return;
  print_message("%s: %s\n", name, is_proved ? "proved, and broken" : "not proved");
  tally->wrong++;
}

typedef VerdictStatus (*PairJudge)(const Module *before, const Module *after);

/* Calls the judge with before and `kind` of every triple. */
static CorpusPairsTally judge_triples(const char *directory, const char *kind, PairJudge judge) {
  CorpusPairsTally tally = {};
  DIR *files = opendir(directory);
  assert_non_null(files);
  for (const struct dirent *file = readdir(files); file != nullptr; file = readdir(files)) {
    const char *end = strstr(file->d_name, ".before.hlo");
    if (end == nullptr) continue;
    ArenaMark mark = arena_mark(arena);
    const char *name = arena_printf(arena, "%.*s", (int)(end - file->d_name), file->d_name);
    bool is_wider = strstr(name, "convolution_padding_legalization") != nullptr;
    const Module *before = module_of_file(directory, name, "before");
    VerdictStatus status = judge(before, module_of_file(directory, name, kind));
    if (!is_wider) count_pair(&tally, name, status, strcmp(kind, "after") == 0);
    arena_rewind(arena, mark);
  }
  closedir(files);
  print_message("%s: %u pairs, %u refuted\n", kind, tally.pairs, tally.refuted);
  assert_int_equal(tally.wrong, 0);
  return tally;
}

static VerdictStatus exact_values(const Module *before, const Module *after) {
  return values_of_pair(before, after, LAW_EXACT);
}

static void rewrites_of_values_are_decided(void **) {
  CorpusPairsTally after = judge_triples(REWRITES "/values", "after", exact_values);
  CorpusPairsTally broken = judge_triples(REWRITES "/values", "broken", exact_values);
  assert_true(after.pairs >= 62 && broken.refuted >= 50);
}

/* Terms, intervals and a few points prove no more than the solver does, and refute nearly as
 * much. */
static uint32_t proved_without, refuted_without;
static VerdictStatus values_without_solver(const Module *before, const Module *after) {
  options_of_values.without_solver = true;
  VerdictStatus without = exact_values(before, after);
  options_of_values.without_solver = false;
  VerdictStatus with = exact_values(before, after);
  assert_true(without != VERDICT_PROVED || with == VERDICT_PROVED);
  proved_without += without == VERDICT_PROVED;
  refuted_without += without == VERDICT_REFUTED && with == VERDICT_REFUTED;
  return with;
}

static void points_prove_no_more_than_the_solver(void **) {
  if (test_is_brief()) print_message("skipped: rewrites that keep the values\n");
  else (void)judge_triples(REWRITES "/values", "after", values_without_solver);
  (void)judge_triples(REWRITES "/values", "broken", values_without_solver);
  print_message("without a solver %u proved, %u refuted\n", proved_without, refuted_without);
  assert_true(
      (proved_without >= 47 || test_is_brief()) && refuted_without >= test_length(63, 63, 50));
}

/* Wherever a limit ends the comparison. */
static void no_limit_proves_a_broken_twin(void **) {
  static constexpr uint64_t limits[] = {1, 2, 3, 4, 5, 8, 13, 21, 34, 55, 89, 144};
  size_t step = test_length(1, 3, 6);
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i += step) {
    limit_of_pairs = limits[i];
    (void)judge_triples(REWRITES "/values", "broken", exact_values);
  }
  limit_of_pairs = 0;
}

static void rewrites_of_reads_are_decided(void **) {
  CorpusPairsTally after = judge_triples(REWRITES, "after", reads_of_pair);
  CorpusPairsTally broken = judge_triples(REWRITES, "broken", reads_of_pair);
  assert_true(after.pairs >= 33 && broken.refuted >= 29);
}

static bool corpus_pairs_always(void) { return true; }

static void no_budget_proves_broken_reads(void **) {
  static constexpr uint64_t units[] = {1, 100, 1000, 10'000};
  for (size_t i = 0; i < sizeof units / sizeof *units; i += test_length(1, 1, 4)) {
    options_of_reads = (SmtOptions){.rlimit = units[i]};
    (void)judge_triples(REWRITES, "broken", reads_of_pair);
  }
  options_of_reads = (SmtOptions){.stop = corpus_pairs_always};
  (void)judge_triples(REWRITES, "broken", reads_of_pair);
  options_of_reads = (SmtOptions){};
}

/* The value after `word` in the line that begins with it; `at` moves past the line. */
static const char *value_after(const char **at, const char *word) {
  const char *begin = strstr(*at, word);
  if (begin == nullptr) return nullptr;
  begin += strlen(word);
  size_t length = strcspn(begin, "\n");
  *at = begin + length;
  return arena_printf(arena, "%.*s", (int)length, begin);
}

static const Module *with_value(const char *text, size_t length, const char *value) {
  Text made = text_create(arena);
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '@') text_string(&made, value);
    else text_append(&made, text + i, 1);
  }
  return module_of_text("a pair", made.bytes, made.length);
}

static void no_attribute_is_overlooked(void **) {
  CorpusPairsTally tally = {};
  Source pairs;
  Error error = {};
  if (!file_read(
          arena, AFFIRM_SOURCE_DIR "/corpus/attributes.pairs", (size_t)1 << 24, &pairs, &error))
    fail_msg("%s", error.message);
  const char *at = pairs.text;
  for (const char *name; (name = value_after(&at, "\nattribute ")) != nullptr;) {
    const char *next = strstr(at, "\nattribute "), *end = next == nullptr ? at + strlen(at) : next;
    const char *text = at;
    const char *first = value_after(&text, "\nfirst: ");
    const char *second = first == nullptr ? nullptr : value_after(&text, "\nsecond: ");
    if (first == nullptr || second == nullptr || text > end) continue;
    size_t length = (size_t)(end - text);
    VerdictStatus status = values_of_pair(
        with_value(text, length, first), with_value(text, length, second), LAW_EXACT);
    count_pair(&tally, name, status, false);
  }
  assert_int_equal(tally.wrong, 0);
  assert_true(tally.pairs >= 45 && tally.refuted >= 25);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(rewrites_of_values_are_decided, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(points_prove_no_more_than_the_solver, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(no_limit_proves_a_broken_twin, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(rewrites_of_reads_are_decided, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(no_budget_proves_broken_reads, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(no_attribute_is_overlooked, arena_begin, arena_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
