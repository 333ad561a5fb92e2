/* Looking for a solution where no lemma helps: the products are products after all, in nonlinear
 * arithmetic, with the letters bounded more and more widely. Finds values; proves nothing. */
#ifndef SMT_RULE_EXACT_H
#define SMT_RULE_EXACT_H

#include "smt/rules/rule_linear.h"

/* True with the letters' values in `atoms` [proof_max_unknowns], eliminated ones included. Takes
 * its budget from `linear`. */
[[nodiscard]] bool system_search_exact(const System *system, Linear *linear, Wide *atoms);

#endif
