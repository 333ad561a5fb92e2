/* The search for an exchange: all permutations of the variables that share bounds, one kind after
 * another. That the bounds of both maps are the same is seen in the end.
 * Recursion is as deep as there are variables, at most max_variables. */
#include "core/simplify/order/exchange.h"

static constexpr uint32_t max_variables = 64, max_tried = 1u << 13, kinds = 3;

typedef struct Search {
  Simplifier *simplifier;
  MapContext *context;
  const Map *map, *other;
  uint32_t counts[3];
  const Variable *variables[3]; /* of both */
  Numbering numbering;
  bool *taken[3];
  uint32_t tried;
} Search;

static bool share_bounds(const Variable *a, const Variable *b) {
  return a->bounds.lo == b->bounds.lo && a->bounds.hi == b->bounds.hi;
}

static bool is_found(Search *search) {
  const Map *turned = map_renumber(search->context, search->other, &search->numbering), *result;
  Error ignored = {};
  search->tried++;
  return simplify_map(search->simplifier, turned, nullptr, &result, nullptr, &ignored) &&
         map_identical(search->context, search->map, result);
}

static bool place(Search *search, uint32_t kind, uint32_t index) {
  if (kind == kinds) return is_found(search);
  if (index == search->counts[kind]) return place(search, kind + 1, 0);
  for (uint32_t turn = 0; turn < search->counts[kind] && search->tried < max_tried; turn++) {
    uint32_t to = (index + turn) % search->counts[kind];
    if (search->taken[kind][to] ||
        !share_bounds(&search->variables[kind][index], &search->variables[kind][to]))
      continue;
    search->taken[kind][to] = true;
    search->numbering.to[kind][index] = to;
    bool found = place(search, kind, index + 1);
    search->taken[kind][to] = false;
    if (found) return true;
  }
  return false;
}

bool map_exchange(Simplifier *simplifier, const Map *map, const Map *other, Numbering *exchange) {
  MapContext *context = simplifier_context(simplifier);
  if (map->dim_count != other->dim_count || map->range_count != other->range_count ||
      map->runtime_count != other->runtime_count)
    return false;
  if (map->state != other->state ||
      map->dim_count + map->range_count + map->runtime_count > max_variables)
    return false;
  Search search = {.simplifier = simplifier,
      .context = context,
      .map = map,
      .other = other,
      .counts = {map->dim_count, map->range_count, map->runtime_count},
      .variables = {map->dims, map->ranges, map->runtimes}};
  for (uint32_t kind = 0; kind < kinds; kind++) {
    search.taken[kind] = ARENA_NEW(context->arena, bool, search.counts[kind]);
    search.numbering.to[kind] = ARENA_NEW(context->arena, uint32_t, search.counts[kind]);
  }
  bool found = place(&search, 0, 0);
  *exchange = search.numbering;
  return found;
}
