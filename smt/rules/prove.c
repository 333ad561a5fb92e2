/* Verdicts on rules with a scope, and what remains to do if the plain proof fails.
 * A scope is additional guards. If the proof within it fails, every choice of the scoped constants
 * is proved separately: with fixed constants, divisors are numbers and the rest is linear, so each
 * is decided. The verdict then states the scope and the number of cases.
 * Without a scope, a few choices of all constants are tried in the same way, to find a
 * counterexample and never to prove. */
#include "smt/rules/prove.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/budget.h"
#include "core/base/clock.h"
#include "smt/rules/prove_plain.h"
#include "smt/rules/rule_sample.h"

static constexpr uint64_t case_limit = 4'096;
static constexpr uint32_t fixed_choices = 12;
static constexpr uint64_t fixed_rlimit = 2'000'000, fixed_share = 6;

/* The budget of the options, less what is used. */
static uint64_t budget_of(const ProveOptions *options, uint64_t used) {
  uint64_t rlimit = options->rlimit == 0 ? prove_default_rlimit : options->rlimit;
  return used < rlimit ? rlimit - used : 0;
}

static const RuleTerm *make_term(Arena *arena, RuleTerm value) {
  RuleTerm *term = ARENA_NEW(arena, RuleTerm, 1);
  *term = value;
  term->depth = 1;
  return term;
}

static void add_guard(
    Arena *arena, Rule *rule, uint32_t letter, Comparison relation, int64_t value) {
  rule->guards[rule->guard_count++] = (Guard){.relation = relation,
      .left = make_term(arena, (RuleTerm){.kind = TERM_CONSTANT_LETTER, .letter = letter}),
      .right = make_term(arena, (RuleTerm){.kind = TERM_INTEGER, .value = value})};
}

/* A copy with space for more guards. */
static Rule with_capacity(Arena *arena, const Rule *rule) {
  Rule copy = *rule;
  copy.guards = arena_grow(arena, rule->guards, rule->guard_count,
      rule->guard_count + 2 * rule_max_letters, sizeof *rule->guards);
  return copy;
}

Rule rule_within_scope(Arena *arena, const Rule *rule) {
  Rule narrow = with_capacity(arena, rule);
  for (uint32_t i = 0; i < rule->scope_count && i < rule_max_letters; i++) {
    add_guard(arena, &narrow, rule->scopes[i].letter, REL_GE, rule->scopes[i].lo);
    add_guard(arena, &narrow, rule->scopes[i].letter, REL_LE, rule->scopes[i].hi);
  }
  return narrow;
}

/* The number of choices of the scoped constants, or 0 past case_limit. */
static uint64_t scope_cases(const Rule *rule) {
  uint64_t cases = 1;
  for (uint32_t i = 0; i < rule->scope_count; i++) {
    uint64_t width = (uint64_t)rule->scopes[i].hi - (uint64_t)rule->scopes[i].lo + 1;
    if (width == 0 || width > case_limit || cases * width > case_limit) return 0;
    cases *= width;
  }
  return cases;
}

/* The term with integers in place of the constants for which `is_fixed` is set. */
static const RuleTerm *fix_term(
    Arena *arena, const RuleTerm *term, const bool *is_fixed, const int64_t *values) {
  if (term->kind == TERM_CONSTANT_LETTER && is_fixed[term->letter])
    return make_term(arena,
        (RuleTerm){.kind = TERM_INTEGER, .value = values[term->letter], .offset = term->offset});
  if (term->kind != TERM_OPERATOR && term->kind != TERM_GCD) return term;
  RuleTerm *copy = ARENA_NEW(arena, RuleTerm, 1);
  *copy = *term;
  copy->left = fix_term(arena, term->left, is_fixed, values);
  copy->right = fix_term(arena, term->right, is_fixed, values);
  return copy;
}

static void fix_side(Arena *arena, Side *side, const bool *is_fixed, const int64_t *values) {
  side->expr = fix_term(arena, side->expr, is_fixed, values);
  if (!side->is_constraint) return;
  side->lo = fix_term(arena, side->lo, is_fixed, values);
  side->hi = fix_term(arena, side->hi, is_fixed, values);
}

/* The letters remain, but occur nowhere. */
static Rule fix_rule(Arena *arena, const Rule *rule, const bool *is_fixed, const int64_t *values) {
  Rule fixed = with_capacity(arena, rule);
  fix_side(arena, &fixed.left, is_fixed, values);
  fix_side(arena, &fixed.right, is_fixed, values);
  for (uint32_t i = 0; i < fixed.guard_count; i++) {
    fixed.guards[i].left = fix_term(arena, fixed.guards[i].left, is_fixed, values);
    fixed.guards[i].right = fix_term(arena, fixed.guards[i].right, is_fixed, values);
  }
  return fixed;
}

/* The values of choice `number` of the scoped constants. */
static void scope_case(const Rule *rule, uint64_t number, bool *is_fixed, int64_t *values) {
  for (uint32_t i = 0; i < rule->scope_count; i++) {
    uint64_t width = (uint64_t)rule->scopes[i].hi - (uint64_t)rule->scopes[i].lo + 1;
    is_fixed[rule->scopes[i].letter] = true;
    values[rule->scopes[i].letter] = rule->scopes[i].lo + (int64_t)(number % width);
    number /= width;
  }
}

/* A counterexample of the rule with fixed constants is one of the rule. False if evaluation does
 * not confirm it; the verdict is then as before. */
static bool take_refutation(Arena *arena, const Rule *rule, const RuleVerdict *found,
    const bool *is_fixed, const int64_t *values, RuleVerdict *verdict) {
  RuleValues witness = found->values;
  for (uint32_t i = 0; i < rule->constant_count; i++)
    if (is_fixed[i]) witness.constants[i] = values[i];
  if (!rule_is_refuted_by(rule, &witness)) return false;
  *verdict = (RuleVerdict){.answer = VERDICT_REFUTED,
      .scope = "all values",
      .text = "",
      .values = witness,
      .rlimit_used = verdict->rlimit_used};
  rule_shrink(rule, &verdict->values);
  verdict->method = "a model of the solver for fixed constants";
  verdict_describe(arena, rule, verdict);
  return true;
}

typedef struct Obligations {
  uint32_t count, capacity;
  const char **items;
} Obligations;

/* Copies what is kept of one case when its memory is released: the texts of its obligations. */
static void take_case(Arena *arena, Obligations *all, const RuleVerdict *one) {
  for (uint32_t i = 0; i < one->obligation_count; i++)
    *ARENA_PUSH(arena, all) = arena_text(arena, one->obligations[i], strlen(one->obligations[i]));
}

/* A vacuous case is proved, but not counted. */
static VerdictStatus prove_case(Arena *arena, Arena *scratch, const Rule *rule, const Rule *narrow,
    const ProveOptions *options, uint64_t number, Obligations *obligations, uint64_t *proved,
    RuleVerdict *verdict) {
  bool is_fixed[rule_max_letters] = {};
  int64_t values[rule_max_letters] = {};
  scope_case(rule, number, is_fixed, values);
  Rule fixed = fix_rule(scratch, rule, is_fixed, values);
  RuleVerdict one;
  if (!prove_plain(scratch, &fixed, options, &one)) return VERDICT_PROVED;
  verdict->rlimit_used += one.rlimit_used;
  take_case(arena, obligations, &one);
  if (one.answer == VERDICT_REFUTED &&
      !take_refutation(arena, narrow, &one, is_fixed, values, verdict))
    return VERDICT_UNKNOWN;
  *proved += one.answer == VERDICT_PROVED;
  return one.answer;
}

/* Proves every choice of the scoped constants separately; all share one budget. False if each is
 * vacuous. */
static bool prove_cases(Arena *arena, const Rule *rule, const Rule *narrow,
    const ProveOptions *options, RuleVerdict *verdict) {
  uint64_t cases = scope_cases(rule), proved = 0, before = verdict->rlimit_used;
  Obligations obligations = {};
  Arena *scratch = arena_create();
  ArenaMark mark = arena_mark(scratch);
  bool is_open = cases == 0;
  for (uint64_t number = 0; number < cases && !is_open; number++) {
    ProveOptions rest = *options;
    rest.rlimit = budget_of(options, verdict->rlimit_used - before);
    is_open = rest.rlimit == 0 || prove_case(arena, scratch, rule, narrow, &rest, number,
                                      &obligations, &proved, verdict) != VERDICT_PROVED;
    arena_rewind(scratch, mark);
  }
  arena_destroy(scratch);
  if (is_open) return true;
  if (proved == 0) return false;
  verdict->answer = VERDICT_PROVED;
  verdict->reason = REASON_NOT_ASKED;
  verdict->text = "";
  verdict->method = arena_printf(arena, "case split over %" PRIu64 " choices of constants", cases);
  verdict->obligation_count = obligations.count;
  verdict->obligations = obligations.items;
  return true;
}

/* False for a vacuous guard. */
static bool decide_scoped(
    Arena *arena, const Rule *rule, const ProveOptions *options, RuleVerdict *verdict) {
  Rule *narrow = ARENA_NEW(arena, Rule, 1); /* a refutation refers to it */
  *narrow = rule_within_scope(arena, rule);
  if (!prove_plain(arena, narrow, options, verdict)) return false;
  if (verdict->answer == VERDICT_REFUTED) return true;
  RuleVerdict wide;
  bool is_met = prove_plain(arena, rule, options, &wide);
  verdict->rlimit_used += wide.rlimit_used;
  if (is_met && wide.answer == VERDICT_PROVED) {
    wide.rlimit_used = verdict->rlimit_used;
    *verdict = wide;
    prove_note_overflow(arena, narrow, verdict);
    return true;
  }
  if (verdict->answer == VERDICT_UNKNOWN && !prove_cases(arena, rule, narrow, options, verdict))
    return false;
  if (verdict->answer == VERDICT_PROVED) verdict->scope = rule->scope;
  return true;
}

/* Tries the rule with all constants fixed at values under which its guard holds. */
static bool try_fixed(Arena *arena, Arena *scratch, const Rule *rule, uint32_t choice,
    const ProveOptions *options, RuleVerdict *verdict) {
  Sample sample = {};
  rule_sample(rule, 100 + choice, 2000, choice < 6 ? 12 : 1000, &sample);
  if (sample.hit_count == 0) return false;
  const int64_t *values = sample.hits[choice % sample.hit_count].constants;
  bool is_fixed[rule_max_letters];
  for (uint32_t i = 0; i < rule_max_letters; i++) is_fixed[i] = true;
  Rule fixed = fix_rule(scratch, rule, is_fixed, values);
  RuleVerdict one;
  bool is_met = prove_plain(scratch, &fixed, options, &one);
  verdict->rlimit_used += one.rlimit_used;
  return is_met && one.answer == VERDICT_REFUTED &&
         take_refutation(arena, rule, &one, is_fixed, values, verdict);
}

/* Searches a counterexample among rules with fixed constants: it is one of the rule. All choices
 * share what the proof left of the budget, or a sixth of the budget if that is more. */
static void search_fixed(
    Arena *arena, const Rule *rule, const ProveOptions *options, RuleVerdict *verdict) {
  uint64_t left = budget_of(options, verdict->rlimit_used),
           share = budget_of(options, 0) / fixed_share, before = verdict->rlimit_used;
  if (left < share) left = share;
  Arena *scratch = arena_create();
  ArenaMark mark = arena_mark(scratch);
  bool is_found = false;
  for (uint32_t choice = 0; choice < fixed_choices && !is_found; choice++) {
    uint64_t used = verdict->rlimit_used - before, rest = used < left ? left - used : 0;
    if (rest == 0 || (options->stop != nullptr && options->stop())) break;
    ProveOptions own = {.rlimit = rest < fixed_rlimit ? rest : fixed_rlimit,
        .seed = options->seed,
        .stop = options->stop};
    is_found = try_fixed(arena, scratch, rule, choice, &own, verdict);
    arena_rewind(scratch, mark);
  }
  arena_destroy(scratch);
}

/* nullptr if the proof has ended by itself. */
static const char *prove_interruption(const ProveOptions *options) {
  if (options->stop != nullptr && options->stop()) return "interrupted";
  return budget_is_spent() ? budget_reason() : nullptr;
}

static bool prove_decide(
    Arena *arena, const Rule *rule, const ProveOptions *options, RuleVerdict *verdict) {
  if (rule->scope_count > 0) return decide_scoped(arena, rule, options, verdict);
  if (!prove_plain(arena, rule, options, verdict)) return false;
  bool is_test = options->skip_sampling || options->only_proof;
  if (verdict->answer == VERDICT_UNKNOWN && !is_test && !budget_is_spent())
    search_fixed(arena, rule, options, verdict);
  const char *why = verdict->answer == VERDICT_UNKNOWN ? prove_interruption(options) : nullptr;
  if (why != nullptr) verdict->text = why;
  return true;
}

bool prove_rule(Arena *arena, const Rule *rule, const ProveOptions *options, RuleVerdict *verdict,
    Error *error) {
  double start = 1e3 * clock_wall();
  bool decided = prove_decide(arena, rule, options, verdict);
  verdict->milliseconds = 1e3 * clock_wall() - start;
  if (decided) return true;
  if (options->source != nullptr)
    return error_at(error, ERROR_INPUT, options->source, rule->offset, 4,
        "the guard of '%s' can never hold", rule->name);
  return error_set(error, ERROR_INPUT, "the guard of '%s' can never hold", rule->name);
}

Rule rule_negative(const Rule *rule) {
  assert(rule->has_negative);
  Rule near = *rule;
  if (rule->negative_is_guard) {
    near.guards = rule->negative_guards;
    near.guard_count = rule->negative_guard_count;
  } else {
    near.right = rule->negative_side;
  }
  return near;
}
