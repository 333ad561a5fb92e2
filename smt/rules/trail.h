/* What a proof leaves for a certificate: the proof's unknowns, the system of the guards, and the
 * clauses that closed each obligation and hold for all integers. */
#ifndef SMT_TRAIL_H
#define SMT_TRAIL_H

#include "smt/rules/lemmas.h"

typedef struct TrailPart {
  Poly divisor; /* of a divisor's obligation; else none */
  uint32_t count, capacity;
  Clause *items; /* lemma instances, and case splits that cover all integers */
} TrailPart;

/* One part an obligation: divisors, then either one for both sides or four for the ends. */
typedef struct RuleTrail {
  Proof *proof;
  System *base;
  uint32_t count, capacity;
  TrailPart *items;
} RuleTrail;

/* Marks a small set of clauses that has no integer solution with each product an integer of its
 * own: the solver's core, then one clause after another left out. False where the solver does not
 * refute all of them. */
[[nodiscard]] bool clauses_minimise(
    const Proof *proof, const Clause *clauses, uint32_t count, bool *is_kept);

#endif
