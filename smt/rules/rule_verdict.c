/* Describes a verdict on a rule: the values of a refutation with both sides at them, the guard that
 * a divisor lacks, and values at which only the right side leaves int64. */
#include <assert.h>

#include "smt/rules/prove.h"

static bool has_letter(const RuleTerm *term) {
  switch (term->kind) {
    case TERM_INTEGER: return false;
    case TERM_CONSTANT_LETTER:
    case TERM_EXPR:
    case TERM_LO:
    case TERM_HI: return true;
    case TERM_OPERATOR:
    case TERM_GCD: return has_letter(term->left) || has_letter(term->right);
  }
  assert(false);
  return false;
}

static void describe_refutation(Arena *arena, const Rule *rule, RuleVerdict *verdict) {
  verdict->reading = rule_read(rule, &verdict->values);
  assert(verdict->reading.outcome == RULE_DIFFERS || verdict->reading.outcome == RULE_DIVISOR);
  Text text = text_create(arena);
  text_string(&text, "at ");
  rule_values_print(&text, rule, &verdict->values);
  text_string(&text, ": ");
  rule_reading_print(&text, rule, &verdict->reading);
  verdict->text = text.bytes;
  if (verdict->reading.outcome != RULE_DIVISOR || !has_letter(verdict->reading.divisor)) return;
  Text guard = text_create(arena);
  term_print(&guard, rule, verdict->reading.divisor);
  text_string(&guard, " > 0");
  verdict->missing_guard = guard.bytes;
}

void verdict_describe(Arena *arena, const Rule *rule, RuleVerdict *verdict) {
  if (verdict->answer == VERDICT_REFUTED) describe_refutation(arena, rule, verdict);
  if (!verdict->has_overflow) return;
  Text text = text_create(arena);
  text_string(&text, "the right side leaves int64 where the left does not, at ");
  rule_values_print(&text, rule, &verdict->overflow);
  verdict->note = text.bytes;
}

void rule_verdict_print(Text *text, const Rule *rule, const RuleVerdict *verdict) {
  text_string(text, rule->name);
  bool is_everything = verdict->scope != rule->scope;
  switch (verdict->answer) {
    case VERDICT_PROVED:
      text_printf(text, " PROVED (%s%s)", is_everything ? "" : "scope: ", verdict->scope);
      break;
    case VERDICT_REFUTED: text_printf(text, " REFUTED %s", verdict->text); break;
    case VERDICT_UNKNOWN: text_printf(text, " UNKNOWN (%s)", verdict->text); break;
  }
  if (verdict->missing_guard != nullptr)
    text_printf(text, "; missing guard: %s", verdict->missing_guard);
}
