/* Prints maps and expressions. Summands and factors keep their order; nested factors get
 * parentheses, so that the text parses to the same handles. Constraints are sorted as strings.
 *
 * Nothing recurses: pieces to be written are on an explicit stack. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/map/text.h"

typedef enum PieceKind : uint8_t {
  PIECE_TEXT,
  PIECE_INTEGER,
  PIECE_EXPR,
  PIECE_FACTOR,
  PIECE_SUMMAND
} PieceKind;

static constexpr uint32_t all_of_it = UINT32_MAX;

typedef struct PrintPiece {
  PieceKind kind;
  uint32_t capacity; /* of an expression: how many of its nodes may be written, or all_of_it */
  union {
    const char *text;
    int64_t value;
    Expr expr;
  };
} PrintPiece;

typedef struct Printer {
  Text *text;
  const ExprPool *pool;
  const Map *map;
  const char **names; /* nullptr: by kind and index */
  MapStyle style;
  Expr whole; /* the expression that is being printed, and its capacity */
  uint32_t capacity;
  struct {
    uint32_t count, capacity;
    PrintPiece *items;
  } pieces;
} Printer;

static void print_variable(const Printer *printer, VarKind kind, uint32_t index) {
  assert(printer->map == nullptr || index < map_kind_count(printer->map, kind));
  if (printer->names != nullptr) {
    text_string(printer->text, printer->names[map_first_number(printer->map, kind) + index]);
    return;
  }
  text_string(printer->text, variable_prefix(kind));
  text_integer(printer->text, index);
}

static Printer printer_create(
    Text *text, const MapContext *context, const Map *map, MapStyle style) {
  bool has_names = map != nullptr && map_has_names(map);
  return (Printer){.text = text,
      .pool = context->pool,
      .map = map,
      .names = has_names ? map_names(text->arena, map) : nullptr,
      .style = style};
}

/* ---- expressions: a stack of pieces to be written, the next one on top ---- */

static PrintPiece *print_push(Printer *printer, PieceKind kind) {
  PrintPiece *piece = ARENA_PUSH(printer->text->arena, &printer->pieces);
  *piece = (PrintPiece){.kind = kind};
  return piece;
}

/* The capacity of a part: what the other parts leave, or half. */
static uint32_t capacity_for(const Printer *printer, Expr part) {
  uint32_t capacity = printer->capacity;
  if (capacity == all_of_it || part.at == printer->whole.at) return capacity;
  uint32_t size = expr_tree_size(printer->pool, part),
           others = expr_tree_size(printer->pool, printer->whole) - size;
  if (size + others <= capacity || size <= capacity / 2) return size;
  return others <= capacity / 2 ? capacity - others : capacity / 2;
}

static void push_text(Printer *printer, const char *text) {
  print_push(printer, PIECE_TEXT)->text = text;
}
static void push_expr(Printer *printer, PieceKind kind, Expr expr) {
  assert(expr.at > 0 && expr.at < printer->pool->count);
  PrintPiece *piece = print_push(printer, kind);
  piece->expr = expr;
  piece->capacity = capacity_for(printer, expr);
}
static void push_integer(Printer *printer, int64_t value) {
  print_push(printer, PIECE_INTEGER)->value = value;
}

static bool is_leaf(const ExprNode *node) { return node->op == EXPR_CONST || node->op == EXPR_VAR; }

static bool is_call(const ExprNode *node) { return node->op == EXPR_MIN || node->op == EXPR_MAX; }

static void print_factor(Printer *printer, Expr expr) {
  const ExprNode *node = expr_node(printer->pool, expr);
  bool bare = is_leaf(node) || is_call(node);
  if (!bare) push_text(printer, ")");
  push_expr(printer, PIECE_EXPR, expr);
  if (!bare) text_string(printer->text, "(");
}

static void print_negated(Printer *printer, Expr expr) {
  int64_t value;
  text_string(printer->text, "-");
  if (!expr_is_const(printer->pool, expr, &value)) {
    push_expr(printer, PIECE_FACTOR, expr);
    return;
  }
  text_string(printer->text, "(");
  text_integer(printer->text, value);
  text_string(printer->text, ")");
}

static const char *operator_text(const Printer *printer, ExprOp op) {
  return op == EXPR_FLOORDIV && printer->style == MAP_STYLE_XLA ? "/" : expr_op_text(op);
}

static void print_product(Printer *printer, const ExprNode *node) {
  int64_t value;
  if (node->op == EXPR_MUL && expr_is_const(printer->pool, node->right, &value) && value == -1) {
    print_negated(printer, node->left);
    return;
  }
  push_expr(printer, PIECE_FACTOR, node->right);
  push_text(printer, " ");
  push_text(printer, operator_text(printer, node->op));
  push_text(printer, " ");
  push_expr(printer, PIECE_FACTOR, node->left);
}

static void print_call(Printer *printer, const ExprNode *node) {
  text_string(printer->text, expr_op_text(node->op));
  text_string(printer->text, "(");
  push_text(printer, ")");
  push_expr(printer, PIECE_EXPR, node->right);
  push_text(printer, ", ");
  push_expr(printer, PIECE_EXPR, node->left);
}

/* True if a product by a negative constant prints as a subtraction. A product by -1 that the parser
 * would fold into another product prints with its own sign. */
static bool subtracts(const Printer *printer, const ExprNode *node, int64_t *value) {
  if (node->op != EXPR_MUL || !expr_is_const(printer->pool, node->right, value) || *value >= 0 ||
      *value == INT64_MIN)
    return false;
  const ExprNode *left = expr_node(printer->pool, node->left);
  bool folds = left->op == EXPR_CONST ||
               (left->op == EXPR_MUL && (expr_is_const(printer->pool, left->left, nullptr) ||
                                            expr_is_const(printer->pool, left->right, nullptr)));
  return *value < -1 || !folds;
}

/* A summand after a '+': negative constants, and products by negative constants, are subtracted. */
static void print_summand(Printer *printer, Expr expr) {
  const ExprNode node = *expr_node(printer->pool, expr);
  int64_t value;
  if (node.op == EXPR_CONST && node.value < 0 && node.value != INT64_MIN) {
    text_string(printer->text, " - ");
    text_integer(printer->text, -node.value);
    return;
  }
  bool minus = subtracts(printer, &node, &value);
  text_string(printer->text, minus ? " - " : " + ");
  if (!minus) {
    push_expr(printer, node.op == EXPR_ADD ? PIECE_FACTOR : PIECE_EXPR, expr);
    return;
  }
  if (value != -1) {
    push_integer(printer, -value);
    push_text(printer, " * ");
  }
  push_expr(printer, PIECE_FACTOR, node.left);
}

static void print_node(Printer *printer, Expr expr) {
  const ExprNode node = *expr_node(printer->pool, expr);
  switch (node.op) {
    case EXPR_CONST: text_integer(printer->text, node.value); return;
    case EXPR_VAR: print_variable(printer, node.var_kind, node.var_index); return;
    case EXPR_ADD:
      push_expr(printer, PIECE_SUMMAND, node.right);
      push_expr(printer, PIECE_EXPR, node.left);
      return;
    case EXPR_MUL:
    case EXPR_FLOORDIV:
    case EXPR_CEILDIV:
    case EXPR_MOD: print_product(printer, &node); return;
    case EXPR_MIN:
    case EXPR_MAX: print_call(printer, &node); return;
  }
}

static void print_piece(Printer *printer, const PrintPiece *piece) {
  if (piece->kind == PIECE_TEXT || piece->kind == PIECE_INTEGER) {
    if (piece->kind == PIECE_TEXT) text_string(printer->text, piece->text);
    else text_integer(printer->text, piece->value);
    return;
  }
  printer->whole = piece->expr;
  printer->capacity = piece->capacity;
  if (piece->capacity == 0) {
    text_string(printer->text, piece->kind == PIECE_SUMMAND ? " + ..." : "...");
    return;
  }
  switch (piece->kind) {
    case PIECE_TEXT:
    case PIECE_INTEGER: return;
    case PIECE_EXPR: print_node(printer, piece->expr); return;
    case PIECE_FACTOR: print_factor(printer, piece->expr); return;
    case PIECE_SUMMAND: print_summand(printer, piece->expr); return;
  }
}

static void print_part(Printer *printer, Expr expr, uint32_t capacity) {
  uint32_t below = printer->pieces.count;
  printer->whole = expr;
  printer->capacity = capacity;
  push_expr(printer, PIECE_EXPR, expr);
  while (printer->pieces.count > below) {
    PrintPiece piece = printer->pieces.items[--printer->pieces.count];
    print_piece(printer, &piece);
  }
}

static void print_expr(Printer *printer, Expr expr) { print_part(printer, expr, all_of_it); }

void expr_print(Text *text, const MapContext *context, const Map *map, Expr expr, MapStyle style) {
  Printer printer = printer_create(text, context, map, style);
  print_expr(&printer, expr);
}

void expr_print_short(
    Text *text, const MapContext *context, const Map *map, Expr expr, MapStyle style) {
  static constexpr uint32_t short_capacity = 200;
  Printer printer = printer_create(text, context, map, style);
  print_part(&printer, expr, short_capacity);
}

static void print_names(
    const Printer *printer, VarKind kind, uint32_t count, const char *open, const char *close) {
  text_string(printer->text, open);
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0) text_string(printer->text, ", ");
    print_variable(printer, kind, i);
  }
  text_string(printer->text, close);
}

static void print_limits(const Printer *printer, Interval interval) {
  text_string(printer->text, " [");
  text_integer(printer->text, interval.lo);
  text_string(printer->text, ", ");
  text_integer(printer->text, interval.hi);
  text_string(printer->text, "]");
}

static void print_interval(const Printer *printer, Interval interval) {
  text_string(printer->text, " in");
  print_limits(printer, interval);
}

static void print_separator(const Printer *printer, bool *first) {
  bool pretty = printer->style == MAP_STYLE_PRETTY;
  text_string(printer->text, *first ? (pretty ? "\n" : " ") : (pretty ? ",\n" : ", "));
  *first = false;
}

static void print_bounds(const Printer *printer, VarKind kind, bool *first) {
  for (uint32_t i = 0; i < map_kind_count(printer->map, kind); i++) {
    print_separator(printer, first);
    print_variable(printer, kind, i);
    print_interval(printer, map_variables(printer->map, kind)[i].bounds);
  }
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void print_constraints(Printer *printer, Arena *arena, bool *first) {
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
  if (map->constraint_count > 0 && printer->style != MAP_STYLE_STATED)
    qsort(lines, map->constraint_count, sizeof *lines, compare_texts);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    print_separator(printer, first);
    text_string(printer->text, lines[i]);
  }
}

/* The clamp is stated if it is not the bounds: the domain may leave out some of its values. */
static void print_clamp(const Printer *printer, uint32_t runtime) {
  Interval bounds = printer->map->runtimes[runtime].bounds,
           clamp = printer->map->sources[runtime].clamp;
  if (clamp.lo == bounds.lo && clamp.hi == bounds.hi) return;
  text_string(printer->text, " clamped to");
  print_limits(printer, clamp);
}

static void print_sources(const Printer *printer, const MapContext *context) {
  const Map *map = printer->map;
  if (map->sources == nullptr || map->runtime_count == 0) return;
  text_string(printer->text, "\nruntime variables:");
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    const char *name = map->sources[i].name;
    assert(name != nullptr || map->sources[i].index == nullptr);
    text_string(printer->text, "\n");
    print_variable(printer, VAR_RUNTIME, i);
    text_printf(printer->text, ": %s", name == nullptr ? "unknown" : name);
    print_clamp(printer, i);
    text_string(printer->text, "; ");
    if (map->sources[i].index == nullptr) text_string(printer->text, "UNDEFINED");
    else
      map_print(printer->text, context, map->sources[i].index,
          printer->style == MAP_STYLE_PRETTY ? MAP_STYLE_LINE : printer->style);
  }
}

static void print_results(Printer *printer) {
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
  assert(map_is_whole(context, map));
  Printer printer = printer_create(text, context, map, style);
  print_names(&printer, VAR_DIM, map->dim_count, "(", ")");
  if (map->range_count > 0) print_names(&printer, VAR_RANGE, map->range_count, "[", "]");
  if (map->runtime_count > 0) print_names(&printer, VAR_RUNTIME, map->runtime_count, "{", "}");
  print_results(&printer);
  if (map_variable_count(map) + map->constraint_count > 0) {
    text_string(text, style == MAP_STYLE_PRETTY ? ",\ndomain:" : ", domain:");
    bool first = true;
    print_bounds(&printer, VAR_DIM, &first);
    print_bounds(&printer, VAR_RANGE, &first);
    print_bounds(&printer, VAR_RUNTIME, &first);
    print_constraints(&printer, text->arena, &first);
  }
  print_sources(&printer, context);
}

const char *map_text(Arena *arena, const MapContext *context, const Map *map, MapStyle style) {
  Text text = text_create(arena);
  map_print(&text, context, map, style);
  return text.bytes;
}
