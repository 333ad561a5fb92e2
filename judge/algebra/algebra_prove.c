/* Answers of the algebra against judges that took no part in them. A map that must be the same
 * relation goes to oracle and smt as it is; an inverse is held against the inverse relation, which
 * is built by substitution alone; counts and bijections against evaluation of every point, compiled
 * where there are many; the others against a list of all points, where these are few
 * (algebra_brute_force.c), else, by oracle and smt, against a map that is built by substitution
 * alone (algebra_rebuild.c). */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/algebra/algebra.h"
#include "judge/algebra/algebra_rebuild.h"
#include "judge/maps/inverse_relation.h"
#include "oracle/evaluate/evaluate_map.h"

static void algebra_prove_say(
    const Judge *judge, SameJudgement *judgement, VerdictReason reason, const char *text) {
  judgement->reason = reason;
  judgement->text = arena_printf(judge->context->arena, "%s", text);
}

static void open_word(const Judge *judge, SameJudgement *judgement, const char *why) {
  algebra_prove_say(judge, judgement, REASON_OPEN, why);
}

/* ---- maps ---- */

/* The inverse relation has the bounds of the results, which may be negative, instead of sizes. */
static bool make_inverse(Judge *judge, const Map *map, const Map **inverse_relation, Error *error) {
  Interval *bounds = ARENA_NEW(judge->context->arena, Interval, map->result_count);
  int64_t *sizes = ARENA_NEW(judge->context->arena, int64_t, map->result_count);
  if (!map_image_bounds(judge->context, map, bounds))
    return error_set(error, ERROR_OVERFLOW, "a variable has no values, or a result leaves int64");
  for (uint32_t i = 0; i < map->result_count; i++)
    sizes[i] = bounds[i].hi == INT64_MAX ? INT64_MAX : bounds[i].hi < 0 ? 1 : bounds[i].hi + 1;
  if (!relation_inverse(judge->context, map, map->result_count, sizes, inverse_relation, error))
    return false;
  Map *turned = ARENA_NEW(judge->context->arena, Map, 1);
  *turned = **inverse_relation;
  turned->dims = ARENA_NEW(judge->context->arena, Variable, map->result_count);
  for (uint32_t i = 0; i < map->result_count; i++) turned->dims[i].bounds = bounds[i];
  *inverse_relation = turned;
  return map_check(judge->context, turned, error);
}

static void prove_inverse(
    Judge *judge, const Map *map, const Map *inverse, SameJudgement *judgement) {
  const Map *inverse_relation = map;
  Error error = {};
  if (map->state == MAP_PLAIN && !make_inverse(judge, map, &inverse_relation, &error))
    open_word(judge, judgement, error.message);
  else judge_same(judge, OBLIGATION_SAME_RELATION, inverse_relation, inverse, judgement);
}

/* What the answer must be, built by substitution alone. */
static bool algebra_prove_rebuild(
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

static void prove_rebuilt(
    Judge *judge, const AlgebraQuery *query, const Map *answer, SameJudgement *judgement) {
  const Map *rebuilt;
  Error error = {};
  if (!algebra_prove_rebuild(judge, query, &rebuilt, &error))
    open_word(judge, judgement, error.message);
  else
    judge_same(judge,
        query->operation == ALGEBRA_DROP_DIMS ? OBLIGATION_SAME_RELATION : OBLIGATION_SAME_MAP,
        rebuilt, answer, judgement);
}

/* The points whose results lie within what is said are all points. */
static void prove_image(
    Judge *judge, const Map *map, const Interval *said, SameJudgement *judgement) {
  const Map *within;
  Error error = {};
  if (map->state != MAP_PLAIN || said == nullptr)
    open_word(judge, judgement, "there are no results to judge");
  else if (!rebuild_within(judge->context, map, said, &within, &error))
    open_word(judge, judgement, error.message);
  else judge_same(judge, OBLIGATION_SAME_MAP, map, within, judgement);
}

/* A judge that finds two points with one result has shown that the map is not injective. */
static void turn_word(const Judge *judge, SameJudgement *judgement) {
  if (judgement->reason != REASON_EXACT && judgement->reason != REASON_DIFFERENT) return;
  VerdictReason word = judgement->reason == REASON_DIFFERENT ? REASON_EXACT : REASON_DIFFERENT;
  const char *text = arena_printf(judge->context->arena, "%s%s",
      word == REASON_EXACT ? "points with the same results: "
                           : "no two points have the same results",
      judgement->text);
  for (uint32_t i = 0; i < judge_count; i++) judgement->by[i] = (Verdict){};
  algebra_prove_say(judge, judgement, word, text);
}

static void prove_injective(Judge *judge, const Map *map, bool said, SameJudgement *judgement) {
  const Map *alone, *twins;
  Error error = {};
  if (map->state != MAP_PLAIN) open_word(judge, judgement, "there is nothing to evaluate");
  else if (!rebuild_twins(judge->context, map, &alone, &twins, &error))
    open_word(judge, judgement, error.message);
  else judge_same(judge, OBLIGATION_SAME_RELATION, alone, twins, judgement);
  if (map->state == MAP_PLAIN && !said) turn_word(judge, judgement);
}

/* ---- numbers ---- */

static constexpr int64_t most_evaluated = INT64_C(1) << 33;
static constexpr uint64_t most_listed = UINT64_C(1) << 20; /* 100 MB at a dozen columns */

static bool evaluates(Judge *judge, const Map *map, MapCount *count, SameJudgement *judgement) {
  Error error = {};
  int64_t box = 1;
  const Variable *variables[] = {map->dims, map->ranges, map->runtimes};
  uint32_t counts[] = {map->dim_count, map->range_count, map->runtime_count};
  for (uint32_t kind = 0; kind < 3; kind++)
    for (uint32_t i = 0; i < counts[kind]; i++) {
      Interval bounds = variables[kind][i].bounds;
      uint64_t width = bounds.lo > bounds.hi ? 0 : (uint64_t)bounds.hi - (uint64_t)bounds.lo;
      if (width < (uint64_t)most_evaluated)
        box = bounds.lo > bounds.hi ? 0 : box <= most_evaluated ? box * (int64_t)(width + 1) : box;
      else box = most_evaluated + 1;
      if (box > most_evaluated) break;
    }
  if (box > most_evaluated) open_word(judge, judgement, "too many points to evaluate");
  else if (evaluate_count(judge->context, map, nullptr, count, &error)) return true;
  else open_word(judge, judgement, error.message);
  return false;
}

static void prove_points(Judge *judge, const Map *map, const char *said, SameJudgement *judgement) {
  MapCount count = {};
  char text[200];
  if (map->state == MAP_PLAIN && !evaluates(judge, map, &count, judgement)) return;
  snprintf(text, sizeof text, "%llu of %llu points are inside, evaluated %s",
      (unsigned long long)count.inside, (unsigned long long)count.points,
      evaluate_way_text(count.way));
  algebra_prove_say(judge, judgement,
      strtoull(said, nullptr, 10) == count.inside ? REASON_EXACT : REASON_DIFFERENT, text);
}

static void prove_bijective(
    Judge *judge, const AlgebraQuery *query, bool said, SameJudgement *judgement) {
  const Map *map = query->maps[0];
  MapImage image = {};
  MapCount count;
  Error error = {};
  char text[200];
  if (map->state != MAP_PLAIN) open_word(judge, judgement, "there is nothing to evaluate");
  if (map->state != MAP_PLAIN || !evaluates(judge, map, &count, judgement)) return;
  if (!evaluate_image(judge->context, map, query->numbers.items, nullptr, &image, &error)) {
    open_word(judge, judgement, error.message);
    return;
  }
  snprintf(text, sizeof text, "%s, %s, evaluated %s at %llu points",
      image.is_one_to_one ? "one-to-one" : "not one-to-one", image.is_onto ? "onto" : "not onto",
      evaluate_way_text(image.way), (unsigned long long)image.points);
  algebra_prove_say(judge, judgement,
      said == (image.is_one_to_one && image.is_onto) ? REASON_EXACT : REASON_DIFFERENT, text);
}

/* Where there are too many points to list. */
static void prove_by_rebuilding(Judge *judge, const AlgebraQuery *query,
    const AlgebraAnswer *answer, SameJudgement *judgement) {
  if (query->operation == ALGEBRA_IMAGE)
    prove_image(judge, query->maps[0], answer->bounds, judgement);
  else if (query->operation == ALGEBRA_INJECTIVE)
    prove_injective(judge, query->maps[0], answer->kind == ALGEBRA_IS_TRUE, judgement);
  else prove_rebuilt(judge, query, answer->map, judgement);
}

void algebra_prove(Judge *judge, const AlgebraQuery *query, const AlgebraAnswer *answer,
    SameJudgement *judgement) {
  *judgement = (SameJudgement){.reason = REASON_OPEN, .text = ""};
  if (answer->is_judged) *judgement = answer->judgement;
  if (answer->kind == ALGEBRA_IS_OPEN || answer->kind == ALGEBRA_IS_REJECTED)
    open_word(judge, judgement, "there is no answer to judge");
  if (answer->is_judged || answer->kind == ALGEBRA_IS_OPEN || answer->kind == ALGEBRA_IS_REJECTED)
    return;
  switch (query->operation) {
    case ALGEBRA_DROP_UNUSED:
    case ALGEBRA_RESCALE:
      judge_same(judge, OBLIGATION_SAME_RELATION, query->maps[0], answer->map, judgement);
      return;
    case ALGEBRA_INVERSE: prove_inverse(judge, query->maps[0], answer->map, judgement); return;
    case ALGEBRA_POINTS: prove_points(judge, query->maps[0], answer->text, judgement); return;
    case ALGEBRA_BIJECTIVE:
      prove_bijective(judge, query, answer->kind == ALGEBRA_IS_TRUE, judgement);
      return;
    case ALGEBRA_DROP_DIMS:
    case ALGEBRA_RANGES_TO_DIMS:
    case ALGEBRA_SUB_MAP:
    case ALGEBRA_IMAGE:
    case ALGEBRA_INJECTIVE:
      algebra_enumerate(judge, query, answer, most_listed, judgement);
      if (judgement->reason == REASON_OPEN) prove_by_rebuilding(judge, query, answer, judgement);
      return;
    case ALGEBRA_SAME:
    case ALGEBRA_SAME_RELATION:
    case ALGEBRA_CONTAINED: assert(answer->is_judged); return;
  }
}

bool algebra_holds(
    Judge *judge, const AlgebraQuery *query, SameJudgement *judgement, Error *error) {
  static constexpr uint64_t few_steps = 5;
  AlgebraQuery hasty = *query;
  AlgebraAnswer answer;
  SameJudgement again;
  Error ignored = {};
  algebra_answer(judge, query, &answer, error);
  if (error->kind != ERROR_NONE) return false;
  algebra_prove(judge, query, &answer, judgement);
  hasty.budget = few_steps;
  algebra_answer(judge, &hasty, &answer, &ignored);
  if (judgement->reason == REASON_DIFFERENT || answer.kind == ALGEBRA_IS_OPEN ||
      answer.kind == ALGEBRA_IS_REJECTED)
    return true;
  algebra_prove(judge, &hasty, &answer, &again);
  if (again.reason == REASON_DIFFERENT || again.reason == REASON_DISSENT) *judgement = again;
  return true;
}
