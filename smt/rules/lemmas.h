/* Instances of the few lemmas that relate products of unknowns. Each is a clause that holds for all
 * integers: its side conditions are part of it, so an instance may be useless but is never wrong.
 * In builds with assertions, each instance is evaluated on random integers when it is created.
 *   split(M, d, k):   M <= 0  or  (d >= k and M*d >= k*M)  or  (d <= k-1 and M*d <= (k-1)*M)
 *   product(p, r):    p <= -1  or  r <= -1  or  p*r >= 0
 *   zero(e, t):       e >= 1  or  e <= -1  or  e*t = 0 */
#ifndef SMT_RULES_LEMMAS_H
#define SMT_RULES_LEMMAS_H

#include "smt/rules/rule_system.h"

typedef enum LemmaKind : uint8_t { LEMMA_SPLIT, LEMMA_PRODUCT, LEMMA_ZERO } LemmaKind;

/* A pair of polynomials to which a lemma may be applied, with their product. */
typedef struct Candidate {
  LemmaKind kind;
  Poly a, b, product; /* M and d, p and r, e and t */
} Candidate;

/* `k` is used by a split only. */
[[nodiscard]] Clause lemma_instance(RuleProof *proof, const Candidate *candidate, Wide k);
/* Adds an instance to a system's refutation; none if an operand is constant, because the product is
 * then linear. */
void system_use_lemma(System *system, LemmaKind kind, Poly a, Poly b, Wide k);
/* Adds the two splits by which M*d between -M and M implies d = 0. */
void system_use_vanishing(System *system, Poly multiplier, Poly difference);
/* Adds instances by which a product of unknowns that are >= 1 is >= 1. */
void system_use_positive(System *system, Poly product);
[[nodiscard]] const char *lemma_name(LemmaKind kind);
/* Whether the clause holds for `count` random choices of integers for its unknowns. */
[[nodiscard]] bool lemma_holds_on_random(
    const RuleProof *proof, const Clause *clause, uint64_t seed, uint32_t count);

#endif
