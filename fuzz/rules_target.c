/* Bytes are a rule, made from one of the engine's by small changes. What the prover calls PROVED must hold wherever its guards hold among random
 * values; what it calls REFUTED must fail at its witness. UNKNOWN, a vacuous guard and what does not read are counted. */
#include "core/map/random_map.h"
#include "fuzz/harness.h"
#include "fuzz/mutate_rule.h"
#include "fuzz/target.h"
#include "smt/prove.h"

#include <string.h>

static constexpr uint64_t rlimit = 300'000;

static const RuleSet *engine_rules(void) {
  static RuleSet rules;
  static Arena *arena;
  Error error = {};
  if (arena == nullptr && !rules_engine(arena = arena_create(), &rules, &error)) harness_fail("rules", "", "%s", error.message);
  return &rules;
}

static bool fails(RuleOutcome outcome) { return outcome == RULE_DIFFERS || outcome == RULE_DIVISOR; }

static RuleValues draw(RandomMaps *random, const Rule *rule) {
  RuleValues values = {};
  int64_t wide = random_between(random, 1, 40);
  for (uint32_t i = 0; i < rule->constant_count; i++) values.constants[i] = random_between(random, -wide / 4, wide);
  for (uint32_t i = 0; i < rule->expr_count; i++) {
    values.exprs[i] = random_between(random, -wide, 2 * wide);
    values.lo[i] = values.exprs[i] - random_between(random, 0, wide / 4);
    values.hi[i] = values.exprs[i] + random_between(random, 0, wide / 4);
  }
  return values;
}

static void check(Harness *harness, const Rule *rule, const RuleVerdict *verdict, const char *body, uint64_t seed) {
  Text text = text_create(harness->arena);
  if (verdict->answer == SMT_REFUTED && !fails(rule_read(rule, &verdict->values).outcome)) harness_fail("witness", body, "the witness shows nothing: %s", verdict->text);
  if (verdict->answer != SMT_PROVED) return;
  RandomMaps random = {.state = seed};
  for (uint32_t i = 0; i < 2000; i++) {
    RuleValues values = draw(&random, rule);
    if (!fails(rule_read(rule, &values).outcome)) continue;
    rule_values_print(&text, rule, &values);
    harness_fail("proved", body, "proved by %s, and false at %s", verdict->method, text.bytes);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  Rule rule = fuzz_mutate_rule(harness->arena, engine_rules(), bytes, size);
  Text text = text_create(harness->arena);
  rule_print(&text, &rule);
  Source source = {.name = "changed", .text = text.bytes, .length = text.length, .first_line = 1};
  RuleSet read = {};
  RuleVerdict verdict;
  Error error = {};
  bool judged = rules_parse(harness->arena, &source, &read, &error) && prove_rule(harness->arena, &read.items[0], &(ProveOptions){.rlimit = rlimit}, &verdict, &error);
  if (judged) check(harness, &read.items[0], &verdict, text.bytes, size);
  harness->refused += !judged;
  harness->answers[judged && verdict.answer != SMT_UNKNOWN ? ORACLE_EXACT : ORACLE_TOO_LARGE]++;
  return 0;
}
