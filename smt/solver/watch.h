/* A check that can be ended from outside. While Z3 works a thread looks at `stop` and at the
 * question's budget of time some fifty times a second and interrupts the solver once one says so:
 * budgets of checks are resource counts, and one step on large numbers can take minutes of them. An
 * interrupted check says Z3_L_UNDEF; that depends on the clock or on when the user lost patience,
 * so it must never be kept. */
#ifndef SMT_WATCH_H
#define SMT_WATCH_H

#include <stdint.h>
#include <stdio.h>
#include <z3.h>

/* `stop` may be null: then nobody looks. It is called from another thread, and stays true once it
 * was. */
[[nodiscard]] Z3_lbool watched_check(Z3_context z3, Z3_solver solver, bool (*stop)(void));

#endif
