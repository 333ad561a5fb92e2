/* A range variable s in [a, b] that occurs only in one constraint means: there is an s with e in
 * [l, u].
 *
 * e = c * s + rest (s not in rest): the values of rest are the union of [l - c*s, u - c*s] over s.
 * Neighbouring intervals are |c| apart, so the union is one interval if u - l + 1 >= |c| or a = b:
 * rest in [l - c*b, u - c*a] for c > 0, [l - c*a, u - c*b] for c < 0. Other variables stay; the
 * simplifier has already decided constraints on s alone. Such variables remain from windows and
 * dilations when a later reduction reads everything. The recursion is as deep as an expression, at
 * most expr_max_depth. */
#include "core/index/fusion/project.h"

#include <assert.h>

#include "core/expr/visit.h"
#include "core/index/ops/build.h"
#include "core/index/ops/terms.h"

typedef struct Projection {
  Build build; /* for expressions and checked numbers */
  const Map *map;
} Projection;

/* The variables that expressions mention; each shared node is visited once. */
typedef struct Mention {
  const ExprPool *pool;
  Memo seen;
  bool *ranges;   /* [range_count] */
  bool has_other; /* a dimension or a runtime variable */
} Mention;

static Mention mention_start(const Projection *projection) {
  Arena *arena = projection->build.context->arena;
  return (Mention){.pool = projection->build.context->pool,
      .seen = memo_create(arena),
      .ranges = ARENA_NEW(arena, bool, projection->map->range_count)};
}

static bool mention_node(void *state, Expr, ExprNode node) {
  Mention *mentioned = state;
  if (node.op == EXPR_VAR && node.var_kind == VAR_RANGE) mentioned->ranges[node.var_index] = true;
  else if (node.op == EXPR_VAR) mentioned->has_other = true;
  return false;
}

static void mention(Mention *mentioned, Expr expr) {
  (void)expr_any(mentioned->pool, &mentioned->seen, expr, mention_node, mentioned);
}

static bool mentions(const Projection *projection, Expr expr, uint32_t range) {
  Mention mentioned = mention_start(projection);
  mention(&mentioned, expr);
  return mentioned.ranges[range];
}

/* True if the constraint mentions a variable besides the range variable. */
static bool has_other(const Projection *projection, Expr expr, uint32_t range) {
  Mention mentioned = mention_start(projection);
  mention(&mentioned, expr);
  for (uint32_t i = 0; i < projection->map->range_count; i++)
    if (i != range && mentioned.ranges[i]) return true;
  return mentioned.has_other;
}

static constexpr uint32_t nowhere = UINT32_MAX, elsewhere = UINT32_MAX - 1;

/* For each range variable, the only constraint that mentions it: `elsewhere` if results, index maps
 * or several constraints do, `nowhere` if nothing does. */
static uint32_t *only_constraints(const Projection *projection) {
  const Map *map = projection->map;
  uint32_t *only = ARENA_NEW(projection->build.context->arena, uint32_t, map->range_count);
  Mention mentioned = mention_start(projection);
  for (uint32_t i = 0; i < map->result_count; i++) mention(&mentioned, map->results[i]);
  for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++)
    for (uint32_t k = 0;
        map->sources[i].index != nullptr && k < map->sources[i].index->result_count; k++)
      mention(&mentioned, map->sources[i].index->results[k]);
  for (uint32_t range = 0; range < map->range_count; range++)
    only[range] = mentioned.ranges[range] ? elsewhere : nowhere;
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    mentioned = mention_start(projection);
    mention(&mentioned, map->constraints[i].expr);
    for (uint32_t range = 0; range < map->range_count; range++)
      if (mentioned.ranges[range]) only[range] = only[range] == nowhere ? i : elsewhere;
  }
  return only;
}

/* The position of the variable's term if the variable occurs in no other atom; else UINT32_MAX. */
static uint32_t linear_term(
    const Projection *projection, const LinearTerms *terms, uint32_t range) {
  uint32_t position = UINT32_MAX;
  for (uint32_t i = 0; i < terms->count; i++) {
    if (expr_same(
            terms->items[i].atom, expr_var(projection->build.context->pool, VAR_RANGE, range)))
      position = i;
    else if (mentions(projection, terms->items[i].atom, range)) return UINT32_MAX;
  }
  return position;
}

static bool without_linear(Projection *projection, Constraint *constraint, uint32_t range) {
  Build *build = &projection->build;
  LinearTerms terms = terms_of(build, constraint->expr);
  uint32_t position = linear_term(projection, &terms, range);
  if (build->overflow || position == UINT32_MAX || terms.items[position].coefficient == 0)
    return false;
  Interval s = projection->map->ranges[range].bounds, in = constraint->in;
  int64_t c = terms.items[position].coefficient,
          width = build_sum(build, build_difference(build, in.hi, in.lo), 1);
  bool contiguous = s.lo == s.hi || (c > 0 ? width >= c : c != INT64_MIN && width >= -c);
  if (!contiguous || in.lo > in.hi) return false;
  int64_t at_low = build_product(build, c, s.lo), at_high = build_product(build, c, s.hi);
  constraint->in = (Interval){build_difference(build, in.lo, c > 0 ? at_high : at_low),
      build_difference(build, in.hi, c > 0 ? at_low : at_high)};
  constraint->expr = terms_expr(build, &terms, position, 1);
  return !build->overflow;
}

/* Rewrites constraint `at` without the variable; false if that is impossible. */
static bool rewrite_without(
    Projection *projection, uint32_t at, uint32_t range, Constraint *constraint) {
  *constraint = projection->map->constraints[at];
  projection->build.overflow = false;
  return has_other(projection, constraint->expr, range) &&
         without_linear(projection, constraint, range);
}

/* The map with constraint `at` replaced, after which the range variable is unused. */
static const Map *with_constraint(
    MapContext *context, const Map *map, uint32_t at, Constraint constraint) {
  assert(at < map->constraint_count);
  Map *made = map_copy(context->arena, map);
  made->constraints[at] = constraint;
  return made;
}

bool map_project(MapContext *context, const Map *map, const Map **projected, Error *error) {
  Projection projection = {.build = build_start(context), .map = map};
  uint32_t *only = map->constraint_count > 0 ? only_constraints(&projection) : nullptr;
  for (uint32_t range = 0; only != nullptr && range < map->range_count; range++) {
    Constraint constraint;
    if (only[range] >= elsewhere || !rewrite_without(&projection, only[range], range, &constraint))
      continue;
    projection.map = with_constraint(context, projection.map, only[range], constraint);
    only = only_constraints(&projection);
    range = UINT32_MAX;
  }
  *projected = projection.map;
  return *projected == map || map_check(context, *projected, error);
}
