/* The parser's inner state, shared by the parser of expressions and the parser of maps. */
#ifndef CORE_MAP_PARSE_H
#define CORE_MAP_PARSE_H

#include "core/map/lex.h"
#include "core/map/map.h"

typedef struct Name {
  size_t at, length; /* in the source */
  VarKind kind;
  uint32_t index;
} Name;

typedef struct MapParser {
  MapContext *context;
  MapLexer lexer;
  Error *error;
  uint32_t nesting;
  bool open_names; /* any d<i>, s<i>, rt<i> is known (a single expression without a map) */
  uint32_t count, capacity; /* of names */
  Name *items;
  uint32_t *slots; /* hash of names, 2 * capacity or more; nullptr while there are few */
  uint32_t slot_mask;
} MapParser;

/* Parentheses, min, max and unary minus nest at most this deep. */
static constexpr uint32_t map_max_nesting = 1000;

[[nodiscard]] bool parse_expect(MapParser *parser, MapToken token, const char *what);
[[nodiscard]] bool parse_accept(MapParser *parser, MapToken token);
/* An optional '-' and digits; refuses what leaves int64. */
[[nodiscard]] bool parse_integer(MapParser *parser, int64_t *value);
[[nodiscard]] bool parse_expr(MapParser *parser, Expr *expr);
[[nodiscard]] bool parse_declare(MapParser *parser, VarKind kind, uint32_t index);
[[nodiscard]] const Name *parse_lookup(const MapParser *parser, size_t at, size_t length);
/* Sets the error at the current token: "expected WHAT". */
bool parse_fail(MapParser *parser, const char *what);

#endif
