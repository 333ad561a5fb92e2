/* Collects linear terms. The recursion is as deep as the expression, at most expr_max_depth. */
#include "core/index/ops/terms.h"

static void add_term(Build *build, LinearTerms *terms, Expr atom, int64_t coefficient) {
  for (uint32_t i = 0; i < terms->count; i++) {
    if (!expr_same(terms->items[i].atom, atom)) continue;
    terms->items[i].coefficient = build_sum(build, terms->items[i].coefficient, coefficient);
    return;
  }
  *ARENA_PUSH(build->context->arena, terms) = (LinearTerm){atom, coefficient};
}

static void terms_collect(Build *build, LinearTerms *terms, Expr expr, int64_t factor) {
  const ExprNode node = *expr_node(build->context->pool, expr);
  int64_t value;
  if (node.op == EXPR_CONST) {
    terms->constant = build_sum(build, terms->constant, build_product(build, node.value, factor));
  } else if (node.op == EXPR_ADD) {
    terms_collect(build, terms, node.left, factor);
    terms_collect(build, terms, node.right, factor);
  } else if (node.op == EXPR_MUL && expr_is_const(build->context->pool, node.right, &value)) {
    terms_collect(build, terms, node.left, build_product(build, factor, value));
  } else {
    add_term(build, terms, expr, factor);
  }
}

LinearTerms terms_of(Build *build, Expr expr) {
  LinearTerms terms = {};
  terms_collect(build, &terms, expr, 1);
  return terms;
}

Expr terms_expr(Build *build, const LinearTerms *terms, uint32_t left_out, int64_t factor) {
  Expr sum = build_const(build, 0);
  for (uint32_t i = 0; i < terms->count; i++) {
    if (i == left_out) continue;
    int64_t coefficient = build_product(build, terms->items[i].coefficient, factor);
    sum = build_plus(build, sum, build_times(build, terms->items[i].atom, coefficient));
  }
  return build_plus_const(build, sum, build_product(build, terms->constant, factor));
}
