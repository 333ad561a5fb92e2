/* A proof is confirmed only if the second solver refutes all its statements. A solver that
 * satisfies one, does not decide one, or prints something else confirms nothing. The solver is a
 * script whose answers the test sets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/file.h"
#include "judge/obligations/confirm_rule.h"

/* Writes a solver that gives this first answer, then `unsat` for each further statement. */
static void solver_answers(const char *directory, const char *first) {
  char path[600];
  snprintf(path, sizeof path, "%s/cvc5", directory);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file,
      "#!/bin/sh\nanswer='%s'\nwhile read -r line; do\n"
      "  [ \"$line\" = '(reset)' ] || continue\n  echo \"$answer\"\n  answer=unsat\ndone\n",
      first);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(chmod(path, 0755), 0);
}

static VerdictReason reason_of(const char *directory, const char *first, uint32_t statements) {
  static const char *texts[] = {"(assert false)\n(check-sat)\n", "(assert false)\n(check-sat)\n"};
  Arena *arena = arena_create();
  Verdict verdict;
  solver_answers(directory, first);
  confirm_rule(arena,
      &(RuleVerdict){
          .answer = VERDICT_PROVED, .obligation_count = statements, .obligations = texts},
      &verdict);
  if (verdict.reason == REASON_DIFFERENT) assert_int_equal(verdict.point[0], 0);
  arena_destroy(arena);
  return verdict.reason;
}

static void only_refuted_statements_confirm(void **) {
  char directory[512], path[4096];
  file_scratch(sizeof directory, directory, "confirm");
  assert_non_null(mkdtemp(directory));
  snprintf(path, sizeof path, "%s:%s", directory, getenv("PATH"));
  assert_int_equal(setenv("PATH", path, 1), 0);
  assert_int_equal(reason_of(directory, "unsat", 2), REASON_EXACT);
  assert_int_equal(reason_of(directory, "unknown", 2), REASON_OPEN);
  assert_int_equal(reason_of(directory, "sat", 2), REASON_DIFFERENT);
  assert_int_equal(reason_of(directory, "(error)", 2), REASON_REJECTED);
  assert_int_equal(reason_of(directory, "unsat", 0), REASON_OPEN);
  snprintf(path, sizeof path, "%s/cvc5", directory);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(rmdir(directory), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_refuted_statements_confirm),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
