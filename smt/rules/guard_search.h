/* What is missing from the guard of a refuted rule: the weakest one or two conditions of a list of
 * templates with which the rule is proved. Templates are bounds of a letter or of the sum of two,
 * signs, equality, order and divisibility of constants.
 * Weakest is measured, not proved: of the conditions that are proved to be enough, the one that
 * holds most often where the rule's own guard holds and both sides agree. */
#ifndef SMT_GUARD_SEARCH_H
#define SMT_GUARD_SEARCH_H

#include "smt/rules/prove.h"

typedef struct GuardSearch {
  uint32_t count; /* of the conditions; 0: none of the templates is enough, or nobody proves it */
  Guard guards[2];
  uint32_t templates, proofs; /* tried */
} GuardSearch;

/* `refuted` are values that refute the rule. The options' budget is that of each proof. */
void guard_search(Arena *arena, const Rule *rule, const RuleValues *refuted,
    const ProveOptions *options, GuardSearch *search);

#endif
