/* Decides one leaf. The solver sees products as independent integers, so its first models may be
 * impossible. Each such model violates some lemma instance; violated instances are added until
 * there is no model, or no candidate is violated. A model whose letters are a solution is replayed
 * by plain evaluation and ends the search. On the last levels, products with a wrong value in the
 * model are excluded by tangents at its own values. */
#include "smt/rules/rule_leaf.h"

#include <assert.h>

#include "smt/rules/rule_pool.h"

static constexpr uint32_t rounds_per_level = 40;
static constexpr uint32_t instances_per_round = 6;
static constexpr uint32_t digit_terms = 4;
static constexpr uint64_t wide_rlimit = 800'000;
static const char out_of_budget[] = "out of the solver's budget";

typedef struct LeafSearch {
  System *system;
  Refutation *refutation;
  Linear *linear;
  RuleProof *proof;
  RulePool pool;
  struct {
    uint32_t count, capacity;
    Clause *items;
  } instances;
  Wide *atoms; /* [proof_max_unknowns]: values in the current model */
  uint32_t capacity;
  Wide *monomials; /* [capacity]: values in the current model */
  uint8_t *state;  /* [capacity] 0 not read, 1 known, 2 unknown */
} LeafSearch;

/* The value of a monomial: the solver's if it has one, otherwise the product of its atoms'
 * values. */
static bool monomial_value(LeafSearch *search, uint32_t monomial, Wide *value) {
  if (monomial == 0) {
    *value = 1;
    return true;
  }
  assert(monomial < search->capacity);
  if (search->state[monomial] == 0) {
    bool is_known =
        linear_value(search->linear, monomial, &search->monomials[monomial]) ||
        (!search->linear->in_query[monomial] && monomial_evaluate(search->proof->ring, monomial,
                                                    search->atoms, &search->monomials[monomial]));
    search->state[monomial] = is_known ? 1 : 2;
  }
  *value = search->monomials[monomial];
  return search->state[monomial] == 1;
}

static bool poly_value(LeafSearch *search, Poly poly, Wide *value) {
  *value = 0;
  for (uint32_t i = 0; i < poly.count; i++) {
    Wide term;
    if (!monomial_value(search, poly.terms[i].monomial, &term) ||
        !wide_multiply(term, poly.terms[i].coefficient, &term) || !wide_add(*value, term, value))
      return false;
  }
  return true;
}

/* Reads the model's atoms; monomials are read at first use. */
static void read_model(LeafSearch *search) {
  PolyRing *ring = search->proof->ring;
  if (ring->count > search->capacity) {
    search->capacity = 2 * ring->count;
    search->monomials = ARENA_NEW(search->proof->arena, Wide, search->capacity);
    search->state = ARENA_NEW(search->proof->arena, uint8_t, search->capacity);
  }
  for (uint32_t i = 0; i < ring->count; i++) search->state[i] = 0;
  for (uint32_t atom = 0; atom < search->proof->count; atom++) search->atoms[atom] = 0;
  uint32_t count = search->linear->capacity < ring->count ? search->linear->capacity : ring->count;
  for (uint32_t i = 1; i < count; i++) {
    uint32_t atom;
    Wide value;
    if (monomial_is_atom(ring, i, &atom) && linear_value(search->linear, i, &value))
      search->atoms[atom] = value;
  }
}

static bool as_int64(Wide wide, int64_t *value) {
  *value = (int64_t)wide;
  return wide >= INT64_MIN && wide <= INT64_MAX;
}

bool refutation_replays(const RuleProof *proof, Refutation *refutation, const Wide *atoms) {
  const Rule *rule = proof->rule;
  RuleValues values = {};
  bool fits = true;
  for (uint32_t i = 0; i < rule->constant_count && fits; i++)
    fits = as_int64(atoms[proof_letter(proof, UNKNOWN_CONSTANT, i)], &values.constants[i]);
  for (uint32_t i = 0; i < rule->expr_count && fits; i++) {
    fits = as_int64(atoms[proof_letter(proof, UNKNOWN_EXPR, i)], &values.exprs[i]) &&
           as_int64(atoms[proof_letter(proof, UNKNOWN_LO, i)], &values.lo[i]) &&
           as_int64(atoms[proof_letter(proof, UNKNOWN_HI, i)], &values.hi[i]);
    if (!rule_names_bounds(rule, i)) values.lo[i] = values.hi[i] = values.exprs[i];
  }
  if (!fits || !refutation->replay(rule, &values)) return false;
  refutation->values = values;
  return true;
}

static bool replay_model(LeafSearch *search) {
  return !search->refutation->is_brute_force && system_complete(search->system, search->atoms) &&
         refutation_replays(search->proof, search->refutation, search->atoms);
}

/* Finds a k for which split(M, d, k) excludes the model: between d and the product divided by M,
 * small values first. */
static bool split_position(Wide m, Wide d, Wide product, Wide *k) {
  static const int preferred[] = {1, 0, -1, 2};
  Wide exact;
  if (m < 1 || !wide_multiply(m, d, &exact) || exact == product) return false;
  for (size_t i = 0; i <= sizeof preferred / sizeof preferred[0]; i++) {
    Wide candidate = i < sizeof preferred / sizeof preferred[0] ? preferred[i]
                     : product < exact                          ? d
                                                                : d + 1;
    Wide bound;
    if (!wide_multiply(m, product < exact ? candidate : candidate - 1, &bound)) continue;
    bool excludes =
        product < exact ? d >= candidate && product < bound : d <= candidate - 1 && product > bound;
    if (!excludes) continue;
    *k = candidate;
    return true;
  }
  return false;
}

static bool is_broken(LeafSearch *search, const Candidate *candidate, Wide *k) {
  Wide a, b, product;
  *k = 0;
  if (!poly_value(search, candidate->a, &a) || !poly_value(search, candidate->b, &b) ||
      !poly_value(search, candidate->product, &product))
    return false;
  switch (candidate->kind) {
    case LEMMA_SPLIT: return split_position(a, b, product, k);
    case LEMMA_PRODUCT: return a >= 0 && b >= 0 && product < 0;
    case LEMMA_ZERO: return a == 0 && product != 0;
  }
  assert(false);
  return false;
}

/* The order of candidates: few monomials new to the solver, low degree, few terms, k near 0. */
static uint32_t candidate_cost(const LeafSearch *search, const Candidate *candidate, Wide k) {
  uint32_t unseen = k < -1 || k > 2 ? 5 : 0;
  for (uint32_t i = 0; i < candidate->product.count; i++) {
    uint32_t monomial = candidate->product.terms[i].monomial;
    unseen += monomial != 0 &&
              !(monomial < search->linear->capacity && search->linear->in_query[monomial]);
  }
  return 4 * unseen + 2 * poly_degree(search->proof->ring, candidate->product) +
         candidate->product.count + candidate->b.count;
}

typedef struct LeafChoice {
  uint32_t cost, candidate;
  Wide k;
} LeafChoice;

/* Inserts a choice into the sorted list of the cheapest ones. */
static void offer(LeafChoice *choices, uint32_t *count, LeafChoice choice) {
  if (*count == instances_per_round && choice.cost >= choices[*count - 1].cost) return;
  uint32_t at = *count < instances_per_round ? (*count)++ : *count - 1;
  while (at > 0 && choices[at - 1].cost > choice.cost) {
    choices[at] = choices[at - 1];
    at--;
  }
  choices[at] = choice;
}

/* Adds an instance unless a value of the model is too large to compute with; that is no reason to
 * give the proof up. */
static bool add_instance_that_fits(LeafSearch *search, const Candidate *candidate, Wide k) {
  PolyRing *ring = search->proof->ring;
  Clause clause = lemma_instance(search->proof, candidate, k);
  bool fits = !ring->overflow;
  ring->overflow = false;
  if (!fits) return false;
  *ARENA_PUSH(search->proof->arena, &search->instances) = clause;
  linear_assert_clause(search->linear, &clause);
  return true;
}

/* Asserts the cheapest instances that the model violates; false if none fits. */
static bool exclude_model(LeafSearch *search) {
  LeafChoice choices[instances_per_round];
  uint32_t count = 0;
  for (uint32_t i = 0; i < search->pool.count; i++) {
    Wide k;
    if (!is_broken(search, &search->pool.items[i], &k)) continue;
    offer(choices, &count,
        (LeafChoice){
            .cost = candidate_cost(search, &search->pool.items[i], k), .candidate = i, .k = k});
  }
  bool is_excluded = false;
  for (uint32_t i = 0; i < count; i++)
    is_excluded |=
        add_instance_that_fits(search, &search->pool.items[choices[i].candidate], choices[i].k);
  return is_excluded;
}

/* Asserts, around the model's values a0, b0 of a monomial's two factors, that (a - a0)*(b - b0) has
 * the correct sign in all four quadrants. False if none fits. */
static bool exclude_by_tangents(LeafSearch *search, uint32_t monomial, uint32_t atom) {
  PolyRing *ring = search->proof->ring;
  Poly right = poly_atom(ring, atom), rest,
       left = poly_divide(ring, poly_monomial(ring, monomial), right, &rest);
  Wide left_value, right_value;
  if (!poly_value(search, left, &left_value) || !poly_value(search, right, &right_value))
    return false;
  Poly left_gap = poly_shift(ring, left, -left_value),
       right_gap = poly_shift(ring, right, -right_value);
  bool is_excluded = false;
  for (int quarter = 0; quarter < 4; quarter++) {
    Candidate candidate = {.kind = LEMMA_PRODUCT,
        .a = quarter % 2 == 0 ? left_gap : poly_scale(ring, left_gap, -1),
        .b = quarter / 2 == 0 ? right_gap : poly_scale(ring, right_gap, -1)};
    candidate.product = poly_multiply(ring, candidate.a, candidate.b);
    is_excluded |= add_instance_that_fits(search, &candidate, 0);
  }
  return is_excluded;
}

/* Excludes a product of two atoms whose value in the model is wrong; false if there is none. */
static bool exclude_wrong_product(LeafSearch *search) {
  const PolyRing *ring = search->proof->ring;
  uint32_t known = ring->count < search->linear->capacity ? ring->count : search->linear->capacity;
  for (uint32_t monomial = 1; monomial < known; monomial++) {
    Wide value, exact;
    if (!search->linear->in_query[monomial] || ring->items[monomial].degree != 2 ||
        !monomial_value(search, monomial, &value))
      continue;
    if (!monomial_evaluate(ring, monomial, search->atoms, &exact) || exact == value) continue;
    if (exclude_by_tangents(search, monomial, ring->items[monomial].atoms[1])) return true;
  }
  return false;
}

const char *refutation_overflow(const PolyRing *ring) {
  static_assert(ring_most_terms == 8'000'000, "the text states it");
  if (ring_is_full(ring)) return "polynomials of more than 8,000,000 terms in all";
  return "a coefficient past 2^100, or a product of more than 24 unknowns";
}

VerdictStatus refutation_unknown(Refutation *refutation, const char *reason) {
  refutation->reason = reason;
  refutation->kind = REASON_OPEN;
  return VERDICT_UNKNOWN;
}

VerdictStatus refutation_false_step(Refutation *refutation, const char *reason) {
  (void)refutation_unknown(refutation, reason);
  refutation->kind = REASON_FALSE_STEP;
  return VERDICT_UNKNOWN;
}

/* A case is closed only if a new check refutes its refutation: statements and instances. */
static VerdictStatus close_leaf(LeafSearch *search, uint32_t level) {
  Refutation *refutation = search->refutation;
  System *system = search->system;
  for (uint32_t i = 0; i < search->instances.count; i++)
    system_use(system, search->instances.items[i]);
  linear_begin(search->linear);
  for (uint32_t i = 0; i < system->refutation.count; i++)
    linear_assert_clause(search->linear, &system->refutation.items[i]);
  if (system->proof->ring->overflow)
    return refutation_unknown(refutation, refutation_overflow(system->proof->ring));
  VerdictStatus answer = linear_check(search->linear);
  if (answer == VERDICT_UNKNOWN) return refutation_unknown(refutation, out_of_budget);
  if (answer != VERDICT_PROVED)
    return refutation_false_step(refutation, "the refutation of a closed case is not refuted");
  if (system->alive != 0) return refutation_false_step(refutation, "a closed case has a witness");
  refutation->leaves++;
  refutation->lemma_count += search->instances.count;
  if (level > refutation->level) refutation->level = level;
  if (refutation->closed != nullptr) refutation->closed(refutation->context, system);
  return VERDICT_PROVED;
}

/* Runs rounds of one level until the solver reports unsat, the model is a solution, or no candidate
 * excludes it. */
static VerdictStatus run_level(LeafSearch *search, uint32_t level, bool *is_exhausted) {
  *is_exhausted = false;
  for (uint32_t round = 0; round < rounds_per_level; round++) {
    read_model(search);
    if (replay_model(search)) return VERDICT_REFUTED;
    if (!exclude_model(search) && !(level >= pool_usual_levels && exclude_wrong_product(search))) {
      *is_exhausted = true;
      return refutation_unknown(search->refutation, "no lemma excludes the solver's model");
    }
    VerdictStatus answer = linear_check(search->linear);
    if (answer == VERDICT_PROVED) return close_leaf(search, level);
    if (answer == VERDICT_UNKNOWN) return refutation_unknown(search->refutation, out_of_budget);
  }
  *is_exhausted = true;
  return refutation_unknown(search->refutation, "out of rounds of lemma instances");
}

static LeafSearch search_of(System *system, Refutation *refutation) {
  RuleProof *proof = system->proof;
  return (LeafSearch){.system = system,
      .refutation = refutation,
      .linear = refutation->linear,
      .proof = proof,
      .atoms = ARENA_NEW(proof->arena, Wide, proof_max_unknowns)};
}

/* Checks by linear arithmetic without instances; *is_over: no instance would change the answer. */
static VerdictStatus check_linear_alone(LeafSearch *search, bool *is_over) {
  *is_over = true;
  linear_begin(search->linear);
  linear_assert_system(search->linear, search->system);
  VerdictStatus answer = linear_check(search->linear);
  if (answer == VERDICT_PROVED) return close_leaf(search, 0);
  if (answer == VERDICT_UNKNOWN) return refutation_unknown(search->refutation, out_of_budget);
  read_model(search);
  if (replay_model(search)) return VERDICT_REFUTED;
  *is_over = false;
  return refutation_unknown(search->refutation, "linear arithmetic alone does not decide");
}

VerdictStatus leaf_close(System *system, Refutation *refutation) {
  LeafSearch search = search_of(system, refutation);
  return close_leaf(&search, 0);
}

VerdictStatus leaf_check(System *system, Refutation *refutation) {
  LeafSearch search = search_of(system, refutation);
  bool is_over;
  return check_linear_alone(&search, &is_over);
}

static VerdictStatus run_levels(LeafSearch *search, uint32_t last_level) {
  VerdictStatus result = VERDICT_UNKNOWN;
  bool is_exhausted = true;
  for (uint32_t level = 1; level <= last_level && is_exhausted; level++) {
    pool_fill(&search->pool, search->system, level);
    result = run_level(search, level, &is_exhausted);
    is_exhausted &= !search->proof->ring->overflow;
  }
  return result;
}

VerdictStatus leaf_saturate(System *system, Refutation *refutation, uint32_t last_level) {
  LeafSearch search = search_of(system, refutation);
  bool is_over;
  VerdictStatus result = check_linear_alone(&search, &is_over);
  return is_over ? result : run_levels(&search, last_level);
}

VerdictStatus leaf_saturate_checked(System *system, Refutation *refutation, uint32_t last_level) {
  const Linear *linear = refutation->linear;
  if (linear->model == nullptr || linear->is_asserted)
    return leaf_saturate(system, refutation, last_level);
  LeafSearch search = search_of(system, refutation);
  return run_levels(&search, last_level);
}

/* Learns poly >= 0 if the instances of the first two levels prove it; these are used from then
 * on. */
static bool learn_sign(System *system, Refutation *learning, Poly poly) {
  PolyRing *ring = system->proof->ring;
  if (system_has_fact(system, poly, false)) return true;
  System *below = system_copy(system);
  system_assume(below, poly_shift(ring, poly_scale(ring, poly, -1), -1), false, ORIGIN_GOAL);
  const uint32_t known = below->refutation.count;
  if (leaf_saturate(below, learning, 2) != VERDICT_PROVED) return false;
  for (uint32_t i = known; i < below->refutation.count; i++)
    system_use(system, below->refutation.items[i]);
  system_derive(system, poly, false, ORIGIN_DERIVED);
  return true;
}

/* Learns signs of digits: of quotients that are not unknowns, such as q' - c*q, and of their rests
 * below D/C, for any divisor D. False if there is none. */
static bool learn_digits(System *system, Refutation *learning) {
  PolyRing *ring = system->proof->ring;
  const uint32_t known = system->bands.count;
  bool is_learned = false;
  for (uint32_t i = 0; i < known; i++) {
    const Band band = system->bands.items[i];
    if (band.quotient.count < 2 || band.quotient.count > digit_terms ||
        !learn_sign(system, learning, band.quotient))
      continue;
    is_learned = true;
    for (uint32_t k = 0; k < known; k++) {
      Wide number;
      Poly rest, ratio = poly_divide(ring, system->bands.items[k].divisor, band.divisor, &rest);
      if (rest.count == 0 && !poly_is_constant(ratio, &number))
        (void)learn_sign(
            system, learning, poly_shift(ring, poly_subtract(ring, ratio, band.quotient), -1));
    }
  }
  return is_learned;
}

/* Uses all instances at once, with a separate solver, and counts what the attempt used. */
static VerdictStatus search_widely(System *system, Refutation *refutation, bool with_digits) {
  uint64_t budget = refutation->wide_left < wide_rlimit ? refutation->wide_left : wide_rlimit;
  Linear linear = linear_open(system->proof, budget, refutation->linear->seed);
  Refutation learning = {.linear = &linear, .replay = refutation->replay, .is_brute_force = true};
  LeafSearch search = search_of(system, refutation);
  search.linear = &linear;
  bool is_over = with_digits && !learn_digits(system, &learning);
  VerdictStatus answer = VERDICT_UNKNOWN;
  if (!is_over) answer = check_linear_alone(&search, &is_over);
  for (uint32_t level = 1; level <= pool_levels && !is_over; level++)
    pool_fill(&search.pool, system, level);
  if (!is_over) answer = run_level(&search, pool_levels, &is_over);
  linear_close(&linear);
  uint64_t used = budget - linear.rlimit_left;
  if (answer != VERDICT_UNKNOWN) linear_spend(refutation->linear, used);
  refutation->wide_left -= used;
  return answer;
}

/* A failed attempt leaves no products and no learned clauses behind, so that the search continues
 * as without it. */
static VerdictStatus try_widely(const System *system, Refutation *refutation, bool with_digits) {
  const RingMark mark = ring_mark(system->proof->ring);
  const Refutation before = *refutation;
  VerdictStatus answer = search_widely(system_copy(system), refutation, with_digits);
  if (answer != VERDICT_UNKNOWN) return answer;
  const uint64_t left = refutation->wide_left;
  *refutation = before;
  refutation->wide_left = left;
  ring_rewind(system->proof->ring, mark);
  return VERDICT_UNKNOWN;
}

VerdictStatus leaf_saturate_widely(const System *system, Refutation *refutation) {
  if (refutation->wide_tries == 0 || refutation->wide_left == 0) return VERDICT_UNKNOWN;
  VerdictStatus answer = try_widely(system, refutation, false);
  if (answer == VERDICT_UNKNOWN && refutation->wide_left > 0)
    answer = try_widely(system, refutation, true);
  if (answer == VERDICT_UNKNOWN) refutation->wide_tries--;
  return answer;
}
