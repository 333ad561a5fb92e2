/* Equations that have no integer solution because of what they say modulo a number, or that round
 * an inequality. */
#ifndef PROOF_WRITE_CONGRUENCE_H
#define PROOF_WRITE_CONGRUENCE_H

#include "smt/terms/polynomial.h"

/* The first of the polynomials are equations, polys[i] = 0; the others are inequalities, polys[i]
 * >= 0. Integers factors[count] for which the greatest common divisor of the coefficients of the
 * sum of factors[i]*polys[i] does not divide its number: of equations alone where they have it,
 * else of equations and one inequality, whose factor is above 0. False where elimination finds
 * none, or leaves 128 bits. Monomials are unknowns of their own. */
[[nodiscard]] bool congruence_find(PolyRing *ring, const Poly *polys, uint32_t count,
    uint32_t equations, Wide *factors, Poly *sum);

#endif
