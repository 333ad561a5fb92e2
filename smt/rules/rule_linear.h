/* A system in Z3: each product of unknowns is one integer, so queries are linear. One context and
 * one solver per rule; a query is a scope of the solver, which costs a third of a separate
 * solver. */
#ifndef SMT_RULES_RULE_LINEAR_H
#define SMT_RULES_RULE_LINEAR_H

#include "core/base/verdict.h"
#include "smt/rules/rule_system.h"
#include "smt/solver/watch.h"
#include "smt/solver/z3_context.h"

typedef struct Linear {
  Z3Session session; /* opened by the first query */
  const RuleProof *proof;
  Z3_solver solver; /* with one scope: the current query */
  uint32_t capacity;
  Z3_ast *monomials; /* [capacity], null until first use */
  bool *in_query;    /* [capacity]: occurs in the current query */
  Z3_model model;    /* of the last VERDICT_REFUTED of linear_check; null after another answer */
  bool is_asserted;  /* something was asserted since: the query may exclude the model */
  uint64_t rlimit, rlimit_left;
  uint32_t checks;
  uint32_t seed;
} Linear;

/* `rlimit` is for all checks together; one check uses at most a quarter of it. */
[[nodiscard]] Linear linear_open(const RuleProof *proof, uint64_t rlimit, uint32_t seed);
void linear_close(Linear *linear);

/* Begins a new query and discards the previous one. */
void linear_begin(Linear *linear);
void linear_assert_system(Linear *linear, const System *system);
void linear_assert_fact(Linear *linear, const Fact *fact);
void linear_assert_clause(Linear *linear, const Clause *clause);
[[nodiscard]] Z3_ast linear_clause(Linear *linear, const Clause *clause);
void linear_push(Linear *linear);
void linear_pop(Linear *linear);
/* Whether no values satisfy the query: PROVED, REFUTED with `model`, UNKNOWN. */
[[nodiscard]] VerdictStatus linear_check(Linear *linear);
/* After VERDICT_REFUTED: the value of a monomial of the query; false if the query does not contain
 * it, or the value is past 2^100. */
[[nodiscard]] bool linear_value(Linear *linear, uint32_t monomial, Wide *value);
/* Subtracts from the remaining budget. */
void linear_spend(Linear *linear, uint64_t units);
/* Whether the query, without assumptions, excludes poly <= -1 (or poly != 0). The solver is not
 * asked again what its model of this query shows. */
[[nodiscard]] bool linear_implies(Linear *linear, Poly poly, bool is_equation);

#endif
