/* Expressions by recursive descent; sums and products run in loops, so only parentheses, min, max and unary minus nest.
 * `a - b` is a + b * -1, where the -1 goes into a constant factor of b; `-7` is a constant. Raw: nothing else is folded. */
#include <inttypes.h>
#include <string.h>

#include "core/base/checked.h"
#include "core/map/parse.h"
#include "core/map/text.h"

bool parse_fail(MapParser *parser, const char *what) {
  const MapLexer *lexer = &parser->lexer;
  if (lexer->token == TOKEN_END)
    return error_at(parser->error, ERROR_INPUT, lexer->source, lexer->at, 1, "expected %s, and the text ends", what);
  return error_at(parser->error, ERROR_INPUT, lexer->source, lexer->at, lexer->length, "expected %s", what);
}

bool parse_accept(MapParser *parser, MapToken token) {
  if (parser->lexer.token != token) return false;
  map_lexer_next(&parser->lexer);
  return true;
}

bool parse_expect(MapParser *parser, MapToken token, const char *what) {
  return parse_accept(parser, token) || parse_fail(parser, what);
}

static bool parse_magnitude(MapParser *parser, bool negative, int64_t *value) {
  const MapLexer *lexer = &parser->lexer;
  if (lexer->token != TOKEN_NUMBER) return parse_fail(parser, "an integer");
  int64_t total = 0;
  for (size_t i = 0; i < lexer->length; i++) {
    int64_t digit = lexer->source->text[lexer->at + i] - '0';
    if (!mul64(total, 10, &total) || !add64(total, negative ? -digit : digit, &total))
      return error_at(parser->error, ERROR_OVERFLOW, lexer->source, lexer->at, lexer->length,
                      "the integer leaves int64");
  }
  map_lexer_next(&parser->lexer);
  *value = total;
  return true;
}

bool parse_integer(MapParser *parser, int64_t *value) {
  bool negative = parse_accept(parser, TOKEN_MINUS);
  return parse_magnitude(parser, negative, value);
}

static bool make(MapParser *parser, ExprOp op, Expr left, Expr right, Expr *expr) {
  const ExprPool *pool = parser->context->pool;
  if (expr_node(pool, left)->depth >= expr_max_depth || expr_node(pool, right)->depth >= expr_max_depth)
    return error_at(parser->error, ERROR_LIMIT, parser->lexer.source, parser->lexer.at, 1,
                    "the expression is nested deeper than %u", expr_max_depth);
  *expr = expr_binary(parser->context->pool, op, left, right);
  return true;
}

static bool open_variable(const MapLexer *lexer, VarKind *kind, uint32_t *index) {
  const char *text = lexer->source->text + lexer->at;
  size_t letters = text[0] == 'r' && lexer->length > 1 && text[1] == 't' ? 2 : 1;
  if (letters == 1 && text[0] != 'd' && text[0] != 's') return false;
  *kind = letters == 2 ? VAR_RUNTIME : text[0] == 'd' ? VAR_DIM : VAR_RANGE;
  if (lexer->length == letters || lexer->length > letters + 6) return false;
  *index = 0;
  for (size_t i = letters; i < lexer->length; i++) {
    if (text[i] < '0' || text[i] > '9') return false;
    *index = 10 * *index + (uint32_t)(text[i] - '0');
  }
  return true;
}

static bool parse_variable(MapParser *parser, Expr *expr) {
  const MapLexer *lexer = &parser->lexer;
  VarKind kind;
  uint32_t index;
  const Name *name = parse_lookup(parser, lexer->at, lexer->length);
  if (name != nullptr) {
    kind = name->kind;
    index = name->index;
  } else if (!parser->open_names || !open_variable(lexer, &kind, &index)) {
    return error_at(parser->error, ERROR_INPUT, lexer->source, lexer->at, lexer->length, "unknown name '%.*s'",
                    (int)(lexer->length < 80 ? lexer->length : 80), lexer->source->text + lexer->at);
  }
  *expr = expr_var(parser->context->pool, kind, index);
  map_lexer_next(&parser->lexer);
  return true;
}

static bool parse_min_max(MapParser *parser, ExprOp op, Expr *expr) {
  Expr left, right;
  map_lexer_next(&parser->lexer);
  return parse_expect(parser, TOKEN_OPEN, "'('") && parse_expr(parser, &left) &&
         parse_expect(parser, TOKEN_COMMA, "','") && parse_expr(parser, &right) &&
         parse_expect(parser, TOKEN_CLOSE, "')'") && make(parser, op, left, right, expr);
}

static bool parse_factor(MapParser *parser, Expr *expr);

static bool parse_minus(MapParser *parser, Expr *expr) {
  map_lexer_next(&parser->lexer);
  if (parser->lexer.token == TOKEN_NUMBER) {
    int64_t value;
    if (!parse_magnitude(parser, true, &value)) return false;
    *expr = expr_const(parser->context->pool, value);
    return true;
  }
  Expr inner;
  return parse_factor(parser, &inner) &&
         make(parser, EXPR_MUL, inner, expr_const(parser->context->pool, -1), expr);
}

static bool parse_nested(MapParser *parser, Expr *expr) {
  const MapLexer *lexer = &parser->lexer;
  if (lexer->token == TOKEN_MINUS) return parse_minus(parser, expr);
  if (parse_accept(parser, TOKEN_OPEN)) return parse_expr(parser, expr) && parse_expect(parser, TOKEN_CLOSE, "')'");
  if (map_lexer_peek(lexer) == '(' && map_lexer_is_word(lexer, "min")) return parse_min_max(parser, EXPR_MIN, expr);
  if (map_lexer_peek(lexer) == '(' && map_lexer_is_word(lexer, "max")) return parse_min_max(parser, EXPR_MAX, expr);
  if (lexer->token == TOKEN_NAME) return parse_variable(parser, expr);
  return parse_fail(parser, "an expression");
}

static bool parse_factor(MapParser *parser, Expr *expr) {
  if (parser->lexer.token == TOKEN_NUMBER) {
    int64_t value;
    if (!parse_magnitude(parser, false, &value)) return false;
    *expr = expr_const(parser->context->pool, value);
    return true;
  }
  if (++parser->nesting > map_max_nesting)
    return error_at(parser->error, ERROR_LIMIT, parser->lexer.source, parser->lexer.at, 1,
                    "parentheses are nested deeper than %u", map_max_nesting);
  bool parsed = parse_nested(parser, expr);
  parser->nesting--;
  return parsed;
}

/* The operator at the current token, if it is one of a product. */
static bool product_operator(const MapLexer *lexer, ExprOp *op) {
  if (lexer->token == TOKEN_STAR) *op = EXPR_MUL;
  else if (lexer->token == TOKEN_SLASH || map_lexer_is_word(lexer, "floordiv") || map_lexer_is_word(lexer, "floorDiv")) *op = EXPR_FLOORDIV;
  else if (map_lexer_is_word(lexer, "ceildiv") || map_lexer_is_word(lexer, "ceilDiv")) *op = EXPR_CEILDIV;
  else if (map_lexer_is_word(lexer, "mod")) *op = EXPR_MOD;
  else return false;
  return true;
}

static bool check_divisor(MapParser *parser, ExprOp op, Expr divisor, size_t at, size_t end) {
  int64_t value;
  if (op == EXPR_MUL || (expr_is_const(parser->context->pool, divisor, &value) && value > 0)) return true;
  return error_at(parser->error, ERROR_INPUT, parser->lexer.source, at, end - at,
                  "the divisor of %s must be a positive constant", expr_op_text(op));
}

static bool parse_term(MapParser *parser, Expr *expr) {
  if (!parse_factor(parser, expr)) return false;
  ExprOp op;
  while (product_operator(&parser->lexer, &op)) {
    map_lexer_next(&parser->lexer);
    size_t at = parser->lexer.at;
    Expr right;
    if (!parse_factor(parser, &right)) return false;
    if (!check_divisor(parser, op, right, at, parser->lexer.at)) return false;
    if (!make(parser, op, *expr, right, expr)) return false;
  }
  return true;
}

static bool negate_term(MapParser *parser, Expr term, Expr *negated) {
  ExprPool *pool = parser->context->pool;
  const ExprNode node = *expr_node(pool, term);
  int64_t value;
  if (node.op == EXPR_CONST && sub64(0, node.value, &value)) {
    *negated = expr_const(pool, value);
    return true;
  }
  if (node.op == EXPR_MUL && expr_is_const(pool, node.right, &value) && sub64(0, value, &value))
    return make(parser, EXPR_MUL, node.left, expr_const(pool, value), negated);
  return make(parser, EXPR_MUL, term, expr_const(pool, -1), negated);
}

bool parse_expr(MapParser *parser, Expr *expr) {
  if (!parse_term(parser, expr)) return false;
  for (;;) {
    bool minus = parser->lexer.token == TOKEN_MINUS;
    if (!minus && parser->lexer.token != TOKEN_PLUS) return true;
    map_lexer_next(&parser->lexer);
    Expr term;
    if (!parse_term(parser, &term)) return false;
    if (minus && !negate_term(parser, term, &term)) return false;
    if (!make(parser, EXPR_ADD, *expr, term, expr)) return false;
  }
}

bool expr_parse(MapContext *context, const Source *source, Expr *expr, Error *error) {
  MapParser parser = {.context = context, .lexer = map_lexer_create(source), .error = error, .open_names = true};
  return parse_expr(&parser, expr) && (parser.lexer.token == TOKEN_END || parse_fail(&parser, "the end of the expression"));
}
