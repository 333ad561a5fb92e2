/* Verdicts on rules through the proof store. */
#ifndef SMT_PROVE_STORE_H
#define SMT_PROVE_STORE_H

#include "smt/rules/prove.h"
#include "smt/solver/store.h"

/* As prove_rule, but a verdict that the store has is taken from it: `from_store`. A stored
 * refutation is replayed, and proved afresh where it does not refute; so is everything where
 * obligations or an explanation are asked for. New verdicts are stored, UNKNOWN aside. store ==
 * nullptr: no store. */
[[nodiscard]] bool prove_rule_stored(Store *store, Arena *arena, const Rule *rule,
    const ProveOptions *options, RuleVerdict *verdict, bool *from_store, Error *error);

/* What a rule's entry is filed under: its text without name and comments, the budget, and the
 * versions of encoder and solver. */
[[nodiscard]] const char *prove_store_key(
    Arena *arena, const Rule *rule, const ProveOptions *options);

#endif
