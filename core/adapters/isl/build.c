/* Converts expressions bottom-up over shared nodes to piecewise affine functions of all variables;
 * results become a map by products of their graphs. isl's functions consume their arguments even
 * when they fail, so every isl object is freed on every path. The recursion is as deep as the
 * expression, at most expr_max_depth. */
#include "core/adapters/isl/relation.h" /* where isl is missing, all that is declared */

#ifdef AFFIRM_HAS_ISL
#include "core/adapters/isl/build.h"

#include <assert.h>
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include "core/expr/memo.h"

/* Distinct quotients and remainders of one map. Real maps have a dozen; with 150 nested ones isl
 * did not end within 15 minutes. */
static constexpr uint32_t most_quotients = 64;

static uint32_t count_quotients(const MapContext *context, Memo *seen, Expr expr) {
  uint32_t known;
  ExprNode node = *expr_node(context->pool, expr);
  if (node.op == EXPR_CONST || node.op == EXPR_VAR || memo_find(seen, expr, &known)) return 0;
  memo_insert(seen, expr, 0);
  uint32_t own = node.op == EXPR_FLOORDIV || node.op == EXPR_CEILDIV || node.op == EXPR_MOD;
  return own + count_quotients(context, seen, node.left) +
         count_quotients(context, seen, node.right);
}

bool build_may_end(const MapContext *context, const Map *map, Error *error) {
  if (map->state == MAP_UNDEFINED)
    return error_set(error, ERROR_UNSUPPORTED, "UNDEFINED has no relation");
  if (map->state != MAP_PLAIN) return true;
  Arena *scratch = arena_create();
  Memo seen = memo_create(scratch);
  uint32_t count = 0;
  for (uint32_t i = 0; i < map->result_count; i++)
    count += count_quotients(context, &seen, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    count += count_quotients(context, &seen, map->constraints[i].expr);
  arena_destroy(scratch);
  return count <= most_quotients ||
         error_set(error, ERROR_UNSUPPORTED, "isl is not asked about more than %u quotients",
             most_quotients);
}

typedef struct Building {
  isl_ctx *isl;
  const MapContext *context;
  const Map *map;
  isl_local_space *domain; /* over all variables */
  Arena *scratch;
  Memo known; /* handle -> position in `items` */
  uint32_t count, capacity;
  isl_pw_aff **items;
  Error *error;
} Building;

static isl_pw_aff *constant(Building *building, int64_t value) {
  return isl_pw_aff_from_aff(isl_aff_val_on_domain(
      isl_local_space_copy(building->domain), isl_val_int_from_si(building->isl, value)));
}

static isl_pw_aff *build_variable(Building *building, ExprNode node) {
  uint32_t position = node.var_index;
  if (node.var_kind != VAR_DIM) position += building->map->dim_count;
  if (node.var_kind == VAR_RUNTIME) position += building->map->range_count;
  return isl_pw_aff_from_aff(
      isl_aff_var_on_domain(isl_local_space_copy(building->domain), isl_dim_set, position));
}

/* The value of a constant divisor; nullptr for any other expression. */
static isl_val *constant_of(Building *building, Expr expr) {
  int64_t value;
  if (!expr_is_const(building->context->pool, expr, &value)) return nullptr;
  assert(value > 0);
  return isl_val_int_from_si(building->isl, value);
}

/* A product; one side must be constant in all of its pieces. */
static isl_pw_aff *isl_product(Building *building, isl_pw_aff *left, isl_pw_aff *right) {
  isl_bool linear = isl_bool_false;
  if (left != nullptr && right != nullptr) {
    linear = isl_pw_aff_is_cst(left);
    if (linear == isl_bool_false) linear = isl_pw_aff_is_cst(right);
  }
  if (linear == isl_bool_true) return isl_pw_aff_mul(left, right);
  if (linear == isl_bool_false && left != nullptr && right != nullptr)
    error_set(building->error, ERROR_UNSUPPORTED, "isl has no product of two variables");
  isl_pw_aff_free(left);
  isl_pw_aff_free(right);
  return nullptr;
}

static isl_pw_aff *isl_aff_of(Building *building, Expr expr);

static isl_pw_aff *apply_operator(Building *building, ExprNode node) {
  isl_pw_aff *left = isl_aff_of(building, node.left);
  switch (node.op) {
    case EXPR_ADD: return isl_pw_aff_add(left, isl_aff_of(building, node.right));
    case EXPR_MUL: return isl_product(building, left, isl_aff_of(building, node.right));
    case EXPR_FLOORDIV:
      return isl_pw_aff_floor(isl_pw_aff_scale_down_val(left, constant_of(building, node.right)));
    case EXPR_CEILDIV:
      return isl_pw_aff_ceil(isl_pw_aff_scale_down_val(left, constant_of(building, node.right)));
    case EXPR_MOD: return isl_pw_aff_mod_val(left, constant_of(building, node.right));
    case EXPR_MIN: return isl_pw_aff_min(left, isl_aff_of(building, node.right));
    case EXPR_MAX: return isl_pw_aff_max(left, isl_aff_of(building, node.right));
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  assert(false);
  return isl_pw_aff_free(left);
}

static isl_pw_aff *isl_aff_of(Building *building, Expr expr) {
  uint32_t position;
  if (memo_find(&building->known, expr, &position)) {
    assert(position < building->count && building->items != nullptr);
    return isl_pw_aff_copy(building->items[position]);
  }
  ExprNode node = *expr_node(building->context->pool, expr);
  isl_pw_aff *made = nullptr;
  if (node.op == EXPR_CONST) made = constant(building, node.value);
  else if (node.op == EXPR_VAR) made = build_variable(building, node);
  else made = apply_operator(building, node);
  if (made == nullptr) return nullptr;
  memo_insert(&building->known, expr, building->count);
  *ARENA_PUSH(building->scratch, building) = isl_pw_aff_copy(made);
  return made;
}

static isl_set *build_within(Building *building, isl_set *set, isl_pw_aff *value, Interval in) {
  isl_set *low = isl_pw_aff_ge_set(isl_pw_aff_copy(value), constant(building, in.lo));
  isl_set *high = isl_pw_aff_le_set(value, constant(building, in.hi));
  return isl_set_intersect(set, isl_set_intersect(low, high));
}

static isl_set *within_bounds(
    Building *building, isl_set *set, VarKind kind, uint32_t count, const Variable *variables) {
  for (uint32_t i = 0; i < count; i++) {
    ExprNode node = {.op = EXPR_VAR, .var_kind = kind, .var_index = i};
    set = build_within(building, set, build_variable(building, node), variables[i].bounds);
  }
  return set;
}

static isl_set *build_domain(Building *building) {
  const Map *map = building->map;
  isl_set *set = isl_set_universe(isl_local_space_get_space(building->domain));
  set = within_bounds(building, set, VAR_DIM, map->dim_count, map->dims);
  set = within_bounds(building, set, VAR_RANGE, map->range_count, map->ranges);
  set = within_bounds(building, set, VAR_RUNTIME, map->runtime_count, map->runtimes);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    set = build_within(
        building, set, isl_aff_of(building, map->constraints[i].expr), map->constraints[i].in);
  return set;
}

static isl_map *build_graph(Building *building) {
  isl_map *graph = isl_map_from_domain(build_domain(building));
  for (uint32_t i = 0; i < building->map->result_count; i++)
    graph = isl_map_flat_range_product(
        graph, isl_map_from_pw_aff(isl_aff_of(building, building->map->results[i])));
  return graph;
}

isl_map *build_map(isl_ctx *isl, const MapContext *context, const Map *map, Error *error) {
  assert(map->state == MAP_PLAIN);
  Arena *scratch = arena_create();
  uint32_t variables = map_variable_count(map);
  Building building = {.isl = isl,
      .context = context,
      .map = map,
      .domain = isl_local_space_from_space(isl_space_set_alloc(isl, 0, variables)),
      .scratch = scratch,
      .known = memo_create(scratch),
      .error = error};
  isl_map *made = build_graph(&building);
  for (uint32_t i = 0; i < building.count; i++) isl_pw_aff_free(building.items[i]);
  isl_local_space_free(building.domain);
  arena_destroy(scratch);
  if (made == nullptr) error_set(error, ERROR_LIMIT, "isl gives up");
  return made;
}
#endif
