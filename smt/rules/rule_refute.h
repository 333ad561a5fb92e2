/* Decides whether a system has no solutions: normal form first; then linear arithmetic in Z3, with
 * lemma instances that its models violate; then case splits. */
#ifndef SMT_RULES_RULE_REFUTE_H
#define SMT_RULES_RULE_REFUTE_H

#include "core/base/verdict.h"
#include "smt/rules/lemmas.h"
#include "smt/rules/rule_linear.h"

/* Whether these values are what is searched: a counterexample, or values that satisfy the guard. */
typedef bool (*Replayer)(const Rule *rule, const RuleValues *values);

typedef struct Refutation {
  Linear *linear;
  Replayer replay;
  bool is_brute_force;  /* models are ignored */
  uint32_t wide_tries;  /* remaining number of failed attempts with wider instances */
  uint64_t wide_left;   /* what these may still use, beside the solver's budget */
  RuleValues values;    /* of VERDICT_REFUTED */
  uint32_t leaves;      /* cases closed */
  uint32_t lemma_count; /* instances in use in closed cases, in total */
  uint32_t level;       /* highest level of lemmas that was used; 0: none */
  const char *reason;   /* of VERDICT_UNKNOWN */
  VerdictReason kind;   /* of VERDICT_UNKNOWN: REASON_OPEN or REASON_FALSE_STEP */
  /* Called for each closed case, for the obligations' text: the solver refuted its refutation. */
  void (*closed)(void *context, const System *system);
  void *context;
} Refutation;

/* Whether the system has no solution: PROVED, or REFUTED by `values`, which plain evaluation
 * replayed. */
[[nodiscard]] VerdictStatus system_refute(System *system, Refutation *refutation);

#endif
