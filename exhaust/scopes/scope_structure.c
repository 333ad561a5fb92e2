/* Ways to pass a tensor through tuples and the like, and through collectives. What is asked is the
 * last instruction. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "exhaust/scopes/scope_operation.h"

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

bool scope_structure(OperationCase *at_hand, ScopeWriter *writer) {
  uint64_t way = choose(at_hand->choices, structure_count);
  at_hand->out = at_hand->in;
  if (writer != nullptr) scope_write_filled(writer, &at_hand->in, structures[way]);
  return true;
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
static bool scope_structure_divides(Collective collective) {
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

static bool choose_collective(OperationCase *at_hand, CollectiveWay *way) {
  const Tensor *in = &at_hand->in;
  way->collective = (Collective)choose(at_hand->choices, collective_count);
  if (has_dimension(way->collective) && in->rank == 0) return false;
  if (has_dimension(way->collective)) way->dimension = (uint32_t)choose(at_hand->choices, in->rank);
  way->group =
      (uint32_t)choose(at_hand->choices, has_targets(way->collective) ? target_count : group_count);
  if (scope_structure_divides(way->collective) &&
      in->sizes[way->dimension] % groups[way->group].size != 0)
    return false;
  way->channel = (uint32_t)choose(
      at_hand->choices, takes_global_ids(way->collective) ? channel_count : channel_count - 1);
  return true;
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

static void write_collective(
    const Tensor *in, const Tensor *out, CollectiveWay way, ScopeWriter *writer) {
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

bool scope_collective(OperationCase *at_hand, ScopeWriter *writer) {
  CollectiveWay way = {};
  if (!choose_collective(at_hand, &way)) return false;
  Tensor *out = &at_hand->out;
  *out = at_hand->in;
  if (way.collective == ALL_GATHER || way.collective == ALL_GATHER_DONE)
    out->sizes[way.dimension] *= groups[way.group].size;
  if (way.collective == REDUCE_SCATTER) out->sizes[way.dimension] /= groups[way.group].size;
  if (writer != nullptr) write_collective(&at_hand->in, out, way, writer);
  return true;
}
