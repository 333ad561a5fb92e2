/* Refutes a system by cases: clauses marked early are split as soon as linear arithmetic alone
 * fails, the others last. Units of the rule get names before the search, or after it. */
#include "smt/rules/rule_refute.h"

#include "smt/rules/rule_exact.h"
#include "smt/rules/rule_last.h"
#include "smt/rules/rule_leaf.h"
#include "smt/rules/rule_narrow.h"
#include "smt/rules/rule_pool.h"
#include "smt/rules/rule_prepare.h"
#include "smt/rules/rule_split.h"
#include "smt/rules/rule_unit.h"

static constexpr uint32_t most_wide_tries = 6;
static constexpr uint32_t max_split_depth = 24;
static constexpr uint64_t units_share = 4;

static bool is_between(Linear *linear, Poly numerator, Poly divisor) {
  PolyRing *ring = linear->proof->ring;
  return linear_implies(linear, numerator, false) &&
         linear_implies(
             linear, poly_shift(ring, poly_subtract(ring, divisor, numerator), -1), false);
}

/* Learns from single linear queries, after leaf_check: signs of unknowns in products, quotients
 * that are 0 or -1, remainders that vanish. */
static bool rule_refute_learn(System *system, Linear *linear) {
  PolyRing *ring = system->proof->ring;
  bool learned = false;
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

static VerdictStatus rule_refute_split(
    System *system, Refutation *refutation, uint32_t at, uint32_t depth) {
  if (depth == 0) return refutation_unknown(refutation, "too many case splits");
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

/* Whether a polynomial does not fit, or no more polynomials do. */
static bool is_too_large(const System *system) {
  const PolyRing *ring = system->proof->ring;
  return ring->overflow || ring_is_full(ring);
}

static VerdictStatus too_large(const System *system, Refutation *refutation) {
  return refutation_unknown(refutation, refutation_overflow(system->proof->ring));
}

/* Closes a leaf by its normal form or one linear query; VERDICT_UNKNOWN if more is needed. Nothing
 * is learned where the query is undecided. */
static VerdictStatus rule_refute_settle(System *system, Refutation *refutation) {
  for (uint32_t round = 0; round < 4; round++) {
    system_prepare(system);
    if (system->proof->fault) return refutation_false_step(refutation, system->proof->fault_text);
    if (is_too_large(system)) return too_large(system, refutation);
    if (system->is_contradictory) return leaf_close(system, refutation);
    VerdictStatus answer = leaf_check(system, refutation);
    if (answer != VERDICT_UNKNOWN || refutation->linear->model == nullptr ||
        !rule_refute_learn(system, refutation->linear))
      return answer;
  }
  return leaf_check(system, refutation);
}

/* Tries one open question after another until all cases of one are closed. Each case may try
 * further questions, as many as may be open at once. */
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
  if (depth == 0) return refutation_unknown(refutation, "too many case splits");
  if (system_split_zero_gcd(system) || system_split_zero_constant(system) ||
      system_split_residues(system) || system_split_divisors(system)) {
    if (first_clause(system, true, &at)) return rule_refute_split(system, refutation, at, depth);
  }
  System *renamed = system_copy(system);
  if (system_relate_gcds(system)) {
    VerdictStatus answer = rule_refute_settle(system, refutation);
    if (answer != VERDICT_UNKNOWN) return answer;
  }
  VerdictStatus answer = leaf_saturate_widely(system, refutation);
  if (answer != VERDICT_UNKNOWN) return answer;
  if (system_rename(renamed)) {
    answer = refute(renamed, refutation, depth - 1);
    if (answer != VERDICT_UNKNOWN || refutation->linear->rlimit_left == 0) return answer;
    system->proof->ring->overflow = false; /* of a system that is given up */
  }
  answer = leaf_saturate(system, refutation, pool_usual_levels);
  if (answer != VERDICT_UNKNOWN || system->proof->ring->overflow) return answer;
  System *values = system_copy(system);
  if (system_split_values(values) && first_clause(values, true, &at))
    answer = rule_refute_split(values, refutation, at, depth);
  for (uint32_t i = 0; i < open_split_kinds && answer == VERDICT_UNKNOWN; i++)
    answer = split_open(system, refutation, depth, open_split(i));
  if (answer != VERDICT_UNKNOWN || refutation->is_brute_force) return answer;
  Wide *atoms = ARENA_NEW(system->proof->arena, Wide, proof_max_unknowns);
  bool found = system_search_exact(system, refutation->linear, atoms) &&
               refutation_replays(system->proof, refutation, atoms);
  return found ? VERDICT_REFUTED : answer;
}

static VerdictStatus refute(System *system, Refutation *refutation, uint32_t depth) {
  VerdictStatus answer = rule_refute_settle(system, refutation);
  uint32_t at;
  bool is_over =
      system->proof->fault || is_too_large(system) || refutation->linear->rlimit_left == 0;
  if (answer != VERDICT_UNKNOWN || is_over) return answer;
  if (first_clause(system, true, &at)) return rule_refute_split(system, refutation, at, depth);
  answer = leaf_saturate_checked(system, refutation, 2);
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
         rename_units(system) || system_rename_named(system);
}

/* Refutes the system with names for units of the rule, at a share of the budget. An overflow there
 * is no reason to give up the original system. */
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

/* Whether the answer is open and budget is left. */
static bool goes_on(const System *system, const Refutation *refutation, VerdictStatus answer) {
  return answer == VERDICT_UNKNOWN && !system->proof->fault && !ring_is_full(system->proof->ring) &&
         refutation->linear->rlimit_left > 0;
}

/* Whole polynomials, and multiples of expressions, get names last, with the remaining budget,
 * because a proof without them is found first if there is one. */
static VerdictStatus refute_larger_units(System *system, Refutation *refutation) {
  const Refutation before = *refutation;
  system->proof->ring->overflow = false;
  VerdictStatus answer = refute_units(system, refutation, rename_larger_units, 1);
  if (answer == VERDICT_UNKNOWN) *refutation = before;
  return answer;
}

/* Failed wide attempts may use as much as the search itself. */
static void allow_wide_tries(Refutation *refutation, uint64_t part) {
  refutation->wide_tries = most_wide_tries;
  refutation->wide_left = refutation->linear->rlimit_left / part;
}

/* A statement that overflowed is another statement. An overflow of an attempt is none of a later
 * question's. */
VerdictStatus system_refute(System *system, Refutation *refutation) {
  if (is_too_large(system)) return too_large(system, refutation);
  while (system_rename_sum(system)) continue;
  allow_wide_tries(refutation, units_share);
  VerdictStatus answer = refute_units(system, refutation, rename_units, units_share);
  System *stated = system_copy(system);
  allow_wide_tries(refutation, 1);
  if (answer == VERDICT_UNKNOWN && !system->proof->fault)
    answer = refute(system, refutation, max_split_depth);
  if (goes_on(system, refutation, answer)) answer = refute_larger_units(stated, refutation);
  system->proof->ring->overflow = false;
  if (system->proof->fault) return refutation_false_step(refutation, system->proof->fault_text);
  bool is_full = answer == VERDICT_UNKNOWN && ring_is_full(system->proof->ring);
  return is_full ? too_large(system, refutation) : answer;
}
