/* Maps: texts, parts, and the operations on maps. */
#include <assert.h>

#include "core/map/compose.h"
#include "core/map/text.h"
#include "judge/algebra/algebra.h"
#include "library/context.h"

static_assert((int)AFFIRM_STYLE_XLA == (int)MAP_STYLE_XLA);
static_assert((int)AFFIRM_RUNTIME == (int)VAR_RUNTIME && (int)AFFIRM_RANGE == (int)VAR_RANGE);
static_assert((int)AFFIRM_MAP_UNDEFINED == (int)MAP_UNDEFINED);

const AffirmMap *affirm_map_parse(AffirmContext *context, const char *name, const char *text) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_HAS(context, name) || !CONTEXT_HAS(context, text))
    return nullptr;
  MapContext *maps = context->judge->context;
  MapMark mark = map_context_mark(maps);
  const Map *map = nullptr;
  if (map_parse(maps, context_source(context, name, text), &map, &context->error))
    return map_to(map);
  context_forget(context, mark);
  return nullptr;
}

const AffirmMap *affirm_map_identity(AffirmContext *context, uint32_t rank, const int64_t *sizes) {
  CONTEXT_ENTER(context);
  static constexpr uint32_t most = 1000; /* dimensions, as in index.h */
  if (context == nullptr || (rank > 0 && !CONTEXT_HAS(context, sizes))) return nullptr;
  if (rank > most) {
    error_set_from(&context->error, ERROR_LIMIT, __FILE__, __LINE__,
        "rank %u: a map has at most %u dimensions", rank, most);
    return nullptr;
  }
  for (uint32_t i = 0; i < rank; i++)
    if (sizes[i] < 0) {
      error_set_from(&context->error, ERROR_INPUT, __FILE__, __LINE__, "size %u is %lld", i,
          (long long)sizes[i]);
      return nullptr;
    }
  return map_to(map_identity(context->judge->context, rank, sizes));
}

const char *affirm_map_text(AffirmContext *context, const AffirmMap *map) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_OWNS(context, map)) return nullptr;
  return affirm_map_text_styled(context, map, AFFIRM_STYLE_LINE);
}

const char *affirm_map_text_styled(
    AffirmContext *context, const AffirmMap *map, AffirmStyle style) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_OWNS(context, map) ||
      !context_has_index(context, "style", (uint32_t)style, AFFIRM_STYLE_XLA + 1))
    return nullptr;
  return map_text(context_arena(context), context->judge->context, map_of(map), (MapStyle)style);
}

AffirmMapState affirm_map_state(const AffirmMap *map) {
  return map == nullptr ? AFFIRM_MAP_UNDEFINED : (AffirmMapState)map_of(map)->state;
}

uint32_t affirm_map_variable_count(const AffirmMap *map, AffirmVariableKind kind) {
  return map == nullptr || (uint32_t)kind > AFFIRM_RUNTIME
             ? 0
             : map_kind_count(map_of(map), (VarKind)kind);
}

uint32_t affirm_map_result_count(const AffirmMap *map) {
  return map == nullptr ? 0 : map_of(map)->result_count;
}

uint32_t affirm_map_constraint_count(const AffirmMap *map) {
  return map == nullptr ? 0 : map_of(map)->constraint_count;
}

static AffirmInterval interval_to(Interval interval) {
  return (AffirmInterval){interval.lo, interval.hi};
}

bool affirm_map_bounds(AffirmContext *context, const AffirmMap *map, AffirmVariableKind kind,
    uint32_t index, AffirmInterval *bounds) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_OWNS(context, map) || !CONTEXT_HAS(context, bounds))
    return false;
  if ((uint32_t)kind > AFFIRM_RUNTIME)
    return error_set(
        &context->error, ERROR_INPUT, "there is no kind %u of variables", (uint32_t)kind);
  if (!context_has_index(context, "variable", index, affirm_map_variable_count(map, kind)))
    return false;
  *bounds = interval_to(map_variables(map_of(map), (VarKind)kind)[index].bounds);
  return true;
}

static const char *expr_text(const AffirmContext *context, const Map *map, Expr expr) {
  Text text = text_create(context_arena(context));
  expr_print(&text, context->judge->context, map, expr, MAP_STYLE_LINE);
  return text.bytes;
}

const char *affirm_map_result(AffirmContext *context, const AffirmMap *map, uint32_t index) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_OWNS(context, map) ||
      !context_has_index(context, "result", index, map_of(map)->result_count))
    return nullptr;
  return expr_text(context, map_of(map), map_of(map)->results[index]);
}

const char *affirm_map_constraint(
    AffirmContext *context, const AffirmMap *map, uint32_t index, AffirmInterval *interval) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_OWNS(context, map) || !CONTEXT_HAS(context, interval) ||
      !context_has_index(context, "constraint", index, map_of(map)->constraint_count))
    return nullptr;
  const Constraint *constraint = &map_of(map)->constraints[index];
  *interval = interval_to(constraint->in);
  return expr_text(context, map_of(map), constraint->expr);
}

const AffirmMap *affirm_map_compose(
    AffirmContext *context, const AffirmMap *consumer, const AffirmMap *producer) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_OWNS(context, consumer) || !CONTEXT_OWNS(context, producer))
    return nullptr;
  const Map *composed = nullptr;
  return map_compose(context->judge->context, map_of(consumer), map_of(producer), &composed,
             &context->error)
             ? map_to(composed)
             : nullptr;
}

/* The map is of this context. */
static bool map_algebra(AffirmContext *context, AlgebraOperation operation, const AffirmMap *map,
    AlgebraAnswer *answer) {
  *answer = (AlgebraAnswer){};
  algebra_answer(context->judge, &(AlgebraQuery){.operation = operation, .maps = {map_of(map)}},
      answer, &context->error);
  return answer->kind != ALGEBRA_IS_REJECTED;
}

const AffirmMap *affirm_map_drop_unused(AffirmContext *context, const AffirmMap *map) {
  CONTEXT_ENTER(context);
  AlgebraAnswer answer;
  return context != nullptr && CONTEXT_OWNS(context, map) &&
                 map_algebra(context, ALGEBRA_DROP_UNUSED, map, &answer)
             ? map_to(answer.map)
             : nullptr;
}

const AffirmMap *affirm_map_inverse(AffirmContext *context, const AffirmMap *map) {
  CONTEXT_ENTER(context);
  AlgebraAnswer answer;
  return context != nullptr && CONTEXT_OWNS(context, map) &&
                 map_algebra(context, ALGEBRA_INVERSE, map, &answer)
             ? map_to(answer.map)
             : nullptr;
}

bool affirm_map_point_count(AffirmContext *context, const AffirmMap *map, uint64_t *count) {
  CONTEXT_ENTER(context);
  AlgebraAnswer answer;
  if (context == nullptr || !CONTEXT_HAS(context, count) || !CONTEXT_OWNS(context, map) ||
      !map_algebra(context, ALGEBRA_POINTS, map, &answer) || answer.kind == ALGEBRA_IS_OPEN)
    return false;
  *count = answer.points;
  return true;
}

bool affirm_map_image(AffirmContext *context, const AffirmMap *map, AffirmInterval *bounds) {
  CONTEXT_ENTER(context);
  AlgebraAnswer answer;
  if (context == nullptr || !CONTEXT_OWNS(context, map) ||
      (map_of(map)->result_count > 0 && !CONTEXT_HAS(context, bounds)) ||
      !map_algebra(context, ALGEBRA_IMAGE, map, &answer) || answer.bounds == nullptr)
    return false;
  for (uint32_t i = 0; i < map_of(map)->result_count; i++)
    bounds[i] = interval_to(answer.bounds[i]);
  return true;
}

AffirmStatus affirm_map_injective(
    AffirmContext *context, const AffirmMap *map, AffirmVerdict *verdict) {
  CONTEXT_ENTER(context);
  AlgebraAnswer answer;
  if (context == nullptr || !CONTEXT_OWNS(context, map) ||
      !map_algebra(context, ALGEBRA_INJECTIVE, map, &answer))
    return verdict_fail(context, verdict);
  switch (answer.kind) {
    case ALGEBRA_IS_TRUE: return verdict_give(verdict, STATUS_PROVED, "proved", answer.text);
    case ALGEBRA_IS_FALSE: return verdict_give(verdict, STATUS_REFUTED, "refuted", answer.text);
    case ALGEBRA_IS_MAP:
    case ALGEBRA_IS_TEXT:
    case ALGEBRA_IS_REJECTED:
    case ALGEBRA_IS_OPEN: break;
  }
  return verdict_give(verdict, STATUS_UNDECIDED, "unknown", answer.text);
}

static AffirmStatus maps_judge_two(AffirmContext *context, ObligationKind kind, const AffirmMap *a,
    const AffirmMap *b, AffirmVerdict *verdict) {
  SameJudgement judgement;
  judge_same(context->judge, kind, map_of(a), map_of(b), &judgement);
  return verdict_give(verdict, same_reason_status(judgement.reason),
      same_reason_text(judgement.reason), judgement.text);
}

AffirmStatus affirm_maps_same(
    AffirmContext *context, const AffirmMap *a, const AffirmMap *b, AffirmVerdict *verdict) {
  CONTEXT_ENTER(context);
  bool is_given = context != nullptr && CONTEXT_OWNS(context, a) && CONTEXT_OWNS(context, b);
  return is_given ? maps_judge_two(context, OBLIGATION_SAME_MAP, a, b, verdict)
                  : verdict_fail(context, verdict);
}

AffirmStatus affirm_maps_same_relation(
    AffirmContext *context, const AffirmMap *a, const AffirmMap *b, AffirmVerdict *verdict) {
  CONTEXT_ENTER(context);
  bool is_given = context != nullptr && CONTEXT_OWNS(context, a) && CONTEXT_OWNS(context, b);
  return is_given ? maps_judge_two(context, OBLIGATION_SAME_RELATION, a, b, verdict)
                  : verdict_fail(context, verdict);
}

AffirmStatus affirm_maps_contained(AffirmContext *context, const AffirmMap *inner,
    const AffirmMap *outer, AffirmVerdict *verdict) {
  CONTEXT_ENTER(context);
  bool is_given =
      context != nullptr && CONTEXT_OWNS(context, inner) && CONTEXT_OWNS(context, outer);
  return is_given ? maps_judge_two(context, OBLIGATION_CONTAINED, inner, outer, verdict)
                  : verdict_fail(context, verdict);
}
