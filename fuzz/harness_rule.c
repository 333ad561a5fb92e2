/* Random values are drawn small, so that divisors meet multiples and edges of bounds; lo and hi stand a little apart from the value. */
#include "fuzz/harness_rule.h"

#include "core/map/random_map.h"

static constexpr uint32_t draws = 2000;

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

void harness_check_verdict(Harness *harness, const Rule *rule, const RuleVerdict *verdict, const char *body, uint64_t seed) {
  Text text = text_create(harness->arena);
  if (verdict->answer == SMT_REFUTED && !fails(rule_read(rule, &verdict->values).outcome)) harness_fail("witness", body, "the witness shows nothing: %s", verdict->text);
  if (verdict->answer != SMT_PROVED) return;
  RandomMaps random = {.state = seed};
  for (uint32_t i = 0; i < draws; i++) {
    RuleValues values = draw(&random, rule);
    if (!fails(rule_read(rule, &values).outcome)) continue;
    rule_values_print(&text, rule, &values);
    harness_fail("proved", body, "proved by %s, and false at %s", verdict->method, text.bytes);
  }
}
