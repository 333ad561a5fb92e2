/* What the parser of expressions and the parser of maps share: the next token, integers, and the
 * names of variables in a hash table, so that a map of many variables reads in linear time. */
#include "core/map/parse.h"

#include <string.h>

#include "core/base/checked.h"
#include "core/base/hash.h"

bool parse_fail(MapParser *parser, const char *what) {
  const MapLexer *lexer = &parser->lexer;
  if (lexer->token == TOKEN_END)
    return error_at(parser->error, ERROR_INPUT, lexer->source, lexer->at, 1,
        "expected %s, and the text ends", what);
  return error_at(
      parser->error, ERROR_INPUT, lexer->source, lexer->at, lexer->length, "expected %s", what);
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
  if (lexer->token != TOKEN_NUMBER) return parse_fail(parser, "an integer");
  int64_t total = 0;
  for (size_t i = 0; i < lexer->length; i++) {
    int64_t digit = lexer->source->text[lexer->at + i] - '0';
    if (!mul64(total, 10, &total) || !add64(total, negative ? -digit : digit, &total))
      return error_at(parser->error, ERROR_OVERFLOW, lexer->source, lexer->at, lexer->length,
          "the integer leaves int64");
  }
  map_lexer_next(&parser->lexer);
  *value = total;
  return true;
}

bool parse_integer(MapParser *parser, int64_t *value) {
  bool negative = parse_accept(parser, TOKEN_MINUS);
  return parse_magnitude(parser, negative, value);
}

static uint64_t hash_name(const MapParser *parser, size_t at, size_t length) {
  uint64_t hash = length;
  for (size_t i = 0; i < length; i++)
    hash = hash_mix(hash, (unsigned char)parser->lexer.source->text[at + i]);
  return hash;
}

static uint32_t find_slot(const MapParser *parser, size_t at, size_t length) {
  const char *text = parser->lexer.source->text;
  uint32_t slot = (uint32_t)hash_name(parser, at, length) & parser->slot_mask;
  for (;; slot = (slot + 1) & parser->slot_mask) {
    if (parser->slots[slot] == 0) return slot;
    const Name *name = &parser->items[parser->slots[slot] - 1];
    if (name->length == length && memcmp(text + name->at, text + at, length) == 0) return slot;
  }
}

const Name *parse_lookup(const MapParser *parser, size_t at, size_t length) {
  if (parser->slots == nullptr) return nullptr;
  uint32_t slot = find_slot(parser, at, length);
  return parser->slots[slot] == 0 ? nullptr : &parser->items[parser->slots[slot] - 1];
}

static void grow_slots(MapParser *parser) {
  uint32_t size = parser->slots == nullptr ? 32 : 2 * (parser->slot_mask + 1);
  parser->slots = ARENA_NEW(parser->context->arena, uint32_t, size);
  parser->slot_mask = size - 1;
  for (uint32_t i = 0; i < parser->count; i++)
    parser->slots[find_slot(parser, parser->items[i].at, parser->items[i].length)] = i + 1;
}

bool parse_declare(MapParser *parser, VarKind kind, uint32_t index) {
  const MapLexer *lexer = &parser->lexer;
  if (lexer->token != TOKEN_NAME) return parse_fail(parser, "a variable's name");
  if (parser->slots == nullptr || 2 * parser->count >= parser->slot_mask) grow_slots(parser);
  uint32_t slot = find_slot(parser, lexer->at, lexer->length);
  if (parser->slots[slot] != 0)
    return error_at(parser->error, ERROR_INPUT, lexer->source, lexer->at, lexer->length,
        "a variable is named twice");
  *ARENA_PUSH(parser->context->arena, parser) =
      (Name){.at = lexer->at, .length = lexer->length, .kind = kind, .index = index};
  parser->slots[slot] = parser->count;
  map_lexer_next(&parser->lexer);
  return true;
}
