/* Expressions are chosen in prefix order: one choice per operator or leaf, one more for a constant
 * or a variable. Most domains are small enough to be enumerated. Some bounds and constants are
 * large on purpose. */
#include "generate/general_map.h"

#include "core/base/checked.h"
#include "core/base/edges.h"
#include "core/map/bounds.h"

typedef struct GeneralMap {
  MapContext *context;
  Choices *choices;
  Map *map;
} GeneralMap;

/* All choices have 256 alternatives, so that a byte is a choice. */
static uint8_t general_next(GeneralMap *general) { return (uint8_t)choose(general->choices, 256); }

static constexpr uint32_t deepest = 7;

/* A quarter of the choices are edges or other large numbers. */
static int64_t general_constant(GeneralMap *general) {
  static const int64_t large[] = {
      1 << 20, 12288, 1000003, INT64_C(1) << 40, 4096, 65537, 255, 1024};
  uint8_t byte = general_next(general);
  if (byte >= 248) return large[byte - 248];
  if (byte >= 192) return edge_integer(byte - 192u);
  return byte < 128 ? byte % 33 : -(int64_t)(byte % 33);
}

static Expr general_variable(GeneralMap *general) {
  const Map *map = general->map;
  uint32_t all = map_variable_count(map);
  if (all == 0) return expr_const(general->context->pool, general_constant(general));
  uint32_t index = general_next(general) % all;
  if (index < map->dim_count) return expr_var(general->context->pool, VAR_DIM, index);
  index -= map->dim_count;
  if (index < map->range_count) return expr_var(general->context->pool, VAR_RANGE, index);
  return expr_var(general->context->pool, VAR_RUNTIME, index - map->range_count);
}

static bool general_fits(GeneralMap *general, Expr expr) {
  Interval bounds;
  return expr_bounds(general->context, general->map, expr, &bounds);
}

static Expr general_expression(GeneralMap *general, uint32_t depth);

static int64_t positive_divisor(int64_t divisor) {
  if (divisor > 0) return divisor;
  return divisor > -INT64_MAX ? 1 - divisor : INT64_MAX;
}

static Expr general_operation(GeneralMap *general, uint8_t code, uint32_t depth) {
  static const ExprOp operators[] = {EXPR_ADD, EXPR_ADD, EXPR_ADD, EXPR_MUL, EXPR_MUL,
      EXPR_FLOORDIV, EXPR_FLOORDIV, EXPR_MOD, EXPR_MOD, EXPR_CEILDIV, EXPR_MIN, EXPR_MAX};
  ExprOp op = operators[code % (sizeof operators / sizeof *operators)];
  ExprPool *pool = general->context->pool;
  Expr left = general_expression(general, depth + 1), right;
  if (op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD) {
    int64_t divisor = general_constant(general);
    right = expr_const(pool, positive_divisor(divisor));
  } else if (op == EXPR_MUL && code < 200) {
    right = expr_const(pool, general_constant(general));
  } else {
    right = general_expression(general, depth + 1);
  }
  Expr whole = expr_binary(pool, op, left, right);
  return general_fits(general, whole) ? whole : left;
}

static Expr general_expression(GeneralMap *general, uint32_t depth) {
  uint8_t code = general_next(general);
  if (code == 0 || depth >= deepest || code % 16 >= 12) {
    if (code % 4 == 3) return expr_const(general->context->pool, general_constant(general));
    return general_variable(general);
  }
  return general_operation(general, code, depth);
}

/* An interval of this width with the edge at one end. */
static Interval bounds_at_edge(uint32_t which, int64_t width) {
  int64_t edge = edge_integer(which), lo;
  return sub64(edge, width, &lo) ? (Interval){lo, edge} : (Interval){edge, edge + width};
}

static Interval general_bounds(GeneralMap *general) {
  uint8_t low = general_next(general), span = general_next(general);
  int64_t lo = low < 192 ? 0 : (int64_t)low - 224;
  int64_t width = span < 240 ? span % 24 : INT64_C(1) << (span - 232);
  Interval around = {lo, lo + width};
  if (low >= 248) around = bounds_at_edge(low - 248u + 8u * (span / 24u), span % 24);
  return around;
}

static void choose_bounds(GeneralMap *general, uint32_t count, Variable *variables) {
  for (uint32_t i = 0; i < count; i++) variables[i].bounds = general_bounds(general);
}

/* If a choice after the others asks for it, adds a constraint that fixes the remainder of a variable,
 * mostly a range variable. Random constraints hardly ever do that. */
static void add_congruence(GeneralMap *general) {
  Map *map = general->map;
  uint8_t how = general_next(general);
  if (how % 4 != 3 || map_first_number(map, VAR_RUNTIME) == 0) return;
  Expr kept = map->range_count > 0 && how < 192
                  ? expr_var(general->context->pool, VAR_RANGE, how / 4 % map->range_count)
                  : general_variable(general);
  uint8_t choice = general_next(general);
  int64_t modulus = 2 + choice % 7, residue = choice / 7 % modulus;
  map->constraints[map->constraint_count++] =
      (Constraint){.expr = expr_binary(general->context->pool, EXPR_MOD, kept,
                       expr_const(general->context->pool, modulus)),
          .in = {residue, residue}};
}

/* A choice after all others names the first dimension, as a thread. */
static void name_first(GeneralMap *general) {
  if (general_next(general) % 8 == 5 && general->map->dim_count > 0)
    general->map->dims[0].name = "th_x";
}

const Map *generate_general_map(MapContext *context, Choices *choices) {
  GeneralMap general = {.context = context, .choices = choices};
  uint8_t variables = general_next(&general), results = general_next(&general),
          constraints = general_next(&general);
  Map *map = general.map =
      map_create(context, variables % 4, variables / 4 % 3, variables / 16 % 2, results % 4, 0);
  choose_bounds(&general, map->dim_count, map->dims);
  choose_bounds(&general, map->range_count, map->ranges);
  choose_bounds(&general, map->runtime_count, map->runtimes);
  for (uint32_t i = 0; i < map->result_count; i++)
    map->results[i] = general_expression(&general, 0);
  uint32_t count = constraints % 4;
  map->constraints = ARENA_NEW(context->arena, Constraint, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    Expr expr = general_expression(&general, 2);
    map->constraints[i] = (Constraint){.expr = expr, .in = general_bounds(&general)};
  }
  map->constraint_count = count;
  add_congruence(&general);
  name_first(&general);
  return map;
}
