/* Bytes are a rule, made from one of the engine's by small changes. What the prover calls PROVED must hold wherever its guards hold among random
 * values; what it calls REFUTED must fail at its witness. UNKNOWN, a vacuous guard and what does not read are counted. */
#include "fuzz/harness_rule.h"
#include "fuzz/mutate_rule.h"
#include "fuzz/target.h"

static constexpr uint64_t rlimit = 300'000;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  Rule rule = fuzz_mutate_rule(harness->arena, harness_rules(), bytes, size);
  Text text = text_create(harness->arena);
  rule_print(&text, &rule);
  Source source = {.name = "changed", .text = text.bytes, .length = text.length, .first_line = 1};
  RuleSet read = {};
  RuleVerdict verdict;
  Error error = {};
  bool judged = rules_parse(harness->arena, &source, &read, &error) && prove_rule(harness->arena, &read.items[0], &(ProveOptions){.rlimit = rlimit}, &verdict, &error);
  if (judged) harness_check_verdict(harness, &read.items[0], &verdict, text.bytes, size);
  harness->refused += !judged;
  harness->answers[judged && verdict.answer != SMT_UNKNOWN ? ORACLE_EXACT : ORACLE_TOO_LARGE]++;
  return 0;
}
