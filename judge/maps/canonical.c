/* Flattens every sum and product and sorts the texts of its operands. The recursion depth is that
 * of the expression, at most expr_max_depth. */
#include "judge/maps/canonical.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct CanonicalTexts {
  uint32_t count, capacity;
  const char **items;
} CanonicalTexts;

static int compare_words(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_sorted(Text *text, CanonicalTexts *words, const char *between) {
  assert(words->count <= words->capacity);
  if (words->count > 1) qsort(words->items, words->count, sizeof *words->items, compare_words);
  for (uint32_t i = 0; i < words->count; i++) {
    if (i > 0) text_string(text, between);
    text_string(text, words->items[i]);
  }
}

static const char *expr_text(Arena *arena, const ExprPool *pool, Expr expr);

static void canonical_collect(
    Arena *arena, const ExprPool *pool, ExprOp op, Expr expr, CanonicalTexts *words) {
  const ExprNode *node = expr_node(pool, expr);
  if (node->op == op) {
    canonical_collect(arena, pool, op, node->left, words);
    canonical_collect(arena, pool, op, node->right, words);
    return;
  }
  const char *word = expr_text(arena, pool, expr);
  *ARENA_PUSH(arena, words) = word;
}

static const char *expr_text(Arena *arena, const ExprPool *pool, Expr expr) {
  assert(expr.at > 0 && expr.at < pool->count);
  const ExprNode *node = expr_node(pool, expr);
  if (node->op == EXPR_CONST) return arena_printf(arena, "%" PRId64, node->value);
  if (node->op == EXPR_VAR)
    return arena_printf(arena, "%s%u", variable_prefix(node->var_kind), node->var_index);
  bool is_flat =
      node->op == EXPR_ADD || node->op == EXPR_MUL || node->op == EXPR_MIN || node->op == EXPR_MAX;
  if (!is_flat)
    return arena_printf(arena, "(%s %s %s)", expr_text(arena, pool, node->left),
        expr_op_text(node->op), expr_text(arena, pool, node->right));
  CanonicalTexts words = {};
  canonical_collect(arena, pool, node->op, expr, &words);
  Text text = text_create(arena);
  text_printf(&text, "(%s ", expr_op_text(node->op));
  print_sorted(&text, &words, " ");
  text_string(&text, ")");
  return text.bytes;
}

static void print_bounds(Text *text, const char *open, uint32_t count, const Variable *variables) {
  text_string(text, open);
  for (uint32_t i = 0; i < count; i++)
    text_printf(text, "[%" PRId64 ",%" PRId64 "]", variables[i].bounds.lo, variables[i].bounds.hi);
}

static void print_constraints(Text *text, const MapContext *context, const Map *map) {
  CanonicalTexts words = {};
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    const Constraint *constraint = &map->constraints[i];
    const char *word = arena_printf(text->arena, "%s in [%" PRId64 ",%" PRId64 "]",
        expr_text(text->arena, context->pool, constraint->expr), constraint->in.lo,
        constraint->in.hi);
    *ARENA_PUSH(text->arena, &words) = word;
  }
  text_string(text, " where ");
  print_sorted(text, &words, ", ");
}

static void print_sources(Text *text, const MapContext *context, const Map *map) {
  for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++) {
    const RuntimeSource *source = &map->sources[i];
    text_printf(text, " rt%u from %s clamped to [%" PRId64 ",%" PRId64 "] ", i,
        source->name == nullptr ? "?" : source->name, source->clamp.lo, source->clamp.hi);
    if (source->index != nullptr) map_print_canonical(text, context, source->index, false);
  }
}

void map_print_canonical(Text *text, const MapContext *context, const Map *map, bool with_sources) {
  if (map->state != MAP_PLAIN) {
    text_string(text, map->state == MAP_UNDEFINED ? "UNDEFINED" : "KNOWN EMPTY");
    return;
  }
  print_bounds(text, "d ", map->dim_count, map->dims);
  print_bounds(text, " s ", map->range_count, map->ranges);
  print_bounds(text, " rt ", map->runtime_count, map->runtimes);
  text_string(text, " ->");
  for (uint32_t i = 0; i < map->result_count; i++)
    text_printf(text, " %s", expr_text(text->arena, context->pool, map->results[i]));
  print_constraints(text, context, map);
  if (with_sources) print_sources(text, context, map);
}
