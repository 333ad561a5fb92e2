/* Enumerates points, the last variable fastest. Rows are sorted lexicographically. */
#define _GNU_SOURCE
#include "judge/algebra/brute_force.h"

#include "core/base/budget.h"
#include "core/map/points.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef __int128 Int128;

typedef struct Listing {
  const ExprPool *pool;
  const Map *map;
  uint32_t variables;
  int64_t *at; /* [variables] */
} Listing;

static bool is_64(Int128 value) { return value >= INT64_MIN && value <= INT64_MAX; }

static Int128 floor_of(Int128 x, Int128 c) { return x / c - (x % c != 0 && x < 0); }

static Int128 brute_force_apply(ExprOp op, Int128 a, Int128 b) {
  switch (op) {
    case EXPR_ADD: return a + b;
    case EXPR_MUL: return a * b;
    case EXPR_FLOORDIV: return floor_of(a, b);
    case EXPR_CEILDIV: return -floor_of(-a, b);
    case EXPR_MOD: return a - b * floor_of(a, b);
    case EXPR_MIN: return a < b ? a : b;
    case EXPR_MAX: return a < b ? b : a;
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  assert(false && "no operator");
  return 0;
}

/* The recursion depth is that of the expression, at most expr_max_depth. */
static bool brute_force_value_of(const Listing *listing, Expr expr, Int128 *value) {
  const ExprNode *node = expr_node(listing->pool, expr);
  if (node->op == EXPR_CONST) {
    *value = node->value;
    return true;
  }
  if (node->op == EXPR_VAR) {
    const Map *map = listing->map;
    *value = listing->at[map_first_number(map, node->var_kind) + node->var_index];
    return true;
  }
  Int128 a, b;
  if (!brute_force_value_of(listing, node->left, &a) ||
      !brute_force_value_of(listing, node->right, &b))
    return false;
  bool divides = node->op == EXPR_FLOORDIV || node->op == EXPR_CEILDIV || node->op == EXPR_MOD;
  if (divides && b <= 0) return false;
  *value = brute_force_apply(node->op, a, b);
  return is_64(*value);
}

static bool is_inside(const Listing *listing, bool *inside) {
  const Map *map = listing->map;
  *inside = true;
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    Int128 value;
    if (!brute_force_value_of(listing, map->constraints[i].expr, &value)) return false;
    *inside &= map->constraints[i].in.lo <= value && value <= map->constraints[i].in.hi;
  }
  return true;
}

static bool values_of(
    const Listing *listing, uint32_t count, const Expr *expressions, int64_t *values) {
  for (uint32_t i = 0; i < count; i++) {
    Int128 value;
    if (!brute_force_value_of(listing, expressions[i], &value)) return false;
    values[i] = (int64_t)value;
  }
  return true;
}

bool brute_force_list(Arena *arena, const MapContext *context, const Map *map, uint32_t extra_count,
    const Expr *extras, uint64_t most, BruteForceRows *rows, Error *error) {
  *rows = (BruteForceRows){.width = map_variable_count(map) + map->result_count + extra_count};
  if (map->state == MAP_UNDEFINED)
    return error_set(error, ERROR_UNSUPPORTED, "an undefined map has no list of points");
  if (map->state == MAP_KNOWN_EMPTY) return true;
  Listing listing = {.pool = context->pool, .map = map, .variables = map_variable_count(map)};
  listing.at = ARENA_NEW(arena, int64_t, listing.variables + 1);
  uint64_t box;
  if (!map_points_count(map, most, &box))
    return error_set(error, ERROR_LIMIT, "too many points to list");
  rows->items = ARENA_NEW(arena, int64_t, box * rows->width + 1);
  for (bool more = map_points_begin(map, listing.at); more;
      more = map_points_next(map, listing.at)) {
    int64_t *row = rows->items + rows->count * rows->width;
    bool inside;
    if (budget_is_spent())
      return error_set(error, ERROR_LIMIT, "listing points: %s", budget_reason());
    memcpy(row, listing.at, listing.variables * sizeof *row);
    if (!is_inside(&listing, &inside))
      return error_set(
          error, ERROR_OVERFLOW, "a constraint leaves int64, or a divisor is not positive");
    bool fits =
        !inside ||
        (values_of(&listing, map->result_count, map->results, row + listing.variables) &&
            values_of(&listing, extra_count, extras, row + listing.variables + map->result_count));
    if (!fits)
      return error_set(error, ERROR_OVERFLOW, "a value leaves int64, or a divisor is not positive");
    rows->count += inside;
  }
  return true;
}

static int brute_force_compare(const void *a, const void *b, void *width) {
  const int64_t *x = a, *y = b;
  for (uint32_t i = 0; i < *(const uint32_t *)width; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

BruteForceRows brute_force_pick(
    Arena *arena, const BruteForceRows *rows, uint32_t count, const uint32_t *columns) {
  BruteForceRows picked = {.width = count,
      .count = rows->count,
      .items = ARENA_NEW(arena, int64_t, rows->count *count + 1)};
  for (uint64_t i = 0; i < rows->count; i++)
    for (uint32_t k = 0; k < count; k++) {
      assert(columns[k] < rows->width);
      picked.items[i * count + k] = rows->items[i * rows->width + columns[k]];
    }
  if (count > 0 && picked.count > 1)
    qsort_r(picked.items, picked.count, count * sizeof *picked.items, brute_force_compare,
        &picked.width);
  return picked;
}

static const int64_t *row_at(const BruteForceRows *rows, uint64_t i) {
  return rows->items + i * rows->width;
}

uint64_t brute_force_repeated(const BruteForceRows *rows) {
  uint32_t width = rows->width;
  for (uint64_t i = 1; i < rows->count; i++)
    if (brute_force_compare(row_at(rows, i - 1), row_at(rows, i), &width) == 0) return i;
  return rows->count;
}

void brute_force_once(BruteForceRows *rows) {
  uint64_t kept = 0;
  for (uint64_t i = 0; i < rows->count; i++) {
    if (kept > 0 && brute_force_compare(row_at(rows, kept - 1), row_at(rows, i), &rows->width) == 0)
      continue;
    memmove(rows->items + kept++ * rows->width, row_at(rows, i), rows->width * sizeof *rows->items);
  }
  rows->count = kept;
}

const int64_t *brute_force_missing(const BruteForceRows *a, const BruteForceRows *b) {
  uint32_t width = a->width;
  if (a->count > 0 && b->count > 0 && a->width != b->width) return row_at(a, 0);
  for (uint64_t i = 0, k = 0; i < a->count; i++) {
    while (k < b->count && brute_force_compare(row_at(b, k), row_at(a, i), &width) < 0) k++;
    if (k == b->count || brute_force_compare(row_at(b, k), row_at(a, i), &width) != 0)
      return row_at(a, i);
  }
  return nullptr;
}
