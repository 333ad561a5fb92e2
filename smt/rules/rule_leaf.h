/* A system of which no case is left to split: linear arithmetic at Z3, with lemma instances that its
 * own models call for. */
#ifndef SMT_RULE_LEAF_H
#define SMT_RULE_LEAF_H

#include "smt/rules/rule_refute.h"

extern const char refutation_overflow[]; /* the reason where a coefficient does not fit */

VerdictStatus refutation_unknown(Refutation *refutation, const char *reason);
VerdictStatus refutation_false_step(Refutation *refutation, const char *reason);

/* The letters among the values of all unknowns, if they are what is looked for. */
[[nodiscard]] bool refutation_replays(
    const RuleProof *proof, Refutation *refutation, const Wide *atoms);

/* A system that its normal form contradicts. */
[[nodiscard]] VerdictStatus leaf_close(System *system, Refutation *refutation);
/* Linear arithmetic alone, then the lemma levels up to `last_level`. */
[[nodiscard]] VerdictStatus leaf_saturate(
    System *system, Refutation *refutation, uint32_t last_level);
/* All levels at once, and the widest of them; not more often than `wide_tries` says. */
[[nodiscard]] VerdictStatus leaf_saturate_widely(const System *system, Refutation *refutation);

#endif
