/* What is asked about a judged rule: what is PROVED holds at random values, what is REFUTED fails
 * at its witness, and cannot be proved where nothing but the proof stands in the way: with no model
 * looked at, and with the witness put before every step. */
#ifndef FUZZ_HARNESS_RULE_H
#define FUZZ_HARNESS_RULE_H

#include "core/map/test/random_map.h"
#include "core/rules/rule.h"
#include "fuzz/harness/harness.h"
#include "smt/rules/prove.h"

static constexpr uint64_t harness_rlimit = 300'000;

/* Small, so that divisors meet multiples and edges of bounds; lo and hi stand a little apart from
 * the value. */
[[nodiscard]] RuleValues harness_draw_values(RandomMaps *random, const Rule *rule);

/* Deterministic in `seed`. `body` is what a report shows. */
void harness_check_verdict(Harness *harness, const Rule *rule, const RuleVerdict *verdict,
    const char *body, uint64_t seed);

#endif
