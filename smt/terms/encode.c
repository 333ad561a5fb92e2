/* Encodes expressions of a map as sums, bottom-up over shared nodes, and the domain as constraints
 * lo <= sum <= hi. Recursion is as deep as the expression, at most expr_max_depth. */
#include "smt/terms/encode.h"

#include <assert.h>

#include "core/expr/memo.h"

typedef struct Encoding {
  Sums *sums;
  const ExprPool *pool;
  const MapVariables *variables;
  Memo memo;
  Error *error;
} Encoding;

static Sum *variables_fresh(Sums *sums, const char *prefix, uint32_t count) {
  Sum *variables = ARENA_NEW(sums->arena, Sum, count);
  for (uint32_t i = 0; i < count; i++)
    variables[i] = sum_free(sums, arena_printf(sums->arena, "%s%u", prefix, i));
  return variables;
}

MapVariables encode_fresh_variables(Sums *sums, const Map *map) {
  return (MapVariables){.dims = variables_fresh(sums, "d", map->dim_count),
      .ranges = variables_fresh(sums, "s", map->range_count),
      .runtimes = variables_fresh(sums, "rt", map->runtime_count)};
}

static Sum variable_of(const Encoding *work, const ExprNode *node) {
  switch (node->var_kind) {
    case VAR_DIM: return work->variables->dims[node->var_index];
    case VAR_RANGE: return work->variables->ranges[node->var_index];
    case VAR_RUNTIME: return work->variables->runtimes[node->var_index];
  }
  unreachable();
}

/* After an overflow no sum is meaningful, and callers must test `overflow` first; so any divisor
 * will do. */
static bool divisor_of(Encoding *work, Sum right, Wide *divisor) {
  *divisor = 1;
  if (work->sums->overflow) return true;
  if (sum_is_constant(work->sums, right, divisor) && *divisor > 0) return true;
  return error_set(work->error, ERROR_INPUT, "a divisor is not a positive constant");
}

static bool encode_apply(Encoding *work, ExprOp op, Sum left, Sum right, Sum *result) {
  Sums *sums = work->sums;
  Wide divisor;
  switch (op) {
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_ADD: unreachable();
    case EXPR_MUL: *result = sum_product(sums, left, right); return true;
    case EXPR_MIN: *result = sum_min(sums, left, right); return true;
    case EXPR_MAX: *result = sum_max(sums, left, right); return true;
    case EXPR_FLOORDIV:
      if (!divisor_of(work, right, &divisor)) return false;
      *result = sum_floordiv(sums, left, divisor);
      return true;
    case EXPR_CEILDIV:
      if (!divisor_of(work, right, &divisor)) return false;
      *result = sum_scale(sums, sum_floordiv(sums, sum_scale(sums, left, -1), divisor), -1);
      return true;
    case EXPR_MOD:
      if (!divisor_of(work, right, &divisor)) return false;
      *result = sum_mod(sums, left, divisor);
      return true;
  }
  unreachable();
}

static bool encode_expr(Encoding *work, Expr expr, Sum *result);

typedef struct Summands {
  Sum *items;
  uint32_t count, capacity;
} Summands;

static bool is_addition(const Encoding *work, Expr expr) {
  return expr_node(work->pool, expr)->op == EXPR_ADD;
}

static bool add_summand(Encoding *work, Expr expr, Summands *summands) {
  Sum sum;
  if (!encode_expr(work, expr, &sum)) return false;
  *ARENA_PUSH(work->sums->arena, summands) = sum;
  return true;
}

/* Encodes a chain of additions at once: a sum for each prefix would be quadratic. The walk encodes
 * the operand beside the chain at each step, and ends at a node that is no addition or is already
 * encoded. */
static bool encode_addition(Encoding *work, Expr expr, Sum *result) {
  Summands summands = {};
  uint32_t known;
  while (is_addition(work, expr) && !memo_find(&work->memo, expr, &known)) {
    ExprNode node = *expr_node(work->pool, expr);
    bool goes_left = is_addition(work, node.left) || !is_addition(work, node.right);
    if (!add_summand(work, goes_left ? node.right : node.left, &summands)) return false;
    expr = goes_left ? node.left : node.right;
  }
  if (!add_summand(work, expr, &summands)) return false;
  *result = sum_of_all(work->sums, summands.count, summands.items);
  return true;
}

static bool encode_expr(Encoding *work, Expr expr, Sum *result) {
  ExprNode node = *expr_node(work->pool, expr);
  if (memo_find(&work->memo, expr, &result->at)) return true;
  if (node.op == EXPR_CONST) {
    *result = sum_of_constant(work->sums, node.value);
  } else if (node.op == EXPR_VAR) {
    *result = variable_of(work, &node);
  } else if (node.op == EXPR_ADD) {
    if (!encode_addition(work, expr, result)) return false;
  } else {
    Sum left, right;
    if (!encode_expr(work, node.left, &left) || !encode_expr(work, node.right, &right))
      return false;
    if (!encode_apply(work, node.op, left, right, result)) return false;
  }
  memo_insert(&work->memo, expr, result->at);
  return true;
}

static void add_within(EncodedMap *encoded, Sum sum, Interval in) {
  encoded->within[encoded->within_count++] = (Within){.sum = sum, .lo = in.lo, .hi = in.hi};
}

static void add_bounds(
    EncodedMap *encoded, uint32_t count, const Variable *variables, const Sum *sums) {
  for (uint32_t i = 0; i < count; i++) add_within(encoded, sums[i], variables[i].bounds);
}

bool encode_map(Sums *sums, const MapContext *context, const Map *map,
    const MapVariables *variables, EncodedMap *encoded, Error *error) {
  assert(map->state != MAP_UNDEFINED);
  *encoded = (EncodedMap){};
  uint32_t variable_count = map_variable_count(map);
  encoded->within = ARENA_NEW(sums->arena, Within, variable_count + map->constraint_count + 1);
  encoded->results = ARENA_NEW(sums->arena, Sum, map->result_count);
  if (map->state == MAP_KNOWN_EMPTY) {
    add_within(encoded, sum_of_constant(sums, 0), (Interval){1, 1});
    return true;
  }
  add_bounds(encoded, map->dim_count, map->dims, variables->dims);
  add_bounds(encoded, map->range_count, map->ranges, variables->ranges);
  add_bounds(encoded, map->runtime_count, map->runtimes, variables->runtimes);
  Encoding work = {.sums = sums,
      .pool = context->pool,
      .variables = variables,
      .memo = memo_create(sums->arena),
      .error = error};
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    Sum sum;
    if (!encode_expr(&work, map->constraints[i].expr, &sum)) return false;
    add_within(encoded, sum, map->constraints[i].in);
  }
  for (uint32_t i = 0; i < map->result_count; i++) {
    if (!encode_expr(&work, map->results[i], &encoded->results[i])) return false;
  }
  encoded->result_count = map->result_count;
  return true;
}
