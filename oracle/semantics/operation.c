/* From an opcode to the function that says what it reads. The switch lists every opcode: a new row
 * of the table does not build until its semantics are written here, or it is said that they are
 * not. */
#include "oracle/semantics/reading.h"

bool read_unsupported(Reading *reading) {
  const Instruction *instruction = reading->node->instruction;
  return refuse(reading->refusal, ORACLE_UNSUPPORTED, "the oracle has no semantics for %s ('%s')",
      opcode_name(instruction->opcode), instruction->name);
}

bool read_unknowable(Reading *reading, const char *reason) {
  assert(reason[0] != '\0');
  const Instruction *instruction = reading->node->instruction;
  return refuse(reading->refusal, ORACLE_UNSUPPORTED, "what %s '%s' reads is unknown: %s",
      opcode_name(instruction->opcode), instruction->name, reason);
}

static bool dispatch(Reading *reading) {
  switch (reading->node->instruction->opcode) {
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
    case HLO_XOR: return read_elementwise(reading);
    case HLO_MAP: return read_map(reading);
    case HLO_CONSTANT:
    case HLO_IOTA:
    case HLO_PARAMETER:
    case HLO_RNG_GET_AND_UPDATE_STATE:
    case HLO_PARTITION_ID:
    case HLO_REPLICA_ID:
    case HLO_AFTER_ALL:
    case HLO_GET_DIMENSION_SIZE: return true;
    case HLO_RNG: return read_rng(reading);
    case HLO_TUPLE:
    case HLO_GET_TUPLE_ELEMENT:
    case HLO_OPTIMIZATION_BARRIER:
    case HLO_DOMAIN:
    case HLO_ADD_DEPENDENCY:
    case HLO_COPY:
    case HLO_COPY_START:
    case HLO_COPY_DONE:
    case HLO_ASYNC_START:
    case HLO_ASYNC_UPDATE:
    case HLO_ASYNC_DONE:
    case HLO_ALL_REDUCE_DONE:
    case HLO_ALL_GATHER_DONE:
    case HLO_COLLECTIVE_PERMUTE_DONE: return read_structure(reading);
    case HLO_BITCAST: return read_bitcast(reading);
    case HLO_BITCAST_CONVERT: return read_bitcast_convert(reading);
    case HLO_BROADCAST: return read_broadcast(reading);
    case HLO_TRANSPOSE: return read_transpose(reading);
    case HLO_REVERSE: return read_reverse(reading);
    case HLO_SLICE: return read_slice(reading);
    case HLO_RESHAPE: return read_reshape(reading);
    case HLO_CONCATENATE: return read_concatenate(reading);
    case HLO_PAD: return read_pad(reading);
    case HLO_REDUCE: return read_reduce(reading);
    case HLO_REDUCE_WINDOW: return read_reduce_window(reading);
    case HLO_SELECT_AND_SCATTER: return read_select_and_scatter(reading);
    case HLO_SCAN: return read_scan(reading);
    case HLO_DOT: return read_dot(reading);
    case HLO_RAGGED_DOT: return read_ragged_dot(reading);
    case HLO_SCALED_DOT: return read_scaled_dot(reading);
    case HLO_CONVOLUTION: return read_convolution(reading);
    case HLO_DYNAMIC_SLICE: return read_dynamic_slice(reading);
    case HLO_DYNAMIC_UPDATE_SLICE: return read_dynamic_update_slice(reading);
    case HLO_GATHER: return read_gather(reading);
    case HLO_SCATTER: return read_scatter(reading);
    case HLO_SORT: return read_sort(reading);
    case HLO_TOPK: return read_topk(reading);
    case HLO_CHOLESKY: return read_cholesky(reading);
    case HLO_TRIANGULAR_SOLVE: return read_triangular_solve(reading);
    case HLO_FFT: return read_fft(reading);
    case HLO_WHILE: return read_while(reading);
    case HLO_CONDITIONAL: return read_conditional(reading);
    case HLO_ALL_REDUCE:
    case HLO_ALL_REDUCE_START:
    case HLO_COLLECTIVE_BROADCAST: return read_all_reduce(reading);
    case HLO_REDUCE_SCATTER: return read_reduce_scatter(reading);
    case HLO_ALL_GATHER: return read_all_gather(reading);
    case HLO_ALL_GATHER_START: return read_all_gather_start(reading);
    case HLO_ALL_TO_ALL: return read_all_to_all(reading);
    case HLO_COLLECTIVE_PERMUTE: return read_collective_permute(reading);
    case HLO_COLLECTIVE_PERMUTE_START: return read_collective_permute_start(reading);
    case HLO_BATCH_NORM_TRAINING: return read_batch_norm_training(reading);
    case HLO_BATCH_NORM_INFERENCE: return read_batch_norm_inference(reading);
    case HLO_BATCH_NORM_GRAD: return read_batch_norm_grad(reading);
    case HLO_CUSTOM_CALL: return read_unknowable(reading, "what it computes is not in the text");
    case HLO_RNG_BIT_GENERATOR:
      return read_unknowable(
          reading, "the algorithm decides which words of the state a number uses");
    case HLO_RAGGED_ALL_TO_ALL:
      return read_unknowable(reading, "sizes and offsets on other devices decide");
    case HLO_INFEED:
    case HLO_OUTFEED:
    case HLO_SEND:
    case HLO_SEND_DONE:
    case HLO_RECV:
    case HLO_RECV_DONE:
      return read_unknowable(reading, "the other side of the transfer is not in the module");
    case HLO_SET_DIMENSION_SIZE:
    case HLO_DYNAMIC_RESHAPE:
    case HLO_DYNAMIC_PAD:
      return read_unknowable(reading, "sizes that are values decide which elements exist");
    case HLO_FUSION:
    case HLO_CALL: return read_unsupported(reading);
  }
  return read_unsupported(reading);
}

bool read_operation(
    Reading *reading, const Node *node, uint32_t leaf, int64_t element, const int64_t *at) {
  assert(!node->is_input && leaf < node->leaf_count && element >= 0 &&
         element < node->leaves[leaf].elements);
  reading->count = 0;
  reading->scratch_used = 0;
  reading->node = node;
  reading->leaf = leaf;
  reading->element = element;
  reading->at = at;
  return dispatch(reading);
}
