/* The session that every obligation uses: the maps' context, the budget, and an arena that is
 * rewound after each question. */
#ifndef SMT_SOLVER_SESSION_H
#define SMT_SOLVER_SESSION_H

#include "core/base/budget.h"
#include "smt/solver/query.h"
#include "smt/smt.h"

struct Smt {
  const MapContext *context;
  SmtOptions options;
  Arena *arena;
};

/* Starts the question's budget of time unless it runs already (core/base/budget.h). */
[[nodiscard]] static inline bool smt_begin(const Smt *smt) {
  return budget_begin(smt->options.seconds, smt->options.stop);
}

/* Sets the status with its usual reason (EXACT, DIFFERENT, OPEN) and the text. Always returns true,
 * for use in a return statement. */
[[gnu::format(printf, 3, 4)]] bool verdict_set(
    Verdict *verdict, VerdictStatus status, const char *format, ...);
/* Stores the values of a map's variables at the front of the verdict, as far as they fit its
 * capacity and int64. */
void verdict_values(Verdict *verdict, uint32_t count, const Wide *values);

/* Searches for a model of the same facts with smaller values of the `count` variables, by a bounded
 * number of cheap checks. `values` [atom_count] contains a model and is replaced if a smaller model
 * is found. */
void minimise_model(Query *query, uint32_t fact_count, const Z3_ast *facts, uint32_t count,
    const Sum *variables, Wide *values);

#endif
