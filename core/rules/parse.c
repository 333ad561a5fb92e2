/* Parses rules by recursive descent, one function for each production of docs/formats.md.
 *
 * Keeps: the parsed form is as stated; only the sign of a literal is folded. Letters are numbered
 * by first occurrence, and only the left side binds them. The class of a letter follows from its
 * name: a b c k m n are constants, u v w x y z expressions.
 *
 * Bad input is rejected, each with its position. Nesting is limited by term_max_depth. */
#include "core/rules/parser.h"

#include <assert.h>
#include <stdckdint.h>
#include <string.h>

#include "core/base/remedy.h"

static bool rule_parse_fail(Parser *parser, size_t offset, size_t length, const char *message) {
  return error_at(parser->error, ERROR_INPUT, parser->lexer.source, offset, length, "%s", message);
}

bool parse_next(Parser *parser) { return lex_next(&parser->lexer, parser->error); }

static bool expect(Parser *parser, const char *text) {
  if (lex_is(&parser->lexer, text)) return parse_next(parser);
  const Token *token = &parser->lexer.token;
  const char *remedy = token->kind == TOKEN_END
                           ? ", not the end of the text"
                           : remedy_beside(text, parser->lexer.source, token->offset, REMEDY_RULES);
  return error_at(parser->error, ERROR_INPUT, parser->lexer.source, token->offset, token->length,
      "expected '%s'%s", text, remedy);
}

static bool is_fact(ParsePosition position) {
  return position == POSITION_LEFT_FACT || position == POSITION_FACT;
}
static bool is_binding(ParsePosition position) {
  return position == POSITION_LEFT || position == POSITION_LEFT_FACT;
}

static RuleTerm *parse_make(Parser *parser, RuleTermKind kind, size_t offset) {
  RuleTerm *term = ARENA_NEW(parser->arena, RuleTerm, 1);
  *term = (RuleTerm){.kind = kind, .offset = offset, .depth = 1};
  return term;
}

/* The operands are built first, so that the depth is known. Fails beyond term_max_depth. */
static bool make_pair(Parser *parser, RuleTermKind kind, ExprOp op, const RuleTerm *left,
    const RuleTerm *right, const RuleTerm **out) {
  uint16_t depth = left->depth > right->depth ? left->depth : right->depth;
  if (depth >= term_max_depth)
    return error_at(parser->error, ERROR_LIMIT, parser->lexer.source, left->offset, 1,
        "nested deeper than %u", term_max_depth);
  RuleTerm *term = parse_make(parser, kind, left->offset);
  term->op = op;
  term->left = left;
  term->right = right;
  term->depth = (uint16_t)(depth + 1);
  *out = term;
  return true;
}

static bool make_integer(Parser *parser, int64_t value, size_t offset, const RuleTerm **out) {
  RuleTerm *term = parse_make(parser, TERM_INTEGER, offset);
  term->value = value;
  *out = term;
  return true;
}

/* -t: the sign of a literal is folded; any other term becomes t * -1. */
static bool make_negative(Parser *parser, const RuleTerm *term, const RuleTerm **out) {
  if (term->kind == TERM_INTEGER && term->value != INT64_MIN)
    return make_integer(parser, -term->value, term->offset, out);
  const RuleTerm *minus_one;
  if (!make_integer(parser, -1, term->offset, &minus_one)) return false;
  return make_pair(parser, TERM_OPERATOR, EXPR_MUL, term, minus_one, out);
}

/* The first expression letter in a term, or nullptr. */
static const RuleTerm *expr_letter_in(const RuleTerm *term) {
  switch (term->kind) {
    case TERM_EXPR: return term;
    case TERM_INTEGER:
    case TERM_CONSTANT_LETTER:
    case TERM_LO:
    case TERM_HI: return nullptr;
    case TERM_OPERATOR:
    case TERM_GCD: {
      const RuleTerm *found = expr_letter_in(term->left);
      return found != nullptr ? found : expr_letter_in(term->right);
    }
  }
  assert(false);
  return nullptr;
}

static bool reject_expr_letter(Parser *parser, const RuleTerm *term, const char *message) {
  const RuleTerm *letter = expr_letter_in(term);
  return letter == nullptr || rule_parse_fail(parser, letter->offset, 1, message);
}

/* The class of a letter, from its name; false for a word that is no letter. */
bool letter_class_by_name(const char *text, size_t length, bool *is_constant) {
  for (size_t i = 1; i < length; i++)
    if (text[i] < '0' || text[i] > '9') return false;
  *is_constant = strchr("abckmn", text[0]) != nullptr;
  return *is_constant || strchr("uvwxyz", text[0]) != nullptr;
}

static bool parse_find(
    const char *const *names, uint32_t count, const char *text, size_t length, uint32_t *at) {
  for (*at = 0; *at < count; ++*at)
    if (strlen(names[*at]) == length && memcmp(names[*at], text, length) == 0) return true;
  return false;
}

bool letter_is_declared(const Parser *parser, const char *text, size_t length, bool is_constant) {
  uint32_t at;
  const struct Declared *declared = &parser->declared[is_constant];
  return parse_find(declared->items, declared->count, text, length, &at);
}

static bool letter_class(const Parser *parser, const char *text, size_t length, bool *is_constant) {
  *is_constant = letter_is_declared(parser, text, length, true);
  if (*is_constant || letter_is_declared(parser, text, length, false)) {
    parser->rule->has_declared = true;
    return true;
  }
  return letter_class_by_name(text, length, is_constant);
}

/* Notes why a statement cannot run; only the first reason is kept. */
static void note_statement(Parser *parser, const char *format, Token token) {
  if (parser->rule->cannot_run != nullptr) return;
  Text text = text_create(parser->arena);
  text_printf(&text, format, (int)token.length, parser->lexer.source->text + token.offset);
  parser->rule->cannot_run = text.bytes;
}

/* The number of a letter of one class; binds the letter if the place is a binding one. */
static bool letter_number(Parser *parser, Token token, bool is_constant, uint32_t *number) {
  const char *text = parser->lexer.source->text + token.offset;
  const char **names = is_constant ? parser->rule->constants : parser->rule->exprs;
  uint32_t *count = is_constant ? &parser->rule->constant_count : &parser->rule->expr_count;
  if (parse_find(names, *count, text, token.length, number)) return true;
  if (!is_binding(parser->position) && parser->is_statement && !parser->is_in_line)
    note_statement(parser, "the left side does not bind '%.*s'", token);
  else if (!is_binding(parser->position))
    return error_at(parser->error, ERROR_INPUT, parser->lexer.source, token.offset, token.length,
        "the left side does not bind '%.*s'", (int)token.length, text);
  if (*count == rule_max_letters)
    return error_at(parser->error, ERROR_LIMIT, parser->lexer.source, token.offset, token.length,
        "more than %u letters of a class", rule_max_letters);
  names[*count] = arena_text(parser->arena, text, token.length);
  *number = (*count)++;
  return true;
}

static bool parse_letter(Parser *parser, const RuleTerm **out) {
  Token token = parser->lexer.token;
  const char *text = parser->lexer.source->text + token.offset;
  bool is_constant;
  if (!letter_class(parser, text, token.length, &is_constant))
    return error_at(parser->error, ERROR_INPUT, parser->lexer.source, token.offset, token.length,
        "'%.*s' is no letter: a b c k m n are constants, u v w x y z expressions, digits may follow%s",
        token.length > 40 ? 40 : (int)token.length, text,
        remedy_text(parser->lexer.source, token.offset, REMEDY_RULES));
  if (!is_constant && is_fact(parser->position))
    return parser_fail_here(
        parser, "expected a constant, not an expression letter: use lo() or hi() of it");
  RuleTerm *term = parse_make(parser, is_constant ? TERM_CONSTANT_LETTER : TERM_EXPR, token.offset);
  if (!letter_number(parser, token, is_constant, &term->letter)) return false;
  *out = term;
  return parse_next(parser);
}

static bool parse_integer(Parser *parser, bool is_negative, const RuleTerm **out) {
  Token token = parser->lexer.token;
  int64_t value = 0;
  bool fits = true;
  for (size_t i = 0; i < token.length && fits; i++) {
    int64_t digit = parser->lexer.source->text[token.offset + i] - '0';
    fits = !ckd_mul(&value, value, 10) &&
           !(is_negative ? ckd_sub(&value, value, digit) : ckd_add(&value, value, digit));
  }
  if (!fits) return parser_fail_here(parser, "the integer does not fit in int64");
  return make_integer(parser, value, token.offset, out) && parse_next(parser);
}

/* lo(x) and hi(x) of one expression letter. Not allowed on the left side, where they cannot be
 * matched. */
static bool parse_bound(Parser *parser, RuleTermKind kind, const RuleTerm **out) {
  size_t offset = parser->lexer.token.offset;
  const char *call = kind == TERM_LO ? "lo" : "hi";
  if (parser->position == POSITION_LEFT && parser->is_statement)
    note_statement(parser, "%.*s() cannot be matched on the left side", parser->lexer.token);
  else if (parser->position == POSITION_LEFT)
    return error_at(parser->error, ERROR_INPUT, parser->lexer.source, offset, 2,
        "%s() cannot be matched on the left side", call);
  if (!parse_next(parser) || !expect(parser, "(")) return false;
  Token token = parser->lexer.token;
  const char *text = parser->lexer.source->text + token.offset;
  bool is_constant = token.kind == TOKEN_INTEGER;
  if (is_constant || (token.kind == TOKEN_WORD &&
                         letter_class(parser, text, token.length, &is_constant) && is_constant))
    return error_at(parser->error, ERROR_INPUT, parser->lexer.source, token.offset, token.length,
        "%s() of a constant: expected an expression letter", call);
  if (token.kind != TOKEN_WORD || !letter_class(parser, text, token.length, &is_constant))
    return error_at(parser->error, ERROR_INPUT, parser->lexer.source, token.offset, token.length,
        "%s() takes one expression letter", call);
  RuleTerm *term = parse_make(parser, kind, offset);
  const ParsePosition position = parser->position;
  parser->position = POSITION_FACT;
  bool is_bound = letter_number(parser, token, false, &term->letter);
  parser->position = position;
  if (!is_bound) return false;
  *out = term;
  return parse_next(parser) && expect(parser, ")");
}

static bool parse_sum(Parser *parser, const RuleTerm **out);

static bool parse_call(Parser *parser, RuleTermKind kind, ExprOp op, const RuleTerm **out) {
  size_t offset = parser->lexer.token.offset;
  const RuleTerm *left, *right;
  if (!parse_next(parser) || !expect(parser, "(") || !parse_sum(parser, &left) ||
      !expect(parser, ",") || !parse_sum(parser, &right) || !expect(parser, ")"))
    return false;
  if (kind == TERM_GCD) {
    static const char message[] = "gcd() is of constants, and this is an expression letter";
    if (!reject_expr_letter(parser, left, message) || !reject_expr_letter(parser, right, message))
      return false;
  }
  const RuleTerm *pair;
  if (!make_pair(parser, kind, op, left, right, &pair)) return false;
  RuleTerm *placed = parse_make(parser, kind, offset);
  *placed = *pair;
  placed->offset = offset;
  *out = placed;
  return true;
}

static bool parse_word(Parser *parser, const RuleTerm **out) {
  const Lexer *lexer = &parser->lexer;
  if (lex_is(lexer, "min")) return parse_call(parser, TERM_OPERATOR, EXPR_MIN, out);
  if (lex_is(lexer, "max")) return parse_call(parser, TERM_OPERATOR, EXPR_MAX, out);
  if (lex_is(lexer, "gcd")) return parse_call(parser, TERM_GCD, EXPR_ADD, out);
  if (lex_is(lexer, "lo")) return parse_bound(parser, TERM_LO, out);
  if (lex_is(lexer, "hi")) return parse_bound(parser, TERM_HI, out);
  return parse_letter(parser, out);
}

static bool parse_plain_factor(Parser *parser, const RuleTerm **out) {
  const Lexer *lexer = &parser->lexer;
  if (lex_is(lexer, "("))
    return parse_next(parser) && parse_sum(parser, out) && expect(parser, ")");
  if (lexer->token.kind == TOKEN_INTEGER) return parse_integer(parser, false, out);
  if (lexer->token.kind == TOKEN_WORD) return parse_word(parser, out);
  const Token *token = &lexer->token;
  if (token->kind == TOKEN_END)
    return parser_fail_here(parser, "expected an expression, not the end of the text");
  return error_at(parser->error, ERROR_INPUT, lexer->source, token->offset, token->length,
      "expected an expression%s", remedy_text(lexer->source, token->offset, REMEDY_RULES));
}

static bool parse_factor(Parser *parser, const RuleTerm **out) {
  if (parser->depth >= term_max_depth)
    return error_at(parser->error, ERROR_LIMIT, parser->lexer.source, parser->lexer.token.offset, 1,
        "nested deeper than %u", term_max_depth);
  parser->depth++;
  bool parsed;
  if (lex_is(&parser->lexer, "-")) {
    if (!parse_next(parser)) return false;
    const RuleTerm *positive;
    if (parser->lexer.token.kind == TOKEN_INTEGER) parsed = parse_integer(parser, true, out);
    else parsed = parse_factor(parser, &positive) && make_negative(parser, positive, out);
  } else {
    parsed = parse_plain_factor(parser, out);
  }
  parser->depth--;
  return parsed;
}

static bool operator_of(const Lexer *lexer, ExprOp *op) {
  if (lex_is(lexer, "*")) *op = EXPR_MUL;
  else if (lex_is(lexer, "floordiv") || lex_is(lexer, "floorDiv") || lex_is(lexer, "/"))
    *op = EXPR_FLOORDIV;
  else if (lex_is(lexer, "ceildiv") || lex_is(lexer, "ceilDiv")) *op = EXPR_CEILDIV;
  else if (lex_is(lexer, "mod")) *op = EXPR_MOD;
  else return false;
  return true;
}

static bool parse_product(Parser *parser, const RuleTerm **out) {
  if (!parse_factor(parser, out)) return false;
  ExprOp op;
  while (operator_of(&parser->lexer, &op)) {
    const RuleTerm *right;
    if (!parse_next(parser) || !parse_factor(parser, &right)) return false;
    if (op != EXPR_MUL &&
        !reject_expr_letter(parser, right,
            "expected a constant, not an expression letter: a divisor is a constant"))
      return false;
    if (!make_pair(parser, TERM_OPERATOR, op, *out, right, out)) return false;
  }
  return true;
}

/* True for `->` instead of `=>`: no difference of two terms. */
static bool is_arrow(const Lexer *lexer) {
  return lexer->at < lexer->source->length && lexer->source->text[lexer->at] == '>' &&
         lex_is(lexer, "-");
}

static bool parse_sum(Parser *parser, const RuleTerm **out) {
  if (!parse_product(parser, out)) return false;
  for (;;) {
    bool is_minus = lex_is(&parser->lexer, "-") && !is_arrow(&parser->lexer);
    if (!is_minus && !lex_is(&parser->lexer, "+")) return true;
    const RuleTerm *right;
    if (!parse_next(parser) || !parse_product(parser, &right)) return false;
    if (is_minus && !make_negative(parser, right, &right)) return false;
    if (!make_pair(parser, TERM_OPERATOR, EXPR_ADD, *out, right, out)) return false;
  }
}

static bool parse_at(Parser *parser, ParsePosition position, const RuleTerm **out) {
  parser->position = position;
  return parse_sum(parser, out);
}

/* After the expression of a side: `in [lo, hi]` makes the side a constraint. */
static bool parse_interval(Parser *parser, ParsePosition position, Side *side) {
  if (!lex_is(&parser->lexer, "in")) return true;
  side->is_constraint = true;
  return parse_next(parser) && expect(parser, "[") && parse_at(parser, position, &side->lo) &&
         expect(parser, ",") && parse_at(parser, position, &side->hi) && expect(parser, "]");
}

static bool parse_left(Parser *parser, Side *side) {
  Token first = parser->lexer.token;
  if (!parse_at(parser, POSITION_LEFT, &side->expr) ||
      !parse_interval(parser, POSITION_LEFT_FACT, side))
    return false;
  if (side->expr->kind != TERM_CONSTANT_LETTER && side->expr->kind != TERM_INTEGER) return true;
  if (parser->is_statement && side->is_constraint) {
    note_statement(parser, "the left side is a constant, '%.*s'", first);
    return true;
  }
  return rule_parse_fail(parser, first.offset, 1,
      "expected an expression letter, not a constant: the left side is only a constant");
}

static bool parse_right(Parser *parser, Side *side) {
  size_t offset = parser->lexer.token.offset;
  if (!parse_at(parser, POSITION_RIGHT, &side->expr) ||
      !parse_interval(parser, POSITION_FACT, side))
    return false;
  if (side->is_constraint == parser->rule->left.is_constraint) return true;
  return rule_parse_fail(parser, offset, 1,
      side->is_constraint
          ? "the right side is a constraint and the left side is not"
          : "the left side is a constraint and the right side is not: expected 'expr in [lo, hi]'");
}

static bool is_relation(const Lexer *lexer) {
  return lex_is(lexer, "==") || lex_is(lexer, "!=") || lex_is(lexer, "<") || lex_is(lexer, "<=") ||
         lex_is(lexer, ">") || lex_is(lexer, ">=");
}

static bool parse_relation(Parser *parser, Comparison *relation) {
  static const char *const texts[] = {[REL_EQ] = "==",
      [REL_NE] = "!=",
      [REL_LT] = "<",
      [REL_LE] = "<=",
      [REL_GT] = ">",
      [REL_GE] = ">="};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    if (!lex_is(&parser->lexer, texts[i])) continue;
    *relation = (Comparison)i;
    return parse_next(parser);
  }
  return error_at(parser->error, ERROR_INPUT, parser->lexer.source, parser->lexer.token.offset,
      parser->lexer.token.length, "expected one of == != < <= > >=%s",
      remedy_text(parser->lexer.source, parser->lexer.token.offset, REMEDY_RULES));
}

typedef struct GuardList {
  uint32_t count, capacity;
  Guard *items;
} GuardList;

/* Parses guards, from the relation after `left` to the end of the list. */
static bool parse_guards_from(Parser *parser, const RuleTerm *left, GuardList *list) {
  for (;;) {
    Guard guard = {.left = left};
    if (!parse_relation(parser, &guard.relation) || !parse_at(parser, POSITION_FACT, &guard.right))
      return false;
    *ARENA_PUSH(parser->arena, list) = guard;
    if (is_relation(&parser->lexer))
      return parser_fail_here(parser, "a guard has one relation: write two guards");
    if (!lex_is(&parser->lexer, ",")) return true;
    if (!parse_next(parser) || !parse_at(parser, POSITION_FACT, &left)) return false;
  }
}

static bool parse_when(Parser *parser) {
  if (!lex_is(&parser->lexer, "when")) return true;
  GuardList list = {};
  const RuleTerm *left;
  if (!parse_next(parser) || !parse_at(parser, POSITION_FACT, &left) ||
      !parse_guards_from(parser, left, &list))
    return false;
  parser->rule->guards = list.items;
  parser->rule->guard_count = list.count;
  return true;
}

/* A guard list or a right side: the token after the first expression decides which. */
static bool parse_negative(Parser *parser) {
  Rule *rule = parser->rule;
  if (rule->has_negative) return parser_fail_here(parser, "a second near-miss");
  rule->has_negative = true;
  const RuleTerm *first;
  if (!parse_next(parser) || !parse_at(parser, POSITION_RIGHT, &first)) return false;
  rule->negative_is_guard = is_relation(&parser->lexer);
  if (rule->negative_is_guard) {
    GuardList list = {};
    if (!reject_expr_letter(
            parser, first, "expected a constant, not an expression letter: use lo() or hi() of it"))
      return false;
    if (!parse_guards_from(parser, first, &list)) return false;
    rule->negative_guards = list.items;
    rule->negative_guard_count = list.count;
    return true;
  }
  rule->negative_side.expr = first;
  if (!parse_interval(parser, POSITION_FACT, &rule->negative_side)) return false;
  if (rule->negative_side.is_constraint == rule->left.is_constraint) return true;
  return rule_parse_fail(
      parser, first->offset, 1, "a near-miss side has the form of the rule's sides");
}

static bool parse_text(Parser *parser, const char **field, size_t *at) {
  if (*field != nullptr) return parser_fail_here(parser, "a second one of this kind");
  size_t tag = parser->lexer.token.offset, tag_length = parser->lexer.token.length, offset, length;
  if (!lex_line(&parser->lexer, &offset, &length, parser->error)) return false;
  if (length == 0)
    return rule_parse_fail(
        parser, tag, tag_length, "expected a text after this word, on the same line");
  *field = arena_text(parser->arena, parser->lexer.source->text + offset, length);
  *at = offset;
  return true;
}

typedef struct ScopeList {
  uint32_t count, capacity;
  ScopeRange *items;
} ScopeList;

static bool parse_end(Parser *parser, int64_t *value) {
  bool is_negative = lex_is(&parser->lexer, "-");
  const RuleTerm *end;
  if (is_negative && !parse_next(parser)) return false;
  if (parser->lexer.token.kind != TOKEN_INTEGER)
    return parser_fail_here(parser, "expected an integer");
  if (!parse_integer(parser, is_negative, &end)) return false;
  *value = end->value;
  return true;
}

static bool parse_range(Parser *parser, const ScopeList *before, ScopeRange *range) {
  Token token = parser->lexer.token;
  const char *text = parser->lexer.source->text + token.offset;
  bool is_constant = false;
  if (token.kind != TOKEN_WORD || !letter_class(parser, text, token.length, &is_constant) ||
      !is_constant)
    return parser_fail_here(parser, "a scope is of constant letters: expected one");
  parser->position = POSITION_FACT;
  if (!letter_number(parser, token, true, &range->letter)) return false;
  for (uint32_t i = 0; i < before->count; i++)
    if (before->items[i].letter == range->letter)
      return parser_fail_here(parser, "a second range of this letter");
  if (!parse_next(parser) || !expect(parser, "in") || !expect(parser, "[") ||
      !parse_end(parser, &range->lo) || !expect(parser, ",") || !parse_end(parser, &range->hi) ||
      !expect(parser, "]"))
    return false;
  return range->lo <= range->hi ||
         rule_parse_fail(parser, token.offset, token.length, "the range of this letter is empty");
}

static const char *scope_text(const Parser *parser, const ScopeList *list) {
  Text text = text_create(parser->arena);
  for (uint32_t i = 0; i < list->count; i++) {
    const ScopeRange *range = &list->items[i];
    text_printf(&text, "%s%s in [%lld, %lld]", i == 0 ? "" : ", ",
        parser->rule->constants[range->letter], (long long)range->lo, (long long)range->hi);
  }
  return text.bytes;
}

/* `c in [1, 64], k in [0, 9]`; also kept as text, without comments. */
static bool parse_scope(Parser *parser) {
  if (parser->rule->scope != nullptr) return parser_fail_here(parser, "a second one of this kind");
  ScopeList list = {};
  if (!parse_next(parser)) return false;
  for (bool goes_on = true; goes_on;) {
    ScopeRange range = {};
    if (!parse_range(parser, &list, &range)) return false;
    *ARENA_PUSH(parser->arena, &list) = range;
    goes_on = lex_is(&parser->lexer, ",");
    if (goes_on && !parse_next(parser)) return false;
  }
  parser->rule->scope = scope_text(parser, &list);
  parser->rule->scope_count = list.count;
  parser->rule->scopes = list.items;
  return true;
}

static bool parse_tag(Parser *parser) {
  Rule *rule = parser->rule;
  if (lex_is(&parser->lexer, "order:"))
    return parse_text(parser, &rule->order, &rule->order_offset);
  if (lex_is(&parser->lexer, "scope:")) return parse_scope(parser);
  if (lex_is(&parser->lexer, "example:"))
    return parse_text(parser, &rule->example, &rule->example_offset);
  return parse_negative(parser);
}

/* Counted from the previous rule if that is in the same text. */
static uint32_t line_at(const Source *source, const RuleSet *rules, size_t offset) {
  const Rule *before = rules->count == 0 ? nullptr : &rules->items[rules->count - 1];
  bool goes_on = before != nullptr && before->file == source->name && before->offset <= offset;
  uint32_t line = goes_on ? before->line : source->first_line == 0 ? 1 : source->first_line;
  for (size_t i = goes_on ? before->offset : 0; i < offset; i++) line += source->text[i] == '\n';
  return line;
}

static bool reject_name_twice(Parser *parser, const RuleSet *rules, size_t offset, size_t length) {
  Table *names = &parser->names;
  while (names->count < rules->count)
    table_add(names, parser->arena, hash_text(0, rules->items[names->count].name), names->count);
  TableProbe probe = table_probe(names, hash_text(0, parser->rule->name));
  const Rule *first = nullptr;
  for (uint32_t i; first == nullptr && table_next(names, &probe, &i);)
    if (strcmp(rules->items[i].name, parser->rule->name) == 0) first = &rules->items[i];
  return first == nullptr ||
         error_at(parser->error, ERROR_INPUT, parser->lexer.source, offset, length,
             "a second rule of this name; the first is %s:%u", first->file, first->line);
}

bool lexer_is_declaration(const Lexer *lexer) {
  return lex_is(lexer, "constant") || lex_is(lexer, "expression");
}

bool parse_rule(Parser *parser, const RuleSet *rules) {
  Rule *rule = parser->rule;
  rule->offset = parser->lexer.token.offset;
  rule->file = parser->lexer.source->name;
  rule->line = line_at(parser->lexer.source, rules, rule->offset);
  rule->constants = ARENA_NEW(parser->arena, const char *, rule_max_letters);
  rule->exprs = ARENA_NEW(parser->arena, const char *, rule_max_letters);
  size_t offset, length;
  if (!lex_name(&parser->lexer, &offset, &length, parser->error)) return false;
  rule->name = arena_text(parser->arena, parser->lexer.source->text + offset, length);
  if (!reject_name_twice(parser, rules, offset, length)) return false;
  parser->is_in_line = false;
  if (!parse_left(parser, &rule->left) || !expect(parser, "=>") ||
      !parse_right(parser, &rule->right) || !parse_when(parser))
    return false;
  parser->is_in_line = true;
  while (parser->lexer.token.kind == TOKEN_TAG)
    if (!parse_tag(parser)) return false;
  return parser->lexer.token.kind == TOKEN_END || lex_is(&parser->lexer, "rule") ||
         (parser->is_statement && lexer_is_declaration(&parser->lexer)) ||
         error_at(parser->error, ERROR_INPUT, parser->lexer.source, parser->lexer.token.offset,
             parser->lexer.token.length,
             "expected 'when', 'rule', an operator or the end of the text%s",
             remedy_text(parser->lexer.source, parser->lexer.token.offset, REMEDY_RULES));
}

/* Copies the source with its name, so that no other text shares that name. */
Parser parser_open(Arena *arena, const Source *source, Error *error) {
  Source *kept = ARENA_NEW(arena, Source, 1);
  *kept = *source;
  const char *name = source->name == nullptr ? "<input>" : source->name;
  kept->name = arena_text(arena, name, strlen(name));
  return (Parser){.lexer = {.source = kept}, .arena = arena, .error = error};
}

bool rules_parse(Arena *arena, const Source *source, RuleSet *rules, Error *error) {
  Parser parser = parser_open(arena, source, error);
  if (!parse_next(&parser)) return false;
  while (parser.lexer.token.kind != TOKEN_END) {
    if (!lex_is(&parser.lexer, "rule")) return parser_fail_here(&parser, "expected 'rule'");
    Rule rule = {};
    parser.rule = &rule;
    if (!parse_rule(&parser, rules)) return false;
    *ARENA_PUSH(arena, rules) = rule;
  }
  return true;
}
