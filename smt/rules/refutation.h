/* The data of a proof for a certificate: the proof's unknowns, the system of the guards, and the
 * clauses, valid for all integers, that closed each obligation. */
#ifndef SMT_RULES_REFUTATION_H
#define SMT_RULES_REFUTATION_H

#include "smt/rules/lemmas.h"

typedef struct RefutationPart {
  Poly divisor; /* of a divisor's obligation; otherwise empty */
  uint32_t count, capacity;
  Clause *items; /* lemma instances, and case splits that cover all integers */
} RefutationPart;

/* One part per obligation: divisors, then one for both sides or four for the ends. */
typedef struct RuleRefutation {
  RuleProof *proof;
  System *base;
  uint32_t count, capacity;
  RefutationPart *items;
} RuleRefutation;

/* The solver that minimises the clauses of one rule. GIVE. */
[[nodiscard]] struct Linear *minimiser_open(const RuleProof *proof);
void minimiser_close(struct Linear *linear);

/* Marks a small set of clauses that has no integer solution even if each product is an independent
 * integer: the solver's core, reduced by leaving out one clause after another. False if the solver
 * does not refute all clauses together. */
[[nodiscard]] bool clauses_minimise(
    struct Linear *linear, const Clause *clauses, uint32_t count, bool *is_kept);

#endif
