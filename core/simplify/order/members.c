/* Who is tied: variables between which nothing decided (ranks.c), and which the order of variables
 * can matter to.
 * An expression of one variable becomes the same in every order, so what occurs in such ones alone
 * is left out. Those that the writing itself lets exchange, like x and y in x + y, have one order
 * between them. Where there are too many orders, or the map is too large for them, there is one:
 * that of the numbers. */
#include "core/simplify/order/members.h"

#include "core/expr/memo.h"
#include "core/simplify/normal/renew.h"

static constexpr uint64_t max_orders = 720,
                          few_orders = 6; /* few are gone through without asking who is alike */
static constexpr uint64_t max_nodes = UINT64_C(1) << 17; /* of all orders together */

typedef struct Usage {
  bool *used[variable_kinds];
} Usage;

typedef struct Walk {
  const ExprPool *pool;
  bool is_large, marks; /* marks: second time, what occurs is used */
  Memo seen;
  Expr first; /* the variable met first */
  bool has_others;
  Usage *usage;
} Walk;

/* Recursion is as deep as the expression, at most expr_max_depth. */
static void walk(Walk *walker, Expr expr) {
  const ExprNode *node = expr_node(walker->pool, expr);
  uint32_t known;
  if (node->op == EXPR_CONST) return;
  if (node->op == EXPR_VAR) {
    if (walker->first.at == 0) walker->first = expr;
    walker->has_others |= !expr_same(walker->first, expr);
    if (walker->marks) walker->usage->used[node->var_kind][node->var_index] = true;
    return;
  }
  if (walker->is_large && memo_find(&walker->seen, expr, &known)) return;
  if (walker->is_large) memo_insert(&walker->seen, expr, 1);
  walk(walker, node->left);
  walk(walker, node->right);
}

static void find_used_in(Simplifier *simplifier, Expr expr, Usage *usage) {
  static constexpr uint32_t large_tree = 1u << 8;
  Walk walker = {.pool = simplifier->context->pool,
      .is_large = expr_tree_size(simplifier->context->pool, expr) > large_tree,
      .usage = usage};
  for (uint32_t turn = 0; turn < 2; turn++) {
    if (walker.is_large) walker.seen = memo_create(simplifier->context->arena);
    walker.marks = turn == 1;
    walk(&walker, expr);
    if (!walker.has_others) return;
  }
}

static Usage find_used(Simplifier *simplifier, const Map *map) {
  Usage usage;
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    usage.used[kind] =
        ARENA_NEW(simplifier->context->arena, bool, simplifier->variable_count[kind]);
  for (uint32_t i = 0; i < map->result_count; i++)
    find_used_in(simplifier, map->results[i], &usage);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    find_used_in(simplifier, map->constraints[i].expr, &usage);
  return usage;
}

/* Those that are used and not tied with the one at `index` of smaller number; false when there are
 * too many. */
static bool add_group(
    Simplifier *simplifier, Members *members, const Usage *usage, uint32_t kind, uint32_t index) {
  uint32_t first = members->count;
  for (uint32_t i = index; i < simplifier->variable_count[kind]; i++) {
    if (!usage->used[kind][i] || ranks_tie(simplifier, kind, i) != index) continue;
    if (members->count == max_members) return false;
    members->items[members->count] =
        (Member){.kind = kind, .index = i, .group = first, .like = members->count};
    members->count++;
  }
  if (members->count == first + 1) members->count = first;
  return true;
}

static uint32_t count_tied(Simplifier *simplifier) {
  uint32_t count = 0;
  for (uint32_t kind = 0; simplifier->has_ties && kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++)
      count += simplifier->ties[kind][i] != i;
  return count;
}

static bool list_members(Simplifier *simplifier, const Map *map, Members *members) {
  Usage usage = find_used(simplifier, map);
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++)
      if (ranks_tie(simplifier, kind, i) == i && !add_group(simplifier, members, &usage, kind, i))
        return false;
  return true;
}

/* ---- who may be exchanged ---- */

static Numbering exchange(const Simplifier *simplifier, const Member *a, const Member *b) {
  Numbering numbering;
  for (uint32_t kind = 0; kind < variable_kinds; kind++) {
    numbering.to[kind] =
        ARENA_NEW(simplifier->context->arena, uint32_t, simplifier->variable_count[kind]);
    for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++) numbering.to[kind][i] = i;
  }
  numbering.to[a->kind][a->index] = b->index;
  numbering.to[a->kind][b->index] = a->index;
  return numbering;
}

static bool are_alike(
    const Simplifier *simplifier, const Map *in_order, const Member *a, const Member *b) {
  MapContext *context = simplifier->context;
  const Numbering numbering = exchange(simplifier, a, b);
  return map_identical(
      context, in_order, map_in_order(context, map_renumber(context, in_order, &numbering)));
}

static void find_alike(const Simplifier *simplifier, const Map *map, Members *members) {
  const Map *in_order = map_in_order(simplifier->context, map);
  for (uint32_t i = 0; i < members->count; i++) {
    Member *member = &members->items[i];
    for (uint32_t j = member->group; j < i && member->like == i; j++)
      if (members->items[j].like == j &&
          are_alike(simplifier, in_order, &members->items[j], member))
        member->like = j;
  }
}

/* ---- how many orders ---- */

static uint64_t tree_size(const ExprPool *pool, const Map *map) {
  uint64_t size = 1;
  for (uint32_t i = 0; i < map->result_count; i++) size += expr_tree_size(pool, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    size += expr_tree_size(pool, map->constraints[i].expr);
  return size;
}

/* Arrangements of each group in which those that are alike stand by number. 1 where there are too
 * many. */
static uint64_t count_orders(const Members *members, uint64_t most) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < members->count; i++) {
    const Member *member = &members->items[i];
    uint32_t same = 0;
    for (uint32_t j = member->group; j <= i; j++) same += members->items[j].like == member->like;
    count = count * (i - member->group + 1) / same;
  }
  return count <= most ? count : 1;
}

void members_find(Simplifier *simplifier, const Map *map, Members *members) {
  members->count = 0;
  members->orders = 1;
  if (count_tied(simplifier) > max_tied || !list_members(simplifier, map, members) ||
      members->count == 0)
    return;
  uint64_t size = tree_size(simplifier->context->pool, map),
           most = max_nodes / size < max_orders ? max_nodes / size : max_orders;
  members->orders = count_orders(members, most < few_orders ? most : few_orders);
  if (members->orders > 1 || most <= 1) return;
  find_alike(simplifier, map, members);
  members->orders = count_orders(members, most);
}
