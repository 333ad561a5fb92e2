/* Expressions kept as they were stated, as atoms of the normal form: where collecting a sum would
 * take a coefficient or a constant out
 * of int64 though no value leaves it (d0 * 2^40 * 2^40 with d0 in [0, 0]).
 * Keeps: the operands of each +, *, min and max in one order, by structure alone, constants last,
 * and what is made of constants alone as
 * its value, no neutral operand; no value changes, and no value on the way. Asked for again when
 * the bounds have moved: then the expression may have become a sum.
 * Refuses trees of more than 2^16 nodes. Recursion is as deep as the expression, at most
 * expr_max_depth. */
#include "core/base/text.h"
#include "core/map/bounds.h"
#include "core/map/text.h"
#include "core/simplify/engine.h"

static int compare_integers(int64_t a, int64_t b) { return (a > b) - (a < b); }

/* Two different expressions differ within one path downwards: handles are shared. */
int stated_compare(const ExprPool *pool, Expr a, Expr b) {
  if (expr_same(a, b)) return 0;
  const ExprNode *x = expr_node(pool, a), *y = expr_node(pool, b);
  if (x->op != y->op) return x->op > y->op ? -1 : 1;
  if (x->op == EXPR_CONST) return compare_integers(x->value, y->value);
  if (x->op == EXPR_VAR)
    return x->var_kind != y->var_kind ? compare_integers(x->var_kind, y->var_kind)
                                      : compare_integers(x->var_index, y->var_index);
  return expr_same(x->left, y->left) ? stated_compare(pool, x->right, y->right)
                                     : stated_compare(pool, x->left, y->left);
}

static bool commutes(ExprOp op) {
  return op == EXPR_ADD || op == EXPR_MUL || op == EXPR_MIN || op == EXPR_MAX;
}

/* Two numbers are one, where the value fits; nothing is added, multiplied or divided by what
 * changes nothing. Numbers stand on the right. */
static Expr folded(ExprPool *pool, ExprOp op, Expr left, Expr right) {
  int64_t number, value;
  Expr expr = expr_binary(pool, op, left, right);
  if (!expr_is_const(pool, right, &number)) return expr;
  if (expr_is_const(pool, left, nullptr) && expr_evaluate(pool, expr, &(Point){}, &value))
    return expr_const(pool, value);
  bool is_left = (op == EXPR_ADD && number == 0) ||
                 ((op == EXPR_MUL || op == EXPR_FLOORDIV || op == EXPR_CEILDIV) && number == 1);
  return is_left ? left : expr;
}

Expr stated_sorted(ExprPool *pool, Memo *memo, Expr expr) {
  const ExprNode node = *expr_node(pool, expr);
  uint32_t known;
  if (node.op == EXPR_CONST || node.op == EXPR_VAR) return expr;
  if (memo_find(memo, expr, &known)) return (Expr){known};
  Expr left = stated_sorted(pool, memo, node.left), right = stated_sorted(pool, memo, node.right);
  bool exchange = commutes(node.op) && stated_compare(pool, left, right) > 0;
  Expr result = folded(pool, node.op, exchange ? right : left, exchange ? left : right);
  memo_insert(memo, expr, result.at);
  return result;
}

Sum *stated_sum(Simplifier *simplifier, Expr expr) {
  static constexpr uint32_t largest_tree = 1u << 16;
  MapContext *context = simplifier->context;
  if (expr_tree_size(context->pool, expr) > largest_tree) {
    simplifier->has_failed = true;
    return nullptr;
  }
  Memo memo = memo_create(context->arena);
  expr = stated_sorted(context->pool, &memo, expr);
  Text text = text_create(context->arena);
  expr_print(&text, context, nullptr, expr, MAP_STYLE_LINE);
  Sum *sum = sum_atom(
      atom_stated(&simplifier->normal, expr, text.bytes, expr_tree_size(context->pool, expr)));
  return simplifier->rules_off ? sum : rewrite_atom(simplifier, sum->items[0].atom);
}

static Variable *variables_of(Simplifier *simplifier, VarKind kind) {
  Variable *variables =
      ARENA_NEW(simplifier->context->arena, Variable, simplifier->variable_count[kind]);
  for (uint32_t i = 0; i < simplifier->variable_count[kind]; i++)
    variables[i].bounds = simplifier->bounds[kind][i];
  return variables;
}

bool stated_bounds(Simplifier *simplifier, const Atom *atom, Interval *bounds) {
  ArenaMark mark = arena_mark(simplifier->context->arena);
  const Map box = {.dim_count = simplifier->variable_count[VAR_DIM],
      .range_count = simplifier->variable_count[VAR_RANGE],
      .runtime_count = simplifier->variable_count[VAR_RUNTIME],
      .dims = variables_of(simplifier, VAR_DIM),
      .ranges = variables_of(simplifier, VAR_RANGE),
      .runtimes = variables_of(simplifier, VAR_RUNTIME)};
  bool fits = expr_bounds(simplifier->context, &box, atom->expr, bounds);
  arena_rewind(simplifier->context->arena, mark);
  return fits;
}
