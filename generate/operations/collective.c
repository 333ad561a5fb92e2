/* Collectives: groups of devices, channels, pairs of a permute; of one array or two, as one
 * operation or as a start and a done. reduce-scatter and all-to-all divide a dimension by the group
 * size. */
#include "generate/operations/compose.h"

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
  PERMUTE_DONE,
  ALL_GATHER_OF_TWO,
  REDUCE_SCATTER_OF_TWO,
  RAGGED /* only if any_groups is set */
} Collective;

enum : uint8_t { DIMENSION = 1, DIVIDES = 2, MULTIPLIES = 4, REDUCES = 8, IDS = 16, TWO = 32 };
/* IDS: has use_global_device_ids. */
static const struct {
  Opcode opcode, start; /* start: the opcode whose result `opcode` waits for, or the same opcode */
  uint8_t has;
} kinds[] = {
    [ALL_REDUCE] = {HLO_ALL_REDUCE, HLO_ALL_REDUCE, REDUCES | IDS},
    [ALL_REDUCE_OF_TWO] = {HLO_ALL_REDUCE, HLO_ALL_REDUCE, REDUCES | IDS | TWO},
    [ALL_REDUCE_DONE] = {HLO_ALL_REDUCE_DONE, HLO_ALL_REDUCE_START, REDUCES | IDS},
    [BROADCAST] = {HLO_COLLECTIVE_BROADCAST, HLO_COLLECTIVE_BROADCAST, 0},
    [ALL_GATHER] = {HLO_ALL_GATHER, HLO_ALL_GATHER, DIMENSION | MULTIPLIES | IDS},
    [ALL_GATHER_DONE] = {HLO_ALL_GATHER_DONE, HLO_ALL_GATHER_START, DIMENSION | MULTIPLIES | IDS},
    [REDUCE_SCATTER] = {HLO_REDUCE_SCATTER, HLO_REDUCE_SCATTER,
        DIMENSION | DIVIDES | REDUCES | IDS},
    [ALL_TO_ALL] = {HLO_ALL_TO_ALL, HLO_ALL_TO_ALL, DIMENSION | DIVIDES},
    [ALL_TO_ALL_OF_MANY] = {HLO_ALL_TO_ALL, HLO_ALL_TO_ALL, 0},
    [PERMUTE] = {HLO_COLLECTIVE_PERMUTE, HLO_COLLECTIVE_PERMUTE, 0},
    [PERMUTE_DONE] = {HLO_COLLECTIVE_PERMUTE_DONE, HLO_COLLECTIVE_PERMUTE_START, 0},
    [ALL_GATHER_OF_TWO] = {HLO_ALL_GATHER, HLO_ALL_GATHER, DIMENSION | MULTIPLIES | IDS | TWO},
    [REDUCE_SCATTER_OF_TWO] = {HLO_REDUCE_SCATTER, HLO_REDUCE_SCATTER,
        DIMENSION | DIVIDES | REDUCES | IDS | TWO},
    [RAGGED] = {HLO_RAGGED_ALL_TO_ALL, HLO_RAGGED_ALL_TO_ALL, 0},
};
static constexpr uint32_t kind_count = sizeof kinds / sizeof *kinds, judged_count = RAGGED;

/* Groups with their sizes. The eighth and later ones are used only with any_groups. */
static const struct {
  const char *text;
  int64_t size;
} groups[] = {{"{{0}}", 1}, {"{{0,1}}", 2}, {"{{1,0}}", 2}, {"{{0,1},{2,3}}", 2},
    {"{{0,2},{3,1}}", 2}, {"{{2,0,1}}", 3}, {"{{0,1,2,3}}", 4}, {"{}", 2}, {"[2,2]<=[4]", 2},
    {"[2,2]<=[2,2]T(1,0)", 2}, {"{{0,1,3},{5,2,4}}", 3}};
static constexpr uint32_t group_count = sizeof groups / sizeof *groups, listed_count = 7;
static const char *const targets[] = {
    "{}", "{{0,1}}", "{{0,1},{1,0}}", "{{0,1},{1,2},{2,0}}", "{{1,1}}"};
static constexpr uint32_t target_count = sizeof targets / sizeof *targets;
/* No channel, a channel, and a channel with global device ids. */
static constexpr uint32_t channel_count = 3;

typedef struct CollectiveWay {
  Collective collective;
  uint8_t has;
  uint32_t dimension, group, channel; /* group: for permutes, their targets */
} CollectiveWay;

static bool has_targets(const CollectiveWay *way) {
  return way->collective == PERMUTE || way->collective == PERMUTE_DONE;
}

static bool choose_way(OperationCase *at_hand, CollectiveWay *way) {
  Choices *choices = at_hand->choices;
  const Tensor *in = &at_hand->in;
  bool any = at_hand->limits->any_groups,
       reduces = at_hand->type == TYPE_f32 || at_hand->type == TYPE_s32;
  way->collective = (Collective)choose(choices, any ? kind_count : judged_count);
  way->has = kinds[way->collective].has;
  if ((way->has & REDUCES) != 0 && !reduces) return false;
  if (((way->has & DIMENSION) != 0 || way->collective == RAGGED) && in->rank == 0) return false;
  if ((way->has & DIMENSION) != 0) way->dimension = (uint32_t)choose(choices, in->rank);
  way->group = (uint32_t)choose(choices, has_targets(way) ? target_count
                                         : any            ? group_count
                                                          : listed_count);
  if ((way->has & DIVIDES) != 0 && in->sizes[way->dimension] % groups[way->group].size != 0)
    return false;
  way->channel =
      (uint32_t)choose(choices, (way->has & IDS) != 0 ? channel_count : channel_count - 1);
  return true;
}

static Instruction *set_devices(
    OperationCase *at_hand, Instruction *made, const CollectiveWay *way) {
  if (made == nullptr) return nullptr;
  Builder *builder = at_hand->builder;
  int64_t dimension = way->dimension;
  if ((way->has & DIMENSION) != 0) made->dimensions = hlo_build_ints(builder, 1, &dimension);
  if (has_targets(way))
    hlo_build_attribute(builder, made, "source_target_pairs", targets[way->group]);
  else hlo_build_attribute(builder, made, "replica_groups", groups[way->group].text);
  if (way->channel > 0) made->channel_id = 1;
  made->use_global_device_ids = way->channel == 2;
  if ((way->has & REDUCES) != 0)
    hlo_build_call(
        builder, made, "to_apply", at_hand->source->reducer(at_hand->source, 1, &at_hand->type));
  return made;
}

static constexpr uint32_t most_operands = 8;

static uint32_t make_operands(
    OperationCase *at_hand, const CollectiveWay *way, Instruction *operands[most_operands]) {
  OperandSource *source = at_hand->source;
  static const Tensor pair = {1, {2}};
  uint32_t count = (way->has & TWO) != 0 ? 2 : 1;
  operands[0] = at_hand->operand;
  if (way->collective == ALL_TO_ALL_OF_MANY) count = (uint32_t)groups[way->group].size;
  for (uint32_t i = 1; i < count; i++)
    operands[i] = source->array(source, at_hand->type, &at_hand->in);
  if (way->collective != RAGGED) return count;
  operands[1] = at_hand->operand;
  for (uint32_t i = 2; i < 4; i++)
    operands[i] = operands[i + 2] = source->array(source, TYPE_s32, &pair);
  return 6;
}

/* The result shape of a start; for a permute it includes contexts. */
static const Shape *started_shape(
    OperationCase *at_hand, const CollectiveWay *way, const Shape *from, const Shape *to) {
  Builder *builder = at_hand->builder;
  const Shape *context = shape_of_scalar(builder, TYPE_u32);
  return way->collective == ALL_REDUCE_DONE   ? to
         : way->collective == ALL_GATHER_DONE ? SHAPES(builder, from, to)
                                              : SHAPES(builder, from, to, context, context);
}

static void build_collective(OperationCase *at_hand, const CollectiveWay *way) {
  Builder *builder = at_hand->builder;
  Opcode start = kinds[way->collective].start, opcode = kinds[way->collective].opcode;
  Instruction *operands[most_operands];
  uint32_t count = make_operands(at_hand, way, operands);
  const Shape *from = shape_of_tensor(builder, at_hand->type, &at_hand->in),
              *to = shape_of_tensor(builder, at_hand->type, &at_hand->out), *parts[4] = {};
  bool is_tuple = count > 1 && way->collective != RAGGED;
  is_tuple |= way->collective == ALL_TO_ALL_OF_MANY;
  for (uint32_t i = 0; i < count && i < 4; i++) parts[i] = to;
  const Shape *result = start != opcode ? started_shape(at_hand, way, from, to)
                        : is_tuple      ? shape_tuple(builder->module->arena, count, parts)
                                        : to;
  Instruction *made = set_devices(at_hand, hlo_build_begin(builder, start, count, operands), way);
  at_hand->result = hlo_build_end(builder, made, result);
  if (start != opcode)
    at_hand->result =
        hlo_build_end(builder, hlo_build_begin(builder, opcode, 1, &at_hand->result), to);
}

bool generate_collective(OperationCase *at_hand) {
  CollectiveWay way = {};
  if (!choose_way(at_hand, &way)) return false;
  at_hand->out = at_hand->in;
  if ((way.has & MULTIPLIES) != 0) at_hand->out.sizes[way.dimension] *= groups[way.group].size;
  if ((way.has & DIVIDES) != 0 && way.collective != ALL_TO_ALL)
    at_hand->out.sizes[way.dimension] /= groups[way.group].size;
  if (at_hand->builder != nullptr) build_collective(at_hand, &way);
  return true;
}
