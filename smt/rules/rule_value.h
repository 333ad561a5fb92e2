/* Evaluates a rule at one choice of values, in 128 bits: whether the guard holds, and the values of
 * both sides. Counterexamples are replayed with it, so it shares nothing with the proofs. */
#ifndef SMT_RULES_RULE_VALUE_H
#define SMT_RULES_RULE_VALUE_H

#include "core/base/bindings.h"
#include "core/rules/rule.h"
#include "smt/terms/polynomial.h"

/* lo <= x <= hi is required if the rule names lo(x) or hi(x). */
typedef struct RuleValues {
  int64_t constants[rule_max_letters];
  int64_t exprs[rule_max_letters];
  int64_t lo[rule_max_letters];
  int64_t hi[rule_max_letters];
} RuleValues;

typedef enum RuleOutcome : uint8_t {
  RULE_NOT_MET, /* the guard does not hold, or a value is outside its bounds */
  RULE_AGREES,
  RULE_DIFFERS,   /* both sides have different values; for constraints, only one side holds */
  RULE_DIVISOR,   /* a divisor of a side is <= 0 */
  RULE_TOO_LARGE, /* some value is past 2^120 */
} RuleOutcome;

typedef struct RuleReading {
  RuleOutcome outcome;
  Wide left, right; /* of an expression rule; for a constraint the value of its expression */
  bool left_holds, right_holds; /* of a constraint rule */
  Wide left_lo, left_hi, right_lo, right_hi;
  const RuleTerm *divisor; /* of RULE_DIVISOR */
  Wide divisor_value;
} RuleReading;

[[nodiscard]] RuleReading rule_read(const Rule *rule, const RuleValues *values);
/* Whether the guard holds, with each x within lo(x) and hi(x). A guard with a divisor <= 0 does not
 * hold. */
[[nodiscard]] bool rule_guard_holds(const Rule *rule, const RuleValues *values);
/* Evaluates one term. False for a divisor <= 0, which `bad` then names, and past 2^120, with `bad`
 * null. */
[[nodiscard]] bool term_value(const RuleTerm *term, const RuleValues *values, Wide *value,
    const RuleTerm **bad, Wide *bad_value);
/* Whether every intermediate value fits int64, for the expression of a side and a constraint's
 * ends. */
[[nodiscard]] bool side_fits_int64(const Side *side, const RuleValues *values);

/* Whether the rule names a bound of the letter. */
[[nodiscard]] bool rule_names_bounds(const Rule *rule, uint32_t letter);

/* The letters in the order of the rule, with the bounds that it names. KEEP: the rule's names. */
[[nodiscard]] Bindings rule_bindings(Arena *arena, const Rule *rule, const RuleValues *values);
/* Prints "x=3, c=-1, lo(x)=0": the letters in the order of the rule. */
void rule_values_print(Text *text, const Rule *rule, const RuleValues *values);
/* Prints "left 3, right 2", and for constraints "left: 3 in [0, 2] no, right: ...". */
void rule_reading_print(Text *text, const Rule *rule, const RuleReading *reading);

#endif
