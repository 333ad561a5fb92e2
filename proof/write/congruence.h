/* Finds combinations of equations that have no integer solution modulo a number, or that round an
 * inequality. */
#ifndef PROOF_WRITE_CONGRUENCE_H
#define PROOF_WRITE_CONGRUENCE_H

#include "smt/terms/polynomial.h"

/* polys[0..equations) are equations, polys[i] = 0; the others are inequalities, polys[i] >= 0.
 * Finds integers factors[count] such that the gcd of the coefficients of sum = factors[i]*polys[i]
 * + ... does not divide its constant. Uses equations alone if they suffice, else equations and one
 * inequality, whose factor is above 0. Returns false if elimination finds no combination or exceeds
 * 128 bits. Monomials count as independent unknowns. */
[[nodiscard]] bool congruence_find(PolyRing *ring, const Poly *polys, uint32_t count,
    uint32_t equations, Wide *factors, Poly *sum);

#endif
