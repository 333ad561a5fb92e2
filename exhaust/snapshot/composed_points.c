/* The variables of a composition are the consumer's dimensions, then the range variables of both
 * and the runtime variables of both (core/map/compose.h). At a point the composition must be
 * inside, outside or past int64 as one map after the other is, with the same results, and each
 * source of a runtime variable must have the index that it has in its own map. The box is made from
 * the variables of both maps, not from the composition. */
#include "exhaust/snapshot/composed_points.h"

#include <string.h>

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/map/evaluate.h"
#include "core/map/points.h"

static constexpr uint64_t most_points = 4096;

typedef struct PairAtPoints {
  Arena *arena;
  MapContext *context;
  const Map *consumer, *producer, *composed;
  const Map *box;                  /* the variables, without results */
  int64_t *between, *wanted, *got; /* results, of index maps too */
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

/* The source in its own map, which is the consumer or the producer; nullptr: it has none. */
static const RuntimeSource *own_source(
    const PairAtPoints *pair, uint32_t runtime, const Map **owner) {
  const uint32_t first = pair->consumer->runtime_count;
  *owner = runtime < first ? pair->consumer : pair->producer;
  return (*owner)->sources == nullptr
             ? nullptr
             : &(*owner)->sources[runtime < first ? runtime : runtime - first];
}

/* At a point where the consumer's results are known. Where the index has no value in its own map,
 * nothing is wanted. */
static bool source_is_same_at(const PairAtPoints *pair, uint32_t runtime, const Point *at) {
  const Map *owner, *index = pair->composed->sources[runtime].index;
  const RuntimeSource *own = own_source(pair, runtime, &owner);
  if (index == nullptr) return true;
  const Point then = {pair->between, at->ranges + pair->consumer->range_count,
      at->runtimes + pair->consumer->runtime_count};
  PointState wanted = map_evaluate(
                 pair->context, own->index, owner == pair->consumer ? at : &then, pair->wanted),
             got = map_evaluate(pair->context, index, at, pair->got);
  return wanted == POINT_OUTSIDE ||
         (wanted == got &&
             (got != POINT_INSIDE ||
                 memcmp(pair->wanted, pair->got, index->result_count * sizeof *pair->got) == 0));
}

static const char *source_difference_at(
    const PairAtPoints *pair, const int64_t *values, const Point *at) {
  for (uint32_t i = 0; pair->composed->sources != nullptr && i < pair->box->runtime_count; i++) {
    if (source_is_same_at(pair, i, at)) continue;
    Text text = text_create(pair->arena);
    text_string(&text, "at ");
    text_tuple(&text, map_variable_count(pair->box), values);
    text_printf(&text, " the source of rt%u has another index", i);
    return text.bytes;
  }
  return nullptr;
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
  if (is_same) return got == POINT_INSIDE ? source_difference_at(pair, values, &at) : nullptr;
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

static uint64_t draw_number(uint64_t *state) {
  *state += UINT64_C(0x9e3779b97f4a7c15);
  return hash_mix(*state, 0);
}

/* The lower or upper bound of each variable, or any value between. */
static void draw_point(const Map *box, uint64_t *state, int64_t *values) {
  for (uint32_t i = 0; i < map_variable_count(box); i++) {
    const Interval bounds = map_variable(box, i)->bounds;
    const uint64_t choice = draw_number(state) % 4, drawn = draw_number(state),
                   span = (uint64_t)bounds.hi - (uint64_t)bounds.lo,
                   offset = span == UINT64_MAX ? drawn : drawn % (span + 1);
    values[i] = choice == 0   ? bounds.lo
                : choice == 1 ? bounds.hi
                              : (int64_t)((uint64_t)bounds.lo + offset);
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

static bool interval_is(Interval a, Interval b) { return a.lo == b.lo && a.hi == b.hi; }

/* Whether all but the values of the index is as in the source's own map. */
static bool source_has_form(const PairAtPoints *pair, uint32_t runtime) {
  const Map *owner;
  const RuntimeSource *own = own_source(pair, runtime, &owner),
                      *joined = &pair->composed->sources[runtime];
  if (own == nullptr)
    return joined->index == nullptr &&
           interval_is(joined->clamp, map_variables(pair->box, VAR_RUNTIME)[runtime].bounds);
  bool is_known = own->index != nullptr && map_index_is_over(own->index, owner);
  return strcmp(joined->name, own->name) == 0 && interval_is(joined->clamp, own->clamp) &&
         (joined->index != nullptr) == is_known &&
         (!is_known || joined->index->result_count == own->index->result_count);
}

static bool sources_have_form(const PairAtPoints *pair) {
  bool has_some = pair->consumer->sources != nullptr || pair->producer->sources != nullptr;
  if ((pair->composed->sources != nullptr) != has_some) return false;
  for (uint32_t i = 0; has_some && i < pair->box->runtime_count; i++)
    if (!source_has_form(pair, i)) return false;
  return true;
}

/* Whether the composition can be evaluated at the points of both. */
static const char *difference_of_form(const PairAtPoints *pair) {
  const Map *composed = pair->composed, *box = pair->box;
  if (composed->state == MAP_KNOWN_EMPTY) return nullptr;
  if (composed->state != MAP_PLAIN) return "it is undefined";
  bool has_variables = composed->dim_count == box->dim_count &&
                       composed->range_count == box->range_count &&
                       composed->runtime_count == box->runtime_count &&
                       composed->result_count == pair->producer->result_count;
  if (!has_variables) return "it has other variables or results";
  return sources_have_form(pair) ? nullptr : "it has other sources of runtime variables";
}

/* The most results of the producer and of the index maps. */
static uint32_t most_results(const Map *consumer, const Map *producer) {
  const Map *const maps[] = {consumer, producer};
  uint32_t most = producer->result_count;
  for (uint32_t i = 0; i < 2; i++)
    for (uint32_t k = 0; maps[i]->sources != nullptr && k < maps[i]->runtime_count; k++) {
      const Map *index = maps[i]->sources[k].index;
      if (index != nullptr && index->result_count > most) most = index->result_count;
    }
  return most;
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
  const uint32_t results = most_results(consumer, producer);
  PairAtPoints pair = {.arena = arena,
      .context = context,
      .consumer = consumer,
      .producer = producer,
      .composed = composed,
      .box = box_of(context, consumer, producer),
      .between = ARENA_NEW(arena, int64_t, consumer->result_count + 1),
      .wanted = ARENA_NEW(arena, int64_t, results + 1),
      .got = ARENA_NEW(arena, int64_t, results + 1)};
  int64_t *values = ARENA_NEW(arena, int64_t, map_variable_count(pair.box) + 1);
  uint64_t count;
  ComposedPoints points = {.is_whole = map_points_count(pair.box, most_points, &count),
      .difference = difference_of_form(&pair)};
  if (points.difference == nullptr)
    points.difference = points.is_whole ? compare_all(&pair, values) : compare_some(&pair, values);
  return points;
}
