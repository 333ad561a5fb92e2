/* Ways to pass a tensor through tuples and the like, and through collectives. What is asked is the
 * last instruction. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "exhaust/scope_operation.h"

/* X: the tensor's shape, V: its name, P: a second parameter of the shape; each form has to leave
 * `ROOT r`. */
static const char *const structures[] = {
    "  ROOT r = (X) tuple(V)\n",
    "  P\n  ROOT r = (X, X) tuple(V, p1)\n",
    "  P\n  ROOT r = (X, X, X) tuple(V, p1, V)\n",
    "  P\n  i = (X, X) tuple(p1, V)\n  ROOT r = ((X, X), X) tuple(i, V)\n",
    "  t = (X, s32[], X) parameter(1)\n  ROOT r = X get-tuple-element(t), index=0\n",
    "  t = (X, s32[], X) parameter(1)\n  ROOT r = s32[] get-tuple-element(t), index=1\n",
    "  t = (X, s32[], X) parameter(1)\n  ROOT r = X get-tuple-element(t), index=2\n",
    "  t = ((X, s32[]), X) parameter(1)\n  ROOT r = (X, s32[]) get-tuple-element(t), index=0\n",
    "  ROOT r = X opt-barrier(V)\n",
    "  t = (X, s32[]) parameter(1)\n  ROOT r = (X, s32[]) opt-barrier(t)\n",
    "  ROOT r = X copy(V)\n",
    "  t = (X, s32[]) parameter(1)\n  ROOT r = (X, s32[]) copy(t)\n",
    "  ROOT r = (X, X, u32[]) copy-start(V)\n",
    "  s = (X, X, u32[]) copy-start(V)\n  ROOT r = X copy-done(s)\n",
    "  ROOT r = X domain(V), domain={kind=\"sharding\", entry={maximal device=0}, exit={maximal device=1}}\n",
    "  k = token[] after-all()\n  ROOT r = X add-dependency(V, k)\n",
};
static constexpr uint32_t structure_count = sizeof structures / sizeof *structures;

uint64_t count_structure(const ScopeLimits *, const Tensor *) { return structure_count; }

void write_structure(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  *out = *in;
  if (writer == nullptr) return;
  assert(way < structure_count);
  scope_write_filled(writer, in, structures[way]);
}

/* Groups of devices, with the devices of a group; what a channel adds. */
static const struct {
  const char *text;
  int64_t size;
} groups[] = {{"{{0}}", 1}, {"{{0,1}}", 2}, {"{{1,0}}", 2}, {"{{0,1},{2,3}}", 2},
    {"{{0,2},{3,1}}", 2}, {"{{2,0,1}}", 3}, {"{{0,1,2,3}}", 4}};
static constexpr uint32_t group_count = sizeof groups / sizeof *groups;
static const char *const channels[] = {
    "", ", channel_id=1", ", channel_id=1, use_global_device_ids=true"};
static constexpr uint32_t channel_count = sizeof channels / sizeof *channels;
static const char *const targets[] = {
    "{}", "{{0,1}}", "{{0,1},{1,0}}", "{{0,1},{1,2},{2,0}}", "{{1,1}}"};
static constexpr uint32_t target_count = sizeof targets / sizeof *targets;

typedef enum Collective : uint8_t {
  ALL_REDUCE,
  ALL_REDUCE_OF_TWO,
  ALL_REDUCE_DONE,
  BROADCAST,
  ALL_GATHER,
  ALL_GATHER_DONE,
  REDUCE_SCATTER,
  ALL_TO_ALL,
  ALL_TO_ALL_OF_MANY,
  PERMUTE,
  PERMUTE_DONE
} Collective;
static constexpr uint32_t collective_count = PERMUTE_DONE + 1;

static bool has_dimension(Collective collective) {
  return collective == ALL_GATHER || collective == ALL_GATHER_DONE ||
         collective == REDUCE_SCATTER || collective == ALL_TO_ALL;
}
static bool divides(Collective collective) {
  return collective == REDUCE_SCATTER || collective == ALL_TO_ALL;
}
/* The others have no use_global_device_ids. */
static bool takes_global_ids(Collective collective) {
  switch (collective) {
    case ALL_REDUCE:
    case ALL_REDUCE_OF_TWO:
    case ALL_REDUCE_DONE:
    case ALL_GATHER:
    case ALL_GATHER_DONE:
    case REDUCE_SCATTER: return true;
    case BROADCAST:
    case ALL_TO_ALL:
    case ALL_TO_ALL_OF_MANY:
    case PERMUTE:
    case PERMUTE_DONE: return false;
  }
  return false;
}
static bool has_targets(Collective collective) {
  return collective == PERMUTE || collective == PERMUTE_DONE;
}

typedef struct CollectiveWay {
  Collective collective;
  uint32_t dimension, group, channel; /* group: of permutes their targets */
} CollectiveWay;

/* The way with that number; with number == nullptr none. Gives how many there are up to it. */
static uint64_t collectives(const Tensor *in, const uint64_t *number, CollectiveWay *way) {
  uint64_t count = 0;
  for (uint32_t c = 0; c < collective_count; c++) {
    Collective collective = (Collective)c;
    uint32_t dimensions = has_dimension(collective) ? in->rank : 1,
             choices = has_targets(collective) ? target_count : group_count;
    for (uint32_t d = 0; d < dimensions; d++)
      for (uint32_t g = 0; g < choices; g++) {
        if (divides(collective) && in->sizes[d] % groups[g].size != 0) continue;
        uint32_t kinds = takes_global_ids(collective) ? channel_count : channel_count - 1;
        if (number != nullptr && *number - count < kinds) {
          *way = (CollectiveWay){collective, d, g, (uint32_t)(*number - count)};
          return count;
        }
        count += kinds;
      }
  }
  return count;
}

uint64_t count_collective(const ScopeLimits *, const Tensor *in) {
  return collectives(in, nullptr, nullptr);
}

static const char adder[] = ", to_apply=add";

static void write_all_to_all_of_many(
    ScopeWriter *writer, const CollectiveWay *way, const char *shape, const char *rest) {
  Text *text = writer->text;
  int64_t size = groups[way->group].size;
  for (int64_t i = 1; i < size; i++)
    text_printf(text, "  t%lld = %s parameter(%lld)\n", (long long)i, shape, (long long)i);
  text_string(text, "  ROOT r = (");
  for (int64_t i = 0; i < size; i++) text_printf(text, "%s%s", i == 0 ? "" : ", ", shape);
  text_printf(text, ") all-to-all(%s", writer->at_hand);
  for (int64_t i = 1; i < size; i++) text_printf(text, ", t%lld", (long long)i);
  text_printf(text, ")%s\n", rest);
}

void write_collective(
    const ScopeLimits *, const Tensor *in, uint64_t number, Tensor *out, ScopeWriter *writer) {
  CollectiveWay way = {};
  (void)collectives(in, &number, &way);
  *out = *in;
  if (way.collective == ALL_GATHER || way.collective == ALL_GATHER_DONE)
    out->sizes[way.dimension] *= groups[way.group].size;
  if (way.collective == REDUCE_SCATTER) out->sizes[way.dimension] /= groups[way.group].size;
  if (writer == nullptr) return;
  ShapeWords from = scope_shape_words("f32", in), to = scope_shape_words("f32", out);
  const char *x = from.text, *y = to.text, *v = writer->at_hand;
  char rest[160];
  if (has_targets(way.collective))
    snprintf(
        rest, sizeof rest, ", source_target_pairs=%s%s", targets[way.group], channels[way.channel]);
  else
    snprintf(
        rest, sizeof rest, ", replica_groups=%s%s", groups[way.group].text, channels[way.channel]);
  Text *text = writer->text;
  switch (way.collective) {
    case ALL_REDUCE:
      text_printf(text, "  ROOT r = %s all-reduce(%s)%s%s\n", x, v, rest, adder);
      return;
    case ALL_REDUCE_OF_TWO:
      text_printf(text, "  t = %s parameter(1)\n  ROOT r = (%s, %s) all-reduce(%s, t)%s%s\n", x, x,
          x, v, rest, adder);
      return;
    case ALL_REDUCE_DONE:
      text_printf(text, "  s = %s all-reduce-start(%s)%s%s\n  ROOT r = %s all-reduce-done(s)\n", x,
          v, rest, adder, x);
      return;
    case BROADCAST:
      text_printf(text, "  ROOT r = %s collective-broadcast(%s)%s\n", x, v, rest);
      return;
    case ALL_GATHER:
      text_printf(
          text, "  ROOT r = %s all-gather(%s)%s, dimensions={%u}\n", y, v, rest, way.dimension);
      return;
    case ALL_GATHER_DONE:
      text_printf(text,
          "  s = (%s, %s) all-gather-start(%s)%s, dimensions={%u}\n  ROOT r = %s all-gather-done(s)\n",
          x, y, v, rest, way.dimension, y);
      return;
    case REDUCE_SCATTER:
      text_printf(text, "  ROOT r = %s reduce-scatter(%s)%s, dimensions={%u}%s\n", y, v, rest,
          way.dimension, adder);
      return;
    case ALL_TO_ALL:
      text_printf(
          text, "  ROOT r = %s all-to-all(%s)%s, dimensions={%u}\n", x, v, rest, way.dimension);
      return;
    case ALL_TO_ALL_OF_MANY: write_all_to_all_of_many(writer, &way, x, rest); return;
    case PERMUTE: text_printf(text, "  ROOT r = %s collective-permute(%s)%s\n", x, v, rest); return;
    case PERMUTE_DONE:
      text_printf(text,
          "  s = (%s, %s, u32[], u32[]) collective-permute-start(%s)%s\n  ROOT r = %s collective-permute-done(s)\n",
          x, x, v, rest, x);
      return;
  }
}
