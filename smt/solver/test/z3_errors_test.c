/* A failed call of the solver stays visible: later calls succeed, and Z3 then reports no error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "smt/solver/watch.h"
#include "smt/solver/z3_context.h"

/* A parameter that no solver has. A solver looks at its parameters once it has something to check.
 */
static void fail_once(const Z3Session *session) {
  Z3_context z3 = session->z3;
  Z3_params params = z3_make_params(z3);
  Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "no_such_parameter"), 1);
  Z3_solver_set_params(z3, session->solver, params);
  Z3_params_dec_ref(z3, params);
}

static Z3_lbool check_one(const Z3Session *session) {
  Z3_ast zero = z3_integer(session, 0);
  Z3_solver_assert(session->z3, session->solver, Z3_mk_eq(session->z3, zero, zero));
  return watched_check(session->z3, session->solver, nullptr);
}

static void a_failed_call_is_not_forgotten(void **) {
  Z3Session session = z3_open(nullptr, 1'000'000, 0);
  assert_false(z3_failed(&session));
  assert_int_equal(check_one(&session), Z3_L_TRUE);
  assert_false(z3_failed(&session));
  uint64_t before = z3_errors;
  fail_once(&session);
  if (z3_errors == before) fail_msg("no call failed");
  (void)Z3_mk_int_sort(session.z3);
  assert_int_equal(Z3_get_error_code(session.z3), Z3_OK);
  assert_true(z3_failed(&session));
  z3_close(&session);
}

/* Sessions that are opened later do not have the error; those around them do. */
static void errors_are_of_the_sessions_that_are_open(void **) {
  Z3Session outer = z3_open(nullptr, 1'000'000, 0), inner = z3_open(nullptr, 1'000'000, 0);
  assert_int_equal(check_one(&inner), Z3_L_TRUE);
  fail_once(&inner);
  assert_true(z3_failed(&inner));
  z3_close(&inner);
  assert_true(z3_failed(&outer));
  z3_close(&outer);
  Z3Session later = z3_open(nullptr, 1'000'000, 0);
  assert_int_equal(check_one(&later), Z3_L_TRUE);
  assert_false(z3_failed(&later));
  z3_close(&later);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_failed_call_is_not_forgotten),
      cmocka_unit_test(errors_are_of_the_sessions_that_are_open)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
