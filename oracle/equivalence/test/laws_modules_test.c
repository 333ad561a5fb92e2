/* The two sides of each law of core/rules/values.laws are compared as modules. The law decides at
 * its own grade and at no stricter one. If a variable or constant of the left side is changed,
 * nothing is decided. */
#include "core/base/file.h"
#include "core/hlo/test/law_modules.h"
#include "oracle/equivalence/test/values_cases.h"

static bool are_same(const char *before, const char *after, LawGrade grade) {
  OracleFixture bench = bench_create();
  ValuesVerdict verdict;
  const Computation *graphs[] = {
      values_case_entry(&bench, before), values_case_entry(&bench, after)};
  OracleValues *values =
      oracle_values_create(bench.arena, graphs[0], graphs[1], &(ValuesLimits){.grade = grade});
  oracle_values_query(values, 0, &verdict);
  bench_destroy(&bench);
  return verdict.answer == REASON_EXACT;
}

static void check_changes(const LawLine *law, const char *right) {
  int leaves;
  (void)law_module(law->left, law->type, -1, &leaves);
  for (int i = 0; i < leaves; i++)
    if (leaf_counts(law, i) &&
        are_same(law_module(law->left, law->type, i, nullptr), right, LAW_FAST))
      fail_msg("%s: the same with another leaf %d", law->text, i);
}

static void each_law_decides_what_it_states(void **) {
  Source source;
  Error error = {};
  uint32_t count = 0;
  if (!file_read(arena, OWN_LAWS, 1 << 20, &source, &error)) fail_msg("%s", error.message);
  for (const char *at = source.text; *at != 0;) {
    ArenaMark mark = arena_mark(arena);
    LawLine law;
    if (law_of_next(&at, &law)) {
      const char *left = law_module(law.left, law.type, -1, nullptr),
                 *right = law_module(law.right, law.type, -1, nullptr);
      count++;
      if (!are_same(left, right, law.grade)) fail_msg("%s: not the same", law.text);
      if (law.grade > LAW_EXACT && are_same(left, right, (LawGrade)(law.grade - 1)))
        fail_msg("%s: the same at a stricter grade", law.text);
      check_changes(&law, right);
    }
    arena_rewind(arena, mark);
  }
  assert_true(count >= 120);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(each_law_decides_what_it_states, arena_begin, arena_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
