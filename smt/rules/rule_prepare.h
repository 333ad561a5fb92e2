/* Bringing a system into a normal form, in which most rules are proved by two sides being the same
 * polynomial. */
#ifndef SMT_RULE_PREPARE_H
#define SMT_RULE_PREPARE_H

#include "smt/rules/rule_system.h"

/* Repeats its steps until none applies, the system is contradictory, or a bound on the rounds is
 * met. */
void system_prepare(System *system);

/* >= 1, as far as facts about single atoms, or a fact that says just this, show it. */
[[nodiscard]] bool system_is_positive(const System *system, Poly poly);

#endif
