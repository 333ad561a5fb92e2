/* Tokens of the rule language, scanned one at a time by their first byte. Rejects bytes that start
 * no token. */
#include "core/rules/lex.h"

#include <string.h>

#include "core/base/remedy.h"

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool lex_is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

static char byte_at(const Lexer *lexer, size_t at) {
  return at < lexer->source->length ? lexer->source->text[at] : 0;
}

/* The end of the line that contains `at`. */
static size_t line_end(const Source *source, size_t at) {
  const char *end = memchr(source->text + at, '\n', source->length - at);
  return end == nullptr ? source->length : (size_t)(end - source->text);
}

static void skip_space(Lexer *lexer) {
  const Source *source = lexer->source;
  size_t at = lexer->at;
  while (at < source->length && (is_space(source->text[at]) || source->text[at] == '#'))
    at = source->text[at] == '#' ? line_end(source, at) : at + 1;
  lexer->at = at;
}

/* The number of bytes from `at` on for which `is_one` is true. */
static size_t run_length(const Lexer *lexer, size_t at, bool is_one(char)) {
  const char *text = lexer->source->text;
  size_t end = at;
  while (end < lexer->source->length && is_one(text[end])) end++;
  return end - at;
}

/* The length of the tag at `at`, including its colon, or 0. */
static size_t tag_length(const Lexer *lexer, size_t at) {
  static const char *const tags[] = {"order:", "scope:", "near-miss:", "example:"};
  for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
    if (byte_at(lexer, at) != tags[i][0]) continue;
    size_t length = strlen(tags[i]);
    if (lexer->source->length - at >= length &&
        memcmp(lexer->source->text + at, tags[i], length) == 0)
      return length;
  }
  return 0;
}

static size_t mark_length(const Lexer *lexer, size_t at) {
  char first = byte_at(lexer, at);
  char second = byte_at(lexer, at + 1);
  if (first == '=' && (second == '>' || second == '=')) return 2;
  if ((first == '<' || first == '>' || first == '!') && second == '=') return 2;
  return first != 0 && strchr("()[],;+-*/<>=", first) != nullptr ? 1 : 0;
}

static bool lex_take(Lexer *lexer, TokenKind kind, size_t length) {
  lexer->token = (Token){.kind = kind, .offset = lexer->at, .length = length};
  lexer->at += length;
  return true;
}

bool lex_next(Lexer *lexer, Error *error) {
  skip_space(lexer);
  if (lexer->at >= lexer->source->length) return lex_take(lexer, TOKEN_END, 0);
  char first = byte_at(lexer, lexer->at);
  if (is_digit(first)) {
    size_t length = run_length(lexer, lexer->at, is_digit);
    if (first == '0' && length > 1)
      return error_at(
          error, ERROR_INPUT, lexer->source, lexer->at, length, "an integer begins with 0");
    return lex_take(lexer, TOKEN_INTEGER, length);
  }
  if (lex_is_word(first)) {
    size_t tag = tag_length(lexer, lexer->at);
    if (tag > 0) return lex_take(lexer, TOKEN_TAG, tag);
    return lex_take(lexer, TOKEN_WORD, run_length(lexer, lexer->at, lex_is_word));
  }
  size_t length = mark_length(lexer, lexer->at);
  if (length > 0) return lex_take(lexer, TOKEN_MARK, length);
  const char *remedy = remedy_text(lexer->source, lexer->at, REMEDY_RULES);
  if (first < ' ' || first > '~')
    return error_at(error, ERROR_INPUT, lexer->source, lexer->at, 1, "unexpected byte 0x%02x%s",
        (unsigned char)first, remedy);
  return error_at(error, ERROR_INPUT, lexer->source, lexer->at, 1, "unexpected character '%c'%s",
      first, remedy);
}

bool lex_is_text(const Lexer *lexer, const char *text) {
  const char *token = lexer->source->text + lexer->token.offset;
  size_t at = 0;
  while (at < lexer->token.length && text[at] != 0 && text[at] == token[at]) at++;
  return lexer->token.kind != TOKEN_END && at == lexer->token.length && text[at] == 0;
}

/* Names and the text after a tag are kept literally; a control byte in them would not survive
 * printing. */
static bool is_plain(Lexer *lexer, size_t offset, size_t length, Error *error) {
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)lexer->source->text[offset + i];
    if (byte == 127 || (byte < ' ' && byte != '\t'))
      return error_at(error, ERROR_INPUT, lexer->source, offset + i, 1, "a control byte");
  }
  return true;
}

bool lex_line(Lexer *lexer, size_t *offset, size_t *length, Error *error) {
  const char *text = lexer->source->text;
  size_t start = lexer->at;
  size_t end = start < lexer->source->length ? line_end(lexer->source, start) : start;
  lexer->at = end;
  while (start < end && is_space(text[start])) start++;
  while (end > start && is_space(text[end - 1])) end--;
  *offset = start;
  *length = end - start;
  return is_plain(lexer, *offset, *length, error) && lex_next(lexer, error);
}

bool lex_name(Lexer *lexer, size_t *offset, size_t *length, Error *error) {
  skip_space(lexer);
  *offset = lexer->at;
  while (lexer->at < lexer->source->length && !is_space(byte_at(lexer, lexer->at)) &&
         byte_at(lexer, lexer->at) != '#')
    lexer->at++;
  *length = lexer->at - *offset;
  if (*length == 0)
    return error_at(error, ERROR_INPUT, lexer->source, *offset, 1, "a rule needs a name");
  return is_plain(lexer, *offset, *length, error) && lex_next(lexer, error);
}
