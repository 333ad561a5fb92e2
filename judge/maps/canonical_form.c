/* One test per property. Texts are compared, because the properties are promised for the printed
 * map. */
#include "judge/maps/canonical_form.h"

#include <assert.h>
#include <string.h>

#include "core/base/checked.h"
#include "core/map/bounds.h"
#include "core/map/text.h"
#include "core/simplify/normal/size.h"

const char *canonical_property_text(CanonicalProperty rest) {
  static const char *const texts[] = {[CANONICAL_IDEMPOTENT] = "simplified once more",
      [CANONICAL_ORDER] = "in another order",
      [CANONICAL_LARGER] = "larger than it was"};
  return texts[rest];
}

void unequal_print(
    Text *text, const MapContext *context, const UnequalMaps *unequal, CanonicalProperty rest) {
  map_print(text, context, unequal->before, MAP_STYLE_LINE);
  text_printf(text, ", %s, is ", canonical_property_text(rest));
  map_print(text, context, unequal->after, MAP_STYLE_LINE);
}

static Expr canonical_form_exchanged(ExprPool *pool, Expr expr) {
  const ExprNode node = *expr_node(pool, expr);
  if (node.op == EXPR_CONST || node.op == EXPR_VAR) return expr;
  Expr left = canonical_form_exchanged(pool, node.left),
       right = canonical_form_exchanged(pool, node.right);
  bool commutes =
      node.op == EXPR_ADD || node.op == EXPR_MUL || node.op == EXPR_MIN || node.op == EXPR_MAX;
  return expr_binary(pool, node.op, commutes ? right : left, commutes ? left : right);
}

/* c * x, or x * c: x, and c in `factor`. */
static bool canonical_form_is_scaled(
    const ExprPool *pool, Expr expr, Expr *scaled, int64_t *factor) {
  const ExprNode *node = expr_node(pool, expr);
  if (node->op != EXPR_MUL) return false;
  bool is_right = expr_is_const(pool, node->right, factor);
  *scaled = is_right ? node->left : node->right;
  return is_right || expr_is_const(pool, node->left, factor);
}

static Expr canonical_form_joined(ExprPool *pool, Expr expr) {
  const ExprNode node = *expr_node(pool, expr);
  if (node.op == EXPR_CONST || node.op == EXPR_VAR) return expr;
  Expr left = canonical_form_joined(pool, node.left),
       right = canonical_form_joined(pool, node.right),
       result = expr_binary(pool, node.op, left, right), outer, inner;
  int64_t c, d, both;
  bool is_joined = canonical_form_is_scaled(pool, result, &outer, &c) &&
                   canonical_form_is_scaled(pool, outer, &inner, &d) && mul64(c, d, &both);
  return is_joined ? expr_binary(pool, EXPR_MUL, inner, expr_const(pool, both)) : result;
}

const Map *map_joined(MapContext *context, const Map *map) {
  Map *copy = map_copy_variables(context->arena, map, map->result_count, map->constraint_count);
  for (uint32_t i = 0; i < map->result_count; i++)
    copy->results[i] = canonical_form_joined(context->pool, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    copy->constraints[i] =
        (Constraint){.expr = canonical_form_joined(context->pool, map->constraints[i].expr),
            .in = map->constraints[i].in};
  return copy;
}

const Map *map_reordered(MapContext *context, const Map *map) {
  Map *copy = map_copy_variables(context->arena, map, map->result_count, map->constraint_count);
  for (uint32_t i = 0; i < map->result_count; i++)
    copy->results[i] = canonical_form_exchanged(context->pool, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    const Constraint *from = &map->constraints[map->constraint_count - 1 - i];
    copy->constraints[i] =
        (Constraint){.expr = canonical_form_exchanged(context->pool, from->expr), .in = from->in};
  }
  return copy;
}

/* A chain keeps its nesting if a minimum or maximum of more than 128 operands may
 * (core/simplify/simplify.h), or if it would nest too deep. */
static bool canonical_form_may_regroup(const ExprPool *pool, const ExprNode *node) {
  static constexpr uint32_t most_nodes = 2 * 128 - 1;
  return (node->op == EXPR_ADD || node->op == EXPR_MIN || node->op == EXPR_MAX) &&
         node->tree_size <= most_nodes && expr_node(pool, node->left)->op == node->op;
}

/* op(op(a, b), c) as op(op(b, c), a). */
static Expr canonical_form_regrouped(ExprPool *pool, Expr expr) {
  const ExprNode node = *expr_node(pool, expr);
  if (node.op == EXPR_CONST || node.op == EXPR_VAR) return expr;
  if (!canonical_form_may_regroup(pool, &node))
    return expr_binary(pool, node.op, canonical_form_regrouped(pool, node.left),
        canonical_form_regrouped(pool, node.right));
  const ExprNode inner = *expr_node(pool, node.left);
  Expr a = canonical_form_regrouped(pool, inner.left),
       b = canonical_form_regrouped(pool, inner.right),
       c = canonical_form_regrouped(pool, node.right);
  return expr_binary(pool, node.op, expr_binary(pool, node.op, b, c), a);
}

/* The expression itself if it is near the limit of depth, or could leave int64. */
static Expr canonical_form_chain(MapContext *context, const Map *map, Expr expr) {
  static constexpr uint32_t most_levels = 256; /* of parts that are regrouped */
  Interval ignored;
  if (expr_node(context->pool, expr)->depth + most_levels > expr_deepest(context->pool))
    return expr;
  Expr regrouped = canonical_form_regrouped(context->pool, expr);
  return expr_bounds(context, map, regrouped, &ignored) ? regrouped : expr;
}

const Map *map_regrouped(MapContext *context, const Map *map) {
  Map *copy = map_copy_variables(context->arena, map, map->result_count, map->constraint_count);
  for (uint32_t i = 0; i < map->result_count; i++)
    copy->results[i] = canonical_form_chain(context, map, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    copy->constraints[i] =
        (Constraint){.expr = canonical_form_chain(context, map, map->constraints[i].expr),
            .in = map->constraints[i].in};
  return copy;
}

static const char *canonical_form_printed(const MapContext *context, const Map *map) {
  return map_text(context->arena, context, map, MAP_STYLE_LINE);
}

/* True if both maps have the same handles at the same positions. Simplifying then takes the same
 * steps. */
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
    const MapContext *context, const Map *before, const Map *after, UnequalMaps *unequal) {
  *unequal = (UnequalMaps){before, after};
  if (before->constraint_count == after->constraint_count &&
      map_identical(context, before, after) && is_as_stated(before, after))
    return true; /* they print the same text */
  return strcmp(canonical_form_printed(context, before), canonical_form_printed(context, after)) ==
         0;
}

/* How to simplify the map, and the result. */
typedef struct CanonicalForm {
  Judge *judge;
  SimplifyOptions options;
  const Map *map, *once;
} CanonicalForm;

static bool canonical_form_simplified(
    const CanonicalForm *form, const Map *map, const Map **result) {
  Error ignored = {};
  bool done = simplify_map(form->judge->simplifier, map, &form->options, result, nullptr, &ignored);
  assert(!done || *result != nullptr);
  return done;
}

static bool canonical_form_alike(
    const CanonicalForm *form, const Map *other, UnequalMaps *unequal) {
  return are_alike(form->judge->context, form->once, other, unequal);
}

/* True if the map in the other order gives the same map. A rejection in only one order is a failure
 * too. */
static bool is_order_alike(const CanonicalForm *form, const Map *reordered, UnequalMaps *unequal) {
  const Map *other;
  if (is_as_stated(form->map, reordered)) return true;
  *unequal = (UnequalMaps){form->map, reordered};
  if (!canonical_form_simplified(form, reordered, &other)) return form->once == nullptr;
  return form->once != nullptr && canonical_form_alike(form, other, unequal);
}

static bool has_one_order(const CanonicalForm *form, UnequalMaps *unequal) {
  MapContext *context = form->judge->context;
  return is_order_alike(form, map_reordered(context, form->map), unequal) &&
         is_order_alike(form, map_joined(context, form->map), unequal) &&
         is_order_alike(form, map_regrouped(context, form->map), unequal);
}

static bool is_idempotent(const CanonicalForm *form, UnequalMaps *unequal) {
  const Map *again;
  *unequal = (UnequalMaps){form->map, form->once};
  return canonical_form_simplified(form, form->once, &again) &&
         canonical_form_alike(form, again, unequal);
}

static bool is_no_larger(const CanonicalForm *form, UnequalMaps *unequal) {
  MapContext *context = form->judge->context;
  *unequal = (UnequalMaps){form->map, form->once};
  return size_of_text(canonical_form_printed(context, form->once)) <=
         size_of_text(canonical_form_printed(context, form->map));
}

bool map_is_canonical(Judge *judge, CanonicalProperty rest, const Map *map, UnequalMaps *unequal) {
  CanonicalForm form = {.judge = judge, .map = map};
  if (map->state != MAP_PLAIN) return true;
  if (!canonical_form_simplified(&form, map, &form.once)) {
    form.once = nullptr;
    return rest != CANONICAL_ORDER || has_one_order(&form, unequal);
  }
  switch (rest) {
    case CANONICAL_IDEMPOTENT: return is_idempotent(&form, unequal);
    case CANONICAL_ORDER: return has_one_order(&form, unequal);
    case CANONICAL_LARGER: return is_no_larger(&form, unequal);
  }
  return true;
}

bool answer_is_canonical(
    Judge *judge, const Map *answer, CanonicalProperty *rest, UnequalMaps *unequal) {
  CanonicalForm form = {
      .judge = judge, .options = {.keep_points = true}, .map = answer, .once = answer};
  if (answer->state != MAP_PLAIN) return true;
  *rest = CANONICAL_ORDER;
  return has_one_order(&form, unequal);
}

VerdictStatus answer_idempotence(
    MapContext *context, Simplifier *simplifier, const MapSet *maps, UnequalMaps *unequal) {
  VerdictStatus status = VERDICT_PROVED;
  for (uint32_t i = 0; i < maps->count; i++) {
    const Map *again;
    Error error = {};
    if (!simplify_map(simplifier, maps->maps[i], &(SimplifyOptions){.keep_points = true}, &again,
            nullptr, &error)) {
      *unequal = (UnequalMaps){.before = maps->maps[i]};
      status = VERDICT_UNKNOWN;
    } else if (!map_identical(context, maps->maps[i], again)) {
      *unequal = (UnequalMaps){maps->maps[i], again};
      return VERDICT_REFUTED;
    }
  }
  return status;
}
