/* One test a sense of rest. Texts are compared: what is printed is what is promised. */
#include "judge/maps/settled.h"

#include <string.h>

#include "core/map/text.h"
#include "core/simplify/normal/size.h"

const char *rest_text(Rest rest) {
  switch (rest) {
    case REST_IDEMPOTENT: return "simplified once more";
    case REST_ORDER: return "in another order";
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
  Map *copy = map_copy_variables(context->arena, map, map->result_count, map->constraint_count);
  for (uint32_t i = 0; i < map->result_count; i++)
    copy->results[i] = turned(context->pool, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    const Constraint *from = &map->constraints[map->constraint_count - 1 - i];
    copy->constraints[i] = (Constraint){.expr = turned(context->pool, from->expr), .in = from->in};
  }
  return copy;
}

static const char *printed(const MapContext *context, const Map *map) {
  Text text = text_create(context->arena);
  map_print(&text, context, map, MAP_STYLE_LINE);
  return text.bytes;
}

/* The same handles at the same places, so that simplifying takes the same way. */
static bool is_as_stated(const Map *a, const Map *b) {
  bool same = true;
  for (uint32_t i = 0; same && i < a->result_count; i++)
    same = expr_same(a->results[i], b->results[i]);
  for (uint32_t i = 0; same && i < a->constraint_count; i++)
    same = expr_same(a->constraints[i].expr, b->constraints[i].expr) &&
           a->constraints[i].in.lo == b->constraints[i].in.lo &&
           a->constraints[i].in.hi == b->constraints[i].in.hi;
  return same;
}

static bool are_alike(
    const MapContext *context, const Map *before, const Map *after, Unrest *unrest) {
  *unrest = (Unrest){before, after};
  if (before->constraint_count == after->constraint_count &&
      map_identical(context, before, after) && is_as_stated(before, after))
    return true; /* they print alike */
  return strcmp(printed(context, before), printed(context, after)) == 0;
}

/* How a map is simplified, and what came of it. */
typedef struct Form {
  Judge *judge;
  SimplifyOptions options;
  const Map *map, *once;
} Form;

static bool simplified(const Form *form, const Map *map, const Map **result) {
  Error ignored = {};
  return simplify_map(form->judge->simplifier, map, &form->options, result, nullptr, &ignored);
}

static bool alike(const Form *form, const Map *other, Unrest *unrest) {
  return are_alike(form->judge->context, form->once, other, unrest);
}

static bool has_one_order(const Form *form, Unrest *unrest) {
  const Map *other, *turned = map_turned(form->judge->context, form->map);
  return is_as_stated(form->map, turned) || !simplified(form, turned, &other) ||
         alike(form, other, unrest);
}

static bool is_no_larger(const Form *form, Unrest *unrest) {
  MapContext *context = form->judge->context;
  *unrest = (Unrest){form->map, form->once};
  return size_of_text(printed(context, form->once)) <= size_of_text(printed(context, form->map));
}

bool map_rests(Judge *judge, Rest rest, const Map *map, Unrest *unrest) {
  Form form = {.judge = judge, .map = map};
  const Map *other;
  if (map->state != MAP_PLAIN || !simplified(&form, map, &form.once)) return true;
  switch (rest) {
    case REST_IDEMPOTENT:
      return !simplified(&form, form.once, &other) || alike(&form, other, unrest);
    case REST_ORDER: return has_one_order(&form, unrest);
    case REST_LARGER: return is_no_larger(&form, unrest);
  }
  return true;
}

bool answer_has_one_form(Judge *judge, const Map *answer, Rest *rest, Unrest *unrest) {
  Form form = {.judge = judge, .options = {.keep_points = true}, .map = answer, .once = answer};
  if (answer->state != MAP_PLAIN) return true;
  *rest = REST_ORDER;
  return has_one_order(&form, unrest);
}

/* A map that can leave int64 is left as it is. */
bool answer_rests(MapContext *context, Simplifier *simplifier, const MapSet *maps, Unrest *unrest) {
  for (uint32_t i = 0; i < maps->count; i++) {
    const Map *again;
    Error ignored = {};
    if (!simplify_map(simplifier, maps->maps[i], &(SimplifyOptions){.keep_points = true}, &again,
            nullptr, &ignored))
      continue;
    *unrest = (Unrest){maps->maps[i], again};
    if (!map_identical(context, maps->maps[i], again)) return false;
  }
  return true;
}
