/* Every rewrite makes the map smaller in the order of docs/matching.md: checked on the whole map
 * around each step of the trace, for each rule's example and for random maps. Every step also keeps
 * the map: same domain, same values at random points. */
#include "core/simplify/test/test_world.h"

#include <math.h>
#include <stdlib.h>

#include "core/map/evaluate.h"

static constexpr uint32_t levels = 20;

/* PART_SIGN: sums whose first summand is negative, in divisions and constraints; PART_UNTIDY:
 * divisions whose argument has a constant that is not next to zero. One part for each level of
 * nesting, the innermost first: what a rewrite moves outwards counts there. */
typedef enum Part : uint8_t {
  PART_WEIGHT,
  PART_NESTING,
  PART_DIVISORS,
  PART_SIGN,
  PART_COEFFICIENTS = PART_SIGN + levels,
  PART_LATE,
  PART_UNTIDY,
  PART_CONSTANTS = PART_UNTIDY + levels,
  PART_ENDS,
  PARTS
} Part;

typedef struct Measure {
  double parts[PARTS];
} Measure;

static ExprNode node_of(const World *world, Expr expr) {
  return *expr_node(world->context->pool, expr);
}

static double weight_of(const World *world, Expr expr) {
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

static void add_sum(const World *world, Expr expr, uint32_t depth, bool counts, Measure *measure);

/* The constant of an argument. */
static int64_t last_constant(const World *world, Expr argument) {
  ExprNode node = node_of(world, argument);
  int64_t constant = node.op == EXPR_CONST ? node.value : 0;
  if (node.op == EXPR_ADD) (void)expr_is_const(world->context->pool, node.right, &constant);
  return constant;
}

static void add_division(
    const World *world, const ExprNode *node, uint32_t depth, Measure *measure) {
  int64_t divisor = node_of(world, node->right).value, constant = last_constant(world, node->left);
  measure->parts[PART_DIVISORS] += (double)divisor;
  assert_true(depth < levels);
  bool is_tidy = constant >= -(divisor / 2) && constant < divisor - divisor / 2;
  if (!is_tidy) measure->parts[PART_UNTIDY + levels - 1 - depth]++;
}

static void add_atom(const World *world, Expr expr, uint32_t depth, Measure *measure);

/* Minima of minima are flat: they count as one level. */
static void add_argument(
    const World *world, ExprOp op, Expr argument, uint32_t depth, Measure *measure) {
  if (node_of(world, argument).op == op) add_atom(world, argument, depth, measure);
  else add_sum(world, argument, depth + 1, false, measure);
}

static void add_atom(const World *world, Expr expr, uint32_t depth, Measure *measure) {
  ExprNode node = node_of(world, expr);
  if (node.op == EXPR_VAR) {
    measure->parts[PART_NESTING] += depth;
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
static int64_t first_coefficient(const World *world, Expr expr) {
  ExprNode node = node_of(world, expr);
  while (node.op == EXPR_ADD) node = node_of(world, node.left);
  int64_t value;
  return node.op == EXPR_MUL && expr_is_const(world->context->pool, node.right, &value) ? value : 1;
}

/* `counts`: signs count in the arguments of divisions and in constraints, constants in
 * constraints. */
static void add_sum(const World *world, Expr expr, uint32_t depth, bool counts, Measure *measure) {
  if (counts && first_coefficient(world, expr) < 0)
    measure->parts[PART_SIGN + levels - 1 - depth]++;
  for (;;) {
    ExprNode node = node_of(world, expr);
    Expr one = node.op == EXPR_ADD ? node.right : expr;
    ExprNode summand = node_of(world, one);
    int64_t value = 1;
    if (summand.op == EXPR_CONST) {
      if (counts && depth == 0) measure->parts[PART_CONSTANTS] += fabs((double)summand.value);
    } else {
      bool scaled =
          summand.op == EXPR_MUL && expr_is_const(world->context->pool, summand.right, &value);
      measure->parts[PART_COEFFICIENTS] += fabs((double)value);
      add_atom(world, scaled ? summand.left : one, depth, measure);
    }
    if (node.op != EXPR_ADD) return;
    expr = node.left;
  }
}

/* Of a constraint on a remainder the constant inside counts like one outside. */
static double constant_inside(const World *world, Expr expr) {
  ExprNode node = node_of(world, expr);
  return node.op == EXPR_MOD ? fabs((double)last_constant(world, node.left)) : 0;
}

/* PART_LATE: remainders that are constraints and whose interval does not begin at 0. */
static double begins_late(const World *world, const Constraint *constraint) {
  return node_of(world, constraint->expr).op == EXPR_MOD && constraint->in.lo > 0 ? 1 : 0;
}

static Measure measure_of(const World *world, const Map *map) {
  Measure measure = {};
  for (uint32_t i = 0; i < map->result_count; i++) {
    measure.parts[PART_WEIGHT] += weight_of(world, map->results[i]);
    add_sum(world, map->results[i], 0, false, &measure);
  }
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    measure.parts[PART_WEIGHT] += weight_of(world, map->constraints[i].expr);
    add_sum(world, map->constraints[i].expr, 0, true, &measure);
    measure.parts[PART_CONSTANTS] += constant_inside(world, map->constraints[i].expr);
    measure.parts[PART_ENDS] +=
        (double)map->constraints[i].in.hi - (double)map->constraints[i].in.lo;
    measure.parts[PART_LATE] += begins_late(world, &map->constraints[i]);
  }
  return measure;
}

static bool is_less(const Measure *a, const Measure *b) {
  for (uint32_t i = 0; i < PARTS; i++)
    if (a->parts[i] != b->parts[i]) return a->parts[i] < b->parts[i];
  return false;
}

static void report(World *world, const TraceStep *step, const char *what) {
  fprintf(stderr, "%s: %s\n  before %s\n  after  %s\n", what,
      step->rule == nullptr ? step->what : step->rule->name, print(world, step->map_before),
      print(world, step->map_after));
}

static int64_t draw(World *world, Interval bounds) {
  return random_between(&world->random, bounds.lo, bounds.hi);
}

static bool same_at_random_points(
    World *world, const Map *box, const Map *before, const Map *after) {
  int64_t values[3][16], a[8], b[8];
  for (uint32_t round = 0; round < 8; round++) {
    for (uint32_t i = 0; i < box->dim_count; i++) values[0][i] = draw(world, box->dims[i].bounds);
    for (uint32_t i = 0; i < box->range_count; i++)
      values[1][i] = draw(world, box->ranges[i].bounds);
    for (uint32_t i = 0; i < box->runtime_count; i++)
      values[2][i] = draw(world, box->runtimes[i].bounds);
    Point point = {values[0], values[1], values[2]};
    PointState first = map_evaluate(world->context, before, &point, a),
               second = map_evaluate(world->context, after, &point, b);
    if (first != second ||
        (first == POINT_INSIDE && memcmp(a, b, box->result_count * sizeof *a) != 0))
      return false;
  }
  return true;
}

/* What such a rule introduces is taken away again by the steps behind it. */
static bool decreases_later(const TraceStep *step) {
  const char *order = step->rule == nullptr ? nullptr : step->rule->order;
  return order != nullptr && (strcmp(order, "cancels") == 0 || strcmp(order, "lighter") == 0);
}

static size_t length_of(World *world, const Map *map) { return strlen(print(world, map)); }

static bool is_about_text(const TraceStep *step) {
  return step->rule != nullptr && step->rule->order != nullptr &&
         strncmp(step->rule->order, "text", 4) == 0;
}

/* The map before its text is shortened. */
static const Map *settled_map(const Trace *trace, const Map *result) {
  for (uint32_t i = 0; i < trace->count; i++)
    if (is_about_text(&trace->items[i])) return trace->items[i].map_before;
  return result;
}

/* The text is compared when it is written to the end: what a step puts inside is shortened
 * further. */
static bool decreases(World *world, const TraceStep *step, const Map *result, const Map *last) {
  if (is_about_text(step)) return length_of(world, last) < length_of(world, step->map_before);
  Measure before = measure_of(world, step->map_before),
          after = measure_of(world, decreases_later(step) ? result : step->map_after);
  return is_less(&after, &before);
}

static bool check_trace(World *world, const Map *map, uint64_t *steps) {
  Trace trace = {.arena = world->context->arena};
  const Map *result, *plain, *at = map;
  Error error = {};
  if (!simplify_map(world->simplifier, map, nullptr, &result, &trace, &error)) return true;
  assert_true(simplify_map(world->simplifier, map, nullptr, &plain, nullptr, &error));
  assert_string_equal(print(world, result), print(world, plain));
  for (uint32_t i = 0; i < trace.count; i++) {
    const TraceStep *step = &trace.items[i];
    ++*steps;
    if (!map_identical(world->context, at, step->map_before))
      return report(world, step, "a gap in the trace"), false;
    if (!same_at_random_points(world, map, step->map_before, step->map_after))
      return report(world, step, "not the same map"), false;
    if (step->rule != nullptr && !decreases(world, step, settled_map(&trace, result), result))
      return report(world, step, "no smaller"), false;
    if (step->rule == nullptr && strcmp(step->what, "written out") == 0)
      return report(world, step, "not explained"), false;
    at = step->map_after;
  }
  return map_identical(world->context, at, result);
}

static void examples_decrease(void **state) {
  (void)state;
  World world = open_world();
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

static void random_maps_decrease(void **state) {
  (void)state;
  const char *text = getenv("AFFIRM_ORDER_RUNS");
  uint64_t runs = text == nullptr ? 4000 : strtoull(text, nullptr, 10), steps = 0, failed = 0;
  World world = open_world();
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
    if (!good) fprintf(stderr, "  of     %s\n", print(&world, map));
    failed += !good;
    map_context_rewind(world.context, mark);
  }
  print_message("%llu steps\n", (unsigned long long)steps);
  assert_int_equal(failed, 0);
  close_world(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples_decrease), cmocka_unit_test(random_maps_decrease)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
