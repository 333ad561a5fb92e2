/* Builds lemma instances as clauses. */
#include "smt/rules/lemmas.h"

#include <assert.h>

#include "smt/rules/rule_sample.h"

const char *lemma_name(LemmaKind kind) {
  switch (kind) {
    case LEMMA_SPLIT: return "split";
    case LEMMA_PRODUCT: return "product";
    case LEMMA_ZERO: return "zero";
  }
  assert(false);
  return "?";
}

static void lemmas_put(RuleProof *proof, Branch *branch, Poly poly, bool is_equation) {
  assert(poly_is_canonical(proof->ring, poly));
  *ARENA_PUSH(proof->arena, branch) =
      (Fact){.poly = poly, .is_equation = is_equation, .origin = ORIGIN_DERIVED};
}

static Poly opposite(PolyRing *ring, Poly poly, Wide constant) {
  assert(poly_is_canonical(ring, poly));
  return poly_shift(ring, poly_scale(ring, poly, -1), constant);
}

static void put_split(RuleProof *proof, Branch *branches, const Candidate *candidate, Wide k) {
  PolyRing *ring = proof->ring;
  Poly scaled = poly_scale(ring, candidate->a, k),
       scaled_below = poly_scale(ring, candidate->a, k - 1);
  lemmas_put(proof, &branches[0], opposite(ring, candidate->a, 0), false);
  lemmas_put(proof, &branches[1], poly_shift(ring, candidate->b, -k), false);
  lemmas_put(proof, &branches[1], poly_subtract(ring, candidate->product, scaled), false);
  lemmas_put(proof, &branches[2], opposite(ring, candidate->b, k - 1), false);
  lemmas_put(proof, &branches[2], poly_subtract(ring, scaled_below, candidate->product), false);
}

Clause lemma_instance(RuleProof *proof, const Candidate *candidate, Wide k) {
  PolyRing *ring = proof->ring;
  Clause clause = {
      .count = 3, .branches = ARENA_NEW(proof->arena, Branch, 3), .origin = ORIGIN_LEMMA, .k = k};
  Candidate *instance = ARENA_NEW(proof->arena, Candidate, 1);
  *instance = *candidate;
  clause.instance = instance;
  switch (candidate->kind) {
    case LEMMA_SPLIT: put_split(proof, clause.branches, candidate, k); break;
    case LEMMA_PRODUCT:
      lemmas_put(proof, &clause.branches[0], opposite(ring, candidate->a, -1), false);
      lemmas_put(proof, &clause.branches[1], opposite(ring, candidate->b, -1), false);
      lemmas_put(proof, &clause.branches[2], candidate->product, false);
      break;
    case LEMMA_ZERO:
      lemmas_put(proof, &clause.branches[0], poly_shift(ring, candidate->a, -1), false);
      lemmas_put(proof, &clause.branches[1], opposite(ring, candidate->a, -1), false);
      lemmas_put(proof, &clause.branches[2], candidate->product, true);
      break;
  }
  assert(ring->overflow || lemma_holds_on_random(proof, &clause, 1, 24));
  return clause;
}

void system_use_lemma(System *system, LemmaKind kind, Poly a, Poly b, Wide k) {
  assert(poly_is_canonical(system->proof->ring, a));
  assert(poly_is_canonical(system->proof->ring, b));
  Wide value;
  if (poly_is_constant(a, &value) || poly_is_constant(b, &value)) return;
  Candidate candidate = {
      .kind = kind, .a = a, .b = b, .product = poly_multiply(system->proof->ring, a, b)};
  if (!system->proof->ring->overflow)
    system_use(system, lemma_instance(system->proof, &candidate, k));
}

void system_use_vanishing(System *system, Poly multiplier, Poly difference) {
  assert(poly_is_canonical(system->proof->ring, multiplier));
  assert(poly_is_canonical(system->proof->ring, difference));
  system_use_lemma(system, LEMMA_SPLIT, multiplier, difference, 1);
  system_use_lemma(system, LEMMA_SPLIT, multiplier, difference, 0);
}

void system_use_positive(System *system, Poly product) {
  assert(poly_is_canonical(system->proof->ring, product));
  PolyRing *ring = system->proof->ring;
  if (product.count != 1) return;
  const Monomial monomial = ring->items[product.terms[0].monomial];
  Poly prefix = poly_constant(ring, 1);
  for (uint32_t i = 0; i < monomial.degree; i++) {
    Poly factor = poly_atom(ring, monomial.atoms[i]);
    system_use_lemma(
        system, LEMMA_PRODUCT, poly_shift(ring, prefix, -1), poly_shift(ring, factor, -1), 0);
    prefix = poly_multiply(ring, prefix, factor);
  }
}

static bool branch_holds(
    const PolyRing *ring, const Branch *branch, const Wide *values, bool *is_known) {
  for (uint32_t i = 0; i < branch->count; i++) {
    Wide value;
    if (!poly_evaluate(ring, branch->items[i].poly, values, &value)) {
      *is_known = false;
      return true;
    }
    if (branch->items[i].is_equation ? value != 0 : value < 0) return false;
  }
  return true;
}

bool lemma_holds_on_random(
    const RuleProof *proof, const Clause *clause, uint64_t seed, uint32_t count) {
  assert(clause->count <= clause_max_branches);
  ArenaMark mark = arena_mark(proof->arena);
  Wide *values = ARENA_NEW(proof->arena, Wide, proof->count);
  Dice dice = {seed};
  bool holds = true;
  for (uint32_t i = 0; i < count && holds; i++) {
    int64_t span = i % 3 == 0 ? 2 : i % 3 == 1 ? 9 : 1000;
    for (uint32_t k = 0; k < proof->count; k++) values[k] = dice_range(&dice, -span, span);
    bool some = false, is_known = true;
    for (uint32_t b = 0; b < clause->count && !some; b++)
      some = branch_holds(proof->ring, &clause->branches[b], values, &is_known);
    holds = some || !is_known;
  }
  arena_rewind(proof->arena, mark);
  return holds;
}
