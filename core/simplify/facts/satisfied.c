/* Range variables that no result uses, and that share no constraint with other kinds of variables:
 * their constraints only decide whether the map has points. Variables that constraints connect form
 * a component (union-find). One point within the bounds that satisfies a component's constraints is
 * enough to remove them; if all points were tried and none satisfies them, the map has no points.
 *
 * Keeps: the relation and the emptiness. A component remains if it has more points than can be
 * tried and no tried point satisfies it, or if its constraints leave int64. */
#include "core/simplify/facts/satisfied.h"

#include <assert.h>

#include "core/expr/visit.h"

/* Limit for one component: nodes of its constraints times points. */
static constexpr uint64_t budget = UINT64_C(1) << 16;
static constexpr uint32_t none = UINT32_MAX;

typedef enum Satisfiability : uint8_t { ANSWER_POINT, ANSWER_NO_POINT, ANSWER_OPEN } Satisfiability;

typedef struct Ties {
  MapContext *context;
  const Map *map;
  uint32_t *parent; /* [range_count] */
  bool *is_fixed;   /* of a root: the component is used elsewhere */
  uint32_t first;   /* first range variable of the constraint that is being walked */
  bool has_others;
} Ties;

/* ---- components ---- */

static uint32_t find_root(Ties *ties, uint32_t at) {
  while (ties->parent[at] != at) at = ties->parent[at] = ties->parent[ties->parent[at]];
  return at;
}

static void unite(Ties *ties, uint32_t a, uint32_t b) {
  uint32_t x = find_root(ties, a), y = find_root(ties, b);
  assert(ties->parent[x] == x && ties->parent[y] == y);
  ties->parent[y] = x;
  ties->is_fixed[x] |= ties->is_fixed[y];
}

static bool fix_node(void *state, Expr, ExprNode node) {
  Ties *ties = state;
  if (node.op == EXPR_VAR && node.var_kind == VAR_RANGE)
    ties->is_fixed[find_root(ties, node.var_index)] = true;
  return false;
}

static bool tie_node(void *state, Expr, ExprNode node) {
  Ties *ties = state;
  if (node.op != EXPR_VAR) return false;
  if (node.var_kind != VAR_RANGE) ties->has_others = true;
  else if (ties->first == none) ties->first = node.var_index;
  else unite(ties, ties->first, node.var_index);
  return false;
}

static void fix_all(Ties *ties, uint32_t count, const Expr *exprs) {
  Memo seen = memo_create(ties->context->arena);
  for (uint32_t i = 0; i < count; i++)
    (void)expr_any(ties->context->pool, &seen, exprs[i], fix_node, ties);
}

/* For each constraint, one of its range variables; `none` if it has none. */
static uint32_t *tie_all(Ties *ties) {
  const Map *map = ties->map;
  uint32_t *firsts = ARENA_NEW(ties->context->arena, uint32_t, map->constraint_count);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    Memo seen = memo_create(ties->context->arena);
    ties->first = none;
    ties->has_others = false;
    (void)expr_any(ties->context->pool, &seen, map->constraints[i].expr, tie_node, ties);
    firsts[i] = ties->first;
    if (ties->has_others && ties->first != none)
      ties->is_fixed[find_root(ties, ties->first)] = true;
  }
  return firsts;
}

/* ---- one component ---- */

typedef struct Component {
  const Map *map;
  uint32_t variable_count, constraint_count;
  uint32_t *variables;
  const Constraint **constraints;
  int64_t *values; /* of all range variables */
} Component;

static Satisfiability try_point(const MapContext *context, const Component *component) {
  Point point = {.ranges = component->values};
  for (uint32_t i = 0; i < component->constraint_count; i++) {
    const Constraint *one = component->constraints[i];
    int64_t value;
    if (!expr_evaluate(context->pool, one->expr, &point, &value)) return ANSWER_OPEN;
    if (value < one->in.lo || value > one->in.hi) return ANSWER_NO_POINT;
  }
  return ANSWER_POINT;
}

static bool advance(const Component *component) {
  for (uint32_t i = component->variable_count; i-- > 0;) {
    uint32_t at = component->variables[i];
    assert(at < component->map->range_count);
    if (component->values[at] < component->map->ranges[at].bounds.hi) {
      component->values[at]++;
      return true;
    }
    component->values[at] = component->map->ranges[at].bounds.lo;
  }
  return false;
}

static Satisfiability satisfied_search(const MapContext *context, const Component *component) {
  uint64_t cost = 0;
  for (uint32_t i = 0; i < component->constraint_count; i++)
    cost += expr_tree_size(context->pool, component->constraints[i]->expr);
  for (uint64_t spent = 0; spent <= budget; spent += cost) {
    Satisfiability answer = try_point(context, component);
    if (answer != ANSWER_NO_POINT) return answer;
    if (!advance(component)) return ANSWER_NO_POINT;
  }
  return ANSWER_OPEN;
}

/* ---- all components ---- */

static bool is_free(Ties *ties, uint32_t first) {
  return first != none && !ties->is_fixed[find_root(ties, first)];
}

/* The component's constraints and variables. Its members are linked from its root, so that all
 * components together need one pass. */
static Component component_of(Ties *ties, uint32_t root, const uint32_t *next_variable,
    const uint32_t *next_constraint, uint32_t first_constraint, int64_t *values) {
  Component component = {.map = ties->map, .values = values};
  for (uint32_t at = root; at != none; at = next_variable[at]) component.variable_count++;
  for (uint32_t at = first_constraint; at != none; at = next_constraint[at])
    component.constraint_count++;
  component.variables = ARENA_NEW(ties->context->arena, uint32_t, component.variable_count);
  component.constraints =
      ARENA_NEW(ties->context->arena, const Constraint *, component.constraint_count);
  uint32_t count = 0;
  for (uint32_t at = root; at != none; at = next_variable[at]) component.variables[count++] = at;
  assert(count == component.variable_count && count > 0);
  count = 0;
  for (uint32_t at = first_constraint; at != none; at = next_constraint[at])
    component.constraints[count++] = &ties->map->constraints[at];
  return component;
}

static Satisfiability *decide_all(Ties *ties, const uint32_t *firsts) {
  const Map *map = ties->map;
  Arena *arena = ties->context->arena;
  Satisfiability *answers = ARENA_NEW(arena, Satisfiability, map->range_count);
  uint32_t *next_variable = ARENA_NEW(arena, uint32_t, map->range_count),
           *next_constraint = ARENA_NEW(arena, uint32_t, map->constraint_count);
  uint32_t *constraints = ARENA_NEW(arena, uint32_t, map->range_count);
  int64_t *values = ARENA_NEW(arena, int64_t, map->range_count);
  for (uint32_t i = 0; i < map->range_count; i++) {
    next_variable[i] = constraints[i] = none;
    values[i] = map->ranges[i].bounds.lo;
    answers[i] = ANSWER_OPEN;
  }
  for (uint32_t i = 0; i < map->range_count; i++) {
    uint32_t root = find_root(ties, i);
    if (root == i) continue;
    next_variable[i] = next_variable[root];
    next_variable[root] = i;
  }
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    if (!is_free(ties, firsts[i])) continue;
    uint32_t root = find_root(ties, firsts[i]);
    assert(root < map->range_count);
    next_constraint[i] = constraints[root];
    constraints[root] = i;
  }
  for (uint32_t root = 0; root < map->range_count; root++) {
    if (constraints[root] == none) continue;
    Component component =
        component_of(ties, root, next_variable, next_constraint, constraints[root], values);
    answers[root] = satisfied_search(ties->context, &component);
  }
  return answers;
}

static const Map *without(Ties *ties, const uint32_t *firsts, const Satisfiability *answers) {
  const Map *map = ties->map;
  Map *kept = ARENA_NEW(ties->context->arena, Map, 1);
  *kept = *map;
  kept->constraint_count = 0;
  kept->constraints = ARENA_NEW(ties->context->arena, Constraint, map->constraint_count);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    Satisfiability answer =
        is_free(ties, firsts[i]) ? answers[find_root(ties, firsts[i])] : ANSWER_OPEN;
    if (answer == ANSWER_NO_POINT) return map_known_empty(ties->context);
    if (answer == ANSWER_OPEN) kept->constraints[kept->constraint_count++] = map->constraints[i];
  }
  assert(map_is_whole(ties->context, kept));
  return kept->constraint_count == map->constraint_count ? map : kept;
}

const Map *map_drop_satisfied(MapContext *context, const Map *map) {
  if (map->state != MAP_PLAIN || map->range_count == 0 || map->constraint_count == 0) return map;
  Ties ties = {.context = context, .map = map};
  ties.parent = ARENA_NEW(context->arena, uint32_t, map->range_count);
  ties.is_fixed = ARENA_NEW(context->arena, bool, map->range_count);
  for (uint32_t i = 0; i < map->range_count; i++) {
    if (map->ranges[i].bounds.lo > map->ranges[i].bounds.hi) return map_known_empty(context);
    ties.parent[i] = i;
  }
  fix_all(&ties, map->result_count, map->results);
  for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++)
    if (map->sources[i].index != nullptr && map_index_is_over(map->sources[i].index, map))
      fix_all(&ties, map->sources[i].index->result_count, map->sources[i].index->results);
  const uint32_t *firsts = tie_all(&ties);
  return without(&ties, firsts, decide_all(&ties, firsts));
}
