/* Replaces one runtime variable at a time by its value (fold.h), clamped, everywhere, including the
 * index maps of other sources. clamped(v) = min(max(v, lo), hi), with each half only if the bounds
 * of v require it. */
#include "core/index/runtime/runtime.h"

#include <assert.h>
#include <string.h>

#include "core/base/checked.h"
#include "core/index/runtime/fold.h"

static bool runtime_substitute(MapContext *context, const Substitution *by, uint32_t count,
    const Expr *from, Expr *to, Error *error) {
  return expr_substitute(context->pool, context->arena, by, count, from, to, error);
}

static void copy_variables(const Map *from, uint32_t without, Map *to) {
  map_take_variables(to, from, VAR_DIM);
  map_take_variables(to, from, VAR_RANGE);
  for (uint32_t i = 0, next = 0; i < from->runtime_count; i++)
    if (i != without) to->runtimes[next++] = from->runtimes[i];
}

static bool rewrite_index(MapContext *context, const Map *owner, const Map *index,
    const Substitution *by, const Map **rewritten, Error *error) {
  *rewritten = nullptr;
  if (index == nullptr) return true;
  Map *made = map_create(context, owner->dim_count, owner->range_count, owner->runtime_count,
      index->result_count, index->constraint_count);
  copy_variables(owner, UINT32_MAX, made);
  *rewritten = made;
  return constraints_substitute(
             context, by, index->constraint_count, index->constraints, made->constraints, error) &&
         runtime_substitute(context, by, index->result_count, index->results, made->results, error);
}

/* The sources of the runtime variables, without those of `without`. */
static bool rewrite_sources(MapContext *context, const Map *map, uint32_t without,
    const Substitution *by, Map *made, Error *error) {
  if (made->runtime_count == 0 || map->sources == nullptr) return true;
  made->sources = ARENA_NEW(context->arena, RuntimeSource, made->runtime_count);
  for (uint32_t i = 0, next = 0; i < map->runtime_count; i++) {
    if (i == without) continue;
    made->sources[next] = map->sources[i];
    if (!rewrite_index(
            context, made, map->sources[i].index, by, &made->sources[next++].index, error))
      return false;
  }
  return true;
}

/* The map with rewritten expressions and without runtime variable `without`. */
static bool runtime_rewrite(MapContext *context, const Map *map, uint32_t without,
    const Substitution *by, const Map **rewritten, Error *error) {
  uint32_t left = map->runtime_count - (without < map->runtime_count);
  Map *made = map_create(
      context, map->dim_count, map->range_count, left, map->result_count, map->constraint_count);
  copy_variables(map, without, made);
  *rewritten = made;
  return rewrite_sources(context, map, without, by, made, error) &&
         constraints_substitute(
             context, by, map->constraint_count, map->constraints, made->constraints, error) &&
         runtime_substitute(context, by, map->result_count, map->results, made->results, error);
}

/* Replaces runtime variable `at` by `value`, an expression over the map's other variables; later
 * runtime variables move down by one. */
static bool runtime_replace(MapContext *context, const Map *map, uint32_t at, Expr value,
    const Map **replaced, Error *error) {
  assert(at < map->runtime_count);
  Expr *up = ARENA_NEW(context->arena, Expr, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++)
    up[i] = expr_var(context->pool, VAR_RUNTIME, i - (i > at));
  Substitution move_up = {.runtimes = up};
  if (!runtime_substitute(context, &move_up, 1, &value, &value, error)) return false;
  up[at] = value;
  return runtime_rewrite(context, map, at, &move_up, replaced, error);
}

static Expr offset_clamped(MapContext *context, Expr value, Interval bounds, Interval clamp) {
  ExprPool *pool = context->pool;
  assert(bounds.lo <= bounds.hi && clamp.lo <= clamp.hi);
  if (bounds.hi <= clamp.lo) return expr_const(pool, clamp.lo);
  if (bounds.lo >= clamp.hi) return expr_const(pool, clamp.hi);
  if (bounds.lo < clamp.lo) value = expr_binary(pool, EXPR_MAX, value, expr_const(pool, clamp.lo));
  if (bounds.hi > clamp.hi) value = expr_binary(pool, EXPR_MIN, value, expr_const(pool, clamp.hi));
  return value;
}

static bool has_known_source(const Map *map, uint32_t i) {
  return map->sources != nullptr && map->sources[i].instruction != nullptr &&
         map->sources[i].index != nullptr;
}

static bool same_source(const Map *map, uint32_t i, uint32_t j) {
  if (!has_known_source(map, i) || !has_known_source(map, j)) return false;
  const RuntimeSource *a = &map->sources[i], *b = &map->sources[j];
  if (a->instruction != b->instruction || a->clamp.lo != b->clamp.lo || a->clamp.hi != b->clamp.hi)
    return false;
  for (uint32_t k = 0; k < a->index->result_count; k++)
    if (!expr_same(a->index->results[k], b->index->results[k])) return false;
  return a->index->result_count == b->index->result_count;
}

/* An earlier variable that reads the same element; `at` if there is none. */
static uint32_t twin_of(const Map *map, uint32_t at) {
  for (uint32_t i = 0; i < at; i++)
    if (same_source(map, i, at)) return i;
  return at;
}

static bool runtime_merge(MapContext *context, const Map *map, uint32_t twin, uint32_t at,
    const Map **merged, Error *error) {
  assert(twin < at);
  Interval other = map->runtimes[at].bounds;
  if (!runtime_replace(context, map, at, expr_var(context->pool, VAR_RUNTIME, twin), merged, error))
    return false;
  Interval *bounds = &(*merged)->runtimes[twin].bounds;
  *bounds = (Interval){max64(bounds->lo, other.lo), min64(bounds->hi, other.hi)};
  return true;
}

/* If the variable's bounds were tightened after the clamp, a constraint keeps the value within
 * them. */
static bool replace_by_value(MapContext *context, const Map *map, uint32_t at, Expr value,
    const Map **replaced, Error *error) {
  Interval bounds = map->runtimes[at].bounds, clamp = map->sources[at].clamp;
  if (bounds.lo <= clamp.lo && clamp.hi <= bounds.hi)
    return runtime_replace(context, map, at, value, replaced, error);
  Map guarded = *map;
  map_add_constraint(context->arena, &guarded,
      (Constraint){.expr = expr_var(context->pool, VAR_RUNTIME, at), .in = bounds});
  return runtime_replace(context, &guarded, at, value, replaced, error);
}

static bool fold_one(
    MapContext *context, const Map *map, uint32_t at, const Map **folded, Error *error) {
  uint32_t twin = twin_of(map, at);
  if (twin != at) return runtime_merge(context, map, twin, at, folded, error);
  *folded = map;
  if (!has_known_source(map, at)) return true;
  const RuntimeSource *source = &map->sources[at];
  Expr value;
  Interval bounds;
  if (!fold_element(context, map, source->instruction, source->index->results, &value, &bounds))
    return true;
  return replace_by_value(
      context, map, at, offset_clamped(context, value, bounds, source->clamp), folded, error);
}

bool runtime_fold(MapContext *context, const Map *map, const Map **folded, Error *error) {
  *folded = map;
  for (uint32_t at = 0; at < (*folded)->runtime_count;) {
    uint32_t before = (*folded)->runtime_count;
    if (!fold_one(context, *folded, at, folded, error)) return false;
    if ((*folded)->runtime_count == before) at++;
  }
  return *folded == map || map_check(context, *folded, error);
}

static const Map *with_range(MapContext *context, const Map *map, Interval bounds) {
  Map *made = ARENA_NEW(context->arena, Map, 1);
  *made = *map;
  made->ranges = ARENA_NEW(context->arena, Variable, map->range_count + 1);
  map_take_variables(made, map, VAR_RANGE);
  made->ranges[made->range_count++] = (Variable){.bounds = bounds};
  return made;
}

bool runtime_to_range(
    MapContext *context, const Map *map, uint32_t at, const Map **widened, Error *error) {
  assert(at < map->runtime_count);
  const Map *wide = with_range(context, map, map->runtimes[at].bounds);
  return runtime_replace(context, wide, at, expr_var(context->pool, VAR_RANGE, map->range_count),
             widened, error) &&
         map_check(context, *widened, error);
}

const Map *runtime_resolve(MapContext *context, const Map *map, const Instruction *call) {
  if (map->sources == nullptr) return map;
  Map *resolved = ARENA_NEW(context->arena, Map, 1);
  *resolved = *map;
  resolved->sources = ARENA_NEW(context->arena, RuntimeSource, map->runtime_count);
  memcpy(resolved->sources, map->sources, map->runtime_count * sizeof(RuntimeSource));
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    const Instruction *source = map->sources[i].instruction;
    bool is_parameter =
        source != nullptr && source->opcode == HLO_PARAMETER && source->parent == call->called[0];
    if (!is_parameter || source->number < 0 || source->number >= call->operand_count) continue;
    resolved->sources[i].instruction = call->operands[source->number];
    resolved->sources[i].name = call->operands[source->number]->name;
  }
  return resolved;
}
