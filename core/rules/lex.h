/* Tokens of the rule language. White space, line breaks and `#` comments separate tokens and mean
 * nothing else; a word that a colon follows directly (`near-miss:`) is a tag. */
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
  size_t at; /* after `token` */
  Token token;
} Lexer;

/* Moves to the next token. Fails on a byte that starts none. */
[[nodiscard]] bool lex_next(Lexer *lexer, Error *error);
/* Whether the token is `text`, which is not empty. Most questions are answered by the first byte. */
[[nodiscard]] bool lex_is_text(const Lexer *lexer, const char *text);
[[nodiscard]] static inline bool lex_is(const Lexer *lexer, const char *text) {
  return lexer->token.length > 0 && lexer->source->text[lexer->token.offset] == text[0] &&
         lex_is_text(lexer, text);
}
/* The rest of the line after the current token, without the white space around it; the lexer moves
 * past it. */
[[nodiscard]] bool lex_line(Lexer *lexer, size_t *offset, size_t *length, Error *error);
/* A rule's name: everything up to white space. */
[[nodiscard]] bool lex_name(Lexer *lexer, size_t *offset, size_t *length, Error *error);

#endif
