/* Instances of the few lemmas that say what products of unknowns owe each other. Each is a clause
 * that holds for all integers: its side conditions are in it, so an instance is never wrong, only
 * useless. In builds with assertions each one is evaluated on random integers as it is made.
 *   split(M, d, k):   M <= 0  or  (d >= k and M*d >= k*M)  or  (d <= k-1 and M*d <= (k-1)*M)
 *   product(p, r):    p <= -1  or  r <= -1  or  p*r >= 0
 *   zero(e, t):       e >= 1  or  e <= -1  or  e*t = 0 */
#ifndef SMT_LEMMAS_H
#define SMT_LEMMAS_H

#include "smt/rules/rule_system.h"

typedef enum LemmaKind : uint8_t { LEMMA_SPLIT, LEMMA_PRODUCT, LEMMA_ZERO } LemmaKind;

/* A pair of polynomials to which a lemma may be applied, with their product. */
typedef struct Candidate {
  LemmaKind kind;
  Poly a, b, product; /* M and d, p and r, e and t */
} Candidate;

/* `k` is of a split only. */
[[nodiscard]] Clause lemma_instance(RuleProof *proof, const Candidate *candidate, Wide k);
/* Puts an instance on a system's refutation; none where an operand is constant, for then it is
 * linear already. */
void system_use_lemma(System *system, LemmaKind kind, Poly a, Poly b, Wide k);
/* M*d between -M and M makes d = 0: the two splits that say so. */
void system_use_vanishing(System *system, Poly multiplier, Poly difference);
/* A product of unknowns that are >= 1 is >= 1. */
void system_use_positive(System *system, Poly product);
[[nodiscard]] const char *lemma_name(LemmaKind kind);
/* Does the clause hold at every one of `count` random choices of integers for its unknowns? */
[[nodiscard]] bool lemma_holds_on_random(
    const RuleProof *proof, const Clause *clause, uint64_t seed, uint32_t count);

#endif
