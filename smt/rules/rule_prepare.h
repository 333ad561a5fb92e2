/* Bringing a system into a normal form, in which most rules are proved by two sides being the same
 * polynomial. */
#ifndef SMT_RULE_PREPARE_H
#define SMT_RULE_PREPARE_H

#include "smt/rules/rule_system.h"

/* Repeats its steps until none applies, the system is contradictory, or a bound on the rounds is
 * met. */
void system_prepare(System *system);

#endif
