/* One obligation in Z3: sums as terms of linear integer arithmetic, and checks of conjunctions of
 * facts.
 * A quotient q = x floordiv c is an integer constant with c*q <= x <= c*q + c - 1, never Z3's own
 * division; min and max are if-then-else. A value is a constant, and equal indices of one
 * instruction have equal values. A product is at first a constant as well, with linear facts only:
 * its sign, and for two products with a common factor c >= 1 that a > b implies c*a >= c*b + c. If
 * the facts are unsatisfiable with these, the check is decided; otherwise Z3 also gets the
 * definitions of products.
 * Terms are created once and kept. Each check uses its own solver, with its facts and all
 * definitions so far. A check is a verdict on "no values satisfy these facts": PROVED (unsat),
 * REFUTED by a model (sat), or UNKNOWN. */
#ifndef SMT_SOLVER_QUERY_H
#define SMT_SOLVER_QUERY_H

#include "core/base/verdict.h"
#include "smt/terms/encode.h"
#include "smt/solver/watch.h"
#include "smt/solver/z3_context.h"

typedef struct Query {
  Z3Session session;
  uint64_t rlimit;
  uint32_t seed;
  bool quantified;     /* a quantifier is in use */
  bool has_large;      /* a number past 2^32 is in use: the budget then no longer bounds the time */
  bool is_interrupted; /* the last VERDICT_UNKNOWN was caused by the user or by the time budget */
  const Sums *sums;
  Arena *arena;
  Z3_ast *atoms; /* [atom_capacity], null until first use */
  Z3_ast *terms; /* [sum_capacity] */
  uint32_t atom_capacity, sum_capacity;
  Z3_ast *definitions;
  uint32_t definition_count, definition_capacity;
  uint32_t *products; /* atoms of kind PRODUCT in use */
  uint32_t product_count, product_capacity;
  uint32_t *values; /* atoms of kind VALUE in use */
  uint32_t value_count, value_capacity;
  uint64_t rlimit_used;
  Z3_model model;     /* of the last VERDICT_REFUTED */
  const char *reason; /* of the last VERDICT_UNKNOWN, in the arena; otherwise "" */
} Query;

[[nodiscard]] Query query_open(Arena *arena, const Sums *sums, uint64_t rlimit, uint32_t seed);
void query_close(Query *query);

[[nodiscard]] Z3_ast query_sum(Query *query, Sum sum);
[[nodiscard]] Z3_ast query_within(Query *query, Within within);
[[nodiscard]] Z3_ast query_differ(Query *query, Sum a, Sum b);
[[nodiscard]] Z3_ast query_and(Query *query, uint32_t count, const Z3_ast *facts);
[[nodiscard]] Z3_ast query_or(Query *query, uint32_t count, const Z3_ast *facts);
[[nodiscard]] Z3_ast query_not(Query *query, Z3_ast fact);

/* There are values of the given atoms for which `body` holds. */
[[nodiscard]] Z3_ast query_exists(Query *query, uint32_t count, const uint32_t *atoms, Z3_ast body);

/* Whether no values satisfy the facts: PROVED, REFUTED with `model`, UNKNOWN with `reason`. */
[[nodiscard]] VerdictStatus query_check(Query *query, uint32_t count, const Z3_ast *facts);
/* The same, with only the first solver and a small budget. */
[[nodiscard]] VerdictStatus query_check_briefly(Query *query, uint32_t count, const Z3_ast *facts);
/* After VERDICT_REFUTED: the value of every atom. Free atoms that Z3 never saw are as near to 0 as
 * their bounds allow; derived atoms are computed here, not read from the model. False if a value
 * leaves 128 bits. `values`: [atom_count]. */
[[nodiscard]] bool query_model(Query *query, Wide *values);

#endif
