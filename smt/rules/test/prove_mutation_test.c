/* Tests the prover by mutants of rules. Every true rule is changed in one place: a guard is dropped
 * or weakened, an integer changed, a letter replaced by its successor, an operator or a side
 * changed. If enumeration refutes the mutant, the prover must not prove it, even while it ignores
 * models, so that only the proof itself prevents a wrong verdict. With the counterexample as a
 * witness, no step of the proof may be false. AFFIRM_NIGHTLY=1 runs every mutant, otherwise every
 * forty-eighth. Rules about constraints come first, since they are proved by code of their own. */
#include "smt/rules/prove.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/file.h"
#include "smt/rules/rule_sample.h"

static Arena *arena;

typedef enum ProveMutationChange : uint8_t {
  CHANGE_DROP_GUARD,
  CHANGE_WEAKEN_GUARD,
  CHANGE_LEAF_UP,
  CHANGE_LEAF_DOWN,
  CHANGE_OPERATOR,
  CHANGE_SIDE,
  CHANGE_END,
  CHANGE_COUNT,
} ProveMutationChange;

/* The state of copying a term with leaf or operator number `at` changed; `at` is counted down. */
typedef struct Changing {
  ProveMutationChange change;
  int at;
  bool is_done;
} Changing;

static RuleTerm *integer(int64_t value) {
  RuleTerm *term = ARENA_NEW(arena, RuleTerm, 1);
  *term = (RuleTerm){.kind = TERM_INTEGER, .value = value, .depth = 1};
  return term;
}

static const RuleTerm *plus(const RuleTerm *term, int64_t value) {
  RuleTerm *sum = ARENA_NEW(arena, RuleTerm, 1);
  *sum = (RuleTerm){.kind = TERM_OPERATOR,
      .op = EXPR_ADD,
      .left = term,
      .right = integer(value),
      .depth = (uint16_t)(term->depth + 1)};
  return sum;
}

static ExprOp other_operator(ExprOp op) {
  switch (op) {
    case EXPR_FLOORDIV: return EXPR_CEILDIV;
    case EXPR_CEILDIV: return EXPR_FLOORDIV;
    case EXPR_MOD: return EXPR_FLOORDIV;
    case EXPR_MIN: return EXPR_MAX;
    case EXPR_MAX: return EXPR_MIN;
    case EXPR_ADD: return EXPR_MAX;
    case EXPR_MUL: return EXPR_ADD;
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  return op;
}

static const RuleTerm *prove_mutation_changed(const RuleTerm *term, Changing *changing) {
  bool is_leaf = term->kind != TERM_OPERATOR && term->kind != TERM_GCD;
  if (is_leaf) {
    bool is_meant = (changing->change == CHANGE_LEAF_UP || changing->change == CHANGE_LEAF_DOWN) &&
                    changing->at-- == 0;
    if (!is_meant) return term;
    changing->is_done = true;
    int64_t step = changing->change == CHANGE_LEAF_UP ? 1 : -1;
    return term->kind == TERM_INTEGER ? integer(term->value + step) : plus(term, step);
  }
  RuleTerm *copy = ARENA_NEW(arena, RuleTerm, 1);
  *copy = *term;
  if (changing->change == CHANGE_OPERATOR && term->kind == TERM_OPERATOR && changing->at-- == 0) {
    changing->is_done = true;
    copy->op = other_operator(term->op);
  }
  copy->left = prove_mutation_changed(term->left, changing);
  copy->right = prove_mutation_changed(term->right, changing);
  return copy;
}

static Comparison weaker(Comparison relation) {
  switch (relation) {
    case REL_EQ: return REL_GE;
    case REL_NE: return REL_LE;
    case REL_LT: return REL_LE;
    case REL_LE: return REL_NE;
    case REL_GT: return REL_GE;
    case REL_GE: return REL_NE;
  }
  return relation;
}

static bool change_side(Side *side, Changing *changing) {
  side->expr = prove_mutation_changed(side->expr, changing);
  if (changing->is_done || !side->is_constraint) return changing->is_done;
  side->lo = prove_mutation_changed(side->lo, changing);
  if (!changing->is_done) side->hi = prove_mutation_changed(side->hi, changing);
  return changing->is_done;
}

/* Mutant number `at` of one kind of change; false past the last one. */
static bool prove_mutation_mutate(
    const Rule *rule, ProveMutationChange change, int at, Rule *mutant) {
  *mutant = *rule;
  mutant->guards = arena_grow(
      arena, rule->guards, rule->guard_count, rule->guard_count + 1, sizeof *rule->guards);
  Changing changing = {.change = change, .at = at};
  switch (change) {
    case CHANGE_DROP_GUARD:
      if ((uint32_t)at >= rule->guard_count) return false;
      mutant->guards[at] = mutant->guards[--mutant->guard_count];
      return true;
    case CHANGE_WEAKEN_GUARD:
      if ((uint32_t)at >= rule->guard_count) return false;
      mutant->guards[at].relation = weaker(mutant->guards[at].relation);
      return true;
    case CHANGE_LEAF_UP:
    case CHANGE_LEAF_DOWN:
    case CHANGE_OPERATOR:
      if (change_side(&mutant->right, &changing)) return true;
      for (uint32_t i = 0; i < mutant->guard_count && change != CHANGE_OPERATOR; i++) {
        mutant->guards[i].left = prove_mutation_changed(mutant->guards[i].left, &changing);
        if (!changing.is_done)
          mutant->guards[i].right = prove_mutation_changed(mutant->guards[i].right, &changing);
        if (changing.is_done) return true;
      }
      return false;
    case CHANGE_SIDE:
      if (at > 1) return false;
      mutant->right.expr = plus(mutant->right.expr, at == 0 ? 1 : -1);
      return true;
    case CHANGE_END:
      if (at > 1 || !rule->right.is_constraint) return false;
      if (at == 0) mutant->right.lo = plus(mutant->right.lo, -1);
      else mutant->right.hi = plus(mutant->right.hi, 1);
      return true;
    case CHANGE_COUNT: break;
  }
  return false;
}

static const char *rule_text(const Rule *rule) {
  Text text = text_create(arena);
  rule_print(&text, rule);
  return text.bytes;
}

static void assert_no_fault(const Rule *mutant, const RuleVerdict *verdict) {
  bool is_fault =
      strstr(verdict->text, "witness") != nullptr || strstr(verdict->text, "refutation") != nullptr;
  if (is_fault) fail_msg("%s\n%s", rule_text(mutant), verdict->text);
}

/* For a mutant that values refute, any verdict except PROVED is correct. */
static void assert_not_proved(const Rule *mutant, const RuleValues *counterexample) {
  for (int with_witness = 0; with_witness <= 1; with_witness++) {
    RuleVerdict verdict;
    Error error = {};
    ProveOptions options = {.rlimit = 600'000,
        .only_proof = true,
        .witness = with_witness != 0 ? counterexample : nullptr};
    if (!prove_rule(arena, mutant, &options, &verdict, &error))
      fail_msg("%s\n%s", rule_text(mutant), error.message);
    if (verdict.answer != VERDICT_UNKNOWN) fail_msg("proved, and false:\n%s", rule_text(mutant));
    assert_no_fault(mutant, &verdict);
  }
}

typedef struct ProveMutationTally {
  int mutants, refuted, step, sampled; /* each sampled-th is sampled, each step-th judged */
} ProveMutationTally;

static void judge_mutant(const Rule *mutant, ProveMutationTally *tally) {
  Sample sample = {};
  if (tally->mutants++ % tally->sampled != 0) return;
  rule_sample(mutant, 3, 3000, 16, &sample);
  if (!sample.is_refuted || tally->refuted++ % tally->step != 0) return;
  assert_not_proved(mutant, &sample.refutation);
}

static void judge_mutants_of(const Rule *rule, ProveMutationTally *tally) {
  for (uint8_t change = 0; change < CHANGE_COUNT; change++)
    for (int at = 0;; at++) {
      ArenaMark mark = arena_mark(arena);
      Rule mutant;
      bool exists = prove_mutation_mutate(rule, (ProveMutationChange)change, at, &mutant);
      if (exists) judge_mutant(&mutant, tally);
      arena_rewind(arena, mark);
      if (!exists) break;
    }
}

static void judge_rules(const RuleSet *rules, bool of_constraints, ProveMutationTally *tally) {
  for (uint32_t i = 0; i < rules->count; i++)
    if (rules->items[i].left.is_constraint == of_constraints)
      judge_mutants_of(&rules->items[i], tally);
}

static void false_mutants_are_never_proved(void **state) {
  (void)state;
  arena = arena_create();
  static const char *const paths[] = {AFFIRM_SOURCE_DIR "/corpus/rules/true.rules",
      AFFIRM_SOURCE_DIR "/corpus/rules/true-held-out.rules"};
  const char *nightly = getenv("AFFIRM_NIGHTLY");
  ProveMutationTally tally = {
      .step = nightly != nullptr ? 1 : 48, .sampled = getenv("AFFIRM_FEW") != nullptr ? 10 : 1};
  RuleSet rules[2] = {};
  for (size_t i = 0; i < 2; i++) {
    Source source;
    Error error = {};
    if (!file_read(arena, paths[i], (size_t)1 << 24, &source, &error) ||
        !rules_parse(arena, &source, &rules[i], &error))
      fail_msg("%s", error.message);
  }
  for (size_t i = 0; i < 2; i++) judge_rules(&rules[i], true, &tally);
  for (size_t i = 0; i < 2; i++) judge_rules(&rules[i], false, &tally);
  print_message("%d mutants, %d refuted by values, each %d. of them judged\n", tally.mutants,
      tally.refuted, tally.step);
  assert_true(tally.refuted > 1000 / tally.sampled);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(false_mutants_are_never_proved)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
