/* One solver for nonlinear integers per bound. The facts are those of the system, with x*y for the
 * product of x and y. */
#include "smt/rules/rule_exact.h"

#include <assert.h>
#include <string.h>

static constexpr uint64_t exact_rlimit = 400'000;
/* A search of 650,000 units finds the square root of a number with 40 bits. With 400,000 it was
 * found in one run and not in the next. Units above exact_rlimit are not charged to the proof's
 * budget, because a proof may need all of it. */
static constexpr uint64_t unbounded_rlimit = 1'000'000;

typedef struct Exact {
  const RuleProof *proof;
  Z3_context z3;
  Z3_sort integers;
  Z3_solver solver;
  Z3_ast *atoms; /* [proof_max_unknowns], null until first use */
} Exact;

static Z3_ast rule_exact_number(Exact *exact, Wide value) {
  Text digits = text_create(exact->proof->arena);
  wide_print(&digits, value);
  return Z3_mk_numeral(exact->z3, digits.bytes, exact->integers);
}

static Z3_ast atom_term(Exact *exact, uint32_t atom) {
  if (exact->atoms[atom] == nullptr)
    exact->atoms[atom] =
        Z3_mk_const(exact->z3, Z3_mk_int_symbol(exact->z3, (int)atom), exact->integers);
  return exact->atoms[atom];
}

static Z3_ast poly_term(Exact *exact, Poly poly) {
  Z3_ast *terms = ARENA_NEW(exact->proof->arena, Z3_ast, poly.count + 1);
  for (uint32_t i = 0; i < poly.count; i++) {
    const Monomial *monomial = &exact->proof->ring->items[poly.terms[i].monomial];
    Z3_ast factors[monomial_max_degree + 1];
    factors[0] = rule_exact_number(exact, poly.terms[i].coefficient);
    for (uint32_t k = 0; k < monomial->degree; k++)
      factors[k + 1] = atom_term(exact, monomial->atoms[k]);
    terms[i] =
        monomial->degree == 0 ? factors[0] : Z3_mk_mul(exact->z3, monomial->degree + 1u, factors);
  }
  if (poly.count == 0) return rule_exact_number(exact, 0);
  return poly.count == 1 ? terms[0] : Z3_mk_add(exact->z3, poly.count, terms);
}

static Z3_ast fact_term(Exact *exact, const Fact *fact) {
  Z3_ast value = poly_term(exact, fact->poly), zero = rule_exact_number(exact, 0);
  return fact->is_equation ? Z3_mk_eq(exact->z3, value, zero) : Z3_mk_ge(exact->z3, value, zero);
}

static Z3_ast clause_term(Exact *exact, const Clause *clause) {
  Z3_ast branches[clause_max_branches];
  assert(clause->count <= clause_max_branches);
  for (uint32_t b = 0; b < clause->count; b++) {
    const Branch *branch = &clause->branches[b];
    Z3_ast *facts = ARENA_NEW(exact->proof->arena, Z3_ast, branch->count);
    for (uint32_t f = 0; f < branch->count; f++) facts[f] = fact_term(exact, &branch->items[f]);
    branches[b] = branch->count == 1 ? facts[0] : Z3_mk_and(exact->z3, branch->count, facts);
  }
  return clause->count == 1 ? branches[0] : Z3_mk_or(exact->z3, clause->count, branches);
}

static void assert_term(Exact *exact, Z3_ast term) {
  Z3_solver_assert(exact->z3, exact->solver, term);
}

/* Bounds the letters to [-bound, bound]; 0: no bounds. */
static void assert_bounds(Exact *exact, Wide bound) {
  for (uint32_t atom = 0; bound > 0 && atom < exact->proof->count; atom++) {
    if (exact->atoms[atom] == nullptr || exact->proof->items[atom].kind > UNKNOWN_HI) continue;
    assert_term(
        exact, Z3_mk_le(exact->z3, atom_term(exact, atom), rule_exact_number(exact, bound)));
    assert_term(
        exact, Z3_mk_ge(exact->z3, atom_term(exact, atom), rule_exact_number(exact, -bound)));
  }
}

static bool read_model(Exact *exact, Wide *atoms) {
  Z3_model model = Z3_solver_get_model(exact->z3, exact->solver);
  if (model == nullptr) return false;
  Z3_model_inc_ref(exact->z3, model);
  bool fits = true;
  for (uint32_t atom = 0; atom < exact->proof->count && fits; atom++) {
    Z3_ast value;
    int64_t small = 0;
    atoms[atom] = 0;
    if (exact->atoms[atom] == nullptr) continue;
    fits = Z3_model_eval(exact->z3, model, exact->atoms[atom], true, &value) &&
           Z3_get_numeral_int64(exact->z3, value, &small);
    atoms[atom] = small;
  }
  Z3_model_dec_ref(exact->z3, model);
  return fits;
}

static bool rule_exact_search(
    Exact *exact, const System *system, Wide bound, uint64_t rlimit, uint32_t seed, Wide *atoms) {
  exact->solver = Z3_mk_solver_for_logic(exact->z3, Z3_mk_string_symbol(exact->z3, "QF_NIA"));
  Z3_solver_inc_ref(exact->z3, exact->solver);
  Z3_params params = z3_make_params(exact->z3);
  Z3_params_set_uint(
      exact->z3, params, Z3_mk_string_symbol(exact->z3, "rlimit"), (uint32_t)rlimit);
  Z3_params_set_uint(exact->z3, params, Z3_mk_string_symbol(exact->z3, "random_seed"), seed);
  Z3_solver_set_params(exact->z3, exact->solver, params);
  Z3_params_dec_ref(exact->z3, params);
  for (uint32_t i = 0; i < system->facts.count; i++)
    assert_term(exact, fact_term(exact, &system->facts.items[i]));
  for (uint32_t i = 0; i < system->clauses.count; i++)
    assert_term(exact, clause_term(exact, &system->clauses.items[i]));
  assert_bounds(exact, bound);
  bool found = watched_check(exact->z3, exact->solver, exact->proof->stop) == Z3_L_TRUE &&
               read_model(exact, atoms);
  Z3_solver_dec_ref(exact->z3, exact->solver);
  return found;
}

bool system_search_exact(const System *system, Linear *linear, Wide *atoms) {
  static const int64_t bounds[] = {8, 64, 400, 5000, 0};
  assert(linear->session.z3 != nullptr); /* a system is searched after its queries */
  Exact exact = {.proof = system->proof,
      .z3 = linear->session.z3,
      .integers = linear->session.integers,
      .atoms = ARENA_NEW(system->proof->arena, Z3_ast, proof_max_unknowns)};
  for (size_t i = 0; i < sizeof bounds / sizeof bounds[0] && linear->rlimit_left > exact_rlimit;
      i++) {
    linear->rlimit_left -= exact_rlimit;
    uint64_t rlimit = bounds[i] == 0 ? unbounded_rlimit : exact_rlimit;
    if (rule_exact_search(&exact, system, bounds[i], rlimit, linear->seed, atoms))
      return system_complete(system, atoms);
  }
  return false;
}
