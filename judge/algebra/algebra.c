/* One function per operation. The engine (core/simplify) answers queries about one map and proves
 * YES and NO by inverting, by counting, or by points. The judges answer queries about two maps. */
#include "judge/algebra/algebra.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/budget.h"

static constexpr uint64_t default_budget = UINT64_C(1) << 20;

static const AlgebraRow rows[] = {
#define OPERATION(id, text, numbers, maps, obligation, help) \
  {text, help, maps, numbers, OBLIGATION_##obligation},
#include "judge/algebra/algebra.def"
#undef OPERATION
};

const AlgebraRow *algebra_row(AlgebraOperation operation) { return &rows[operation]; }

bool algebra_find(const char *word, size_t length, AlgebraOperation *operation) {
  for (uint32_t i = 0; i < algebra_operation_count; i++) {
    if (strlen(rows[i].text) != length || memcmp(rows[i].text, word, length) != 0) continue;
    *operation = (AlgebraOperation)i;
    return true;
  }
  return false;
}

bool algebra_numbers(Arena *arena, const char *text, size_t length, AlgebraNumbers *numbers) {
  const char *at = arena_text(arena, text, length);
  if (strcmp(at, "()") == 0) return true;
  for (;;) {
    char *end;
    bool is_number = (*at >= '0' && *at <= '9') || (*at == '-' && at[1] >= '0' && at[1] <= '9');
    errno = 0;
    int64_t value = is_number ? strtoll(at, &end, 10) : 0;
    if (!is_number || errno != 0) return false;
    *ARENA_PUSH(arena, numbers) = value;
    if (*end != ',') return *end == 0;
    at = end + 1;
  }
}

/* ---- operations that make a map ---- */

static bool give_map(AlgebraAnswer *answer, const Map *map) {
  answer->kind = ALGEBRA_IS_MAP;
  answer->map = map;
  return true;
}

static bool sub_map(Judge *judge, const AlgebraQuery *query, AlgebraAnswer *answer, Error *error) {
  const Map *map = query->maps[0];
  uint32_t *results = ARENA_NEW(judge->context->arena, uint32_t, query->numbers.count);
  for (uint32_t i = 0; i < query->numbers.count; i++) {
    int64_t number = query->numbers.items[i];
    bool exists = number >= 0 && number < map->result_count;
    if (map->state == MAP_PLAIN && !exists)
      return error_set(error, ERROR_INPUT, "there is no result %lld: %s", (long long)number,
          map->result_count == 0 ? "the map has none"
                                 : arena_printf(judge->context->arena,
                                       "the map has results 0 to %u", map->result_count - 1));
    results[i] = (uint32_t)number;
  }
  return give_map(answer, map_sub_map(judge->context, map, query->numbers.count, results));
}

static bool rescale(Judge *judge, const AlgebraQuery *query, AlgebraAnswer *answer, Error *error) {
  const Map *rescaled;
  return map_rescale(judge->simplifier, query->maps[0], &rescaled, error) &&
         give_map(answer, rescaled);
}

static bool algebra_inverse(
    Judge *judge, const AlgebraQuery *query, AlgebraAnswer *answer, Error *error) {
  const Map *found;
  return map_inverse(judge->simplifier, query->maps[0], &found, error) && give_map(answer, found);
}

/* ---- operations that return numbers ---- */

static uint64_t budget_of(const AlgebraQuery *query) {
  return query->budget == 0 ? default_budget : query->budget;
}

static bool points(Judge *judge, const AlgebraQuery *query, AlgebraAnswer *answer, Error *error) {
  uint64_t count;
  if (!map_count_points(judge->simplifier, query->maps[0], budget_of(query), &count, error))
    return false;
  answer->kind = ALGEBRA_IS_TEXT;
  answer->points = count;
  answer->text = arena_printf(judge->context->arena, "%llu", (unsigned long long)count);
  return true;
}

/* False also if the simplifier finds no point. True does not mean that there is one. */
static bool may_have_points(Judge *judge, const Map *map) {
  const Map *simplified;
  Error ignored = {};
  if (map->state != MAP_PLAIN || map_has_empty_bounds(map)) return false;
  return map->constraint_count == 0 ||
         !simplify_map(judge->simplifier, map, nullptr, &simplified, nullptr, &ignored) ||
         simplified->state == MAP_PLAIN;
}

static bool image(Judge *judge, const AlgebraQuery *query, AlgebraAnswer *answer, Error *error) {
  const Map *map = query->maps[0];
  Text text = text_create(judge->context->arena);
  Interval *bounds = ARENA_NEW(judge->context->arena, Interval, map->result_count);
  if (map->state == MAP_UNDEFINED)
    return error_set(error, ERROR_UNSUPPORTED, "an undefined map has no results");
  bool has_points = may_have_points(judge, map);
  if (has_points && !map_image_bounds(judge->context, map, bounds))
    return error_set(error, ERROR_OVERFLOW, "a result leaves int64");
  answer->bounds = has_points ? bounds : nullptr;
  for (uint32_t i = 0; has_points && i < map->result_count; i++)
    text_printf(&text, "%s[%lld, %lld]", i == 0 ? "" : ", ", (long long)bounds[i].lo,
        (long long)bounds[i].hi);
  answer->kind = ALGEBRA_IS_TEXT;
  answer->text = !has_points ? "nothing" : map->result_count == 0 ? "()" : text.bytes;
  return true;
}

/* ---- operations that return yes or no ---- */

static bool give_answer(AlgebraAnswer *answer, VerdictStatus verdict, const char *why) {
  answer->kind = verdict == VERDICT_PROVED    ? ALGEBRA_IS_TRUE
                 : verdict == VERDICT_REFUTED ? ALGEBRA_IS_FALSE
                                              : ALGEBRA_IS_OPEN;
  answer->text = why;
  return true;
}

static bool injective(Judge *judge, const AlgebraQuery *query, AlgebraAnswer *answer) {
  const char *why = "";
  VerdictStatus verdict =
      map_is_injective(judge->simplifier, query->maps[0], budget_of(query), &why);
  return give_answer(answer, verdict, why);
}

static bool bijective(
    Judge *judge, const AlgebraQuery *query, AlgebraAnswer *answer, Error *error) {
  const Map *map = query->maps[0];
  const char *why = "";
  if (map->state == MAP_PLAIN && query->numbers.count != map->result_count)
    return error_set(error, ERROR_INPUT, "%u sizes for a map with %s", query->numbers.count,
        counted(map->result_count, "result"));
  VerdictStatus verdict = map_is_bijective(
      judge->simplifier, map, query->numbers.count, query->numbers.items, budget_of(query), &why);
  return give_answer(answer, verdict, why);
}

static bool algebra_compare(
    Judge *judge, const AlgebraQuery *query, ObligationKind kind, AlgebraAnswer *answer) {
  SameJudgement *judgement = &answer->judgement;
  judge_same(judge, kind, query->maps[0], query->maps[1], judgement);
  answer->is_judged = true;
  answer->kind = judgement->reason == REASON_EXACT       ? ALGEBRA_IS_TRUE
                 : judgement->reason == REASON_DIFFERENT ? ALGEBRA_IS_FALSE
                                                         : ALGEBRA_IS_OPEN;
  answer->text = judgement->text;
  return true;
}

static bool algebra_compute(
    Judge *judge, const AlgebraQuery *query, AlgebraAnswer *answer, Error *error) {
  const Map *map = query->maps[0];
  switch (query->operation) {
    case ALGEBRA_DROP_UNUSED: return give_map(answer, map_drop_unused(judge->context, map));
    case ALGEBRA_DROP_DIMS: return give_map(answer, map_drop_dims(judge->context, map, nullptr));
    case ALGEBRA_RANGES_TO_DIMS: return give_map(answer, map_ranges_to_dims(judge->context, map));
    case ALGEBRA_RESCALE: return rescale(judge, query, answer, error);
    case ALGEBRA_SUB_MAP: return sub_map(judge, query, answer, error);
    case ALGEBRA_INVERSE: return algebra_inverse(judge, query, answer, error);
    case ALGEBRA_POINTS: return points(judge, query, answer, error);
    case ALGEBRA_IMAGE: return image(judge, query, answer, error);
    case ALGEBRA_INJECTIVE: return injective(judge, query, answer);
    case ALGEBRA_BIJECTIVE: return bijective(judge, query, answer, error);
    case ALGEBRA_SAME: return algebra_compare(judge, query, OBLIGATION_SAME_MAP, answer);
    case ALGEBRA_SAME_RELATION:
      return algebra_compare(judge, query, OBLIGATION_SAME_RELATION, answer);
    case ALGEBRA_CONTAINED: return algebra_compare(judge, query, OBLIGATION_CONTAINED, answer);
  }
  return false;
}

void algebra_answer(Judge *judge, const AlgebraQuery *query, AlgebraAnswer *answer, Error *error) {
  assert(judge->simplifier != nullptr && query->maps[0] != nullptr);
  *answer = (AlgebraAnswer){.text = ""};
  bool began = budget_begin(judge->seconds, judge->stop);
  bool is_computed = algebra_compute(judge, query, answer, error);
  budget_end(began);
  if (is_computed) return;
  bool is_open = error->kind == ERROR_LIMIT || error->kind == ERROR_OVERFLOW ||
                 error->kind == ERROR_UNSUPPORTED;
  answer->kind = is_open ? ALGEBRA_IS_OPEN : ALGEBRA_IS_REJECTED;
  answer->text = arena_printf(judge->context->arena, "%s", error->message);
}
