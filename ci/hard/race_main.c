/* Two threads register checks with the one watcher: ci/hard/races seeds a race in it. The
 * watcher ends every check, so it reads the list of checks while the list changes. */
#include <pthread.h>
#include <stdlib.h>

#include "smt/solver/watch.h"

static constexpr int checks = 300;

static bool never(void) { return false; }

static void *check_often(void *) {
  Z3_config config = Z3_mk_config();
  Z3_context z3 = Z3_mk_context(config);
  Z3_solver solver = Z3_mk_solver(z3);
  Z3_solver_inc_ref(z3, solver);
  for (int i = 0; i < checks; i++)
    if (watched_check(z3, solver, never) != Z3_L_TRUE) abort();
  Z3_solver_dec_ref(z3, solver);
  Z3_del_context(z3);
  Z3_del_config(config);
  return nullptr;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, nullptr, check_often, nullptr) != 0) return 3;
  check_often(nullptr);
  return pthread_join(other, nullptr) == 0 ? 0 : 3;
}
