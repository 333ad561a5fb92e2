/* affirm-check includes no other file of the project; docs/certificates.md says what it decides. */
#ifndef PROOF_CHECK_CHECK_H
#define PROOF_CHECK_CHECK_H

#include <gmp.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Term {
  mpz_ptr factor; /* not 0 */
  uint32_t degree;
  const uint32_t *atoms; /* ascending, with repetition */
} Term;

/* Terms in one fixed order, the number last: equal polynomials have equal terms. */
typedef struct Poly {
  uint32_t count;
  Term *terms;
} Poly;

[[noreturn]] void check_fail(const char *why); /* prints the line and ends the program */
[[nodiscard]] void *check_alloc(size_t size);
[[nodiscard]] mpz_ptr number_new(long value);
[[nodiscard]] Poly poly_number(mpz_srcptr value);
[[nodiscard]] Poly poly_atom(uint32_t atom);
[[nodiscard]] Poly poly_add(Poly a, mpz_srcptr factor, Poly b); /* a + factor*b */
[[nodiscard]] Poly poly_plus(Poly a, Poly b);
[[nodiscard]] Poly poly_minus(Poly a, Poly b);
[[nodiscard]] Poly poly_multiply(Poly a, Poly b);
[[nodiscard]] bool poly_equal(Poly a, Poly b);
[[nodiscard]] int poly_sign(Poly a); /* of a number: -1, 0, 1; 2 of anything else */
/* a / divisor, where divisor > 0 divides all factors but the number's, which is rounded down. */
[[nodiscard]] bool poly_round(Poly a, mpz_srcptr divisor, Poly *out);

typedef enum Kind : uint8_t { END, INTEGER, WORD, TAG, MARK } Kind;

typedef struct Reader {
  const char *at;
  uint32_t line;
  Kind kind; /* of the token at hand */
  const char *text;
  size_t length;
} Reader;
extern Reader reader;

void reader_open(const char *text);
void reader_next(void);
[[nodiscard]] bool reader_is(const char *text);
[[nodiscard]] bool reader_skip(const char *text); /* goes past it where it is there */
void reader_take(const char *text);
[[nodiscard]] const char *reader_name(void); /* up to a blank */
[[nodiscard]] mpz_ptr read_integer(void);

enum { OPERANDS = 8, MANY = 2000 };
/* What expressions mean: atoms have names; a quotient, max or gcd stands for the atom of the
 * definition of this kind and these operands; A to H stand for polynomials where they are set. */
extern struct Meaning {
  uint32_t atom_count, definition_count, divisor_count;
  const char *atoms[MANY];
  struct Definition {
    const char *kind;
    Poly operands[OPERANDS]; /* what it is of, then its atoms: A, B, then C, or C to G of a gcd */
  } definitions[MANY];
  Poly divisors[MANY]; /* of what was read since the count was set to 0, inner ones first */
  const Poly *operands;
} meaning;

[[nodiscard]] Poly read_sum(void);
[[nodiscard]] Poly bound_of(Poly x, const char *end); /* lo(x) or hi(x) of a letter */
[[nodiscard]] Poly atom_define(const char *name);     /* a name that is new and no letter */

#endif
