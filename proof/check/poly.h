/* Polynomials with integer factors of any size (GMP): terms in one fixed order, the number last. */
#ifndef PROOF_CHECK_POLY_H
#define PROOF_CHECK_POLY_H

#include <stddef.h>
#include <stdint.h>

typedef struct Poly {
  uint32_t count;
  struct Term *terms;
} Poly;

[[noreturn]] void check_fail(const char *why);     /* the caller's: says where, and ends */
[[nodiscard]] void *check_alloc(size_t size);      /* zeros; never freed */
[[nodiscard]] Poly poly_number(const char *value); /* from its digits */
[[nodiscard]] Poly poly_atom(uint32_t atom);
[[nodiscard]] Poly poly_add(Poly a, Poly b);
[[nodiscard]] Poly poly_minus(Poly a, Poly b);
[[nodiscard]] Poly poly_multiply(Poly a, Poly b);
[[nodiscard]] bool poly_equal(Poly a, Poly b);
[[nodiscard]] int poly_sign(Poly a);     /* of a number: -1, 0, 1; 2 of anything else */
[[nodiscard]] Poly poly_content(Poly a); /* the gcd of all factors */
/* a / b, where the number b > 0 divides all factors but the number's, which is rounded down. */
[[nodiscard]] bool poly_round(Poly a, Poly b, Poly *out);

#endif
