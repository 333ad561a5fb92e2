/* Constraints on indices, and questions about them. Intervals decide most questions; the others go
 * to Z3. A question is "no index satisfies the constraints and makes the sums differ". */
#include "smt/values/values.h"

#include <assert.h>

/* Definitions of earlier questions are part of every later one, so a query past this limit is
 * replaced by a new one. */
static constexpr uint32_t most_definitions = 150;
static constexpr uint64_t usual_rlimit = 500'000;

bool given_is_canonical(const Sums *sums, const Given *given) {
  for (uint32_t i = 0; i < given->withins.count; i++) {
    if (!sums_has(sums, given->withins.items[i].sum)) return false;
    const SumNode *node = &sums->sums[given->withins.items[i].sum.at];
    if (node->constant != 0 || (node->term_count > 0 && node->terms[0].coefficient < 0))
      return false;
  }
  return true;
}

Given given_copy(ValuesProof *proof, const Given *given) {
  assert(given_is_canonical(proof->sums, given));
  Given copy = {.is_empty = given->is_empty};
  for (uint32_t i = 0; i < given->withins.count; i++)
    *ARENA_PUSH(proof->arena, &copy.withins) = given->withins.items[i];
  assert(given_is_canonical(proof->sums, &copy));
  return copy;
}

static Within within_plain(ValuesProof *proof, Within within) {
  assert(sums_has(proof->sums, within.sum));
  const SumNode node = proof->sums->sums[within.sum.at];
  within.sum = sum_subtract(proof->sums, within.sum, sum_of_constant(proof->sums, node.constant));
  if (within.lo > -no_bound) within.lo -= node.constant;
  if (within.hi < no_bound) within.hi -= node.constant;
  if (node.term_count == 0 || node.terms[0].coefficient > 0) return within;
  Wide lo = within.lo;
  within.sum = sum_scale(proof->sums, within.sum, -1);
  within.lo = within.hi >= no_bound ? -no_bound : -within.hi;
  within.hi = lo <= -no_bound ? no_bound : -lo;
  return within;
}

static Within *given_find(Given *given, Sum sum) {
  for (uint32_t i = 0; i < given->withins.count; i++)
    if (sum_same(given->withins.items[i].sum, sum)) return &given->withins.items[i];
  return nullptr;
}

void given_add(ValuesProof *proof, Given *given, Within within) {
  assert(sums_has(proof->sums, within.sum));
  Wide lo, hi;
  within = within_plain(proof, within);
  if (sum_range(proof->sums, within.sum, &lo, &hi)) {
    if (within.lo <= lo && hi <= within.hi) return;
    if (within.lo < lo) within.lo = lo;
    if (within.hi > hi) within.hi = hi;
  }
  Within *known = given_find(given, within.sum);
  if (known == nullptr) {
    *ARENA_PUSH(proof->arena, &given->withins) = within;
    known = &given->withins.items[given->withins.count - 1];
  }
  if (within.lo > known->lo) known->lo = within.lo;
  if (within.hi < known->hi) known->hi = within.hi;
  if (known->lo > known->hi) given->is_empty = true;
  assert(given_is_canonical(proof->sums, given));
}

void given_add_all(ValuesProof *proof, Given *given, const Withins *withins) {
  for (uint32_t i = 0; i < withins->count && !given->is_empty; i++)
    given_add(proof, given, withins->items[i]);
}

/* False if no solver may be used. */
static bool proof_query(ValuesProof *proof) {
  if (proof->options->without_solver) return false;
  if (proof->has_query && proof->query.definition_count > most_definitions) {
    proof->rlimit_used += proof->query.rlimit_used;
    query_close(&proof->query);
    proof->has_query = false;
  }
  if (proof->has_query) return true;
  uint64_t rlimit = proof->options->rlimit == 0 ? usual_rlimit : proof->options->rlimit;
  proof->query = query_open(proof->arena, proof->sums, rlimit, proof->options->seed);
  proof->query.session.stop = proof->options->stop;
  proof->has_query = true;
  return true;
}

static uint32_t given_facts(ValuesProof *proof, const Given *given, Z3_ast *facts) {
  assert(given_is_canonical(proof->sums, given));
  for (uint32_t i = 0; i < given->withins.count; i++)
    facts[i] = query_within(&proof->query, given->withins.items[i]);
  return given->withins.count;
}

/* Stores a completed model of the last question as the witness, so that sums have values. */
static Same proof_witness(ValuesProof *proof) {
  Wide *values = ARENA_NEW(proof->arena, Wide, proof->sums->atom_count);
  if (!query_model(&proof->query, values)) return proof_open(proof, "a model is past 128 bits");
  proof->witness = values;
  proof->witness_count = proof->sums->atom_count;
  return SAME_NO;
}

static Same proof_check(ValuesProof *proof, uint32_t count, const Z3_ast *facts) {
  VerdictStatus answer = proof->is_brief ? query_check_briefly(&proof->query, count, facts)
                                         : query_check(&proof->query, count, facts);
  switch (answer) {
    case VERDICT_PROVED: return SAME_YES;
    case VERDICT_REFUTED: return proof_witness(proof);
    case VERDICT_UNKNOWN:
      return proof_open(proof, "the solver does not decide: %s", proof->query.reason);
  }
  return SAME_OPEN;
}

/* ---- samples ---- */

/* Tries a few points before the solver: most questions that fail, fail at once. Runtime values are
 * left to the solver, which knows that equal elements are equal. Without a solver, elements get
 * values by their indices. */
typedef struct Sampling {
  ValuesProof *proof;
  const Given *given;
  Wide *values; /* [atom_count] */
  uint64_t seed;
} Sampling;

static constexpr uint32_t most_samples = 6, most_element_samples = 40;

static bool mentions_values(
    ValuesProof *proof, const Given *given, uint32_t count, const Sum *a, const Sum *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(sums_has_all(proof->sums, count, a));
  assert(sums_has_all(proof->sums, count, b));
  const Sums *sums = proof->sums;
  bool any = false;
  for (uint32_t i = 0; i < sums->atom_count && !any; i++) any = sums->atoms[i].kind == ATOM_VALUE;
  if (!any) return false;
  bool *depends = sums_dependent_on_values(sums);
  any = false;
  for (uint32_t i = 0; i < given->withins.count && !any; i++)
    any = sum_depends(sums, depends, given->withins.items[i].sum);
  for (uint32_t i = 0; i < count && !any; i++)
    any = sum_depends(sums, depends, a[i]) || sum_depends(sums, depends, b[i]);
  return any;
}

/* 0: the lower ends; 1: the upper ends; otherwise a value between. */
static Wide sample_between(Sampling *sampling, uint32_t number, Wide lo, Wide hi) {
  if (number == 0 || lo >= hi) return lo;
  if (number == 1) return hi;
  sampling->seed = hash_mix(sampling->seed, number);
  return lo + (Wide)sampling->seed % (hi - lo + 1);
}

static void sample_point(Sampling *sampling, uint32_t number) {
  const Sums *sums = sampling->proof->sums;
  for (uint32_t at = 0; at < sums->atom_count; at++) {
    const SumAtom *atom = &sums->atoms[at];
    if (atom->kind != ATOM_FREE && atom->kind != ATOM_VALUE) continue;
    sampling->values[at] = atom->bounded ? sample_between(sampling, number, atom->lo, atom->hi) : 0;
  }
  for (uint32_t i = 0; i < sampling->given->withins.count; i++) {
    uint32_t at = 0;
    const Within *within = &sampling->given->withins.items[i];
    if (sum_is_atom(sums, within->sum, &at) && sums->atoms[at].kind == ATOM_FREE)
      sampling->values[at] = sample_between(sampling, number, within->lo, within->hi);
  }
}

/* A number that identifies the instruction: a pointer differs from run to run. */
static uint32_t first_of_instruction(const Sums *sums, uint32_t at) {
  uint32_t first = 0;
  while (sums->atoms[first].kind != ATOM_VALUE ||
         sums->atoms[first].instruction != sums->atoms[at].instruction)
    first++;
  return first;
}

static bool same_element(const Sampling *sampling, uint32_t one, uint32_t other) {
  const Sums *sums = sampling->proof->sums;
  const SumAtom *a = &sums->atoms[one], *b = &sums->atoms[other];
  if (a->instruction != b->instruction || a->index_count != b->index_count) return false;
  for (uint32_t i = 0; i < a->index_count; i++) {
    Wide x, y;
    if (!sum_evaluate(sums, sampling->values, a->index[i], &x) ||
        !sum_evaluate(sums, sampling->values, b->index[i], &y))
      return true;
    if (x != y) return false;
  }
  return true;
}

/* Gives elements with equal indices equal values; false if that is impossible. */
static bool sample_elements(Sampling *sampling, uint32_t number) {
  const Sums *sums = sampling->proof->sums;
  if (sums->too_deep) return false;
  for (uint32_t at = 0; at < sums->atom_count; at++) {
    const SumAtom *atom = &sums->atoms[at];
    if (atom->kind == ATOM_FREE) continue;
    if (atom->kind != ATOM_VALUE) {
      if (!sums_complete_atom(sums, sampling->values, at)) return false;
      continue;
    }
    uint64_t hash = hash_mix(number, first_of_instruction(sums, at));
    for (uint32_t i = 0; i < atom->index_count; i++) {
      Wide index;
      if (!sum_evaluate(sums, sampling->values, atom->index[i], &index)) return false;
      hash = hash_mix(hash, (uint64_t)index);
    }
    Wide lo = atom->bounded && atom->lo > -1 ? atom->lo : -1, hi = lo + 4;
    if (atom->bounded && hi > atom->hi) hi = atom->hi, lo = hi - 4 > atom->lo ? hi - 4 : atom->lo;
    sampling->values[at] = lo + (Wide)(hash % (uint64_t)(hi - lo + 1));
    for (uint32_t other = 0; other < at; other++)
      if (sums->atoms[other].kind == ATOM_VALUE && same_element(sampling, other, at) &&
          sampling->values[other] != sampling->values[at])
        return false;
  }
  return true;
}

static bool sample_differs(const Sampling *sampling, uint32_t count, const Sum *a, const Sum *b) {
  const Sums *sums = sampling->proof->sums;
  for (uint32_t i = 0; i < count; i++) {
    Wide x, y;
    if (sum_evaluate(sums, sampling->values, a[i], &x) &&
        sum_evaluate(sums, sampling->values, b[i], &y) && x != y)
      return true;
  }
  return count == 0;
}

/* Whether a sample satisfies the constraints and makes the sums differ. */
static bool sampled(
    ValuesProof *proof, const Given *given, uint32_t count, const Sum *a, const Sum *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(sums_has_all(proof->sums, count, a));
  assert(sums_has_all(proof->sums, count, b));
  bool has_values = mentions_values(proof, given, count, a, b);
  if (has_values && !proof->options->without_solver) return false;
  Sampling sampling = {.proof = proof,
      .given = given,
      .values = ARENA_NEW(proof->arena, Wide, proof->sums->atom_count + 1),
      .seed = 1};
  for (uint32_t number = 0; number < (has_values ? most_element_samples : most_samples); number++) {
    sample_point(&sampling, number);
    if (has_values && !sample_elements(&sampling, number)) continue;
    if (!sums_complete(proof->sums, sampling.values) ||
        !withins_hold_at(proof->sums, &given->withins, sampling.values) ||
        !sample_differs(&sampling, count, a, b))
      continue;
    proof->witness = sampling.values;
    proof->witness_count = proof->sums->atom_count;
    return true;
  }
  return false;
}

Same given_equal(
    ValuesProof *proof, const Given *given, uint32_t count, const Sum *a, const Sum *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(sums_has_all(proof->sums, count, a));
  assert(sums_has_all(proof->sums, count, b));
  bool is_same = true;
  for (uint32_t i = 0; i < count && is_same; i++) is_same = sum_same(a[i], b[i]);
  if (is_same || given->is_empty) return SAME_YES;
  if (proof_is_over(proof)) return SAME_OPEN;
  if (sampled(proof, given, count, a, b)) return SAME_NO;
  if (!proof_query(proof)) return proof_open(proof, "no solver is asked");
  Z3_ast *facts = ARENA_NEW(proof->arena, Z3_ast, given->withins.count + 1),
         *differ = ARENA_NEW(proof->arena, Z3_ast, count);
  uint32_t fact_count = given_facts(proof, given, facts), differ_count = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!sum_same(a[i], b[i])) differ[differ_count++] = query_differ(&proof->query, a[i], b[i]);
  facts[fact_count++] = query_or(&proof->query, differ_count, differ);
  return proof_check(proof, fact_count, facts);
}

Same given_implies(ValuesProof *proof, const Given *given, Within within) {
  assert(given_is_canonical(proof->sums, given));
  assert(sums_has(proof->sums, within.sum));
  Given with = given_copy(proof, given);
  Wide lo, hi;
  if (sum_range(proof->sums, within.sum, &lo, &hi) && within.lo <= lo && hi <= within.hi)
    return SAME_YES;
  Within plain = within_plain(proof, within);
  const Within *known = given_find(&with, plain.sum);
  if (given->is_empty || (known != nullptr && plain.lo <= known->lo && known->hi <= plain.hi))
    return SAME_YES;
  if (proof_is_over(proof)) return SAME_OPEN;
  if (!proof_query(proof)) return proof_open(proof, "no solver is asked");
  Z3_ast *facts = ARENA_NEW(proof->arena, Z3_ast, given->withins.count + 1);
  uint32_t count = given_facts(proof, given, facts);
  facts[count++] = query_not(&proof->query, query_within(&proof->query, within));
  return proof_check(proof, count, facts);
}

bool given_implies_all(ValuesProof *proof, const Given *given, const Withins *withins) {
  assert(given_is_canonical(proof->sums, given));
  const Wide *witness = proof->witness;
  const uint32_t count = proof->witness_count;
  const bool was_quiet = proof->is_quiet;
  bool are_implied = true;
  proof->is_quiet = true;
  for (uint32_t i = 0; are_implied && i < withins->count; i++)
    are_implied = given_implies(proof, given, withins->items[i]) == SAME_YES;
  proof->is_quiet = was_quiet;
  proof->witness = witness;
  proof->witness_count = count;
  return are_implied;
}

Same given_vacuous(ValuesProof *proof, const Given *given) {
  assert(given_is_canonical(proof->sums, given));
  if (given->is_empty) return SAME_YES;
  if (proof_is_over(proof)) return SAME_OPEN;
  if (sampled(proof, given, 0, nullptr, nullptr)) return SAME_NO;
  if (!proof_query(proof)) return proof_open(proof, "no solver is asked");
  Z3_ast *facts = ARENA_NEW(proof->arena, Z3_ast, given->withins.count + 1);
  return proof_check(proof, given_facts(proof, given, facts), facts);
}

Same proof_differ(ValuesProof *proof, const Given *given, const Spot *a, const Spot *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(spot_is_well_formed(proof->sums, a));
  assert(spot_is_well_formed(proof->sums, b));
  Same same = given_vacuous(proof, given);
  if (same == SAME_NO && !proof->is_quiet && proof->difference[0] == 0)
    snprintf(proof->difference, sizeof proof->difference, "%s '%.60s' before, %s '%.60s' after",
        opcode_name(a->instruction->opcode), a->instruction->name,
        opcode_name(b->instruction->opcode), b->instruction->name);
  return same;
}
