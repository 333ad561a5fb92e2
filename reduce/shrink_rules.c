/* Findings of rules. `proved`: a proof of a rule that fails at values, random ones or those of the
 * prover's own sampling. `false_step`: a proof with a step that is false at such values. `witness`:
 * a refutation whose values show nothing. `refuted`: a false rule, rightly refuted. Its signature
 * names the conditions that the guard lacks, if the search finds them, so that the reduced rule is
 * false for the same reason: without them, almost every reduced rule would be false by a division
 * by zero. Proofs are requested without sampling, so that only the proof itself decides. */
#include <string.h>

#include "fuzz/harness/harness_rule.h"
#include "core/base/choices.h"
#include "reduce/shrink_form.h"
#include "smt/rules/guard_search.h"
#include "smt/rules/prove.h"

static constexpr uint32_t draws = 2000;

static bool shrink_rules_fails(const Rule *rule, const RuleValues *values) {
  RuleOutcome outcome = rule_read(rule, values).outcome;
  return outcome == RULE_DIFFERS || outcome == RULE_DIVISOR;
}

static bool fails_somewhere(Arena *arena, const Rule *rule, RuleValues *values) {
  RandomChoices random = choices_of_seed(1);
  for (uint32_t i = 0; i < draws; i++) {
    *values = harness_draw_values(&random.choices, rule);
    if (shrink_rules_fails(rule, values)) return true;
  }
  RuleVerdict verdict;
  Error error = {};
  if (!prove_rule(arena, rule, &(ProveOptions){.rlimit = harness_rlimit}, &verdict, &error) ||
      verdict.answer != VERDICT_REFUTED)
    return false;
  *values = verdict.values;
  return shrink_rules_fails(rule, values);
}

/* Passes the values to the prover, which checks each of its steps at them. */
static bool steps_wrongly_at(Arena *arena, const Rule *rule, const RuleValues *values) {
  RuleVerdict verdict;
  Error error = {};
  ProveOptions options = {.rlimit = harness_rlimit, .only_proof = true, .witness = values};
  return prove_rule(arena, rule, &options, &verdict, &error) && verdict.reason == REASON_FALSE_STEP;
}

/* Tries the values of the prover's own sampling, then random ones. */
static bool steps_wrongly(Arena *arena, const Rule *rule, RuleValues *values) {
  RuleVerdict verdict;
  Error error = {};
  bool refuted =
      prove_rule(arena, rule, &(ProveOptions){.rlimit = harness_rlimit}, &verdict, &error) &&
      verdict.answer == VERDICT_REFUTED && shrink_rules_fails(rule, &verdict.values);
  if (refuted && steps_wrongly_at(arena, rule, &verdict.values))
    return *values = verdict.values, true;
  return fails_somewhere(arena, rule, values) && steps_wrongly_at(arena, rule, values);
}

static constexpr char unless[] = " unless ", at_divisor[] = " at a divisor";

static bool shrink_rules_parse(Arena *arena, const char *text, size_t length, RuleSet *rules) {
  Source source = {.name = "reduced", .text = text, .length = length, .first_line = 1};
  Error error = {};
  return rules_parse(arena, &source, rules, &error);
}

/* "refuted", "refuted at a divisor", or either with " unless hi(x) < c". */
static const char *refuted_signature(
    Arena *arena, const Rule *rule, const RuleValues *values, bool searches) {
  GuardSearch search = {};
  Text text = text_create(arena);
  text_string(&text, finding_name(FOUND_REFUTED));
  if (rule_read(rule, values).outcome == RULE_DIVISOR) text_string(&text, at_divisor);
  if (searches)
    guard_search(arena, rule, values, &(ProveOptions){.rlimit = 10 * harness_rlimit}, &search);
  for (uint32_t i = 0; i < search.count; i++) {
    text_string(&text, i == 0 ? unless : ", ");
    guard_print(&text, rule, &search.guards[i]);
  }
  FaultSignature cut;
  signature_set(&cut, text.bytes);
  return arena_text(arena, cut.text, strlen(cut.text));
}

/* Whether the rule is proved with these conditions added to its guard. Their letters must be the
 * rule's own. */
static bool is_true_with(Arena *arena, const Rule *rule, const char *conditions) {
  RuleSet parsed = {};
  Text text = text_create(arena);
  text_string(&text, "rule conditions\n  ");
  side_print(&text, rule, &rule->left);
  text_string(&text, " => ");
  side_print(&text, rule, &rule->right);
  text_printf(&text, "\n  when %s\n", conditions);
  if (!shrink_rules_parse(arena, text.bytes, text.length, &parsed)) return false;
  const Rule *more = &parsed.items[0];
  Rule both = *rule;
  both.guard_count = rule->guard_count + more->guard_count;
  both.guards = ARENA_NEW(arena, Guard, both.guard_count);
  for (uint32_t i = 0; i < both.guard_count; i++)
    both.guards[i] = i < rule->guard_count ? rule->guards[i] : more->guards[i - rule->guard_count];
  RuleVerdict verdict;
  Error error = {};
  return prove_rule(arena, &both, &(ProveOptions){.rlimit = harness_rlimit, .only_proof = true},
             &verdict, &error) &&
         verdict.answer == VERDICT_PROVED;
}

/* The conditions are searched once; afterwards a rule is refuted for the same reason if they make
 * it true. */
static const char *refuted_as_wanted(
    Arena *arena, const Rule *rule, const char *wanted, const RuleValues *values) {
  const char *name = finding_name(FOUND_REFUTED), *conditions = strstr(wanted, unless);
  if (*wanted != 0 && !signature_is_wanted(name, wanted)) return nullptr;
  if (!shrink_rules_fails(rule, values)) return nullptr;
  bool is_kind = *wanted == 0 || strcmp(wanted, name) == 0;
  const char *signature = refuted_signature(arena, rule, values, is_kind);
  if (is_kind) return signature;
  if (conditions == nullptr) return strcmp(wanted, signature) == 0 ? wanted : nullptr;
  size_t length = (size_t)(conditions - wanted);
  bool is_alike = strlen(signature) == length && strncmp(signature, wanted, length) == 0;
  return is_alike && is_true_with(arena, rule, conditions + strlen(unless)) ? wanted : nullptr;
}

/* The signature of what one rule shows, or nullptr. */
static const char *shrink_rules_see(
    Arena *arena, const Rule *rule, const char *wanted, RuleValues *values) {
  RuleVerdict verdict;
  Error error = {};
  if (!prove_rule(arena, rule, &(ProveOptions){.rlimit = harness_rlimit, .only_proof = true},
          &verdict, &error))
    return nullptr;
  if (signature_is_wanted(wanted, finding_name(FOUND_PROVED)) && verdict.answer == VERDICT_PROVED &&
      fails_somewhere(arena, rule, values))
    return finding_name(FOUND_PROVED);
  if (signature_is_wanted(wanted, finding_name(FOUND_FALSE_STEP)) &&
      steps_wrongly(arena, rule, values))
    return finding_name(FOUND_FALSE_STEP);
  if (strcmp(wanted, finding_name(FOUND_PROVED)) == 0 ||
      strcmp(wanted, finding_name(FOUND_FALSE_STEP)) == 0 ||
      !prove_rule(arena, rule, &(ProveOptions){.rlimit = harness_rlimit}, &verdict, &error) ||
      verdict.answer != VERDICT_REFUTED)
    return nullptr;
  *values = verdict.values;
  if (signature_is_wanted(wanted, finding_name(FOUND_WITNESS)) && !shrink_rules_fails(rule, values))
    return finding_name(FOUND_WITNESS);
  return refuted_as_wanted(arena, rule, wanted, values);
}

void look_rules(
    void *state, const char *wanted, const char *text, size_t length, FaultSignature *signature) {
  Hunt *hunt = state;
  ArenaMark mark = arena_mark(hunt->scratch);
  RuleSet rules = {};
  RuleValues values;
  const char *found = nullptr;
  bool reads = shrink_rules_parse(hunt->scratch, text, length, &rules);
  if (strcmp(wanted, signature_reads) == 0) found = reads ? signature_reads : nullptr;
  else
    for (uint32_t i = 0; i < rules.count && found == nullptr; i++)
      found = shrink_rules_see(hunt->scratch, &rules.items[i], wanted, &values);
  if (found != nullptr) signature_set(signature, found);
  arena_rewind(hunt->scratch, mark);
}

static uint32_t term_nodes(const RuleTerm *term) {
  if (term == nullptr) return 0;
  bool inner = term->kind == TERM_OPERATOR || term->kind == TERM_GCD;
  return 1 + (inner ? term_nodes(term->left) + term_nodes(term->right) : 0);
}

/* The nodes of the left sides, which the rules match. */
static uint32_t node_count(const RuleSet *rules) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < rules->count; i++) count += term_nodes(rules->items[i].left.expr);
  return count;
}

/* For `proved` and `refuted` the case expects the rule to be refuted; for a refutation by values
 * that show nothing it expects a proof. */
void describe_rules(Hunt *hunt) {
  Shrink *shrink = hunt->shrink;
  bool crashes = signature_is_crash(&shrink->signature),
       bogus = strcmp(shrink->signature.text, finding_name(FOUND_WITNESS)) == 0;
  const char *kind = crashes ? "crash" : shrink->signature.text;
  shrink->name = arena_printf(shrink->arena, "rule_%.*s", (int)strcspn(kind, " "), kind);
  shrink->body = arena_printf(shrink->arena, "prove rules\n%s%send\n%s\n", shrink->smallest,
      shrink->length > 0 && shrink->smallest[shrink->length - 1] == '\n' ? "" : "\n",
      bogus ? "proved" : "refuted");
  RuleSet rules = {};
  if (!hunt->reads || !shrink_rules_parse(shrink->arena, shrink->smallest, shrink->length, &rules))
    return;
  shrink->size = node_count(&rules);
  for (uint32_t i = 0; i < rules.count && !crashes; i++) {
    RuleValues values;
    Text text = text_create(shrink->arena);
    if (shrink_rules_see(hunt->scratch, &rules.items[i], shrink->signature.text, &values) ==
        nullptr)
      continue;
    rule_values_print(&text, &rules.items[i], &values);
    shrink->witness = text.bytes;
    return;
  }
}
