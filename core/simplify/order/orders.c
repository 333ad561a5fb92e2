/* Variables that nothing tells apart (ranks.c) are taken in every order of theirs, and the smallest
 * result is kept, so that it does not matter how they were numbered. Results are compared with
 * ranks for numbers: by size, by how narrow bounds are, then by structure, last by where runtime
 * variables come from. Two that are the same so differ by an exchange of variables that leaves the
 * map what it is, since both are that map; one of them is taken. What was reached is gone through
 * again until nothing is smaller: simplifying it then finds it at rest, since under the order
 * that led to it it stays as it is. Each step is smaller than the one before.
 * Recursion is max_members deep. */
#include "core/simplify/order/orders.h"

#include <string.h>

#include "core/simplify/order/members.h"
#include "core/simplify/normal/size.h"

typedef struct Choice {
  const Map *map, *ranked;
  uint64_t size;
  uint32_t tied; /* in the end */
  Turns turns;
} Choice;

typedef struct Orders {
  Simplifier *simplifier;
  const SimplifyOptions *options;
  const Map *map;
  Members members;
  bool taken[max_members];
  Turns turns;      /* of the order that is made */
  const Map *first; /* not nullptr: whether any order gives another map is all that is asked */
  bool has_other, has_best;
  Choice best;
} Orders;

void orders_turn(Simplifier *simplifier, const Turns *turns) {
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    simplifier->turns[kind] = turns == nullptr ? nullptr : turns->of[kind];
}

/* ---- which result is smaller ---- */

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }
static int compare_signed(int64_t a, int64_t b) { return (a > b) - (a < b); }

static int compare_intervals(Interval a, Interval b) {
  int order = compare_numbers((uint64_t)a.hi - (uint64_t)a.lo, (uint64_t)b.hi - (uint64_t)b.lo);
  return order != 0 ? order : compare_signed(a.lo, b.lo);
}

static int compare_variables(uint32_t count, const Variable *a, const Variable *b) {
  int order = 0;
  for (uint32_t i = 0; order == 0 && i < count; i++)
    order = compare_intervals(a[i].bounds, b[i].bounds);
  return order;
}

static int compare_domains(const Map *a, const Map *b) {
  int order = compare_variables(a->dim_count, a->dims, b->dims);
  if (order == 0) order = compare_variables(a->range_count, a->ranges, b->ranges);
  if (order == 0) order = compare_variables(a->runtime_count, a->runtimes, b->runtimes);
  return order != 0 ? order : compare_numbers(a->constraint_count, b->constraint_count);
}

static int compare_exprs(const ExprPool *pool, const Map *a, const Map *b) {
  int order = 0;
  for (uint32_t i = 0; order == 0 && i < a->result_count; i++)
    order = stated_compare(pool, a->results[i], b->results[i]);
  for (uint32_t i = 0; order == 0 && i < a->constraint_count; i++) {
    order = stated_compare(pool, a->constraints[i].expr, b->constraints[i].expr);
    if (order == 0) order = compare_intervals(a->constraints[i].in, b->constraints[i].in);
  }
  return order;
}

static int compare_sources(const Map *a, const Map *b) {
  int order = 0;
  for (uint32_t i = 0; order == 0 && a->sources != nullptr && i < a->runtime_count; i++) {
    const char *x = a->sources[i].name, *y = b->sources[i].name;
    if (x != nullptr && y != nullptr) order = strcmp(x, y);
  }
  return order;
}

static int compare_choices(const Orders *orders, const Choice *a, const Choice *b) {
  const Map *x = a->ranked, *y = b->ranked;
  if (x == nullptr || y == nullptr) return (x != nullptr) - (y != nullptr);
  int order = compare_numbers(a->size, b->size);
  if (order == 0) order = compare_domains(x, y);
  if (order == 0) order = compare_exprs(orders->simplifier->context->pool, x, y);
  return order != 0 ? order : compare_sources(x, y);
}

/* What stays as it is comes before what is as small, and what was found first before others. */
static bool is_better(const Orders *orders, const Choice *choice) {
  if (!orders->has_best) return true;
  int order = compare_choices(orders, choice, &orders->best);
  if (order != 0) return order < 0;
  const MapContext *context = orders->simplifier->context;
  return map_identical(context, choice->map, orders->map) &&
         !map_identical(context, orders->best.map, orders->map);
}

/* ---- going through them ---- */

static Turns turns_create(Arena *arena, const Simplifier *simplifier) {
  Turns turns;
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    turns.of[kind] = ARENA_NEW(arena, uint32_t, simplifier->variable_count[kind]);
  return turns;
}

/* By number; members have their turns before these. */
static void turns_reset(const Orders *orders) {
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    for (uint32_t i = 0; i < orders->simplifier->variable_count[kind]; i++)
      orders->turns.of[kind][i] = max_members + i;
}

static void turns_copy(const Simplifier *simplifier, const Turns *from, const Turns *to) {
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    memcpy(to->of[kind], from->of[kind], simplifier->variable_count[kind] * sizeof *to->of[kind]);
}

static void take_if_better(Orders *orders, const Map *map) {
  Simplifier *simplifier = orders->simplifier;
  Choice choice = {.map = map,
      .ranked = simplifier->ranked,
      .tied = simplifier->tied,
      .turns = orders->best.turns};
  if (choice.ranked != nullptr)
    choice.size = size_of_results(simplifier->context, choice.ranked) +
                  size_of_constraints(simplifier->context, choice.ranked);
  if (!is_better(orders, &choice)) return;
  orders->has_best = true;
  orders->best = choice;
  turns_copy(simplifier, &orders->turns, &orders->best.turns);
}

static void try_order(Orders *orders) {
  const Map *map;
  Error ignored = {};
  orders_turn(orders->simplifier, &orders->turns);
  if (!simplify_in_ranks(orders->simplifier, orders->map, orders->options, &map, nullptr, &ignored))
    return;
  if (orders->first != nullptr)
    orders->has_other = !map_identical(orders->simplifier->context, map, orders->first);
  else take_if_better(orders, map);
}

/* Whether a member of smaller number, which this one is like, has no turn yet. */
static bool must_wait(const Orders *orders, uint32_t at) {
  const Member *items = orders->members.items;
  for (uint32_t i = items[at].group; i < at; i++)
    if (items[i].like == items[at].like && !orders->taken[i]) return true;
  return false;
}

/* Gives the place `at` of the list to each member of that group in turn, until there is another map
 * than the first. */
static void place(Orders *orders, uint32_t at) {
  const Members *members = &orders->members;
  if (at == members->count) {
    try_order(orders);
    return;
  }
  for (uint32_t i = members->items[at].group;
      i < members->count && members->items[i].group == members->items[at].group; i++) {
    if (orders->has_other || orders->taken[i] || must_wait(orders, i)) continue;
    orders->taken[i] = true;
    orders->turns.of[members->items[i].kind][members->items[i].index] = at;
    place(orders, at + 1);
    orders->taken[i] = false;
  }
}

/* Goes through all orders, and finds what is tied anew: some may have shown more ties. True when
 * they have. */
static bool go_through(Orders *orders) {
  uint64_t before = orders->members.orders;
  turns_reset(orders);
  orders->has_other = orders->has_best = false;
  orders->simplifier->wants_ranked = orders->first == nullptr;
  place(orders, 0);
  orders->simplifier->wants_ranked = false;
  orders_turn(orders->simplifier, nullptr);
  members_find(orders->simplifier, orders->map, &orders->members);
  return orders->members.orders > before;
}

/* Whether all orders lead to `first`. */
static bool do_agree(Orders *orders, const Map *first) {
  if (first == nullptr) return false;
  orders->first = first;
  bool has_more = go_through(orders);
  orders->first = nullptr;
  return !has_more && !orders->has_other;
}

/* One step from the map; `first` is what it becomes in the order of numbers, or nullptr. `agree`:
 * every order leads there. */
static const Map *best_of(Orders *orders, const Map *first, const Turns *turns, bool *agree) {
  static constexpr uint32_t max_looks = 4;
  members_find(orders->simplifier, orders->map, &orders->members);
  turns_reset(orders);
  turns_copy(orders->simplifier, &orders->turns, turns);
  orders->best = (Choice){.map = first, .tied = orders->simplifier->tied, .turns = *turns};
  *agree = false;
  if (orders->members.orders == 1) return first;
  *agree = do_agree(orders, first);
  if (*agree) return first;
  for (uint32_t look = 0; look < max_looks && go_through(orders); look++) continue;
  return orders->has_best ? orders->best.map : nullptr;
}

/* Whether simplifying it again would find other orders than those that led to it. */
static bool may_have_others(const Orders *orders, const Map *map) {
  return map->state == MAP_PLAIN && orders->members.count > 0 && orders->best.tied > 0 &&
         orders->best.tied <= max_tied;
}

bool orders_settle(Simplifier *simplifier, const Map *map, const Map *first,
    const SimplifyOptions *options, const Map **simplified, OrderSteps *steps) {
  Arena *arena = simplifier->context->arena;
  Orders orders = {
      .simplifier = simplifier, .options = options, .turns = turns_create(arena, simplifier)};
  Error ignored = {};
  steps->count = 0;
  *simplified = map;
  while (steps->count < max_order_steps) {
    orders.map = *simplified;
    bool agree;
    Turns turns = turns_create(arena, simplifier);
    simplifier->keeps_told = true;
    const Map *best = best_of(&orders, first, &turns, &agree);
    simplifier->keeps_told = false;
    simplifier->told = nullptr;
    if (best == nullptr) return steps->count > 0;
    if (steps->count > 0 && map_identical(simplifier->context, best, *simplified)) return true;
    steps->items[steps->count++] = turns;
    *simplified = best;
    if (agree || !may_have_others(&orders, best)) return true;
    first = best;
    if (orders.map->constraint_count == 0) continue; /* ties are the same, and it stays as it is */
    simplifier->has_ties = false;
    if (!simplify_in_ranks(simplifier, best, options, &first, nullptr, &ignored)) return true;
  }
  return true;
}
