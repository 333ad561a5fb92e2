/* Polynomials in canonical form: sums merge two ordered lists, products collect into one. */
#include "smt/terms/polynomial.h"

#include <assert.h>

static constexpr Wide coefficient_limit = (Wide)1 << 100;
static constexpr Wide value_limit = (Wide)1 << 120;

static Wide wide_magnitude(Wide a) { return a < 0 ? -a : a; }

bool wide_add(Wide a, Wide b, Wide *sum) {
  assert(wide_magnitude(a) <= value_limit && wide_magnitude(b) <= value_limit);
  *sum = a + b;
  return wide_magnitude(*sum) <= value_limit;
}

bool wide_multiply(Wide a, Wide b, Wide *product) {
  assert(wide_magnitude(a) <= value_limit && wide_magnitude(b) <= value_limit);
  bool is_small = wide_magnitude(a) < (Wide)1 << 60 && wide_magnitude(b) < (Wide)1 << 60;
  if (!is_small && a != 0 && wide_magnitude(b) > value_limit / wide_magnitude(a)) return false;
  *product = a * b;
  return true;
}

Wide wide_floor(Wide x, Wide divisor) {
  assert(divisor > 0);
  return x / divisor - (x % divisor < 0);
}

Wide wide_gcd(Wide a, Wide b) {
  a = wide_magnitude(a);
  b = wide_magnitude(b);
  while (b != 0) {
    Wide r = a % b;
    a = b;
    b = r;
  }
  return a;
}

void wide_print(Text *text, Wide value) {
  char digits[48];
  size_t at = sizeof digits;
  unsigned _BitInt(128) rest =
      value < 0 ? -(unsigned _BitInt(128))value : (unsigned _BitInt(128))value;
  do {
    digits[--at] = (char)('0' + (int)(rest % 10));
    rest /= 10;
  } while (rest > 0);
  if (value < 0) digits[--at] = '-';
  text_append(text, digits + at, sizeof digits - at);
}

static uint64_t monomial_hash(const Monomial *monomial) {
  uint64_t hash = monomial->degree;
  for (uint32_t i = 0; i < monomial->degree; i++) hash = hash_mix(hash, monomial->atoms[i]);
  return hash;
}

static int monomial_compare(const Monomial *a, const Monomial *b) {
  if (a->degree != b->degree) return a->degree < b->degree ? -1 : 1;
  for (uint32_t i = 0; i < a->degree; i++)
    if (a->atoms[i] != b->atoms[i]) return a->atoms[i] > b->atoms[i] ? -1 : 1;
  return 0;
}

static uint32_t polynomial_intern(PolyRing *ring, const Monomial *monomial) {
  uint64_t hash = monomial_hash(monomial);
  uint32_t item;
  for (TableProbe probe = table_probe(&ring->table, hash); table_next(&ring->table, &probe, &item);)
    if (monomial_compare(&ring->items[item], monomial) == 0) return item;
  item = ring->count;
  *ARENA_PUSH(ring->arena, ring) = *monomial;
  table_add(&ring->table, ring->arena, hash, item);
  return item;
}

bool poly_is_canonical(const PolyRing *ring, Poly a) {
  if (ring->overflow) return true; /* callers discard the result */
  for (uint32_t i = 0; i < a.count; i++) {
    if (a.terms[i].monomial >= ring->count || a.terms[i].coefficient == 0) return false;
    if (i > 0 && monomial_compare(
                     &ring->items[a.terms[i - 1].monomial], &ring->items[a.terms[i].monomial]) <= 0)
      return false;
  }
  return true;
}

PolyRing *ring_create(Arena *arena) {
  PolyRing *ring = ARENA_NEW(arena, PolyRing, 1);
  *ring = (PolyRing){.arena = arena};
  uint32_t one = polynomial_intern(ring, &(Monomial){});
  assert(one == 0);
  (void)one;
  return ring;
}

bool ring_is_full(const PolyRing *ring) { return ring->terms > ring_most_terms; }

RingMark ring_mark(const PolyRing *ring) {
  RingMark mark = {.count = ring->count, .table = ring->table};
  const uint32_t slots = ring->table.mask + 1;
  mark.table.slots = arena_grow(ring->arena, ring->table.slots, slots, slots, sizeof(TableSlot));
  return mark;
}

void ring_rewind(PolyRing *ring, RingMark mark) {
  assert(mark.count <= ring->count);
  ring->count = mark.count;
  ring->table = mark.table;
  ring->overflow = false;
}

/* The number of the interned product of two monomials. Past the largest degree, UINT32_MAX and
 * `overflow`. */
static uint32_t monomial_multiply(PolyRing *ring, uint32_t a, uint32_t b) {
  assert(a < ring->count);
  assert(b < ring->count);
  if (a == 0) return b;
  if (b == 0) return a;
  const Monomial left = ring->items[a], right = ring->items[b];
  if (left.degree + right.degree > (int)monomial_max_degree) {
    ring->overflow = true;
    return UINT32_MAX;
  }
  Monomial product = {.degree = (uint8_t)(left.degree + right.degree)};
  uint32_t i = 0, j = 0;
  for (uint32_t at = 0; at < product.degree; at++) {
    bool from_left = j == right.degree || (i < left.degree && left.atoms[i] <= right.atoms[j]);
    product.atoms[at] = from_left ? left.atoms[i++] : right.atoms[j++];
  }
  assert(i == left.degree && j == right.degree);
  return polynomial_intern(ring, &product);
}

/* The quotient of two monomials, or UINT32_MAX if b does not divide a. */
static uint32_t monomial_quotient(PolyRing *ring, uint32_t a, uint32_t b) {
  assert(a < ring->count);
  assert(b < ring->count);
  if (b == 0) return a;
  const Monomial top = ring->items[a], bottom = ring->items[b];
  Monomial quotient = {};
  uint32_t j = 0;
  for (uint32_t i = 0; i < top.degree; i++) {
    if (j < bottom.degree && top.atoms[i] == bottom.atoms[j]) j++;
    else quotient.atoms[quotient.degree++] = top.atoms[i];
  }
  return j == bottom.degree ? polynomial_intern(ring, &quotient) : UINT32_MAX;
}

/* Compares terms for descending order. */
static int term_compare(const PolyRing *ring, uint32_t a, uint32_t b) {
  assert(a < ring->count);
  assert(b < ring->count);
  return a == b ? 0 : monomial_compare(&ring->items[b], &ring->items[a]);
}

static Wide checked(PolyRing *ring, Wide coefficient) {
  if (wide_magnitude(coefficient) <= coefficient_limit) return coefficient;
  ring->overflow = true;
  return 0;
}

Poly poly_constant(PolyRing *ring, Wide value) {
  value = checked(ring, value);
  if (value == 0) return (Poly){};
  PolyTerm *terms = ARENA_NEW(ring->arena, PolyTerm, 1);
  *terms = (PolyTerm){.monomial = 0, .coefficient = value};
  return (Poly){.count = 1, .terms = terms};
}

Poly poly_monomial(PolyRing *ring, uint32_t monomial) {
  assert(monomial < ring->count);
  PolyTerm *terms = ARENA_NEW(ring->arena, PolyTerm, 1);
  *terms = (PolyTerm){.monomial = monomial, .coefficient = 1};
  return (Poly){.count = 1, .terms = terms};
}

Poly poly_atom(PolyRing *ring, uint32_t atom) {
  assert(atom <= UINT16_MAX);
  return poly_monomial(
      ring, polynomial_intern(ring, &(Monomial){.degree = 1, .atoms = {(uint16_t)atom}}));
}

/* Space for the terms of a sum, or nullptr and `overflow`. */
static PolyTerm *sum_terms(PolyRing *ring, uint32_t count) {
  ring->terms += count;
  if (!ring_is_full(ring) || count <= ring_few_terms)
    return ARENA_NEW(ring->arena, PolyTerm, count);
  ring->overflow = true;
  return nullptr;
}

/* a + factor * m * b. */
static Poly add_multiple(PolyRing *ring, Poly a, Poly b, Wide factor, uint32_t monomial) {
  assert(poly_is_canonical(ring, a));
  assert(poly_is_canonical(ring, b));
  assert(monomial < ring->count);
  PolyTerm *terms = sum_terms(ring, a.count + b.count);
  if (terms == nullptr) return (Poly){};
  uint32_t count = 0, i = 0, j = 0;
  uint32_t shifted = b.count > 0 ? monomial_multiply(ring, b.terms[0].monomial, monomial) : 0;
  while (i < a.count || j < b.count) {
    if (ring->overflow) return (Poly){};
    int order = i == a.count   ? 1
                : j == b.count ? -1
                               : term_compare(ring, a.terms[i].monomial, shifted);
    PolyTerm term = {.monomial = order <= 0 ? a.terms[i].monomial : shifted};
    if (order <= 0) term.coefficient = a.terms[i++].coefficient;
    if (order >= 0) {
      Wide product = 0;
      if (!wide_multiply(b.terms[j++].coefficient, factor, &product)) ring->overflow = true;
      term.coefficient = checked(ring, term.coefficient + checked(ring, product));
      if (j < b.count) shifted = monomial_multiply(ring, b.terms[j].monomial, monomial);
    }
    if (term.coefficient != 0) terms[count++] = term;
  }
  const Poly sum = {.count = count, .terms = terms};
  assert(poly_is_canonical(ring, sum));
  return sum;
}

Poly poly_add(PolyRing *ring, Poly a, Poly b) { return add_multiple(ring, a, b, 1, 0); }
Poly poly_subtract(PolyRing *ring, Poly a, Poly b) { return add_multiple(ring, a, b, -1, 0); }
Poly poly_scale(PolyRing *ring, Poly a, Wide factor) {
  assert(poly_is_canonical(ring, a));
  return add_multiple(ring, (Poly){}, a, checked(ring, factor), 0);
}
Poly poly_shift(PolyRing *ring, Poly a, Wide constant) {
  assert(poly_is_canonical(ring, a));
  return poly_add(ring, a, poly_constant(ring, constant));
}

Poly poly_multiply(PolyRing *ring, Poly a, Poly b) {
  assert(poly_is_canonical(ring, a));
  assert(poly_is_canonical(ring, b));
  if (a.count > b.count) return poly_multiply(ring, b, a);
  Poly product = {};
  for (uint32_t i = 0; i < a.count; i++)
    product = add_multiple(ring, product, b, a.terms[i].coefficient, a.terms[i].monomial);
  assert(poly_is_canonical(ring, product));
  return product;
}

/* The quotient of one coefficient: rounded towards zero, or downwards for the constant term if the
 * divisor is positive. */
static Wide coefficient_quotient(Wide a, Wide b, bool is_constant_term) {
  if (is_constant_term && b > 0) return wide_floor(a, b);
  return a / b;
}

Poly poly_divide(PolyRing *ring, Poly a, Poly divisor, Poly *remainder) {
  assert(poly_is_canonical(ring, a));
  assert(poly_is_canonical(ring, divisor));
  assert(divisor.count > 0);
  PolyTerm lead = divisor.terms[0];
  Poly quotient = {};
  *remainder = a;
  for (uint32_t i = 0; i < remainder->count && !ring->overflow;) {
    PolyTerm term = remainder->terms[i];
    uint32_t monomial = monomial_quotient(ring, term.monomial, lead.monomial);
    Wide factor = monomial == UINT32_MAX ? 0
                                         : coefficient_quotient(term.coefficient, lead.coefficient,
                                               term.monomial == 0 && divisor.count == 1);
    if (factor == 0) {
      i++;
      continue;
    }
    quotient = add_multiple(ring, quotient, poly_monomial(ring, monomial), factor, 0);
    *remainder = add_multiple(ring, *remainder, divisor, -factor, monomial);
    if (i < remainder->count && remainder->terms[i].monomial == term.monomial) i++;
  }
  assert(poly_is_canonical(ring, quotient));
  assert(poly_is_canonical(ring, *remainder));
  return quotient;
}

uint32_t monomial_power(const Monomial *monomial, uint32_t atom) {
  uint32_t power = 0;
  for (uint32_t i = 0; i < monomial->degree; i++) power += monomial->atoms[i] == atom;
  return power;
}

static Poly substitute_term(PolyRing *ring, PolyTerm term, uint32_t atom, Poly by) {
  const Monomial monomial = ring->items[term.monomial];
  uint32_t power = monomial_power(&monomial, atom);
  Monomial rest = {};
  for (uint32_t k = 0; k < monomial.degree; k++)
    if (monomial.atoms[k] != atom) rest.atoms[rest.degree++] = monomial.atoms[k];
  Poly product = poly_monomial(ring, polynomial_intern(ring, &rest));
  for (uint32_t k = 0; k < power; k++) product = poly_multiply(ring, product, by);
  return poly_scale(ring, product, term.coefficient);
}

/* Adds the halves, so that each term is copied as often as the list can be halved, and not once for
 * each term after it. */
static Poly substitute_terms(
    PolyRing *ring, const PolyTerm *terms, uint32_t count, uint32_t atom, Poly by) {
  if (count == 1) return substitute_term(ring, terms[0], atom, by);
  Poly first = substitute_terms(ring, terms, count / 2, atom, by);
  return poly_add(
      ring, first, substitute_terms(ring, terms + count / 2, count - count / 2, atom, by));
}

Poly poly_substitute(PolyRing *ring, Poly a, uint32_t atom, Poly by) {
  assert(poly_is_canonical(ring, a));
  assert(poly_is_canonical(ring, by));
  if (!poly_has_atom(ring, a, atom)) return a;
  Poly sum = substitute_terms(ring, a.terms, a.count, atom, by);
  assert(ring->overflow || poly_has_atom(ring, by, atom) || !poly_has_atom(ring, sum, atom));
  return sum;
}

bool poly_equal(Poly a, Poly b) {
  if (a.count != b.count) return false;
  for (uint32_t i = 0; i < a.count; i++)
    if (a.terms[i].monomial != b.terms[i].monomial ||
        a.terms[i].coefficient != b.terms[i].coefficient)
      return false;
  return true;
}

bool poly_is_constant(Poly a, Wide *value) {
  *value = a.count == 0 ? 0 : a.terms[0].coefficient;
  return a.count == 0 || (a.count == 1 && a.terms[0].monomial == 0);
}

Wide poly_constant_term(Poly a) {
  return a.count > 0 && a.terms[a.count - 1].monomial == 0 ? a.terms[a.count - 1].coefficient : 0;
}

uint32_t poly_degree(const PolyRing *ring, Poly a) {
  assert(poly_is_canonical(ring, a));
  return a.count == 0 ? 0 : ring->items[a.terms[0].monomial].degree;
}

bool poly_has_atom(const PolyRing *ring, Poly a, uint32_t atom) {
  assert(poly_is_canonical(ring, a));
  for (uint32_t i = 0; i < a.count; i++)
    if (monomial_power(&ring->items[a.terms[i].monomial], atom) > 0) return true;
  return false;
}

bool monomial_is_atom(const PolyRing *ring, uint32_t monomial, uint32_t *atom) {
  assert(monomial < ring->count);
  *atom = ring->items[monomial].atoms[0];
  return ring->items[monomial].degree == 1;
}

bool poly_is_atom(const PolyRing *ring, Poly a, uint32_t *atom) {
  assert(poly_is_canonical(ring, a));
  return a.count == 1 && a.terms[0].coefficient == 1 &&
         monomial_is_atom(ring, a.terms[0].monomial, atom);
}

Wide poly_content(Poly a, bool is_linear_part) {
  Wide content = 0;
  for (uint32_t i = 0; i < a.count; i++)
    if (!is_linear_part || a.terms[i].monomial != 0)
      content = wide_gcd(content, a.terms[i].coefficient);
  return content;
}

Poly poly_divide_exactly(PolyRing *ring, Poly a, Wide divisor) {
  assert(poly_is_canonical(ring, a));
  assert(divisor != 0);
  PolyTerm *terms = ARENA_NEW(ring->arena, PolyTerm, a.count);
  for (uint32_t i = 0; i < a.count; i++) {
    assert(a.terms[i].coefficient % divisor == 0);
    terms[i] = (PolyTerm){
        .monomial = a.terms[i].monomial, .coefficient = a.terms[i].coefficient / divisor};
  }
  return (Poly){.count = a.count, .terms = terms};
}

bool monomial_evaluate(const PolyRing *ring, uint32_t monomial, const Wide *values, Wide *value) {
  assert(monomial < ring->count);
  *value = 1;
  const Monomial *item = &ring->items[monomial];
  for (uint32_t i = 0; i < item->degree; i++)
    if (!wide_multiply(*value, values[item->atoms[i]], value)) return false;
  return true;
}

bool poly_evaluate(const PolyRing *ring, Poly a, const Wide *values, Wide *value) {
  assert(poly_is_canonical(ring, a));
  *value = 0;
  for (uint32_t i = 0; i < a.count; i++) {
    Wide term;
    if (!monomial_evaluate(ring, a.terms[i].monomial, values, &term) ||
        !wide_multiply(term, a.terms[i].coefficient, &term) || !wide_add(*value, term, value))
      return false;
  }
  return true;
}
