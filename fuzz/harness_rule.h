/* What is asked about a judged rule: what is PROVED holds at random values, what is REFUTED fails at its witness. */
#ifndef FUZZ_HARNESS_RULE_H
#define FUZZ_HARNESS_RULE_H

#include "core/rules/rule.h"
#include "fuzz/harness.h"
#include "smt/prove.h"

/* Deterministic in `seed`. */
void harness_check_verdict(Harness *harness, const Rule *rule, const RuleVerdict *verdict, const char *body, uint64_t seed);

#endif
