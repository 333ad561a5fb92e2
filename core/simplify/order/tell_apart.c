/* Points at which one variable moves and the others rest, as many at a time as there are lanes.
 * In the first round variables move from the lower end of their bounds to the upper one; then from
 * a place that lies in the domain, if one of max_lanes places does: to the next place, or from an
 * end or the middle to the other end. The place where a variable rests goes by its group, so that
 * what was told apart helps to tell others.
 * Keeps: only bounds, groups, and the values at points of the domain are looked at.
 * Recursion is as deep as the expressions, at most expr_max_depth. */
#include "core/simplify/order/tell_apart.h"

#include <assert.h>

#include "core/base/checked.h"
#include "core/base/hash.h"
#include "core/expr/memo.h"

static constexpr uint32_t max_lanes = 16, rounds = 6,
                          few_rounds = 2; /* further ones where the last has told any apart */

/* One point for each variable that is not told apart yet: that variable moved, the others at
 * rest. */
typedef struct Lanes {
  Simplifier *simplifier;
  Entry *entries;
  uint32_t entry_count, count;
  uint32_t unsettled; /* neighbours that are not told apart */
  uint32_t outside;   /* bit i: lane i lies outside the domain */
  uint32_t seen;      /* bit i: the variable of lane i occurs */
  int64_t *rest[variable_kinds], *moved[variable_kinds];
  uint32_t *lane_of[variable_kinds];
  const Entry **entry_of[variable_kinds];
  bool is_search; /* lanes are places where all may rest */
  uint32_t round;
  bool is_large;
  Memo *memo; /* of large expressions */
  uint32_t value_count, value_capacity;
  int64_t *values; /* of remembered nodes, by lane */
} Lanes;

static constexpr uint32_t no_lane = UINT32_MAX;

/* ---- values ---- */

static int64_t position(const Entry *entry, uint64_t fraction) {
  unsigned _BitInt(128) scaled =
      (unsigned _BitInt(128))fraction * ((unsigned _BitInt(128))entry->width + 1);
  return (int64_t)((uint64_t)entry->bounds.lo + (uint64_t)(scaled >> 64));
}

/* Another place for each group, so that what was told apart helps to tell others. */
static uint64_t own_fraction(const Entry *entry, uint64_t salt) {
  return hash_mix(hash_mix(hash_mix(salt, entry->group), (uint64_t)entry->bounds.lo), entry->width);
}

static bool is_at_ends(uint32_t round) { return round % 2 == 0; }

/* The places tried: each variable at its own; or all alike, which satisfies constraints on
 * differences; or each at an end or in the middle, where constraints end. */
static int64_t resting(const Entry *entry, uint32_t round, uint32_t choice) {
  static const uint64_t ends[] = {0, UINT64_C(1) << 63, UINT64_MAX};
  uint64_t salt = hash_mix(round, choice), own = own_fraction(entry, salt);
  return position(entry, is_at_ends(round) ? ends[(own >> 32) % 3] : choice % 2 == 0 ? own : salt);
}

/* From an end to the other one, or to the next place. */
static int64_t moving(const Entry *entry, uint32_t round, int64_t rest) {
  int64_t moved = !is_at_ends(round)         ? rest
                  : rest == entry->bounds.hi ? entry->bounds.lo
                                             : entry->bounds.hi;
  return moved != rest ? moved : rest < entry->bounds.hi ? rest + 1 : entry->bounds.lo;
}

/* From the lower end; then from the place that was chosen. */
static void place_variables(Lanes *lanes, uint32_t choice) {
  for (uint32_t i = 0; i < lanes->entry_count; i++) {
    const Entry *entry = &lanes->entries[i];
    int64_t rest = lanes->round == 0 ? entry->bounds.lo : resting(entry, lanes->round, choice);
    lanes->rest[entry->kind][entry->index] = rest;
    lanes->moved[entry->kind][entry->index] = moving(entry, lanes->round, rest);
    lanes->lane_of[entry->kind][entry->index] = entry->lane;
  }
}

static void set_variable(Lanes *lanes, const ExprNode *node, int64_t *values) {
  if (lanes->is_search) {
    const Entry *entry = lanes->entry_of[node->var_kind][node->var_index];
    for (uint32_t i = 0; i < lanes->count; i++) values[i] = resting(entry, lanes->round, i);
    return;
  }
  int64_t rest = lanes->rest[node->var_kind][node->var_index];
  uint32_t lane = lanes->lane_of[node->var_kind][node->var_index];
  for (uint32_t i = 0; i < lanes->count; i++) values[i] = rest;
  if (lane == no_lane) return;
  values[lane] = lanes->moved[node->var_kind][node->var_index];
  lanes->seen |= 1u << lane;
}

static bool apply(ExprOp op, int64_t left, int64_t right, int64_t *value) {
  switch (op) {
    case EXPR_ADD: return add64(left, right, value);
    case EXPR_MUL: return mul64(left, right, value);
    case EXPR_FLOORDIV: *value = floordiv64(left, right); return true;
    case EXPR_CEILDIV: *value = ceildiv64(left, right); return true;
    case EXPR_MOD: *value = mod64(left, right); return true;
    case EXPR_MIN: *value = min64(left, right); return true;
    case EXPR_MAX: *value = max64(left, right); return true;
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  assert(false);
  return false;
}

static void evaluate(Lanes *lanes, Expr expr, int64_t *values);

static void evaluate_operator(Lanes *lanes, const ExprNode *node, int64_t *values) {
  int64_t right[max_lanes];
  evaluate(lanes, node->left, values);
  evaluate(lanes, node->right, right);
  for (uint32_t i = 0; i < lanes->count; i++)
    if (!apply(node->op, values[i], right[i], &values[i])) values[i] = 0;
}

static bool recall(const Lanes *lanes, Expr expr, int64_t *values) {
  uint32_t at;
  if (lanes->memo == nullptr || !memo_find(lanes->memo, expr, &at)) return false;
  for (uint32_t i = 0; i < lanes->count; i++) values[i] = lanes->values[at + i];
  return true;
}

static void remember(Lanes *lanes, Expr expr, const int64_t *values) {
  if (lanes->memo == nullptr) return;
  if (lanes->value_count + lanes->count > lanes->value_capacity) {
    uint32_t capacity = 2 * lanes->value_capacity + 64 * max_lanes;
    lanes->values = arena_grow(lanes->simplifier->context->arena, lanes->values,
        lanes->value_capacity, capacity, sizeof *lanes->values);
    lanes->value_capacity = capacity;
  }
  memo_insert(lanes->memo, expr, lanes->value_count);
  for (uint32_t i = 0; i < lanes->count; i++) lanes->values[lanes->value_count++] = values[i];
}

static void evaluate(Lanes *lanes, Expr expr, int64_t *values) {
  const ExprNode *node = expr_node(lanes->simplifier->context->pool, expr);
  if (node->op == EXPR_VAR) {
    set_variable(lanes, node, values);
  } else if (node->op == EXPR_CONST) {
    for (uint32_t i = 0; i < lanes->count; i++) values[i] = node->value;
  } else if (!recall(lanes, expr, values)) {
    evaluate_operator(lanes, node, values);
    remember(lanes, expr, values);
  }
}

/* ---- telling variables apart ---- */

/* Sorts each group by a value of its lanes, the greatest first, and splits it. */
static void split_groups(Lanes *lanes, const int64_t *values) {
  Entry *entries = lanes->entries;
  uint32_t count = lanes->entry_count;
  for (uint32_t i = 1; i < count; i++) {
    Entry one = entries[i];
    uint32_t at = i;
    if (one.lane == no_lane) continue;
    for (; at > 0 && entries[at - 1].group == one.group &&
           values[entries[at - 1].lane] < values[one.lane];
        at--)
      entries[at] = entries[at - 1];
    entries[at] = one;
  }
  lanes->unsettled = 0;
  for (uint32_t i = 1, old = count == 0 ? 0 : entries[0].group; i < count; i++) {
    uint32_t before = old;
    old = entries[i].group;
    bool shared = entries[i].lane != no_lane && old == before;
    if (!shared) continue;
    bool same = values[entries[i].lane] == values[entries[i - 1].lane];
    entries[i].group = same ? entries[i - 1].group : i;
    lanes->unsettled += same;
  }
}

/* As a constraint it becomes bounds, and occurs no more. */
static bool is_variable(const Lanes *lanes, Expr expr) {
  return expr_node(lanes->simplifier->context->pool, expr)->op == EXPR_VAR;
}

/* By lane, whether the point lies in the domain. */
static void find_inside(Lanes *lanes, const Map *map, int64_t *inside) {
  int64_t values[max_lanes];
  for (uint32_t lane = 0; lane < lanes->count; lane++) inside[lane] = 1;
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    Interval in = map->constraints[i].in;
    uint32_t seen = lanes->seen;
    evaluate(lanes, map->constraints[i].expr, values);
    if (is_variable(lanes, map->constraints[i].expr)) lanes->seen = seen;
    for (uint32_t lane = 0; lane < lanes->count; lane++)
      inside[lane] &= in.lo <= values[lane] && values[lane] <= in.hi;
  }
}

/* Points of the domain come first. */
static void run_constraints(Lanes *lanes, const Map *map) {
  int64_t inside[max_lanes];
  if (map->constraint_count == 0) return;
  find_inside(lanes, map, inside);
  for (uint32_t lane = 0; lane < lanes->count; lane++)
    lanes->outside |= (inside[lane] == 0 ? 1u : 0u) << lane;
  split_groups(lanes, inside);
}

/* Outside the domain nothing is known of results. */
static void run_results(Lanes *lanes, const Map *map) {
  int64_t values[max_lanes];
  for (uint32_t i = 0; i < map->result_count && lanes->unsettled > 0; i++) {
    evaluate(lanes, map->results[i], values);
    for (uint32_t lane = 0; lane < lanes->count; lane++)
      if ((lanes->outside >> lane & 1) != 0) values[lane] = 0;
    split_groups(lanes, values);
  }
}

static bool is_alone(const Entry *entries, uint32_t count, uint32_t i) {
  return (i == 0 || entries[i - 1].group != entries[i].group) &&
         (i + 1 == count || entries[i + 1].group != entries[i].group);
}

/* Of those that are not told apart, whether any occurs: the others never will be. */
static bool find_absent(Lanes *lanes) {
  bool any = false;
  for (uint32_t i = 0; i < lanes->entry_count; i++) {
    Entry *entry = &lanes->entries[i];
    if (entry->lane == no_lane || is_alone(lanes->entries, lanes->entry_count, i)) continue;
    entry->is_absent = (lanes->seen >> entry->lane & 1) == 0;
    any |= !entry->is_absent;
  }
  return any;
}

/* False when all are told apart, or too many are not. */
static bool assign_lanes(Lanes *lanes) {
  lanes->count = 0;
  for (uint32_t i = 0; i < lanes->entry_count; i++) {
    Entry *entry = &lanes->entries[i];
    entry->lane = no_lane;
    if (entry->width == 0 || is_alone(lanes->entries, lanes->entry_count, i)) continue;
    if (lanes->count == max_lanes) return false;
    entry->lane = lanes->count++;
  }
  lanes->unsettled = lanes->count;
  return lanes->count > 0;
}

static bool is_large(const ExprPool *pool, const Map *map) {
  static constexpr uint32_t small_tree = 1u << 10;
  uint64_t size = 0;
  for (uint32_t i = 0; i < map->result_count; i++) size += expr_tree_size(pool, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    size += expr_tree_size(pool, map->constraints[i].expr);
  return size > small_tree;
}

/* Forgets values, and remembers those of large expressions from here. */
static void open_values(Lanes *lanes, Memo *memo) {
  if (lanes->is_large) *memo = memo_create(lanes->simplifier->context->arena);
  lanes->memo = lanes->is_large ? memo : nullptr;
  lanes->value_count = lanes->value_capacity = 0;
}

/* Where all rest: the first of some places that lies in the domain, or the first. */
static uint32_t search(Lanes *lanes, const Map *map) {
  int64_t inside[max_lanes];
  Memo memo = {};
  uint32_t count = lanes->count, choice = 0;
  if (lanes->round == 0 || map->constraint_count == 0) return 0;
  for (uint32_t i = 0; i < lanes->entry_count; i++)
    lanes->entry_of[lanes->entries[i].kind][lanes->entries[i].index] = &lanes->entries[i];
  open_values(lanes, &memo);
  lanes->is_search = true;
  lanes->count = max_lanes;
  find_inside(lanes, map, inside);
  lanes->is_search = false;
  lanes->count = count;
  while (choice < max_lanes && inside[choice] == 0) choice++;
  return choice < max_lanes ? choice : 0;
}

static void run_round(Lanes *lanes, const Map *map, uint32_t round) {
  Arena *arena = lanes->simplifier->context->arena;
  ArenaMark mark = arena_mark(arena);
  Memo memo = {};
  lanes->round = round;
  place_variables(lanes, search(lanes, map));
  open_values(lanes, &memo);
  lanes->outside = lanes->seen = 0;
  run_constraints(lanes, map);
  run_results(lanes, map);
  arena_rewind(arena, mark);
}

/* Variables of one value cannot move. */
static bool has_equal_points(const Entry *entries, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (entries[i].width == 0 && !is_alone(entries, count, i)) return true;
  return false;
}

bool tell_apart(Simplifier *simplifier, const Map *map, Entry *entries, uint32_t count) {
  Lanes lanes = {.simplifier = simplifier, .entries = entries, .entry_count = count};
  bool all = !has_equal_points(entries, count);
  if (!assign_lanes(&lanes)) return all && lanes.count == 0;
  for (uint32_t kind = 0; kind < variable_kinds; kind++) {
    uint32_t variables = simplifier->variable_count[kind];
    lanes.rest[kind] = BUMP_NEW(&simplifier->normal.temp, int64_t, variables);
    lanes.moved[kind] = BUMP_NEW(&simplifier->normal.temp, int64_t, variables);
    lanes.lane_of[kind] = BUMP_NEW(&simplifier->normal.temp, uint32_t, variables);
    lanes.entry_of[kind] = BUMP_NEW(&simplifier->normal.temp, const Entry *, variables);
  }
  lanes.is_large = is_large(simplifier->context->pool, map);
  uint32_t unsettled = UINT32_MAX;
  for (uint32_t round = 0; round < rounds; round++) {
    run_round(&lanes, map, round);
    if (lanes.unsettled == 0) return all;
    if (!find_absent(&lanes) || (round >= few_rounds && lanes.unsettled == unsettled) ||
        !assign_lanes(&lanes))
      break;
    unsettled = lanes.unsettled;
  }
  return false;
}
