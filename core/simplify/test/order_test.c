/* Every rewrite decreases the map in the order of docs/matching.md: checked on the whole map around
 * each step of the trace, for each rule's example and for random maps. Every step also preserves
 * the map: the same domain, the same values at random points. */
#include "core/simplify/test/test_world.h"

#include <math.h>
#include <stdlib.h>

static constexpr uint32_t levels = 20;

/* OWN_PART_LEVELS: three counts for each level of nesting, the innermost first. They count sums
 * with a negative first summand, in divisions and constraints; constraints on a remainder whose
 * interval wraps around and does not begin at 0; divisions whose argument has a constant that is
 * not next to zero. Effects of a rewrite further outside, such as the order of summands, have lower
 * rank. */
typedef enum CoreOrderPart : uint8_t {
  OWN_PART_WEIGHT,
  OWN_PART_NESTING,
  OWN_PART_DIVISORS,
  OWN_PART_COEFFICIENTS,
  OWN_PART_ENDS,
  OWN_PART_LEVELS,
  OWN_PART_CONSTANTS = OWN_PART_LEVELS + 3 * levels,
  OWN_PARTS
} CoreOrderPart;

typedef enum LevelPart : uint8_t { LEVEL_SIGN, LEVEL_LATE, LEVEL_UNTIDY } LevelPart;

static uint32_t level_part(uint32_t depth, LevelPart part) {
  assert_true(depth < levels);
  return OWN_PART_LEVELS + 3 * (levels - 1 - depth) + part;
}

typedef struct Measure {
  double parts[OWN_PARTS];
} Measure;

static ExprNode node_of(const SimplifyFixture *world, Expr expr) {
  return *expr_node(world->context->pool, expr);
}

static double weight_of(const SimplifyFixture *world, Expr expr) {
  ExprNode node = node_of(world, expr);
  if (node.op == EXPR_CONST) return 0;
  if (node.op == EXPR_VAR) return 1;
  double left = weight_of(world, node.left), right = weight_of(world, node.right);
  switch (node.op) {
    case EXPR_ADD: return left + right;
    case EXPR_MUL: return left == 0 || right == 0 ? left + right : left + right + 1;
    case EXPR_FLOORDIV: return 2 * left;
    case EXPR_CEILDIV: return 2 * left + 1;
    case EXPR_MOD: return left + 1;
    case EXPR_MIN:
    case EXPR_MAX: return left + right + 1;
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  return 0;
}

static bool is_division(ExprOp op) {
  return op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD;
}

static void add_sum(
    const SimplifyFixture *world, Expr expr, uint32_t depth, bool counts, Measure *measure);

/* The constant of a division's argument. */
static int64_t last_constant(const SimplifyFixture *world, Expr argument) {
  ExprNode node = node_of(world, argument);
  int64_t constant = node.op == EXPR_CONST ? node.value : 0;
  if (node.op == EXPR_ADD) (void)expr_is_const(world->context->pool, node.right, &constant);
  return constant;
}

static void add_division(
    const SimplifyFixture *world, const ExprNode *node, uint32_t depth, Measure *measure) {
  int64_t divisor = node_of(world, node->right).value, constant = last_constant(world, node->left);
  measure->parts[OWN_PART_DIVISORS] += (double)divisor;
  bool is_tidy = constant >= -(divisor / 2) && constant < divisor - divisor / 2;
  if (!is_tidy) measure->parts[level_part(depth + 1, LEVEL_UNTIDY)]++;
}

static void add_atom(const SimplifyFixture *world, Expr expr, uint32_t depth, Measure *measure);

/* Nested minima are flat: they count as one level. */
static void add_argument(
    const SimplifyFixture *world, ExprOp op, Expr argument, uint32_t depth, Measure *measure) {
  if (node_of(world, argument).op == op) add_atom(world, argument, depth, measure);
  else add_sum(world, argument, depth + 1, false, measure);
}

static void add_atom(const SimplifyFixture *world, Expr expr, uint32_t depth, Measure *measure) {
  ExprNode node = node_of(world, expr);
  if (node.op == EXPR_VAR) {
    measure->parts[OWN_PART_NESTING] += depth;
    return;
  }
  if (is_division(node.op)) {
    add_sum(world, node.left, depth + 1, true, measure);
    add_division(world, &node, depth, measure);
    return;
  }
  add_argument(world, node.op, node.left, depth, measure);
  add_argument(world, node.op, node.right, depth, measure);
}

/* The coefficient of the first summand of a chain of additions. */
static int64_t first_coefficient(const SimplifyFixture *world, Expr expr) {
  ExprNode node = node_of(world, expr);
  while (node.op == EXPR_ADD) node = node_of(world, node.left);
  int64_t value;
  return node.op == EXPR_MUL && expr_is_const(world->context->pool, node.right, &value) ? value : 1;
}

/* `counts`: count signs in the arguments of divisions and in constraints, and constants in
 * constraints. */
static void add_sum(
    const SimplifyFixture *world, Expr expr, uint32_t depth, bool counts, Measure *measure) {
  if (counts && first_coefficient(world, expr) < 0) measure->parts[level_part(depth, LEVEL_SIGN)]++;
  for (;;) {
    ExprNode node = node_of(world, expr);
    Expr one = node.op == EXPR_ADD ? node.right : expr;
    ExprNode summand = node_of(world, one);
    int64_t value = 1;
    if (summand.op == EXPR_CONST) {
      if (counts && depth == 0) measure->parts[OWN_PART_CONSTANTS] += fabs((double)summand.value);
    } else {
      bool scaled =
          summand.op == EXPR_MUL && expr_is_const(world->context->pool, summand.right, &value);
      measure->parts[OWN_PART_COEFFICIENTS] += fabs((double)value);
      add_atom(world, scaled ? summand.left : one, depth, measure);
    }
    if (node.op != EXPR_ADD) return;
    expr = node.left;
  }
}

/* True if the constraint is about a remainder, up to a sign and a constant. */
static bool only_remainder(
    const SimplifyFixture *world, const Constraint *constraint, ExprNode *remainder, Interval *in) {
  ExprPool *pool = world->context->pool;
  ExprNode node = node_of(world, constraint->expr);
  int64_t constant = 0, factor;
  if (node.op == EXPR_ADD) {
    if (!expr_is_const(pool, node.right, &constant)) return false;
    node = node_of(world, node.left);
  }
  if (__builtin_sub_overflow(constraint->in.lo, constant, &in->lo) ||
      __builtin_sub_overflow(constraint->in.hi, constant, &in->hi))
    return false;
  if (node.op == EXPR_MUL && expr_is_const(pool, node.right, &factor) && factor == -1) {
    *in = (Interval){-in->hi, -in->lo};
    node = node_of(world, node.left);
  }
  *remainder = node;
  return node.op == EXPR_MOD;
}

static void add_remainder(
    const SimplifyFixture *world, const Constraint *constraint, Measure *measure) {
  ExprNode node;
  Interval in;
  if (!only_remainder(world, constraint, &node, &in)) return;
  int64_t c = node_of(world, node.right).value, inside = last_constant(world, node.left);
  _BitInt(128) first = (((_BitInt(128))in.lo - inside) % c + c) % c;
  if (in.lo > 0 && first + in.hi - in.lo >= c) measure->parts[level_part(1, LEVEL_LATE)]++;
  measure->parts[OWN_PART_CONSTANTS] += fabs((double)inside);
}

static Measure measure_of(const SimplifyFixture *world, const Map *map) {
  Measure measure = {};
  for (uint32_t i = 0; i < map->result_count; i++) {
    measure.parts[OWN_PART_WEIGHT] += weight_of(world, map->results[i]);
    add_sum(world, map->results[i], 0, false, &measure);
  }
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    measure.parts[OWN_PART_WEIGHT] += weight_of(world, map->constraints[i].expr);
    add_sum(world, map->constraints[i].expr, 0, true, &measure);
    add_remainder(world, &map->constraints[i], &measure);
    measure.parts[OWN_PART_ENDS] +=
        (double)map->constraints[i].in.hi - (double)map->constraints[i].in.lo;
  }
  return measure;
}

static bool is_less(const Measure *a, const Measure *b) {
  for (uint32_t i = 0; i < OWN_PARTS; i++)
    if (a->parts[i] != b->parts[i]) return a->parts[i] < b->parts[i];
  return false;
}

static void order_report(SimplifyFixture *world, const TraceStep *step, const char *what) {
  fprintf(stderr, "%s: %s\n  before %s\n  after  %s\n", what,
      step->rule == nullptr ? step->what : step->rule->name, fixture_print(world, step->map_before),
      fixture_print(world, step->map_after));
}

static int64_t order_draw(SimplifyFixture *world, Interval bounds) {
  return random_between(&world->random, bounds.lo, bounds.hi);
}

typedef _BitInt(256) Wide256;

/* In 256 bits: a right side before its parts are rewritten may leave int64. */
static Wide256 wide_value(const SimplifyFixture *world, Expr expr, const int64_t values[3][16]) {
  ExprNode node = node_of(world, expr);
  if (node.op == EXPR_CONST) return node.value;
  if (node.op == EXPR_VAR) return values[node.var_kind][node.var_index];
  Wide256 x = wide_value(world, node.left, values), y = wide_value(world, node.right, values);
  switch (node.op) {
    case EXPR_ADD: return x + y;
    case EXPR_MUL: return x * y;
    case EXPR_FLOORDIV: return x / y - (x % y < 0);
    case EXPR_CEILDIV: return x / y + (x % y > 0);
    case EXPR_MOD: return x % y + (x % y < 0 ? y : 0);
    case EXPR_MIN: return x < y ? x : y;
    case EXPR_MAX: return x > y ? x : y;
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  return 0;
}

static bool is_inside(const SimplifyFixture *world, const Map *map, const int64_t values[3][16]) {
  if (map->state != MAP_PLAIN) return false;
  for (uint32_t i = 0; i < map_variable_count(map); i++) {
    VariableId id = map_variable_id(map, i);
    Interval bounds = map_variable(map, i)->bounds;
    if (values[id.kind][id.index] < bounds.lo || values[id.kind][id.index] > bounds.hi)
      return false;
  }
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    Wide256 value = wide_value(world, map->constraints[i].expr, values);
    if (value < map->constraints[i].in.lo || value > map->constraints[i].in.hi) return false;
  }
  return true;
}

static bool same_at_random_points(
    SimplifyFixture *world, const Map *box, const Map *before, const Map *after) {
  int64_t values[3][16];
  for (uint32_t round = 0; round < 8; round++) {
    for (uint32_t i = 0; i < map_variable_count(box); i++) {
      VariableId id = map_variable_id(box, i);
      values[id.kind][id.index] = order_draw(world, map_variable(box, i)->bounds);
    }
    bool inside = is_inside(world, before, values);
    if (inside != is_inside(world, after, values)) return false;
    for (uint32_t i = 0; inside && i < box->result_count; i++)
      if (wide_value(world, before->results[i], values) !=
          wide_value(world, after->results[i], values))
        return false;
  }
  return true;
}

/* Later steps remove what such a rule introduces. */
static bool decreases_later(const TraceStep *step) {
  const char *order = step->rule == nullptr ? nullptr : step->rule->order;
  return order != nullptr && (strcmp(order, "cancels") == 0 || strcmp(order, "lighter") == 0);
}

static size_t length_of(SimplifyFixture *world, const Map *map) {
  return strlen(fixture_print(world, map));
}

static bool is_about_text(const TraceStep *step) {
  return step->rule != nullptr && step->rule->order != nullptr &&
         strncmp(step->rule->order, "text", 4) == 0;
}

/* The map before its text is shortened. */
static const Map *canonical_map(const Trace *trace, const Map *result) {
  for (uint32_t i = 0; i < trace->count; i++)
    if (is_about_text(&trace->items[i])) return trace->items[i].map_before;
  return result;
}

/* Compares the final text, because later steps shorten what a step introduces. */
static bool decreases(
    SimplifyFixture *world, const TraceStep *step, const Map *result, const Map *last) {
  if (is_about_text(step)) return length_of(world, last) < length_of(world, step->map_before);
  Measure before = measure_of(world, step->map_before),
          after = measure_of(world, decreases_later(step) ? result : step->map_after);
  return is_less(&after, &before);
}

static bool check_trace(SimplifyFixture *world, const Map *map, uint64_t *steps) {
  Trace trace = {.arena = world->context->arena};
  const Map *result, *plain, *at = map;
  Error error = {};
  if (!simplify_map(world->simplifier, map, nullptr, &result, &trace, &error)) return true;
  assert_true(simplify_map(world->simplifier, map, nullptr, &plain, nullptr, &error));
  assert_string_equal(fixture_print(world, result), fixture_print(world, plain));
  for (uint32_t i = 0; i < trace.count; i++) {
    const TraceStep *step = &trace.items[i];
    ++*steps;
    if (!map_identical(world->context, at, step->map_before))
      return order_report(world, step, "a gap in the trace"), false;
    if (!same_at_random_points(world, map, step->map_before, step->map_after))
      return order_report(world, step, "not the same map"), false;
    if (step->rule != nullptr && !decreases(world, step, canonical_map(&trace, result), result))
      return order_report(world, step, "no smaller"), false;
    if (step->rule == nullptr && strcmp(step->what, "written out") == 0)
      return order_report(world, step, "not explained"), false;
    at = step->map_after;
  }
  return map_identical(world->context, at, result);
}

static void examples_decrease(void **state) {
  (void)state;
  SimplifyFixture world = open_world();
  RuleSet rules = {};
  Error error = {};
  uint64_t steps = 0;
  assert_true(rules_engine(world.context->arena, &rules, &error));
  for (uint32_t i = 0; i < rules.count; i++) {
    Source source = {.name = rules.items[i].name,
        .text = rules.items[i].example,
        .length = strlen(rules.items[i].example),
        .first_line = 1};
    const Map *map;
    assert_true(map_parse(world.context, &source, &map, &error));
    assert_true(check_trace(&world, map, &steps));
  }
  assert_true(steps >= rules.count);
  close_world(&world);
}

/* Steps that an order with `sign`, `late` and `constants` for all levels together would not
 * allow. */
static void levels_decrease(void **state) {
  (void)state;
  static const char *const texts[] = {
      "(d0, d1) -> (d0), domain: d0 in [0, 99], d1 in [0, 9], (d0 + d1 - 1) mod 8 in [0, 5]",
      "(d0, d1) -> (d0), domain: d0 in [0, 99], d1 in [0, 9], (d0 + d1) mod 8 + 3 in [5, 9]",
      "(d0, d1) -> (((d0 + 2) floordiv 8 - (d0 + 17) floordiv 8) floordiv 5), domain: d0 in [0, 99], d1 in [0, 9]",
      "(d0, d1) -> (((d0 + d1 + 17) floordiv 8 - (d0 + d1 + 2) floordiv 8) floordiv 5), domain: d0 in [0, 99], d1 in [0, 9]",
  };
  SimplifyFixture world = open_world();
  uint64_t steps = 0;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_true(check_trace(&world, fixture_parse(&world, texts[i]), &steps));
  assert_true(steps >= sizeof texts / sizeof *texts);
  close_world(&world);
}

static void random_maps_decrease(void **state) {
  (void)state;
  const char *text = getenv("AFFIRM_ORDER_RUNS");
  uint64_t runs = text == nullptr ? 4000 : strtoull(text, nullptr, 10), steps = 0, failed = 0;
  SimplifyFixture world = open_world();
  for (uint64_t i = 0; i < runs && failed < 10; i++) {
    MapMark mark = map_context_mark(world.context);
    world.random = (RandomMaps){.state = i,
        .max_variables = 3,
        .max_depth = 3 + (uint32_t)(i % 4),
        .max_results = 2,
        .max_constraints = (uint32_t)(i % 4),
        .max_coefficient = 12,
        .max_bound = 20};
    const Map *map = random_map(world.context, &world.random);
    bool good = check_trace(&world, map, &steps);
    if (!good) fprintf(stderr, "  of     %s\n", fixture_print(&world, map));
    failed += !good;
    map_context_rewind(world.context, mark);
  }
  print_message("%llu steps\n", (unsigned long long)steps);
  assert_int_equal(failed, 0);
  close_world(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(examples_decrease),
      cmocka_unit_test(levels_decrease), cmocka_unit_test(random_maps_decrease)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
