/* A system without cases left to split: linear arithmetic in Z3, with lemma instances that its
 * models violate. */
#ifndef SMT_RULES_RULE_LEAF_H
#define SMT_RULES_RULE_LEAF_H

#include "smt/rules/rule_refute.h"

/* The reason of an overflow of the ring, as text. */
[[nodiscard]] const char *refutation_overflow(const PolyRing *ring);

VerdictStatus refutation_unknown(Refutation *refutation, const char *reason);
VerdictStatus refutation_false_step(Refutation *refutation, const char *reason);

/* Whether the letters among the values of all unknowns are a solution. */
[[nodiscard]] bool refutation_replays(
    const RuleProof *proof, Refutation *refutation, const Wide *atoms);

/* Closes a system whose normal form is contradictory. */
[[nodiscard]] VerdictStatus leaf_close(System *system, Refutation *refutation);
/* Linear arithmetic without instances. Where this is VERDICT_UNKNOWN, the solver's query is the
 * system. */
[[nodiscard]] VerdictStatus leaf_check(System *system, Refutation *refutation);
/* Linear arithmetic without instances, then the lemma levels 1 to `last_level`. */
[[nodiscard]] VerdictStatus leaf_saturate(
    System *system, Refutation *refutation, uint32_t last_level);
/* The same after leaf_check of this system, whose query and model it goes on with. */
[[nodiscard]] VerdictStatus leaf_saturate_checked(
    System *system, Refutation *refutation, uint32_t last_level);
/* All levels at once, including the widest; at most `wide_tries` failed attempts. */
[[nodiscard]] VerdictStatus leaf_saturate_widely(const System *system, Refutation *refutation);

#endif
