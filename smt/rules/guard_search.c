/* Candidates are first tested on values: values that refute the rule must violate a candidate, and
 * some values for which both sides agree must satisfy it. The remaining candidates are proved in
 * the order of how often they hold. Values from a failed proof are added to those that must be
 * excluded. */
#include "smt/rules/guard_search.h"

#include <stdint.h>

#include "smt/rules/rule_sample.h"

static constexpr uint32_t most_templates = 3'000, point_words = 6, most_points = 64 * point_words;
static constexpr uint32_t most_guard_terms = 24, most_draws = 30'000, sample_runs = 20,
                          sample_tries = 3'000, sample_span = 12;
static constexpr uint32_t most_proofs = 24, most_choices = 64, proof_share = 10;

/* Values of the rule's letters, and whether they refute the rule. */
typedef struct GuardPoints {
  uint32_t count;
  RuleValues *values;             /* [most_points] */
  uint64_t refuting[point_words]; /* one bit per point */
} GuardPoints;

/* A condition, and the points at which it holds. */
typedef struct GuardTemplate {
  Guard guard;
  uint64_t holds[point_words];
} GuardTemplate;

/* One condition, or two. */
typedef struct Choice {
  uint32_t a, b;   /* b == a: one condition */
  uint32_t weight; /* number of points at which both hold */
} Choice;

typedef struct Search {
  Arena *arena;
  const Rule *rule;
  GuardPoints points;
  uint32_t count;           /* of the templates */
  GuardTemplate *templates; /* [most_templates] */
  uint64_t rlimit_left;     /* of all proofs together */
  uint32_t tried_count;
  Choice tried[most_proofs];
  uint32_t best_count;
  Choice best[most_choices]; /* the weakest first */
  uint32_t term_count;
  const RuleTerm *terms[most_guard_terms]; /* terms that bounds and constants are compared with */
} Search;

/* ---- terms ---- */

static const RuleTerm *term_make(
    Search *search, RuleTerm value, const RuleTerm *left, const RuleTerm *right) {
  RuleTerm *term = ARENA_NEW(search->arena, RuleTerm, 1);
  *term = value;
  term->left = left;
  term->right = right;
  uint16_t depth = left == nullptr ? 0 : left->depth > right->depth ? left->depth : right->depth;
  term->depth = (uint16_t)(depth + 1);
  return term;
}
static const RuleTerm *term_integer(Search *search, int64_t value) {
  return term_make(search, (RuleTerm){.kind = TERM_INTEGER, .value = value}, nullptr, nullptr);
}
static const RuleTerm *term_letter(Search *search, RuleTermKind kind, uint32_t letter) {
  return term_make(search, (RuleTerm){.kind = kind, .letter = letter}, nullptr, nullptr);
}
static const RuleTerm *term_apply(
    Search *search, ExprOp op, const RuleTerm *left, const RuleTerm *right) {
  return term_make(search, (RuleTerm){.kind = TERM_OPERATOR, .op = op}, left, right);
}

static bool term_equal(const RuleTerm *a, const RuleTerm *b) {
  if (a->kind != b->kind || a->letter != b->letter || a->value != b->value) return false;
  if (a->kind != TERM_OPERATOR && a->kind != TERM_GCD) return true;
  return a->op == b->op && term_equal(a->left, b->left) && term_equal(a->right, b->right);
}

static void term_keep(Search *search, const RuleTerm *term) {
  for (uint32_t i = 0; i < search->term_count; i++)
    if (term_equal(search->terms[i], term)) return;
  if (search->term_count < most_guard_terms && term->depth < 4)
    search->terms[search->term_count++] = term;
}

/* Collects divisors, and coefficients that are products of constants. */
static void term_collect(Search *search, const RuleTerm *term) {
  if (term->kind != TERM_OPERATOR) return;
  if (term->op == EXPR_FLOORDIV || term->op == EXPR_CEILDIV || term->op == EXPR_MOD)
    term_keep(search, term->right);
  term_collect(search, term->left);
  term_collect(search, term->right);
}

static void side_collect(Search *search, const Side *side) {
  term_collect(search, side->expr);
  if (!side->is_constraint) return;
  if (side->lo->depth < 3) term_keep(search, side->lo);
  if (side->hi->depth < 3) term_keep(search, side->hi);
}

/* Collects terms of the rule's own comparisons, which are likely bounds. */
static void guards_collect(Search *search) {
  for (uint32_t i = 0; i < search->rule->guard_count; i++)
    for (uint32_t k = 0; k < 2; k++) {
      const RuleTerm *term = k == 0 ? search->rule->guards[i].left : search->rule->guards[i].right;
      term_collect(search, term);
      if (term->kind == TERM_INTEGER || term->kind == TERM_CONSTANT_LETTER) term_keep(search, term);
    }
}

static void terms_collect(Search *search) {
  for (int64_t value = 0; value < 2; value++) term_keep(search, term_integer(search, value));
  term_keep(search, term_integer(search, -1));
  for (uint32_t i = 0; i < search->rule->constant_count; i++)
    term_keep(search, term_letter(search, TERM_CONSTANT_LETTER, i));
  side_collect(search, &search->rule->left);
  side_collect(search, &search->rule->right);
  guards_collect(search);
  for (uint32_t i = 0; i < search->rule->constant_count; i++)
    term_keep(search, term_apply(search, EXPR_MUL, term_letter(search, TERM_CONSTANT_LETTER, i),
                          term_integer(search, -1)));
  for (uint32_t i = 0; i < search->rule->constant_count; i++)
    for (uint32_t k = 0; k < i; k++) {
      const RuleTerm *a = term_letter(search, TERM_CONSTANT_LETTER, k),
                     *b = term_letter(search, TERM_CONSTANT_LETTER, i);
      term_keep(search, term_apply(search, EXPR_MUL, a, b));
      term_keep(search, term_apply(search, EXPR_ADD, a, b));
    }
}

/* ---- templates ---- */

static void template_add(
    Search *search, Comparison relation, const RuleTerm *left, const RuleTerm *right) {
  if (search->count < most_templates && !term_equal(left, right))
    search->templates[search->count++].guard =
        (Guard){.relation = relation, .left = left, .right = right};
}

static void templates_of_bound(Search *search, const RuleTerm *lo, const RuleTerm *hi) {
  for (uint32_t i = 0; i < search->term_count; i++) {
    template_add(search, REL_GE, lo, search->terms[i]);
    template_add(search, REL_LT, hi, search->terms[i]);
    template_add(search, REL_LE, hi, search->terms[i]);
    template_add(search, REL_GT, lo, search->terms[i]);
  }
}

static void templates_of_letters(Search *search) {
  for (uint32_t i = 0; i < search->rule->expr_count; i++) {
    const RuleTerm *lo = term_letter(search, TERM_LO, i), *hi = term_letter(search, TERM_HI, i);
    templates_of_bound(search, lo, hi);
    template_add(search, REL_EQ, lo, hi);
  }
  for (uint32_t i = 0; i < search->rule->expr_count; i++)
    for (uint32_t k = 0; k < search->rule->expr_count; k++) {
      if (i == k) continue;
      const RuleTerm *lo = term_letter(search, TERM_LO, i), *hi = term_letter(search, TERM_HI, i);
      template_add(search, REL_LE, hi, term_letter(search, TERM_LO, k));
      template_add(search, REL_LT, hi, term_letter(search, TERM_LO, k));
      if (i < k)
        templates_of_bound(search,
            term_apply(search, EXPR_ADD, lo, term_letter(search, TERM_LO, k)),
            term_apply(search, EXPR_ADD, hi, term_letter(search, TERM_HI, k)));
    }
}

static void templates_of_constants(Search *search) {
  const RuleTerm *zero = term_integer(search, 0);
  for (uint32_t i = 0; i < search->term_count; i++) {
    const RuleTerm *a = search->terms[i];
    if (a->kind == TERM_INTEGER) continue;
    for (uint32_t k = 0; k < search->term_count; k++) {
      const RuleTerm *b = search->terms[k];
      if (i == k) continue;
      static constexpr Comparison all[] = {REL_GT, REL_GE, REL_NE, REL_LE, REL_LT, REL_EQ};
      bool is_mirrored = b->kind != TERM_INTEGER && k < i; /* the same with its sides exchanged */
      for (uint32_t r = 0; r < 6 && !is_mirrored; r++) template_add(search, all[r], a, b);
      if (b->kind != TERM_INTEGER)
        template_add(search, REL_EQ, term_apply(search, EXPR_MOD, a, b), zero);
    }
  }
}

/* Templates that state whether an equation of two letters has a solution. */
static void templates_of_equations(Search *search) {
  const RuleTerm *zero = term_integer(search, 0);
  uint32_t count = search->rule->left.is_constraint ? search->rule->constant_count : 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < i; k++) {
      const RuleTerm *divisor = term_make(search, (RuleTerm){.kind = TERM_GCD},
          term_letter(search, TERM_CONSTANT_LETTER, k),
          term_letter(search, TERM_CONSTANT_LETTER, i));
      for (uint32_t of = 0; of < count; of++) {
        if (of == i || of == k) continue;
        const RuleTerm *rest =
            term_apply(search, EXPR_MOD, term_letter(search, TERM_CONSTANT_LETTER, of), divisor);
        template_add(search, REL_NE, rest, zero);
        template_add(search, REL_EQ, rest, zero);
      }
    }
}

/* ---- points ---- */

static void point_add(Search *search, const RuleValues *values) {
  RuleReading reading = rule_read(search->rule, values);
  bool is_refuting = reading.outcome == RULE_DIFFERS || reading.outcome == RULE_DIVISOR;
  uint32_t at = search->points.count;
  if ((!is_refuting && reading.outcome != RULE_AGREES) || at == most_points) return;
  search->points.values[at] = *values;
  if (is_refuting) search->points.refuting[at / 64] |= UINT64_C(1) << at % 64;
  search->points.count++;
}

/* Draws small values. Half of the time bounds start at 0, and half of the time constants are
 * positive, because guards often require that. */
static RuleValues values_draw(Dice *dice) {
  RuleValues values = {};
  int64_t least = dice_range(dice, 0, 1) == 0 ? -4 : 1, low = dice_range(dice, 0, 1) == 0 ? -8 : 0;
  for (uint32_t i = 0; i < rule_max_letters; i++) {
    values.constants[i] = dice_range(dice, least, 12);
    values.lo[i] = dice_range(dice, low, 8);
    values.hi[i] = values.lo[i] + dice_range(dice, 0, dice_range(dice, 0, 16));
    values.exprs[i] = dice_range(dice, values.lo[i], values.hi[i]);
  }
  return values;
}

/* Collects a limited number of points of each class from drawn values, then some that are adjusted
 * to the guard. */
static void points_collect(Search *search, const RuleValues *refuted) {
  Dice dice = {.state = 1};
  uint32_t left[2] = {140, 100}; /* agreeing, refuting */
  point_add(search, refuted);
  for (uint32_t draw = 0; draw < most_draws && left[0] + left[1] > 0; draw++) {
    RuleValues values = values_draw(&dice);
    RuleOutcome outcome = rule_read(search->rule, &values).outcome;
    bool is_refuting = outcome != RULE_AGREES;
    if (outcome == RULE_NOT_MET || left[is_refuting] == 0) continue;
    left[is_refuting]--;
    point_add(search, &values);
  }
  for (uint32_t run = 0; run < sample_runs; run++) {
    Sample sample;
    rule_sample(search->rule, run + 1, sample_tries, run % 4 == 3 ? 40 : sample_span, &sample);
    if (sample.is_refuted) point_add(search, &sample.refutation);
    for (uint32_t i = 0; i < sample.hit_count && i < 5; i++) point_add(search, &sample.hits[i]);
  }
}

static bool template_holds(
    const Search *search, const GuardTemplate *template, const RuleValues *values) {
  Rule alone = *search->rule;
  Guard guard = template->guard;
  alone.guards = &guard;
  alone.guard_count = 1;
  return rule_guard_holds(&alone, values);
}

static void holds_fill(Search *search, uint32_t first_point) {
  for (uint32_t i = 0; i < search->count; i++)
    for (uint32_t k = first_point; k < search->points.count; k++)
      if (template_holds(search, &search->templates[i], &search->points.values[k]))
        search->templates[i].holds[k / 64] |= UINT64_C(1) << k % 64;
}

/* ---- choices ---- */

/* 0 if values that refute the rule satisfy both, or no values do. */
static uint32_t choice_weight(const Search *search, uint32_t a, uint32_t b) {
  uint32_t weight = 0;
  for (uint32_t i = 0; i < point_words; i++) {
    uint64_t both = search->templates[a].holds[i] & search->templates[b].holds[i];
    if ((both & search->points.refuting[i]) != 0) return 0;
    weight += (uint32_t)__builtin_popcountll(both);
  }
  return weight;
}

static bool is_tried(const Search *search, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < search->tried_count; i++)
    if (search->tried[i].a == a && search->tried[i].b == b) return true;
  return false;
}

/* Inserts a choice by weight. Of equal weight, the earlier one stays in front, because it is
 * shorter. */
static void choice_try(Search *search, uint32_t a, uint32_t b) {
  uint32_t weight = choice_weight(search, a, b), at = search->best_count;
  if (weight == 0 || is_tried(search, a, b)) return;
  if (at == most_choices) at--;
  if (search->best_count == most_choices && search->best[at].weight >= weight) return;
  for (; at > 0 && search->best[at - 1].weight < weight; at--)
    search->best[at] = search->best[at - 1];
  search->best[at] = (Choice){a, b, weight};
  search->best_count += search->best_count < most_choices;
}

static void choices_collect(Search *search, bool is_pairs) {
  search->best_count = 0;
  for (uint32_t i = 0; i < search->count; i++) {
    if (!is_pairs) choice_try(search, i, i);
    for (uint32_t k = 0; k < i && is_pairs; k++) choice_try(search, k, i);
  }
}

/* A share of the whole budget for one proof, or what is left. */
static ProveOptions proof_options(const Search *search, const ProveOptions *options) {
  ProveOptions own = *options;
  own.rlimit = (options->rlimit + proof_share - 1) / proof_share;
  if (own.rlimit > search->rlimit_left) own.rlimit = search->rlimit_left;
  return own;
}

/* Whether the rule is proved with these conditions; the values of a refutation become a point. */
static bool choice_prove(Search *search, const ProveOptions *options, const Choice *choice) {
  const ArenaMark mark = arena_mark(search->arena);
  const ProveOptions own = proof_options(search, options);
  Rule rule = *search->rule;
  Error error = {};
  RuleVerdict verdict = {};
  uint32_t more = choice->a == choice->b ? 1 : 2, before = search->points.count;
  rule.guards = arena_grow(
      search->arena, rule.guards, rule.guard_count, rule.guard_count + more, sizeof *rule.guards);
  rule.guards[rule.guard_count++] = search->templates[choice->a].guard;
  if (more == 2) rule.guards[rule.guard_count++] = search->templates[choice->b].guard;
  search->tried[search->tried_count++] = *choice;
  bool is_met = prove_rule(search->arena, &rule, &own, &verdict, &error);
  const uint64_t left = search->rlimit_left, used = verdict.rlimit_used;
  search->rlimit_left = used < left ? left - used : 0;
  arena_rewind(search->arena, mark);
  if (!is_met) return false;
  if (verdict.answer == VERDICT_REFUTED) point_add(search, &verdict.values);
  holds_fill(search, before);
  return verdict.answer == VERDICT_PROVED;
}

static bool guard_choose(
    Search *search, const ProveOptions *options, bool is_pairs, GuardSearch *found) {
  search->tried_count = 0;
  for (choices_collect(search, is_pairs); search->best_count > 0;
      choices_collect(search, is_pairs)) {
    for (uint32_t i = 0; i < search->best_count; i++) {
      const Choice choice = search->best[i];
      if (search->tried_count == most_proofs || search->rlimit_left == 0 ||
          (options->stop != nullptr && options->stop()))
        return false;
      if (choice_weight(search, choice.a, choice.b) == 0) continue;
      found->proofs++;
      if (!choice_prove(search, options, &choice)) continue;
      found->count = choice.a == choice.b ? 1 : 2;
      found->guards[0] = search->templates[choice.a].guard;
      found->guards[1] = search->templates[choice.b].guard;
      return true;
    }
  }
  return false;
}

void guard_search(Arena *arena, const Rule *rule, const RuleValues *refuted,
    const ProveOptions *options, GuardSearch *found) {
  Search *search = ARENA_NEW(arena, Search, 1);
  ProveOptions whole = *options;
  if (whole.rlimit == 0) whole.rlimit = prove_default_rlimit;
  *search = (Search){.arena = arena,
      .rule = rule,
      .rlimit_left = whole.rlimit,
      .points.values = ARENA_NEW(arena, RuleValues, most_points),
      .templates = ARENA_NEW(arena, GuardTemplate, most_templates)};
  *found = (GuardSearch){};
  terms_collect(search);
  templates_of_letters(search);
  templates_of_constants(search);
  templates_of_equations(search);
  points_collect(search, refuted);
  holds_fill(search, 0);
  found->templates = search->count;
  if (!guard_choose(search, &whole, false, found)) (void)guard_choose(search, &whole, true, found);
}
