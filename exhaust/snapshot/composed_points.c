/* The variables of a composition are the consumer's dimensions, then the range variables of both
 * and the runtime variables of both (core/map/compose.h). At a point the composition must be
 * inside, outside or past int64 as one map after the other is, with the same results. The box is
 * made from the variables of both maps, not from the composition. */
#include "exhaust/snapshot/composed_points.h"

#include <string.h>

#include "core/base/text.h"
#include "core/map/evaluate.h"
#include "core/map/points.h"

static constexpr uint64_t most_points = 4096;

typedef struct PairAtPoints {
  Arena *arena;
  MapContext *context;
  const Map *consumer, *producer, *composed;
  const Map *box;                  /* the variables, without results */
  int64_t *between, *wanted, *got; /* results */
} PairAtPoints;

static const Map *box_of(MapContext *context, const Map *consumer, const Map *producer) {
  const uint32_t ranges = consumer->range_count, runtimes = consumer->runtime_count;
  Map *box = map_create(context, consumer->dim_count, ranges + producer->range_count,
      runtimes + producer->runtime_count, 0, 0);
  for (uint32_t i = 0; i < box->dim_count; i++) box->dims[i] = consumer->dims[i];
  for (uint32_t i = 0; i < box->range_count; i++)
    box->ranges[i] = i < ranges ? consumer->ranges[i] : producer->ranges[i - ranges];
  for (uint32_t i = 0; i < box->runtime_count; i++)
    box->runtimes[i] = i < runtimes ? consumer->runtimes[i] : producer->runtimes[i - runtimes];
  return box;
}

static PointState one_after_the_other(const PairAtPoints *pair, const Point *at) {
  PointState state = map_evaluate(pair->context, pair->consumer, at, pair->between);
  if (state != POINT_INSIDE) return state;
  const Point then = {pair->between, at->ranges + pair->consumer->range_count,
      at->runtimes + pair->consumer->runtime_count};
  return map_evaluate(pair->context, pair->producer, &then, pair->wanted);
}

/* An empty composition is outside everywhere. */
static PointState at_once(const PairAtPoints *pair, const Point *at) {
  return pair->composed->state == MAP_KNOWN_EMPTY
             ? POINT_OUTSIDE
             : map_evaluate(pair->context, pair->composed, at, pair->got);
}

/* The difference at this point, or nullptr. */
static const char *difference_at(const PairAtPoints *pair, const int64_t *values) {
  static const char *const words[] = {[POINT_INSIDE] = "a result",
      [POINT_OUTSIDE] = "no result",
      [POINT_OVERFLOW] = "a value past int64"};
  const Point at = map_point(pair->box, values);
  const uint32_t results = pair->producer->result_count;
  PointState wanted = one_after_the_other(pair, &at), got = at_once(pair, &at);
  bool is_same = wanted == got && (got != POINT_INSIDE || memcmp(pair->wanted, pair->got,
                                                              results * sizeof *pair->got) == 0);
  if (is_same) return nullptr;
  Text text = text_create(pair->arena);
  text_string(&text, "at ");
  text_tuple(&text, map_variable_count(pair->box), values);
  text_printf(&text, " it has %s", words[got]);
  if (got == POINT_INSIDE) text_tuple(&text, results, pair->got);
  text_printf(&text, ", one after the other %s", words[wanted]);
  if (wanted == POINT_INSIDE) text_tuple(&text, results, pair->wanted);
  return text.bytes;
}

static const char *compare_all(const PairAtPoints *pair, int64_t *values) {
  const char *difference = nullptr;
  for (bool more = map_points_begin(pair->box, values); more && difference == nullptr;
      more = map_points_next(pair->box, values))
    difference = difference_at(pair, values);
  return difference;
}

/* The lower or upper bound of each variable, or any value between. */
static void draw_point(const Map *box, uint64_t *state, int64_t *values) {
  for (uint32_t i = 0; i < map_variable_count(box); i++) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const Interval bounds = map_variable(box, i)->bounds;
    const uint64_t drawn = *state >> 33, span = (uint64_t)bounds.hi - (uint64_t)bounds.lo;
    values[i] = drawn % 4 == 0 ? bounds.lo
                : drawn % 4 == 1
                    ? bounds.hi
                    : bounds.lo + (int64_t)(span == UINT64_MAX ? drawn : (drawn >> 2) % (span + 1));
  }
}

static const char *compare_some(const PairAtPoints *pair, int64_t *values) {
  const char *difference = nullptr;
  uint64_t state = 1;
  for (uint64_t i = 0; i < most_points && difference == nullptr; i++) {
    draw_point(pair->box, &state, values);
    difference = difference_at(pair, values);
  }
  return difference;
}

/* Whether the composition can be evaluated at the points of both. */
static const char *difference_of_form(const PairAtPoints *pair) {
  const Map *composed = pair->composed, *box = pair->box;
  if (composed->state == MAP_KNOWN_EMPTY) return nullptr;
  if (composed->state != MAP_PLAIN) return "it is undefined";
  return composed->dim_count == box->dim_count && composed->range_count == box->range_count &&
                 composed->runtime_count == box->runtime_count &&
                 composed->result_count == pair->producer->result_count
             ? nullptr
             : "it has other variables or results";
}

static MapState state_of_both(const Map *a, const Map *b) {
  if (a->state == MAP_UNDEFINED || b->state == MAP_UNDEFINED) return MAP_UNDEFINED;
  return a->state == MAP_PLAIN ? b->state : a->state;
}

ComposedPoints composed_points(Arena *arena, MapContext *context, const Map *consumer,
    const Map *producer, const Map *composed) {
  MapState wanted = state_of_both(consumer, producer);
  if (wanted != MAP_PLAIN)
    return (ComposedPoints){.is_whole = true,
        .difference = composed->state == wanted ? nullptr
                      : wanted == MAP_UNDEFINED ? "it is not undefined, as one of both is"
                                                : "it is not empty, as one of both is"};
  PairAtPoints pair = {.arena = arena,
      .context = context,
      .consumer = consumer,
      .producer = producer,
      .composed = composed,
      .box = box_of(context, consumer, producer),
      .between = ARENA_NEW(arena, int64_t, consumer->result_count + 1),
      .wanted = ARENA_NEW(arena, int64_t, producer->result_count + 1),
      .got = ARENA_NEW(arena, int64_t, producer->result_count + 1)};
  int64_t *values = ARENA_NEW(arena, int64_t, map_variable_count(pair.box) + 1);
  uint64_t count;
  ComposedPoints points = {.is_whole = map_points_count(pair.box, most_points, &count),
      .difference = difference_of_form(&pair)};
  if (points.difference == nullptr)
    points.difference = points.is_whole ? compare_all(&pair, values) : compare_some(&pair, values);
  return points;
}
