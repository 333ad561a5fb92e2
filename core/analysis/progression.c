/* Parts that need no enumeration. Consider a result k + c1*v1 + c2*v2 + .. over a box, with its
 * terms ordered by the size of the coefficients, and let g be the smallest size. The result has
 * every g-th value of its interval if each further coefficient is a multiple of g and at most g
 * more than the extent of the terms before it: then there is no gap. Any other result is
 * rejected. */
#include <assert.h>

#include "core/base/checked.h"
#include "core/index/ops/terms.h"
#include "core/analysis/parts.h"

/* One term: `count` steps of `size`. */
typedef struct ProgressionShare {
  int64_t size, count;
} ProgressionShare;

static const PartVariable *variable_of(const Part *part, const ExprNode *node) {
  for (uint32_t i = 0; i < part->variable_count; i++)
    if (part->variables[i].kind == node->var_kind && part->variables[i].index == node->var_index)
      return &part->variables[i];
  return nullptr;
}

static bool share_of(const Part *part, const ExprPool *pool, const LinearTerm *term,
    ProgressionShare *share, int64_t *lo) {
  const ExprNode *node = expr_node(pool, term->atom);
  int64_t a, b;
  if (node->op != EXPR_VAR) return false;
  const PartVariable *variable = variable_of(part, node);
  assert(variable != nullptr);
  if (!sub64(variable->bounds.hi, variable->bounds.lo, &share->count) ||
      share->count == INT64_MAX || term->coefficient == INT64_MIN)
    return false;
  share->size = term->coefficient < 0 ? -term->coefficient : term->coefficient;
  if (!mul64(term->coefficient, variable->bounds.lo, &a) ||
      !mul64(term->coefficient, variable->bounds.hi, &b))
    return false;
  return add64(*lo, min64(a, b), lo);
}

static void insert(ProgressionShare *shares, uint32_t *count, ProgressionShare share) {
  uint32_t at = (*count)++;
  for (; at > 0 && shares[at - 1].size > share.size; at--) shares[at] = shares[at - 1];
  shares[at] = share;
}

/* Joins the terms: computes how far they extend beyond the least value without a gap. */
static bool progression_join(
    const ProgressionShare *shares, uint32_t count, int64_t *stride, int64_t *reach) {
  *stride = count == 0 ? 1 : shares[0].size;
  *reach = 0;
  for (uint32_t i = 0; i < count; i++) {
    int64_t next, of_share;
    if (!add64(*reach, *stride, &next) || shares[i].size % *stride != 0 || shares[i].size > next)
      return false;
    if (!mul64(shares[i].size, shares[i].count, &of_share) || !add64(*reach, of_share, reach))
      return false;
  }
  return true;
}

bool part_progression(
    MapContext *context, const Map *map, const Part *part, PartProgression *progression) {
  if (part->result_count != 1 || part->constraint_count > 0) return false;
  for (uint32_t i = 0; i < part->variable_count; i++)
    if (part->variables[i].bounds.lo > part->variables[i].bounds.hi) return false;
  Build build = build_start(context);
  LinearTerms terms = terms_of(&build, map->results[part->results[0]]);
  ProgressionShare *shares = ARENA_NEW(context->arena, ProgressionShare, terms.count);
  uint32_t count = 0;
  int64_t lo = terms.constant, reach;
  if (build.overflow) return false;
  for (uint32_t i = 0; i < terms.count; i++) {
    ProgressionShare share;
    if (terms.items[i].coefficient == 0) continue;
    if (!share_of(part, context->pool, &terms.items[i], &share, &lo)) return false;
    if (share.count > 0) insert(shares, &count, share);
  }
  if (!progression_join(shares, count, &progression->stride, &reach) ||
      !add64(lo, reach, &progression->last))
    return false;
  progression->first = lo;
  return add64(reach / progression->stride, 1, &progression->count);
}

/* ---- a part as a map of its own ---- */

const Map *part_map(MapContext *context, const Map *map, const Part *part) {
  Map *own =
      map_create(context, part->variable_count, 0, 0, part->result_count, part->constraint_count);
  Expr *by[] = {ARENA_NEW(context->arena, Expr, map->dim_count),
      ARENA_NEW(context->arena, Expr, map->range_count),
      ARENA_NEW(context->arena, Expr, map->runtime_count)};
  for (uint32_t i = 0; i < part->variable_count; i++) {
    own->dims[i].bounds = part->variables[i].bounds;
    by[part->variables[i].kind][part->variables[i].index] = expr_var(context->pool, VAR_DIM, i);
  }
  const Substitution substitution = {
      .dims = by[VAR_DIM], .ranges = by[VAR_RANGE], .runtimes = by[VAR_RUNTIME]};
  Error error = {};
  bool fits = true;
  for (uint32_t i = 0; i < part->result_count; i++)
    fits = fits && expr_substitute(context->pool, context->arena, &substitution, 1,
                       &map->results[part->results[i]], &own->results[i], &error);
  for (uint32_t i = 0; i < part->constraint_count; i++) {
    own->constraints[i].in = map->constraints[part->constraints[i]].in;
    fits = fits &&
           expr_substitute(context->pool, context->arena, &substitution, 1,
               &map->constraints[part->constraints[i]].expr, &own->constraints[i].expr, &error);
  }
  assert(fits); /* a variable replaces a variable, so the depth does not change */
  return fits ? own : nullptr;
}
