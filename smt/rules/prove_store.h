/* Verdicts on rules through the proof store. */
#ifndef SMT_PROVE_STORE_H
#define SMT_PROVE_STORE_H

#include "smt/rules/prove.h"
#include "smt/solver/store.h"

typedef struct StoreUse {
  bool from_store;
  Error trouble; /* the store could not be read or written; the verdict is a fresh one */
} StoreUse;

/* As prove_rule, but a verdict that the store has is taken from it. A stored refutation is
 * replayed, and values are tried against a stored proof; what does not hold is proved afresh. So is
 * everything where obligations or an explanation are asked for. New verdicts are stored, UNKNOWN
 * aside. A store that fails costs no verdict. store == nullptr: no store. */
[[nodiscard]] bool prove_rule_stored(Store *store, Arena *arena, const Rule *rule,
    const ProveOptions *options, RuleVerdict *verdict, StoreUse *use, Error *error);

/* What a rule's entry is filed under: its text without name and comments, the budget, the program's
 * hash and the solver's version. */
[[nodiscard]] const char *prove_store_key(
    Arena *arena, const Rule *rule, const ProveOptions *options);

#endif
