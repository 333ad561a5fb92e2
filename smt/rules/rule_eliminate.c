/* An unknown of a system in the place of which a polynomial stands from now on: facts, clauses,
 * bands and coprimes are rewritten, and for each product with the unknown an instance of a lemma is
 * used that carries the old product over to the new one. A solution of what is left is completed
 * with the values of the eliminated unknowns. */
#include <assert.h>

#include "smt/rules/lemmas.h"

static void eliminate_in_facts(System *system, uint32_t unknown, Poly by) {
  Ring *ring = system->proof->ring;
  uint32_t count = system->facts.count;
  Fact *before = system->facts.items;
  system->facts.items = nullptr;
  system->facts.count = system->facts.capacity = 0;
  for (uint32_t i = 0; i < count; i++)
    system_put_fact(system, poly_substitute(ring, before[i].poly, unknown, by),
        before[i].is_equation, before[i].origin);
}

static void eliminate_in_clauses(System *system, uint32_t unknown, Poly by) {
  Arena *arena = system->proof->arena;
  for (uint32_t i = 0; i < system->clauses.count; i++) {
    Clause *clause = &system->clauses.items[i];
    if (clause->stated == nullptr) clause->stated = clause->branches;
    Branch *branches = ARENA_NEW(arena, Branch, clause->count);
    for (uint32_t b = 0; b < clause->count; b++)
      for (uint32_t f = 0; f < clause->branches[b].count; f++) {
        Fact fact = clause->branches[b].items[f];
        fact.poly = poly_substitute(system->proof->ring, fact.poly, unknown, by);
        *ARENA_PUSH(arena, &branches[b]) = fact;
      }
    clause->branches = branches;
  }
}

/* The polynomials of a system that an elimination changes, facts and clauses aside. */
static void change_rest(System *system, uint32_t unknown, Poly by) {
  Ring *ring = system->proof->ring;
  for (uint32_t i = 0; i < system->bands.count; i++) {
    Band *band = &system->bands.items[i];
    band->numerator = poly_substitute(ring, band->numerator, unknown, by);
    band->divisor = poly_substitute(ring, band->divisor, unknown, by);
    band->quotient = poly_substitute(ring, band->quotient, unknown, by);
  }
  for (uint32_t i = 0; i < system->coprimes.count; i++) {
    Coprime *coprime = &system->coprimes.items[i];
    coprime->gcd = poly_substitute(ring, coprime->gcd, unknown, by);
    coprime->a = poly_substitute(ring, coprime->a, unknown, by);
    coprime->b = poly_substitute(ring, coprime->b, unknown, by);
    coprime->s = poly_substitute(ring, coprime->s, unknown, by);
    coprime->t = poly_substitute(ring, coprime->t, unknown, by);
  }
}

/* x^k*t - by^k*t = (x - by) * (x^(k-1) + ... + by^(k-1)) * t: with x = by, the left side is 0. */
static void use_in_monomial(System *system, uint32_t unknown, Poly by, uint32_t number) {
  Proof *proof = system->proof;
  Ring *ring = proof->ring;
  Poly x = poly_atom(ring, unknown), rest, cofactor = poly_monomial(ring, number), sum = {};
  uint32_t power = 0;
  for (;; power++) {
    Poly quotient = poly_divide(ring, cofactor, x, &rest);
    if (rest.count > 0 || ring->overflow) break;
    cofactor = quotient;
  }
  for (uint32_t i = 0; i < power; i++) {
    Poly term = cofactor;
    for (uint32_t k = 0; k < power - 1; k++) term = poly_multiply(ring, term, k < i ? by : x);
    sum = poly_add(ring, sum, term);
  }
  Candidate zero = {.kind = LEMMA_ZERO, .a = poly_subtract(ring, x, by), .b = sum};
  zero.product = poly_multiply(ring, zero.a, zero.b);
  if (!ring->overflow) system_use(system, lemma_instance(proof, &zero, 0));
}

/* Instances that carry each product with the unknown over to what it becomes. */
static void use_in_products(System *system, uint32_t unknown, Poly by, Poly poly, bool *done) {
  Ring *ring = system->proof->ring;
  for (uint32_t i = 0; i < poly.count; i++) {
    uint32_t number = poly.terms[i].monomial;
    if (ring->items[number].degree < 2) return;
    if (done[number] || !poly_has_atom(ring, (Poly){.count = 1, .terms = &poly.terms[i]}, unknown))
      continue;
    done[number] = true;
    use_in_monomial(system, unknown, by, number);
  }
}

static void use_elimination(System *system, uint32_t unknown, Poly by) {
  bool *done = ARENA_NEW(system->proof->arena, bool, system->proof->ring->count);
  for (uint32_t i = 0; i < system->facts.count; i++)
    use_in_products(system, unknown, by, system->facts.items[i].poly, done);
  for (uint32_t i = 0; i < system->clauses.count; i++)
    for (uint32_t b = 0; b < system->clauses.items[i].count; b++)
      for (uint32_t f = 0; f < system->clauses.items[i].branches[b].count; f++)
        use_in_products(
            system, unknown, by, system->clauses.items[i].branches[b].items[f].poly, done);
  for (uint32_t i = 0; i < system->bands.count; i++) {
    use_in_products(system, unknown, by, system->bands.items[i].numerator, done);
    use_in_products(system, unknown, by, system->bands.items[i].divisor, done);
    use_in_products(system, unknown, by, system->bands.items[i].quotient, done);
  }
  for (uint32_t i = 0; i < system->coprimes.count; i++)
    use_in_products(system, unknown, by, system->coprimes.items[i].gcd, done);
}

void system_eliminate(System *system, uint32_t unknown, Poly by) {
  Proof *proof = system->proof;
  assert(!poly_has_atom(proof->ring, by, unknown));
  *ARENA_PUSH(proof->arena, &system->eliminations) = (Elimination){.unknown = unknown, .by = by};
  use_elimination(system, unknown, by);
  eliminate_in_facts(system, unknown, by);
  eliminate_in_clauses(system, unknown, by);
  change_rest(system, unknown, by);
}

bool system_complete(const System *system, Wide *values) {
  for (uint32_t i = system->eliminations.count; i-- > 0;) {
    const Elimination *elimination = &system->eliminations.items[i];
    if (!poly_evaluate(system->proof->ring, elimination->by, values, &values[elimination->unknown]))
      return false;
  }
  return true;
}
