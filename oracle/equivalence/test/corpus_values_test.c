/* The pairs of graphs of the corpus, by enumeration alone. Each rewrite has the same values, by the
 * method that its row names, and its broken twin differs at exactly the outputs that its file
 * names. Exchanged sides have the mirrored answer. A stated element shows the difference once more.
 * Two modules that differ in one attribute never have the same values. */
#include <dirent.h>

#include "core/base/file.h"
#include "oracle/equivalence/test/values_cases.h"

#define REWRITES AFFIRM_SOURCE_DIR "/corpus/rewrites"

/* Within this limit the pairs take a quarter of a second. */
static const ValuesLimits corpus_limits = {.elements = 20'000};

typedef struct CorpusValuesRow {
  const char *name, *answer, *by;
} CorpusValuesRow;

/* The rewrites whose terms are not the same. All others are the same values by their terms. */
static const CorpusValuesRow other_rows[] = {
    {"absolute_value_wraps", "same values", "fingerprint"},
    {"high_half_of_product", "same values", "fingerprint"},
    {"root_of_a_square", "same values", "fingerprint"},
    {"square_wraps", "same values", "fingerprint"},
    {"update_then_roll", "same values", "fingerprint"},
    {"fusion_merging", "same values", "fingerprint"},
    {"multi_output_fusion", "same values", "fingerprint"},
    {"tuple_forwarding", "same values", "fingerprint"},
    {"branch_results_exchanged", "same values", "offsets"},
    {"reversed_offset", "same values", "offsets"},
    {"slice_of_slice", "same values", "offsets"},
    {"slice_of_slice_inner_clamp", "same values", "offsets"},
    {"update_of_update", "same values", "offsets"},
    {"offsets_through_transpose", "same values", "offsets"},
    {"flag_widened_twice", "same values", "inputs"},
    {"quotient_rounded_up", "same values", "inputs"},
    {"and_with_one", "same reads", "values"},
    {"bytes_widened_early", "same reads", "values"},
    {"index_times_a_large_number", "same reads", "values"},
    {"low_byte_of_a_number", "same reads", "values"},
    {"narrowed_then_widened", "same reads", "values"},
    {"or_with_one", "same reads", "values"},
    {"convolution_padding", "same reads", "values"},
    {"gemm_padding", "same reads", "values"},
    {"reduction_splitting", "same reads", "values"},
    {"tree_reduction_batched_rows", "same reads", "values"},
    {"tree_reduction_columns", "same reads", "values"},
    {"tree_reduction_rows", "same reads", "values"},
    {"angle_of_zero", "fewer reads", "values"},
    {"convolution_padding_legalization", "more reads", "values"},
    {"filter_along_the_other_side", "same on tries", "terms"}, /* too large for the limit, */
    {"holes_of_a_window", "same on tries", "terms"},           /* as the next three */
    {"last_row_of_many", "same on tries", "terms"},
    {"sum_behind_its_padding", "unknown", ""},
};

static CorpusValuesRow row_of_name(const char *name) {
  for (size_t i = 0; i < sizeof other_rows / sizeof *other_rows; i++)
    if (strcmp(other_rows[i].name, name) == 0) return other_rows[i];
  return (CorpusValuesRow){name, "same values", "terms"};
}

static const char *answer_mirrored(const char *answer) {
  if (strcmp(answer, "fewer reads") == 0) return "more reads";
  return strcmp(answer, "more reads") == 0 ? "fewer reads" : answer;
}

typedef struct CorpusFile {
  const char *text;
  const Computation *entry;
} CorpusFile;

static CorpusFile corpus_file(OracleFixture *bench, const char *stem, const char *kind) {
  Source source;
  Error error = {};
  const char *path = arena_printf(bench->arena, "%s.%s.hlo", stem, kind);
  if (!file_read(bench->arena, path, (size_t)1 << 24, &source, &error))
    fail_msg("%s", error.message);
  return (CorpusFile){source.text, values_case_entry(bench, source.text)};
}

static OracleValues *corpus_values(
    OracleFixture *bench, const Computation *before, const Computation *after) {
  return oracle_values_create(bench->arena, before, after, &corpus_limits);
}

static uint32_t corpus_faults;

static void check_answer(
    const char *name, const ValuesVerdict *verdict, const char *answer, const char *by) {
  const char *found = verdict->by == nullptr ? "" : verdict->by;
  if (strcmp(values_case_answer(verdict->answer), answer) == 0 && strcmp(found, by) == 0) return;
  print_error("%s: %s by '%s', wanted %s by '%s': %s\n", name, values_case_answer(verdict->answer),
      found, answer, by, verdict->reason);
  corpus_faults++;
}

/* The element is in the array, has two values, and differs again where it is asked about alone. */
static void check_difference(OracleFixture *bench, const char *name, const Computation *before,
    const Computation *after, uint32_t leaf, const ValuesVerdict *verdict) {
  const Shape *shape = shape_leaf(before->root->shape, leaf);
  ValuesVerdict again;
  assert_true(verdict->has_point);
  assert_int_equal(verdict->rank, shape->rank);
  for (uint32_t i = 0; i < shape->rank; i++)
    assert_true(verdict->point[i] >= 0 && verdict->point[i] < shape->sizes[i]);
  assert_string_not_equal(verdict->values[0], verdict->values[1]);
  oracle_values_query_at(corpus_values(bench, before, after), leaf, verdict->point, &again);
  check_answer(name, &again, "different", "values");
  assert_string_not_equal(again.values[0], again.values[1]);
}

static void check_kept(
    OracleFixture *bench, const char *name, const Computation *before, const Computation *after) {
  const CorpusValuesRow row = row_of_name(name);
  for (uint32_t leaf = 0; leaf < shape_leaf_count(before->root->shape); leaf++) {
    static const int64_t first[oracle_max_rank];
    ValuesVerdict verdict;
    OracleValues *values = corpus_values(bench, before, after);
    oracle_values_query(values, leaf, &verdict);
    check_answer(name, &verdict, row.answer, row.by);
    oracle_values_query_at(values, leaf, first, &verdict);
    check_answer(name, &verdict, "unknown", "");
    oracle_values_query(corpus_values(bench, after, before), leaf, &verdict);
    check_answer(name, &verdict, answer_mirrored(row.answer), row.by);
  }
}

/* Every output differs in the broken twin of a rewrite of values; the file of a rewrite of reads
 * names the outputs. */
static void check_broken(
    OracleFixture *bench, const char *name, const Computation *before, const CorpusFile *broken) {
  bool is_named = strstr(broken->text, "\n// Different: ") != nullptr,
       is_open = strcmp(row_of_name(name).answer, "unknown") == 0;
  for (uint32_t leaf = 0; leaf < shape_leaf_count(before->root->shape); leaf++) {
    ValuesVerdict verdict;
    oracle_values_query(corpus_values(bench, before, broken->entry), leaf, &verdict);
    bool differs =
        !is_named || strstr(broken->text, arena_printf(bench->arena, "output %u ", leaf));
    if (is_open) check_answer(name, &verdict, "unknown", "");
    else if (differs) check_answer(name, &verdict, "different", "values");
    else if (verdict.answer != REASON_EXACT) fail_msg("%s: output %u is kept", name, leaf);
    if (verdict.answer == REASON_DIFFERENT)
      check_difference(bench, name, before, broken->entry, leaf, &verdict);
  }
}

static uint32_t check_directory(const char *directory) {
  uint32_t count = 0;
  DIR *files = opendir(directory);
  assert_non_null(files);
  for (const struct dirent *file = readdir(files); file != nullptr; file = readdir(files)) {
    const char *end = strstr(file->d_name, ".before.hlo");
    if (end == nullptr || strstr(file->d_name, "_large.") != nullptr) continue;
    OracleFixture bench = bench_create();
    const char *name = arena_printf(bench.arena, "%.*s", (int)(end - file->d_name), file->d_name),
               *stem = arena_printf(bench.arena, "%s/%s", directory, name);
    CorpusFile before = corpus_file(&bench, stem, "before"),
               after = corpus_file(&bench, stem, "after"),
               broken = corpus_file(&bench, stem, "broken");
    check_kept(&bench, name, before.entry, after.entry);
    check_broken(&bench, name, before.entry, &broken);
    bench_destroy(&bench);
    count++;
  }
  closedir(files);
  return count;
}

static void rewrites_of_values_are_decided(void **) {
  corpus_faults = 0;
  assert_true(check_directory(REWRITES "/values") >= 62);
  assert_int_equal(corpus_faults, 0);
}

/* Those of `NAME_large` are past every limit. */
static void rewrites_of_reads_are_decided(void **) {
  corpus_faults = 0;
  assert_true(check_directory(REWRITES) >= 18);
  assert_int_equal(corpus_faults, 0);
}

/* An element that is past the limit, and one that no input tells apart, are open for two reasons.
 */
static void a_limit_is_the_reason(void **) {
  OracleFixture bench = bench_create();
  static const char *const sums[] = {
      "add {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = s32[] add(x, y)\n}\n",
      "add {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = s32[] maximum(x, y)\n}\n"};
  const Computation *entries[2];
  for (uint32_t i = 0; i < 2; i++)
    entries[i] = values_case_entry(
        &bench, arena_printf(bench.arena,
                    "HloModule m\n%sENTRY e {\na = s32[99] parameter(0)\nz = s32[] constant(0)\n"
                    "ROOT r = s32[] reduce(a, z), dimensions={0}, to_apply=add\n}\n",
                    sums[i]));
  static const int64_t point[oracle_max_rank];
  ValuesVerdict same, other, limited;
  oracle_values_query_at(corpus_values(&bench, entries[0], entries[0]), 0, point, &same);
  oracle_values_query_at(corpus_values(&bench, entries[0], entries[1]), 0, point, &other);
  oracle_values_query_at(
      oracle_values_create(bench.arena, entries[0], entries[1], &(ValuesLimits){.elements = 50}), 0,
      point, &limited);
  check_answer("the same sum", &same, "unknown", "");
  check_answer("another operation", &other, "different", "values");
  check_answer("another operation, limited", &limited, "unknown", "");
  assert_string_not_equal(same.reason, limited.reason);
  assert_true(*same.reason != 0 && *limited.reason != 0);
  bench_destroy(&bench);
}

/* Fusions that call each other twice, so that the graph without them has 2^20 operations. */
static const Computation *entry_of_nested_fusions(OracleFixture *bench, const char *opcode) {
  static constexpr uint32_t levels = 20;
  Text text = text_create(bench->arena);
  text_printf(
      &text, "HloModule m\nf0 {\nx = s32[4] parameter(0)\nROOT r = s32[4] %s(x, x)\n}\n", opcode);
  for (uint32_t i = 1; i <= levels; i++)
    text_printf(&text,
        "%s {\nx = s32[4] parameter(0)\na = s32[4] fusion(x), kind=kLoop, calls=f%u\n"
        "ROOT r = s32[4] fusion(a), kind=kLoop, calls=f%u\n}\n",
        i == levels ? "ENTRY e" : arena_printf(bench->arena, "f%u", i), i - 1, i - 1);
  return values_case_entry(bench, text.bytes);
}

/* Nothing is built of graphs that are too large, and an element of them is open. */
static void an_element_of_what_is_not_built_is_open(void **) {
  OracleFixture bench = bench_create();
  static const int64_t point[oracle_max_rank];
  ValuesVerdict verdict;
  OracleValues *values = oracle_values_create(bench.arena, entry_of_nested_fusions(&bench, "add"),
      entry_of_nested_fusions(&bench, "multiply"), nullptr);
  oracle_values_query_at(values, 0, point, &verdict);
  check_answer("an element", &verdict, "unknown", "");
  assert_int_equal(corpus_faults, 0);
  bench_destroy(&bench);
}

/* The value after `word` in the line that begins with it; `at` moves past the line. */
static const char *value_after(Arena *arena, const char **at, const char *word) {
  const char *begin = strstr(*at, word);
  if (begin == nullptr) return nullptr;
  begin += strlen(word);
  size_t length = strcspn(begin, "\n");
  *at = begin + length;
  return arena_printf(arena, "%.*s", (int)length, begin);
}

static const Computation *entry_with(
    OracleFixture *bench, const char *text, size_t length, const char *value) {
  Text made = text_create(bench->arena);
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '@') text_string(&made, value);
    else text_append(&made, text + i, 1);
  }
  return values_case_entry(bench, made.bytes);
}

/* The attributes of operations that are not evaluated. An unstable sort is evaluated as a stable
 * one. */
static bool is_without_values(const char *attribute) {
  static const char *const names[] = {"LOWER", "LEFT_SIDE", "REPLICA_GROUPS", "SOURCE_TARGET_PAIRS",
      "FFT_LENGTH", "LHS_RAGGED_DIMS", "RHS_GROUP_DIMS", "LARGEST", "IS_REVERSE", "LITERAL",
      "CALLED_COMPUTATIONS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], attribute) == 0) return true;
  return false;
}

static void no_attribute_is_overlooked(void **) {
  OracleFixture bench = bench_create();
  Source pairs;
  Error error = {};
  uint32_t count = 0;
  corpus_faults = 0;
  if (!file_read(bench.arena, AFFIRM_SOURCE_DIR "/corpus/attributes.pairs", (size_t)1 << 24, &pairs,
          &error))
    fail_msg("%s", error.message);
  const char *at = pairs.text;
  for (const char *name; (name = value_after(bench.arena, &at, "\nattribute ")) != nullptr;) {
    const char *next = strstr(at, "\nattribute "), *end = next == nullptr ? at + strlen(at) : next;
    const char *text = at, *first = value_after(bench.arena, &text, "\nfirst: ");
    const char *second = first == nullptr ? nullptr : value_after(bench.arena, &text, "\nsecond: ");
    if (first == nullptr || second == nullptr || text > end) continue;
    const Computation *one = entry_with(&bench, text, (size_t)(end - text), first),
                      *other = entry_with(&bench, text, (size_t)(end - text), second);
    ValuesVerdict verdict;
    oracle_values_query(corpus_values(&bench, one, one), 0, &verdict);
    check_answer(name, &verdict, "same values", "fingerprint");
    oracle_values_query(corpus_values(&bench, one, other), 0, &verdict);
    if (strcmp(name, "IS_STABLE") == 0) check_answer(name, &verdict, "same reads", "values");
    else if (is_without_values(name)) check_answer(name, &verdict, "unknown", "");
    else check_answer(name, &verdict, "different", "values");
    count++;
  }
  assert_int_equal(corpus_faults, 0);
  assert_true(count >= 45);
  bench_destroy(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rewrites_of_values_are_decided),
      cmocka_unit_test(rewrites_of_reads_are_decided),
      cmocka_unit_test(a_limit_is_the_reason),
      cmocka_unit_test(an_element_of_what_is_not_built_is_open),
      cmocka_unit_test(no_attribute_is_overlooked),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
