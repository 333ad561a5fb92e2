/* Collects all refutations of a rule and names the unknowns that they use. Letters keep their
 * names; others are numbered in the order of their creation, so that definitions refer to earlier
 * ones. */
#include <assert.h>

#include "proof/write/certificate.h"

/* The number of the gcd to which the unknown belongs. */
static uint32_t gcd_of(const RuleProof *proof, uint32_t number) {
  for (uint32_t i = 0; i < proof->count; i++)
    if (proof->items[i].kind == UNKNOWN_GCD &&
        poly_equal(proof->items[i].a, proof->items[number].a) &&
        poly_equal(proof->items[i].b, proof->items[number].b))
      return i;
  assert(false);
  return number;
}

static const char *unknown_name(
    Arena *arena, const RuleProof *proof, const char **names, uint32_t number, uint32_t *counts) {
  const RuleUnknown *unknown = &proof->items[number];
  switch (unknown->kind) {
    case UNKNOWN_CONSTANT: return proof->rule->constants[unknown->letter];
    case UNKNOWN_EXPR: return proof->rule->exprs[unknown->letter];
    case UNKNOWN_LO: return arena_printf(arena, "lo(%s)", proof->rule->exprs[unknown->letter]);
    case UNKNOWN_HI: return arena_printf(arena, "hi(%s)", proof->rule->exprs[unknown->letter]);
    case UNKNOWN_QUOTIENT: return arena_printf(arena, "q%u", ++counts[0]);
    case UNKNOWN_MAX: return arena_printf(arena, "p%u", ++counts[1]);
    case UNKNOWN_NAMED: return arena_printf(arena, "h%u", ++counts[2]);
    case UNKNOWN_GCD: return arena_printf(arena, "g%u", ++counts[3]);
    case UNKNOWN_GCD_LEFT:
    case UNKNOWN_GCD_RIGHT:
    case UNKNOWN_BEZOUT_LEFT:
    case UNKNOWN_BEZOUT_RIGHT: break;
  }
  static const char *const prefixes[] = {[UNKNOWN_GCD_LEFT] = "ga",
      [UNKNOWN_GCD_RIGHT] = "gb",
      [UNKNOWN_BEZOUT_LEFT] = "gs",
      [UNKNOWN_BEZOUT_RIGHT] = "gt"};
  const char *gcd = names[gcd_of(proof, number)];
  return arena_printf(arena, "%s%s", prefixes[unknown->kind], gcd + 1);
}

static bool is_gcd_part(UnknownKind kind) {
  return kind == UNKNOWN_GCD_LEFT || kind == UNKNOWN_GCD_RIGHT || kind == UNKNOWN_BEZOUT_LEFT ||
         kind == UNKNOWN_BEZOUT_RIGHT;
}

static void names_give(Refutations *refutations, Arena *arena, bool *is_used) {
  const RuleProof *proof = refutations->statement->refutation->proof;
  uint32_t counts[4] = {};
  for (uint32_t i = 0; i < proof->count; i++)
    if (is_gcd_part(proof->items[i].kind) && is_used[i]) is_used[gcd_of(proof, i)] = true;
  refutations->names = ARENA_NEW(arena, const char *, proof->count);
  for (uint32_t i = 0; i < proof->count; i++) {
    UnknownKind kind = proof->items[i].kind;
    bool is_letter = kind == UNKNOWN_CONSTANT || kind == UNKNOWN_EXPR || kind == UNKNOWN_LO ||
                     kind == UNKNOWN_HI;
    if (is_gcd_part(kind)) is_used[i] = is_used[gcd_of(proof, i)];
    if (is_letter || is_used[i])
      refutations->names[i] = unknown_name(arena, proof, refutations->names, i, counts);
  }
}

static void refuted_mark(const RuleProof *proof, const Refuted *refuted, bool *is_used) {
  for (uint32_t i = 0; i < refuted->premises.count; i++) {
    if (!tree_uses(refuted->tree, &refuted->premises, i)) continue;
    const Clause *clause = &refuted->premises.items[i].clause;
    for (uint32_t b = 0; b < clause->count; b++)
      for (uint32_t f = 0; f < clause->branches[b].count; f++)
        poly_unknowns_mark(proof, clause->branches[b].items[f].poly, is_used);
    if (clause->instance == nullptr) continue;
    poly_unknowns_mark(proof, clause->instance->a, is_used);
    poly_unknowns_mark(proof, clause->instance->b, is_used);
  }
}

Refutations *refutations_create(Arena *arena, const RuleRefutation *refutation) {
  Refutations *refutations = ARENA_NEW(arena, Refutations, 1);
  const RuleProof *proof = refutation->proof;
  *refutations = (Refutations){.statement = statement_create(arena, refutation)};
  Statement *statement = refutations->statement;
  if (proof->has_known_gcd) { /* a certificate has no definition of it */
    refutations->why = "a gcd of two numbers";
    return refutations;
  }
  statement->minimiser = minimiser_open(proof);
  refutations->items = ARENA_NEW(arena, Refuted, statement->obligations.count);
  for (uint32_t i = 0; i < statement->obligations.count && refutations->why == nullptr; i++) {
    const ProofObligation *obligation = &statement->obligations.items[i];
    refutations->items[i] = obligation_refute(statement, obligation, &refutations->figures);
    if (refutations->items[i].tree == nullptr)
      refutations->why = arena_printf(arena,
          refutations->items[i].is_deep ? "the refutation of %s %s is nested too deep"
                                        : "no refutation of %s %s",
          obligation->what, obligation->which);
  }
  minimiser_close(statement->minimiser);
  if (refutations->why != nullptr) return refutations;
  bool *is_used = ARENA_NEW(arena, bool, proof->count);
  rule_unknowns_mark(statement, is_used);
  for (uint32_t i = 0; i < statement->obligations.count; i++)
    refuted_mark(proof, &refutations->items[i], is_used);
  names_give(refutations, arena, is_used);
  return refutations;
}
