/* Searches a solution if no lemma helps: products are real products, in nonlinear arithmetic, and
 * the letters are bounded more and more widely. Finds values; proves nothing. */
#ifndef SMT_RULES_RULE_EXACT_H
#define SMT_RULES_RULE_EXACT_H

#include "smt/rules/rule_linear.h"

/* Returns true with the letters' values in `atoms` [proof_max_unknowns], including eliminated ones.
 * Charges its budget to `linear`. */
[[nodiscard]] bool system_search_exact(const System *system, Linear *linear, Wide *atoms);

#endif
