/* Polynomials with integer coefficients over numbered atoms, in one canonical form: equal
 * polynomials have equal terms. Terms are in descending order of their monomials (degree first,
 * then atoms), and no coefficient is zero. Monomials are interned in a ring, so a product of
 * unknowns has one number wherever it occurs, and the solver treats it as one integer. Arithmetic
 * is in 128 bits. A coefficient past 2^100, a product of more than monomial_max_degree unknowns, or
 * a sum past ring_most_terms set the ring's `overflow` permanently, and callers must then discard
 * the results. */
#ifndef SMT_TERMS_POLYNOMIAL_H
#define SMT_TERMS_POLYNOMIAL_H

#include "core/base/arena.h"
#include "core/base/table.h"
#include "core/base/text.h"

typedef _BitInt(128) Wide;

static constexpr uint32_t monomial_max_degree = 24;
/* Of all sums of one ring together. It bounds the memory and the time of a proof; the proofs of the
 * engine's rules and of the corpus need less than a tenth. Past it, sums of few terms still fit, so
 * that a product of two unknowns is one. */
static constexpr uint64_t ring_most_terms = 8'000'000;
static constexpr uint32_t ring_few_terms = 64;

typedef struct Monomial {
  uint8_t degree;
  uint16_t atoms[monomial_max_degree]; /* ascending, with repetition */
} Monomial;

typedef struct PolyRing {
  Arena *arena;
  uint32_t count, capacity;
  Monomial *items; /* [count]; items[0] is the empty product, 1 */
  Table table;     /* of items */
  uint64_t terms;  /* made by all sums; a rewind returns none */
  bool overflow;
} PolyRing;

typedef struct PolyTerm {
  uint32_t monomial;
  Wide coefficient;
} PolyTerm;

typedef struct Poly {
  uint32_t count;
  const PolyTerm *terms;
} Poly;

[[nodiscard]] PolyRing *ring_create(Arena *arena);
/* Whether ring_most_terms is used up: then a proof must end. */
[[nodiscard]] bool ring_is_full(const PolyRing *ring);

/* The number of monomials of a ring; a rewind removes later ones. */
typedef struct RingMark {
  uint32_t count;
  Table table;
} RingMark;
[[nodiscard]] RingMark ring_mark(const PolyRing *ring);
void ring_rewind(PolyRing *ring, RingMark mark);

/* For assertions: whether the monomials belong to this ring and are in descending order, and no
 * coefficient is 0. */
[[nodiscard]] bool poly_is_canonical(const PolyRing *ring, Poly a);

[[nodiscard]] Poly poly_constant(PolyRing *ring, Wide value);
[[nodiscard]] Poly poly_atom(PolyRing *ring, uint32_t atom);
[[nodiscard]] Poly poly_monomial(PolyRing *ring, uint32_t monomial);
[[nodiscard]] Poly poly_add(PolyRing *ring, Poly a, Poly b);
[[nodiscard]] Poly poly_subtract(PolyRing *ring, Poly a, Poly b);
[[nodiscard]] Poly poly_scale(PolyRing *ring, Poly a, Wide factor);
[[nodiscard]] Poly poly_shift(PolyRing *ring, Poly a, Wide constant);
[[nodiscard]] Poly poly_multiply(PolyRing *ring, Poly a, Poly b);
/* a = divisor * quotient + remainder, by the leading monomial of the divisor. Coefficients are
 * divided towards zero, except the constant term, which is divided downwards if the divisor is a
 * constant. divisor != 0. */
[[nodiscard]] Poly poly_divide(PolyRing *ring, Poly a, Poly divisor, Poly *remainder);
[[nodiscard]] Poly poly_substitute(PolyRing *ring, Poly a, uint32_t atom, Poly by);

[[nodiscard]] bool poly_equal(Poly a, Poly b);
[[nodiscard]] bool poly_is_constant(Poly a, Wide *value);
/* The coefficient of the empty product. */
[[nodiscard]] Wide poly_constant_term(Poly a);
[[nodiscard]] uint32_t poly_degree(const PolyRing *ring, Poly a);
[[nodiscard]] bool poly_has_atom(const PolyRing *ring, Poly a, uint32_t atom);
/* Whether the polynomial is exactly one atom. */
[[nodiscard]] bool poly_is_atom(const PolyRing *ring, Poly a, uint32_t *atom);
[[nodiscard]] uint32_t monomial_power(const Monomial *monomial, uint32_t atom);
[[nodiscard]] bool monomial_is_atom(const PolyRing *ring, uint32_t monomial, uint32_t *atom);
/* The gcd of all coefficients; with `is_linear_part`, of those of non-constant terms. 0 if there
 * are none. */
[[nodiscard]] Wide poly_content(Poly a, bool is_linear_part);
[[nodiscard]] Poly poly_divide_exactly(PolyRing *ring, Poly a, Wide divisor);

/* Evaluates with `values` by atom; false past 2^120. */
[[nodiscard]] bool poly_evaluate(const PolyRing *ring, Poly a, const Wide *values, Wide *value);
[[nodiscard]] bool monomial_evaluate(
    const PolyRing *ring, uint32_t monomial, const Wide *values, Wide *value);

/* 128-bit arithmetic; wide_add and wide_multiply return false past 2^120. */
[[nodiscard]] bool wide_add(Wide a, Wide b, Wide *sum);
[[nodiscard]] bool wide_multiply(Wide a, Wide b, Wide *product);
[[nodiscard]] Wide wide_floor(Wide x, Wide divisor);
[[nodiscard]] Wide wide_gcd(Wide a, Wide b);
void wide_print(Text *text, Wide value);

#endif
