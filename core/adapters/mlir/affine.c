/* Plans cuts bottom-up, then writes: the cuts inside a cut are written before it. The recursion for
 * planning and for finding cuts is as deep as the expression, at most expr_max_depth; for writing
 * one affine_map it is at most 64. */
#include "core/adapters/mlir/affine.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static constexpr uint32_t shared_size = 8, largest_size = 64;

AffineText affine_text_create(const MapContext *context, Arena *scratch, Text *text) {
  return (AffineText){.context = context,
      .scratch = scratch,
      .text = text,
      .uses = memo_create(scratch),
      .positions = memo_create(scratch),
      .values = memo_create(scratch)};
}

void affine_line(AffineText *affine, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(nullptr, 0, format, arguments);
  assert(length >= 0 && affine->text != nullptr);
  char *line = ARENA_NEW(affine->scratch, char, length + 1);
  vsnprintf(line, (size_t)length + 1, format, again);
  va_end(again);
  va_end(arguments);
  text_printf(affine->text, "\n%*s", affine->indent, "");
  text_append(affine->text, line, (size_t)length);
}

void affine_variable(Text *text, VarKind kind, uint32_t index) {
  text_printf(text, "%%%s%" PRIu32, variable_prefix(kind), index);
}

static ExprNode node_of(const AffineText *affine, Expr expr) {
  return *expr_node(affine->context->pool, expr);
}
static bool is_leaf(ExprNode node) { return node.op == EXPR_CONST || node.op == EXPR_VAR; }

void affine_count(AffineText *affine, Expr root) {
  uint32_t uses = 0;
  bool seen = memo_find(&affine->uses, root, &uses);
  memo_insert(&affine->uses, root, uses + 1);
  ExprNode node = node_of(affine, root);
  if (seen || is_leaf(node)) return;
  affine_count(affine, node.left);
  affine_count(affine, node.right);
}

static AffineCut cut_of(
    ExprOp op, AffinePlan left, AffinePlan right, uint32_t uses, uint32_t size) {
  if (op == EXPR_MIN) return CUT_MIN;
  if (op == EXPR_MAX) return CUT_MAX;
  if (op == EXPR_MUL && !left.is_constant && !right.is_constant) return CUT_PRODUCT;
  if (size > largest_size || (uses > 1 && size >= shared_size)) return CUT_APPLY;
  return CUT_NONE;
}

static AffinePlan plan_leaf(ExprNode node) {
  return (AffinePlan){
      .is_affine = true, .is_constant = node.op == EXPR_CONST, .size = 1, .tree_size = 1};
}

static uint32_t tree_sum(uint32_t left, uint32_t right) {
  uint64_t nodes = UINT64_C(1) + left + right;
  return nodes > UINT32_MAX ? UINT32_MAX : (uint32_t)nodes;
}

static uint32_t size_seen(AffinePlan plan) { return plan.cut == CUT_NONE ? plan.size : 1; }

static AffinePlan plan(AffineText *affine, Expr expr) {
  uint32_t position, uses = 1;
  if (memo_find(&affine->positions, expr, &position)) return affine->items[position];
  ExprNode node = node_of(affine, expr);
  AffinePlan made = plan_leaf(node);
  if (!is_leaf(node)) {
    AffinePlan left = plan(affine, node.left), right = plan(affine, node.right);
    (void)memo_find(&affine->uses, expr, &uses);
    made.size = 1 + size_seen(left) + size_seen(right);
    made.tree_size = tree_sum(left.tree_size, right.tree_size);
    made.cut = cut_of(node.op, left, right, uses, made.size);
    made.has_cut = made.cut != CUT_NONE || left.has_cut || right.has_cut;
    made.is_constant = made.cut == CUT_NONE && left.is_constant && right.is_constant;
    made.is_affine =
        (made.cut == CUT_NONE || made.cut == CUT_APPLY) && left.is_affine && right.is_affine;
  }
  memo_insert(&affine->positions, expr, affine->count);
  *ARENA_PUSH(affine->scratch, affine) = made;
  return made;
}

uint32_t affine_tree_size(AffineText *affine, Expr expr) { return plan(affine, expr).tree_size; }

bool affine_is_pure(AffineText *affine, Expr expr) {
  AffinePlan planned = plan(affine, expr);
  return planned.is_affine && planned.tree_size <= largest_size;
}

/* A constant is always written out, because MLIR requires one side of a product to be visibly
 * constant. */
static bool is_operand(AffineText *affine, Expr expr) {
  uint32_t value;
  if (node_of(affine, expr).op == EXPR_VAR) return true;
  return !affine->variables_only && !plan(affine, expr).is_constant &&
         memo_find(&affine->values, expr, &value);
}

static uint32_t operand_position(AffineText *affine, AffineOperands *operands, Expr expr) {
  for (uint32_t i = 0; i < operands->count; i++)
    if (expr_same(operands->items[i], expr)) return i;
  *ARENA_PUSH(affine->scratch, operands) = expr;
  return operands->count - 1;
}

static const char *affine_operator(ExprOp op) {
  switch (op) {
    case EXPR_ADD: return "+";
    case EXPR_MUL: return "*";
    case EXPR_FLOORDIV: return "floordiv";
    case EXPR_CEILDIV: return "ceildiv";
    case EXPR_MOD: return "mod";
    case EXPR_MIN:
    case EXPR_MAX:
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  assert(false);
  return nullptr;
}

static void write_side(AffineText *affine, Text *text, AffineOperands *operands, Expr expr) {
  bool plain = is_leaf(node_of(affine, expr)) || is_operand(affine, expr);
  if (!plain) text_string(text, "(");
  affine_expression(affine, text, operands, expr);
  if (!plain) text_string(text, ")");
}

static void write_constant(Text *text, int64_t value) {
  assert(value > INT64_MIN);
  text_printf(text, value < 0 ? "(%" PRId64 ")" : "%" PRId64, value);
}

static void write_operation(
    AffineText *affine, Text *text, AffineOperands *operands, ExprNode node) {
  write_side(affine, text, operands, node.left);
  text_printf(text, " %s ", affine_operator(node.op));
  write_side(affine, text, operands, node.right);
}

void affine_expression(AffineText *affine, Text *text, AffineOperands *operands, Expr expr) {
  ExprNode node = node_of(affine, expr);
  if (node.op == EXPR_CONST) write_constant(text, node.value);
  else if (is_operand(affine, expr))
    text_printf(text, "d%" PRIu32, operand_position(affine, operands, expr));
  else write_operation(affine, text, operands, node);
}

void affine_parameters(Text *text, const AffineOperands *operands) {
  text_string(text, "(");
  for (uint32_t i = 0; i < operands->count; i++)
    text_printf(text, "%sd%" PRIu32, i == 0 ? "" : ", ", i);
  text_string(text, ")");
}

void affine_arguments(const AffineText *affine, Text *text, const AffineOperands *operands) {
  text_string(text, "(");
  for (uint32_t i = 0; i < operands->count; i++) {
    ExprNode node = node_of(affine, operands->items[i]);
    uint32_t value = 0;
    if (i > 0) text_string(text, ", ");
    if (node.op == EXPR_VAR) affine_variable(text, node.var_kind, node.var_index);
    else if (memo_find(&affine->values, operands->items[i], &value))
      text_printf(text, "%%v%" PRIu32, value);
    else assert(false);
  }
  text_string(text, ")");
}

/* Writes `affine.min affine_map<(d0) -> (d0, 5)>(%d0)` and the like: one map with `count` results,
 * then its operands. */
static uint32_t affine_write_map(
    AffineText *affine, const char *operation, uint32_t count, const Expr *results) {
  AffineOperands operands = {};
  Text body = text_create(affine->scratch);
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0) text_string(&body, ", ");
    affine_expression(affine, &body, &operands, results[i]);
  }
  uint32_t value = affine->next_value++;
  affine_line(affine, "%%v%" PRIu32 " = %s affine_map<", value, operation);
  affine_parameters(affine->text, &operands);
  text_printf(affine->text, " -> (%s)>", body.bytes);
  affine_arguments(affine, affine->text, &operands);
  return value;
}

static void write_cuts(AffineText *affine, Expr expr);

static uint32_t write_product(AffineText *affine, ExprNode node) {
  assert(node.op == EXPR_MUL);
  uint32_t left = affine_value(affine, node.left), right = affine_value(affine, node.right);
  uint32_t value = affine->next_value++;
  affine_line(affine, "%%v%" PRIu32 " = arith.muli %%v%" PRIu32 ", %%v%" PRIu32 " : index", value,
      left, right);
  return value;
}

static uint32_t write_value(AffineText *affine, Expr expr) {
  ExprNode node = node_of(affine, expr);
  AffineCut cut = plan(affine, expr).cut;
  if (cut == CUT_PRODUCT) return write_product(affine, node);
  if (!is_leaf(node)) {
    write_cuts(affine, node.left);
    write_cuts(affine, node.right);
  }
  switch (cut) {
    case CUT_MIN:
      return affine_write_map(affine, "affine.min", 2, (const Expr[]){node.left, node.right});
    case CUT_MAX:
      return affine_write_map(affine, "affine.max", 2, (const Expr[]){node.left, node.right});
    case CUT_PRODUCT:
    case CUT_APPLY:
    case CUT_NONE: break;
  }
  return affine_write_map(affine, "affine.apply", 1, &expr);
}

uint32_t affine_value(AffineText *affine, Expr expr) {
  uint32_t value;
  if (memo_find(&affine->values, expr, &value)) return value;
  value = write_value(affine, expr);
  memo_insert(&affine->values, expr, value);
  return value;
}

static void write_cuts(AffineText *affine, Expr expr) {
  ExprNode node = node_of(affine, expr);
  AffinePlan planned = plan(affine, expr);
  if (planned.cut != CUT_NONE) (void)affine_value(affine, expr);
  else if (planned.has_cut) {
    write_cuts(affine, node.left);
    write_cuts(affine, node.right);
  }
}
