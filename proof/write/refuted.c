/* From an obligation to a small refutation: minimises the available clauses, searches a tree over
 * the rest, and repeats the search over the clauses that the tree uses. */
#include "proof/write/certificate.h"

static constexpr uint32_t most_depth = 400; /* of a certificate */

static Premises premises_kept(RuleProof *proof, const Premises *premises, const bool *is_kept) {
  Premises kept = {};
  for (uint32_t i = 0; i < premises->count; i++)
    if (is_kept[i]) *ARENA_PUSH(proof->arena, &kept) = premises->items[i];
  return kept;
}

/* Drops unused premises and searches again, because the tree refers to premises by number. */
static void unused_drop(RuleProof *proof, Refuted *refuted) {
  bool *is_used = ARENA_NEW(proof->arena, bool, refuted->premises.count);
  uint32_t used = 0;
  for (uint32_t i = 0; i < refuted->premises.count; i++)
    used += is_used[i] = tree_uses(refuted->tree, &refuted->premises, i);
  if (used == refuted->premises.count) return;
  Premises fewer = premises_kept(proof, &refuted->premises, is_used);
  Tree *tree = tree_search(proof, &fewer);
  if (tree == nullptr) return;
  refuted->premises = fewer;
  refuted->tree = tree;
}

Refuted obligation_refute(
    const Statement *statement, const ProofObligation *obligation, CertificateFigures *figures) {
  RuleProof *proof = statement->refutation->proof;
  Premises all = statement_premises(statement, obligation);
  Refuted refuted = {.obligation = obligation};
  Clause *clauses = ARENA_NEW(proof->arena, Clause, all.count);
  bool *is_kept = ARENA_NEW(proof->arena, bool, all.count);
  for (uint32_t i = 0; i < all.count; i++) clauses[i] = all.items[i].clause;
  figures->before += all.count;
  if (proof->ring->overflow || !clauses_minimise(statement->minimiser, clauses, all.count, is_kept))
    return refuted;
  refuted.premises = premises_kept(proof, &all, is_kept);
  refuted.tree = tree_search(proof, &refuted.premises);
  if (refuted.tree == nullptr) return refuted;
  unused_drop(proof, &refuted);
  refuted.is_deep = tree_depth(refuted.tree, &refuted.premises) > most_depth;
  if (refuted.is_deep) refuted.tree = nullptr;
  figures->after += refuted.premises.count;
  if (refuted.premises.count > figures->most) figures->most = refuted.premises.count;
  return refuted;
}

void poly_unknowns_mark(const RuleProof *proof, Poly poly, bool *is_used) {
  for (uint32_t i = 0; i < poly.count; i++) {
    const Monomial *monomial = &proof->ring->items[poly.terms[i].monomial];
    for (uint32_t k = 0; k < monomial->degree; k++) {
      uint32_t atom = monomial->atoms[k];
      if (is_used[atom]) continue;
      is_used[atom] = true;
      poly_unknowns_mark(proof, proof->items[atom].a, is_used);
      poly_unknowns_mark(proof, proof->items[atom].b, is_used);
    }
  }
}

static void unknown_mark(
    const Statement *statement, UnknownKind kind, Poly a, Poly b, bool *is_used) {
  const RuleProof *proof = statement->refutation->proof;
  for (uint32_t i = 0; i < proof->count; i++)
    if (proof->items[i].kind == kind && poly_equal(proof->items[i].a, a) &&
        poly_equal(proof->items[i].b, b))
      poly_unknowns_mark(proof, poly_atom(proof->ring, i), is_used);
}

static void extreme_mark(const Statement *statement, Poly a, Poly b, bool *is_used) {
  PolyRing *ring = statement->refutation->proof->ring;
  Poly difference = poly_subtract(ring, a, b);
  if (difference.count == 0) return;
  difference = poly_divide_exactly(ring, difference, poly_content(difference, false));
  unknown_mark(statement, UNKNOWN_MAX, difference, (Poly){}, is_used);
  unknown_mark(statement, UNKNOWN_MAX, poly_scale(ring, difference, -1), (Poly){}, is_used);
}

static void term_mark(const Statement *statement, const RuleTerm *term, bool *is_used) {
  if (term->kind != TERM_OPERATOR && term->kind != TERM_GCD) return;
  term_mark(statement, term->left, is_used);
  term_mark(statement, term->right, is_used);
  Poly a = system_term(statement->system, term->left),
       b = system_term(statement->system, term->right);
  if (term->kind == TERM_GCD && poly_equal(a, b)) {
    extreme_mark(statement, a, poly_scale(statement->refutation->proof->ring, a, -1), is_used);
  } else if (term->kind == TERM_GCD) {
    unknown_mark(statement, UNKNOWN_GCD, a, b, is_used);
    unknown_mark(statement, UNKNOWN_GCD, b, a, is_used);
  } else if (op_divides(term->op)) {
    if (term->op == EXPR_CEILDIV) a = poly_scale(statement->refutation->proof->ring, a, -1);
    unknown_mark(statement, UNKNOWN_QUOTIENT, a, b, is_used);
  } else if (term->op == EXPR_MIN || term->op == EXPR_MAX) {
    extreme_mark(statement, a, b, is_used);
  }
}

static void side_mark(const Statement *statement, const Side *side, bool *is_used) {
  term_mark(statement, side->expr, is_used);
  if (side->lo != nullptr) term_mark(statement, side->lo, is_used);
  if (side->hi != nullptr) term_mark(statement, side->hi, is_used);
}

void rule_unknowns_mark(const Statement *statement, bool *is_used) {
  const Rule *rule = statement->refutation->proof->rule;
  for (uint32_t i = 0; i < rule->guard_count; i++) {
    term_mark(statement, rule->guards[i].left, is_used);
    term_mark(statement, rule->guards[i].right, is_used);
  }
  side_mark(statement, &rule->left, is_used);
  side_mark(statement, &rule->right, is_used);
}
