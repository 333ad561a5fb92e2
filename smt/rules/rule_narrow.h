/* Splits cases for letters whose two bounds are close together. */
#ifndef SMT_RULES_RULE_NARROW_H
#define SMT_RULES_RULE_NARROW_H

#include "smt/rules/rule_system.h"

/* Adds a clause to split on: each value of a letter that occurs in a product and has few values.
 * False if there is no such letter. */
[[nodiscard]] bool system_split_values(System *system);

#endif
