/* Maps flow through a computation instruction by instruction, as one set for each leaf: from a root
 * leaf to the parameters in reverse order of the instructions, or from a parameter leaf to the root
 * in forward order. Every set is complete and free of duplicates before it flows on, so that a
 * diamond costs as much as a chain. A step composes the set with the operation's maps (consumer
 * first) and then settles the result; an identity passes the set on unchanged.
 *
 * The claim is the worst on any path with maps; an undefined claim drops the maps. Results of
 * nested calls are cached by computation; nesting deeper than 200 is rejected. */
#include "core/index/fusion/fusion.h"

#include <assert.h>

#include "core/base/stack.h"
#include "core/index/fusion/exchange.h"
#include "core/index/fusion/leave.h"
#include "core/index/fusion/matters.h"
#include "core/index/ops/structure.h"
#include "core/index/runtime/runtime.h"
#include "core/map/compose.h"

static constexpr uint32_t max_depth = 200;

typedef struct FusionFlow {
  Indexer *indexer;
  const Computation *computation;
  Direction direction;
  bool has_all_sizes;   /* no instruction has an unknown size */
  const Shape *origin;  /* the leaf that the dimensions of all maps index */
  uint32_t *first_leaf; /* [instruction_count] into `leaves` */
  uint32_t leaf_count;
  IndexResult *leaves; /* [leaf_count] */
  bool may_lose;       /* from some leaves the other end may not be reached */
  bool *matters;       /* [leaf_count] true if it is reached; nullptr: no leaf is left out */
} FusionFlow;

/* One step: between an output leaf of an operation and a leaf of one operand. */
typedef struct FusionStep {
  const Instruction *instruction;
  uint32_t output_leaf, operand, operand_leaf;
} FusionStep;

static IndexResult *leaf_of(const FusionFlow *flow, const Instruction *instruction, uint32_t leaf) {
  return &flow->leaves[flow->first_leaf[instruction->id] + leaf];
}

static const Shape *output_shape(const FusionStep *step) {
  return shape_leaf(step->instruction->shape, step->output_leaf);
}

static const Shape *input_shape(const FusionStep *step) {
  return shape_leaf(step->instruction->operands[step->operand]->shape, step->operand_leaf);
}

static bool is_idle(const IndexResult *set) {
  return set->count == 0 && set->claim != INDEX_UNDEFINED;
}

/* True for d -> d on all of `source`, which restricts no consumer. */
static bool is_identity(const MapContext *context, const Map *map, const Shape *source) {
  if (map->range_count > 0 || map->runtime_count > 0 || map->constraint_count > 0 ||
      map->dim_count != map->result_count)
    return false;
  for (uint32_t i = 0; i < map->dim_count; i++) {
    const ExprNode *node = expr_node(context->pool, map->results[i]);
    bool same = node->op == EXPR_VAR && node->var_kind == VAR_DIM && node->var_index == i;
    if (!same || map->dims[i].bounds.lo != 0 || map->dims[i].bounds.hi != source->sizes[i] - 1)
      return false;
  }
  return true;
}

/* The operation's own maps: raw, or canonical for a call. */
static bool step_maps(
    const FusionFlow *flow, const FusionStep *step, IndexResult *maps, Error *error) {
  const Instruction *instruction = step->instruction;
  if (!calls_computation(instruction))
    return (flow->has_all_sizes ? operation_maps_sized : operation_maps)(flow->indexer->context,
        instruction, flow->direction, step->output_leaf, step->operand, step->operand_leaf, maps,
        error);
  MapSet set;
  if (!call_maps(flow->indexer, instruction, flow->direction, step->output_leaf, step->operand,
          step->operand_leaf, &set, error))
    return false;
  *maps = (IndexResult){
      .claim = set.claim, .reason = set.reason, .count = set.count, .items = set.maps};
  return true;
}

static constexpr uint32_t no_item = UINT32_MAX;

/* A map that a step adds. One that is already in the step's input set, or in a call's result, is
 * kept without a copy. */
typedef struct AddedMap {
  const Map *map;
  bool is_kept;
  uint32_t item; /* of the step's input set; no_item: of none */
} AddedMap;

/* The maps that a step adds to the set at its other end, in the scratch arena. */
typedef struct Added {
  uint32_t count, capacity;
  AddedMap *items;
  bool is_too_large; /* an expression is too large; replaced by the map to everything */
} Added;

static void add_later(
    const FusionFlow *flow, Added *added, const Map *map, bool is_kept, uint32_t item) {
  Arena *scratch = flow->indexer->scratch;
  *ARENA_PUSH(scratch, added) =
      (AddedMap){.map = is_kept ? map : map_copy(scratch, map), .is_kept = is_kept, .item = item};
}

static bool is_within(const Map *map, const Shape *source) {
  for (uint32_t i = 0; i < map->dim_count; i++)
    if (map->dims[i].bounds.lo < 0 || map->dims[i].bounds.hi >= source->sizes[i]) return false;
  return true;
}

/* The simplified composition; nullptr if it has no points. If the consumer is the identity, that is
 * the producer: a composition's constraints on dimensions would become their bounds. Index maps of
 * runtime variables would have other bounds. */
static bool compose_settled(const FusionFlow *flow, const FusionStep *step, const Map *consumer,
    const Map *producer, bool starts, const Map **map, Error *error) {
  Error inner;
  if (starts && producer->runtime_count == 0 && flow->indexer->simplifier != nullptr)
    return settle(flow->indexer, step->instruction, producer, map, error);
  error_clear(&inner);
  return map_compose(flow->indexer->context, consumer, producer, map, &inner)
             ? settle(flow->indexer, step->instruction, *map, map, error)
             : error_of_instruction(step->instruction, &inner, error);
}

/* Composes in the context's arena and rewinds it; the step keeps only the maps that it adds. A
 * call's maps are canonical. */
static bool compose_pair(const FusionFlow *flow, const FusionStep *step, const IndexResult *from,
    uint32_t item, const Map *producer, Added *added, Error *error) {
  const Map *consumer = from->items[item];
  Error named;
  const Map *map;
  MapContext *context = flow->indexer->context;
  const Shape *source = flow->direction == INPUT_TO_OUTPUT ? input_shape(step) : output_shape(step);
  if (is_identity(context, producer, source)) {
    add_later(flow, added, consumer, true, item);
    return true;
  }
  bool starts = is_identity(context, consumer, source);
  if (starts && calls_computation(step->instruction) && step->instruction->opcode != HLO_MAP) {
    add_later(flow, added, producer, true, no_item);
    return true;
  }
  error_clear(&named);
  ArenaMark mark = arena_mark(context->arena);
  starts = starts && is_within(producer, source);
  bool done = compose_settled(flow, step, consumer, producer, starts, &map, &named);
  if (done && map != nullptr) add_later(flow, added, map, false, no_item);
  arena_rewind(context->arena, mark);
  if (done) return true;
  added->is_too_large = named.kind == ERROR_LIMIT;
  if (!added->is_too_large) *error = named;
  return added->is_too_large;
}

/* `set`: the step's input set. */
static void add_all(const FusionFlow *flow, const FusionStep *step, const Added *added,
    IndexResult *set, IndexResult *to) {
  const Shape *target = flow->direction == INPUT_TO_OUTPUT ? output_shape(step) : input_shape(step);
  Arena *arena = flow->indexer->context->arena;
  if (set->is_hull) set_widen(flow->indexer, to, flow->origin, target);
  if (added->is_too_large) {
    answer_claim(
        to, INDEX_OVER_APPROXIMATION, "an expression past the limit of its size: everything");
    set_add_everything(flow->indexer, to, flow->origin, target);
    return;
  }
  for (uint32_t i = 0; i < added->count; i++) {
    const AddedMap *one = &added->items[i];
    bool is_in_set = one->item != no_item && set->items[one->item] == one->map;
    if (is_in_set) set_add_item(flow->indexer, to, set, one->item, flow->origin, target);
    else
      set_add(flow->indexer, to, one->is_kept ? one->map : map_copy(arena, one->map), flow->origin,
          target);
  }
}

/* A step of an identity: the set flows on unchanged. */
static void flow_on(
    const FusionFlow *flow, const FusionStep *step, IndexResult *from, IndexResult *to) {
  const Shape *target = flow->direction == INPUT_TO_OUTPUT ? output_shape(step) : input_shape(step);
  answer_claim(to, from->claim, from->reason);
  to->crossed |= from->crossed;
  if (to->claim == INDEX_UNDEFINED) {
    to->count = to->keys.count = 0;
    return;
  }
  if (to->count == 0 && !to->is_hull && !from->is_hull) {
    set_start_as(to, from);
    return;
  }
  if (from->is_hull) set_widen(flow->indexer, to, flow->origin, target);
  for (uint32_t i = 0; i < from->count; i++)
    set_add_item(flow->indexer, to, from, i, flow->origin, target);
}

/* A collective may have the identity's map, but not its meaning. */
static bool is_plain_identity(const FusionFlow *flow, const FusionStep *step) {
  bool exchanges = flow->computation->exchange != EXCHANGE_NOTHING &&
                   instruction_exchange(step->instruction) != EXCHANGE_NOTHING;
  return flow->has_all_sizes && !exchanges &&
         operation_is_identity(
             step->instruction, step->output_leaf, step->operand, step->operand_leaf);
}

static bool flow_step(const FusionFlow *flow, const FusionStep *step, IndexResult *set,
    IndexResult *to, Error *error) {
  IndexResult maps, consumer = *set, *from = &consumer;
  Added added = {};
  assert(!is_idle(from));
  if (is_plain_identity(flow, step)) {
    flow_on(flow, step, set, to);
    return true;
  }
  ArenaMark before = arena_mark(flow->indexer->context->arena),
            scratch = arena_mark(flow->indexer->scratch);
  if (!step_maps(flow, step, &maps, error)) return false;
  if (is_idle(&maps)) return true;
  if (flow->computation->exchange != EXCHANGE_NOTHING &&
      !exchange_cross(flow->indexer,
          &(ExchangeStep){step->instruction, step->output_leaf, flow->direction, from, &maps, to},
          error))
    return false;
  answer_claim(to, from->claim, from->reason);
  answer_claim(to, maps.claim, maps.reason);
  for (uint32_t i = 0; to->claim != INDEX_UNDEFINED && i < from->count; i++)
    for (uint32_t k = 0; k < maps.count && !added.is_too_large; k++)
      if (!compose_pair(flow, step, from, i, maps.items[k], &added, error)) return false;
  /* Maps that exchange_cross made may be kept without a copy. */
  if (!calls_computation(step->instruction) && flow->computation->exchange == EXCHANGE_NOTHING)
    arena_rewind(flow->indexer->context->arena, before);
  add_all(flow, step, &added, set, to);
  arena_rewind(flow->indexer->scratch, scratch);
  if (to->claim == INDEX_UNDEFINED) to->count = to->keys.count = 0;
  return true;
}

/* Follows the step between two leaves, in the direction of the flow. */
static bool flow_between(const FusionFlow *flow, const Instruction *instruction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, Error *error) {
  uint32_t to = flow->direction == INPUT_TO_OUTPUT
                    ? flow->first_leaf[instruction->id] + output_leaf
                    : flow->first_leaf[instruction->operands[operand]->id] + operand_leaf;
  if ((flow->matters != nullptr && !flow->matters[to]) ||
      (instruction->opcode == HLO_COPY_START &&
          !structure_connects(instruction, output_leaf, operand, operand_leaf)))
    return true;
  FusionStep step = {instruction, output_leaf, operand, operand_leaf};
  IndexResult *output = leaf_of(flow, instruction, output_leaf),
              *input = leaf_of(flow, instruction->operands[operand], operand_leaf);
  return flow->direction == OUTPUT_TO_INPUT ? flow_step(flow, &step, output, input, error)
                                            : flow_step(flow, &step, input, output, error);
}

static bool flow_backward(const FusionFlow *flow, Error *error) {
  for (uint32_t i = flow->computation->instruction_count; i-- > 0;) {
    const Instruction *instruction = flow->computation->instructions[i];
    uint32_t outputs = shape_leaf_count(instruction->shape);
    for (uint32_t leaf = 0; leaf < outputs; leaf++) {
      if (is_idle(leaf_of(flow, instruction, leaf))) continue;
      for (uint32_t operand = 0; operand < instruction->operand_count; operand++) {
        LeafRange inputs = leaves_before(instruction, leaf, operand);
        for (uint32_t k = inputs.first; k < inputs.end; k++)
          if (!flow_between(flow, instruction, leaf, operand, k, error)) return false;
      }
    }
  }
  return true;
}

static bool flow_forward(const FusionFlow *flow, Error *error) {
  for (uint32_t i = 0; i < flow->computation->instruction_count; i++) {
    const Instruction *instruction = flow->computation->instructions[i];
    for (uint32_t operand = 0; operand < instruction->operand_count; operand++) {
      const Instruction *producer = instruction->operands[operand];
      uint32_t inputs = shape_leaf_count(producer->shape);
      for (uint32_t leaf = 0; leaf < inputs; leaf++) {
        if (is_idle(leaf_of(flow, producer, leaf))) continue;
        LeafRange outputs = leaves_after(instruction, operand, leaf);
        for (uint32_t k = outputs.first; k < outputs.end; k++)
          if (!flow_between(flow, instruction, k, operand, leaf, error)) return false;
      }
    }
  }
  return true;
}

static void start_leaf(const FusionFlow *flow, IndexResult *leaf) {
  const Shape *origin = flow->origin;
  if (!shape_is_array(origin) || shape_elements(origin) == 0) return;
  MapContext *context = flow->indexer->context;
  set_add(flow->indexer, leaf, map_identity(context, origin->rank, origin->sizes), origin, origin);
}

static FusionFlow flow_start(
    Indexer *indexer, const Computation *computation, Direction direction) {
  FusionFlow flow = {.indexer = indexer, .computation = computation, .direction = direction};
  Arena *arena = indexer->context->arena;
  flow.first_leaf = ARENA_NEW(arena, uint32_t, computation->instruction_count);
  uint32_t leaves = 0;
  flow.has_all_sizes = true;
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    const Instruction *instruction = computation->instructions[i];
    assert(instruction->id == i);
    flow.first_leaf[i] = leaves;
    leaves += shape_leaf_count(instruction->shape);
    flow.has_all_sizes &= !instruction->shape->is_unbounded;
    flow.may_lose |= direction == OUTPUT_TO_INPUT && instruction->operand_count == 0 &&
                     instruction->opcode != HLO_PARAMETER;
    for (uint32_t k = 0; k < instruction->called_count; k++)
      flow.has_all_sizes &= instruction->called[k]->unbounded == nullptr;
  }
  flow.leaf_count = leaves;
  flow.may_lose |= direction == INPUT_TO_OUTPUT && leaves > computation->instruction_count;
  flow.leaves = ARENA_NEW(arena, IndexResult, leaves);
  return flow;
}

/* Maps of the other leaves would flow nowhere. */
static void leave_out(FusionFlow *flow) {
  if (flow->may_lose)
    flow->matters = leaves_that_matter(flow->indexer->context->arena, flow->computation,
        flow->direction, flow->first_leaf, flow->leaf_count);
}

uint32_t parameter_leaf_start(const Computation *computation, uint32_t parameter) {
  uint32_t leaves = 0;
  for (uint32_t i = 0; i < parameter; i++)
    leaves += shape_leaf_count(computation->parameters[i]->shape);
  return leaves;
}

static MapSet set_of(const IndexResult *answer) {
  return (MapSet){answer->claim, answer->reason, answer->count, answer->items};
}

static bool from_root(
    Indexer *indexer, const Computation *computation, uint32_t leaf, MapSet **sets, Error *error) {
  FusionFlow flow = flow_start(indexer, computation, OUTPUT_TO_INPUT);
  flow.origin = shape_leaf(computation->root->shape, leaf);
  start_leaf(&flow, leaf_of(&flow, computation->root, leaf));
  leave_out(&flow);
  if (!flow_backward(&flow, error)) return false;
  *sets = ARENA_NEW(indexer->context->arena, MapSet,
      parameter_leaf_start(computation, computation->parameter_count));
  MapSet *next = *sets;
  for (uint32_t p = 0; p < computation->parameter_count; p++) {
    uint32_t leaves = shape_leaf_count(computation->parameters[p]->shape);
    for (uint32_t i = 0; i < leaves; i++)
      *next++ = set_of(leaf_of(&flow, computation->parameters[p], i));
  }
  return true;
}

static void list_producers(const FusionFlow *flow, uint32_t *count, ProducerMaps *producers) {
  *count = 0;
  for (uint32_t i = 0; i < flow->computation->instruction_count; i++) {
    const Instruction *producer = flow->computation->instructions[i];
    uint32_t leaves = shape_leaf_count(producer->shape);
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
      IndexResult *set = leaf_of(flow, producer, leaf);
      for (uint32_t k = 0; k < set->count; k++)
        set->items[k] =
            runtime_name_inside(flow->indexer->context, set->items[k], flow->computation);
      if (!is_idle(set)) producers[(*count)++] = (ProducerMaps){producer, leaf, set_of(set)};
    }
  }
}

bool index_computation_by_producer(Indexer *indexer, const Computation *computation,
    uint32_t output_leaf, uint32_t *count, const ProducerMaps **producers, Error *error) {
  *count = 0;
  *producers = nullptr;
  if (output_leaf >= shape_leaf_count(computation->root->shape))
    return error_set(error, ERROR_INPUT, "%s: no output %u", computation->name, output_leaf);
  if (computation->unbounded != nullptr)
    return error_set(error, ERROR_UNSUPPORTED, "%s: a size of '%s' is not known", computation->name,
        computation->unbounded->name);
  FusionFlow flow = flow_start(indexer, computation, OUTPUT_TO_INPUT);
  flow.origin = shape_leaf(computation->root->shape, output_leaf);
  start_leaf(&flow, leaf_of(&flow, computation->root, output_leaf));
  remember_check(indexer);
  indexer->depth++; /* calls inside the computation are nested: their sources may run twice */
  bool done = flow_backward(&flow, error);
  indexer->depth--;
  if (!done) return false;
  ProducerMaps *list = ARENA_NEW(indexer->context->arena, ProducerMaps, flow.leaf_count);
  list_producers(&flow, count, list);
  *producers = list;
  return true;
}

static bool from_parameter(
    Indexer *indexer, const Computation *computation, uint32_t leaf, MapSet **sets, Error *error) {
  FusionFlow flow = flow_start(indexer, computation, INPUT_TO_OUTPUT);
  uint32_t parameter = 0;
  while (leaf >= shape_leaf_count(computation->parameters[parameter]->shape)) {
    leaf -= shape_leaf_count(computation->parameters[parameter++]->shape);
    assert(parameter < computation->parameter_count);
  }
  flow.origin = shape_leaf(computation->parameters[parameter]->shape, leaf);
  start_leaf(&flow, leaf_of(&flow, computation->parameters[parameter], leaf));
  leave_out(&flow);
  if (!flow_forward(&flow, error)) return false;
  uint32_t leaves = shape_leaf_count(computation->root->shape);
  *sets = ARENA_NEW(indexer->context->arena, MapSet, leaves);
  for (uint32_t i = 0; i < leaves; i++) (*sets)[i] = set_of(leaf_of(&flow, computation->root, i));
  return true;
}

bool computation_maps(Indexer *indexer, const Computation *computation, Direction direction,
    uint32_t leaf, const MapSet **sets, Error *error) {
  remember_check(indexer);
  MapSet *made = remember_find(indexer, computation, direction, leaf);
  *sets = made;
  if (made != nullptr) return true;
  if (indexer->depth >= max_depth || stack_is_low())
    return error_set(error, ERROR_LIMIT, "%s: computations are nested deeper than %u",
        computation->name, indexer->depth);
  indexer->depth++;
  bool done = direction == OUTPUT_TO_INPUT
                  ? from_root(indexer, computation, leaf, &made, error)
                  : from_parameter(indexer, computation, leaf, &made, error);
  indexer->depth--;
  if (!done) return false;
  remember_add(indexer, computation, direction, leaf, made);
  *sets = made;
  return true;
}

/* The position of the root's leaves among the call's output leaves: for an async-start, after its
 * operands. */
static uint32_t root_start(const Instruction *call) {
  bool is_start = call->opcode == HLO_ASYNC_START && shape_is_tuple(call->shape) &&
                  call->shape->element_count >= 2;
  return is_start ? shape_leaf_offset(call->shape, 1) : 0;
}

/* Output leaves of an async-start that are its operands. */
static bool alias_maps(Indexer *indexer, const Instruction *call, uint32_t output_leaf,
    uint32_t operand, uint32_t operand_leaf, MapSet *maps) {
  uint32_t start = 0;
  for (uint32_t i = 0; i < operand; i++) start += shape_leaf_count(call->operands[i]->shape);
  const Shape *leaf = shape_leaf(call->shape, output_leaf);
  if (output_leaf != start + operand_leaf || !shape_is_array(leaf) || shape_elements(leaf) == 0)
    return true;
  const Map **identity = ARENA_NEW(indexer->context->arena, const Map *, 1);
  identity[0] = map_identity(indexer->context, leaf->rank, leaf->sizes);
  *maps = (MapSet){.count = 1, .maps = identity};
  return true;
}

static bool check_leaves(const Instruction *call, uint32_t output_leaf, uint32_t operand,
    uint32_t operand_leaf, Error *error) {
  bool exists = operand < call->operand_count && output_leaf < shape_leaf_count(call->shape) &&
                operand_leaf < shape_leaf_count(call->operands[operand]->shape);
  return exists || error_set(error, ERROR_INPUT, "%s: no output %u or operand %u with leaf %u",
                       call->name, output_leaf, operand, operand_leaf);
}

/* Map: elementwise in the operands that the scalar body reads. */
static bool mapped_maps(Indexer *indexer, const Instruction *map, Direction direction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, MapSet *maps, Error *error) {
  const Computation *body = map->called[0];
  const MapSet *sets;
  IndexResult answer;
  if (operand >= body->parameter_count || output_leaf >= shape_leaf_count(body->root->shape)) {
    *maps =
        (MapSet){.claim = INDEX_UNDEFINED, .reason = "the called computation has other parameters"};
    return true;
  }
  if (!computation_maps(indexer, body, OUTPUT_TO_INPUT, output_leaf, &sets, error)) return false;
  const MapSet *read = &sets[parameter_leaf_start(body, operand)];
  *maps = (MapSet){.claim = read->claim, .reason = read->reason};
  if (read->count == 0) return true;
  if (!operation_maps(
          indexer->context, map, direction, output_leaf, operand, operand_leaf, &answer, error))
    return false;
  maps->count = answer.count;
  maps->maps = answer.items;
  return true;
}

bool call_maps(Indexer *indexer, const Instruction *call, Direction direction, uint32_t output_leaf,
    uint32_t operand, uint32_t operand_leaf, MapSet *maps, Error *error) {
  *maps = (MapSet){};
  const Computation *computation = call->called[0];
  uint32_t after = root_start(call);
  if (!check_leaves(call, output_leaf, operand, operand_leaf, error)) return false;
  if (call->opcode == HLO_MAP)
    return mapped_maps(indexer, call, direction, output_leaf, operand, operand_leaf, maps, error);
  if (output_leaf < after)
    return alias_maps(indexer, call, output_leaf, operand, operand_leaf, maps);
  uint32_t root_leaf = output_leaf - after;
  if (root_leaf >= shape_leaf_count(computation->root->shape)) return true;
  if (operand >= computation->parameter_count ||
      !shape_same_sizes(computation->parameters[operand]->shape, call->operands[operand]->shape)) {
    *maps =
        (MapSet){.claim = INDEX_UNDEFINED, .reason = "the called computation has other parameters"};
    return true;
  }
  uint32_t parameter_leaf = parameter_leaf_start(computation, operand) + operand_leaf;
  bool forward = direction == INPUT_TO_OUTPUT;
  const MapSet *sets;
  if (!computation_maps(
          indexer, computation, direction, forward ? parameter_leaf : root_leaf, &sets, error))
    return false;
  const Shape *output = shape_leaf(call->shape, output_leaf),
              *input = shape_leaf(call->operands[operand]->shape, operand_leaf);
  return leave_computation(indexer, call, &sets[forward ? root_leaf : parameter_leaf],
      forward ? input : output, forward ? output : input, maps, error);
}
