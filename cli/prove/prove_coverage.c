/* affirm prove --coverage: reports what is decided twice, by enumeration besides proof.
 * For each rule of the engine and each claim about operations: values that satisfy its guard, and
 * values that refute its negative example. For each operator: the number of rules with both. For
 * each opcode: whether there is a claim at every size. For each attribute: whether both judges
 * notice that its value changes the result.
 * A line that begins with `fewer` reports what is missing. ci/fewer_judges compares these lines
 * with corpus/fewer_judges.txt. */
#include "cli/prove/prove_coverage.h"

#include <stdio.h>
#include <string.h>

#include "cli/prove/prove_coverage_attributes.h"
#include "cli/prove/prove_coverage_claims.h"
#include "core/rules/rule.h"
#include "smt/rules/prove.h"
#include "smt/rules/rule_sample.h"
#include "smt/smt.h"

static constexpr uint32_t engine_tries = 20'000;
static constexpr uint32_t spans[] = {20, 1'000};

bool coverage_values_find(
    const Rule *rule, bool is_refutation, uint32_t tries, RuleValues *values) {
  for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
    Sample sample = {};
    rule_sample(rule, 1, tries, spans[i], &sample);
    if (is_refutation ? !sample.is_refuted : sample.hit_count == 0) continue;
    *values = is_refutation ? sample.refutation : sample.hits[0];
    if (is_refutation) rule_shrink(rule, values);
    return true;
  }
  return false;
}

/* Indices: operators by ExprOp, then gcd, lo and hi. */
static constexpr uint32_t gcd_index = EXPR_VAR + 1
#define OPERATOR(id, text, precedence) +1
#include "core/expr/ops.def"
#undef OPERATOR
    ;
static constexpr uint32_t operator_count = gcd_index + 3;

static void mark_operators(const RuleTerm *term, bool *is_there) {
  switch (term->kind) {
    case TERM_INTEGER:
    case TERM_CONSTANT_LETTER:
    case TERM_EXPR: return;
    case TERM_LO: is_there[gcd_index + 1] = true; return;
    case TERM_HI: is_there[gcd_index + 2] = true; return;
    case TERM_GCD: is_there[gcd_index] = true; break;
    case TERM_OPERATOR: is_there[term->op] = true; break;
  }
  mark_operators(term->left, is_there);
  mark_operators(term->right, is_there);
}

static void count_operators(const Rule *rule, uint32_t *rules) {
  bool is_there[operator_count] = {};
  mark_operators(rule->left.expr, is_there);
  mark_operators(rule->right.expr, is_there);
  for (uint32_t i = 0; i < rule->guard_count; i++) {
    mark_operators(rule->guards[i].left, is_there);
    mark_operators(rule->guards[i].right, is_there);
  }
  for (uint32_t i = 0; i < operator_count; i++) rules[i] += is_there[i];
}

static void operator_coverage(Text *text, const uint32_t *rules) {
  for (uint32_t i = EXPR_VAR + 1; i < operator_count; i++) {
    const char *name = i == gcd_index       ? "gcd"
                       : i == gcd_index + 1 ? "lo"
                       : i == gcd_index + 2 ? "hi"
                                            : expr_op_text((ExprOp)i);
    if (rules[i] > 0)
      text_printf(text, "operator %s: %s with an instance and a refuted negative example\n", name,
          counted(rules[i], "rule"));
    else text_printf(text, "fewer: operator %s: no such rule has it\n", name);
  }
}

/* Adds the rule to the counts of its operators if both sets of values are found. */
static void rule_coverage(Text *text, const Rule *rule, uint32_t *operators) {
  RuleValues witness, refutation;
  bool has_witness = coverage_values_find(rule, false, engine_tries, &witness), is_refuted = false;
  Rule negative = *rule;
  if (rule->has_negative) {
    negative = rule_negative(rule);
    is_refuted = coverage_values_find(&negative, true, engine_tries, &refutation);
  }
  if (!has_witness) text_printf(text, "fewer: rule %s: no values satisfy the guard\n", rule->name);
  if (!is_refuted)
    text_printf(text, "fewer: rule %s: no values refute a negative example\n", rule->name);
  if (rule->example == nullptr) text_printf(text, "fewer: rule %s: no example\n", rule->name);
  if (!has_witness || !is_refuted) return;
  count_operators(rule, operators);
  text_printf(text, "rule %s: holds at ", rule->name);
  rule_values_print(text, rule, &witness);
  text_string(text, "; its negative example is refuted at ");
  rule_values_print(text, &negative, &refutation);
  text_string(text, "\n");
}

static void opcode_coverage(Text *text, const char *opcode) {
  uint32_t claims = 0;
  for (uint32_t i = 0; i < smt_all_sizes_count(); i++)
    claims += strcmp(smt_all_sizes_operation(i), opcode) == 0;
  if (claims > 0)
    text_printf(text, "opcode %s: %s at every size\n", opcode, counted(claims, "claim"));
  else text_printf(text, "fewer: opcode %s: no claim at every size\n", opcode);
}

Status prove_coverage(Arena *arena) {
  RuleSet rules = {};
  Error error = {};
  if (!rules_engine(arena, &rules, &error)) return session_fail(&error);
  Text text = text_create(arena);
  uint32_t operators[operator_count] = {};
  for (uint32_t i = 0; i < rules.count; i++) rule_coverage(&text, &rules.items[i], operators);
  operator_coverage(&text, operators);
  static const char *const opcodes[] = {
#define OPCODE(id, name, least, most, group, effect) name,
#include "core/hlo/opcodes.def"
#undef OPCODE
  };
  for (size_t i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++)
    opcode_coverage(&text, opcodes[i]);
  coverage_claims(&text);
  if (!coverage_attributes(&text, &error)) return session_fail(&error);
  return session_print(text.bytes) ? STATUS_PROVED : STATUS_BAD;
}
