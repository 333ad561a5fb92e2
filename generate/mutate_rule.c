/* Terms are traversed in prefix order; one byte per term decides whether the term is changed. The
 * recursion depth is that of the term. */
#include "generate/mutate_rule.h"

#include "core/base/checked.h"
#include "core/base/edges.h"
#include "smt/rules/prove.h"

static constexpr uint32_t from_negative = 128;

typedef struct MutateRuleReader {
  Arena *arena;
  const uint8_t *bytes;
  size_t size, at;
  const Rule *rule;
  bool is_left; /* letters of the left side are not changed, so that it binds the same letters */
} MutateRuleReader;

static uint8_t mutate_rule_next(MutateRuleReader *reader) {
  return reader->at < reader->size ? reader->bytes[reader->at++] : 0;
}

static bool mutate_rule_divides(ExprOp op) {
  return op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD;
}

static void rule_term_change(MutateRuleReader *reader, uint8_t how, RuleTerm *term) {
  static const ExprOp divisions[] = {EXPR_FLOORDIV, EXPR_CEILDIV, EXPR_MOD},
                      others[] = {EXPR_ADD, EXPR_MUL, EXPR_MIN, EXPR_MAX};
  switch (term->kind) {
    case TERM_INTEGER:
      if (how >= 192) term->value = edge_integer(how - 192u);
      else if (!add64(term->value, (int64_t)(how % 5) - 2, &term->value)) term->value = 0;
      return;
    case TERM_CONSTANT_LETTER:
      if (!reader->is_left) term->letter = how % reader->rule->constant_count;
      return;
    case TERM_EXPR:
      if (!reader->is_left) term->letter = how % reader->rule->expr_count;
      return;
    case TERM_LO:
    case TERM_HI: term->kind = term->kind == TERM_LO ? TERM_HI : TERM_LO; return;
    case TERM_OPERATOR:
      term->op = mutate_rule_divides(term->op) ? divisions[how % 3] : others[how % 4];
      return;
    case TERM_GCD: return;
  }
}

static const RuleTerm *rule_term_changed(MutateRuleReader *reader, const RuleTerm *term) {
  uint8_t how = mutate_rule_next(reader);
  RuleTerm *copy = ARENA_NEW(reader->arena, RuleTerm, 1);
  *copy = *term;
  if (how >= 224) rule_term_change(reader, mutate_rule_next(reader), copy);
  if (term->kind != TERM_OPERATOR && term->kind != TERM_GCD) return copy;
  copy->left = rule_term_changed(reader, term->left);
  copy->right = mutate_rule_divides(copy->op) && term->kind == TERM_OPERATOR
                    ? term->right
                    : rule_term_changed(reader, term->right);
  return copy;
}

static void change_guards(MutateRuleReader *reader, Rule *rule) {
  Guard *guards = ARENA_NEW(reader->arena, Guard, rule->guard_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < rule->guard_count; i++) {
    uint8_t how = mutate_rule_next(reader);
    if (how >= 240) continue;
    Guard guard = rule->guards[i];
    if (how >= 224) guard.relation = (Comparison)(how % 6);
    guard.left = rule_term_changed(reader, guard.left);
    guard.right = rule_term_changed(reader, guard.right);
    guards[count++] = guard;
  }
  rule->guards = guards;
  rule->guard_count = count;
}

Rule fuzz_mutate_rule(Arena *arena, const RuleSet *rules, const uint8_t *bytes, size_t size) {
  MutateRuleReader reader = {.arena = arena, .bytes = bytes, .size = size};
  uint32_t which = mutate_rule_next(&reader), more = mutate_rule_next(&reader);
  Rule rule = rules->items[(which + 256u * more) % rules->count];
  if (more >= from_negative && rule.has_negative) rule = rule_negative(&rule);
  Rule original = rule;
  reader.rule = &original;
  rule.right.expr = rule_term_changed(&reader, rule.right.expr);
  change_guards(&reader, &rule);
  reader.is_left = true;
  rule.left.expr = rule_term_changed(&reader, rule.left.expr);
  rule.has_negative = false;
  rule.example = rule.order = nullptr;
  rule.name = "changed";
  return rule;
}
