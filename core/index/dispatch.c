/* Dispatches an opcode to its family. An instruction without operands counts as one with a scalar
 * operand, so that the maps of iota and constant can be queried too. Ranks above 1,000 are
 * rejected. */
#include "core/index/dispatch.h"

#include "core/index/fusion/inverse.h"
#include "core/index/ops/structure.h"

static constexpr uint32_t max_rank = 1000;

static OperationReads *const reads[opcode_group_count] = {
#define GROUP(group, family) reads_##group,
#include "core/hlo/opcodes.def"
#undef GROUP
};

/* Input to output, for groups where it is not computed as the inverse relation of `reads`. */
static OperationReads *const reached[opcode_group_count] = {
    [GROUP_bitcast] = reached_bitcast,
    [GROUP_reshape] = reached_reshape,
};

bool calls_computation(const Instruction *instruction) {
  Opcode opcode = instruction->opcode;
  bool calls =
      opcode == HLO_FUSION || opcode == HLO_CALL || opcode == HLO_ASYNC_START || opcode == HLO_MAP;
  return calls && instruction->called_count == 1;
}

static bool inverse_all(const IndexQuery *query, IndexResult *answer, Error *error) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < answer->count; i++) {
    const Map *inverse;
    if (!map_inverse_relation(query->context, answer->items[i], query->input, &inverse, error))
      return false;
    if (inverse != nullptr) answer->items[kept++] = inverse;
  }
  answer->count = kept;
  return true;
}

static bool answer_query(
    const IndexQuery *query, Direction direction, IndexResult *answer, Error *error) {
  OpcodeGroup group = opcode_group(query->instruction->opcode);
  if (direction == OUTPUT_TO_INPUT) return reads[group](query, answer, error);
  if (reached[group] != nullptr) return reached[group](query, answer, error);
  return reads[group](query, answer, error) && inverse_all(query, answer, error);
}

/* The leaf of the operand's shape, or nullptr if it does not exist; a scalar for an instruction
 * without operands. */
static const Shape *operand_leaf_shape(
    const Instruction *instruction, uint32_t operand, uint32_t operand_leaf) {
  static const Shape generation = {.type = TYPE_pred};
  if (instruction->operand_count == 0)
    return operand == 0 && operand_leaf == 0 ? &generation : nullptr;
  if (operand >= instruction->operand_count) return nullptr;
  const Shape *shape = instruction->operands[operand]->shape;
  return operand_leaf < shape_leaf_count(shape) ? shape_leaf(shape, operand_leaf) : nullptr;
}

static bool has_elements(const Shape *leaf) {
  return shape_is_array(leaf) && shape_elements(leaf) > 0;
}

/* True if the family's function may return the identity for these leaves. */
static bool keeps_positions(
    const Instruction *instruction, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf) {
  if (opcode_group(instruction->opcode) == GROUP_elementwise) return true;
  return reads[opcode_group(instruction->opcode)] == reads_structure &&
         structure_connects(instruction, output_leaf, operand, operand_leaf);
}

bool operation_is_identity(
    const Instruction *instruction, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf) {
  if (operand >= instruction->operand_count ||
      !keeps_positions(instruction, output_leaf, operand, operand_leaf))
    return false;
  const Shape *input = operand_leaf_shape(instruction, operand, operand_leaf);
  if (input == nullptr || output_leaf >= shape_leaf_count(instruction->shape)) return false;
  const Shape *output = shape_leaf(instruction->shape, output_leaf);
  return shape_is_array(input) && shape_is_array(output) && shape_same_sizes(input, output) &&
         has_elements(output) && output->rank <= max_rank;
}

bool operation_maps_sized(MapContext *context, const Instruction *instruction, Direction direction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, IndexResult *answer,
    Error *error) {
  *answer = (IndexResult){};
  IndexQuery query = {.context = context,
      .instruction = instruction,
      .output_leaf = output_leaf,
      .operand = operand,
      .operand_leaf = operand_leaf};
  query.input = operand_leaf_shape(instruction, operand, operand_leaf);
  if (query.input == nullptr || output_leaf >= shape_leaf_count(instruction->shape))
    return error_set(error, ERROR_INPUT, "%s: no output %u or operand %u with leaf %u",
        instruction->name, output_leaf, operand, operand_leaf);
  query.output = shape_leaf(instruction->shape, output_leaf);
  if (!has_elements(query.output) || !has_elements(query.input)) return true;
  if (query.output->rank > max_rank || query.input->rank > max_rank)
    return error_set(
        error, ERROR_LIMIT, "%s: more than %u dimensions", instruction->name, max_rank);
  Error inner;
  error_clear(&inner);
  return answer_query(&query, direction, answer, &inner) ||
         error_of_instruction(instruction, &inner, error);
}

bool operation_maps(MapContext *context, const Instruction *instruction, Direction direction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, IndexResult *answer,
    Error *error) {
  bool exists = operand_leaf_shape(instruction, operand, operand_leaf) != nullptr &&
                output_leaf < shape_leaf_count(instruction->shape);
  if (!exists || instruction_unbounded(instruction) == nullptr)
    return operation_maps_sized(
        context, instruction, direction, output_leaf, operand, operand_leaf, answer, error);
  *answer = (IndexResult){};
  answer_claim(answer, INDEX_UNDEFINED, "a size that is not known");
  return true;
}
