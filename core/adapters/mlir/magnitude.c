/* Magnitudes bottom-up over shared nodes, in saturating unsigned 64 bits: a saturated magnitude
 * permits nothing. */
#include "core/adapters/mlir/magnitude.h"

#include <assert.h>
#include <stdckdint.h>

Magnitudes magnitudes_create(const MapContext *context, Arena *scratch, const Map *box) {
  return (Magnitudes){.context = context, .box = box, .positions = memo_create(scratch)};
}

static uint64_t magnitude_absolute(int64_t value) {
  return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}
static uint64_t magnitude_larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint64_t magnitude_sum(uint64_t a, uint64_t b) {
  uint64_t result;
  return ckd_add(&result, a, b) ? UINT64_MAX : result;
}

static uint64_t magnitude_product(uint64_t a, uint64_t b) {
  uint64_t result;
  return ckd_mul(&result, a, b) ? UINT64_MAX : result;
}

uint64_t magnitude_of_interval(Interval in) {
  return magnitude_larger(
      1, magnitude_larger(magnitude_absolute(in.lo), magnitude_absolute(in.hi)));
}

static uint64_t of_variable(const Map *box, const ExprNode *node) {
  if (box == nullptr) return 1;
  switch (node->var_kind) {
    case VAR_DIM:
      assert(node->var_index < box->dim_count);
      return magnitude_of_interval(box->dims[node->var_index].bounds);
    case VAR_RANGE:
      assert(node->var_index < box->range_count);
      return magnitude_of_interval(box->ranges[node->var_index].bounds);
    case VAR_RUNTIME:
      assert(node->var_index < box->runtime_count);
      return magnitude_of_interval(box->runtimes[node->var_index].bounds);
  }
  return UINT64_MAX;
}

static uint64_t of_operator(ExprOp op, uint64_t left, uint64_t right) {
  switch (op) {
    case EXPR_ADD: return magnitude_sum(left, right);
    case EXPR_MUL: return magnitude_product(left, right);
    case EXPR_FLOORDIV:
    case EXPR_CEILDIV: return magnitude_sum(left / magnitude_larger(right, 1), 1);
    case EXPR_MOD: return right;
    case EXPR_MIN:
    case EXPR_MAX: return magnitude_larger(left, right);
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  assert(false);
  return UINT64_MAX;
}

static Magnitude magnitude_remember(Magnitudes *known, Expr expr, uint64_t value, uint64_t peak) {
  Magnitude found = {.value = value, .peak = magnitude_larger(value, peak)};
  memo_insert(&known->positions, expr, known->count);
  *ARENA_PUSH(known->positions.arena, known) = found;
  return found;
}

Magnitude magnitude(Magnitudes *known, Expr expr) {
  uint32_t position;
  if (memo_find(&known->positions, expr, &position)) return known->items[position];
  ExprNode node = *expr_node(known->context->pool, expr);
  if (node.op == EXPR_CONST)
    return magnitude_remember(known, expr, magnitude_absolute(node.value), 1);
  if (node.op == EXPR_VAR)
    return magnitude_remember(known, expr, of_variable(known->box, &node), 1);
  assert(node.depth <= expr_max_depth);
  Magnitude left = magnitude(known, node.left), right = magnitude(known, node.right);
  return magnitude_remember(known, expr, of_operator(node.op, left.value, right.value),
      magnitude_larger(left.peak, right.peak));
}
