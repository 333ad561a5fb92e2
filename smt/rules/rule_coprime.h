/* What coprime factors say of the cofactors beside them in an equation. */
#ifndef SMT_RULE_COPRIME_H
#define SMT_RULE_COPRIME_H

#include "smt/rules/rule_system.h"

/* Replaces one equation by the two that follow; false: no equation has a coprime pair, nothing is
 * changed. */
[[nodiscard]] bool system_use_coprime(System *system);

#endif
