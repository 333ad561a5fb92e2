/* Parses and samples rules. A refutation proves that the rule is false; any other result leaves it
 * open. */
#include "cli/explore/answer.h"
#include "cli/report/rule_sides.h"
#include "smt/rules/rule_sample.h"

static constexpr uint64_t sample_seed = 1;
static constexpr uint32_t sample_tries = 4'000, sample_span = 40;

static void answer_refuted(ExploreAnswer *answer, const Rule *rule, const RuleValues *values) {
  Text words = text_create(answer->text->arena);
  RuleReading reading = rule_read(rule, values);
  text_string(&words, "at ");
  rule_values_print(&words, rule, values);
  text_string(&words, ": ");
  rule_reading_print(&words, rule, &reading);
  explore_paragraph(answer, words.bytes);
}

static void answer_rule(ExploreAnswer *answer, const Rule *rule) {
  Arena *arena = answer->text->arena;
  Sample sample = {};
  Text statement = text_create(arena), sides = text_create(arena);
  rule_sample(rule, sample_seed, sample_tries, sample_span, &sample);
  if (sample.is_refuted) rule_shrink(rule, &sample.refutation);
  rule_sides_print(&sides, rule, sample.is_refuted ? &sample.refutation : nullptr);
  explore_row_begin(answer, sample.is_refuted ? STATUS_REFUTED : STATUS_UNDECIDED,
      sample.is_refuted ? "refuted" : "not proved here", rule->name, sides.bytes);
  rule_print(&statement, rule);
  html_between(answer->text, "<pre>", statement.bytes, "</pre>\n");
  if (sample.is_refuted) answer_refuted(answer, rule, &sample.refutation);
  else
    explore_paragraph(answer,
        sample.hit_count == 0
            ? "No sample met the guard. Not proved here: affirm prove"
            : arena_printf(arena, "No counterexample among %s. Not proved here: affirm prove",
                  counted(sample.tries, "sample")));
  explore_row_end(answer);
}

void explore_answer_rules(ExploreAnswer *answer) {
  RuleSet rules = {};
  RuleFaults faults = {};
  rules_parse_statements(answer->text->arena, answer->source, &rules, &faults);
  for (uint32_t i = 0; i < faults.count; i++) explore_error(answer, &faults.items[i]);
  for (uint32_t i = 0; i < rules.count; i++) answer_rule(answer, &rules.items[i]);
}
