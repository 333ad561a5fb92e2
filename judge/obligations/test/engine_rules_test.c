/* The engine's own rules: each is proved for all values, its negative example is refuted by the
 * solver and by sampling, and its example makes it fire, so that no other rule always fires
 * first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/map/text.h"
#include "core/simplify/simplify.h"
#include "smt/rules/prove.h"
#include "smt/rules/rule_sample.h"

typedef struct EngineRulesFixture {
  Arena *arena;
  RuleSet rules;
  MapContext *context;
  Simplifier *simplifier;
} EngineRulesFixture;

static int engine_rules_begin(void **state) {
  EngineRulesFixture *world = calloc(1, sizeof *world);
  Error error = {};
  world->arena = arena_create();
  world->context = map_context_create();
  if (!rules_engine(world->arena, &world->rules, &error))
    fail_msg("%s:%u: %s", error.name, error.line, error.message);
  world->simplifier = simplifier_create(world->context, nullptr, &error);
  if (world->simplifier == nullptr) fail_msg("%s", error.message);
  *state = world;
  return 0;
}

static int engine_rules_end(void **state) {
  EngineRulesFixture *world = *state;
  simplifier_destroy(world->simplifier);
  map_context_destroy(world->context);
  arena_destroy(world->arena);
  free(world);
  return 0;
}

static RuleVerdict verdict_of(EngineRulesFixture *world, const Rule *rule, bool skip_sampling) {
  RuleVerdict verdict;
  Error error = {};
  if (!prove_rule(
          world->arena, rule, &(ProveOptions){.skip_sampling = skip_sampling}, &verdict, &error))
    fail_msg("%s: %s", rule->name, error.message);
  return verdict;
}

static void every_rule_is_proved(void **state) {
  EngineRulesFixture *world = *state;
  for (uint32_t i = 0; i < world->rules.count; i += test_length(1, 1, 3)) {
    RuleVerdict verdict = verdict_of(world, &world->rules.items[i], false);
    if (verdict.answer != VERDICT_PROVED)
      fail_msg("%s: %s", world->rules.items[i].name, verdict.text);
    if (world->rules.items[i].scope == nullptr) assert_string_equal(verdict.scope, "all values");
  }
}

static void every_negative_is_refuted_twice(void **state) {
  EngineRulesFixture *world = *state;
  for (uint32_t i = 0; i < world->rules.count; i += test_length(1, 1, 3)) {
    const Rule *rule = &world->rules.items[i];
    if (!rule->has_negative) fail_msg("%s has no negative example", rule->name);
    Rule near = rule_negative(rule);
    Sample sample = {};
    rule_sample(&near, 4, 20'000, 20, &sample);
    if (!sample.is_refuted)
      fail_msg("sampling does not refute the negative example of %s", rule->name);
    RuleVerdict verdict = verdict_of(world, &near, true);
    if (verdict.answer != VERDICT_REFUTED)
      fail_msg(
          "the solver does not refute the negative example of %s: %s", rule->name, verdict.text);
    assert_true(rule_is_refuted_by(&near, &verdict.values));
  }
}

static bool fires(EngineRulesFixture *world, const Rule *rule) {
  const Map *map, *simplified;
  Error error = {};
  Trace trace = {.arena = world->arena};
  const Source source = {
      .name = rule->name, .text = rule->example, .length = strlen(rule->example), .first_line = 1};
  if (!map_parse(world->context, &source, &map, &error))
    fail_msg("the example of %s: %s", rule->name, error.message);
  if (!simplify_map(world->simplifier, map, &(SimplifyOptions){}, &simplified, &trace, &error))
    fail_msg("%s: %s", rule->name, error.message);
  for (uint32_t i = 0; i < trace.count; i++)
    if (trace.items[i].rule != nullptr && strcmp(trace.items[i].rule->name, rule->name) == 0)
      return true;
  return false;
}

static void every_example_fires(void **state) {
  EngineRulesFixture *world = *state;
  for (uint32_t i = 0; i < world->rules.count; i++) {
    const Rule *rule = &world->rules.items[i];
    if (rule->example == nullptr) fail_msg("%s has no example", rule->name);
    if (rule->order == nullptr) fail_msg("%s has no order", rule->name);
    if (!fires(world, rule)) fail_msg("%s does not fire on its example", rule->name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_rule_is_proved),
      cmocka_unit_test(every_negative_is_refuted_twice),
      cmocka_unit_test(every_example_fires),
  };
  return cmocka_run_group_tests(tests, engine_rules_begin, engine_rules_end);
}
