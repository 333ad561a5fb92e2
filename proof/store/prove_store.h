/* Verdicts on rules with a proof store. */
#ifndef PROOF_STORE_PROVE_STORE_H
#define PROOF_STORE_PROVE_STORE_H

#include "smt/rules/prove.h"
#include "smt/solver/store.h"

typedef struct StoreUse {
  bool from_store;
  Error trouble; /* why the store could not be read or written; the verdict is then a fresh one */
} StoreUse;

/* As prove_rule, but returns a stored verdict if there is one. The store is not trusted: a
 * refutation is replayed, and affirm-check checks a proof's certificate. A rejected entry is proved
 * again. Queries for obligations, an explanation or a refutation are always proved again. New
 * refutations are stored, and new proofs that have a certificate. A failing store does not affect
 * the verdict. store == nullptr, or a program whose file cannot be read: no store. */
[[nodiscard]] bool prove_rule_stored(Store *store, Arena *arena, const Rule *rule,
    const ProveOptions *options, RuleVerdict *verdict, StoreUse *use, Error *error);

/* As prove_rule, but a proof without a certificate that affirm-check accepts becomes UNKNOWN with a
 * reason. */
[[nodiscard]] bool prove_rule_certified(Arena *arena, const Rule *rule, const ProveOptions *options,
    RuleVerdict *verdict, Error *error);

/* The key of a rule's entry: the hash of this program, and the rule's text without name and
 * comments. */
[[nodiscard]] const char *prove_store_key(Arena *arena, const Rule *rule);

#endif
