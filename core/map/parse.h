/* The parser's internal state, shared by the parser of expressions and the parser of maps. */
#ifndef CORE_MAP_PARSE_H
#define CORE_MAP_PARSE_H

#include "core/base/table.h"
#include "core/map/lex.h"
#include "core/map/map.h"

typedef struct Name {
  size_t at, length; /* in the source */
  VarKind kind;
  uint32_t index;
} Name;

/* A parenthesis, or an argument of a call, that is being parsed. */
typedef enum LevelKind : uint8_t {
  LEVEL_OUTER,
  LEVEL_PARENTHESIS,
  LEVEL_LEFT,
  LEVEL_RIGHT
} LevelKind;
typedef struct ExprLevel {
  LevelKind kind;
  ExprOp call;      /* of LEVEL_LEFT and LEVEL_RIGHT */
  ExprOp op;        /* between `term` and the next operand */
  bool subtracts;   /* `term` is subtracted from `sum` */
  uint32_t minuses; /* before the next operand */
  Expr first;       /* the first argument, of LEVEL_RIGHT */
  Expr sum, term;   /* parsed so far; 0: nothing */
  size_t at;        /* where the next operand begins */
} ExprLevel;

typedef struct MapParser {
  MapContext *context;
  MapLexer lexer;
  Error *error;
  struct {
    uint32_t count, capacity;
    ExprLevel *items;
  } levels;
  uint32_t minuses;         /* of all levels */
  bool open_names;          /* any d<i>, s<i>, rt<i> is declared (for a single expression without a
                             * map) */
  uint32_t count, capacity; /* of names */
  Name *items;
  Table names; /* of items */
} MapParser;

/* Parentheses, min, max and unary minus nest at most this deep: a printed expression has at most
 * one parenthesis and one minus for each level of its tree. */
static constexpr uint32_t map_max_nesting = 2 * expr_max_depth + 2;

[[nodiscard]] bool parse_expect(MapParser *parser, MapToken token, const char *what);
[[nodiscard]] bool parse_accept(MapParser *parser, MapToken token);
/* Parses digits, negated if `negative`; ERROR_OVERFLOW if the value leaves int64. */
[[nodiscard]] bool parse_magnitude(MapParser *parser, bool negative, int64_t *value);
/* parse_magnitude after an optional '-'. */
[[nodiscard]] bool parse_integer(MapParser *parser, int64_t *value);
[[nodiscard]] bool parse_expr(MapParser *parser, Expr *expr);
[[nodiscard]] bool parse_declare(MapParser *parser, VarKind kind, uint32_t index);
[[nodiscard]] const Name *parse_lookup(const MapParser *parser, size_t at, size_t length);
/* Sets the error "expected WHAT" at the current token; parse_fail returns false. */
void parse_set_error(MapParser *parser, const char *what);
static inline bool parse_fail(MapParser *parser, const char *what) {
  parse_set_error(parser, what);
  return false;
}

#endif
