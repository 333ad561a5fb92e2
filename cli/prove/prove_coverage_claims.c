/* The claims about operations at every size, as rules. Enumeration looks for values that satisfy
 * the guard of each rule, and for values that refute some rule of the claim that is wrong by one.
 * No solver is asked. Claims share most of their rules, so each text is tried once. */
#include "cli/prove/prove_coverage_claims.h"

#include <string.h>

#include "judge/maps/question.h"
#include "smt/rules/rule_sample.h"
#include "smt/smt.h"

static constexpr uint32_t tries = 2'000;

typedef struct ClaimRule {
  const char *text;
  const char *witness, *refutation; /* nullptr: not found */
} ClaimRule;

typedef struct ClaimRules {
  Arena *arena;
  uint32_t count, capacity;
  ClaimRule *items;
} ClaimRules;

static const char *values_text(Arena *arena, const Rule *rule, const RuleValues *values) {
  Text text = text_create(arena);
  rule_values_print(&text, rule, values);
  return text.bytes;
}

static ClaimRule claim_rule(Arena *arena, const char *statement) {
  ClaimRule found = {.text = statement};
  const char *text = arena_printf(arena, "rule claim\n  %s", statement);
  Source source = {.name = "a claim", .text = text, .length = strlen(text), .first_line = 1};
  RuleSet rules = {};
  RuleFaults faults = {};
  rules_parse_statements(arena, &source, &rules, &faults);
  if (rules.count != 1) return found;
  Sample sample = {};
  rule_sample(&rules.items[0], 1, tries, 20, &sample);
  if (sample.hit_count > 0) found.witness = values_text(arena, &rules.items[0], &sample.hits[0]);
  if (!sample.is_refuted) return found;
  rule_shrink(&rules.items[0], &sample.refutation);
  found.refutation = values_text(arena, &rules.items[0], &sample.refutation);
  return found;
}

static const ClaimRule *find_claim_rule(ClaimRules *rules, const char *statement) {
  for (uint32_t i = 0; i < rules->count; i++)
    if (strcmp(rules->items[i].text, statement) == 0) return &rules->items[i];
  ClaimRule found = claim_rule(rules->arena, statement);
  ClaimRule *kept = ARENA_PUSH(rules->arena, rules);
  *kept = found;
  return kept;
}

/* Returns values for the guards of the first rule if the guards of all rules can be satisfied. */
static const char *claim_witness(ClaimRules *rules, const SmtStatements *statements) {
  const char *first = nullptr;
  for (uint32_t i = 0; i < statements->count; i++) {
    const char *witness = find_claim_rule(rules, statements->items[i])->witness;
    if (witness == nullptr) return nullptr;
    if (i == 0) first = witness;
  }
  return first;
}

static const char *claim_refutation(ClaimRules *rules, const SmtStatements *statements) {
  for (uint32_t i = 0; i < statements->count; i++) {
    const char *refutation = find_claim_rule(rules, statements->items[i])->refutation;
    if (refutation != nullptr) return refutation;
  }
  return nullptr;
}

static void claim_coverage(Text *text, ClaimRules *rules, uint32_t at) {
  SmtSizes claim;
  SmtStatements statements, negative;
  const char *witness = nullptr, *refutation = nullptr;
  if (smt_all_sizes_statements(rules->arena, at, false, &claim, &statements))
    witness = claim_witness(rules, &statements);
  if (smt_all_sizes_statements(rules->arena, at, true, &claim, &negative))
    refutation = claim_refutation(rules, &negative);
  const char *name =
      arena_printf(rules->arena, "claim %s rank %u, pattern %u, %s", claim.operation, claim.rank,
          claim.pattern, direction_text(claim.input_to_output ? INPUT_TO_OUTPUT : OUTPUT_TO_INPUT));
  if (witness == nullptr) text_printf(text, "fewer: %s: no values satisfy the guards\n", name);
  if (refutation == nullptr)
    text_printf(text, "fewer: %s: no values refute a negative example\n", name);
  if (witness != nullptr && refutation != nullptr)
    text_printf(text, "%s: holds at %s; its negative example is refuted at %s\n", name,
        *witness == 0 ? "all values" : witness, refutation);
}

void coverage_claims(Text *text) {
  ClaimRules rules = {.arena = text->arena};
  for (uint32_t i = 0; i < smt_all_sizes_count(); i++) claim_coverage(text, &rules, i);
}
