/* A system at Z3: each product of unknowns is one integer, so what is asked is linear. One context
 * and one solver a rule; a question is a scope of it, which costs a third of a solver of its
 * own. */
#ifndef SMT_RULE_LINEAR_H
#define SMT_RULE_LINEAR_H

#include "core/base/verdict.h"
#include "smt/rules/rule_system.h"
#include "smt/solver/watch.h"
#include "smt/solver/z3_context.h"

typedef struct Linear {
  Z3Session session;
  const RuleProof *proof;
  Z3_solver solver; /* with one scope, the present question */
  uint32_t capacity;
  Z3_ast *monomials; /* [capacity], null until used */
  bool *is_asked;    /* [capacity]: stands in the present question */
  Z3_model model;    /* of the last VERDICT_REFUTED */
  uint64_t rlimit_left;
  uint32_t checks;
  uint32_t seed;
} Linear;

/* `rlimit` is for all checks together; one check takes at most a quarter of it. */
[[nodiscard]] Linear linear_open(const RuleProof *proof, uint64_t rlimit, uint32_t seed);
void linear_close(Linear *linear);

/* A new question: forgets the one before. */
void linear_begin(Linear *linear);
void linear_assert_system(Linear *linear, const System *system);
void linear_assert_fact(Linear *linear, const Fact *fact);
void linear_assert_clause(Linear *linear, const Clause *clause);
[[nodiscard]] Z3_ast linear_clause(Linear *linear, const Clause *clause);
void linear_push(Linear *linear);
void linear_pop(Linear *linear);
/* No values satisfy the question: PROVED, REFUTED with `model`, UNKNOWN. */
[[nodiscard]] VerdictStatus linear_check(Linear *linear);
/* After VERDICT_REFUTED: the value of a monomial that the question has; false where it has it not,
 * or the value leaves 2^100. */
[[nodiscard]] bool linear_value(Linear *linear, uint32_t monomial, Wide *value);
/* Takes from what is left. */
void linear_spend(Linear *linear, uint64_t units);
/* Does the question, without assumption, exclude poly <= -1 (or poly != 0)? */
[[nodiscard]] bool linear_implies(Linear *linear, Poly poly, bool is_equation);

#endif
