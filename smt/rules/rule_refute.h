/* Is a system without solutions? Normal form first; then linear arithmetic at Z3, with lemma
 * instances that its own models call for; case splits where they are due. */
#ifndef SMT_RULE_REFUTE_H
#define SMT_RULE_REFUTE_H

#include "core/base/verdict.h"
#include "smt/rules/lemmas.h"
#include "smt/rules/rule_linear.h"

/* Is this choice of values what we are looking for: a counterexample, a value of the guard? */
typedef bool (*Replayer)(const Rule *rule, const RuleValues *values);

typedef struct Refutation {
  Linear *linear;
  Replayer replay;
  bool is_brute_force;  /* models are not looked at */
  uint32_t wide_tries;  /* how often wider instances may still be tried in vain */
  RuleValues values;    /* of VERDICT_REFUTED */
  uint32_t leaves;      /* cases closed */
  uint32_t lemma_count; /* instances in use where a case was closed, all cases together */
  uint32_t level;       /* highest level of lemmas that was needed; 0: none */
  const char *reason;   /* of VERDICT_UNKNOWN */
  VerdictReason kind;   /* of VERDICT_UNKNOWN: OPEN or FALSE_STEP */
  /* Each closed case, for the obligations' text: its refutation is what the solver refuted. */
  void (*closed)(void *context, const System *system);
  void *context;
} Refutation;

/* The system has no solution: PROVED; REFUTED by `values`, which plain evaluation replayed. */
[[nodiscard]] VerdictStatus system_refute(System *system, Refutation *refutation);

#endif
