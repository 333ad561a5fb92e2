/* Evaluates a map at one point in 128 bits: bounds, constraints, results, in that order. Shared
 * nodes are evaluated once. Recursion is as deep as the expression, at most expr_max_depth. */
#include "smt/solver/confirm.h"

#include <assert.h>

#include "core/expr/memo.h"
#include "smt/terms/polynomial.h"

typedef struct ConfirmEvaluation {
  const ExprPool *pool;
  const Map *map;
  const Wide *values;
  Memo memo; /* expression to position in `known` */
  struct {
    Wide *items;
    uint32_t count, capacity;
  } known;
  bool left_int64;
} ConfirmEvaluation;

static Wide variable_value(const ConfirmEvaluation *work, const ExprNode *node) {
  switch (node->var_kind) {
    case VAR_DIM: return work->values[node->var_index];
    case VAR_RANGE: return work->values[work->map->dim_count + node->var_index];
    case VAR_RUNTIME:
      return work->values[map_first_number(work->map, VAR_RUNTIME) + node->var_index];
  }
  unreachable();
}

/* (x - x mod c) / c, an exact division. */
static Wide divide_down(Wide x, Wide c) {
  Wide remainder = x % c;
  if (remainder < 0) remainder += c;
  return (x - remainder) / c;
}

static bool confirm_apply(ExprOp op, Wide x, Wide y, Wide *value) {
  static constexpr Wide capacity = (Wide)1 << 120;
  if (x <= -capacity || x >= capacity) return false;
  switch (op) {
    case EXPR_CONST:
    case EXPR_VAR: unreachable();
    case EXPR_ADD: return !__builtin_add_overflow(x, y, value);
    case EXPR_MUL: return !__builtin_mul_overflow(x, y, value);
    case EXPR_FLOORDIV:
      if (y > 0) *value = divide_down(x, y);
      return y > 0;
    case EXPR_CEILDIV:
      if (y > 0) *value = -divide_down(-x, y);
      return y > 0;
    case EXPR_MOD:
      if (y > 0) *value = x - y * divide_down(x, y);
      return y > 0;
    case EXPR_MIN: *value = x < y ? x : y; return true;
    case EXPR_MAX: *value = x > y ? x : y; return true;
  }
  unreachable();
}

static bool confirm_evaluate(ConfirmEvaluation *work, Arena *arena, Expr expr, Wide *value) {
  ExprNode node = *expr_node(work->pool, expr);
  uint32_t at;
  Wide left, right;
  if (memo_find(&work->memo, expr, &at)) {
    assert(at < work->known.count);
    *value = work->known.items[at];
    return true;
  }
  if (node.op == EXPR_CONST) {
    *value = node.value;
  } else if (node.op == EXPR_VAR) {
    *value = variable_value(work, &node);
  } else {
    if (!confirm_evaluate(work, arena, node.left, &left) ||
        !confirm_evaluate(work, arena, node.right, &right))
      return false;
    if (!confirm_apply(node.op, left, right, value)) return false;
  }
  if (*value < INT64_MIN || *value > INT64_MAX) work->left_int64 = true;
  memo_insert(&work->memo, expr, work->known.count);
  *ARENA_PUSH(arena, &work->known) = *value;
  return true;
}

static bool in_bounds(const Map *map, const Wide *values) {
  for (uint32_t i = 0; i < map->dim_count; i++, values++)
    if (*values < map->dims[i].bounds.lo || *values > map->dims[i].bounds.hi) return false;
  for (uint32_t i = 0; i < map->range_count; i++, values++)
    if (*values < map->ranges[i].bounds.lo || *values > map->ranges[i].bounds.hi) return false;
  for (uint32_t i = 0; i < map->runtime_count; i++, values++)
    if (*values < map->runtimes[i].bounds.lo || *values > map->runtimes[i].bounds.hi) return false;
  return true;
}

static ConfirmEvaluation confirm_begin(
    Arena *scratch, const MapContext *context, const Map *map, const Wide *values) {
  return (ConfirmEvaluation){
      .pool = context->pool, .map = map, .values = values, .memo = memo_create(scratch)};
}

bool confirm_expr(Arena *scratch, const MapContext *context, const Map *map, Expr expr,
    const Wide *values, Wide *value, bool *left_int64) {
  ConfirmEvaluation work = confirm_begin(scratch, context, map, values);
  bool defined = confirm_evaluate(&work, scratch, expr, value);
  *left_int64 = work.left_int64;
  return defined;
}

Replayed confirm_map(
    Arena *scratch, const MapContext *context, const Map *map, const Wide *values) {
  Replayed replayed = {
      .state = REPLAY_OUTSIDE, .results = ARENA_NEW(scratch, Wide, map->result_count)};
  if (map->state != MAP_PLAIN || !in_bounds(map, values)) return replayed;
  ConfirmEvaluation work = confirm_begin(scratch, context, map, values);
  bool inside = true, defined = true;
  for (uint32_t i = 0; i < map->constraint_count && inside && defined; i++) {
    Wide value;
    defined = confirm_evaluate(&work, scratch, map->constraints[i].expr, &value);
    inside = defined && map->constraints[i].in.lo <= value && value <= map->constraints[i].in.hi;
  }
  for (uint32_t i = 0; i < map->result_count && inside && defined; i++)
    defined = confirm_evaluate(&work, scratch, map->results[i], &replayed.results[i]);
  replayed.state = !defined ? REPLAY_FAILED : inside ? REPLAY_INSIDE : REPLAY_OUTSIDE;
  replayed.left_int64 = work.left_int64;
  return replayed;
}

Bindings wide_bindings(Arena *arena, const Map *map, const Wide *values) {
  Bindings bindings = {};
  for (uint32_t i = 0; i < map_variable_count(map); i++) {
    Text value = text_create(arena);
    wide_print(&value, values[i]);
    bindings_text(arena, &bindings, map_variable_name(arena, map, i), value.bytes);
  }
  return bindings;
}

void text_replayed(Text *text, const Map *map, const Replayed *replayed) {
  if (replayed->state == REPLAY_OUTSIDE) text_string(text, "outside the domain");
  if (replayed->state == REPLAY_FAILED) text_string(text, "no value");
  if (replayed->state != REPLAY_INSIDE) return;
  text_string(text, "(");
  for (uint32_t i = 0; i < map->result_count; i++) {
    if (i != 0) text_string(text, ", ");
    wide_print(text, replayed->results[i]);
  }
  text_string(text, replayed->left_int64 ? ") leaving int64" : ")");
}
