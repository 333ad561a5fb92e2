/* One pass, no allocation. A byte that starts no token is MAP_TOKEN_OTHER, which no grammar
 * accepts. */
#include "core/map/lex.h"

#include <assert.h>

#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_name_start(char c) { return ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_'; }
static bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }
static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip_space(MapLexer *lexer) {
  const Source *source = lexer->source;
  while (lexer->at < source->length && is_space(source->text[lexer->at])) {
    lexer->after_newline |= source->text[lexer->at] == '\n';
    lexer->at++;
  }
}

static MapToken punctuation(char c) {
  switch (c) {
    case '(': return MAP_TOKEN_OPEN;
    case ')': return MAP_TOKEN_CLOSE;
    case '[': return MAP_TOKEN_OPEN_SQUARE;
    case ']': return MAP_TOKEN_CLOSE_SQUARE;
    case '{': return MAP_TOKEN_OPEN_BRACE;
    case '}': return MAP_TOKEN_CLOSE_BRACE;
    case ',': return MAP_TOKEN_COMMA;
    case ':': return MAP_TOKEN_COLON;
    case '+': return MAP_TOKEN_PLUS;
    case '-': return MAP_TOKEN_MINUS;
    case '*': return MAP_TOKEN_STAR;
    case '/': return MAP_TOKEN_SLASH;
    default: return MAP_TOKEN_OTHER;
  }
}

static size_t run_length(const MapLexer *lexer, bool (*belongs)(char)) {
  size_t end = lexer->at;
  assert(belongs(lexer->source->text[end]));
  while (end < lexer->source->length && belongs(lexer->source->text[end])) end++;
  return end - lexer->at;
}

void map_lexer_next(MapLexer *lexer) {
  const Source *source = lexer->source;
  assert(lexer->length <= source->length && lexer->at <= source->length - lexer->length);
  lexer->at += lexer->length;
  lexer->length = 0;
  lexer->after_newline = false;
  skip_space(lexer);
  lexer->token = MAP_TOKEN_END;
  if (lexer->at >= source->length) return;
  char c = source->text[lexer->at];
  bool is_arrow = c == '-' && lexer->at + 1 < source->length && source->text[lexer->at + 1] == '>';
  if (is_name_start(c)) {
    lexer->token = MAP_TOKEN_NAME;
    lexer->length = run_length(lexer, is_name_part);
  } else if (is_digit(c)) {
    lexer->token = MAP_TOKEN_NUMBER;
    lexer->length = run_length(lexer, is_digit);
  } else {
    lexer->token = is_arrow ? MAP_TOKEN_ARROW : punctuation(c);
    lexer->length = is_arrow ? 2 : 1;
  }
  assert(lexer->length > 0 && lexer->at + lexer->length <= source->length);
}

MapLexer map_lexer_create(const Source *source) {
  MapLexer lexer = {.source = source};
  map_lexer_next(&lexer);
  return lexer;
}

bool map_lexer_is_word(const MapLexer *lexer, const char *word) {
  return lexer->token == MAP_TOKEN_NAME && strlen(word) == lexer->length &&
         memcmp(lexer->source->text + lexer->at, word, lexer->length) == 0;
}

char map_lexer_peek(const MapLexer *lexer) {
  size_t at = lexer->at + lexer->length;
  while (at < lexer->source->length && is_space(lexer->source->text[at])) at++;
  return at < lexer->source->length ? lexer->source->text[at] : 0;
}
