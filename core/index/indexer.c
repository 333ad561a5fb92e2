/* The public interface: one query, one set of maps. Simplifies the raw maps of an operation; the
 * maps of a call are already simplified when the called computation is traversed. */
#include "core/index/indexer.h"

#include "core/index/fusion/fusion.h"

static const Shape *leaf_of_operand(
    const Instruction *instruction, uint32_t operand, uint32_t leaf) {
  static const Shape generation = {.type = TYPE_pred};
  return instruction->operand_count == 0 ? &generation
                                         : shape_leaf(instruction->operands[operand]->shape, leaf);
}

/* An identity is canonical, unless the rules change single variables. */
static bool identity_maps(Indexer *indexer, const Instruction *instruction, uint32_t output_leaf,
    uint32_t operand, uint32_t operand_leaf, MapSet *maps) {
  if (indexer->simplifier != nullptr && !simplifier_keeps_variables(indexer->simplifier))
    return false;
  if (!operation_is_identity(instruction, output_leaf, operand, operand_leaf)) return false;
  const Shape *leaf = shape_leaf(instruction->shape, output_leaf);
  const Map **items = ARENA_NEW(indexer->context->arena, const Map *, 1);
  items[0] = map_identity(indexer->context, leaf->rank, leaf->sizes);
  *maps = (MapSet){.count = 1, .maps = items};
  return true;
}

/* Settles the raw maps in place, without those of no points. */
static bool settle_all(
    Indexer *indexer, const Instruction *instruction, IndexResult *raw, Error *error) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < raw->count; i++) {
    if (!settle(indexer, instruction, raw->items[i], &raw->items[kept], error)) return false;
    kept += raw->items[kept] != nullptr;
  }
  raw->count = kept;
  return true;
}

static bool plain_maps(Indexer *indexer, const Instruction *instruction, Direction direction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, MapSet *maps, Error *error) {
  IndexResult raw;
  if (!operation_maps_sized(indexer->context, instruction, direction, output_leaf, operand,
          operand_leaf, &raw, error) ||
      !settle_all(indexer, instruction, &raw, error))
    return false;
  IndexResult set = {.claim = raw.claim, .reason = raw.reason};
  const Shape *output = shape_leaf(instruction->shape, output_leaf);
  const Shape *input = leaf_of_operand(instruction, operand, operand_leaf);
  bool forward = direction == INPUT_TO_OUTPUT;
  for (uint32_t i = 0; i < raw.count && raw.count > 1; i++)
    set_add(indexer, &set, raw.items[i], forward ? input : output, forward ? output : input);
  if (raw.count <= 1) set = raw; /* nothing to compare */
  *maps = (MapSet){set.claim, set.reason, set.count, set.items};
  return true;
}

/* instruction_unbounded, computed once for all queries about one instruction: a tuple has as many
 * operands as a program has results. */
static const Instruction *index_unbounded(Indexer *indexer, const Instruction *instruction) {
  if (indexer->sized == instruction) return nullptr;
  const Instruction *unbounded = instruction_unbounded(instruction);
  if (unbounded == nullptr) indexer->sized = instruction;
  return unbounded;
}

bool index_is_bounded(Indexer *indexer, const Instruction *unbounded, MapSet *maps) {
  *maps = (MapSet){};
  if (unbounded == nullptr) return true;
  maps->claim = INDEX_UNDEFINED;
  maps->reason =
      arena_printf(indexer->context->arena, "a size of '%s' is not known", unbounded->name);
  return false;
}

static bool maps_of(Indexer *indexer, const Instruction *instruction, Direction direction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, MapSet *maps, Error *error) {
  if (!index_is_bounded(indexer, index_unbounded(indexer, instruction), maps)) return true;
  if (identity_maps(indexer, instruction, output_leaf, operand, operand_leaf, maps)) return true;
  bool calls = calls_computation(instruction) && operand < instruction->operand_count;
  if (!calls)
    return plain_maps(
        indexer, instruction, direction, output_leaf, operand, operand_leaf, maps, error);
  return call_maps(
      indexer, instruction, direction, output_leaf, operand, operand_leaf, maps, error);
}

bool index_output_to_input(Indexer *indexer, const Instruction *instruction, uint32_t output_leaf,
    uint32_t operand, uint32_t operand_leaf, MapSet *maps, Error *error) {
  return maps_of(
      indexer, instruction, OUTPUT_TO_INPUT, output_leaf, operand, operand_leaf, maps, error);
}

bool index_input_to_output(Indexer *indexer, const Instruction *instruction, uint32_t operand,
    uint32_t operand_leaf, uint32_t output_leaf, MapSet *maps, Error *error) {
  return maps_of(
      indexer, instruction, INPUT_TO_OUTPUT, output_leaf, operand, operand_leaf, maps, error);
}

static bool through_computation(Indexer *indexer, const Computation *computation,
    Direction direction, uint32_t output_leaf, uint32_t parameter, uint32_t parameter_leaf,
    MapSet *maps, Error *error) {
  if (!index_is_bounded(indexer, computation->unbounded, maps)) return true;
  if (parameter >= computation->parameter_count ||
      output_leaf >= shape_leaf_count(computation->root->shape) ||
      parameter_leaf >= shape_leaf_count(computation->parameters[parameter]->shape))
    return error_set(error, ERROR_INPUT, "%s: no output %u or parameter %u with leaf %u",
        computation->name, output_leaf, parameter, parameter_leaf);
  uint32_t global = parameter_leaf_start(computation, parameter) + parameter_leaf;
  bool forward = direction == INPUT_TO_OUTPUT;
  const MapSet *sets;
  if (!computation_maps(
          indexer, computation, direction, forward ? global : output_leaf, &sets, error))
    return false;
  *maps = sets[forward ? output_leaf : global];
  return true;
}

bool index_computation_output_to_input(Indexer *indexer, const Computation *computation,
    uint32_t output_leaf, uint32_t parameter, uint32_t parameter_leaf, MapSet *maps, Error *error) {
  return through_computation(
      indexer, computation, OUTPUT_TO_INPUT, output_leaf, parameter, parameter_leaf, maps, error);
}

bool index_computation_input_to_output(Indexer *indexer, const Computation *computation,
    uint32_t parameter, uint32_t parameter_leaf, uint32_t output_leaf, MapSet *maps, Error *error) {
  return through_computation(
      indexer, computation, INPUT_TO_OUTPUT, output_leaf, parameter, parameter_leaf, maps, error);
}
