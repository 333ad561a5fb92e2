/* Parses expressions with an explicit stack: one open level for each parenthesis and each argument
 * of min and max, with the sum and the term parsed so far. Nothing recurses, so that every printed
 * expression parses again.
 *
 * `a - b` is a + b * -1, and the -1 is multiplied into a constant factor of b, on either side of
 * its last product; `-7` is a constant.
 * Nothing else is folded. */
#include <assert.h>

#include "core/base/checked.h"
#include "core/map/parse.h"
#include "core/map/text.h"

static bool parse_expr_make(MapParser *parser, ExprOp op, Expr left, Expr right, Expr *expr) {
  const ExprPool *pool = parser->context->pool;
  uint32_t deepest = expr_deepest(pool);
  if (expr_node(pool, left)->depth >= deepest || expr_node(pool, right)->depth >= deepest)
    return error_at(parser->error, ERROR_LIMIT, parser->lexer.source, parser->lexer.at, 1,
        "the expression is nested deeper than %u%s", deepest,
        deepest < expr_max_depth ? ", which is what the stack of this thread holds" : "");
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
  } else if (map_lexer_is_word(lexer, "domain") && map_lexer_peek(lexer) == ':') {
    return error_at(parser->error, ERROR_INPUT, lexer->source, lexer->at, lexer->length,
        "expected ')' before 'domain:'");
  } else if (!parser->open_names || !open_variable(lexer, &kind, &index)) {
    return error_at(parser->error, ERROR_INPUT, lexer->source, lexer->at, lexer->length,
        "unknown name '%.*s'", (int)(lexer->length < 80 ? lexer->length : 80),
        lexer->source->text + lexer->at);
  }
  *expr = expr_var(parser->context->pool, kind, index);
  map_lexer_next(&parser->lexer);
  return true;
}

/* If the current token is an operator of products, returns it in `op`. */
static bool product_operator(const MapLexer *lexer, ExprOp *op) {
  if (lexer->token == MAP_TOKEN_STAR) *op = EXPR_MUL;
  else if (lexer->token == MAP_TOKEN_SLASH || map_lexer_is_word(lexer, "floordiv") ||
           map_lexer_is_word(lexer, "floorDiv"))
    *op = EXPR_FLOORDIV;
  else if (map_lexer_is_word(lexer, "ceildiv") || map_lexer_is_word(lexer, "ceilDiv"))
    *op = EXPR_CEILDIV;
  else if (map_lexer_is_word(lexer, "mod")) *op = EXPR_MOD;
  else return false;
  return true;
}

static bool check_divisor(MapParser *parser, ExprOp op, Expr divisor, size_t at, size_t end) {
  int64_t value;
  if (op == EXPR_MUL || (expr_is_const(parser->context->pool, divisor, &value) && value > 0))
    return true;
  return error_at(parser->error, ERROR_INPUT, parser->lexer.source, at, end - at,
      "the divisor of %s must be a positive constant", expr_op_text(op));
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
    return parse_expr_make(parser, EXPR_MUL, node.left, expr_const(pool, value), negated);
  if (node.op == EXPR_MUL && expr_is_const(pool, node.left, &value) && sub64(0, value, &value))
    return parse_expr_make(parser, EXPR_MUL, expr_const(pool, value), node.right, negated);
  return parse_expr_make(parser, EXPR_MUL, term, expr_const(pool, -1), negated);
}

/* ---- levels ---- */

static bool may_nest(MapParser *parser) {
  return parser->levels.count + parser->minuses < map_max_nesting ||
         error_at(parser->error, ERROR_LIMIT, parser->lexer.source, parser->lexer.at, 1,
             "parentheses and signs are nested deeper than %u", map_max_nesting);
}

static bool push_level(MapParser *parser, LevelKind kind, ExprOp call) {
  if (!may_nest(parser)) return false;
  *ARENA_PUSH(parser->context->arena, &parser->levels) =
      (ExprLevel){.kind = kind, .call = call, .at = parser->lexer.at};
  return true;
}

static ExprLevel *top(MapParser *parser) { return &parser->levels.items[parser->levels.count - 1]; }

static bool read_minus(MapParser *parser) {
  if (!may_nest(parser)) return false;
  top(parser)->minuses++;
  parser->minuses++;
  map_lexer_next(&parser->lexer);
  return true;
}

static bool parse_expr_read_number(MapParser *parser, Expr *operand) {
  bool negative = top(parser)->minuses > 0;
  int64_t value;
  if (!parse_magnitude(parser, negative, &value)) return false;
  top(parser)->minuses -= negative;
  parser->minuses -= negative;
  *operand = expr_const(parser->context->pool, value);
  return true;
}

static bool is_call(const MapLexer *lexer, ExprOp *op) {
  if (map_lexer_peek(lexer) != '(') return false;
  *op = map_lexer_is_word(lexer, "min") ? EXPR_MIN : EXPR_MAX;
  return *op == EXPR_MIN || map_lexer_is_word(lexer, "max");
}

/* Reads up to the next number or variable, and opens the levels that precede it. */
static bool read_operand(MapParser *parser, Expr *operand) {
  for (;;) {
    const MapLexer *lexer = &parser->lexer;
    ExprOp call;
    if (lexer->token == MAP_TOKEN_NUMBER) return parse_expr_read_number(parser, operand);
    if (lexer->token == MAP_TOKEN_MINUS) {
      if (!read_minus(parser)) return false;
    } else if (lexer->token == MAP_TOKEN_OPEN) {
      map_lexer_next(&parser->lexer);
      if (!push_level(parser, LEVEL_PARENTHESIS, EXPR_ADD)) return false;
    } else if (is_call(lexer, &call)) {
      map_lexer_next(&parser->lexer);
      if (!parse_expect(parser, MAP_TOKEN_OPEN, "'('") || !push_level(parser, LEVEL_LEFT, call))
        return false;
    } else if (lexer->token == MAP_TOKEN_NAME) {
      return parse_variable(parser, operand);
    } else {
      return parse_fail(parser, "an expression");
    }
  }
}

static bool take_operand(MapParser *parser, Expr operand) {
  ExprLevel *level = top(parser);
  for (; level->minuses > 0; level->minuses--, parser->minuses--)
    if (!parse_expr_make(
            parser, EXPR_MUL, operand, expr_const(parser->context->pool, -1), &operand))
      return false;
  bool multiplies = level->term.at != 0;
  if (multiplies && !check_divisor(parser, level->op, operand, level->at, parser->lexer.at))
    return false;
  if (multiplies && !parse_expr_make(parser, level->op, level->term, operand, &operand))
    return false;
  level->term = operand;
  return true;
}

static bool take_term(MapParser *parser) {
  ExprLevel *level = top(parser);
  Expr term = level->term;
  if (level->subtracts && !negate_term(parser, term, &term)) return false;
  if (level->sum.at != 0 && !parse_expr_make(parser, EXPR_ADD, level->sum, term, &term))
    return false;
  level->sum = term;
  level->term = (Expr){0};
  return true;
}

/* The level's sum is complete: closes the level, or goes on with the second argument of its call.
 * `operand`, if it is set, belongs to the level below. */
static bool close_level(MapParser *parser, Expr *operand) {
  ExprLevel level = *top(parser);
  *operand = (Expr){0};
  if (level.kind == LEVEL_LEFT) {
    *top(parser) = (ExprLevel){.kind = LEVEL_RIGHT, .call = level.call, .first = level.sum};
    return parse_expect(parser, MAP_TOKEN_COMMA, "','");
  }
  *operand = level.sum;
  parser->levels.count--;
  if (level.kind == LEVEL_OUTER) return true;
  if (!parse_expect(parser, MAP_TOKEN_CLOSE, "')'")) return false;
  return level.kind == LEVEL_PARENTHESIS ||
         parse_expr_make(parser, level.call, level.first, level.sum, operand);
}

/* After an operand: reads the operators that follow, and closes the levels that end there. `again`:
 * another operand must follow. */
static bool read_after(MapParser *parser, Expr *operand, uint32_t outer, bool *again) {
  *again = true;
  for (;;) {
    if (!take_operand(parser, *operand)) return false;
    ExprLevel *level = top(parser);
    if (product_operator(&parser->lexer, &level->op)) {
      map_lexer_next(&parser->lexer);
      level->at = parser->lexer.at;
      return true;
    }
    if (!take_term(parser)) return false;
    level->subtracts = parser->lexer.token == MAP_TOKEN_MINUS;
    if (level->subtracts || parser->lexer.token == MAP_TOKEN_PLUS) {
      map_lexer_next(&parser->lexer);
      return true;
    }
    if (!close_level(parser, operand)) return false;
    if (operand->at == 0) return true;
    *again = parser->levels.count > outer;
    if (!*again) return true;
  }
}

bool parse_expr(MapParser *parser, Expr *expr) {
  uint32_t outer = parser->levels.count;
  bool again = push_level(parser, LEVEL_OUTER, EXPR_ADD), fits = again;
  while (fits && again)
    fits = read_operand(parser, expr) && read_after(parser, expr, outer, &again);
  assert(!fits || parser->levels.count == outer);
  return fits;
}

bool expr_parse(MapContext *context, const Source *source, Expr *expr, Error *error) {
  MapParser parser = {
      .context = context, .lexer = map_lexer_create(source), .error = error, .open_names = true};
  return parse_expr(&parser, expr) &&
         (parser.lexer.token == MAP_TOKEN_END || parse_fail(&parser, "the end of the expression"));
}
