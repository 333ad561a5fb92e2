/* The obligations of a rule, one after another: divisors from the inside out, then the sides.
 * Sampling comes first: it refutes nine of ten false rules almost immediately, and finds the
 * witnesses that the proof is checked against. */
#include "smt/rules/prove_plain.h"

#include <assert.h>
#include <inttypes.h>

#include "smt/rules/rule_refute.h"
#include "smt/rules/rule_sample.h"
#include "smt/rules/refutation.h"
#include "smt/solver/smtlib.h"

static constexpr uint32_t first_tries = 600;
static constexpr uint32_t guard_tries = 20'000;
static constexpr uint32_t last_tries = 20'000;
static constexpr uint32_t overflow_tries = 400;

typedef struct Proving {
  Arena *arena;
  const Rule *rule;
  const ProveOptions *options;
  RuleVerdict *verdict;
  RuleProof *proof;
  System *base;
  Linear linear;
  Refutation refutation;
  struct {
    uint32_t count, capacity;
    const char **items;
  } obligations;
  const char *what;        /* the current obligation */
  RuleRefutation *written; /* if requested */
} Proving;

static void set_refuted(Proving *work, const RuleValues *values, const char *method) {
  RuleVerdict *verdict = work->verdict;
  verdict->answer = VERDICT_REFUTED;
  verdict->method = method;
  verdict->values = *values;
  rule_shrink(work->rule, &verdict->values);
  verdict_describe(work->arena, work->rule, verdict);
}

static void set_unknown(Proving *work, const char *why) {
  work->verdict->answer = VERDICT_UNKNOWN;
  work->verdict->method = "none";
  work->verdict->text =
      work->what == nullptr ? why : arena_printf(work->arena, "%s: %s", work->what, why);
}

static bool same_instance(const Clause *a, const Clause *b) {
  assert(a->count <= clause_max_branches);
  assert(b->count <= clause_max_branches);
  if (a->instance == nullptr || b->instance == nullptr) return a->branches == b->branches;
  return a->instance->kind == b->instance->kind && a->k == b->k &&
         poly_equal(a->instance->a, b->instance->a) && poly_equal(a->instance->b, b->instance->b);
}

static void keep_instances(Proving *work, const System *system) {
  RefutationPart *part = &work->written->items[work->written->count - 1];
  for (uint32_t i = 0; i < system->refutation.count; i++) {
    const Clause *clause = &system->refutation.items[i];
    bool is_known = clause->origin != ORIGIN_LEMMA;
    for (uint32_t k = 0; k < part->count && !is_known; k++)
      is_known = same_instance(clause, &part->items[k]);
    if (!is_known) *ARENA_PUSH(work->arena, part) = *clause;
  }
}

static void keep_obligation(void *context, const System *system) {
  Proving *work = context;
  if (work->written != nullptr && work->written->count > 0) keep_instances(work, system);
  if (!work->options->want_obligations) return;
  Text text = text_create(work->arena);
  smtlib_refutation(&text, system, work->what);
  *ARENA_PUSH(work->arena, &work->obligations) = text.bytes;
}

/* Refutes `goal`, which is the base and its assumptions; true if that is proved. */
static bool prove_goal(Proving *work, System *goal, Poly divisor, const char *what) {
  assert(poly_is_canonical(goal->proof->ring, divisor));
  work->what = what;
  proof_explain(work->proof, "%s\n", what);
  if (work->written != nullptr)
    *ARENA_PUSH(work->arena, work->written) = (RefutationPart){.divisor = divisor};
  switch (system_refute(goal, &work->refutation)) {
    case VERDICT_PROVED: return true;
    case VERDICT_REFUTED:
      set_refuted(work, &work->refutation.values, "a model of the solver");
      return false;
    case VERDICT_UNKNOWN:
      set_unknown(work, work->refutation.reason);
      work->verdict->reason = work->refutation.kind;
      return false;
  }
  assert(false);
  return false;
}

static const char *prove_plain_describe(
    Proving *work, const char *before, const RuleTerm *term, const char *after) {
  Text text = text_create(work->arena);
  text_string(&text, before);
  term_print(&text, work->rule, term);
  text_string(&text, after);
  return text.bytes;
}

static bool prove_divisor(Proving *work, const RuleTerm *term) {
  PolyRing *ring = work->proof->ring;
  Poly divisor = system_term(work->base, term);
  Poly positive = poly_shift(ring, divisor, -1);
  Wide value;
  if (poly_is_constant(divisor, &value) && value >= 1) return true;
  if (system_has_fact(work->base, positive, false)) return true;
  System *goal = system_copy(work->base);
  system_assume(goal, poly_scale(ring, divisor, -1), false, ORIGIN_GOAL);
  if (!prove_goal(work, goal, divisor, prove_plain_describe(work, "divisor ", term, " >= 1")))
    return false;
  system_state(work->base, positive, false, ORIGIN_DIVISOR);
  return true;
}

/* Inner divisors come first: a term is encoded only after all its divisors are known to be
 * positive. */
static bool prove_divisors(Proving *work, const RuleTerm *term) {
  if (term->kind != TERM_OPERATOR && term->kind != TERM_GCD) return true;
  if (!prove_divisors(work, term->left) || !prove_divisors(work, term->right)) return false;
  return term->kind == TERM_GCD || !op_divides(term->op) || prove_divisor(work, term->right);
}

static bool prove_side_divisors(Proving *work, const Side *side) {
  if (!prove_divisors(work, side->expr)) return false;
  return !side->is_constraint || (prove_divisors(work, side->lo) && prove_divisors(work, side->hi));
}

static bool prove_equal(Proving *work) {
  PolyRing *ring = work->proof->ring;
  System *goal = system_copy(work->base);
  Poly left = system_term(goal, work->rule->left.expr);
  Poly difference = poly_subtract(ring, left, system_term(goal, work->rule->right.expr));
  Clause differs = clause_of_two(work->proof, (Fact){.poly = poly_shift(ring, difference, -1)},
      (Fact){.poly = poly_shift(ring, poly_scale(ring, difference, -1), -1)}, ORIGIN_GOAL, false);
  system_assume_clause(goal, &differs);
  return prove_goal(work, goal, (Poly){}, "left = right");
}

/* Proves one end of `to` from lo <= e <= hi of `from`. */
static bool prove_end(
    Proving *work, const Side *from, const Side *to, bool is_low, const char *what) {
  PolyRing *ring = work->proof->ring;
  System *goal = system_copy(work->base);
  Poly from_value = system_term(goal, from->expr), to_value = system_term(goal, to->expr);
  system_assume(
      goal, poly_subtract(ring, from_value, system_term(goal, from->lo)), false, ORIGIN_HYPOTHESIS);
  system_assume(
      goal, poly_subtract(ring, system_term(goal, from->hi), from_value), false, ORIGIN_HYPOTHESIS);
  Poly end = system_term(goal, is_low ? to->lo : to->hi);
  Poly outside = is_low ? poly_subtract(ring, end, to_value) : poly_subtract(ring, to_value, end);
  system_assume(goal, poly_shift(ring, outside, -1), false, ORIGIN_GOAL);
  return prove_goal(work, goal, (Poly){}, what);
}

static bool prove_equivalent(Proving *work) {
  const Side *left = &work->rule->left, *right = &work->rule->right;
  return prove_end(work, left, right, true, "left gives the lower end of right") &&
         prove_end(work, left, right, false, "left gives the upper end of right") &&
         prove_end(work, right, left, true, "right gives the lower end of left") &&
         prove_end(work, right, left, false, "right gives the upper end of left");
}

static const char *method_of(Proving *work) {
  const Refutation *refutation = &work->refutation;
  const char *cases = refutation->leaves > 4
                          ? arena_printf(work->arena, ", %" PRIu32 " cases", refutation->leaves)
                          : "";
  if (refutation->lemma_count > 0)
    return arena_printf(work->arena, "%" PRIu32 " lemma instances of level %" PRIu32 "%s",
        refutation->lemma_count, refutation->level, cases);
  return arena_printf(work->arena, "normal form and linear arithmetic%s", cases);
}

static bool prove_all(Proving *work) {
  if (!prove_side_divisors(work, &work->rule->left) ||
      !prove_side_divisors(work, &work->rule->right))
    return false;
  if (!(work->rule->left.is_constraint ? prove_equivalent(work) : prove_equal(work))) return false;
  work->verdict->answer = VERDICT_PROVED;
  work->verdict->method = method_of(work);
  work->verdict->text = "";
  work->verdict->refutation = work->written;
  return true;
}

/* What is left of the rule's budget, at least 1: the test of the guard uses a part of it. */
static uint64_t rlimit_left(const Proving *work) {
  uint64_t rlimit = work->options->rlimit == 0 ? prove_default_rlimit : work->options->rlimit;
  return work->verdict->rlimit_used < rlimit ? rlimit - work->verdict->rlimit_used : 1;
}

static void open_proof(Proving *work, const Sample *sample, Replayer replay) {
  work->proof = proof_create(work->arena, work->rule);
  Text *explanation = ARENA_NEW(work->arena, Text, 1);
  *explanation = text_create(work->arena);
  if (work->options->want_explanation) work->proof->explanation = explanation;
  if (work->options->witness != nullptr) proof_add_witness(work->proof, work->options->witness);
  for (uint32_t i = 0; i < sample->hit_count; i++) proof_add_witness(work->proof, &sample->hits[i]);
  work->proof->stop = work->options->stop;
  work->linear = linear_open(work->proof, rlimit_left(work), work->options->seed);
  work->refutation = (Refutation){.linear = &work->linear,
      .replay = replay,
      .is_brute_force = work->options->only_proof,
      .closed = keep_obligation,
      .context = work};
  work->base = system_create(work->proof);
  system_state_guards(work->base);
  if (work->options->want_refutation) {
    work->written = ARENA_NEW(work->arena, RuleRefutation, 1);
    *work->written = (RuleRefutation){.proof = work->proof, .base = work->base};
  }
}

static void close_proof(Proving *work) {
  work->verdict->rlimit_used += work->linear.rlimit - work->linear.rlimit_left;
  linear_close(&work->linear);
  work->verdict->obligation_count = work->obligations.count;
  work->verdict->obligations = work->obligations.items;
  if (work->proof->explanation != nullptr)
    work->verdict->explanation = work->proof->explanation->bytes;
}

/* Called if no sample satisfied the guard: PROVED if nothing does, REFUTED by values. */
static VerdictStatus guard_is_vacuous(Proving *work, Sample *sample) {
  rule_sample(work->rule, 2, guard_tries, 100, sample);
  if (sample->is_refuted || sample->hit_count > 0) return VERDICT_REFUTED;
  open_proof(work, sample, rule_guard_holds);
  work->what = "the guard";
  VerdictStatus answer = system_refute(system_copy(work->base), &work->refutation);
  close_proof(work);
  work->obligations.count = 0;
  if (answer != VERDICT_REFUTED) return answer;
  RuleValues values = work->refutation.values;
  sample->is_refuted = rule_is_refuted_by(work->rule, &values);
  if (sample->is_refuted) sample->refutation = values;
  else sample->hits[sample->hit_count++] = values;
  return VERDICT_REFUTED;
}

/* Called if the proof failed and no model was a counterexample: samples once more, more widely. */
static void look_again(Proving *work) {
  static const uint32_t spans[] = {40, 400, 100'000};
  for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
    Sample sample = {};
    rule_sample(work->rule, 10 + i, last_tries, spans[i], &sample);
    if (!sample.is_refuted) continue;
    set_refuted(work, &sample.refutation, "random values");
    return;
  }
}

void prove_note_overflow(Arena *arena, const Rule *rule, RuleVerdict *verdict) {
  verdict->note = nullptr;
  verdict->has_overflow = rule_overflows(rule, 5, overflow_tries, &verdict->overflow);
  verdict_describe(arena, rule, verdict);
}

bool prove_plain(
    Arena *arena, const Rule *rule, const ProveOptions *options, RuleVerdict *verdict) {
  *verdict = (RuleVerdict){.scope = "all values", .text = "", .method = "none"};
  Proving work = {.arena = arena, .rule = rule, .options = options, .verdict = verdict};
  Sample sample = {};
  bool is_test = options->skip_sampling || options->only_proof;
  rule_sample(rule, 1, first_tries, 20, &sample);
  if (is_test) sample.is_refuted = false;
  if (!sample.is_refuted && sample.hit_count == 0) {
    VerdictStatus vacuous = guard_is_vacuous(&work, &sample);
    if (vacuous == VERDICT_PROVED) return false;
    if (vacuous == VERDICT_UNKNOWN) set_unknown(&work, "no values were found under which it holds");
    if (vacuous == VERDICT_UNKNOWN) return true;
  }
  if (sample.is_refuted && !is_test) {
    set_refuted(&work, &sample.refutation, "random values");
    return true;
  }
  open_proof(&work, &sample, rule_is_refuted_by);
  bool is_proved = prove_all(&work);
  close_proof(&work);
  if (is_proved) prove_note_overflow(arena, rule, verdict);
  else if (verdict->answer == VERDICT_UNKNOWN && !is_test) look_again(&work);
  return true;
}
