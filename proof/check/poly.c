/* Longer products of atoms come first. */
#include "proof/check/poly.h"

#include <gmp.h>
#include <stdlib.h>

typedef struct Term {
  mpz_t factor;            /* not 0 */
  uint32_t degree, *atoms; /* ascending, with repetition */
} Term;

void *check_alloc(size_t size) {
  void *block = calloc(1, size + 1);
  if (block == nullptr) check_fail("out of memory");
  return block;
}

static Poly poly_room(uint32_t count) { return (Poly){.terms = check_alloc(count * sizeof(Term))}; }

Poly poly_number(const char *value) {
  Poly poly = poly_room(1);
  mpz_init_set_str(poly.terms->factor, value, 10);
  poly.count = mpz_sgn(poly.terms->factor) != 0;
  return poly;
}

Poly poly_atom(uint32_t atom) {
  Poly poly = poly_number("1");
  poly.terms->degree = 1;
  poly.terms->atoms = check_alloc(sizeof atom);
  poly.terms->atoms[0] = atom;
  return poly;
}

static int term_compare(const Term *a, const Term *b) {
  if (a->degree != b->degree) return a->degree > b->degree ? -1 : 1;
  for (uint32_t i = 0; i < a->degree; i++)
    if (a->atoms[i] != b->atoms[i]) return a->atoms[i] < b->atoms[i] ? -1 : 1;
  return 0;
}

Poly poly_add(Poly a, Poly b) {
  Poly sum = poly_room(a.count + b.count);
  for (uint32_t i = 0, k = 0; i < a.count || k < b.count;) {
    int order = i == a.count ? 1 : k == b.count ? -1 : term_compare(&a.terms[i], &b.terms[k]);
    Term *term = &sum.terms[sum.count];
    *term = order <= 0 ? a.terms[i] : b.terms[k];
    mpz_init(term->factor);
    if (order <= 0) mpz_add(term->factor, term->factor, a.terms[i++].factor);
    if (order >= 0) mpz_add(term->factor, term->factor, b.terms[k++].factor);
    sum.count += mpz_sgn(term->factor) != 0;
  }
  return sum;
}

static Term term_multiply(const Term *a, const Term *b) {
  Term term = {.degree = a->degree + b->degree};
  if (term.degree > 1000) check_fail("a product of more than 1000 letters");
  term.atoms = check_alloc(term.degree * sizeof *term.atoms);
  for (uint32_t i = 0, k = 0; i + k < term.degree;) {
    bool is_left = k == b->degree || (i < a->degree && a->atoms[i] <= b->atoms[k]);
    term.atoms[i + k] = is_left ? a->atoms[i] : b->atoms[k];
    *(is_left ? &i : &k) += 1;
  }
  mpz_init(term.factor);
  mpz_mul(term.factor, a->factor, b->factor);
  return term;
}

Poly poly_multiply(Poly a, Poly b) {
  Poly product = {};
  for (uint32_t i = 0; i < a.count; i++)
    for (uint32_t k = 0; k < b.count; k++) {
      Term term = term_multiply(&a.terms[i], &b.terms[k]);
      product = poly_add(product, (Poly){1, &term});
    }
  return product;
}

Poly poly_minus(Poly a, Poly b) { return poly_add(a, poly_multiply(poly_number("-1"), b)); }
bool poly_equal(Poly a, Poly b) { return poly_minus(a, b).count == 0; }

int poly_sign(Poly a) {
  return a.count == 0 ? 0 : a.terms[0].degree > 0 ? 2 : mpz_sgn(a.terms[0].factor);
}

Poly poly_content(Poly a) {
  Poly content = poly_number("0");
  for (uint32_t i = 0; i < a.count; i++)
    mpz_gcd(content.terms->factor, content.terms->factor, a.terms[i].factor);
  content.count = a.count > 0;
  return content;
}

bool poly_round(Poly a, Poly b, Poly *out) {
  *out = poly_room(a.count);
  for (uint32_t i = 0; i < a.count; i++) {
    Term term = a.terms[i];
    if (term.degree > 0 && !mpz_divisible_p(term.factor, b.terms->factor)) return false;
    mpz_init(term.factor);
    mpz_fdiv_q(term.factor, a.terms[i].factor, b.terms->factor);
    if (mpz_sgn(term.factor) != 0) out->terms[out->count++] = term;
  }
  return true;
}
