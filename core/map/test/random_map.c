/* Maps within limits from choices. Tests draw the choices at random (core/base/choices.h): the same
 * seed produces the same maps everywhere. */
#include "core/map/test/random_map.h"

#include "core/base/choices.h"
#include "core/base/edges.h"

/* A quarter of the constants are edges. Each constant is >= `lo`, and lo <= 1. */
static int64_t random_constant(Choices *choices, const RandomMaps *limits, int64_t lo) {
  if (choose(choices, 4) == 0) {
    int64_t edge = edge_integer(choose(choices, edge_count));
    while (edge < lo) edge = edge_integer(choose(choices, edge_count));
    return edge;
  }
  return choose_between(choices, lo > -limits->max_coefficient ? lo : -limits->max_coefficient,
      limits->max_coefficient);
}

static Expr random_leaf(
    MapContext *context, Choices *choices, const RandomMaps *limits, const Map *box) {
  uint32_t variables = map_variable_count(box);
  int64_t at = choose_between(choices, -1, (int64_t)variables);
  if (at < 0 || at == variables)
    return expr_const(context->pool, random_constant(choices, limits, INT64_MIN));
  VariableId id = map_variable_id(box, (uint32_t)at);
  return expr_var(context->pool, id.kind, id.index);
}

static Expr random_tree(MapContext *context, Choices *choices, const RandomMaps *limits,
    const Map *box, uint32_t depth) {
  if (depth == 0 || choose(choices, 6) == 0) return random_leaf(context, choices, limits, box);
  ExprOp op = (ExprOp)choose_between(choices, EXPR_ADD, EXPR_MAX);
  Expr left = random_tree(context, choices, limits, box, depth - 1), right;
  bool divides = op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD;
  if (divides || (op == EXPR_MUL && choose(choices, 8) != 0))
    right = expr_const(context->pool, random_constant(choices, limits, divides ? 1 : INT64_MIN));
  else right = random_tree(context, choices, limits, box, depth - 1);
  return expr_binary(context->pool, op, left, right);
}

static void random_bounds(
    Choices *choices, int64_t most, VarKind kind, uint32_t count, Variable *variables) {
  for (uint32_t i = 0; i < count; i++) {
    int64_t lo = choose(choices, 4) == 0 ? choose_between(choices, -most, most) : 0;
    variables[i].bounds = (Interval){lo, choose_between(choices, lo, most)};
    bool is_named = choose(choices, 16) == 0;
    variables[i].name = i == 0 && kind == VAR_DIM && is_named ? "th_x" : nullptr;
  }
}

static Map *random_draft(MapContext *context, Choices *choices, const RandomMaps *limits) {
  uint32_t all = (uint32_t)choose_between(choices, 0, limits->max_variables);
  uint32_t dims = (uint32_t)choose_between(choices, 0, all);
  uint32_t ranges = (uint32_t)choose_between(choices, 0, all - dims);
  uint32_t results = (uint32_t)choose_between(choices, 0, limits->max_results);
  uint32_t constraints = (uint32_t)choose_between(choices, 0, limits->max_constraints);
  Map *map = map_create(context, dims, ranges, all - dims - ranges, results, constraints);
  random_bounds(choices, limits->max_bound, VAR_DIM, dims, map->dims);
  random_bounds(choices, limits->max_bound, VAR_RANGE, ranges, map->ranges);
  random_bounds(choices, limits->max_bound, VAR_RUNTIME, map->runtime_count, map->runtimes);
  for (uint32_t i = 0; i < results; i++)
    map->results[i] = random_tree(context, choices, limits, map, limits->max_depth);
  for (uint32_t i = 0; i < constraints; i++) {
    int64_t lo = choose_between(choices, -limits->max_bound, limits->max_bound);
    map->constraints[i].expr = random_tree(context, choices, limits, map, limits->max_depth / 2);
    map->constraints[i].in = (Interval){lo, choose_between(choices, lo, limits->max_bound)};
  }
  return map;
}

uint64_t random_next(RandomMaps *random) { return random_word(&random->state); }

int64_t random_between(RandomMaps *random, int64_t lo, int64_t hi) {
  assert(lo <= hi);
  uint64_t span = (uint64_t)hi - (uint64_t)lo + 1, word = random_next(random);
  return (int64_t)((uint64_t)lo + (span == 0 ? word : word % span));
}

Expr random_expr(MapContext *context, RandomMaps *random, const Map *box, uint32_t depth) {
  RandomChoices choices = choices_of_seed(random->state);
  Expr made = random_tree(context, &choices.choices, random, box, depth);
  random->state = choices.state;
  return made;
}

const Map *random_map(MapContext *context, RandomMaps *random) {
  RandomChoices choices = choices_of_seed(random->state);
  const Map *made = nullptr;
  while (made == nullptr) {
    MapMark mark = map_context_mark(context);
    Map *map = random_draft(context, &choices.choices, random);
    Error error = {};
    if (map_check(context, map, &error)) made = map;
    else map_context_rewind(context, mark);
  }
  random->state = choices.state;
  return made;
}
