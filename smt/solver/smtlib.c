/* A refutation as SMT-LIB 2. Each unknown and each product of unknowns is one declared constant,
 * and a comment states what it denotes. Only the lemma instances constrain a product, and each
 * instance holds for all integers. So if the text is unsat, the original statements are too. */
#include "smt/solver/smtlib.h"

#include <assert.h>

static void print_name(Text *text, const RuleProof *proof, uint32_t monomial) {
  assert(monomial < proof->ring->count);
  Poly poly = poly_monomial(proof->ring, monomial);
  text_string(text, "|");
  poly_print(text, proof, poly);
  text_string(text, "|");
}

static void print_integer(Text *text, Wide value) {
  if (value < 0) text_string(text, "(- ");
  wide_print(text, value < 0 ? -value : value);
  if (value < 0) text_string(text, ")");
}

static void print_term(Text *text, const RuleProof *proof, PolyTerm term) {
  if (term.coefficient == 1) {
    print_name(text, proof, term.monomial);
    return;
  }
  text_string(text, "(* ");
  print_integer(text, term.coefficient);
  text_string(text, " ");
  print_name(text, proof, term.monomial);
  text_string(text, ")");
}

static void print_fact(Text *text, const RuleProof *proof, const Fact *fact) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < fact->poly.count; i++) count += fact->poly.terms[i].monomial != 0;
  text_printf(text, "(%s ", fact->is_equation ? "=" : ">=");
  if (count > 1) text_string(text, "(+ ");
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0) text_string(text, " ");
    print_term(text, proof, fact->poly.terms[i]);
  }
  if (count == 0) text_string(text, "0");
  if (count > 1) text_string(text, ")");
  text_string(text, " ");
  print_integer(text, -poly_constant_term(fact->poly));
  text_string(text, ")");
}

static void print_branch(Text *text, const RuleProof *proof, const Branch *branch) {
  if (branch->count != 1) text_string(text, "(and");
  for (uint32_t i = 0; i < branch->count; i++) {
    if (branch->count != 1) text_string(text, " ");
    print_fact(text, proof, &branch->items[i]);
  }
  if (branch->count != 1) text_string(text, ")");
}

static const char *origin_text(Origin origin) {
  switch (origin) {
    case ORIGIN_GUARD: return "guard";
    case ORIGIN_BOUNDS: return "bounds of a letter";
    case ORIGIN_BAND: return "what a quotient is";
    case ORIGIN_DIVISOR: return "a divisor, proved before";
    case ORIGIN_DEFINITION: return "definition";
    case ORIGIN_DERIVED: return "derived";
    case ORIGIN_LEMMA: return "lemma instance, valid for all integers";
    case ORIGIN_CASE: return "case";
    case ORIGIN_HYPOTHESIS: return "the side that is assumed";
    case ORIGIN_GOAL: return "negated goal";
  }
  assert(false);
  return "?";
}

static void print_clause(Text *text, const RuleProof *proof, const Clause *clause) {
  assert(clause->count <= clause_max_branches);
  text_string(text, "(assert ");
  if (clause->count != 1) text_string(text, "(or ");
  for (uint32_t i = 0; i < clause->count; i++) {
    if (i > 0) text_string(text, " ");
    print_branch(text, proof, &clause->branches[i]);
  }
  text_printf(text, "%s) ; %s\n", clause->count != 1 ? ")" : "", origin_text(clause->origin));
}

static void smtlib_mark(const Clause *clause, bool *is_used) {
  assert(clause->count <= clause_max_branches);
  for (uint32_t b = 0; b < clause->count; b++)
    for (uint32_t f = 0; f < clause->branches[b].count; f++)
      for (uint32_t i = 0; i < clause->branches[b].items[f].poly.count; i++)
        is_used[clause->branches[b].items[f].poly.terms[i].monomial] = true;
}

static void print_definition(Text *text, const RuleProof *proof, uint32_t atom) {
  const RuleUnknown *unknown = &proof->items[atom];
  const char *between = nullptr;
  switch (unknown->kind) {
    case UNKNOWN_QUOTIENT: between = "floordiv"; break;
    case UNKNOWN_MAX: between = "max"; break;
    case UNKNOWN_GCD: between = "gcd"; break;
    case UNKNOWN_GCD_LEFT: between = "over its gcd with"; break;
    case UNKNOWN_GCD_RIGHT: between = "with its gcd divided out of"; break;
    case UNKNOWN_BEZOUT_LEFT: between = "first Bezout coefficient with"; break;
    case UNKNOWN_BEZOUT_RIGHT: between = "second Bezout coefficient with"; break;
    case UNKNOWN_NAMED: between = ""; break;
    case UNKNOWN_CONSTANT:
    case UNKNOWN_EXPR:
    case UNKNOWN_LO:
    case UNKNOWN_HI: text_string(text, " ; a letter of the rule"); return;
  }
  text_string(text, " ; (");
  poly_print(text, proof, unknown->a);
  text_printf(text, ") %s (", between);
  poly_print(text, proof, unknown->b);
  text_string(text, ")");
}

void smtlib_refutation(Text *text, const System *system, const char *what) {
  const RuleProof *proof = system->proof;
  bool *is_used = ARENA_NEW(proof->arena, bool, proof->ring->count);
  for (uint32_t i = 0; i < system->refutation.count; i++)
    smtlib_mark(&system->refutation.items[i], is_used);
  text_printf(text, "; rule %s\n; %s\n(set-logic QF_LIA)\n", proof->rule->name, what);
  uint32_t known = proof->ring->count;
  for (uint32_t i = 1; i < known; i++) {
    uint32_t atom;
    if (!is_used[i]) continue;
    text_string(text, "(declare-fun ");
    print_name(text, proof, i);
    text_string(text, " () Int)");
    if (monomial_is_atom(proof->ring, i, &atom)) print_definition(text, proof, atom);
    text_string(text, "\n");
  }
  for (uint32_t i = 0; i < system->refutation.count; i++)
    print_clause(text, proof, &system->refutation.items[i]);
  text_string(text, "(check-sat)\n");
}
