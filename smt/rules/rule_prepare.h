/* Brings a system into a normal form, in which most rules are proved because both sides are the
 * same polynomial. */
#ifndef SMT_RULES_RULE_PREPARE_H
#define SMT_RULES_RULE_PREPARE_H

#include "smt/rules/rule_system.h"

/* Repeats its steps until none applies, the system is contradictory, or the limit of rounds is
 * reached. */
void system_prepare(System *system);

#endif
