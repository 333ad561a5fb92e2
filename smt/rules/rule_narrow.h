/* Letters between two numbers that lie close together. */
#ifndef SMT_RULE_NARROW_H
#define SMT_RULE_NARROW_H

#include "smt/rules/rule_system.h"

/* Each value of a letter that stands in a product and has few: a clause to split on. False where
 * there is no such letter. */
[[nodiscard]] bool system_split_values(System *system);

#endif
