/* Terms are sorted; longer products of atoms come first. Terms are shared and immutable. */
#include "proof/check/poly.h"

#include <gmp.h>
#include <stdlib.h>
#include <wchar.h>

typedef struct CheckTerm {
  mpz_t factor;   /* not 0 */
  wchar_t *atoms; /* atom numbers + 1, ascending, with repetition */
} CheckTerm;

void *check_alloc(size_t size) {
  static size_t used;
  void *block = (used += size) > (size_t)1 << 32 ? nullptr : calloc(1, size + 1);
  if (block == nullptr) check_fail("out of memory: the limit is 4 GB");
  return block;
}

static CheckPoly poly_term(const char *factor, wchar_t atom) {
  CheckPoly poly = {.terms = check_alloc(sizeof *poly.terms)};
  mpz_init_set_str(poly.terms->factor, factor, 10);
  poly.terms->atoms = check_alloc(2 * sizeof atom);
  poly.terms->atoms[0] = atom;
  poly.count = mpz_sgn(poly.terms->factor) != 0;
  return poly;
}

CheckPoly poly_number(const char *value) { return poly_term(value, 0); }
CheckPoly poly_atom(uint32_t atom) { return poly_term("1", (wchar_t)atom + 1); }

static int term_compare(const CheckTerm *a, const CheckTerm *b) {
  size_t m = wcslen(a->atoms), n = wcslen(b->atoms);
  return m != n ? (m > n ? -1 : 1) : wcscmp(a->atoms, b->atoms);
}

static CheckTerm term_multiply(const CheckTerm *a, const CheckTerm *b) {
  size_t length = wcslen(a->atoms) + wcslen(b->atoms);
  const wchar_t *left = a->atoms, *right = b->atoms;
  CheckTerm term = {.atoms = check_alloc((length + 1) * sizeof *left)};
  if (length > 1000) check_fail("a product of more than 1000 letters");
  for (size_t i = 0; i < length; i++)
    term.atoms[i] = *right == 0 || (*left != 0 && *left <= *right) ? *left++ : *right++;
  mpz_init(term.factor);
  mpz_mul(term.factor, a->factor, b->factor);
  return term;
}

/* Returns a + term * b. Multiplying by a term keeps the order of b's terms. */
static CheckPoly poly_fused(CheckPoly a, const CheckTerm *term, CheckPoly b) {
  CheckPoly sum = {.terms = check_alloc((a.count + b.count) * sizeof *sum.terms)};
  for (uint32_t i = 0, k = 0; i < a.count || k < b.count; sum.count++) {
    CheckTerm *to = &sum.terms[sum.count], next = {};
    if (sum.count == 10'000) check_fail("a polynomial of more than 10000 terms");
    if (k < b.count) next = term_multiply(term, &b.terms[k]);
    int order = i == a.count ? 1 : k == b.count ? -1 : term_compare(&a.terms[i], &next);
    *to = order < 0 ? a.terms[i] : next;
    if (order == 0) mpz_add(to->factor, a.terms[i].factor, next.factor);
    i += order <= 0, k += order >= 0;
    sum.count -= mpz_sgn(to->factor) == 0;
  }
  return sum;
}

CheckPoly poly_add(CheckPoly a, CheckPoly b) { return poly_fused(a, poly_number("1").terms, b); }
CheckPoly poly_minus(CheckPoly a, CheckPoly b) { return poly_fused(a, poly_number("-1").terms, b); }
bool poly_equal(CheckPoly a, CheckPoly b) { return poly_minus(a, b).count == 0; }

CheckPoly poly_multiply(CheckPoly a, CheckPoly b) {
  CheckPoly product = {};
  if (a.count > b.count) return poly_multiply(b, a);
  /* Terms are shared, so none is freed. NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
  for (uint32_t i = 0; i < a.count; i++) product = poly_fused(product, &a.terms[i], b);
  return product;
}

int poly_sign(CheckPoly a) {
  return a.count == 0 ? 0 : a.terms[0].atoms[0] != 0 ? 2 : mpz_sgn(a.terms[0].factor);
}

CheckPoly poly_content(CheckPoly a) {
  CheckPoly content = poly_number("0");
  for (content.count = a.count > 0; a.count > 0; a.count--)
    mpz_gcd(content.terms->factor, content.terms->factor, a.terms[a.count - 1].factor);
  return content;
}

bool poly_round(CheckPoly a, CheckPoly b, CheckPoly *out) {
  *out = (CheckPoly){.terms = check_alloc(a.count * sizeof *out->terms)};
  for (uint32_t i = 0; i < a.count; i++) {
    CheckTerm term = a.terms[i];
    if (term.atoms[0] != 0 && !mpz_divisible_p(term.factor, b.terms->factor)) return false;
    mpz_init(term.factor);
    mpz_fdiv_q(term.factor, a.terms[i].factor, b.terms->factor);
    if (mpz_sgn(term.factor) != 0) out->terms[out->count++] = term;
  }
  return true;
}
