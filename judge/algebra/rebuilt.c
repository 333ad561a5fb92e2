/* Converts each kind of answer into a statement about two maps. If the answer is "not injective",
 * the statement must be refuted, and its verdict is reversed. */
#include "judge/algebra/rebuilt.h"

#include <assert.h>

#include "judge/algebra/algebra_rebuild.h"
#include "judge/maps/inverse_relation.h"

static constexpr uint32_t most_unnamed = 6;

/* The inverse relation over the bounds of the results, which may be negative, instead of over
 * sizes. The bounds are the engine's, so that bounds_hold must be true. */
static bool make_inverse(
    Judge *judge, const Map *map, Interval *bounds, const Map **inverse_relation, Error *error) {
  int64_t *sizes = ARENA_NEW(judge->context->arena, int64_t, map->result_count);
  if (!map_image_bounds(judge->context, map, bounds))
    return error_set(error, ERROR_OVERFLOW, "a variable has no values, or a result leaves int64");
  for (uint32_t i = 0; i < map->result_count; i++)
    sizes[i] = bounds[i].hi == INT64_MAX ? INT64_MAX : bounds[i].hi < 0 ? 1 : bounds[i].hi + 1;
  if (!relation_inverse(judge->context, map, map->result_count, sizes, inverse_relation, error))
    return false;
  Map *bounded = ARENA_NEW(judge->context->arena, Map, 1);
  *bounded = **inverse_relation;
  bounded->dims = ARENA_NEW(judge->context->arena, Variable, map->result_count);
  for (uint32_t i = 0; i < map->result_count; i++) bounded->dims[i].bounds = bounds[i];
  *inverse_relation = bounded;
  return map_check(judge->context, bounded, error);
}

/* The map that the answer must equal, built by substitution alone. */
static bool rebuilt_map(
    Judge *judge, const AlgebraQuery *query, const Map **rebuilt, Error *error) {
  const Map *map = query->maps[0];
  if (map->state != MAP_PLAIN) {
    *rebuilt = map;
    return true;
  }
  if (query->operation == ALGEBRA_SUB_MAP)
    return rebuild_results(
        judge->context, map, query->numbers.count, query->numbers.items, rebuilt, error);
  if (query->operation == ALGEBRA_RANGES_TO_DIMS)
    return rebuild_ranges_as_dims(judge->context, map, rebuilt, error);
  assert(query->operation == ALGEBRA_DROP_DIMS);
  return rebuild_unused_as_ranges(judge->context, map, rebuilt, error);
}

/* Whether this judge proves that no result leaves the bounds. */
static bool bounds_hold(
    Judge *judge, const Map *map, const Interval *bounds, Decide *decide, Error *error) {
  Obligation stated = {.kind = OBLIGATION_SAME_MAP, .before = map};
  Verdict verdict = {};
  if (!rebuild_within(judge->context, map, bounds, &stated.after, error) ||
      !decide(judge, &stated, &verdict, error))
    return false;
  return verdict.status == VERDICT_PROVED ||
         error_set(error, ERROR_UNSUPPORTED, "that the results stay within their bounds is %s",
             verdict.status == VERDICT_REFUTED ? "wrong" : "open");
}

static bool state_derived(
    Judge *judge, const Obligation *obligation, Decide *decide, Obligation *stated, Error *error) {
  const AlgebraQuery *query = obligation->query;
  const Map *map = query->maps[0];
  AlgebraOperation operation = query->operation;
  *stated = (Obligation){
      .kind = OBLIGATION_SAME_RELATION, .before = map, .after = obligation->answer->map};
  if (operation == ALGEBRA_DROP_UNUSED || operation == ALGEBRA_RESCALE) return true;
  if (operation == ALGEBRA_INVERSE) {
    Interval *bounds = ARENA_NEW(judge->context->arena, Interval, map->result_count);
    return map->state != MAP_PLAIN || (make_inverse(judge, map, bounds, &stated->before, error) &&
                                          bounds_hold(judge, map, bounds, decide, error));
  }
  if (operation != ALGEBRA_DROP_DIMS) stated->kind = OBLIGATION_SAME_MAP;
  return rebuilt_map(judge, query, &stated->before, error);
}

/* States that the points whose results are within the bounds are all points. */
static bool state_bounds(
    Judge *judge, const Obligation *obligation, Obligation *stated, Error *error) {
  const Map *map = obligation->query->maps[0];
  *stated = (Obligation){.kind = OBLIGATION_SAME_MAP, .before = map};
  if (map->state != MAP_PLAIN || obligation->answer->bounds == nullptr)
    return error_set(error, ERROR_UNSUPPORTED, "there are no results to judge");
  return rebuild_within(judge->context, map, obligation->answer->bounds, &stated->after, error);
}

static bool state_injective(
    Judge *judge, const Obligation *obligation, Obligation *stated, Error *error) {
  const Map *map = obligation->query->maps[0];
  *stated = (Obligation){.kind = OBLIGATION_SAME_RELATION};
  if (map->state != MAP_PLAIN)
    return error_set(error, ERROR_UNSUPPORTED, "there is nothing to evaluate");
  return rebuild_twins(judge->context, map, &stated->before, &stated->after, error);
}

static bool rebuilt_state(
    Judge *judge, const Obligation *obligation, Decide *decide, Obligation *stated, Error *error) {
  assert((OBLIGATIONS_BY_REBUILDING >> obligation->kind & 1) != 0);
  if (obligation->kind == OBLIGATION_BOUNDS) return state_bounds(judge, obligation, stated, error);
  return obligation->kind == OBLIGATION_INJECTIVE
             ? state_injective(judge, obligation, stated, error)
             : state_derived(judge, obligation, decide, stated, error);
}

/* Reverses the verdict: two points with the same results prove that the map is not injective. */
static void rebuilt_reverse(Verdict *verdict) {
  if (verdict->status == VERDICT_PROVED)
    verdict_decide(verdict, REASON_DIFFERENT, "no two points have the same results");
  else if (verdict->status == VERDICT_REFUTED)
    verdict_decide(
        verdict, REASON_EXACT, "points with the same results: %s", verdict_text(verdict));
}

/* True if runtime variables without sources were dropped: nothing tells which ones. */
static bool drops_unnamed(const Obligation *obligation) {
  if (obligation->kind != OBLIGATION_DERIVED) return false;
  const Map *map = obligation->query->maps[0], *made = obligation->answer->map;
  return obligation->query->operation == ALGEBRA_DROP_UNUSED && map->sources == nullptr &&
         map->state == MAP_PLAIN && made->state == MAP_PLAIN &&
         made->runtime_count < map->runtime_count;
}

/* Tries every choice of dropped variables. Proved if one choice is; refuted if each is. */
static bool decide_unnamed(
    Judge *judge, const Obligation *obligation, Decide *decide, Verdict *verdict, Error *error) {
  const Map *map = obligation->query->maps[0], *made = obligation->answer->map;
  Obligation stated = {.kind = OBLIGATION_SAME_RELATION, .before = map};
  Verdict open = {};
  bool has_open = false;
  if (map->runtime_count > most_unnamed)
    return error_set(
        error, ERROR_LIMIT, "more than %u runtime variables without sources", most_unnamed);
  for (uint32_t kept = 0; kept < 1u << map->runtime_count; kept++) {
    if ((uint32_t)__builtin_popcount(kept) != made->runtime_count) continue;
    *verdict = (Verdict){};
    if (!rebuild_with_runtimes(judge->context, made, map, kept, &stated.after, error) ||
        !decide(judge, &stated, verdict, error))
      return false;
    if (verdict->status == VERDICT_PROVED) {
      verdict->sentence = nullptr;
      return true;
    }
    if (verdict->status == VERDICT_UNKNOWN) open = *verdict;
    has_open |= verdict->status == VERDICT_UNKNOWN;
  }
  if (has_open) *verdict = open;
  return true;
}

bool rebuilt_decide(
    Judge *judge, const Obligation *obligation, Decide *decide, Verdict *verdict, Error *error) {
  Obligation stated;
  if (drops_unnamed(obligation)) return decide_unnamed(judge, obligation, decide, verdict, error);
  if (!rebuilt_state(judge, obligation, decide, &stated, error)) return false;
  if (stated.before->state == MAP_UNDEFINED || stated.after->state == MAP_UNDEFINED)
    return error_set(error, ERROR_UNSUPPORTED, "UNDEFINED is no map");
  if (!decide(judge, &stated, verdict, error)) return false;
  bool is_denied =
      obligation->kind == OBLIGATION_INJECTIVE && obligation->answer->kind == ALGEBRA_IS_FALSE;
  if (is_denied) rebuilt_reverse(verdict);
  else if (verdict->status == VERDICT_PROVED) verdict->sentence = nullptr;
  return true;
}
