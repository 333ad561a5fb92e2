/* Asks for a proof of each refuted rule. The prover gets the witness: it checks every step of the
 * proof there, so a false step is found even where the proof does not end. */
#include "fuzz/harness/harness_rule.h"

#include "core/base/choices.h"

static constexpr uint32_t draws = 2000;
/* The budget of a proof that must not be found: nine of ten proofs that are found need 15,000. */
static constexpr uint64_t attempt_rlimit = 50'000;

static bool harness_rule_fails(RuleOutcome outcome) {
  return outcome == RULE_DIFFERS || outcome == RULE_DIVISOR;
}

RuleValues harness_draw_values(Choices *choices, const Rule *rule) {
  RuleValues values = {};
  int64_t wide = choose_between(choices, 1, 40);
  for (uint32_t i = 0; i < rule->constant_count; i++)
    values.constants[i] = choose_between(choices, -wide / 4, wide);
  for (uint32_t i = 0; i < rule->expr_count; i++) {
    values.exprs[i] = choose_between(choices, -wide, 2 * wide);
    values.lo[i] = values.exprs[i] - choose_between(choices, 0, wide / 4);
    values.hi[i] = values.exprs[i] + choose_between(choices, 0, wide / 4);
  }
  return values;
}

static void check_proved(Harness *harness, const Rule *rule, const RuleVerdict *verdict,
    const char *body, uint64_t seed) {
  RandomChoices random = choices_of_seed(seed);
  for (uint32_t i = 0; i < draws; i++) {
    RuleValues values = harness_draw_values(&random.choices, rule);
    if (!harness_rule_fails(rule_read(rule, &values).outcome)) continue;
    Text text = text_create(harness->arena);
    rule_values_print(&text, rule, &values);
    harness_fail(FOUND_PROVED, body, "proved by %s, and false at %s", verdict->method, text.bytes);
  }
}

static void require_no_proof(
    Harness *harness, const Rule *rule, const RuleValues *witness, const char *body) {
  RuleVerdict verdict;
  Error error = {};
  if (!prove_rule(harness->arena, rule,
          &(ProveOptions){.rlimit = attempt_rlimit, .only_proof = true, .witness = witness},
          &verdict, &error))
    harness_fail(FOUND_JUDGE, body, "%s", error.message);
  if (verdict.answer == VERDICT_PROVED || verdict.reason == REASON_FALSE_STEP)
    harness_fail(FOUND_PROVED, body, "refuted by values, and its proof: %s%s",
        verdict.answer == VERDICT_PROVED ? "proved by " : verdict.text,
        verdict.answer == VERDICT_PROVED ? verdict.method : "");
}

void harness_check_verdict(Harness *harness, const Rule *rule, const RuleVerdict *verdict,
    const char *body, uint64_t seed) {
  if (verdict->answer == VERDICT_PROVED) check_proved(harness, rule, verdict, body, seed);
  if (verdict->answer != VERDICT_REFUTED) return;
  if (!harness_rule_fails(rule_read(rule, &verdict->values).outcome))
    harness_fail(FOUND_WITNESS, body, "the witness shows nothing: %s", verdict->text);
  require_no_proof(harness, rule, &verdict->values, body);
}
