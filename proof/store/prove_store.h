/* Verdicts on rules through the proof store. */
#ifndef PROOF_STORE_PROVE_STORE_H
#define PROOF_STORE_PROVE_STORE_H

#include "smt/rules/prove.h"
#include "smt/solver/store.h"

typedef struct StoreUse {
  bool from_store;
  Error trouble; /* the store could not be read or written; the verdict is a fresh one */
} StoreUse;

/* As prove_rule, but a verdict that the store has is taken from it. Nothing in a store is believed:
 * a refutation is replayed, and affirm-check judges a proof's certificate. What it rejects is
 * proved afresh. So is everything where obligations, an explanation or a refutation are asked for.
 * New refutations are stored, and new proofs with a certificate. A store that fails costs no
 * verdict. store == nullptr, or a program whose file cannot be read: no store. */
[[nodiscard]] bool prove_rule_stored(Store *store, Arena *arena, const Rule *rule,
    const ProveOptions *options, RuleVerdict *verdict, StoreUse *use, Error *error);

/* As prove_rule, but what has no certificate that affirm-check accepts is UNKNOWN, and says so. */
[[nodiscard]] bool prove_rule_certified(Arena *arena, const Rule *rule, const ProveOptions *options,
    RuleVerdict *verdict, Error *error);

/* What a rule's entry is filed under: the hash of this program, and the rule's text without name
 * and comments. */
[[nodiscard]] const char *prove_store_key(Arena *arena, const Rule *rule);

#endif
