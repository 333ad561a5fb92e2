/* Refuting a system. The solver sees products as integers of their own, so its first models may be
 * impossible; each such model breaks some instance of a lemma, and those that it breaks are added
 * until it has none left or the candidates give out. A model whose letters are a solution after all
 * is replayed by plain evaluation and ends the search. On the last levels products that are wrong in
 * the model are excluded by tangents at its own values.
 * Case splits: on clauses marked early as soon as linear arithmetic alone does not do, on the
 * others last. */
#include "smt/rules/rule_refute.h"

#include <assert.h>

#include "smt/rules/rule_exact.h"
#include "smt/rules/rule_last.h"
#include "smt/rules/rule_narrow.h"
#include "smt/rules/rule_pool.h"
#include "smt/rules/rule_prepare.h"
#include "smt/rules/rule_split.h"
#include "smt/rules/rule_unit.h"

static constexpr uint32_t rounds_per_level = 40;
static constexpr uint32_t instances_per_round = 6;
static constexpr uint32_t most_wide_tries = 6;
static constexpr uint64_t wide_rlimit = 800'000;
static constexpr uint32_t max_split_depth = 24;
static constexpr uint64_t units_share = 4;
static const char overflow_reason[] =
    "a coefficient past 2^100, or a product of more than 24 unknowns";
static const char out_of_budget[] = "out of the solver's budget";

typedef struct RuleRefuteSearch {
  System *system;
  Refutation *refutation;
  Linear *linear;
  RuleProof *proof;
  RulePool pool;
  struct {
    uint32_t count, capacity;
    Clause *items;
  } instances;
  Wide *atoms; /* [proof_max_unknowns] values in the present model */
  uint32_t capacity;
  Wide *monomials; /* [capacity] values in the present model */
  uint8_t *state;  /* [capacity] 0 not read, 1 known, 2 unknown */
} RuleRefuteSearch;

/* The value of a monomial: the solver's where it has one, else the product of its atoms'. */
static bool monomial_value(RuleRefuteSearch *search, uint32_t monomial, Wide *value) {
  if (monomial == 0) {
    *value = 1;
    return true;
  }
  assert(monomial < search->capacity);
  if (search->state[monomial] == 0) {
    bool is_known =
        linear_value(search->linear, monomial, &search->monomials[monomial]) ||
        (!search->linear->is_asked[monomial] && monomial_evaluate(search->proof->ring, monomial,
                                                    search->atoms, &search->monomials[monomial]));
    search->state[monomial] = is_known ? 1 : 2;
  }
  *value = search->monomials[monomial];
  return search->state[monomial] == 1;
}

static bool poly_value(RuleRefuteSearch *search, Poly poly, Wide *value) {
  *value = 0;
  for (uint32_t i = 0; i < poly.count; i++) {
    Wide term;
    if (!monomial_value(search, poly.terms[i].monomial, &term) ||
        !wide_multiply(term, poly.terms[i].coefficient, &term) || !wide_add(*value, term, value))
      return false;
  }
  return true;
}

/* Reads the model's atoms; monomials are read as they are asked for. */
static void read_model(RuleRefuteSearch *search) {
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

/* The letters among the values of all unknowns, if they are what is looked for. */
static bool replay_atoms(const RuleProof *proof, Refutation *refutation, const Wide *atoms) {
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

static bool replay_model(RuleRefuteSearch *search) {
  return !search->refutation->is_brute_force && system_complete(search->system, search->atoms) &&
         replay_atoms(search->proof, search->refutation, search->atoms);
}

/* A k for which split(M, d, k) excludes the model: between d and the product's share of M, small
 * ones first. */
static bool split_place(Wide m, Wide d, Wide product, Wide *k) {
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

/* Does the model break an instance of this candidate? */
static bool is_broken(RuleRefuteSearch *search, const Candidate *candidate, Wide *k) {
  Wide a, b, product;
  *k = 0;
  if (!poly_value(search, candidate->a, &a) || !poly_value(search, candidate->b, &b) ||
      !poly_value(search, candidate->product, &product))
    return false;
  switch (candidate->kind) {
    case LEMMA_SPLIT: return split_place(a, b, product, k);
    case LEMMA_PRODUCT: return a >= 0 && b >= 0 && product < 0;
    case LEMMA_ZERO: return a == 0 && product != 0;
  }
  assert(false);
  return false;
}

/* Lower is asked for first: few monomials that the solver has not seen, low degree, short, k near
 * 0. */
static uint32_t candidate_cost(const RuleRefuteSearch *search, const Candidate *candidate, Wide k) {
  uint32_t unseen = k < -1 || k > 2 ? 5 : 0;
  for (uint32_t i = 0; i < candidate->product.count; i++) {
    uint32_t monomial = candidate->product.terms[i].monomial;
    unseen += monomial != 0 &&
              !(monomial < search->linear->capacity && search->linear->is_asked[monomial]);
  }
  return 4 * unseen + 2 * poly_degree(search->proof->ring, candidate->product) +
         candidate->product.count + candidate->b.count;
}

typedef struct RuleRefuteChoice {
  uint32_t cost, candidate;
  Wide k;
} RuleRefuteChoice;

/* Keeps the list of the cheapest ones in order. */
static void offer(RuleRefuteChoice *choices, uint32_t *count, RuleRefuteChoice choice) {
  if (*count == instances_per_round && choice.cost >= choices[*count - 1].cost) return;
  uint32_t at = *count < instances_per_round ? (*count)++ : *count - 1;
  while (at > 0 && choices[at - 1].cost > choice.cost) {
    choices[at] = choices[at - 1];
    at--;
  }
  choices[at] = choice;
}

/* An instance at a value of the model that is too large to compute with is left out, and no reason
 * to give the proof up. */
static bool add_instance_that_fits(RuleRefuteSearch *search, const Candidate *candidate, Wide k) {
  PolyRing *ring = search->proof->ring;
  Clause clause = lemma_instance(search->proof, candidate, k);
  bool fits = !ring->overflow;
  ring->overflow = false;
  if (!fits) return false;
  *ARENA_PUSH(search->proof->arena, &search->instances) = clause;
  linear_assert_clause(search->linear, &clause);
  return true;
}

/* Asserts the cheapest instances that the model breaks; false where none does that fits. */
static bool exclude_model(RuleRefuteSearch *search) {
  RuleRefuteChoice choices[instances_per_round];
  uint32_t count = 0;
  for (uint32_t i = 0; i < search->pool.count; i++) {
    Wide k;
    if (!is_broken(search, &search->pool.items[i], &k)) continue;
    offer(choices, &count,
        (RuleRefuteChoice){
            .cost = candidate_cost(search, &search->pool.items[i], k), .candidate = i, .k = k});
  }
  bool is_excluded = false;
  for (uint32_t i = 0; i < count; i++)
    is_excluded |= add_instance_that_fits(
        search, &search->pool.items[choices[i].candidate], choices[i].k);
  return is_excluded;
}

/* Around the model's values a0, b0 of a monomial's two halves: (a - a0)*(b - b0) has the sign that
 * it must have, in all four quarters. False where none of them fits. */
static bool exclude_by_tangents(RuleRefuteSearch *search, uint32_t monomial, uint32_t atom) {
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

/* A product of two that is not the product of the two, in the model; false where there is none. */
static bool exclude_wrong_product(RuleRefuteSearch *search) {
  const PolyRing *ring = search->proof->ring;
  uint32_t known = ring->count < search->linear->capacity ? ring->count : search->linear->capacity;
  for (uint32_t monomial = 1; monomial < known; monomial++) {
    Wide value, exact;
    if (!search->linear->is_asked[monomial] || ring->items[monomial].degree != 2 ||
        !monomial_value(search, monomial, &value))
      continue;
    if (!monomial_evaluate(ring, monomial, search->atoms, &exact) || exact == value) continue;
    if (exclude_by_tangents(search, monomial, ring->items[monomial].atoms[1])) return true;
  }
  return false;
}

static VerdictStatus rule_refute_unknown(Refutation *refutation, const char *reason) {
  refutation->reason = reason;
  refutation->kind = REASON_OPEN;
  return VERDICT_UNKNOWN;
}

static VerdictStatus false_step(Refutation *refutation, const char *reason) {
  (void)rule_refute_unknown(refutation, reason);
  refutation->kind = REASON_FALSE_STEP;
  return VERDICT_UNKNOWN;
}

/* A case is closed by its refutation alone: statements and instances, asked afresh. */
static VerdictStatus close_leaf(RuleRefuteSearch *search, uint32_t level) {
  Refutation *refutation = search->refutation;
  System *system = search->system;
  for (uint32_t i = 0; i < search->instances.count; i++)
    system_use(system, search->instances.items[i]);
  linear_begin(search->linear);
  for (uint32_t i = 0; i < system->refutation.count; i++)
    linear_assert_clause(search->linear, &system->refutation.items[i]);
  if (system->proof->ring->overflow) return rule_refute_unknown(refutation, overflow_reason);
  VerdictStatus answer = linear_check(search->linear);
  if (answer == VERDICT_UNKNOWN) return rule_refute_unknown(refutation, out_of_budget);
  if (answer != VERDICT_PROVED)
    return false_step(refutation, "the refutation of a closed case is not refuted");
  if (system->alive != 0) return false_step(refutation, "a closed case has a witness");
  refutation->leaves++;
  refutation->lemma_count += search->instances.count;
  if (level > refutation->level) refutation->level = level;
  if (refutation->closed != nullptr) refutation->closed(refutation->context, system);
  return VERDICT_PROVED;
}

/* Rounds of one level until the solver says unsat, the model is a solution, or no candidate
 * excludes it. */
static VerdictStatus run_level(RuleRefuteSearch *search, uint32_t level, bool *is_exhausted) {
  *is_exhausted = false;
  for (uint32_t round = 0; round < rounds_per_level; round++) {
    read_model(search);
    if (replay_model(search)) return VERDICT_REFUTED;
    if (!exclude_model(search) && !(level >= pool_usual_levels && exclude_wrong_product(search))) {
      *is_exhausted = true;
      return rule_refute_unknown(search->refutation, "no lemma excludes the solver's model");
    }
    VerdictStatus answer = linear_check(search->linear);
    if (answer == VERDICT_PROVED) return close_leaf(search, level);
    if (answer == VERDICT_UNKNOWN) return rule_refute_unknown(search->refutation, out_of_budget);
  }
  *is_exhausted = true;
  return rule_refute_unknown(search->refutation, "out of rounds of lemma instances");
}

static RuleRefuteSearch search_of(System *system, Refutation *refutation) {
  RuleProof *proof = system->proof;
  return (RuleRefuteSearch){.system = system,
      .refutation = refutation,
      .linear = refutation->linear,
      .proof = proof,
      .atoms = ARENA_NEW(proof->arena, Wide, proof_max_unknowns)};
}

/* Linear arithmetic alone; *is_over where no instance would change the answer. */
static VerdictStatus check_linear_alone(RuleRefuteSearch *search, bool *is_over) {
  *is_over = true;
  linear_begin(search->linear);
  linear_assert_system(search->linear, search->system);
  VerdictStatus answer = linear_check(search->linear);
  if (answer == VERDICT_PROVED) return close_leaf(search, 0);
  if (answer == VERDICT_UNKNOWN) return rule_refute_unknown(search->refutation, out_of_budget);
  read_model(search);
  if (replay_model(search)) return VERDICT_REFUTED;
  *is_over = false;
  return rule_refute_unknown(search->refutation, "linear arithmetic alone does not decide");
}

/* Linear arithmetic alone, then the lemma levels up to `last_level`. */
static VerdictStatus saturate(System *system, Refutation *refutation, uint32_t last_level) {
  RuleRefuteSearch search = search_of(system, refutation);
  bool is_over;
  VerdictStatus result = check_linear_alone(&search, &is_over);
  for (uint32_t level = 1; level <= last_level && !is_over; level++) {
    bool is_exhausted;
    pool_fill(&search.pool, system, level);
    result = run_level(&search, level, &is_exhausted);
    is_over = !is_exhausted || system->proof->ring->overflow;
  }
  return result;
}

/* With all instances at once, more of them than otherwise, and a solver of its own. What is tried in
 * vain leaves nothing behind, neither products nor what the solver learned: the search goes on as
 * it would without it. */
static VerdictStatus saturate_widely(System *system, Refutation *refutation) {
  RuleProof *proof = system->proof;
  if (refutation->wide_tries == 0) return VERDICT_UNKNOWN;
  const RingMark mark = ring_mark(proof->ring);
  const Refutation before = *refutation;
  const uint32_t known = system->refutation.count;
  Linear linear = linear_open(proof, wide_rlimit, refutation->linear->seed);
  RuleRefuteSearch search = search_of(system, refutation);
  search.linear = &linear;
  bool is_over;
  VerdictStatus answer = check_linear_alone(&search, &is_over);
  for (uint32_t level = 1; level <= pool_levels && !is_over; level++)
    pool_fill(&search.pool, system, level);
  if (!is_over) answer = run_level(&search, pool_levels, &is_over);
  linear_close(&linear);
  if (answer != VERDICT_UNKNOWN) {
    linear_spend(refutation->linear, wide_rlimit - linear.rlimit_left);
    return answer;
  }
  *refutation = before;
  refutation->wide_tries--;
  system->refutation.count = known;
  ring_rewind(proof->ring, mark);
  return VERDICT_UNKNOWN;
}

/* 0 <= numerator < divisor? */
static bool is_between(Linear *linear, Poly numerator, Poly divisor) {
  PolyRing *ring = linear->proof->ring;
  return linear_implies(linear, numerator, false) &&
         linear_implies(
             linear, poly_shift(ring, poly_subtract(ring, divisor, numerator), -1), false);
}

/* What single linear queries show: signs of unknowns in products, quotients that are 0 or -1,
 * remainders that vanish. */
static bool rule_refute_learn(System *system, Linear *linear) {
  PolyRing *ring = system->proof->ring;
  bool learned = false;
  linear_begin(linear);
  linear_assert_system(linear, system);
  uint32_t known = system->proof->count;
  for (uint32_t atom = 0; atom < known; atom++) {
    Poly single = poly_atom(ring, atom);
    bool is_used = false;
    for (uint32_t i = 0; i < system->facts.count && !is_used; i++)
      is_used = poly_degree(ring, system->facts.items[i].poly) > 1 &&
                poly_has_atom(ring, system->facts.items[i].poly, atom);
    if (!is_used || system_is_positive(system, single)) continue;
    if (linear_implies(linear, poly_shift(ring, single, -1), false)) {
      system_derive(system, poly_shift(ring, single, -1), false, ORIGIN_DERIVED);
      learned = true;
    } else if (!system_has_fact(system, single, false) && linear_implies(linear, single, false)) {
      system_derive(system, single, false, ORIGIN_DERIVED);
      learned = true;
    }
  }
  for (uint32_t i = 0; i < system->bands.count; i++) {
    Band band = system->bands.items[i];
    uint32_t atom;
    if (band.is_canonical || !poly_is_atom(ring, band.quotient, &atom)) continue;
    Poly rest =
        poly_subtract(ring, band.numerator, poly_multiply(ring, band.divisor, band.quotient));
    Poly vanishing = band.quotient;
    bool is_known = is_between(linear, band.numerator, band.divisor);
    if (!is_known) {
      vanishing = poly_shift(ring, band.quotient, 1);
      is_known = is_between(linear, poly_add(ring, band.numerator, band.divisor), band.divisor);
    }
    if (is_known) {
      system_use_vanishing(system, band.divisor, vanishing);
      system_derive(system, vanishing, true, ORIGIN_DERIVED);
      learned = true;
    } else if (linear_implies(linear, poly_scale(ring, rest, -1), false)) {
      system_derive(system, rest, true, ORIGIN_DERIVED);
      learned = true;
    }
  }
  return learned;
}

static bool first_clause(const System *system, bool is_early, uint32_t *at) {
  for (*at = 0; *at < system->clauses.count; ++*at)
    if (system->clauses.items[*at].is_early == is_early) return true;
  return false;
}

static VerdictStatus refute(System *system, Refutation *refutation, uint32_t depth);

/* Each branch on its own. */
static VerdictStatus rule_refute_split(
    System *system, Refutation *refutation, uint32_t at, uint32_t depth) {
  if (depth == 0) return rule_refute_unknown(refutation, "too many case splits");
  Clause clause = system->clauses.items[at];
  for (uint32_t b = 0; b < clause.count; b++) {
    System *branch = system_copy(system);
    branch->clauses.items[at] = branch->clauses.items[--branch->clauses.count];
    system_assume_branch(
        branch, &clause, b, clause.origin == ORIGIN_GOAL ? ORIGIN_GOAL : ORIGIN_CASE);
    VerdictStatus answer = refute(branch, refutation, depth - 1);
    if (answer != VERDICT_PROVED) return answer;
  }
  return VERDICT_PROVED;
}

/* A leaf that its normal form or one linear query closes; VERDICT_UNKNOWN where more is needed. */
static VerdictStatus rule_refute_settle(System *system, Refutation *refutation) {
  for (uint32_t round = 0; round < 4; round++) {
    system_prepare(system);
    if (system->proof->fault) return false_step(refutation, system->proof->fault_text);
    if (system->proof->ring->overflow) return rule_refute_unknown(refutation, overflow_reason);
    if (system->is_contradictory) {
      RuleRefuteSearch search = search_of(system, refutation);
      return close_leaf(&search, 0);
    }
    if (!rule_refute_learn(system, refutation->linear)) break;
  }
  return saturate(system, refutation, 0);
}

/* One open question after another: the first of which all cases are closed, each of them with as
 * many more as may be open at once. */
static VerdictStatus split_open(
    System *system, Refutation *refutation, uint32_t depth, const OpenSplit *open) {
  Poly poly;
  uint32_t at;
  for (uint32_t i = 0; i < open->tried && system->open_splits[open->kind] < open->at_once &&
                       open->find(system, i, &poly) && refutation->linear->rlimit_left > 0;
       i++) {
    System *cases = system_copy(system);
    cases->open_splits[open->kind]++;
    open->split(cases, poly);
    if (!first_clause(cases, true, &at)) continue;
    VerdictStatus answer = rule_refute_split(cases, refutation, at, depth);
    if (answer != VERDICT_UNKNOWN || system->proof->fault) return answer;
  }
  return VERDICT_UNKNOWN;
}

static VerdictStatus last_resort(System *system, Refutation *refutation, uint32_t depth) {
  uint32_t at;
  if (depth == 0) return rule_refute_unknown(refutation, "too many case splits");
  if (system_split_zero_gcd(system) || system_split_zero_constant(system) ||
      system_split_residues(system) || system_split_divisors(system)) {
    if (first_clause(system, true, &at)) return rule_refute_split(system, refutation, at, depth);
  }
  System *renamed = system_copy(system);
  if (system_relate_gcds(system)) {
    VerdictStatus answer = rule_refute_settle(system, refutation);
    if (answer != VERDICT_UNKNOWN) return answer;
  }
  if (system_rename(renamed)) {
    VerdictStatus answer = refute(renamed, refutation, depth - 1);
    if (answer != VERDICT_UNKNOWN || refutation->linear->rlimit_left == 0) return answer;
    system->proof->ring->overflow = false; /* of a system that is given up */
  }
  VerdictStatus answer = saturate(system, refutation, pool_usual_levels);
  if (answer != VERDICT_UNKNOWN || system->proof->ring->overflow) return answer;
  answer = saturate_widely(system, refutation);
  if (answer != VERDICT_UNKNOWN) return answer;
  System *values = system_copy(system);
  if (system_split_values(values) && first_clause(values, true, &at))
    answer = rule_refute_split(values, refutation, at, depth);
  for (uint32_t i = 0; i < open_split_kinds && answer == VERDICT_UNKNOWN; i++)
    answer = split_open(system, refutation, depth, open_split(i));
  if (answer != VERDICT_UNKNOWN || refutation->is_brute_force) return answer;
  Wide *atoms = ARENA_NEW(system->proof->arena, Wide, proof_max_unknowns);
  bool found = system_search_exact(system, refutation->linear, atoms) &&
               replay_atoms(system->proof, refutation, atoms);
  return found ? VERDICT_REFUTED : answer;
}

static VerdictStatus refute(System *system, Refutation *refutation, uint32_t depth) {
  VerdictStatus answer = rule_refute_settle(system, refutation);
  uint32_t at;
  bool is_over =
      system->proof->fault || system->proof->ring->overflow || refutation->linear->rlimit_left == 0;
  if (answer != VERDICT_UNKNOWN || is_over) return answer;
  if (first_clause(system, true, &at)) return rule_refute_split(system, refutation, at, depth);
  answer = saturate(system, refutation, 2);
  if (answer != VERDICT_UNKNOWN || refutation->linear->rlimit_left == 0) return answer;
  if (first_clause(system, false, &at)) return rule_refute_split(system, refutation, at, depth);
  return last_resort(system, refutation, depth);
}

static bool rename_units(System *system) {
  return system_rename_unit(system) || system_rename_part(system) ||
         system_rename_multiple(system, UNKNOWN_CONSTANT);
}

static bool rename_larger_units(System *system) {
  return system_rename_polynomial(system) || system_rename_multiple(system, UNKNOWN_EXPR) ||
         rename_units(system);
}

/* The system with names for what the rule speaks of as one, at a share of the budget. What does not
 * fit there is no reason to give the system itself up. */
static VerdictStatus refute_units(
    System *system, Refutation *refutation, bool (*rename)(System *), uint64_t part) {
  Linear *linear = refutation->linear;
  System *units = system_copy(system);
  bool is_renamed = false;
  while (rename(units)) is_renamed = true;
  if (!is_renamed) return VERDICT_UNKNOWN;
  uint64_t left = linear->rlimit_left, share = left / part;
  linear->rlimit_left = share;
  VerdictStatus answer = refute(units, refutation, max_split_depth);
  linear->rlimit_left += left - share;
  system->proof->ring->overflow = false;
  return answer;
}

/* Is there anything left to spend where the answer is open? */
static bool goes_on(const System *system, const Refutation *refutation, VerdictStatus answer) {
  return answer == VERDICT_UNKNOWN && !system->proof->fault && refutation->linear->rlimit_left > 0;
}

/* Whole polynomials, and multiples of expressions, get names last, with what the search has left:
 * a proof that it finds needs none of them. */
static VerdictStatus refute_larger_units(System *system, Refutation *refutation) {
  const Refutation before = *refutation;
  system->proof->ring->overflow = false;
  VerdictStatus answer = refute_units(system, refutation, rename_larger_units, 1);
  if (answer == VERDICT_UNKNOWN) *refutation = before;
  return answer;
}

VerdictStatus system_refute(System *system, Refutation *refutation) {
  while (system_rename_sum(system)) continue;
  refutation->wide_tries = most_wide_tries;
  VerdictStatus answer = refute_units(system, refutation, rename_units, units_share);
  System *stated = system_copy(system);
  refutation->wide_tries = most_wide_tries;
  if (answer == VERDICT_UNKNOWN && !system->proof->fault)
    answer = refute(system, refutation, max_split_depth);
  if (goes_on(system, refutation, answer)) answer = refute_larger_units(stated, refutation);
  if (system->proof->fault) return false_step(refutation, system->proof->fault_text);
  return answer;
}
