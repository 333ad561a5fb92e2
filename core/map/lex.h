/* Tokens of map texts. A '-' is always a token of its own; numbers are unsigned here and become
 * signed in the parser. */
#ifndef CORE_MAP_LEX_H
#define CORE_MAP_LEX_H

#include "core/base/error.h"

typedef enum MapToken : uint8_t {
  TOKEN_END,
  TOKEN_NAME,
  TOKEN_NUMBER,
  TOKEN_OPEN,
  TOKEN_CLOSE,
  TOKEN_OPEN_SQUARE,
  TOKEN_CLOSE_SQUARE,
  TOKEN_OPEN_BRACE,
  TOKEN_CLOSE_BRACE,
  TOKEN_COMMA,
  TOKEN_COLON,
  TOKEN_ARROW,
  TOKEN_PLUS,
  TOKEN_MINUS,
  TOKEN_STAR,
  TOKEN_SLASH,
  TOKEN_OTHER,
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
