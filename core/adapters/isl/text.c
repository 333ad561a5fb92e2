/* Writes isl's notation: floor((e)/c), ceil((e)/c), (e) mod c, min, max. Expressions are written as
 * trees, so their size is checked first. The recursion is as deep as the expression, at most
 * expr_max_depth, over at most 65,536 nodes. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/adapters/isl/names.h"
#include "core/adapters/isl/relation.h"

static constexpr uint32_t largest_tree = 65536, largest_constant = 64;

typedef struct TextWriter {
  const MapContext *context;
  RelationPart part;
  Text *text;
  uint32_t nodes; /* written so far for this map */
  Error *error;
} TextWriter;

static bool text_write(TextWriter *writer, Expr expr);

static void write_variable(Text *text, VarKind kind, uint32_t index) {
  text_printf(text, "%s%" PRIu32, variable_prefix(kind), index);
}

static bool write_between(TextWriter *writer, const char *before, Expr left, const char *middle,
    Expr right, const char *after) {
  text_string(writer->text, before);
  if (!text_write(writer, left)) return false;
  text_string(writer->text, middle);
  if (!text_write(writer, right)) return false;
  text_string(writer->text, after);
  return true;
}

/* True if the expression has no variable and its value fits int64. isl accepts only a number as a
 * factor: it rejects `x * (-2)`. */
static bool is_number(const TextWriter *writer, Expr expr, uint32_t *budget, int64_t *value) {
  ExprNode node = *expr_node(writer->context->pool, expr);
  int64_t side;
  if (node.op == EXPR_VAR || *budget == 0) return false;
  --*budget;
  if (node.op != EXPR_CONST && (!is_number(writer, node.left, budget, &side) ||
                                   !is_number(writer, node.right, budget, &side)))
    return false;
  return expr_evaluate(writer->context->pool, expr, &(Point){}, value);
}

static bool write_product(TextWriter *writer, Expr left, Expr right) {
  uint32_t budget = largest_constant, again = largest_constant;
  int64_t factor;
  Expr rest = right;
  if (!is_number(writer, left, &budget, &factor)) {
    rest = left;
    if (!is_number(writer, right, &again, &factor))
      return error_set(writer->error, ERROR_UNSUPPORTED, "isl has no product of two variables");
  }
  assert(expr_same(rest, left) || expr_same(rest, right));
  text_printf(writer->text, "(%" PRId64 " * ", factor);
  if (!text_write(writer, rest)) return false;
  text_string(writer->text, ")");
  return true;
}

static bool write_operator(TextWriter *writer, ExprNode node) {
  switch (node.op) {
    case EXPR_ADD: return write_between(writer, "(", node.left, " + ", node.right, ")");
    case EXPR_MUL: return write_product(writer, node.left, node.right);
    case EXPR_FLOORDIV: return write_between(writer, "floor((", node.left, ")/", node.right, ")");
    case EXPR_CEILDIV: return write_between(writer, "ceil((", node.left, ")/", node.right, ")");
    case EXPR_MOD: return write_between(writer, "((", node.left, ") mod ", node.right, ")");
    case EXPR_MIN: return write_between(writer, "min(", node.left, ", ", node.right, ")");
    case EXPR_MAX: return write_between(writer, "max(", node.left, ", ", node.right, ")");
    case EXPR_CONST:
    case EXPR_VAR: break;
  }
  assert(false);
  return false;
}

static bool text_write(TextWriter *writer, Expr expr) {
  ExprNode node = *expr_node(writer->context->pool, expr);
  if (++writer->nodes > largest_tree)
    return error_set(writer->error, ERROR_LIMIT,
        "a map of more than %" PRIu32 " nodes is not written out", largest_tree);
  if (node.op == EXPR_VAR) write_variable(writer->text, node.var_kind, node.var_index);
  else if (node.op == EXPR_CONST)
    text_printf(writer->text, node.value < 0 ? "(%" PRId64 ")" : "%" PRId64, node.value);
  else return write_operator(writer, node);
  return true;
}

static void write_kind(Text *text, bool *first, VarKind kind, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (!*first) text_string(text, ", ");
    *first = false;
    write_variable(text, kind, i);
  }
}

static void write_variables(Text *text, bool first, const Map *map) {
  write_kind(text, &first, VAR_DIM, map->dim_count);
  write_kind(text, &first, VAR_RANGE, map->range_count);
  write_kind(text, &first, VAR_RUNTIME, map->runtime_count);
}

static void write_statement(Text *text, uint32_t number, const Map *map) {
  text_printf(text, "  S%" PRIu32 "[", number);
  write_variables(text, true, map);
  text_string(text, "]");
}

static void text_write_bounds(
    Text *text, const char **between, VarKind kind, uint32_t count, const Variable *variables) {
  for (uint32_t i = 0; i < count; i++) {
    text_printf(text, "%s%" PRId64 " <= ", *between, variables[i].bounds.lo);
    write_variable(text, kind, i);
    text_printf(text, " <= %" PRId64, variables[i].bounds.hi);
    *between = " and ";
  }
}

static bool write_domain(TextWriter *writer, uint32_t number, const Map *map) {
  const char *between = " : ";
  write_statement(writer->text, number, map);
  if (map->state == MAP_KNOWN_EMPTY) text_string(writer->text, " : 1 = 0");
  if (map->state == MAP_KNOWN_EMPTY) return true;
  text_write_bounds(writer->text, &between, VAR_DIM, map->dim_count, map->dims);
  text_write_bounds(writer->text, &between, VAR_RANGE, map->range_count, map->ranges);
  text_write_bounds(writer->text, &between, VAR_RUNTIME, map->runtime_count, map->runtimes);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    text_printf(writer->text, "%s%" PRId64 " <= ", between, map->constraints[i].in.lo);
    if (!text_write(writer, map->constraints[i].expr)) return false;
    text_printf(writer->text, " <= %" PRId64, map->constraints[i].in.hi);
    between = " and ";
  }
  return true;
}

static bool write_schedule(TextWriter *writer, uint32_t number, const Map *map) {
  write_statement(writer->text, number, map);
  text_printf(writer->text, " -> [%" PRIu32, number);
  write_variables(writer->text, false, map);
  text_string(writer->text, "]");
  return true;
}

static bool write_reads(TextWriter *writer, uint32_t number, const char *name, const Map *map) {
  write_statement(writer->text, number, map);
  text_printf(writer->text, " -> %s[", name);
  for (uint32_t i = 0; map->state == MAP_PLAIN && i < map->result_count; i++) {
    if (i > 0) text_string(writer->text, ", ");
    if (!text_write(writer, map->results[i])) return false;
  }
  text_string(writer->text, "]");
  return true;
}

typedef enum TextPart : uint8_t { PART_DOMAIN, PART_SCHEDULE, PART_READS } TextPart;

static bool write_part(
    TextWriter *writer, TextPart part, uint32_t number, const char *name, const Map *map) {
  writer->nodes = 0;
  switch (part) {
    case PART_DOMAIN: return write_domain(writer, number, map);
    case PART_SCHEDULE: return write_schedule(writer, number, map);
    case PART_READS: return write_reads(writer, number, name, map);
  }
  return false;
}

static bool write_union(TextWriter *writer, TextPart part, uint32_t count, const char *const *names,
    const Map *const *maps) {
  static const char *const titles[] = {
      [PART_DOMAIN] = "domain", [PART_SCHEDULE] = "schedule", [PART_READS] = "reads"};
  text_printf(writer->text, "%s%s := {\n", titles[part], writer->part.suffix);
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0) text_string(writer->text, ";\n");
    if (!write_part(writer, part, writer->part.first + i, names[i], maps[i])) return false;
  }
  text_string(writer->text, "\n};\n");
  return true;
}

const char *relation_name(Arena *arena, uint32_t number, const char *name) {
  if (name == nullptr || name[0] == '\0') return arena_printf(arena, "map%" PRIu32, number);
  char *letters = arena_text(arena, name, strlen(name));
  for (char *c = letters; *c != '\0'; c++) {
    bool fits = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                *c == '_';
    if (!fits) *c = '_';
  }
  return letters[0] >= '0' && letters[0] <= '9' ? arena_printf(arena, "m%s", letters) : letters;
}

bool relation_emit(const MapContext *context, const RelationPart *part, uint32_t count,
    const char *const *names, const Map *const *maps, Text *text, Error *error) {
  Arena *scratch = arena_create();
  Text made = text_create(scratch);
  TextWriter writer = {.context = context,
      .part = part == nullptr ? (RelationPart){.suffix = ""} : *part,
      .text = &made,
      .error = error};
  const char **fitting = ARENA_NEW(scratch, const char *, count);
  bool done = true;
  for (uint32_t i = 0; i < count; i++) {
    fitting[i] =
        relation_name(scratch, writer.part.first + i, names == nullptr ? nullptr : names[i]);
    if (maps[i]->state == MAP_UNDEFINED)
      done = error_set(error, ERROR_UNSUPPORTED, "UNDEFINED has no relation");
  }
  for (TextPart at = PART_DOMAIN; done && at <= PART_READS; at++)
    done = write_union(&writer, at, count, fitting, maps);
  if (done) text_append(text, made.bytes, made.length);
  arena_destroy(scratch);
  return done;
}
