/* Checks the verdict about a rule. A PROVED rule must hold at random values. A REFUTED rule must
 * fail at its witness, and must not be proved when the prover may use neither samples nor models:
 * every step of that attempt is checked at the witness. */
#ifndef FUZZ_HARNESS_HARNESS_RULE_H
#define FUZZ_HARNESS_HARNESS_RULE_H

#include "core/rules/rule.h"
#include "fuzz/harness/harness.h"
#include "core/base/choices.h"
#include "smt/rules/prove.h"

static constexpr uint64_t harness_rlimit = 300'000;

/* Values are small, so that they are often multiples of divisors and at edges of bounds. lo and hi
 * differ a little from the value. */
[[nodiscard]] RuleValues harness_draw_values(Choices *choices, const Rule *rule);

/* Deterministic in `seed`. `body` is the case that a report shows. */
void harness_check_verdict(Harness *harness, const Rule *rule, const RuleVerdict *verdict,
    const char *body, uint64_t seed);

#endif
