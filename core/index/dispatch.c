/* From an opcode to its family. An instruction without operands has one operand for this purpose, a
 * scalar that stands for its generation, so that the maps of iota and constant can be asked for as
 * well. Ranks past 1,000 are refused. */
#include "core/index/dispatch.h"

#include <assert.h>

#include "core/index/fusion/converse.h"

static constexpr uint32_t max_rank = 1000;

typedef struct Family {
  Reads *reads;   /* output to input */
  Reads *reached; /* input to output; nullptr: the converse of reads */
} Family;

static Family family_of(Opcode opcode) {
  switch (opcode) {
    case HLO_ABS:
    case HLO_ACOS:
    case HLO_ACOSH:
    case HLO_ADD:
    case HLO_AND:
    case HLO_ASIN:
    case HLO_ASINH:
    case HLO_ATAN2:
    case HLO_ATANH:
    case HLO_CBRT:
    case HLO_CEIL:
    case HLO_CLAMP:
    case HLO_COUNT_LEADING_ZEROS:
    case HLO_COMPARE:
    case HLO_COMPLEX:
    case HLO_CONVERT:
    case HLO_COSINE:
    case HLO_COSH:
    case HLO_DIVIDE:
    case HLO_ERF:
    case HLO_EXPONENTIAL:
    case HLO_EXPONENTIAL_MINUS_ONE:
    case HLO_FLOOR:
    case HLO_IMAG:
    case HLO_IS_FINITE:
    case HLO_LOG:
    case HLO_LOG_PLUS_ONE:
    case HLO_LOGISTIC:
    case HLO_MAXIMUM:
    case HLO_MINIMUM:
    case HLO_MULTIPLY:
    case HLO_NEGATE:
    case HLO_NOT:
    case HLO_OR:
    case HLO_POPCNT:
    case HLO_POWER:
    case HLO_REAL:
    case HLO_REDUCE_PRECISION:
    case HLO_REMAINDER:
    case HLO_ROUND_NEAREST_AFZ:
    case HLO_ROUND_NEAREST_EVEN:
    case HLO_RSQRT:
    case HLO_SELECT:
    case HLO_SHIFT_LEFT:
    case HLO_SHIFT_RIGHT_ARITHMETIC:
    case HLO_SHIFT_RIGHT_LOGICAL:
    case HLO_SIGN:
    case HLO_SINE:
    case HLO_SINH:
    case HLO_SQRT:
    case HLO_STOCHASTIC_CONVERT:
    case HLO_SUBTRACT:
    case HLO_TAN:
    case HLO_TANH:
    case HLO_XOR:
    case HLO_MAP: return (Family){.reads = reads_elementwise};
    case HLO_CONSTANT:
    case HLO_IOTA:
    case HLO_PARAMETER:
    case HLO_RNG:
    case HLO_RNG_GET_AND_UPDATE_STATE:
    case HLO_PARTITION_ID:
    case HLO_REPLICA_ID: return (Family){.reads = reads_source};
    case HLO_COPY:
    case HLO_AFTER_ALL:
    case HLO_TUPLE:
    case HLO_GET_TUPLE_ELEMENT:
    case HLO_OPTIMIZATION_BARRIER:
    case HLO_DOMAIN:
    case HLO_ADD_DEPENDENCY:
    case HLO_COPY_START:
    case HLO_COPY_DONE:
    case HLO_ASYNC_UPDATE:
    case HLO_ASYNC_DONE:
    case HLO_ALL_REDUCE_DONE:
    case HLO_ALL_GATHER_DONE:
    case HLO_COLLECTIVE_PERMUTE_DONE: return (Family){.reads = reads_structure};
    case HLO_BITCAST: return (Family){reads_bitcast, reached_bitcast};
    case HLO_BITCAST_CONVERT: return (Family){.reads = reads_bitcast_convert};
    case HLO_BROADCAST: return (Family){.reads = reads_broadcast};
    case HLO_TRANSPOSE: return (Family){.reads = reads_transpose};
    case HLO_REVERSE: return (Family){.reads = reads_reverse};
    case HLO_SLICE: return (Family){.reads = reads_slice};
    case HLO_RESHAPE: return (Family){reads_reshape, reached_reshape};
    case HLO_CONCATENATE: return (Family){.reads = reads_concatenate};
    case HLO_PAD: return (Family){.reads = reads_pad};
    case HLO_REDUCE: return (Family){.reads = reads_reduce};
    case HLO_REDUCE_WINDOW: return (Family){.reads = reads_reduce_window};
    case HLO_SELECT_AND_SCATTER: return (Family){.reads = reads_select_and_scatter};
    case HLO_SCAN: return (Family){.reads = reads_scan};
    case HLO_DOT: return (Family){.reads = reads_dot};
    case HLO_RAGGED_DOT: return (Family){.reads = reads_ragged_dot};
    case HLO_SCALED_DOT: return (Family){.reads = reads_scaled_dot};
    case HLO_CONVOLUTION: return (Family){.reads = reads_convolution};
    case HLO_DYNAMIC_SLICE: return (Family){.reads = reads_dynamic_slice};
    case HLO_DYNAMIC_UPDATE_SLICE: return (Family){.reads = reads_dynamic_update_slice};
    case HLO_GATHER: return (Family){.reads = reads_gather};
    case HLO_SCATTER: return (Family){.reads = reads_scatter};
    case HLO_SORT:
    case HLO_TOPK: return (Family){.reads = reads_order};
    case HLO_CHOLESKY: return (Family){.reads = reads_cholesky};
    case HLO_TRIANGULAR_SOLVE: return (Family){.reads = reads_triangular_solve};
    case HLO_FFT: return (Family){.reads = reads_fft};
    case HLO_BATCH_NORM_TRAINING:
    case HLO_BATCH_NORM_INFERENCE:
    case HLO_BATCH_NORM_GRAD: return (Family){.reads = reads_batch_norm};
    case HLO_WHILE:
    case HLO_CONDITIONAL: return (Family){.reads = reads_boundary};
    case HLO_ALL_REDUCE:
    case HLO_ALL_REDUCE_START:
    case HLO_REDUCE_SCATTER:
    case HLO_ALL_GATHER:
    case HLO_ALL_GATHER_START:
    case HLO_ALL_TO_ALL:
    case HLO_RAGGED_ALL_TO_ALL:
    case HLO_COLLECTIVE_PERMUTE:
    case HLO_COLLECTIVE_PERMUTE_START:
    case HLO_COLLECTIVE_BROADCAST: return (Family){.reads = reads_collective};
    case HLO_FUSION:
    case HLO_CALL:
    case HLO_ASYNC_START:
    case HLO_RNG_BIT_GENERATOR:
    case HLO_CUSTOM_CALL:
    case HLO_INFEED:
    case HLO_OUTFEED:
    case HLO_SEND:
    case HLO_SEND_DONE:
    case HLO_RECV:
    case HLO_RECV_DONE:
    case HLO_GET_DIMENSION_SIZE:
    case HLO_SET_DIMENSION_SIZE:
    case HLO_DYNAMIC_RESHAPE:
    case HLO_DYNAMIC_PAD: return (Family){.reads = reads_nothing_known};
  }
  return (Family){.reads = reads_nothing_known};
}

bool calls_computation(const Instruction *instruction) {
  Opcode opcode = instruction->opcode;
  bool calls =
      opcode == HLO_FUSION || opcode == HLO_CALL || opcode == HLO_ASYNC_START || opcode == HLO_MAP;
  return calls && instruction->called_count == 1;
}

bool error_of_instruction(const Instruction *instruction, const Error *inner, Error *error) {
  return error_set(error, inner->kind, "%s: %s", instruction->name, inner->message);
}

static bool converse_all(const Ask *ask, Answer *answer, Error *error) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < answer->count; i++) {
    const Map *turned;
    if (!map_converse(ask->context, answer->items[i], ask->input, &turned, error)) return false;
    if (turned != nullptr) answer->items[kept++] = turned;
  }
  answer->count = kept;
  return true;
}

static bool answer_ask(const Ask *ask, Direction direction, Answer *answer, Error *error) {
  Family family = family_of(ask->instruction->opcode);
  if (direction == OUTPUT_TO_INPUT) return family.reads(ask, answer, error);
  if (family.reached != nullptr) return family.reached(ask, answer, error);
  return family.reads(ask, answer, error) && converse_all(ask, answer, error);
}

/* The operand's shape; that of an instruction without operands is a scalar. */
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

bool operation_maps(MapContext *context, const Instruction *instruction, Direction direction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, Answer *answer, Error *error) {
  *answer = (Answer){};
  Ask ask = {.context = context,
      .instruction = instruction,
      .output_leaf = output_leaf,
      .operand = operand,
      .operand_leaf = operand_leaf};
  ask.input = operand_leaf_shape(instruction, operand, operand_leaf);
  if (ask.input == nullptr || output_leaf >= shape_leaf_count(instruction->shape))
    return error_set(error, ERROR_INPUT, "%s: no output %u or operand %u with leaf %u",
        instruction->name, output_leaf, operand, operand_leaf);
  ask.output = shape_leaf(instruction->shape, output_leaf);
  if (!has_elements(ask.output) || !has_elements(ask.input)) return true;
  if (ask.output->rank > max_rank || ask.input->rank > max_rank)
    return error_set(
        error, ERROR_LIMIT, "%s: more than %u dimensions", instruction->name, max_rank);
  Error inner = {};
  return answer_ask(&ask, direction, answer, &inner) ||
         error_of_instruction(instruction, &inner, error);
}
