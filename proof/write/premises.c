/* The statement of a rule in the order of docs/certificates.md, and the available clauses: those of
 * the statement, the definitions of the unknowns, and the instances that the proof used. */
#include "proof/write/premises.h"

#include <assert.h>

#include "smt/rules/lemmas.h"

static Fact inequality(Poly poly) { return (Fact){.poly = poly}; }
static Fact equation(Poly poly) { return (Fact){.poly = poly, .is_equation = true}; }

static Clause clause_of(RuleProof *proof, uint32_t count, const Fact *facts) {
  Clause clause = {.count = 1, .branches = ARENA_NEW(proof->arena, Branch, 1)};
  for (uint32_t i = 0; i < count; i++) *ARENA_PUSH(proof->arena, &clause.branches[0]) = facts[i];
  return clause;
}

static void clause_put(RuleProof *proof, Clause *clause, uint32_t branch, Fact fact) {
  if (clause->branches == nullptr) clause->branches = ARENA_NEW(proof->arena, Branch, 3);
  if (clause->count <= branch) clause->count = branch + 1;
  *ARENA_PUSH(proof->arena, &clause->branches[branch]) = fact;
}

static void premise_put(RuleProof *proof, Premises *premises, Reason reason, uint32_t number,
    uint32_t part, Clause clause) {
  *ARENA_PUSH(proof->arena, premises) =
      (Premise){.reason = reason, .number = number, .part = part, .clause = clause};
}

static void premise_put_fact(RuleProof *proof, Premises *premises, Reason reason, uint32_t number,
    uint32_t part, Fact fact) {
  premise_put(proof, premises, reason, number, part, clause_of(proof, 1, &fact));
}

Clause clause_of_integer(RuleProof *proof, Poly poly) {
  Clause clause = {};
  clause_put(proof, &clause, 0, inequality(poly));
  clause_put(proof, &clause, 1,
      inequality(poly_shift(proof->ring, poly_scale(proof->ring, poly, -1), -1)));
  return clause;
}

/* Visits the divisors of a term, inner ones first, left before right. */
static void divisors_visit(Statement *statement, const RuleTerm *term,
    void (*visit)(Statement *, Poly, void *), void *context) {
  if (term->kind != TERM_OPERATOR && term->kind != TERM_GCD) return;
  divisors_visit(statement, term->left, visit, context);
  divisors_visit(statement, term->right, visit, context);
  if (term->kind == TERM_OPERATOR && op_divides(term->op))
    visit(statement, system_term(statement->system, term->right), context);
}

typedef struct GuardPosition {
  uint32_t guard, divisor;
} GuardPosition;

static void guard_divisor(Statement *statement, Poly divisor, void *context) {
  GuardPosition *position = context;
  RuleProof *proof = statement->refutation->proof;
  premise_put_fact(proof, &statement->given, REASON_GUARD_DIVISOR, position->guard,
      ++position->divisor, inequality(poly_shift(proof->ring, divisor, -1)));
}

static void guard_put(Statement *statement, uint32_t number) {
  RuleProof *proof = statement->refutation->proof;
  PolyRing *ring = proof->ring;
  const Guard *guard = &proof->rule->guards[number - 1];
  GuardPosition position = {.guard = number};
  divisors_visit(statement, guard->left, guard_divisor, &position);
  divisors_visit(statement, guard->right, guard_divisor, &position);
  Poly left = system_term(statement->system, guard->left),
       more = poly_subtract(ring, left, system_term(statement->system, guard->right)),
       less = poly_scale(ring, more, -1);
  Clause clause = {};
  switch (guard->relation) {
    case REL_EQ: clause_put(proof, &clause, 0, equation(more)); break;
    case REL_LT: clause_put(proof, &clause, 0, inequality(poly_shift(ring, less, -1))); break;
    case REL_LE: clause_put(proof, &clause, 0, inequality(less)); break;
    case REL_GT: clause_put(proof, &clause, 0, inequality(poly_shift(ring, more, -1))); break;
    case REL_GE: clause_put(proof, &clause, 0, inequality(more)); break;
    case REL_NE:
      clause_put(proof, &clause, 0, inequality(poly_shift(ring, more, -1)));
      clause_put(proof, &clause, 1, inequality(poly_shift(ring, less, -1)));
      break;
  }
  premise_put(proof, &statement->given, REASON_GUARD, number, 0, clause);
}

static void bounds_put(Statement *statement, uint32_t letter) {
  RuleProof *proof = statement->refutation->proof;
  uint32_t x = proof_letter(proof, UNKNOWN_EXPR, letter);
  Poly value = poly_atom(proof->ring, x),
       lo = poly_atom(proof->ring, proof_letter(proof, UNKNOWN_LO, letter)),
       hi = poly_atom(proof->ring, proof_letter(proof, UNKNOWN_HI, letter));
  premise_put_fact(proof, &statement->given, REASON_LOWER, x, 0,
      inequality(poly_subtract(proof->ring, value, lo)));
  premise_put_fact(proof, &statement->given, REASON_UPPER, x, 0,
      inequality(poly_subtract(proof->ring, hi, value)));
}

static void divisor_keep(Statement *statement, Poly divisor, void *context) {
  (void)context;
  Wide value;
  if (poly_is_constant(divisor, &value) && value >= 1) return;
  for (uint32_t i = 0; i < statement->divisors.count; i++)
    if (poly_equal(statement->divisors.items[i], divisor)) return;
  *ARENA_PUSH(statement->arena, &statement->divisors) = divisor;
}

static void side_divisors(Statement *statement, const Side *side) {
  divisors_visit(statement, side->expr, divisor_keep, nullptr);
  if (!side->is_constraint) return;
  divisors_visit(statement, side->lo, divisor_keep, nullptr);
  divisors_visit(statement, side->hi, divisor_keep, nullptr);
}

static ProofObligation *obligation_new(Statement *statement, const char *what, const char *which) {
  ProofObligation *obligation = ARENA_PUSH(statement->arena, &statement->obligations);
  *obligation =
      (ProofObligation){.what = what, .which = which, .divisors = statement->divisors.count};
  return obligation;
}

/* The at-th part of the refutation that is not about a divisor, or nullptr. */
static const RefutationPart *part_of_sides(const RuleRefutation *refutation, uint32_t at) {
  for (uint32_t i = 0; i < refutation->count; i++) {
    if (refutation->items[i].divisor.count > 0) continue;
    if (at-- == 0) return &refutation->items[i];
  }
  return nullptr;
}

static void divisor_obligation(Statement *statement, uint32_t at) {
  Arena *arena = statement->arena;
  ProofObligation *obligation =
      obligation_new(statement, "divisor", arena_printf(arena, "%u", at + 1));
  Poly divisor = statement->divisors.items[at];
  obligation->divisors = at;
  obligation->goal = poly_scale(statement->refutation->proof->ring, divisor, -1);
  for (uint32_t i = 0; i < statement->refutation->count; i++)
    if (poly_equal(statement->refutation->items[i].divisor, divisor))
      obligation->part = &statement->refutation->items[i];
}

static void equal_obligations(Statement *statement) {
  const RuleRefutation *refutation = statement->refutation;
  PolyRing *ring = refutation->proof->ring;
  Poly left = system_term(statement->system, refutation->proof->rule->left.expr),
       more = poly_subtract(
           ring, left, system_term(statement->system, refutation->proof->rule->right.expr));
  ProofObligation *above = obligation_new(statement, "left", "above");
  above->goal = poly_shift(ring, more, -1);
  above->part = part_of_sides(refutation, 0);
  ProofObligation *below = obligation_new(statement, "left", "below");
  below->goal = poly_shift(ring, poly_scale(ring, more, -1), -1);
  below->part = part_of_sides(refutation, 0);
}

static void end_obligation(
    Statement *statement, const Side *from, const Side *to, bool is_low, uint32_t at) {
  PolyRing *ring = statement->refutation->proof->ring;
  System *system = statement->system;
  ProofObligation *obligation = obligation_new(statement,
      to == &statement->refutation->proof->rule->left ? "left" : "right", is_low ? "low" : "high");
  Poly value = system_term(system, from->expr), other = system_term(system, to->expr),
       end = system_term(system, is_low ? to->lo : to->hi);
  Poly outside = is_low ? poly_subtract(ring, end, other) : poly_subtract(ring, other, end);
  obligation->has_side = true;
  obligation->low = poly_subtract(ring, value, system_term(system, from->lo));
  obligation->high = poly_subtract(ring, system_term(system, from->hi), value);
  obligation->goal = poly_shift(ring, outside, -1);
  obligation->part = part_of_sides(statement->refutation, at);
}

Statement *statement_create(Arena *arena, const RuleRefutation *refutation) {
  Statement *statement = ARENA_NEW(arena, Statement, 1);
  *statement = (Statement){
      .arena = arena, .refutation = refutation, .system = system_copy(refutation->base)};
  const Rule *rule = refutation->proof->rule;
  for (uint32_t i = 0; i < rule->expr_count; i++)
    if (rule_names_bounds(rule, i)) bounds_put(statement, i);
  for (uint32_t i = 1; i <= rule->guard_count; i++) guard_put(statement, i);
  side_divisors(statement, &rule->left);
  side_divisors(statement, &rule->right);
  for (uint32_t i = 0; i < statement->divisors.count; i++) divisor_obligation(statement, i);
  if (!rule->left.is_constraint) equal_obligations(statement);
  for (uint32_t at = 0; rule->left.is_constraint && at < 4; at++)
    end_obligation(statement, at < 2 ? &rule->left : &rule->right,
        at < 2 ? &rule->right : &rule->left, at % 2 == 0, at);
  return statement;
}

static Poly companion(RuleProof *proof, const RuleUnknown *gcd, UnknownKind kind) {
  for (uint32_t i = 0; i < proof->count; i++)
    if (proof->items[i].kind == kind && poly_equal(proof->items[i].a, gcd->a) &&
        poly_equal(proof->items[i].b, gcd->b))
      return poly_atom(proof->ring, i);
  assert(false);
  return (Poly){};
}

static Clause gcd_clause(RuleProof *proof, const RuleUnknown *unknown, Poly gcd) {
  PolyRing *ring = proof->ring;
  Poly a = companion(proof, unknown, UNKNOWN_GCD_LEFT),
       b = companion(proof, unknown, UNKNOWN_GCD_RIGHT),
       s = companion(proof, unknown, UNKNOWN_BEZOUT_LEFT),
       t = companion(proof, unknown, UNKNOWN_BEZOUT_RIGHT);
  Poly one = poly_add(ring, poly_multiply(ring, s, a), poly_multiply(ring, t, b));
  const Fact facts[] = {inequality(gcd),
      equation(poly_subtract(ring, unknown->a, poly_multiply(ring, gcd, a))),
      equation(poly_subtract(ring, unknown->b, poly_multiply(ring, gcd, b))),
      equation(poly_shift(ring, one, -1))};
  return clause_of(proof, 4, facts);
}

static void lemma_put(
    RuleProof *proof, Premises *premises, LemmaKind kind, Poly a, Poly b, Wide k) {
  const Candidate candidate = {
      .kind = kind, .a = a, .b = b, .product = poly_multiply(proof->ring, a, b)};
  premise_put(proof, premises, REASON_LEMMA, 0, 0, lemma_instance(proof, &candidate, k));
}

/* The gcd g of a number m != 0 and another operand is one of the divisors of m. The definition says
 * so only by g*p = m: g != 0, for else g*p = 0; |p| >= 1, so that g <= g*|p| = |m|; and g = d gives
 * d*p = m, which a rounding refutes if d is no divisor. */
static void gcd_instances(RuleProof *proof, Premises *premises, Poly gcd, Poly part, Poly operand) {
  Wide m;
  if (!poly_is_constant(operand, &m) || m == 0) return;
  lemma_put(proof, premises, LEMMA_ZERO, gcd, part, 0);
  lemma_put(proof, premises, LEMMA_SPLIT, gcd, poly_scale(proof->ring, part, m < 0 ? -1 : 1), 1);
  const Wide size = m < 0 ? -m : m;
  for (Wide d = 2; d < size && size <= 16; d++)
    if (size % d != 0)
      lemma_put(proof, premises, LEMMA_ZERO, poly_shift(proof->ring, gcd, -d), part, 0);
}

/* C <= 0, or 0 <= X - C*q <= C - 1 */
static Clause quotient_clause(RuleProof *proof, const RuleUnknown *unknown, Poly quotient) {
  PolyRing *ring = proof->ring;
  Poly rest = poly_subtract(ring, unknown->a, poly_multiply(ring, unknown->b, quotient));
  Clause clause = {};
  clause_put(proof, &clause, 0, inequality(poly_scale(ring, unknown->b, -1)));
  clause_put(proof, &clause, 1, inequality(rest));
  clause_put(
      proof, &clause, 1, inequality(poly_shift(ring, poly_subtract(ring, unknown->b, rest), -1)));
  return clause;
}

/* p = 0 and D <= 0, or p = D and D >= 0 */
static Clause positive_clause(RuleProof *proof, const RuleUnknown *unknown, Poly part) {
  PolyRing *ring = proof->ring;
  Clause clause = {};
  clause_put(proof, &clause, 0, equation(part));
  clause_put(proof, &clause, 0, inequality(poly_scale(ring, unknown->a, -1)));
  clause_put(proof, &clause, 1, equation(poly_subtract(ring, part, unknown->a)));
  clause_put(proof, &clause, 1, inequality(unknown->a));
  return clause;
}

static void definition_put(RuleProof *proof, Premises *premises, uint32_t number) {
  const RuleUnknown unknown = proof->items[number];
  Poly atom = poly_atom(proof->ring, number);
  switch (unknown.kind) {
    case UNKNOWN_QUOTIENT:
      premise_put(
          proof, premises, REASON_DEFINE, number, 0, quotient_clause(proof, &unknown, atom));
      return;
    case UNKNOWN_MAX:
      premise_put(
          proof, premises, REASON_DEFINE, number, 0, positive_clause(proof, &unknown, atom));
      return;
    case UNKNOWN_GCD:
      premise_put(proof, premises, REASON_DEFINE, number, 0, gcd_clause(proof, &unknown, atom));
      gcd_instances(proof, premises, atom, companion(proof, &unknown, UNKNOWN_GCD_LEFT), unknown.a);
      gcd_instances(
          proof, premises, atom, companion(proof, &unknown, UNKNOWN_GCD_RIGHT), unknown.b);
      return;
    case UNKNOWN_NAMED:
      premise_put_fact(proof, premises, REASON_DEFINE, number, 0,
          equation(poly_subtract(proof->ring, atom, unknown.a)));
      return;
    case UNKNOWN_CONSTANT:
    case UNKNOWN_EXPR:
    case UNKNOWN_LO:
    case UNKNOWN_HI:
    case UNKNOWN_GCD_LEFT:
    case UNKNOWN_GCD_RIGHT:
    case UNKNOWN_BEZOUT_LEFT:
    case UNKNOWN_BEZOUT_RIGHT: return;
  }
}

static void integer_put(RuleProof *proof, Premises *premises, Poly poly) {
  premise_put(proof, premises, REASON_INTEGER, 0, 0, clause_of_integer(proof, poly));
}

/* Adds integer clauses at the options of a case split that covers all integers; it follows from
 * them. */
static void cuts_put(RuleProof *proof, Premises *premises, const Clause *clause) {
  for (uint32_t b = 0; b < clause->count; b++)
    for (uint32_t f = 0; f < clause->branches[b].count; f++) {
      const Fact *fact = &clause->branches[b].items[f];
      integer_put(proof, premises, fact->poly);
      if (fact->is_equation) integer_put(proof, premises, poly_shift(proof->ring, fact->poly, -1));
    }
}

static void part_put(RuleProof *proof, Premises *premises, const RefutationPart *part) {
  for (uint32_t i = 0; i < part->count; i++) {
    if (part->items[i].instance == nullptr) cuts_put(proof, premises, &part->items[i]);
    else premise_put(proof, premises, REASON_LEMMA, 0, 0, part->items[i]);
  }
}

Premises statement_premises(const Statement *statement, const ProofObligation *obligation) {
  RuleProof *proof = statement->refutation->proof;
  Premises premises = {};
  premise_put_fact(proof, &premises, REASON_GOAL, 0, 0, inequality(obligation->goal));
  if (obligation->has_side) {
    premise_put_fact(proof, &premises, REASON_LOW, 0, 0, inequality(obligation->low));
    premise_put_fact(proof, &premises, REASON_HIGH, 0, 0, inequality(obligation->high));
  }
  for (uint32_t i = 0; i < statement->given.count; i++)
    *ARENA_PUSH(proof->arena, &premises) = statement->given.items[i];
  for (uint32_t i = 0; i < obligation->divisors; i++)
    premise_put_fact(proof, &premises, REASON_DIVISOR, i + 1, 0,
        inequality(poly_shift(proof->ring, statement->divisors.items[i], -1)));
  uint32_t unknowns = proof->count;
  for (uint32_t i = 0; i < unknowns; i++) definition_put(proof, &premises, i);
  if (obligation->part != nullptr) part_put(proof, &premises, obligation->part);
  for (uint32_t i = 0; obligation->part == nullptr && i < statement->refutation->count; i++)
    part_put(proof, &premises, &statement->refutation->items[i]);
  return premises;
}
