/* Prints maps by a tree walk: map_check limits the size of the trees. */
#include "smt/terms/map_text.h"

static void print_integer(Text *text, int64_t value) {
  if (value >= 0) text_integer(text, value);
  else text_printf(text, "(- %llu)", 0 - (unsigned long long)value);
}

static void print_expr(Text *text, const ExprPool *pool, Expr expr);

static void print_call(Text *text, const ExprPool *pool, const char *head, Expr left, Expr right) {
  text_printf(text, "(%s ", head);
  print_expr(text, pool, left);
  text_string(text, " ");
  print_expr(text, pool, right);
  text_string(text, ")");
}

/* ceildiv(x, c) = -floordiv(-x, c) */
static void print_ceildiv(Text *text, const ExprPool *pool, Expr left, Expr right) {
  text_string(text, "(- (div (- ");
  print_expr(text, pool, left);
  text_string(text, ") ");
  print_expr(text, pool, right);
  text_string(text, "))");
}

static void print_choice(
    Text *text, const ExprPool *pool, const char *relation, Expr left, Expr right) {
  text_string(text, "(let ((l ");
  print_expr(text, pool, left);
  text_string(text, ") (r ");
  print_expr(text, pool, right);
  text_printf(text, ")) (ite (%s l r) l r))", relation);
}

static void print_expr(Text *text, const ExprPool *pool, Expr expr) {
  const ExprNode *node = expr_node(pool, expr);
  switch (node->op) {
    case EXPR_CONST: print_integer(text, node->value); return;
    case EXPR_VAR:
      text_printf(text, "%s%u", variable_prefix(node->var_kind), node->var_index);
      return;
    case EXPR_ADD: print_call(text, pool, "+", node->left, node->right); return;
    case EXPR_MUL: print_call(text, pool, "*", node->left, node->right); return;
    case EXPR_FLOORDIV: print_call(text, pool, "div", node->left, node->right); return;
    case EXPR_MOD: print_call(text, pool, "mod", node->left, node->right); return;
    case EXPR_CEILDIV: print_ceildiv(text, pool, node->left, node->right); return;
    case EXPR_MIN: print_choice(text, pool, "<=", node->left, node->right); return;
    case EXPR_MAX: print_choice(text, pool, ">=", node->left, node->right); return;
  }
}

static void print_arguments(Text *text, const char *prefix, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) text_printf(text, "(%s%u Int)", prefix, i);
}

static void print_bounds(
    Text *text, const char *prefix, uint32_t count, const Variable *variables) {
  for (uint32_t i = 0; i < count; i++) {
    text_string(text, "\n    (<= ");
    print_integer(text, variables[i].bounds.lo);
    text_printf(text, " %s%u ", prefix, i);
    print_integer(text, variables[i].bounds.hi);
    text_string(text, ")");
  }
}

static void print_domain(Text *text, const ExprPool *pool, const Map *map) {
  print_bounds(text, "d", map->dim_count, map->dims);
  print_bounds(text, "s", map->range_count, map->ranges);
  print_bounds(text, "rt", map->runtime_count, map->runtimes);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    text_string(text, "\n    (<= ");
    print_integer(text, map->constraints[i].in.lo);
    text_string(text, " ");
    print_expr(text, pool, map->constraints[i].expr);
    text_string(text, " ");
    print_integer(text, map->constraints[i].in.hi);
    text_string(text, ")");
  }
}

static void print_body(Text *text, const ExprPool *pool, const Map *map, bool free_runtimes) {
  bool binds = map->range_count > 0 || (map->runtime_count > 0 && !free_runtimes);
  if (binds) {
    text_string(text, "(exists (");
    print_arguments(text, "s", map->range_count);
    if (!free_runtimes) print_arguments(text, "rt", map->runtime_count);
    text_string(text, ")\n  ");
  }
  text_string(text, "(and true");
  print_domain(text, pool, map);
  for (uint32_t i = 0; i < map->result_count; i++) {
    text_printf(text, "\n    (= e%u ", i);
    print_expr(text, pool, map->results[i]);
    text_string(text, ")");
  }
  text_string(text, binds ? "))" : ")");
}

static void print_name(Text *text, const char *name) {
  text_string(text, "|");
  for (; *name != 0; name++) text_append(text, *name == '|' || *name == '\\' ? "_" : name, 1);
  text_string(text, "|");
}

bool map_smtlib(Text *text, const MapContext *context, const char *name, const Map *map,
    bool free_runtimes, Error *error) {
  if (map->state == MAP_UNDEFINED)
    return error_set(error, ERROR_UNSUPPORTED, "%s: UNDEFINED denotes no relation", name);
  text_string(text, "(define-fun ");
  print_name(text, name);
  text_string(text, " (");
  print_arguments(text, "d", map->dim_count);
  if (free_runtimes) print_arguments(text, "rt", map->runtime_count);
  print_arguments(text, "e", map->result_count);
  text_string(text, ") Bool\n  ");
  if (map->state == MAP_KNOWN_EMPTY) text_string(text, "false");
  else print_body(text, context->pool, map, free_runtimes);
  text_string(text, ")\n");
  return true;
}
