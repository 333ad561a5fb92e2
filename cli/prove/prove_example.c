/* Runs a rule on its example as `affirm simplify --rules` would. If a rule fires alone, it is not
 * tried again together with the engine's rules: these may rewrite the example first, which is no
 * fault of the rule. A rule of a file replaces the engine's rule of the same name. */
#include "cli/prove/prove_example.h"

#include <string.h>

#include "cli/prove/prove_ops.h"
#include "cli/report/json.h"
#include "core/simplify/match/plan.h"
#include "core/simplify/rule_lines.h"
#include "core/simplify/simplify.h"

static bool rule_can_run(const Rule *rule) { return rule->cannot_run == nullptr; }

void rules_note_obstacles(Arena *arena, RuleSet *rules) {
  for (uint32_t i = 0; i < rules->count; i++) {
    Rule *rule = &rules->items[i];
    MatchPlan plan;
    Error error = {};
    if (!rule_can_run(rule) || plan_compile(arena, rule, &plan, &error)) continue;
    const char *subject = arena_printf(arena, "rule %s: ", rule->name), *why = error.message;
    if (strncmp(why, subject, strlen(subject)) == 0) why += strlen(subject);
    rule->cannot_run = arena_text(arena, why, strlen(why));
  }
}

static bool trace_has_rule(const Trace *trace, const char *name) {
  for (uint32_t i = 0; i < trace->count; i++)
    if (trace->items[i].rule != nullptr && strcmp(trace->items[i].rule->name, name) == 0)
      return true;
  return false;
}

/* Whether the rule fires if exactly these rules run. */
static VerdictStatus fires_among(Arena *arena, const RuleSet *rules, const Rule *rule) {
  MapContext *context = map_context_create();
  Error error = {};
  const Map *map, *simplified;
  Trace trace = {.arena = arena};
  Simplifier *simplifier = simplifier_create(context, rules, &error);
  bool is_done = simplifier != nullptr && rule_example_parse(context, rule, &map, &error) &&
                 simplify_map(simplifier, map, nullptr, &simplified, &trace, &error);
  VerdictStatus answer = trace_has_rule(&trace, rule->name) ? VERDICT_PROVED
                         : is_done                          ? VERDICT_REFUTED
                                                            : VERDICT_UNKNOWN;
  simplifier_destroy(simplifier);
  map_context_destroy(context);
  return answer;
}

static Rule *rule_of_name(const RuleSet *rules, const char *name) {
  for (uint32_t i = 0; i < rules->count; i++)
    if (strcmp(rules->items[i].name, name) == 0) return &rules->items[i];
  return nullptr;
}

/* PROVED if the rule, which has an example and can run, fires on it: alone, or after the engine's
 * own rules together with `rules`. UNKNOWN if simplifying fails before the rule fires. */
static VerdictStatus rule_fires_on_example(Arena *arena, const RuleSet *rules, const Rule *rule) {
  Rule own = *rule;
  VerdictStatus alone = fires_among(arena, &(RuleSet){.count = 1, .items = &own}, rule);
  RuleSet all = {};
  Error error = {};
  if (alone == VERDICT_PROVED || !rules_engine(arena, &all, &error)) return alone;
  for (uint32_t i = 0; i < rules->count; i++) {
    if (!rule_can_run(&rules->items[i])) continue;
    Rule *former = rule_of_name(&all, rules->items[i].name);
    if (former != nullptr) *former = rules->items[i];
    else *ARENA_PUSH(arena, &all) = rules->items[i];
  }
  VerdictStatus together = fires_among(arena, &all, rule);
  return together == VERDICT_REFUTED ? alone : together;
}

const char *example_fault(
    Arena *arena, const Rule *rule, bool is_json, bool is_negative, VerdictStatus answer) {
  const char *word = prove_answer_text(answer);
  const char *fault = is_negative                 ? "and must be refuted"
                      : answer == VERDICT_REFUTED ? "the rule does not fire on this map"
                                                  : "this map cannot be simplified";
  if (!is_json)
    return arena_printf(arena, "  %sexample of %s: %s, %s\n", is_negative ? "negative " : "",
        rule->name, word, fault);
  Text text = text_create(arena);
  Json json = json_begin(&text);
  json_string(&json, "rule", rule->name);
  json_string(&json, is_negative ? "negative" : "example", word);
  json_end(&json);
  return text.bytes;
}

Status rule_example_status(
    Arena *arena, const RuleSet *rules, const Rule *rule, bool is_json, const char **line) {
  *line = nullptr;
  if (rule->example == nullptr || !rule_can_run(rule)) return STATUS_PROVED;
  VerdictStatus answer = rule_fires_on_example(arena, rules, rule);
  if (answer != VERDICT_PROVED) *line = example_fault(arena, rule, is_json, false, answer);
  return prove_answer_status(answer);
}
