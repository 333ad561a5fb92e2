/* The cases of the corpus, by both judges of maps and by each alone. Each case passes, and each
 * case of a `.bad.case` file fails. One judge alone may leave a case open, but never contradicts
 * it. */
#include "core/base/test/length.h"
#include "judge/cases/case_run.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/file.h"

static Arena *arena;

typedef struct CorpusCasesTally {
  uint32_t passed, failed, open, wrong;
} CorpusCasesTally;

typedef struct CorpusPaths {
  uint32_t count, capacity;
  const char **items;
} CorpusPaths;

static void find_cases(const char *directory, CorpusPaths *paths) {
  DIR *files = opendir(directory);
  if (files == nullptr) return;
  for (const struct dirent *file = readdir(files); file != nullptr; file = readdir(files)) {
    if (file->d_name[0] == '.') continue;
    const char *path = arena_printf(arena, "%s/%s", directory, file->d_name);
    size_t length = strlen(path);
    if (file->d_type == DT_DIR) find_cases(path, paths);
    else if (length > 5 && strcmp(path + length - 5, ".case") == 0)
      *ARENA_PUSH(arena, paths) = path;
  }
  closedir(files);
}

/* One judge alone may refute with another witness than the one that the case names. */
static bool is_other_witness(const Case *one, const CaseResult *result) {
  return one->expected.items[0].kind == EXPECT_REFUTED &&
         strncmp(result->text, "refuted", strlen("refuted")) == 0;
}

static void run_one(
    Judge *judge, const Case *one, bool must_fail, bool is_alone, CorpusCasesTally *tally) {
  Arena *scratch = arena_create();
  CaseResult result;
  case_run(judge, scratch, one, &result);
  tally->passed += result.outcome == CASE_PASSED;
  tally->failed += result.outcome == CASE_FAILED;
  tally->open += result.outcome == CASE_UNKNOWN;
  CaseOutcome right = must_fail ? CASE_FAILED : CASE_PASSED;
  if (result.outcome != right &&
      !(is_alone && (result.outcome == CASE_UNKNOWN || is_other_witness(one, &result)))) {
    print_message("%s:%u %s: %s, %s\n", one->input.name, one->line, one->name,
        case_outcome_text(result.outcome), result.text);
    tally->wrong++;
  }
  arena_destroy(scratch);
}

static CorpusCasesTally run_all(const JudgeOptions *options, bool is_alone) {
  CorpusCasesTally tally = {};
  CorpusPaths paths = {};
  Error error = {};
  Judge *judge = judge_create(options, &error);
  assert_non_null(judge);
  find_cases(AFFIRM_SOURCE_DIR "/corpus", &paths);
  for (uint32_t i = 0; i < paths.count; i++) {
    Source source;
    CaseFile cases;
    if (!file_read(arena, paths.items[i], (size_t)1 << 24, &source, &error) ||
        !cases_parse(arena, &source, &cases, &error))
      fail_msg("%s: %s", paths.items[i], error.message);
    for (uint32_t k = 0; k < cases.count; k += is_alone ? test_length(1, 1, 4) : 1)
      run_one(judge, &cases.items[k], cases.must_fail, is_alone, &tally);
  }
  judge_destroy(judge);
  print_message("%u passed, %u failed, %u open\n", tally.passed, tally.failed, tally.open);
  return tally;
}

static void both_judges_decide_each_case(void **) {
  CorpusCasesTally tally = run_all(&(JudgeOptions){}, false);
  assert_int_equal(tally.wrong, 0);
  assert_true(tally.passed > 900 && tally.failed > 30);
}

static void the_oracle_alone_denies_none(void **) {
  CorpusCasesTally tally = run_all(&(JudgeOptions){.without_smt = true}, true);
  assert_int_equal(tally.wrong, 0);
}

static void the_solver_alone_denies_none(void **) {
  CorpusCasesTally tally = run_all(&(JudgeOptions){.without_oracle = true}, true);
  assert_int_equal(tally.wrong, 0);
}

static int set_up(void **) { return (arena = arena_create()) == nullptr; }
static int tear_down(void **) { return arena_destroy(arena), 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_judges_decide_each_case),
      cmocka_unit_test(the_oracle_alone_denies_none),
      cmocka_unit_test(the_solver_alone_denies_none),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
