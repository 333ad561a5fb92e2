/* Obligations as SMT-LIB 2 text, in a form that both Z3 and cvc5 accept. */
#ifndef SMT_SOLVER_SMTLIB_H
#define SMT_SOLVER_SMTLIB_H

#include "smt/rules/rule_system.h"

/* One closed case: its statements and lemma instances over named products, in QF_LIA. `(check-sat)`
 * must answer unsat. `what` is a comment. */
void smtlib_refutation(Text *text, const System *system, const char *what);

#endif
