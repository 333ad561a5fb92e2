/* The order of variables in which a map is simplified: one that stays with the variables when they are numbered otherwise. Where two
 * rewrites exclude each other the order decides, so what is chosen does not depend on the numbering either.
 * Variables of a kind are ranked by their bounds, the wide ones first; those with equal bounds by what the map does when one of
 * them moves: whether the point lies in the domain, then the results, the greater ones first. Only then by number.
 * Keeps: ranks look at bounds and at values, never at how the map is written, so that a simplified map has the ranks of the map that it
 * came from. Points are chosen by bounds alone. Variables that move every result alike at all points tried are left in the order of
 * their numbers (which is ambiguous), and so are more than max_lanes variables that share bounds.
 * Recursion is as deep as the expressions, at most expr_max_depth. */
#include <assert.h>
#include <stdlib.h>

#include "core/base/checked.h"
#include "core/base/hash.h"
#include "core/expr/memo.h"
#include "core/simplify/engine.h"

static constexpr uint32_t max_lanes = 16, rounds = 3;

typedef struct Entry {
  Interval bounds;
  uint64_t width;
  VarKind kind;
  uint32_t index;
  uint32_t group; /* equal for those that nothing tells apart: the place of the first of them */
  uint32_t lane;
} Entry;

/* One point for each variable that is not told apart yet: that variable moved, the others at rest. */
typedef struct Lanes {
  Simplifier *simplifier;
  Entry *entries;
  uint32_t entry_count, count;
  uint32_t unsettled;     /* neighbours that are not told apart */
  uint32_t outside;       /* bit i: lane i lies outside the domain */
  int64_t *rest[variable_kinds], *moved[variable_kinds];
  uint32_t *lane_of[variable_kinds];
  Memo *memo;             /* of large expressions */
  uint32_t value_count, value_capacity;
  int64_t *values;        /* of remembered nodes, by lane */
} Lanes;

static constexpr uint32_t no_lane = UINT32_MAX;

/* ---- values ---- */

static int64_t position(const Entry *entry, uint64_t salt) {
  uint64_t step = hash_mix(hash_mix(salt, (uint64_t)entry->bounds.lo), entry->width);
  unsigned _BitInt(128) scaled = (unsigned _BitInt(128))step * ((unsigned _BitInt(128))entry->width + 1);
  return (int64_t)((uint64_t)entry->bounds.lo + (uint64_t)(scaled >> 64));
}

/* From the lower end to the upper one; then between places in between. */
static void place(const Entry *entry, uint32_t round, int64_t *rest, int64_t *moved) {
  *rest = round == 0 ? entry->bounds.lo : position(entry, 2 * (uint64_t)round);
  *moved = round == 0 ? entry->bounds.hi : position(entry, 2 * (uint64_t)round + 1);
  if (*moved == *rest) *moved = *rest < entry->bounds.hi ? *rest + 1 : entry->bounds.lo;
}

static void place_variables(Lanes *lanes, uint32_t round) {
  for (uint32_t i = 0; i < lanes->entry_count; i++) {
    const Entry *entry = &lanes->entries[i];
    place(entry, round, &lanes->rest[entry->kind][entry->index], &lanes->moved[entry->kind][entry->index]);
    lanes->lane_of[entry->kind][entry->index] = entry->lane;
  }
}

static void set_variable(const Lanes *lanes, const ExprNode *node, int64_t *values) {
  int64_t rest = lanes->rest[node->var_kind][node->var_index];
  uint32_t lane = lanes->lane_of[node->var_kind][node->var_index];
  for (uint32_t i = 0; i < lanes->count; i++) values[i] = rest;
  if (lane != no_lane) values[lane] = lanes->moved[node->var_kind][node->var_index];
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
    lanes->values = arena_grow(lanes->simplifier->context->arena, lanes->values, lanes->value_capacity, capacity, sizeof *lanes->values);
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
    for (; at > 0 && entries[at - 1].group == one.group && values[entries[at - 1].lane] < values[one.lane]; at--) entries[at] = entries[at - 1];
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

/* Points of the domain come first. */
static void run_constraints(Lanes *lanes, const Map *map) {
  int64_t values[max_lanes], inside[max_lanes];
  if (map->constraint_count == 0) return;
  for (uint32_t lane = 0; lane < lanes->count; lane++) inside[lane] = 1;
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    Interval in = map->constraints[i].in;
    evaluate(lanes, map->constraints[i].expr, values);
    for (uint32_t lane = 0; lane < lanes->count; lane++) inside[lane] &= in.lo <= values[lane] && values[lane] <= in.hi;
  }
  for (uint32_t lane = 0; lane < lanes->count; lane++) lanes->outside |= (inside[lane] == 0 ? 1u : 0u) << lane;
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
  return (i == 0 || entries[i - 1].group != entries[i].group) && (i + 1 == count || entries[i + 1].group != entries[i].group);
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
  for (uint32_t i = 0; i < map->constraint_count; i++) size += expr_tree_size(pool, map->constraints[i].expr);
  return size > small_tree;
}

static void run_round(Lanes *lanes, const Map *map, uint32_t round) {
  Arena *arena = lanes->simplifier->context->arena;
  ArenaMark mark = arena_mark(arena);
  Memo memo = {};
  bool large = is_large(lanes->simplifier->context->pool, map);
  if (large) memo = memo_create(arena);
  lanes->memo = large ? &memo : nullptr;
  lanes->outside = lanes->value_count = lanes->value_capacity = 0;
  place_variables(lanes, round);
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

/* False where some are not told apart. */
static bool tell_apart(Simplifier *simplifier, const Map *map, Entry *entries, uint32_t count) {
  Lanes lanes = {.simplifier = simplifier, .entries = entries, .entry_count = count};
  bool all = !has_equal_points(entries, count);
  if (!assign_lanes(&lanes)) return all && lanes.count == 0;
  for (uint32_t kind = 0; kind < variable_kinds; kind++) {
    uint32_t variables = simplifier->variable_count[kind];
    lanes.rest[kind] = BUMP_NEW(&simplifier->normal.temp, int64_t, variables);
    lanes.moved[kind] = BUMP_NEW(&simplifier->normal.temp, int64_t, variables);
    lanes.lane_of[kind] = BUMP_NEW(&simplifier->normal.temp, uint32_t, variables);
  }
  for (uint32_t round = 0; round < rounds; round++) {
    run_round(&lanes, map, round);
    if (lanes.unsettled == 0) return all;
    if (!assign_lanes(&lanes)) break;
  }
  return false;
}

/* ---- ranks ---- */

static int compare_entries(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  if (x->width != y->width) return x->width > y->width ? -1 : 1;
  if (x->bounds.lo != y->bounds.lo) return x->bounds.lo < y->bounds.lo ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

static bool share_bounds(const Entry *a, const Entry *b) {
  return a->kind == b->kind && a->bounds.lo == b->bounds.lo && a->bounds.hi == b->bounds.hi;
}

static void sort(Entry *entries, uint32_t count) {
  if (count > 16) {
    qsort(entries, count, sizeof *entries, compare_entries);
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    Entry one = entries[i];
    uint32_t at = i;
    for (; at > 0 && compare_entries(&entries[at - 1], &one) > 0; at--) entries[at] = entries[at - 1];
    entries[at] = one;
  }
}

/* Sorted by bounds; whether any two share them. */
static bool sort_by_bounds(Entry *entries, uint32_t count) {
  bool sorted = true, shared = false;
  for (uint32_t i = 1; sorted && i < count; i++) sorted = compare_entries(&entries[i - 1], &entries[i]) < 0;
  if (!sorted) sort(entries, count);
  for (uint32_t i = 0; i < count; i++) {
    bool same = i > 0 && share_bounds(&entries[i - 1], &entries[i]);
    entries[i].group = same ? entries[i - 1].group : i;
    shared |= same;
  }
  return shared;
}

static uint32_t list_variables(const Simplifier *simplifier, Entry *entries) {
  uint32_t count = 0;
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++, count++) {
      Interval bounds = simplifier->bounds[kind][i];
      entries[count] = (Entry){.bounds = bounds, .width = (uint64_t)bounds.hi - (uint64_t)bounds.lo, .kind = (VarKind)kind, .index = i, .group = count};
    }
  return count;
}

static bool write_ranks(Simplifier *simplifier, const Entry *entries) {
  bool changed = false;
  simplifier->is_ranked = false;
  for (uint32_t kind = 0, at = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++, at++) {
      assert(entries[at].kind == kind);
      uint32_t *rank = &simplifier->ranks[kind][entries[at].index];
      changed |= *rank != i;
      simplifier->is_ranked |= entries[at].index != i;
      *rank = i;
    }
  return changed;
}

void ranks_forget(Simplifier *simplifier) {
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++) simplifier->ranks[kind][i] = i;
  simplifier->is_ranked = false;
}

static bool are_in_order(const Simplifier *simplifier) {
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 1; i < simplifier->variable_count[kind]; i++) {
      Interval a = simplifier->bounds[kind][i - 1], b = simplifier->bounds[kind][i];
      if ((uint64_t)a.hi - (uint64_t)a.lo <= (uint64_t)b.hi - (uint64_t)b.lo) return false;
    }
  return true;
}

static uint32_t count_variables(const Simplifier *simplifier) {
  uint32_t total = 0;
  for (uint32_t kind = 0; kind < variable_kinds; kind++) total += simplifier->variable_count[kind];
  return total;
}

static uint64_t hash_bounds(const Simplifier *simplifier) {
  uint64_t hash = 0;
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++)
      hash = hash_mix(hash_mix(hash, (uint64_t)simplifier->bounds[kind][i].lo), (uint64_t)simplifier->bounds[kind][i].hi);
  return hash;
}

static bool rank(Simplifier *simplifier, const Map *map) {
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  Entry *entries = BUMP_NEW(&simplifier->normal.temp, Entry, count_variables(simplifier));
  uint32_t count = list_variables(simplifier, entries);
  simplifier->is_ambiguous = sort_by_bounds(entries, count) && !tell_apart(simplifier, map, entries, count);
  bool changed = write_ranks(simplifier, entries);
  bump_release(&simplifier->normal.temp, mark);
  return changed;
}

/* A few variables of different widths: by counting the wider ones. False where there are more, or some are as wide as others. */
static bool rank_few(Simplifier *simplifier, bool *changed) {
  static constexpr uint32_t few = 6;
  uint32_t ranks[variable_kinds][few];
  for (uint32_t kind = 0; kind < variable_kinds; kind++) {
    const Interval *bounds = simplifier->bounds[kind];
    uint32_t count = simplifier->variable_count[kind];
    if (count > few) return false;
    for (uint32_t i = 0; i < count; i++) {
      uint64_t width = (uint64_t)bounds[i].hi - (uint64_t)bounds[i].lo;
      ranks[kind][i] = 0;
      for (uint32_t j = 0; j < count; j++) {
        uint64_t other = (uint64_t)bounds[j].hi - (uint64_t)bounds[j].lo;
        if (other == width && j != i) return false;
        ranks[kind][i] += other > width;
      }
    }
  }
  *changed = simplifier->is_ranked = false;
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++) {
      *changed |= simplifier->ranks[kind][i] != ranks[kind][i];
      simplifier->is_ranked |= ranks[kind][i] != i;
      simplifier->ranks[kind][i] = ranks[kind][i];
    }
  return true;
}

bool ranks_find(Simplifier *simplifier, const Map *map, bool is_first) {
  bool was_ambiguous = !is_first && simplifier->is_ambiguous, changed = !is_first && simplifier->is_ranked;
  if (is_first) ranks_forget(simplifier);
  if (simplifier->keeps_numbering) return false;
  simplifier->is_ambiguous = false;
  if (are_in_order(simplifier)) ranks_forget(simplifier);
  else if (!rank_few(simplifier, &changed)) changed = rank(simplifier, map);
  if (map->constraint_count == 0) return changed;
  uint64_t before = simplifier->bounds_hash;
  simplifier->bounds_hash = hash_bounds(simplifier);
  return changed || ((was_ambiguous || simplifier->is_ambiguous) && before != simplifier->bounds_hash);
}
