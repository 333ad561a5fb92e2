/* A question that would take minutes ends soon after `stop` is set, with UNKNOWN, "interrupted".
 * Past its seconds of processor time it ends by itself, "out of time". If `stop` is set before, it
 * does not start. A question that ends by itself has the same verdict as without watching. Checks
 * also end in the child of a fork, after a pause, and in several threads. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/base/clock.h"
#include "core/map/text.h"
#include "smt/smt.h"
#include "smt/solver/watch.h"

static atomic_uint looks, patience;

static bool lose_patience(void) { return atomic_fetch_add(&looks, 1) >= atomic_load(&patience); }

static const Map *watch_parse(MapContext *context, const char *text) {
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map = nullptr;
  Error error = {};
  assert_true(map_parse(context, &source, &map, &error));
  return map;
}

static Verdict query_with(const SmtOptions *options, const char *before, const char *after) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, options);
  Verdict verdict;
  Error error = {};
  assert_true(smt_same_map(
      smt, watch_parse(context, before), watch_parse(context, after), &verdict, &error));
  /* The sentence is in the context's arena, so it is copied. */
  static char sentence[512];
  snprintf(sentence, sizeof sentence, "%s", verdict_text(&verdict));
  verdict.sentence = sentence;
  smt_destroy(smt);
  map_context_destroy(context);
  return verdict;
}

static Verdict watch_query(unsigned wait, const char *before, const char *after) {
  atomic_store(&looks, 0);
  atomic_store(&patience, wait);
  return query_with(&(SmtOptions){.rlimit = 4'000'000'000, .stop = lose_patience}, before, after);
}

static const char hard_before[] =
    "(d0, d1) -> ((d0 * 751149836362 + d1 * 35742981) mod 991052043421 + (d0 * d1) mod 77777777777), domain: d0 in [0, 2000000], d1 in [0, 2000000]";
static const char hard_after[] =
    "(d0, d1) -> ((d0 * 751149836362 + d1 * 35742981) mod 991052043421 + (d0 * d1 + d0 * 0 + 77777777776) mod 77777777777 - 77777777776), domain: d0 in [0, 2000000], "
    "d1 in [0, 2000000], (d0 * d1) mod 77777777777 in [1, 77777777776]";

static void watch_impatient_user_ends_it(void **state) {
  (void)state;
  double start = clock_processor();
  Verdict verdict = watch_query(8, hard_before, hard_after);
  double taken = clock_processor() - start;
  print_message("%.2f s, %u looks: %s\n", taken, atomic_load(&looks), verdict_text(&verdict));
  if (verdict.status == VERDICT_UNKNOWN)
    assert_non_null(strstr(verdict_text(&verdict), "interrupted"));
  assert_true(verdict.status != VERDICT_PROVED && taken < 8);
}

static void watch_question_past_its_seconds_is_unknown(void **state) {
  (void)state;
  double start = clock_processor();
  Verdict verdict =
      query_with(&(SmtOptions){.rlimit = 4'000'000'000, .seconds = 1}, hard_before, hard_after);
  double taken = clock_processor() - start;
  print_message("%.2f s: %s\n", taken, verdict_text(&verdict));
  assert_int_equal(verdict.status, VERDICT_UNKNOWN);
  assert_non_null(strstr(verdict_text(&verdict), "out of time"));
  assert_true(taken < 8);
}

static void watch_interrupted_before_it_starts(void **state) {
  (void)state;
  Verdict verdict = watch_query(0,
      "(d0, d1) -> ((d0 + d1) floordiv 2 + (d0 + d1 + 1) floordiv 2), domain: d0 in [0, 999], d1 in [0, 999]",
      "(d0, d1) -> (d0 + d1), domain: d0 in [0, 999], d1 in [0, 999]");
  assert_int_equal(verdict.status, VERDICT_UNKNOWN);
  assert_non_null(strstr(verdict_text(&verdict), "interrupted"));
}

static void watch_patient_user_sees_the_proof(void **state) {
  (void)state;
  Verdict verdict = watch_query(UINT32_MAX,
      "(d0, d1) -> ((d0 + d1) floordiv 2 + (d0 + d1 + 1) floordiv 2), domain: d0 in [0, 999], d1 in [0, 999]",
      "(d0, d1) -> (d0 + d1), domain: d0 in [0, 999], d1 in [0, 999]");
  assert_int_equal(verdict.status, VERDICT_PROVED);
}

/* Two factors of 31 bits are not found within a minute: only the watcher ends such a check. */
static Z3_lbool check_factors(void) {
  static const char factors[] =
      "(declare-const a (_ BitVec 32)) (declare-const b (_ BitVec 32)) (assert (bvult a b))"
      "(assert (= (bvmul ((_ zero_extend 32) a) ((_ zero_extend 32) b)) #x3ffffff600000013))";
  Z3_config config = Z3_mk_config();
  Z3_context z3 = Z3_mk_context(config);
  Z3_solver solver = Z3_mk_solver(z3);
  Z3_solver_inc_ref(z3, solver);
  Z3_solver_from_string(z3, solver, factors);
  Z3_lbool answer = watched_check(z3, solver, lose_patience);
  Z3_solver_dec_ref(z3, solver);
  Z3_del_context(z3);
  Z3_del_config(config);
  return answer;
}

static void expect_ended(void) {
  atomic_store(&looks, 0);
  atomic_store(&patience, 3);
  assert_int_equal(check_factors(), Z3_L_UNDEF);
  assert_true(atomic_load(&looks) > 3);
}

/* The parent's watcher does not exist in the child, which must create its own. */
static void watch_child_of_a_fork_is_looked_at(void **state) {
  (void)state;
  expect_ended();
  pid_t child = fork();
  if (child == 0) {
    expect_ended();
    _exit(0);
  }
  int ended = -1;
  assert_int_equal(waitpid(child, &ended, 0), child);
  assert_int_equal(ended, 0);
  expect_ended();
}

/* A watcher without checks sleeps after a while, and the next check wakes it. */
static void watch_sleeper_is_woken(void **state) {
  (void)state;
  expect_ended();
  double start = clock_wall();
  while (clock_wall() < start + 0.3) sched_yield();
  expect_ended();
}

static void *check_in_thread(void *answer) {
  *(Z3_lbool *)answer = check_factors();
  return nullptr;
}

static void watch_threads_are_looked_at(void **state) {
  (void)state;
  pthread_t threads[3];
  Z3_lbool answers[3];
  atomic_store(&looks, 0);
  atomic_store(&patience, 9);
  for (int i = 0; i < 3; i++)
    assert_int_equal(pthread_create(&threads[i], nullptr, check_in_thread, &answers[i]), 0);
  for (int i = 0; i < 3; i++) {
    pthread_join(threads[i], nullptr);
    assert_int_equal(answers[i], Z3_L_UNDEF);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(watch_impatient_user_ends_it),
      cmocka_unit_test(watch_question_past_its_seconds_is_unknown),
      cmocka_unit_test(watch_interrupted_before_it_starts),
      cmocka_unit_test(watch_patient_user_sees_the_proof),
      cmocka_unit_test(watch_child_of_a_fork_is_looked_at),
      cmocka_unit_test(watch_sleeper_is_woken),
      cmocka_unit_test(watch_threads_are_looked_at),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
