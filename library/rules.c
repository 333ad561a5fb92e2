/* Rules: text and proof. */
#include "core/base/budget.h"
#include "core/simplify/rule_lines.h"
#include "library/context.h"
#include "smt/rules/prove.h"

static bool rules_read(AffirmContext *context, AffirmRules *rules) {
  Arena *arena = context_arena(context);
  RuleFaults faults = {};
  rules_parse_statements(arena, &rules->source, &rules->set, &faults);
  if (faults.count == 0)
    return rules_lines_parse(arena, &rules->source, &rules->set, &context->error);
  if (context->error.kind == ERROR_NONE) context->error = faults.items[0];
  return false;
}

const AffirmRules *affirm_rules_parse(AffirmContext *context, const char *name, const char *text) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_HAS(context, name) || !CONTEXT_HAS(context, text))
    return nullptr;
  MapMark mark = map_context_mark(context->judge->context);
  AffirmRules *rules = ARENA_NEW(context_arena(context), AffirmRules, 1);
  rules->source = *context_source(context, name, text);
  if (rules_read(context, rules)) return rules;
  context_forget(context, mark);
  return nullptr;
}

uint32_t affirm_rules_count(const AffirmRules *rules) {
  return rules == nullptr ? 0 : rules->set.count;
}

static const Rule *rule_at(AffirmContext *context, const AffirmRules *rules, uint32_t index) {
  return context_has_index(context, "rule", index, rules->set.count) ? &rules->set.items[index]
                                                                     : nullptr;
}

const char *affirm_rule_name(AffirmContext *context, const AffirmRules *rules, uint32_t index) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_OWNS(context, rules)) return nullptr;
  const Rule *rule = rule_at(context, rules, index);
  return rule == nullptr ? nullptr : rule->name;
}

const char *affirm_rule_text(AffirmContext *context, const AffirmRules *rules, uint32_t index) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_OWNS(context, rules)) return nullptr;
  const Rule *rule = rule_at(context, rules, index);
  if (rule == nullptr) return nullptr;
  Text text = text_create(context_arena(context));
  rule_print(&text, rule);
  return text.bytes;
}

/* Without a limit the solver's own budget bounds a proof, the same on every machine. */
static bool rule_prove(
    AffirmContext *context, const Rule *rule, const Source *source, RuleVerdict *found) {
  uint32_t seconds = context->judge->seconds;
  bool began = seconds > 0 && budget_begin(seconds, nullptr);
  bool is_done = prove_rule(
      context_arena(context), rule, &(ProveOptions){.source = source}, found, &context->error);
  if (began) budget_end(began);
  return is_done;
}

AffirmStatus affirm_rule_prove(
    AffirmContext *context, const AffirmRules *rules, uint32_t index, AffirmVerdict *verdict) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_OWNS(context, rules)) return verdict_fail(context, verdict);
  const Rule *rule = rule_at(context, rules, index);
  RuleVerdict found;
  if (rule == nullptr || !rule_prove(context, rule, &rules->source, &found))
    return verdict_fail(context, verdict);
  switch (found.answer) {
    case VERDICT_PROVED: return verdict_give(verdict, STATUS_PROVED, "proved", found.scope);
    case VERDICT_REFUTED: return verdict_give(verdict, STATUS_REFUTED, "refuted", found.text);
    case VERDICT_UNKNOWN: break;
  }
  return verdict_give(verdict, STATUS_UNDECIDED, "unknown", found.text);
}
