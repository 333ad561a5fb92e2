/* Polynomials with integer factors of any size (GMP). Longer products of atoms stand first. */
#include "proof/check/check.h"

#include <stdio.h>
#include <stdlib.h>

void check_fail(const char *why) {
  printf("refused at line %u: %s\n", reader.line, why);
  exit(1);
}

/* All blocks stay reachable, from the last to the first. */
void *check_alloc(size_t size) {
  static void **last;
  void **block = calloc(1, sizeof(max_align_t) + size + 1);
  if (block == nullptr) check_fail("out of memory");
  block[0] = last;
  last = block;
  return (char *)block + sizeof(max_align_t);
}

mpz_ptr number_new(long value) {
  mpz_ptr number = check_alloc(sizeof(mpz_t));
  mpz_init_set_si(number, value);
  return number;
}

Poly poly_number(mpz_srcptr value) {
  Poly poly = {.count = mpz_sgn(value) != 0, .terms = check_alloc(sizeof(Term))};
  poly.terms[0].factor = number_new(0);
  mpz_set(poly.terms[0].factor, value);
  return poly;
}

Poly poly_atom(uint32_t atom) {
  Poly poly = poly_number(number_new(1));
  uint32_t *atoms = check_alloc(sizeof *atoms);
  atoms[0] = atom;
  poly.terms[0].degree = 1;
  poly.terms[0].atoms = atoms;
  return poly;
}

static int term_compare(const Term *a, const Term *b) {
  if (a->degree != b->degree) return a->degree > b->degree ? -1 : 1;
  for (uint32_t i = 0; i < a->degree; i++)
    if (a->atoms[i] != b->atoms[i]) return a->atoms[i] < b->atoms[i] ? -1 : 1;
  return 0;
}

Poly poly_add(Poly a, mpz_srcptr factor, Poly b) {
  Poly sum = {.terms = check_alloc((a.count + b.count) * sizeof(Term))};
  for (uint32_t i = 0, k = 0; i < a.count || k < b.count;) {
    int order = i == a.count ? 1 : k == b.count ? -1 : term_compare(&a.terms[i], &b.terms[k]);
    Term *term = &sum.terms[sum.count];
    *term = order <= 0 ? a.terms[i] : b.terms[k];
    term->factor = number_new(0);
    if (order <= 0) mpz_set(term->factor, a.terms[i++].factor);
    if (order >= 0) mpz_addmul(term->factor, b.terms[k++].factor, factor);
    sum.count += mpz_sgn(term->factor) != 0;
  }
  return sum;
}

Poly poly_plus(Poly a, Poly b) { return poly_add(a, number_new(1), b); }
Poly poly_minus(Poly a, Poly b) { return poly_add(a, number_new(-1), b); }

static Term term_multiply(const Term *a, const Term *b) {
  Term term = {.factor = number_new(0), .degree = a->degree + b->degree};
  if (term.degree > 1000) check_fail("a product of more than 1000 letters");
  uint32_t *atoms = check_alloc(term.degree * sizeof *atoms);
  for (uint32_t i = 0, k = 0; i + k < term.degree;) {
    bool is_left = k == b->degree || (i < a->degree && a->atoms[i] <= b->atoms[k]);
    atoms[i + k] = is_left ? a->atoms[i] : b->atoms[k];
    *(is_left ? &i : &k) += 1;
  }
  mpz_mul(term.factor, a->factor, b->factor);
  term.atoms = atoms;
  return term;
}

Poly poly_multiply(Poly a, Poly b) {
  Poly product = {};
  for (uint32_t i = 0; i < a.count; i++)
    for (uint32_t k = 0; k < b.count; k++) {
      Term term = term_multiply(&a.terms[i], &b.terms[k]);
      product = poly_plus(product, (Poly){1, &term});
    }
  return product;
}

bool poly_equal(Poly a, Poly b) { return poly_minus(a, b).count == 0; }
int poly_sign(Poly a) {
  return a.count == 0 ? 0 : a.terms[0].degree > 0 ? 2 : mpz_sgn(a.terms[0].factor);
}

bool poly_round(Poly a, mpz_srcptr divisor, Poly *out) {
  *out = (Poly){.terms = check_alloc(a.count * sizeof(Term))};
  for (uint32_t i = 0; i < a.count; i++) {
    Term term = a.terms[i];
    if (term.degree > 0 && !mpz_divisible_p(term.factor, divisor)) return false;
    term.factor = number_new(0);
    mpz_fdiv_q(term.factor, a.terms[i].factor, divisor);
    if (mpz_sgn(term.factor) != 0) out->terms[out->count++] = term;
  }
  return true;
}
