/* What is printed under a refuted rule: its place and text, both sides with the values put in, and
 * the condition with which it is true. */
#ifndef CLI_PROVE_PROVE_REFUTED_H
#define CLI_PROVE_PROVE_REFUTED_H

#include "smt/rules/guard_search.h"

void prove_print_refuted(
    Text *text, const Rule *rule, const RuleVerdict *verdict, const GuardSearch *search);
/* "hi(x) < c, c > 0"; "" where none was found. */
void guard_search_print(Text *text, const Rule *rule, const GuardSearch *search);

#endif
