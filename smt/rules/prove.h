/* Proves one rewrite rule for all values of its letters.
 * PROVED: wherever the guard holds, every divisor of both sides is >= 1 and both sides agree; for a
 * constraint rule, one side holds if and only if the other does. The proof is a list of linear
 * obligations (a refutation, see rule_system.h), each refuted by Z3. REFUTED: values, shrunk, and
 * replayed by plain evaluation (rule_value.h). UNKNOWN states why and never passes.
 * A rule whose guard no values satisfy is an error. */
#ifndef SMT_RULES_PROVE_H
#define SMT_RULES_PROVE_H

#include "core/base/verdict.h"
#include "core/rules/rule.h"
#include "smt/rules/rule_value.h"
#include "smt/smt.h"

static constexpr uint64_t prove_default_rlimit = 12'000'000;

typedef struct ProveOptions {
  uint64_t rlimit;    /* for the proof of one rule; 0: the default. The last search for a
                         counterexample may use a sixth more. A rule with a scope is proved within
                         its scope, without it and by cases, each with this budget */
  uint32_t seed;      /* of the solver */
  bool (*stop)(void); /* true: give up with UNKNOWN; see smt.h */
  bool skip_sampling; /* start with the proof: counterexamples come only from the solver's models */
  bool only_proof;    /* also ignore models: PROVED or UNKNOWN only, for tests of the prover
                         itself */
  const RuleValues *witness; /* one more witness, under which the guard holds; or nullptr */
  bool want_obligations;     /* as SMT-LIB text */
  bool want_explanation;
  bool want_refutation; /* for a certificate */
  const Source *source; /* for the location of an error, or nullptr */
} ProveOptions;

typedef struct RuleVerdict {
  VerdictStatus answer;
  const char *method;   /* "normal form", "linear arithmetic", ... with counts; for REFUTED how the
                           values   were found */
  const char *scope;    /* "all values", or the rule's own scope: all values within it */
  VerdictReason reason; /* of UNKNOWN from the proof itself: REASON_OPEN or REASON_FALSE_STEP */
  RuleValues values;    /* of REFUTED */
  RuleReading reading;
  const char *text; /* REFUTED: "at x=.., c=..: left 3, right 2"; UNKNOWN: the reason; otherwise
                       empty */
  const char *missing_guard; /* for a divisor that can be <= 0: "c > 0"; or nullptr */
  bool has_overflow;         /* the right side can leave int64 at values at which the left does
                                not */
  RuleValues overflow;
  const char *note; /* of has_overflow, with values; otherwise nullptr */
  uint32_t obligation_count;
  const char **obligations; /* SMT-LIB 2, if requested */
  const char *explanation;  /* if requested */
  const struct RuleRefutation
      *refutation; /* of PROVED, if requested; nullptr for a split over a scope */
  uint64_t rlimit_used;
  double milliseconds;
} RuleVerdict;

/* Returns false (with an error) for a vacuous guard, and only then. Texts are in the arena. */
[[nodiscard]] bool prove_rule(Arena *arena, const Rule *rule, const ProveOptions *options,
    RuleVerdict *verdict, Error *error);

/* Fills reading, text, missing guard and note from answer, values and overflow. */
void verdict_describe(Arena *arena, const Rule *rule, RuleVerdict *verdict);

/* Searches values within int64 at which only the right side leaves int64. */
void prove_note_overflow(Arena *arena, const Rule *rule, RuleVerdict *verdict);

/* The rule with its near-miss in place of the guards or the right side. */
[[nodiscard]] Rule rule_negative(const Rule *rule);

/* Prints "name PROVED (all values)" or "name REFUTED at ...". */
void rule_verdict_print(Text *text, const Rule *rule, const RuleVerdict *verdict);

/* The rule with its scope as additional guards. */
[[nodiscard]] Rule rule_within_scope(Arena *arena, const Rule *rule);

#endif
