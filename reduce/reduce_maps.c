/* Edits of maps. The text is parsed, changed in one respect, printed and tried, so every candidate
 * is well-formed or rejected by the parser. A removed variable is replaced by the constant of its
 * lower or upper end. Maps that belong together (reduce.h) are changed together: alike ones in the
 * same result, variable, constraint or subexpression; in a chain, a result of the first is removed
 * with the dimension of the second. */
#include <assert.h>
#include <stdckdint.h>
#include <string.h>

#include "core/expr/visit.h"
#include "core/map/text.h"
#include "reduce/reducer.h"

static constexpr uint32_t most_nodes = 4096; /* of a map, that are tried */

typedef struct Maps {
  uint32_t count;
  Map *items[2];
} Maps;

static void *reduce_maps_copied(
    MapContext *context, const void *items, uint32_t count, size_t size) {
  return arena_grow(context->arena, items, count, count, size);
}

static Map *copy_map(MapContext *context, const Map *map) {
  Map *copy = ARENA_NEW(context->arena, Map, 1);
  *copy = *map;
  copy->dims = reduce_maps_copied(context, map->dims, map->dim_count, sizeof *map->dims);
  copy->ranges = reduce_maps_copied(context, map->ranges, map->range_count, sizeof *map->ranges);
  copy->runtimes =
      reduce_maps_copied(context, map->runtimes, map->runtime_count, sizeof *map->runtimes);
  copy->results =
      reduce_maps_copied(context, map->results, map->result_count, sizeof *map->results);
  copy->constraints = reduce_maps_copied(
      context, map->constraints, map->constraint_count, sizeof *map->constraints);
  return copy;
}

static Maps copy_maps(const Reducer *reducer, const Maps *maps) {
  Maps copy = {.count = maps->count};
  for (uint32_t m = 0; m < maps->count; m++)
    copy.items[m] = copy_map(reducer->context, maps->items[m]);
  return copy;
}

static bool reduce_maps_parse(const Reducer *reducer, const char *text, size_t length, Maps *maps) {
  Source source = {.name = "map",
      .text = arena_text(reducer->context->arena, text, length),
      .length = length,
      .first_line = 1};
  const Map *map;
  Error error = {};
  if (!map_parse(reducer->context, &source, &map, &error)) return false;
  maps->items[maps->count++] = copy_map(reducer->context, map);
  return true;
}

static bool load_text(const Reducer *reducer, const char *text, Maps *maps) {
  Source pair[2], whole = {.text = text, .length = strlen(text)};
  *maps = (Maps){};
  if (reducer->pair == PAIR_NONE || !map_cut_pair(reducer->arena, &whole, pair))
    return reduce_maps_parse(reducer, whole.text, whole.length, maps);
  return reduce_maps_parse(reducer, pair[0].text, pair[0].length, maps) &&
         reduce_maps_parse(reducer, pair[1].text, pair[1].length, maps);
}

static bool load(const Reducer *reducer, Maps *maps) {
  return load_text(reducer, reducer->text, maps);
}

static bool try_maps(Reducer *reducer, const Maps *maps) {
  ArenaMark mark = arena_mark(reducer->arena);
  Text text = text_create(reducer->arena);
  for (uint32_t m = 0; m < maps->count; m++) {
    if (m > 0) text_string(&text, " ; ");
    map_print(&text, reducer->context, maps->items[m], MAP_STYLE_LINE);
  }
  if (text_try(reducer, text.bytes)) return true;
  arena_rewind(reducer->arena, mark);
  return false;
}

/* Makes one edit of the parsed maps; returns false if there is nothing to edit. */
typedef bool EditMaps(Reducer *reducer, Maps *maps, uint32_t number);

/* Tries the edits from the last number down to 0, each on the last accepted text. */
static bool try_edits(Reducer *reducer, EditMaps *edit, uint32_t count) {
  bool helped = false;
  for (uint32_t i = count; i > 0 && !reduction_is_over(reducer->reduction); i--) {
    MapMark mark = map_context_mark(reducer->context);
    Maps maps;
    if (load(reducer, &maps) && edit(reducer, &maps, i - 1)) helped |= try_maps(reducer, &maps);
    map_context_rewind(reducer->context, mark);
  }
  return helped;
}

static uint32_t largest(const Reducer *reducer, uint32_t (*size)(const Map *map)) {
  MapMark mark = map_context_mark(reducer->context);
  Maps maps;
  uint32_t most = 0;
  if (load(reducer, &maps))
    for (uint32_t m = 0; m < maps.count; m++)
      if (size(maps.items[m]) > most) most = size(maps.items[m]);
  map_context_rewind(reducer->context, mark);
  return most;
}

static uint32_t result_count(const Map *map) { return map->result_count; }
static uint32_t constraint_count(const Map *map) { return map->constraint_count; }
static bool forget_result(Map *map, uint32_t at) {
  if (at >= map->result_count) return false;
  memmove(map->results + at, map->results + at + 1,
      (map->result_count - at - 1) * sizeof *map->results);
  map->result_count--;
  return true;
}

static bool forget_constraint(Map *map, uint32_t at) {
  if (at >= map->constraint_count) return false;
  memmove(map->constraints + at, map->constraints + at + 1,
      (map->constraint_count - at - 1) * sizeof *map->constraints);
  map->constraint_count--;
  return true;
}

static bool reduce_maps_substitute(const Reducer *reducer, Map *map, const Substitution *by) {
  Error error = {};
  MapContext *context = reducer->context;
  return expr_substitute(context->pool, context->arena, by, map->result_count, map->results,
             map->results, &error) &&
         constraints_substitute(
             context, by, map->constraint_count, map->constraints, map->constraints, &error);
}

/* Replaces a variable by the constant of one of its ends. Maps whose runtime variables have sources
 * keep their variables, because sources are maps over them. */
static bool forget_variable(const Reducer *reducer, Map *map, uint32_t number, bool to_hi) {
  Variable *lists[] = {map->dims, map->ranges, map->runtimes};
  uint32_t *counts[] = {&map->dim_count, &map->range_count, &map->runtime_count};
  uint32_t kind = 0;
  while (kind < 3 && number >= *counts[kind]) number -= *counts[kind++];
  if (kind == 3 || map->sources != nullptr) return false;
  ExprPool *pool = reducer->context->pool;
  Expr *by = ARENA_NEW(reducer->context->arena, Expr, *counts[kind]);
  const Interval bounds = lists[kind][number].bounds;
  for (uint32_t i = 0; i < *counts[kind]; i++)
    by[i] = i == number ? expr_const(pool, to_hi ? bounds.hi : bounds.lo)
                        : expr_var(pool, (VarKind)kind, i < number ? i : i - 1);
  const Substitution substitution = {.dims = kind == 0 ? by : nullptr,
      .ranges = kind == 1 ? by : nullptr,
      .runtimes = kind == 2 ? by : nullptr};
  memmove(lists[kind] + number, lists[kind] + number + 1,
      (*counts[kind] - number - 1) * sizeof **lists);
  --*counts[kind];
  return reduce_maps_substitute(reducer, map, &substitution);
}

static bool edit_drop_result(Reducer *reducer, Maps *maps, uint32_t number) {
  if (reducer->pair == PAIR_CHAIN) return forget_result(maps->items[1], number);
  bool dropped = true;
  for (uint32_t m = 0; m < maps->count; m++) dropped &= forget_result(maps->items[m], number);
  return dropped;
}

static bool edit_drop_link(Reducer *reducer, Maps *maps, uint32_t number) {
  return forget_result(maps->items[0], number) &&
         forget_variable(reducer, maps->items[1], number, false);
}

static bool has_constraint(const Map *map, const Constraint *wanted, uint32_t *at) {
  for (*at = 0; *at < map->constraint_count; ++*at)
    if (expr_same(map->constraints[*at].expr, wanted->expr)) return true;
  return false;
}

/* In a chain, the numbers alternate between the constraints of both maps. */
static bool edit_drop_constraint(Reducer *reducer, Maps *maps, uint32_t number) {
  if (reducer->pair == PAIR_CHAIN) return forget_constraint(maps->items[number % 2], number / 2);
  uint32_t at;
  if (number >= maps->items[0]->constraint_count) return false;
  if (maps->count > 1 &&
      (!has_constraint(maps->items[1], &maps->items[0]->constraints[number], &at) ||
          !forget_constraint(maps->items[1], at)))
    return false;
  return forget_constraint(maps->items[0], number);
}

static bool edit_drop_variable(Reducer *reducer, Maps *maps, uint32_t number) {
  bool to_hi = number % 2 == 0;
  uint32_t variable = number / 2;
  if (reducer->pair != PAIR_CHAIN) {
    bool dropped = true;
    for (uint32_t m = 0; m < maps->count; m++)
      dropped &= forget_variable(reducer, maps->items[m], variable, to_hi);
    return dropped;
  }
  bool first = variable % 2 == 0;
  if (!first && variable / 2 < maps->items[1]->dim_count) return false;
  return forget_variable(reducer, maps->items[first ? 0 : 1], variable / 2, to_hi);
}

static bool edit_forget_sources(Reducer *, Maps *maps, uint32_t) {
  bool had = false;
  for (uint32_t m = 0; m < maps->count; m++)
    had |= maps->items[m]->sources != nullptr, maps->items[m]->sources = nullptr;
  return had;
}

static bool edit_forget_names(Reducer *, Maps *maps, uint32_t) {
  for (uint32_t m = 0; m < maps->count; m++) {
    Map *map = maps->items[m];
    for (uint32_t i = 0; i < map->dim_count; i++) map->dims[i].name = nullptr;
    for (uint32_t i = 0; i < map->range_count; i++) map->ranges[i].name = nullptr;
    for (uint32_t i = 0; i < map->runtime_count; i++) map->runtimes[i].name = nullptr;
  }
  return true;
}

static bool pass_forget(Reducer *reducer) {
  bool sources = try_edits(reducer, edit_forget_sources, 1);
  return try_edits(reducer, edit_forget_names, 1) || sources;
}
static bool pass_results(Reducer *reducer) {
  return try_edits(reducer, edit_drop_result, largest(reducer, result_count));
}
static bool pass_links(Reducer *reducer) {
  return reducer->pair == PAIR_CHAIN &&
         try_edits(reducer, edit_drop_link, largest(reducer, result_count));
}
static bool pass_constraints(Reducer *reducer) {
  return try_edits(reducer, edit_drop_constraint, 2 * largest(reducer, constraint_count));
}
static bool pass_variables(Reducer *reducer) {
  return try_edits(reducer, edit_drop_variable, 4 * largest(reducer, map_variable_count));
}

static constexpr uint32_t halvings = 62;
static constexpr uint32_t way_count = 4 + 2 * halvings;

/* Narrows an interval: to small ones, moved to 0, or with its upper end lowered by half the width,
 * a quarter, and so on. An interval without 0 is also moved towards it by half of the lower end, a
 * quarter, and so on. Any width and any distance is reached in few steps. */
static bool reduce_maps_narrow(Interval *interval, uint32_t way) {
  const Interval was = *interval;
  int64_t width;
  if (was.lo > was.hi || ckd_sub(&width, was.hi, was.lo)) return false;
  if (way >= 4 + halvings) {
    int64_t step = was.lo / (INT64_C(1) << (way - 3 - halvings));
    *interval = (Interval){was.lo - step, was.hi - step};
    return step != 0 && (was.hi < 0 || was.lo > 0);
  }
  const Interval ways[] = {{0, 0}, {0, 1}, {was.lo, was.lo}, {0, width}};
  if (way < 4) *interval = ways[way];
  else interval->hi = was.hi - (width >> (way - 3));
  bool is_smaller = interval->hi - interval->lo < width ||
                    (interval->hi - interval->lo == width && was.lo != 0 && interval->lo == 0);
  return is_smaller;
}

static Interval *interval_of(Map *map, uint32_t number) {
  Variable *lists[] = {map->dims, map->ranges, map->runtimes};
  const uint32_t counts[] = {map->dim_count, map->range_count, map->runtime_count};
  for (uint32_t kind = 0; kind < 3; number -= counts[kind++])
    if (number < counts[kind]) return &lists[kind][number].bounds;
  return number < map->constraint_count ? &map->constraints[number].in : nullptr;
}

static bool edit_narrow(Reducer *reducer, Maps *maps, uint32_t number) {
  uint32_t way = way_count - 1 - number % way_count, at = number / way_count;
  if (reducer->pair == PAIR_CHAIN) {
    Interval *interval = interval_of(maps->items[at % 2], at / 2);
    return interval != nullptr && reduce_maps_narrow(interval, way);
  }
  Interval *first = interval_of(maps->items[0], at),
           *second = maps->count > 1 ? interval_of(maps->items[1], at) : nullptr;
  if (first == nullptr) return false;
  bool alike = second != nullptr && second->lo == first->lo && second->hi == first->hi;
  if (maps->count > 1 && !alike) return false;
  return reduce_maps_narrow(first, way) && (second == nullptr || reduce_maps_narrow(second, way));
}

static uint32_t interval_count(const Map *map) {
  return map_variable_count(map) + map->constraint_count;
}
/* With a smaller number, a negative upper end is larger, and pass_bounds would change it back: from
 * [-2, -2] to [-2, 0]. A negative lower end may leave no value: [-2, -17]. */
static bool is_worse(Interval was, Interval now) {
  return now.hi > was.hi || (now.lo > now.hi && was.lo <= was.hi);
}

static bool has_worse_interval(Reducer *reducer, const char *candidate) {
  MapMark mark = map_context_mark(reducer->context);
  Maps was, now;
  bool worse = false;
  if (load(reducer, &was) && load_text(reducer, candidate, &now)) {
    assert(was.count == now.count);
    for (uint32_t m = 0; m < was.count; m++)
      for (uint32_t i = 0; i < interval_count(was.items[m]); i++)
        worse |= is_worse(*interval_of(was.items[m], i), *interval_of(now.items[m], i));
  }
  map_context_rewind(reducer->context, mark);
  return worse;
}

static bool pass_bounds(Reducer *reducer) {
  return try_edits(reducer, edit_narrow, 2 * way_count * largest(reducer, interval_count));
}

/* Replaces `from` by `to` in the expression. Handle 0 if a divisor would become invalid. The
 * recursion depth is at most expr_max_depth. */
static Expr expr_replaced(ExprPool *pool, Expr expr, Expr from, Expr to) {
  if (expr_same(expr, from)) return to;
  const ExprNode node = *expr_node(pool, expr);
  if (node.op == EXPR_CONST || node.op == EXPR_VAR) return expr;
  Expr left = expr_replaced(pool, node.left, from, to),
       right = expr_replaced(pool, node.right, from, to);
  if (left.at == 0 || right.at == 0) return (Expr){};
  if (expr_same(left, node.left) && expr_same(right, node.right)) return expr;
  int64_t divisor;
  bool divides = node.op == EXPR_FLOORDIV || node.op == EXPR_CEILDIV || node.op == EXPR_MOD;
  if (divides && (!expr_is_const(pool, right, &divisor) || divisor <= 0)) return (Expr){};
  return expr_binary(pool, node.op, left, right);
}

static bool replace_in(ExprPool *pool, Expr *root, Expr from, Expr to, bool *changed) {
  Expr now = expr_replaced(pool, *root, from, to);
  *changed |= now.at != root->at;
  *root = now;
  return now.at != 0;
}

/* Replaces in all roots of all maps, or in root number `only`. */
static bool replace_everywhere(
    const Reducer *reducer, Maps *maps, Expr from, Expr to, uint32_t only) {
  bool changed = false, valid = true;
  for (uint32_t m = 0, number = 0; m < maps->count; m++) {
    Map *map = maps->items[m];
    for (uint32_t i = 0; i < map->result_count; i++, number++)
      if (only == UINT32_MAX || only == number)
        valid &= replace_in(reducer->context->pool, &map->results[i], from, to, &changed);
    for (uint32_t i = 0; i < map->constraint_count; i++, number++)
      if (only == UINT32_MAX || only == number)
        valid &= replace_in(reducer->context->pool, &map->constraints[i].expr, from, to, &changed);
  }
  return valid && changed;
}

typedef struct Nodes {
  uint32_t count;
  Expr items[most_nodes];
} Nodes;

static void reduce_maps_collect(const ExprPool *pool, Expr expr, Nodes *nodes) {
  for (uint32_t i = 0; i < nodes->count; i++)
    if (expr_same(nodes->items[i], expr)) return;
  if (nodes->count == most_nodes) return;
  nodes->items[nodes->count++] = expr;
  const ExprNode *node = expr_node(pool, expr);
  if (node->op == EXPR_CONST || node->op == EXPR_VAR) return;
  const Expr left = node->left, right = node->right;
  reduce_maps_collect(pool, left, nodes);
  reduce_maps_collect(pool, right, nodes);
}

static bool occurs_in(const MapContext *context, const Map *map, Expr wanted) {
  bool found = false;
  for (uint32_t i = 0; i < map->result_count; i++)
    found |= expr_contains(context->pool, context->arena, map->results[i], wanted);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    found |= expr_contains(context->pool, context->arena, map->constraints[i].expr, wanted);
  return found;
}

/* In alike maps, only expressions of both may change: an expression of only one is what they differ
 * in. */
static bool may_change(const Reducer *reducer, const Maps *maps, Expr expr) {
  if (reducer->pair != PAIR_ALIKE || maps->count < 2) return true;
  return occurs_in(reducer->context, maps->items[0], expr) &&
         occurs_in(reducer->context, maps->items[1], expr);
}

/* Simpler replacement `way` of four for the node; handle 0: none. */
static Expr reduce_maps_simpler(ExprPool *pool, Expr expr, uint32_t way) {
  const ExprNode node = *expr_node(pool, expr);
  bool leaf = node.op == EXPR_CONST || node.op == EXPR_VAR;
  if (way == 0) return node.op == EXPR_CONST && node.value == 0 ? (Expr){} : expr_const(pool, 0);
  if (way == 1)
    return node.op == EXPR_CONST && (node.value == 0 || node.value == 1) ? (Expr){}
                                                                         : expr_const(pool, 1);
  if (leaf) return (Expr){};
  return way == 2 ? node.left : node.right;
}

/* Tries every node, by its position in the list, with each of the four replacements. */
static bool try_nodes(Reducer *reducer, const Maps *maps, uint32_t only) {
  Nodes *nodes = ARENA_NEW(reducer->context->arena, Nodes, 1);
  for (uint32_t m = 0, number = 0; m < maps->count; m++) {
    const Map *map = maps->items[m];
    for (uint32_t i = 0; i < map->result_count; i++, number++)
      if (only == UINT32_MAX || only == number)
        reduce_maps_collect(reducer->context->pool, map->results[i], nodes);
    for (uint32_t i = 0; i < map->constraint_count; i++, number++)
      if (only == UINT32_MAX || only == number)
        reduce_maps_collect(reducer->context->pool, map->constraints[i].expr, nodes);
  }
  bool helped = false;
  for (uint32_t i = 0; i < 4 * nodes->count && !helped; i++) {
    MapMark mark = map_context_mark(reducer->context);
    Expr from = nodes->items[i / 4], to = reduce_maps_simpler(reducer->context->pool, from, i % 4);
    Maps candidate = copy_maps(reducer, maps);
    helped = to.at != 0 && may_change(reducer, maps, from) &&
             replace_everywhere(reducer, &candidate, from, to, only) &&
             try_maps(reducer, &candidate);
    map_context_rewind(reducer->context, mark);
  }
  return helped;
}

static uint32_t root_count(const Maps *maps) {
  uint32_t count = 0;
  for (uint32_t m = 0; m < maps->count; m++)
    count += maps->items[m]->result_count + maps->items[m]->constraint_count;
  return count;
}

static bool pass_expressions(Reducer *reducer) {
  MapMark mark = map_context_mark(reducer->context);
  Maps maps;
  bool helped = load(reducer, &maps) && try_nodes(reducer, &maps, UINT32_MAX);
  if (!helped && maps.count > 0 && reducer->pair != PAIR_ALIKE && root_count(&maps) > 1)
    for (uint32_t root = 0; root < root_count(&maps) && !helped; root++)
      helped = try_nodes(reducer, &maps, root);
  map_context_rewind(reducer->context, mark);
  return helped;
}

bool reduce_maps(Arena *arena, MapContext *context, Reduction *reduction, MapPair pair,
    const char *text, const char **smallest) {
  Reducer reducer = {.arena = arena,
      .reduction = reduction,
      .text = text,
      .context = context,
      .pair = pair,
      .is_worse = has_worse_interval};
  reduction->trials = 1;
  reduction->accepted = 0;
  *smallest = text;
  if (!reduction->still_shows(reduction->state, text, strlen(text))) return false;
  static Pass *const passes[] = {pass_forget, pass_results, pass_links, pass_constraints,
      pass_variables, pass_expressions, pass_bounds, pass_number_everywhere, pass_number_in_place};
  size_t count = sizeof passes / sizeof *passes;
  reducer_run(&reducer, passes, pair == PAIR_ALIKE ? count - 2 : count);
  assert(reducer.text != nullptr && reduction->accepted < reduction->trials);
  *smallest = reducer.text;
  reduction->is_cut = reduction_is_over(reduction);
  return true;
}
