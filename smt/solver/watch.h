/* A check that can be interrupted. While Z3 works, a thread tests `stop` and the question's time
 * budget some fifty times a second, and interrupts the solver when either requires it. Budgets of
 * checks are resource counts, and one step on large numbers can take minutes. An interrupted check
 * returns Z3_L_UNDEF. That result depends on the clock or on the user, so it must never be
 * stored. */
#ifndef SMT_SOLVER_WATCH_H
#define SMT_SOLVER_WATCH_H

#include <stdint.h>
#include <stdio.h>
#include <z3.h>

/* `stop` may be null. It is called from another thread, and must stay true once it was true. */
[[nodiscard]] Z3_lbool watched_check(Z3_context z3, Z3_solver solver, bool (*stop)(void));

#endif
