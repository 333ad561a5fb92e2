/* Searches what the guard of a refuted rule lacks: the weakest one or two conditions from a list of
 * templates with which the rule is proved. Templates are bounds of a letter or of a sum of two
 * letters, and signs, equality, order and divisibility of constants.
 * Weakest is measured, not proved: among the conditions that are proved sufficient, the one that
 * holds most often where the rule's own guard holds and both sides agree. */
#ifndef SMT_RULES_GUARD_SEARCH_H
#define SMT_RULES_GUARD_SEARCH_H

#include "smt/rules/prove.h"

typedef struct GuardSearch {
  uint32_t count; /* of the conditions; 0: no template suffices, or none is proved to */
  Guard guards[2];
  uint32_t templates, proofs; /* tried */
} GuardSearch;

/* `refuted` are values that refute the rule. The budget in `options` is for all proofs together;
 * one proof has a tenth of it. */
void guard_search(Arena *arena, const Rule *rule, const RuleValues *refuted,
    const ProveOptions *options, GuardSearch *search);

#endif
