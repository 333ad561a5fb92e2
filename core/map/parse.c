/* Parses maps by recursive descent: names, results, then the domain. The domain has one bound for
 * each variable, in the order of declaration, and then the constraints. If there are runtime
 * variables, a line with the source of each may follow. */
#include "core/map/parse.h"

#include <assert.h>

#include <string.h>

#include "core/map/text.h"

static bool parse_names(
    MapParser *parser, VarKind kind, MapToken close, const char *what, uint32_t *count) {
  *count = 0;
  if (parse_accept(parser, close)) return true;
  do {
    if (!parse_declare(parser, kind, (*count)++)) return false;
  } while (parse_accept(parser, MAP_TOKEN_COMMA));
  return parse_expect(parser, close, what);
}

typedef struct Draft {
  uint32_t dims, ranges, runtimes;
  struct {
    uint32_t count, capacity;
    Expr *items;
  } results;
  struct {
    uint32_t count, capacity;
    Constraint *items;
  } constraints;
  Interval *bounds; /* [parser->count] */
} Draft;

static bool parse_results(MapParser *parser, Draft *draft) {
  if (!parse_expect(parser, MAP_TOKEN_OPEN, "'(' before the results")) return false;
  if (parse_accept(parser, MAP_TOKEN_CLOSE)) return true;
  do {
    Expr result;
    if (!parse_expr(parser, &result)) return false;
    *ARENA_PUSH(parser->context->arena, &draft->results) = result;
  } while (parse_accept(parser, MAP_TOKEN_COMMA));
  return parse_expect(parser, MAP_TOKEN_CLOSE, "',' or ')' after a result");
}

static bool parse_limits(MapParser *parser, Interval *interval) {
  return parse_expect(parser, MAP_TOKEN_OPEN_SQUARE, "'['") &&
         parse_integer(parser, &interval->lo) && parse_expect(parser, MAP_TOKEN_COMMA, "','") &&
         parse_integer(parser, &interval->hi) &&
         parse_expect(parser, MAP_TOKEN_CLOSE_SQUARE, "']'");
}

static bool parse_interval(MapParser *parser, Interval *interval) {
  if (!map_lexer_is_word(&parser->lexer, "in")) return parse_fail(parser, "'in'");
  map_lexer_next(&parser->lexer);
  return parse_limits(parser, interval);
}

/* Entries of the domain are separated by a comma or a line break. */
static bool parse_separator(MapParser *parser) {
  return parse_accept(parser, MAP_TOKEN_COMMA) || parser->lexer.after_newline ||
         parse_fail(parser, "','");
}

static bool parse_bound(MapParser *parser, Draft *draft, uint32_t at) {
  const Name *name = &parser->items[at];
  const char *text = parser->lexer.source->text + name->at;
  const MapLexer *lexer = &parser->lexer;
  bool matches = lexer->token == MAP_TOKEN_NAME && lexer->length == name->length &&
                 memcmp(lexer->source->text + lexer->at, text, name->length) == 0;
  if (!matches) {
    char what[240], found[120] = "";
    if (lexer->token == MAP_TOKEN_NAME)
      snprintf(found, sizeof found, ", found '%.*s'",
          (int)(lexer->length < 80 ? lexer->length : 80), lexer->source->text + lexer->at);
    snprintf(what, sizeof what, "the bounds of '%.*s'%s",
        (int)(name->length < 80 ? name->length : 80), text, found);
    return parse_fail(parser, what);
  }
  map_lexer_next(&parser->lexer);
  return parse_interval(parser, &draft->bounds[at]);
}

/* The domain ends at `runtime variables:` or at `rt0: name; map`. */
static bool at_domain_end(const MapParser *parser) {
  const MapLexer *lexer = &parser->lexer;
  if (lexer->token == MAP_TOKEN_END) return true;
  if (lexer->token != MAP_TOKEN_NAME || !lexer->after_newline) return false;
  MapLexer after = *lexer;
  map_lexer_next(&after);
  return after.token == MAP_TOKEN_COLON ||
         (map_lexer_is_word(lexer, "runtime") && map_lexer_is_word(&after, "variables"));
}

/* Prose directly below a map, as in a log. `min` and `max` begin an expression, and `runtime` is of
 * a heading. */
static bool is_foreign_line(MapParser *parser) {
  const MapLexer *lexer = &parser->lexer;
  return lexer->after_newline && lexer->token == MAP_TOKEN_NAME && map_lexer_peek(lexer) != '(' &&
         !map_lexer_is_word(lexer, "runtime") &&
         parse_lookup(parser, lexer->at, lexer->length) == nullptr;
}

static bool parse_constraint(MapParser *parser, Draft *draft) {
  Constraint constraint;
  const MapLexer *lexer = &parser->lexer;
  if (is_foreign_line(parser))
    return error_at(parser->error, ERROR_INPUT, lexer->source, lexer->at, lexer->length,
        "unknown name '%.*s' in a line below the map; an empty line ends the map",
        (int)(lexer->length < 80 ? lexer->length : 80), lexer->source->text + lexer->at);
  if (!parse_expr(parser, &constraint.expr) || !parse_interval(parser, &constraint.in))
    return false;
  *ARENA_PUSH(parser->context->arena, &draft->constraints) = constraint;
  return true;
}

static bool parse_domain(MapParser *parser, Draft *draft) {
  for (uint32_t i = 0; i < parser->count; i++) {
    if (i > 0 && !parse_separator(parser)) return false;
    if (!parse_bound(parser, draft, i)) return false;
  }
  bool first = parser->count == 0;
  while (!at_domain_end(parser)) {
    if (!first && !parse_separator(parser)) return false;
    if (at_domain_end(parser)) break;
    if (!parse_constraint(parser, draft)) return false;
    first = false;
  }
  return true;
}

/* True if the text is the prefix followed by the index. */
static bool is_standard(const char *prefix, uint32_t index, const char *text, size_t length) {
  char standard[24];
  size_t at = sizeof standard, prefix_length = strlen(prefix);
  do standard[--at] = (char)('0' + index % 10);
  while ((index /= 10) > 0);
  size_t digits = sizeof standard - at;
  return length == prefix_length + digits && memcmp(text, prefix, prefix_length) == 0 &&
         memcmp(text + prefix_length, standard + at, digits) == 0;
}

static const char *own_name(const MapParser *parser, const Name *name) {
  const char *text = parser->lexer.source->text + name->at;
  if (is_standard(variable_prefix(name->kind), name->index, text, name->length)) return nullptr;
  return arena_text(parser->context->arena, text, name->length);
}

static Map *parse_finish(MapParser *parser, const Draft *draft) {
  Map *map = map_create_unset(parser->context, draft->dims, draft->ranges, draft->runtimes,
      draft->results.count, draft->constraints.count);
  for (uint32_t i = 0; i < parser->count; i++) {
    const Name *name = &parser->items[i];
    Variable *variables = name->kind == VAR_DIM     ? map->dims
                          : name->kind == VAR_RANGE ? map->ranges
                                                    : map->runtimes;
    variables[name->index] = (Variable){.bounds = draft->bounds[i], .name = own_name(parser, name)};
  }
  if (draft->results.count > 0)
    memcpy(map->results, draft->results.items, draft->results.count * sizeof(Expr));
  if (draft->constraints.count > 0)
    memcpy(
        map->constraints, draft->constraints.items, draft->constraints.count * sizeof(Constraint));
  assert(map_variable_count(map) == parser->count && map_is_whole(parser->context, map));
  return map;
}

static bool parse_plain(MapParser *parser, Map **map) {
  Draft draft = {};
  if (!parse_expect(parser, MAP_TOKEN_OPEN, "a map: '(' before its dimensions")) return false;
  if (!parse_names(parser, VAR_DIM, MAP_TOKEN_CLOSE, "',' or ')'", &draft.dims)) return false;
  if (parse_accept(parser, MAP_TOKEN_OPEN_SQUARE) &&
      !parse_names(parser, VAR_RANGE, MAP_TOKEN_CLOSE_SQUARE, "',' or ']'", &draft.ranges))
    return false;
  if (parse_accept(parser, MAP_TOKEN_OPEN_BRACE) &&
      !parse_names(parser, VAR_RUNTIME, MAP_TOKEN_CLOSE_BRACE, "',' or '}'", &draft.runtimes))
    return false;
  if (!parse_expect(parser, MAP_TOKEN_ARROW, "'->'") || !parse_results(parser, &draft))
    return false;
  draft.bounds = ARENA_NEW(parser->context->arena, Interval, parser->count);
  bool comma = parse_accept(parser, MAP_TOKEN_COMMA);
  if (map_lexer_is_word(&parser->lexer, "domain")) {
    map_lexer_next(&parser->lexer);
    if (!parse_expect(parser, MAP_TOKEN_COLON, "':'") || !parse_domain(parser, &draft))
      return false;
  } else if (parser->count > 0 || comma) {
    return parse_fail(parser, "'domain:'");
  }
  *map = parse_finish(parser, &draft);
  return true;
}

static const Map *parse_state(MapParser *parser) {
  if (map_lexer_is_word(&parser->lexer, "UNDEFINED")) {
    map_lexer_next(&parser->lexer);
    return map_undefined(parser->context);
  }
  MapLexer ahead = parser->lexer;
  if (!map_lexer_is_word(&ahead, "KNOWN")) return nullptr;
  map_lexer_next(&ahead);
  if (!map_lexer_is_word(&ahead, "EMPTY")) return nullptr;
  map_lexer_next(&ahead);
  parser->lexer = ahead;
  return map_known_empty(parser->context);
}

static const char *printed_name(
    MapContext *context, VarKind kind, const Variable *variables, uint32_t at) {
  static const char *const standard[] = {[VAR_DIM] = "d", [VAR_RANGE] = "s", [VAR_RUNTIME] = "rt"};
  return variables[at].name != nullptr ? variables[at].name
                                       : arena_printf(context->arena, "%s%u", standard[kind], at);
}

/* The owner's variable with the name of variable `at`. */
static bool find_in_owner(MapContext *context, const Map *owner, VarKind kind, const Map *index,
    uint32_t at, uint32_t *found) {
  const Variable *given = map_variables(owner, kind);
  const char *name = printed_name(context, kind, map_variables(index, kind), at);
  for (*found = 0; *found < map_kind_count(owner, kind); ++*found)
    if (strcmp(printed_name(context, kind, given, *found), name) == 0) return true;
  return false;
}

/* The index map over the variables of its owner, which go by name: those that its text leaves out
 * are the owner's. XLA prints index maps with constraints and bounds of their own, which are kept,
 * and with variables of their own: such a map stays as it is. */
static bool widen_index(
    MapContext *context, const Map *owner, Map *narrow, const Map **wide, Error *error) {
  Expr *by[3] = {};
  narrow->has_own_variables = true;
  Map *made =
      map_copy_variables(context->arena, owner, narrow->result_count, narrow->constraint_count);
  made->sources = nullptr;
  for (VarKind kind = VAR_DIM; kind <= VAR_RUNTIME; kind++) {
    Variable *variables = kind == VAR_DIM     ? made->dims
                          : kind == VAR_RANGE ? made->ranges
                                              : made->runtimes;
    by[kind] = ARENA_NEW(context->arena, Expr, map_kind_count(narrow, kind) + 1);
    for (uint32_t i = 0; i < map_kind_count(narrow, kind); i++) {
      uint32_t found;
      if (!find_in_owner(context, owner, kind, narrow, i, &found)) return true;
      by[kind][i] = expr_var(context->pool, kind, found);
      variables[found].bounds = map_variables(narrow, kind)[i].bounds;
    }
  }
  const Substitution substitution = {
      .dims = by[VAR_DIM], .ranges = by[VAR_RANGE], .runtimes = by[VAR_RUNTIME]};
  *wide = made;
  return expr_substitute(context->pool, context->arena, &substitution, narrow->result_count,
             narrow->results, made->results, error) &&
         constraints_substitute(context, &substitution, narrow->constraint_count,
             narrow->constraints, made->constraints, error);
}

static bool parse_index(MapParser *parser, const Map *owner, const Map **index) {
  *index = parse_state(parser);
  if (*index != nullptr) return true;
  Map *plain = nullptr;
  if (!parse_plain(parser, &plain)) return false;
  *index = plain;
  return widen_index(parser->context, owner, plain, index, parser->error);
}

/* The text of an instruction in source->text[begin .. end[, which may end with `clamped to [lo,
 * hi]`. Without that ending the clamp is the bounds. */
static bool parse_origin(
    MapParser *parser, RuntimeSource *runtime, Interval bounds, size_t begin, size_t end) {
  static const char ending[] = " clamped to ";
  const Source *source = parser->lexer.source;
  while (begin < end && source->text[begin] == ' ') begin++;
  while (begin < end && source->text[end - 1] == ' ') end--;
  size_t at = end; /* the character after the last '[' */
  while (at > begin && source->text[at - 1] != '[' && source->text[at - 1] != ';') at--;
  size_t length = sizeof ending - 1;
  bool states = at > begin && at - begin > length && source->text[end - 1] == ']' &&
                memcmp(source->text + at - 1 - length, ending, length) == 0;
  runtime->clamp = bounds;
  size_t name_end = states ? at - 1 - length : end;
  while (name_end > begin && source->text[name_end - 1] == ' ') name_end--;
  runtime->name = arena_text(parser->context->arena, source->text + begin, name_end - begin);
  if (!states) return true;
  parser->lexer.at = at - 1;
  parser->lexer.length = 0;
  map_lexer_next(&parser->lexer);
  MapLexer first = parser->lexer;
  if (!parse_limits(parser, &runtime->clamp)) return false;
  if (runtime->clamp.lo <= runtime->clamp.hi) return true;
  parser->lexer = first;
  return parse_fail(parser, "a clamp with a value");
}

static bool ends_source(char byte) { return byte == ';' || byte == '\n' || byte == 0; }

/* The place after a string that begins at the quote; that after the quote if the line does not
 * close it. */
static size_t after_string(const Source *source, size_t quote) {
  for (size_t at = quote + 1; at < source->length && source->text[at] != '\n'; at++) {
    if (source->text[at] == '"') return at + 1;
    at += source->text[at] == '\\' && at + 1 < source->length && source->text[at + 1] != '\n';
  }
  return quote + 1;
}

/* `rt0: text of the instruction; map`. The text ends at the first ';' outside strings. */
static bool parse_source(MapParser *parser, Map *map, uint32_t at) {
  MapLexer *lexer = &parser->lexer;
  const Name *name =
      parse_lookup(parser, lexer->at, lexer->token == MAP_TOKEN_NAME ? lexer->length : 0);
  if (name == nullptr || name->kind != VAR_RUNTIME || name->index != at)
    return parse_fail(parser, "the next runtime variable's line, in order");
  map_lexer_next(lexer);
  if (lexer->token != MAP_TOKEN_COLON) return parse_fail(parser, "':'");
  const Source *source = lexer->source;
  size_t begin = lexer->at + 1, end = begin;
  while (end < source->length && !ends_source(source->text[end]))
    end = source->text[end] == '"' ? after_string(source, end) : end + 1;
  if (end >= source->length || source->text[end] != ';')
    return parse_fail(parser, "an instruction, ';' and a map");
  assert(at < map->runtime_count && begin <= end);
  RuntimeSource *runtime = &map->sources[at];
  MapParser inner = {.context = parser->context, .lexer = *lexer, .error = parser->error};
  if (!parse_origin(&inner, runtime, map->runtimes[at].bounds, begin, end)) return false;
  inner.lexer.at = end + 1;
  inner.lexer.length = 0;
  map_lexer_next(&inner.lexer);
  if (!parse_index(&inner, map, &runtime->index)) return false;
  assert(inner.lexer.at >= lexer->at);
  *lexer = inner.lexer;
  return true;
}

static bool parse_sources(MapParser *parser, Map *map) {
  assert(map != nullptr); /* parse_plain created it */
  if (!map_lexer_is_word(&parser->lexer, "runtime")) return true;
  map_lexer_next(&parser->lexer);
  if (!map_lexer_is_word(&parser->lexer, "variables")) return parse_fail(parser, "'variables:'");
  map_lexer_next(&parser->lexer);
  if (!parse_expect(parser, MAP_TOKEN_COLON, "':'")) return false;
  map->sources = ARENA_NEW(parser->context->arena, RuntimeSource, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++)
    if (!parse_source(parser, map, i)) return false;
  return true;
}

static bool check_indices(MapContext *context, const Map *map, Error *error) {
  for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++)
    if (!map_check(context, map->sources[i].index, error)) return false;
  return true;
}

static bool parse_end(MapParser *parser) {
  return parser->lexer.token == MAP_TOKEN_END || parse_fail(parser, "the end of the map");
}

bool map_parse(MapContext *context, const Source *source, const Map **map, Error *error) {
  MapParser parser = {.context = context, .lexer = map_lexer_create(source), .error = error};
  *map = parse_state(&parser);
  if (*map != nullptr) return parse_end(&parser);
  Map *plain = nullptr;
  if (!parse_plain(&parser, &plain) || !parse_sources(&parser, plain) || !parse_end(&parser))
    return false;
  *map = plain;
  Error inner = {};
  if (map_check(context, plain, &inner) && check_indices(context, plain, &inner)) return true;
  size_t blanks = strspn(source->text, " \t\r\n");
  return error_at(error, inner.kind, source, blanks, source->length - blanks, "%s", inner.message);
}

bool map_cut_pair(Arena *arena, const Source *source, Source pair[2]) {
  const char *between = strstr(source->text, " ; ");
  if (between == nullptr) return false;
  pair[0] = pair[1] = *source;
  pair[0].length = (size_t)(between - source->text);
  pair[0].text = arena_text(arena, source->text, pair[0].length);
  pair[1].text = between + 3;
  pair[1].length -= pair[0].length + 3;
  return true;
}
