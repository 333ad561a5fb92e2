/* Compares polynomials with evaluation: every operation commutes with substituting values for the
 * atoms, and canonical forms are equal if and only if the functions are. Lemma instances hold for
 * all integers, and an instance without its side condition is detected. */
#include "smt/terms/polynomial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "smt/rules/lemmas.h"
#include "smt/rules/rule_sample.h"

static constexpr uint32_t atoms = 4;

static Poly random_poly(PolyRing *ring, Dice *dice) {
  Poly sum = poly_constant(ring, dice_range(dice, -5, 5));
  for (int64_t terms = dice_range(dice, 0, 4); terms > 0; terms--) {
    Poly product = poly_constant(ring, dice_range(dice, -4, 4));
    for (int64_t degree = dice_range(dice, 0, 3); degree > 0; degree--)
      product =
          poly_multiply(ring, product, poly_atom(ring, (uint32_t)dice_range(dice, 0, atoms - 1)));
    sum = poly_add(ring, sum, product);
  }
  return sum;
}

static void random_values(Dice *dice, Wide *values) {
  for (uint32_t i = 0; i < atoms; i++) values[i] = dice_range(dice, -9, 9);
}

static Wide at(const PolyRing *ring, Poly poly, const Wide *values) {
  Wide value;
  assert_true(poly_evaluate(ring, poly, values, &value));
  return value;
}

static void operations_commute_with_evaluation(void **state) {
  (void)state;
  Dice dice = {1};
  for (int i = 0; i < 4000; i++) {
    Arena *arena = arena_create();
    PolyRing *ring = ring_create(arena);
    Wide values[atoms];
    random_values(&dice, values);
    Poly a = random_poly(ring, &dice), b = random_poly(ring, &dice), rest;
    Wide x = at(ring, a, values), y = at(ring, b, values);
    assert_true(at(ring, poly_add(ring, a, b), values) == x + y);
    assert_true(at(ring, poly_subtract(ring, a, b), values) == x - y);
    assert_true(at(ring, poly_multiply(ring, a, b), values) == x * y);
    assert_true(at(ring, poly_scale(ring, a, -7), values) == -7 * x);
    assert_true(poly_equal(poly_subtract(ring, poly_add(ring, a, b), b), a));
    assert_true(poly_equal(poly_multiply(ring, a, b), poly_multiply(ring, b, a)));
    if (b.count > 0) {
      Poly quotient = poly_divide(ring, a, b, &rest);
      assert_true(poly_equal(poly_add(ring, poly_multiply(ring, quotient, b), rest), a));
      (void)poly_divide(ring, poly_multiply(ring, a, b), b, &rest);
      assert_true(rest.count == 0);
    }
    Wide moved[atoms];
    memcpy(moved, values, sizeof moved);
    Poly by = poly_subtract(ring, b, poly_substitute(ring, b, 2, (Poly){}));
    by = poly_subtract(ring, b, by);
    moved[2] = at(ring, by, values);
    assert_true(at(ring, poly_substitute(ring, a, 2, by), values) == at(ring, a, moved));
    assert_false(ring->overflow);
    arena_destroy(arena);
  }
}

static void large_coefficients_overflow_and_say_so(void **state) {
  (void)state;
  Arena *arena = arena_create();
  PolyRing *ring = ring_create(arena);
  Poly big = poly_constant(ring, INT64_MAX);
  assert_false(ring->overflow);
  Poly product = poly_multiply(ring, big, poly_atom(ring, 0));
  product = poly_multiply(ring, product, big);
  assert_true(ring->overflow);
  arena_destroy(arena);
}

static void high_degrees_overflow_and_say_so(void **state) {
  (void)state;
  Arena *arena = arena_create();
  PolyRing *ring = ring_create(arena);
  Poly power = poly_atom(ring, 1);
  for (int i = 0; i < 5; i++) power = poly_multiply(ring, power, power);
  assert_true(ring->overflow);
  arena_destroy(arena);
}

/* Past the limit of all terms, only sums of few terms fit. */
static void too_many_terms_overflow_and_say_so(void **state) {
  (void)state;
  Arena *arena = arena_create();
  PolyRing *ring = ring_create(arena);
  Poly sum = {};
  for (uint32_t i = 0; i < 100; i++) sum = poly_add(ring, sum, poly_atom(ring, i));
  while (!ring_is_full(ring) && !ring->overflow) (void)poly_add(ring, sum, sum);
  assert_true(ring->overflow && ring->terms > ring_most_terms);
  ring->overflow = false;
  Poly product = poly_multiply(ring, poly_atom(ring, 0), poly_atom(ring, 1));
  assert_true(!ring->overflow && product.count == 1);
  assert_true(poly_add(ring, sum, product).count == 0 && ring->overflow);
  arena_destroy(arena);
}

static void wide_arithmetic_is_exact_or_rejected(void **state) {
  (void)state;
  Dice dice = {3};
  for (int i = 0; i < 100'000; i++) {
    Wide a = dice_range(&dice, INT64_MIN, INT64_MAX), b = dice_range(&dice, INT64_MIN, INT64_MAX),
         product, c = dice_range(&dice, 1, INT64_MAX);
    bool fits = wide_multiply(a, b, &product);
    unsigned _BitInt(200) size =
        (unsigned _BitInt(200))(a < 0 ? -a : a) * (unsigned _BitInt(200))(b < 0 ? -b : b);
    assert_true(fits == (size <= (unsigned _BitInt(200))1 << 120));
    if (fits) assert_true((_BitInt(200))product == (_BitInt(200))a * (_BitInt(200))b);
    Wide q = wide_floor(a, c);
    assert_true(q * c <= a && a < q * c + c);
  }
  assert_true(
      wide_gcd(0, 0) == 0 && wide_gcd(-12, 18) == 6 && wide_gcd(INT64_MIN, 0) == -(Wide)INT64_MIN);
}

static Candidate random_candidate(RuleProof *proof, Dice *dice) {
  Candidate candidate = {.kind = (LemmaKind)(dice_next(dice) % 3),
      .a = random_poly(proof->ring, dice),
      .b = random_poly(proof->ring, dice)};
  candidate.product = poly_multiply(proof->ring, candidate.a, candidate.b);
  return candidate;
}

static RuleProof *small_proof(Arena *arena) {
  RuleSet rules = {};
  Error error = {};
  static const char text[] = "rule r x + a + b + c => x";
  Source source = {.name = "t", .text = text, .length = strlen(text), .first_line = 1};
  assert_true(rules_parse(arena, &source, &rules, &error));
  return proof_create(arena, &rules.items[0]);
}

/* Tables of unknowns have space for so many, also after the overflow is discarded. */
static void too_many_unknowns_overflow_and_are_not_kept(void **state) {
  (void)state;
  Arena *arena = arena_create();
  RuleProof *proof = small_proof(arena);
  System *system = system_create(proof);
  Poly letter = poly_atom(proof->ring, 0);
  for (uint32_t i = 0; i < proof_max_unknowns; i++)
    (void)system_name(system, poly_shift(proof->ring, letter, i));
  assert_true(proof->ring->overflow);
  proof->ring->overflow = false;
  (void)system_name(system, poly_shift(proof->ring, letter, -1));
  assert_true(proof->ring->overflow && proof->count == proof_max_unknowns);
  arena_destroy(arena);
}

static void instances_hold_for_random_integers(void **state) {
  (void)state;
  Dice dice = {8};
  Arena *arena = arena_create();
  RuleProof *proof = small_proof(arena);
  for (int i = 0; i < 2000; i++) {
    Candidate candidate = random_candidate(proof, &dice);
    Clause clause = lemma_instance(proof, &candidate, dice_range(&dice, -3, 3));
    if (!lemma_holds_on_random(proof, &clause, (uint64_t)i, 60))
      fail_msg("%s is false somewhere", lemma_name(candidate.kind));
  }
  arena_destroy(arena);
}

/* The check can fail: an instance without one of its branches is detected, for each kind and each
 * branch. */
static void an_instance_without_a_branch_is_noticed(void **state) {
  (void)state;
  Arena *arena = arena_create();
  RuleProof *proof = small_proof(arena);
  Poly a = poly_atom(proof->ring, 0), b = poly_atom(proof->ring, 1);
  for (uint8_t kind = 0; kind < 3; kind++) {
    Candidate candidate = {
        .kind = (LemmaKind)kind, .a = a, .b = b, .product = poly_multiply(proof->ring, a, b)};
    for (uint32_t dropped = 0; dropped < 3; dropped++) {
      Clause clause = lemma_instance(proof, &candidate, 1);
      clause.branches[dropped] = clause.branches[--clause.count];
      if (lemma_holds_on_random(proof, &clause, 1, 24))
        fail_msg("%s without branch %u passed", lemma_name((LemmaKind)kind), dropped);
    }
  }
  arena_destroy(arena);
}

/* After a rewind, the next new product gets the first number after the mark again. */
static void a_rewound_ring_is_the_ring_before(void **state) {
  (void)state;
  Arena *arena = arena_create();
  PolyRing *ring = ring_create(arena);
  Poly a = poly_atom(ring, 0), b = poly_atom(ring, 1), square = poly_multiply(ring, a, a);
  RingMark mark = ring_mark(ring);
  uint32_t count = ring->count;
  for (uint32_t i = 2; i < 400; i++) (void)poly_multiply(ring, poly_atom(ring, i), b);
  (void)poly_multiply(ring, poly_constant(ring, (Wide)1 << 60), poly_constant(ring, (Wide)1 << 60));
  assert_true(ring->overflow && ring->count > count);
  ring_rewind(ring, mark);
  assert_true(!ring->overflow && ring->count == count);
  assert_true(poly_equal(poly_multiply(ring, a, a), square));
  assert_int_equal(poly_multiply(ring, a, b).terms[0].monomial, count);
  assert_int_equal(poly_multiply(ring, b, a).terms[0].monomial, count);
  assert_int_equal(ring->count, count + 1);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operations_commute_with_evaluation),
      cmocka_unit_test(large_coefficients_overflow_and_say_so),
      cmocka_unit_test(high_degrees_overflow_and_say_so),
      cmocka_unit_test(too_many_terms_overflow_and_say_so),
      cmocka_unit_test(wide_arithmetic_is_exact_or_rejected),
      cmocka_unit_test(a_rewound_ring_is_the_ring_before),
      cmocka_unit_test(too_many_unknowns_overflow_and_are_not_kept),
      cmocka_unit_test(instances_hold_for_random_integers),
      cmocka_unit_test(an_instance_without_a_branch_is_noticed),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
