/* Tokens of map texts. A '-' is always a token of its own; numbers are unsigned here and become
 * signed in the parser. */
#ifndef CORE_MAP_LEX_H
#define CORE_MAP_LEX_H

#include "core/base/error.h"

typedef enum MapToken : uint8_t {
  MAP_TOKEN_END,
  MAP_TOKEN_NAME,
  MAP_TOKEN_NUMBER,
  MAP_TOKEN_OPEN,
  MAP_TOKEN_CLOSE,
  MAP_TOKEN_OPEN_SQUARE,
  MAP_TOKEN_CLOSE_SQUARE,
  MAP_TOKEN_OPEN_BRACE,
  MAP_TOKEN_CLOSE_BRACE,
  MAP_TOKEN_COMMA,
  MAP_TOKEN_COLON,
  MAP_TOKEN_ARROW,
  MAP_TOKEN_PLUS,
  MAP_TOKEN_MINUS,
  MAP_TOKEN_STAR,
  MAP_TOKEN_SLASH,
  MAP_TOKEN_OTHER,
} MapToken;

typedef struct MapLexer {
  const Source *source;
  MapToken token;     /* the current one */
  size_t at, length;  /* its position and length in the source */
  bool after_newline; /* a line break precedes it */
} MapLexer;

[[nodiscard]] MapLexer map_lexer_create(const Source *source);
void map_lexer_next(MapLexer *lexer);
[[nodiscard]] bool map_lexer_is_word(const MapLexer *lexer, const char *word);
/* The first character after the current token and white space; 0 at the end. It distinguishes `rt0:
 * name` from a constraint. */
[[nodiscard]] char map_lexer_peek(const MapLexer *lexer);

#endif
