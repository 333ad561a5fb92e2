/* Prints the details of a refuted rule: its location and text, both sides with the values, and the
 * condition that would make it true. */
#ifndef CLI_PROVE_PROVE_REFUTED_H
#define CLI_PROVE_PROVE_REFUTED_H

#include "smt/rules/guard_search.h"

void prove_print_refuted(
    Text *text, const Rule *rule, const RuleVerdict *verdict, const GuardSearch *search);
/* Prints "hi(x) < c, c > 0"; nothing if no condition was found. */
void guard_search_print(Text *text, const Rule *rule, const GuardSearch *search);

#endif
