/* Polynomials with unbounded integer factors (GMP): terms in one fixed order, the constant last. */
#ifndef PROOF_CHECK_POLY_H
#define PROOF_CHECK_POLY_H

#include <stddef.h>
#include <stdint.h>

typedef struct CheckPoly {
  uint32_t count;
  struct CheckTerm *terms;
} CheckPoly;

[[noreturn]] void check_fail(const char *why);          /* the caller's: prints why, exits */
[[nodiscard]] void *check_alloc(size_t size);           /* zeroed; never freed */
[[nodiscard]] CheckPoly poly_number(const char *value); /* from decimal digits */
[[nodiscard]] CheckPoly poly_atom(uint32_t atom);
[[nodiscard]] CheckPoly poly_add(CheckPoly a, CheckPoly b);
[[nodiscard]] CheckPoly poly_minus(CheckPoly a, CheckPoly b);
[[nodiscard]] CheckPoly poly_multiply(CheckPoly a, CheckPoly b);
[[nodiscard]] bool poly_equal(CheckPoly a, CheckPoly b);
[[nodiscard]] int poly_sign(CheckPoly a);          /* of a constant: -1, 0, 1; else 2 */
[[nodiscard]] CheckPoly poly_content(CheckPoly a); /* the gcd of all factors */
/* out = a / b; the constant b > 0 divides all factors but the constant, which rounds down. */
[[nodiscard]] bool poly_round(CheckPoly a, CheckPoly b, CheckPoly *out);

#endif
