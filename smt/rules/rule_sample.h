/* Refutes by sampling: small random values that are adjusted to the guard; then shrinks the
 * counterexample.
 * Keeps: all returned values were evaluated by rule_read; the same rule and seed give the same
 * values on every machine. */
#ifndef SMT_RULES_RULE_SAMPLE_H
#define SMT_RULES_RULE_SAMPLE_H

#include "smt/rules/rule_value.h"

static constexpr uint32_t sample_max_hits = 8;

typedef struct Sample {
  bool is_refuted;
  RuleValues refutation;
  uint32_t hit_count; /* at most sample_max_hits values for which the guard holds and the sides
                         agree */
  RuleValues hits[sample_max_hits];
  uint64_t tries;
} Sample;

/* `span` bounds most of the values. Stops at the first refutation. Overwrites `sample`. */
void rule_sample(const Rule *rule, uint64_t seed, uint32_t tries, uint32_t span, Sample *sample);

/* Whether the values are a counterexample. */
[[nodiscard]] bool rule_is_refuted_by(const Rule *rule, const RuleValues *values);
/* Replaces a counterexample by one with a smaller sum of absolute values, if a bounded search finds
 * one. */
void rule_shrink(const Rule *rule, RuleValues *values);

/* Searches values within int64 for which the left side stays in int64 and the right side does not,
 * among large values. */
[[nodiscard]] bool rule_overflows(
    const Rule *rule, uint64_t seed, uint32_t tries, RuleValues *values);

/* Pseudorandom numbers of a fixed sequence. */
typedef struct Dice {
  uint64_t state;
} Dice;
[[nodiscard]] uint64_t dice_next(Dice *dice);
/* lo <= result <= hi. */
[[nodiscard]] int64_t dice_range(Dice *dice, int64_t lo, int64_t hi);

#endif
