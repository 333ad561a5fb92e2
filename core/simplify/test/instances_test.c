/* Each rule of the engine on instances of its own left side: constants are drawn, and letters stand
 * for variables or sums of variables of their own. Where the guard holds, evaluated here from the
 * bounds of the variables, the rule fires at that place, and the map has the same points after the
 * step. Rules whose order adds a condition of its own are left out. */
#include "core/base/test/length.h"
#include "core/map/evaluate.h"
#include "core/map/test/defined.h"
#include "core/simplify/step.h"
#include "core/simplify/test/test_world.h"

static constexpr uint32_t most_letters = 8;

typedef struct RuleInstance {
  SimplifyFixture *world;
  const Rule *rule;
  Map *map;
  int64_t constants[most_letters];
  Expr exprs[most_letters];
  Interval bounds[most_letters]; /* of the expression letters */
} RuleInstance;

/* ---- drawing ---- */

static uint32_t add_dimension(RuleInstance *instance, Interval bounds) {
  instance->map->dims[instance->map->dim_count].bounds = bounds;
  return instance->map->dim_count++;
}

static Interval drawn_bounds(RandomMaps *random) {
  int64_t lo = random_between(random, 0, 3) == 0 ? random_between(random, -9, 9) : 0;
  return (Interval){lo, lo + random_between(random, 0, 2) * random_between(random, 0, 9)};
}

/* A variable; for letters that stand for sums, sometimes v + 2*w. Only single values are no
 * variables for a rule, so every variable has two values. */
static void draw_letter(RuleInstance *instance, uint32_t letter) {
  ExprPool *pool = instance->world->context->pool;
  RandomMaps *random = &instance->world->random;
  char name = instance->rule->exprs[letter][0];
  bool is_sum = name >= 'x' && random_between(random, 0, 2) == 0;
  Interval bounds = drawn_bounds(random);
  Expr expr = expr_var(pool, VAR_DIM, add_dimension(instance, bounds));
  if (is_sum) {
    Interval more = drawn_bounds(random);
    Expr other = expr_var(pool, VAR_DIM, add_dimension(instance, more));
    expr =
        expr_binary(pool, EXPR_ADD, expr, expr_binary(pool, EXPR_MUL, other, expr_const(pool, 2)));
    bounds = (Interval){bounds.lo + 2 * more.lo, bounds.hi + 2 * more.hi};
  }
  instance->exprs[letter] = expr;
  instance->bounds[letter] = bounds;
}

static int64_t drawn_constant(RandomMaps *random) {
  static const int64_t likely[] = {1, 2, 2, 3, 4, 6, 8, 12, -1, -1, -2, -3, -7, 5, 24, 16};
  return likely[random_between(random, 0, 15)];
}

/* ---- the meaning of terms ---- */

/* The value of constant arithmetic; false if it divides by a number below 1 or names an
 * expression. */
static bool value_of_term(const RuleInstance *instance, const RuleTerm *term, Int128 *value) {
  Int128 left, right;
  switch (term->kind) {
    case TERM_INTEGER: *value = term->value; return true;
    case TERM_CONSTANT_LETTER: *value = instance->constants[term->letter]; return true;
    case TERM_LO: *value = instance->bounds[term->letter].lo; return true;
    case TERM_HI: *value = instance->bounds[term->letter].hi; return true;
    case TERM_EXPR: return false;
    case TERM_OPERATOR:
      if (!value_of_term(instance, term->left, &left) ||
          !value_of_term(instance, term->right, &right))
        return false;
      if ((term->op == EXPR_FLOORDIV || term->op == EXPR_CEILDIV || term->op == EXPR_MOD) &&
          right < 1)
        return false;
      *value = defined_apply(term->op, left, right);
      return true;
    case TERM_GCD:
      if (!value_of_term(instance, term->left, &left) ||
          !value_of_term(instance, term->right, &right))
        return false;
      for (left = left < 0 ? -left : left, right = right < 0 ? -right : right; right != 0;) {
        Int128 rest = left % right;
        left = right, right = rest;
      }
      *value = left;
      return true;
  }
  return false;
}

static bool guard_is_true(const RuleInstance *instance, const Guard *guard) {
  Int128 left, right;
  if (!value_of_term(instance, guard->left, &left) ||
      !value_of_term(instance, guard->right, &right))
    return false;
  switch (guard->relation) {
    case REL_EQ: return left == right;
    case REL_NE: return left != right;
    case REL_LT: return left < right;
    case REL_LE: return left <= right;
    case REL_GT: return left > right;
    case REL_GE: return left >= right;
  }
  return false;
}

static bool guards_are_true(const RuleInstance *instance) {
  bool all = true;
  for (uint32_t i = 0; i < instance->rule->guard_count; i++)
    all &= guard_is_true(instance, &instance->rule->guards[i]);
  return all;
}

/* The term's expression; handle 0 if a divisor is below 1. */
static Expr expr_of_term(const RuleInstance *instance, const RuleTerm *term) {
  ExprPool *pool = instance->world->context->pool;
  Int128 value;
  if (term->kind == TERM_EXPR) return instance->exprs[term->letter];
  if (value_of_term(instance, term, &value)) return expr_const(pool, (int64_t)value);
  if (term->kind != TERM_OPERATOR) return (Expr){};
  Expr left = expr_of_term(instance, term->left), right = expr_of_term(instance, term->right);
  bool divides = term->op == EXPR_FLOORDIV || term->op == EXPR_CEILDIV || term->op == EXPR_MOD;
  int64_t divisor;
  if (left.at == 0 || right.at == 0) return (Expr){};
  if (divides && (!expr_is_const(pool, right, &divisor) || divisor < 1)) return (Expr){};
  return expr_binary(pool, term->op, left, right);
}

/* ---- one instance ---- */

static bool draw_instance(RuleInstance *instance) {
  const Rule *rule = instance->rule;
  MapContext *context = instance->world->context;
  bool is_constraint = rule->left.is_constraint;
  instance->map = map_create(context, 2 * most_letters, 0, 0, !is_constraint, is_constraint);
  instance->map->dim_count = 0;
  assert_true(rule->constant_count <= most_letters && rule->expr_count <= most_letters);
  for (uint32_t i = 0; i < rule->constant_count; i++)
    instance->constants[i] = drawn_constant(&instance->world->random);
  for (uint32_t i = 0; i < rule->expr_count; i++) draw_letter(instance, i);
  Expr left = expr_of_term(instance, rule->left.expr);
  if (left.at == 0) return false;
  if (!is_constraint) instance->map->results[0] = left;
  else {
    Int128 lo, hi;
    if (!value_of_term(instance, rule->left.lo, &lo) ||
        !value_of_term(instance, rule->left.hi, &hi))
      return false;
    instance->map->constraints[0] = (Constraint){left, {(int64_t)lo, (int64_t)hi}};
  }
  Map *whole = map_copy_variables(
      context->arena, instance->map, instance->map->result_count, instance->map->constraint_count);
  if (is_constraint) whole->constraints[0] = instance->map->constraints[0];
  else whole->results[0] = left;
  instance->map = whole;
  Error error = {};
  return map_check(context, whole, &error);
}

static void check_points(RuleInstance *instance, const Map *after) {
  MapContext *context = instance->world->context;
  for (uint32_t k = 0; k < 12; k++) {
    int64_t values[2 * most_letters], a = 0, b = 0;
    for (uint32_t i = 0; i < instance->map->dim_count; i++) {
      Interval bounds = instance->map->dims[i].bounds;
      values[i] = random_between(&instance->world->random, bounds.lo, bounds.hi);
    }
    Point point = {.dims = values};
    PointState state = map_evaluate(context, instance->map, &point, &a);
    if (map_evaluate(context, after, &point, &b) != state || a != b)
      fail_msg("%s: %s", instance->rule->name, fixture_print(instance->world, instance->map));
  }
}

static bool has_condition(const Rule *rule) {
  static const char *const words[] = {"cancels", "lighter", "text", "sign"};
  for (uint32_t i = 0; i < 4; i++)
    if (rule->order != nullptr && strstr(rule->order, words[i]) != nullptr) return true;
  return false;
}

/* These rules may miss an instance: a greatest common divisor is not tried for each choice of the
 * summands that it divides, and the multiple c*k that is taken out of a dividend is the one that
 * leaves the least remainder. */
static bool may_miss(const Rule *rule) {
  static const char *const names[] = {"floordiv-common-factor", "mod-common-factor",
      "constraint-remainder-drops", "floordiv-of-mod", "floordiv-of-negative-mod"};
  for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(rule->name, names[i]) == 0) return true;
  return false;
}

/* Returns how often the rule fires. */
static uint32_t check_rule(SimplifyFixture *world, const Rule *rule, uint32_t instances) {
  RuleSet one = {.count = 1, .items = (Rule *)(uintptr_t)rule};
  Error error = {};
  Simplifier *alone = simplifier_create(world->context, &one, &error);
  assert_non_null(alone);
  uint32_t fired = 0, missed = 0;
  for (uint32_t i = 0; i < instances; i++) {
    MapMark mark = map_context_mark(world->context);
    RuleInstance instance = {.world = world, .rule = rule};
    if (draw_instance(&instance) && guards_are_true(&instance)) {
      TraceStep step;
      Expr at = rule->left.is_constraint ? (Expr){} : instance.map->results[0];
      bool fires = simplify_step(alone, instance.map, at, 0, world->context->arena, &step);
      if (fires) check_points(&instance, step.map_after);
      else if (!may_miss(rule)) fail_msg("%s: %s", rule->name, fixture_print(world, instance.map));
      fired += fires;
      missed += !fires;
    }
    map_context_rewind(world->context, mark);
  }
  assert_true(missed * 4 <= fired);
  simplifier_destroy(alone);
  return fired;
}

static void rules_fire_on_their_instances(void **) {
  SimplifyFixture world = open_world();
  RuleSet rules = {};
  Error error = {};
  uint32_t checked = 0;
  assert_true(rules_engine(world.context->arena, &rules, &error));
  world.random = (RandomMaps){.state = 20261208};
  for (uint32_t i = 0; i < rules.count; i++) {
    if (has_condition(&rules.items[i])) continue;
    assert_true(check_rule(&world, &rules.items[i], test_length(6000, 1500, 1500)) > 5);
    checked++;
  }
  assert_true(checked > 40);
  close_world(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rules_fire_on_their_instances)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
