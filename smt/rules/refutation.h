/* What a proof leaves for a certificate: the proof's unknowns, the system of the guards, and the
 * clauses that closed each obligation and hold for all integers. */
#ifndef SMT_REFUTATION_H
#define SMT_REFUTATION_H

#include "smt/rules/lemmas.h"

typedef struct RefutationPart {
  Poly divisor; /* of a divisor's obligation; else none */
  uint32_t count, capacity;
  Clause *items; /* lemma instances, and case splits that cover all integers */
} RefutationPart;

/* One part an obligation: divisors, then either one for both sides or four for the ends. */
typedef struct RuleRefutation {
  RuleProof *proof;
  System *base;
  uint32_t count, capacity;
  RefutationPart *items;
} RuleRefutation;

/* The solver that minimises the clauses of one rule. GIVE. */
[[nodiscard]] struct Linear *minimiser_open(const RuleProof *proof);
void minimiser_close(struct Linear *linear);

/* Marks a small set of clauses that has no integer solution with each product an integer of its
 * own: the solver's core, then one clause after another left out. False where the solver does not
 * refute all of them. */
[[nodiscard]] bool clauses_minimise(
    struct Linear *linear, const Clause *clauses, uint32_t count, bool *is_kept);

#endif
