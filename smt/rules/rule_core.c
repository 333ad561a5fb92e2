/* Finds the clauses that are needed. Each clause is asserted under its own literal. The solver's
 * unsatisfiable core is taken first; then each of its clauses is left out once. */
#include "smt/rules/refutation.h"

#include <assert.h>

#include "smt/rules/rule_linear.h"

static constexpr uint64_t core_rlimit = 40'000'000;

/* Checks whether the marked clauses contradict each other; if so, marks only those of the core. */
static bool core_check(Linear *linear, Z3_ast *literals, uint32_t count, bool *is_kept) {
  Z3_context z3 = linear->session.z3;
  Z3_ast *assumed = ARENA_NEW(linear->proof->arena, Z3_ast, count + 1);
  uint32_t assumed_count = 0;
  for (uint32_t i = 0; i < count; i++)
    if (is_kept[i]) assumed[assumed_count++] = literals[i];
  if (Z3_solver_check_assumptions(z3, linear->solver, assumed_count, assumed) != Z3_L_FALSE)
    return false;
  Z3_ast_vector core = Z3_solver_get_unsat_core(z3, linear->solver);
  Z3_ast_vector_inc_ref(z3, core);
  for (uint32_t i = 0; i < count; i++) {
    bool is_there = false;
    for (uint32_t k = 0; k < Z3_ast_vector_size(z3, core) && !is_there; k++)
      is_there = Z3_is_eq_ast(z3, Z3_ast_vector_get(z3, core, k), literals[i]);
    is_kept[i] = is_there;
  }
  Z3_ast_vector_dec_ref(z3, core);
  return true;
}

Linear *minimiser_open(const RuleProof *proof) {
  Linear *linear = ARENA_NEW(proof->arena, Linear, 1);
  *linear = linear_open(proof, core_rlimit, 0);
  return linear;
}

void minimiser_close(Linear *linear) { linear_close(linear); }

bool clauses_minimise(Linear *linear, const Clause *clauses, uint32_t count, bool *is_kept) {
  assert(clauses->count <= clause_max_branches);
  const RuleProof *proof = linear->proof;
  Z3_ast *literals = ARENA_NEW(proof->arena, Z3_ast, count + 1);
  linear_begin(linear);
  Z3_context z3 = linear->session.z3;
  for (uint32_t i = 0; i < count; i++) {
    literals[i] = Z3_mk_fresh_const(z3, "use", Z3_mk_bool_sort(z3));
    Z3_ast implied = Z3_mk_implies(z3, literals[i], linear_clause(linear, &clauses[i]));
    Z3_solver_assert(z3, linear->solver, implied);
    is_kept[i] = true;
  }
  bool is_refuted = core_check(linear, literals, count, is_kept);
  bool *tried = ARENA_NEW(proof->arena, bool, count + 1);
  for (uint32_t i = count; is_refuted && i-- > 0;) {
    if (!is_kept[i]) continue;
    for (uint32_t k = 0; k < count; k++) tried[k] = is_kept[k] && k != i;
    if (core_check(linear, literals, count, tried))
      for (uint32_t k = 0; k < count; k++) is_kept[k] = tried[k];
  }
  return is_refuted;
}
