/* Proving one rewrite rule for all values of its letters.
 * PROVED: every divisor of both sides is >= 1 and both sides agree, wherever the guard holds; for a
 * constraint rule, one side holds if and only if the other does. The proof is a list of linear
 * obligations (a refutation, see rule_system.h), each refuted by Z3. REFUTED: values, shrunk, and
 * replayed by plain evaluation (rule_value.h). UNKNOWN says why and never passes.
 * A rule whose guard nothing satisfies is an error. */
#ifndef SMT_PROVE_H
#define SMT_PROVE_H

#include "core/base/verdict.h"
#include "core/rules/rule.h"
#include "smt/rules/rule_value.h"
#include "smt/smt.h"

static constexpr uint64_t prove_default_rlimit = 12'000'000;

typedef struct ProveOptions {
  uint64_t rlimit;    /* for one rule; 0: the default */
  uint32_t seed;      /* of the solver */
  bool (*stop)(void); /* true: give up with UNKNOWN; see smt.h */
  bool skip_sampling; /* go to the proof at once: counterexamples come from the solver's models only
                       */
  bool only_proof;    /* as well, models are not even looked at: PROVED or UNKNOWN, how the prover
                         itself is tested */
  const RuleValues *witness; /* one more witness, under which the guard holds; or nullptr */
  bool want_obligations;     /* as SMT-LIB text */
  bool want_explanation;
  bool want_refutation; /* for a certificate */
  const Source *source; /* for the place of an error, or nullptr */
} ProveOptions;

typedef struct RuleVerdict {
  VerdictStatus answer;
  const char *
      method; /* "normal form", "linear arithmetic", ... with counts; of REFUTED how it was found */
  const char *scope;    /* "all values", or the rule's own scope: all values within it */
  VerdictReason reason; /* of UNKNOWN from the proof itself: OPEN or FALSE_STEP */
  RuleValues values;    /* of REFUTED */
  RuleReading reading;
  const char *text; /* REFUTED: "at x=.., c=..: left 3, right 2"; UNKNOWN: why; else empty */
  const char *missing_guard; /* of a divisor that can be <= 0: "c > 0", or nullptr */
  bool has_overflow;         /* the right side can leave int64 where the left does not */
  RuleValues overflow;
  const char *note; /* of has_overflow, with values; else nullptr */
  uint32_t obligation_count;
  const char **obligations; /* SMT-LIB 2, where asked for */
  const char *explanation;  /* where asked for */
  const struct RuleRefutation
      *refutation; /* of PROVED, where asked for; nullptr for a split over a scope */
  uint64_t rlimit_used;
  double milliseconds;
} RuleVerdict;

/* False (with an error) for a vacuous guard and for nothing else. Texts live in the arena. */
[[nodiscard]] bool prove_rule(Arena *arena, const Rule *rule, const ProveOptions *options,
    RuleVerdict *verdict, Error *error);

/* From answer, values and overflow: the reading, its text, the missing guard, the note. */
void verdict_describe(Arena *arena, const Rule *rule, RuleVerdict *verdict);

/* Looks for values within int64 at which only the right side leaves int64. */
void prove_note_overflow(Arena *arena, const Rule *rule, RuleVerdict *verdict);

/* The rule with its near-miss in place of the guards or the right side. */
[[nodiscard]] Rule rule_negative(const Rule *rule);

/* "name PROVED (all values)", "name REFUTED at ..." */
void rule_verdict_print(Text *text, const Rule *rule, const RuleVerdict *verdict);

/* The rule with its scope as further guards. */
[[nodiscard]] Rule rule_within_scope(Arena *arena, const Rule *rule);

#endif
