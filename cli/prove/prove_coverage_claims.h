/* Reports what enumeration finds about the claims about operations at every size. */
#ifndef CLI_PROVE_PROVE_COVERAGE_CLAIMS_H
#define CLI_PROVE_PROVE_COVERAGE_CLAIMS_H

#include "core/base/text.h"

/* Prints a line for each claim of smt_all_sizes: values that satisfy the guards of its rules, and
 * values that refute a rule of its negative example, the claim that is wrong by one. */
void coverage_claims(Text *text);

#endif
