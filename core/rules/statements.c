/* Statements: rules that need not be rewrites, with declared letters. A fault affects only its own
 * rule: parsing resumes at the next word that begins a rule or a declaration. */
#include "core/rules/parser.h"

/* Words that have a meaning in a rule are no names of letters. */
static bool word_is_taken(const Lexer *lexer) {
  static const char *const words[] = {"rule", "constant", "expression", "when", "in", "mod",
      "floordiv", "floorDiv", "ceildiv", "ceilDiv", "min", "max", "gcd", "lo", "hi"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (lex_is(lexer, words[i])) return true;
  return false;
}

/* `constant i, j; expression s, t` */
static bool parse_declaration(Parser *parser) {
  do {
    bool is_constant = lex_is(&parser->lexer, "constant");
    if (!is_constant && !lex_is(&parser->lexer, "expression"))
      return parser_fail_here(parser, "expected 'constant' or 'expression'");
    do {
      if (!parse_next(parser)) return false;
      Token token = parser->lexer.token;
      const char *text = parser->lexer.source->text + token.offset;
      bool is_known;
      if (token.kind != TOKEN_WORD || letter_class_by_name(text, token.length, &is_known) ||
          word_is_taken(&parser->lexer))
        return parser_fail_here(parser, "expected a name that is no letter and no word of rules");
      if (letter_is_declared(parser, text, token.length, !is_constant))
        return parser_fail_here(parser,
            is_constant ? "this name is an expression already" : "this name is a constant already");
      *ARENA_PUSH(parser->arena, &parser->declared[is_constant]) =
          arena_text(parser->arena, text, token.length);
      if (!parse_next(parser)) return false;
    } while (lex_is(&parser->lexer, ","));
  } while (lex_is(&parser->lexer, ";") && parse_next(parser));
  return true;
}

static bool parse_statement(Parser *parser, RuleSet *rules) {
  if (lexer_is_declaration(&parser->lexer)) return parse_declaration(parser);
  if (!lex_is(&parser->lexer, "rule")) return parser_fail_here(parser, "expected 'rule'");
  Rule rule = {};
  parser->rule = &rule;
  parser->depth = 0;
  if (!parse_rule(parser, rules)) return false;
  *ARENA_PUSH(parser->arena, rules) = rule;
  return true;
}

/* From a fault in the rule at `start`, skips to the next word that begins a rule; a byte that
 * starts no token is skipped alone. `skipped` is an error already, so that no byte that is skipped
 * has its line counted: that takes time in proportion to the text before it. */
static void rule_skip(Parser *parser, size_t start) {
  Lexer *lexer = &parser->lexer;
  if ((lex_is(lexer, "rule") || lexer_is_declaration(lexer)) && lexer->token.offset > start) return;
  Error skipped = {.kind = ERROR_INPUT};
  do {
    size_t offset, length;
    bool is_line = lex_is(lexer, "order:") || lex_is(lexer, "example:");
    while (!(is_line ? lex_line(lexer, &offset, &length, &skipped) : lex_next(lexer, &skipped))) {
      if (!is_line) lexer->at++;
      is_line = false;
    }
  } while (
      lexer->token.kind != TOKEN_END && !lex_is(lexer, "rule") && !lexer_is_declaration(lexer));
}

void rules_parse_statements(
    Arena *arena, const Source *source, RuleSet *rules, RuleFaults *faults) {
  Error error = {};
  Parser parser = parser_open(arena, source, &error);
  parser.is_statement = true;
  bool goes_on = parse_next(&parser);
  while (!goes_on || parser.lexer.token.kind != TOKEN_END) {
    size_t start = parser.lexer.token.offset;
    goes_on = goes_on && parse_statement(&parser, rules);
    if (goes_on) continue;
    *ARENA_PUSH(arena, faults) = error;
    error = (Error){};
    rule_skip(&parser, start);
    goes_on = true;
  }
}
