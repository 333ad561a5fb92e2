/* Derives facts about the cofactors of coprime factors in an equation. */
#ifndef SMT_RULES_RULE_COPRIME_H
#define SMT_RULES_RULE_COPRIME_H

#include "smt/rules/rule_system.h"

/* Replaces one equation by the two that follow from it. Returns false, without changes, if no
 * equation has a coprime pair. */
[[nodiscard]] bool system_use_coprime(System *system);

#endif
