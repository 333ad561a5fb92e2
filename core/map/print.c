/* Maps and expressions as text. Summands and factors print in the order in which they stand; nested factors get parentheses, so
 * that the text reads back to the same handles. Constraints are sorted as strings.
 * Recursion is as deep as the expression, at most expr_max_depth. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/map/text.h"

typedef struct Printer {
  Text *text;
  const ExprPool *pool;
  const Map *map;
  MapStyle style;
} Printer;

static const char *const prefixes[] = {[VAR_DIM] = "d", [VAR_RANGE] = "s", [VAR_RUNTIME] = "rt"};

static void print_variable(const Printer *printer, VarKind kind, uint32_t index) {
  const char *name = nullptr;
  if (printer->map != nullptr) {
    const Variable *variables = kind == VAR_DIM     ? printer->map->dims
                                : kind == VAR_RANGE ? printer->map->ranges
                                                    : printer->map->runtimes;
    name = variables[index].name;
  }
  if (name != nullptr) {
    text_string(printer->text, name);
    return;
  }
  text_string(printer->text, prefixes[kind]);
  text_integer(printer->text, index);
}

static void print_expr(const Printer *printer, Expr expr);

static bool is_leaf(const ExprNode *node) { return node->op == EXPR_CONST || node->op == EXPR_VAR; }

static bool is_call(const ExprNode *node) { return node->op == EXPR_MIN || node->op == EXPR_MAX; }

static void print_factor(const Printer *printer, Expr expr) {
  const ExprNode *node = expr_node(printer->pool, expr);
  if (is_leaf(node) || is_call(node)) {
    print_expr(printer, expr);
    return;
  }
  text_string(printer->text, "(");
  print_expr(printer, expr);
  text_string(printer->text, ")");
}

static void print_negated(const Printer *printer, Expr expr) {
  int64_t value;
  text_string(printer->text, "-");
  if (!expr_is_const(printer->pool, expr, &value)) {
    print_factor(printer, expr);
    return;
  }
  text_string(printer->text, "(");
  text_integer(printer->text, value);
  text_string(printer->text, ")");
}

static void print_product(const Printer *printer, const ExprNode *node) {
  int64_t value;
  if (node->op == EXPR_MUL && expr_is_const(printer->pool, node->right, &value) && value == -1) {
    print_negated(printer, node->left);
    return;
  }
  print_factor(printer, node->left);
  bool slash = node->op == EXPR_FLOORDIV && printer->style == MAP_STYLE_XLA;
  text_string(printer->text, " ");
  text_string(printer->text, slash ? "/" : expr_op_text(node->op));
  text_string(printer->text, " ");
  print_factor(printer, node->right);
}

static void print_call(const Printer *printer, const ExprNode *node) {
  text_string(printer->text, expr_op_text(node->op));
  text_string(printer->text, "(");
  print_expr(printer, node->left);
  text_string(printer->text, ", ");
  print_expr(printer, node->right);
  text_string(printer->text, ")");
}

/* A summand behind a '+': negative constants, and products by negative constants, are subtracted. What the parser would fold
 * into another product keeps its own sign. */
static void print_summand(const Printer *printer, Expr expr) {
  const ExprNode node = *expr_node(printer->pool, expr);
  int64_t value;
  bool negative = node.op == EXPR_CONST && node.value < 0 && node.value != INT64_MIN;
  if (negative) {
    text_string(printer->text, " - ");
    text_integer(printer->text, -node.value);
    return;
  }
  if (node.op == EXPR_MUL && expr_is_const(printer->pool, node.right, &value) && value < 0 && value != INT64_MIN) {
    const ExprNode *left = expr_node(printer->pool, node.left);
    bool folds = left->op == EXPR_CONST || (left->op == EXPR_MUL && expr_is_const(printer->pool, left->right, nullptr));
    if (value < -1 || !folds) {
      text_string(printer->text, " - ");
      print_factor(printer, node.left);
      if (value != -1) text_printf(printer->text, " * %lld", (long long)-value);
      return;
    }
  }
  text_string(printer->text, " + ");
  if (node.op == EXPR_ADD)
    print_factor(printer, expr);
  else
    print_expr(printer, expr);
}

static void print_expr(const Printer *printer, Expr expr) {
  const ExprNode node = *expr_node(printer->pool, expr);
  switch (node.op) {
    case EXPR_CONST: text_integer(printer->text, node.value); return;
    case EXPR_VAR: print_variable(printer, node.var_kind, node.var_index); return;
    case EXPR_ADD:
      print_expr(printer, node.left);
      print_summand(printer, node.right);
      return;
    case EXPR_MUL:
    case EXPR_FLOORDIV:
    case EXPR_CEILDIV:
    case EXPR_MOD: print_product(printer, &node); return;
    case EXPR_MIN:
    case EXPR_MAX: print_call(printer, &node); return;
  }
}

void expr_print(Text *text, const MapContext *context, const Map *map, Expr expr, MapStyle style) {
  Printer printer = {.text = text, .pool = context->pool, .map = map, .style = style};
  print_expr(&printer, expr);
}

static void print_names(const Printer *printer, VarKind kind, uint32_t count, const char *open, const char *close) {
  text_string(printer->text, open);
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0) text_string(printer->text, ", ");
    print_variable(printer, kind, i);
  }
  text_string(printer->text, close);
}

static void print_interval(const Printer *printer, Interval interval) {
  text_string(printer->text, " in [");
  text_integer(printer->text, interval.lo);
  text_string(printer->text, ", ");
  text_integer(printer->text, interval.hi);
  text_string(printer->text, "]");
}

static void print_separator(const Printer *printer, bool *first) {
  bool pretty = printer->style == MAP_STYLE_PRETTY;
  text_string(printer->text, *first ? (pretty ? "\n" : " ") : (pretty ? ",\n" : ", "));
  *first = false;
}

static void print_bounds(const Printer *printer, VarKind kind, uint32_t count, const Variable *variables, bool *first) {
  for (uint32_t i = 0; i < count; i++) {
    print_separator(printer, first);
    print_variable(printer, kind, i);
    print_interval(printer, variables[i].bounds);
  }
}

static int compare_texts(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void print_constraints(const Printer *printer, Arena *arena, bool *first) {
  const Map *map = printer->map;
  char **lines = ARENA_NEW(arena, char *, map->constraint_count);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    Text line = text_create(arena);
    Printer inner = *printer;
    inner.text = &line;
    print_expr(&inner, map->constraints[i].expr);
    print_interval(&inner, map->constraints[i].in);
    lines[i] = line.bytes;
  }
  if (map->constraint_count > 0) qsort(lines, map->constraint_count, sizeof *lines, compare_texts);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    print_separator(printer, first);
    text_string(printer->text, lines[i]);
  }
}

static void print_sources(const Printer *printer, const MapContext *context) {
  const Map *map = printer->map;
  if (map->sources == nullptr || map->runtime_count == 0) return;
  text_string(printer->text, "\nruntime variables:");
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    text_string(printer->text, "\n");
    print_variable(printer, VAR_RUNTIME, i);
    text_printf(printer->text, ": %s; ", map->sources[i].name);
    if (map->sources[i].index == nullptr)
      text_string(printer->text, "UNDEFINED");
    else
      map_print(printer->text, context, map->sources[i].index,
                printer->style == MAP_STYLE_PRETTY ? MAP_STYLE_LINE : printer->style);
  }
}

static void print_results(const Printer *printer) {
  text_string(printer->text, " -> (");
  for (uint32_t i = 0; i < printer->map->result_count; i++) {
    if (i > 0) text_string(printer->text, ", ");
    print_expr(printer, printer->map->results[i]);
  }
  text_string(printer->text, ")");
}

void map_print(Text *text, const MapContext *context, const Map *map, MapStyle style) {
  if (map->state != MAP_PLAIN) {
    text_string(text, map->state == MAP_UNDEFINED ? "UNDEFINED" : "KNOWN EMPTY");
    return;
  }
  Printer printer = {.text = text, .pool = context->pool, .map = map, .style = style};
  print_names(&printer, VAR_DIM, map->dim_count, "(", ")");
  if (map->range_count > 0) print_names(&printer, VAR_RANGE, map->range_count, "[", "]");
  if (map->runtime_count > 0) print_names(&printer, VAR_RUNTIME, map->runtime_count, "{", "}");
  print_results(&printer);
  if (map->dim_count + map->range_count + map->runtime_count + map->constraint_count > 0) {
    text_string(text, style == MAP_STYLE_PRETTY ? ",\ndomain:" : ", domain:");
    bool first = true;
    print_bounds(&printer, VAR_DIM, map->dim_count, map->dims, &first);
    print_bounds(&printer, VAR_RANGE, map->range_count, map->ranges, &first);
    print_bounds(&printer, VAR_RUNTIME, map->runtime_count, map->runtimes, &first);
    print_constraints(&printer, text->arena, &first);
  }
  print_sources(&printer, context);
}
