/* Shared by the parser of expressions and the parser of maps: tokens, integers, and the names of
 * variables. The names are in a hash table, so that a map of many variables parses in linear
 * time. */
#include "core/map/parse.h"

#include <assert.h>

#include <string.h>

#include "core/base/checked.h"
#include "core/base/hash.h"
#include "core/base/remedy.h"

void parse_set_error(MapParser *parser, const char *what) {
  const MapLexer *lexer = &parser->lexer;
  if (lexer->token == MAP_TOKEN_END)
    error_at(parser->error, ERROR_INPUT, lexer->source, lexer->at, 1,
        "expected %s, and the text ends", what);
  else
    error_at(parser->error, ERROR_INPUT, lexer->source, lexer->at, lexer->length, "expected %s%s",
        what, remedy_beside(what, lexer->source, lexer->at, REMEDY_MAP));
}

bool parse_accept(MapParser *parser, MapToken token) {
  if (parser->lexer.token != token) return false;
  map_lexer_next(&parser->lexer);
  return true;
}

bool parse_expect(MapParser *parser, MapToken token, const char *what) {
  return parse_accept(parser, token) || parse_fail(parser, what);
}

bool parse_magnitude(MapParser *parser, bool negative, int64_t *value) {
  const MapLexer *lexer = &parser->lexer;
  if (lexer->token != MAP_TOKEN_NUMBER) return parse_fail(parser, "an integer");
  int64_t total = 0;
  assert(lexer->length > 0);
  for (size_t i = 0; i < lexer->length; i++) {
    int64_t digit = lexer->source->text[lexer->at + i] - '0';
    if (!mul64(total, 10, &total) || !add64(total, negative ? -digit : digit, &total))
      return error_at(parser->error, ERROR_OVERFLOW, lexer->source, lexer->at, lexer->length,
          "the integer leaves int64");
  }
  assert(negative ? total <= 0 : total >= 0);
  map_lexer_next(&parser->lexer);
  *value = total;
  return true;
}

bool parse_integer(MapParser *parser, int64_t *value) {
  bool negative = parse_accept(parser, MAP_TOKEN_MINUS);
  return parse_magnitude(parser, negative, value);
}

static uint64_t hash_name(const MapParser *parser, size_t at, size_t length) {
  uint64_t hash = length;
  for (size_t i = 0; i < length; i++)
    hash = hash_mix(hash, (unsigned char)parser->lexer.source->text[at + i]);
  return hash;
}

const Name *parse_lookup(const MapParser *parser, size_t at, size_t length) {
  const char *text = parser->lexer.source->text;
  assert(at + length <= parser->lexer.source->length);
  uint32_t item;
  for (TableProbe probe = table_probe(&parser->names, hash_name(parser, at, length));
      table_next(&parser->names, &probe, &item);) {
    assert(item < parser->count);
    const Name *name = &parser->items[item];
    if (name->length == length && memcmp(text + name->at, text + at, length) == 0) return name;
  }
  return nullptr;
}

bool parse_declare(MapParser *parser, VarKind kind, uint32_t index) {
  const MapLexer *lexer = &parser->lexer;
  if (lexer->token != MAP_TOKEN_NAME) return parse_fail(parser, "a variable's name");
  if (parse_lookup(parser, lexer->at, lexer->length) != nullptr)
    return error_at(parser->error, ERROR_INPUT, lexer->source, lexer->at, lexer->length,
        "a variable is named twice");
  table_add(&parser->names, parser->context->arena, hash_name(parser, lexer->at, lexer->length),
      parser->count);
  *ARENA_PUSH(parser->context->arena, parser) =
      (Name){.at = lexer->at, .length = lexer->length, .kind = kind, .index = index};
  map_lexer_next(&parser->lexer);
  return true;
}
