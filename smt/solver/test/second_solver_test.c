/* Obligations are SMT-LIB text that Z3 and cvc5 accept and report unsat. Without the negated goal
 * they are not unsat, so unsat is not accidental. If cvc5 is missing, the part that needs it is
 * reported as skipped. */
#include "core/base/test/length.h"
#include "smt/solver/second_solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <z3.h>

#include <cmocka.h>

#include "core/base/budget.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "smt/rules/prove.h"

typedef struct Texts {
  uint32_t count, capacity;
  const char **items;
} Texts;

/* The obligations of each `step`-th rule of the corpus. */
static void second_solver_gather(Arena *arena, uint32_t step, Texts *texts) {
  Source source;
  RuleSet rules = {};
  Error error = {};
  if (!file_read(
          arena, AFFIRM_SOURCE_DIR "/corpus/rules/true.rules", (size_t)1 << 24, &source, &error) ||
      !rules_parse(arena, &source, &rules, &error))
    fail_msg("%s", error.message);
  for (uint32_t i = 0; i < rules.count; i += step) {
    RuleVerdict verdict;
    if (!prove_rule(
            arena, &rules.items[i], &(ProveOptions){.want_obligations = true}, &verdict, &error))
      fail_msg("%s", error.message);
    assert_int_equal(verdict.answer, VERDICT_PROVED);
    assert_true(verdict.obligation_count > 0);
    for (uint32_t k = 0; k < verdict.obligation_count; k++)
      *ARENA_PUSH(arena, texts) = verdict.obligations[k];
  }
}

/* The text without the assumptions against the goal, and without the cases. */
static const char *without_goal(Arena *arena, const char *text) {
  Text rest = text_create(arena);
  for (const char *line = text; *line != 0;) {
    size_t length = strcspn(line, "\n");
    const char *copy = arena_text(arena, line, length);
    bool is_dropped = strstr(copy, "; negated goal") != nullptr ||
                      strstr(copy, "; case") != nullptr ||
                      strstr(copy, "; the side that") != nullptr;
    if (!is_dropped) text_printf(&rest, "%s\n", copy);
    line += length + (line[length] == '\n');
  }
  return rest.bytes;
}

static Z3_lbool query_z3(const char *text) {
  Z3_config config = Z3_mk_config();
  Z3_context z3 = Z3_mk_context(config);
  Z3_del_config(config);
  Z3_set_error_handler(z3, nullptr);
  Z3_solver solver = Z3_mk_solver(z3);
  Z3_solver_inc_ref(z3, solver);
  Z3_solver_from_string(z3, solver, text);
  Z3_lbool answer = Z3_get_error_code(z3) == Z3_OK ? Z3_solver_check(z3, solver) : Z3_L_UNDEF;
  Z3_solver_dec_ref(z3, solver);
  Z3_del_context(z3);
  return answer;
}

static void obligations_are_read_back_by_z3(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Texts texts = {};
  second_solver_gather(arena, test_length(7, 7, 21), &texts);
  for (uint32_t i = 0; i < texts.count; i++) {
    if (query_z3(texts.items[i]) != Z3_L_FALSE) fail_msg("not refuted:\n%s", texts.items[i]);
    if (query_z3(without_goal(arena, texts.items[i])) != Z3_L_TRUE)
      fail_msg("refuted without its goal:\n%s", texts.items[i]);
  }
  arena_destroy(arena);
}

static void obligations_are_confirmed_by_cvc5(void **state) {
  (void)state;
  Arena *arena = arena_create();
  if (second_solver_version(arena) == nullptr) {
    print_message("skipped: cvc5 is not installed\n");
    arena_destroy(arena);
    skip();
  }
  Texts texts = {};
  second_solver_gather(arena, test_length(5, 5, 20), &texts);
  uint32_t proofs = texts.count;
  for (uint32_t i = 0; i < proofs; i += 9)
    *ARENA_PUSH(arena, &texts) = without_goal(arena, texts.items[i]);
  VerdictStatus *answers = ARENA_NEW(arena, VerdictStatus, texts.count);
  const char *transcript;
  Error error = {};
  if (!second_solver_query(arena, texts.count, texts.items, answers, &transcript, &error))
    fail_msg("%s", error.message);
  for (uint32_t i = 0; i < texts.count; i++)
    if (answers[i] != (i < proofs ? VERDICT_PROVED : VERDICT_REFUTED))
      fail_msg("cvc5 says otherwise:\n%s", texts.items[i]);
  const char *garbage[] = {"(assert nonsense)\n(check-sat)\n"};
  assert_false(second_solver_query(arena, 1, garbage, answers, &transcript, &error));
  arena_destroy(arena);
}

static bool at_once(void) { return true; }

/* A program named cvc5 that never answers: the question's budget, which is tested every 64th time,
 * ends the wait. */
static void a_solver_that_hangs_is_not_waited_for(void **) {
  Arena *arena = arena_create();
  char directory[512];
  file_scratch(sizeof directory, directory, "solver");
  assert_non_null(mkdtemp(directory));
  const char *program = arena_printf(arena, "%s/cvc5", directory), *before = getenv("PATH"),
             *path = arena_printf(arena, "%s:%s", directory, before);
  FILE *file = fopen(program, "w");
  assert_non_null(file);
  fputs("#!/bin/sh\nexec sleep 1000\n", file);
  fclose(file);
  assert_int_equal(chmod(program, 0700), 0);
  char *old = arena_text(arena, before, strlen(before));
  setenv("PATH", path, 1);
  const char *texts[] = {"(check-sat)\n"}, *transcript;
  VerdictStatus answer;
  Error error = {};
  double start = clock_wall();
  bool began = budget_begin(1, at_once);
  bool answered = second_solver_query(arena, 1, texts, &answer, &transcript, &error);
  budget_end(began);
  setenv("PATH", old, 1);
  unlink(program);
  rmdir(directory);
  assert_true(began);
  assert_false(answered);
  assert_int_equal(error.kind, ERROR_ENVIRONMENT);
  assert_true(clock_wall() - start < 500);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(obligations_are_read_back_by_z3),
      cmocka_unit_test(obligations_are_confirmed_by_cvc5),
      cmocka_unit_test(a_solver_that_hangs_is_not_waited_for),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
