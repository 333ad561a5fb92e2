/* One test a sense of rest. Texts are compared: what is printed is what is promised. */
#include "judge/settled.h"

#include <string.h>

#include "core/map/text.h"
#include "core/simplify/exchange.h"
#include "core/simplify/size.h"

const char *rest_text(Rest rest) {
  switch (rest) {
  case REST_IDEMPOTENT: return "simplified once more";
  case REST_ORDER: return "in another order";
  case REST_NUMBERING: return "with other numbers of variables";
  case REST_LARGER: return "larger than it was";
  }
  return "";
}

static Expr turned(ExprPool *pool, Expr expr) {
  const ExprNode node = *expr_node(pool, expr);
  if (node.op == EXPR_CONST || node.op == EXPR_VAR) return expr;
  Expr left = turned(pool, node.left), right = turned(pool, node.right);
  bool commutes = node.op == EXPR_ADD || node.op == EXPR_MIN || node.op == EXPR_MAX;
  return expr_binary(pool, node.op, commutes ? right : left, commutes ? left : right);
}

const Map *map_turned(MapContext *context, const Map *map) {
  Map *copy = map_create(context, map->dim_count, map->range_count, map->runtime_count, map->result_count, map->constraint_count);
  copy->sources = map->sources;
  memcpy(copy->dims, map->dims, map->dim_count * sizeof *map->dims);
  memcpy(copy->ranges, map->ranges, map->range_count * sizeof *map->ranges);
  memcpy(copy->runtimes, map->runtimes, map->runtime_count * sizeof *map->runtimes);
  for (uint32_t i = 0; i < map->result_count; i++) copy->results[i] = turned(context->pool, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    const Constraint *from = &map->constraints[map->constraint_count - 1 - i];
    copy->constraints[i] = (Constraint){.expr = turned(context->pool, from->expr), .in = from->in};
  }
  return copy;
}

static uint32_t *reversed(Arena *arena, uint32_t count) {
  uint32_t *to = ARENA_NEW(arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++) to[i] = count - 1 - i;
  return to;
}

const Map *map_renumbered(MapContext *context, const Map *map) {
  Arena *arena = context->arena;
  const Numbering numbering = {.to = {reversed(arena, map->dim_count), reversed(arena, map->range_count), reversed(arena, map->runtime_count)}};
  return map_renumber(context, map, &numbering);
}

static const char *printed(const MapContext *context, const Map *map) {
  Text text = text_create(context->arena);
  map_print(&text, context, map, MAP_STYLE_LINE);
  return text.bytes;
}

static bool are_alike(const MapContext *context, const Map *before, const Map *after, Unrest *unrest) {
  *unrest = (Unrest){before, after};
  return strcmp(printed(context, before), printed(context, after)) == 0;
}

static bool simplified(const Judge *judge, const Map *map, const Map **result) {
  Error ignored = {};
  return simplify_map(judge->simplifier, map, nullptr, result, nullptr, &ignored);
}

/* Numbered otherwise, simplified, and numbered as before. */
static bool is_numbered_freely(Judge *judge, const Map *once, const Map *map, Unrest *unrest) {
  const Map *other, *back;
  Numbering exchange;
  if (!simplified(judge, map_renumbered(judge->context, map), &other) || !simplified(judge, map_renumbered(judge->context, other), &back)) return true;
  return are_alike(judge->context, once, back, unrest) || map_exchange(judge->simplifier, once, back, &exchange);
}

/* The same handles at the same places, so that simplifying takes the same way. */
static bool is_as_stated(const Map *a, const Map *b) {
  bool same = true;
  for (uint32_t i = 0; same && i < a->result_count; i++) same = expr_same(a->results[i], b->results[i]);
  for (uint32_t i = 0; same && i < a->constraint_count; i++)
    same = expr_same(a->constraints[i].expr, b->constraints[i].expr) && a->constraints[i].in.lo == b->constraints[i].in.lo && a->constraints[i].in.hi == b->constraints[i].in.hi;
  return same;
}

static bool has_one_order(Judge *judge, const Map *map, Unrest *unrest) {
  const Map *once, *other, *turned = map_turned(judge->context, map);
  if (is_as_stated(map, turned) || !simplified(judge, map, &once)) return true;
  return !simplified(judge, turned, &other) || are_alike(judge->context, once, other, unrest);
}

static bool has_one_numbering(Judge *judge, const Map *map, Unrest *unrest) {
  const Map *once;
  bool is_one = map->dim_count <= 1 && map->range_count <= 1 && map->runtime_count <= 1;
  return is_one || !simplified(judge, map, &once) || is_numbered_freely(judge, once, map, unrest);
}

bool map_rests(Judge *judge, Rest rest, const Map *map, Unrest *unrest) {
  const Map *once, *other;
  if (map->state != MAP_PLAIN) return true;
  switch (rest) {
  case REST_IDEMPOTENT: return !simplified(judge, map, &once) || !simplified(judge, once, &other) || are_alike(judge->context, once, other, unrest);
  case REST_ORDER: return has_one_order(judge, map, unrest);
  case REST_NUMBERING: return has_one_numbering(judge, map, unrest);
  case REST_LARGER:
    if (!simplified(judge, map, &once)) return true;
    *unrest = (Unrest){map, once};
    return size_of_text(printed(judge->context, once)) <= size_of_text(printed(judge->context, map));
  }
  return true;
}

/* A map that can leave int64 is left as it is. */
bool answer_rests(MapContext *context, Simplifier *simplifier, const MapSet *maps, Unrest *unrest) {
  for (uint32_t i = 0; i < maps->count; i++) {
    const Map *again;
    Error ignored = {};
    if (!simplify_map(simplifier, maps->maps[i], &(SimplifyOptions){.keep_points = true}, &again, nullptr, &ignored)) continue;
    *unrest = (Unrest){maps->maps[i], again};
    if (!map_identical(context, maps->maps[i], again)) return false;
  }
  return true;
}
