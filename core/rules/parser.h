/* The parser of rules, for parsers of more than rules (statements.c). */
#ifndef CORE_RULES_PARSER_H
#define CORE_RULES_PARSER_H

#include "core/base/table.h"
#include "core/rules/lex.h"
#include "core/rules/rule.h"

/* The place of a term determines which letters and calls it may contain. */
typedef enum ParsePosition : uint8_t {
  POSITION_LEFT,      /* binds letters; no lo, hi: they cannot be matched */
  POSITION_LEFT_FACT, /* between the brackets of a left side: binds constants; no expression letters
                       */
  POSITION_RIGHT,     /* bound letters of both classes */
  POSITION_FACT,      /* bound constants, lo, hi, gcd */
} ParsePosition;

typedef struct Parser {
  Lexer lexer;
  Arena *arena;
  Error *error;
  Rule *rule;
  Table names; /* of the rules before it */
  ParsePosition position;
  uint32_t depth;
  bool is_statement;
  bool is_in_line; /* in `near-miss:` or `scope:`, which name no letter of their own */
  struct Declared {
    uint32_t count, capacity;
    const char **items;
  } declared[2]; /* names of expressions, of constants */
} Parser;

/* A parser for a copy of the source and its name. */
[[nodiscard]] Parser parser_open(Arena *arena, const Source *source, Error *error);
[[nodiscard]] bool parse_next(Parser *parser);
/* Parses the rule at the current token into parser->rule; `rules` are the rules before it. */
[[nodiscard]] bool parse_rule(Parser *parser, const RuleSet *rules);
/* Sets an error at the current token; returns false. */
[[nodiscard]] static inline bool parser_fail_here(Parser *parser, const char *message) {
  const Token *token = &parser->lexer.token;
  return error_at(parser->error, ERROR_INPUT, parser->lexer.source, token->offset, token->length,
      "%s", message);
}
/* The class of a letter, from its name; false for a word that is no letter. */
[[nodiscard]] bool letter_class_by_name(const char *text, size_t length, bool *is_constant);
/* True if a declaration made the name a letter of this class. */
[[nodiscard]] bool letter_is_declared(
    const Parser *parser, const char *text, size_t length, bool is_constant);
[[nodiscard]] bool lexer_is_declaration(const Lexer *lexer);

#endif
