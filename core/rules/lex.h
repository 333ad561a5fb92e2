/* Tokens of the rule language. White space, line breaks and `#` comments only separate tokens. A
 * word directly followed by a colon (`near-miss:`) is a tag. */
#ifndef CORE_RULES_LEX_H
#define CORE_RULES_LEX_H

#include "core/base/error.h"

typedef enum TokenKind : uint8_t {
  TOKEN_END,
  TOKEN_WORD,    /* letters, digits and _ */
  TOKEN_TAG,     /* order: scope: near-miss: example: */
  TOKEN_INTEGER, /* digits; the sign is a token of its own */
  TOKEN_MARK,    /* ( ) [ ] , + - * / and the relations, => */
} TokenKind;

typedef struct Token {
  TokenKind kind;
  size_t offset;
  size_t length;
} Token;

typedef struct Lexer {
  const Source *source;
  size_t at; /* the position after `token` */
  Token token;
} Lexer;

/* Moves to the next token. Fails on a byte that starts no token. */
[[nodiscard]] bool lex_next(Lexer *lexer, Error *error);
/* True if the token is `text`, which must not be empty. The first byte decides most calls. */
[[nodiscard]] bool lex_is_text(const Lexer *lexer, const char *text);
[[nodiscard]] static inline bool lex_is(const Lexer *lexer, const char *text) {
  return lexer->token.length > 0 && lexer->source->text[lexer->token.offset] == text[0] &&
         lex_is_text(lexer, text);
}
/* The rest of the line after the current token, without surrounding white space; moves past it. */
[[nodiscard]] bool lex_line(Lexer *lexer, size_t *offset, size_t *length, Error *error);
/* A rule's name: everything up to white space. */
[[nodiscard]] bool lex_name(Lexer *lexer, size_t *offset, size_t *length, Error *error);

#endif
