/* Which semantics an opcode has; a new opcode does not build until it stands here. */
#include "smt/semantics/hlo_reading.h"

#include <assert.h>

bool reading_lacks(Reading *reading, const char *why) {
  reading->lacking = why;
  return false;
}

const Shape *operand_leaf_shape(const Reading *reading, uint32_t operand, uint32_t leaf) {
  assert(operand < reading->instruction->operand_count);
  return shape_leaf(reading->instruction->operands[operand]->shape, leaf);
}

Access *reading_access(Reading *reading, uint32_t operand, uint32_t leaf) {
  Sums *sums = reading->sums;
  Access *access = ARENA_NEW(sums->arena, Access, 1);
  access->operand = operand;
  access->leaf = leaf;
  access->rank = operand_leaf_shape(reading, operand, leaf)->rank;
  access->element = ARENA_NEW(sums->arena, Sum, access->rank);
  *ARENA_PUSH(sums->arena, &reading->accesses) = access;
  return access;
}

void reading_lacks_operand(Reading *reading, uint32_t operand, const char *why) {
  reading_access(reading, operand, 0)->lacking = why;
}

Access *reading_all(Reading *reading, uint32_t operand) {
  return reading_all_of_leaf(reading, operand, 0);
}

Access *reading_all_of_leaf(Reading *reading, uint32_t operand, uint32_t leaf) {
  Access *access = reading_access(reading, operand, leaf);
  const Shape *shape = operand_leaf_shape(reading, operand, leaf);
  for (uint32_t i = 0; i < access->rank; i++)
    access->element[i] =
        piece_hidden(reading->sums, &access->piece, "any", 0, (Wide)shape->sizes[i] - 1);
  return access;
}

bool reading_finds(Ints list, int64_t value, uint32_t *at) {
  for (*at = 0; *at < list.count; ++*at)
    if (list.values[*at] == value) return true;
  return false;
}

void reading_identity(Reading *reading, uint32_t operand, uint32_t leaf) {
  Access *access = reading_access(reading, operand, leaf);
  assert(access->rank == reading->shape->rank);
  for (uint32_t i = 0; i < access->rank; i++) access->element[i] = reading->index[i];
}

void reading_scalar(Reading *reading, uint32_t operand) {
  const Access *access = reading_access(reading, operand, 0);
  assert(access->rank == 0);
  (void)access;
}

Sum sum_plus(Sums *sums, Sum sum, Wide constant) {
  return sum_add(sums, sum, sum_of_constant(sums, constant));
}

Sum position_of(
    Sums *sums, uint32_t rank, const int64_t *sizes, const uint32_t *order, const Sum *index) {
  Sum position = sum_of_constant(sums, 0);
  Wide stride = 1;
  for (uint32_t i = 0; i < rank; i++) {
    position = sum_add(sums, position, sum_scale(sums, index[order[i]], stride));
    stride *= sizes[order[i]];
  }
  return position;
}

/* A dimension without elements has no index; whoever asks has none to ask about. */
void index_at(Sums *sums, uint32_t rank, const int64_t *sizes, const uint32_t *order, Sum position,
    Sum *index) {
  for (uint32_t i = 0; i < rank; i++) {
    Wide size = sizes[order[i]] > 0 ? sizes[order[i]] : 1;
    index[order[i]] = i + 1 < rank ? sum_mod(sums, position, size) : position;
    position = sum_floordiv(sums, position, size);
  }
}

bool hlo_accesses(Reading *reading) {
  switch (reading->instruction->opcode) {
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
    case HLO_XOR: return reads_of_elementwise(reading);
    case HLO_CONSTANT:
    case HLO_IOTA:
    case HLO_PARAMETER:
    case HLO_PARTITION_ID:
    case HLO_REPLICA_ID:
    case HLO_RNG_GET_AND_UPDATE_STATE: return true;
    case HLO_RNG: {
      for (uint32_t i = 0; i < reading->instruction->operand_count; i++) reading_all(reading, i);
      return true;
    }
    case HLO_AFTER_ALL:
    case HLO_TUPLE:
    case HLO_GET_TUPLE_ELEMENT:
    case HLO_OPTIMIZATION_BARRIER:
    case HLO_DOMAIN:
    case HLO_ADD_DEPENDENCY:
    case HLO_COPY:
    case HLO_COPY_START:
    case HLO_COPY_DONE:
    case HLO_ASYNC_UPDATE:
    case HLO_ASYNC_DONE:
    case HLO_ALL_REDUCE_DONE:
    case HLO_ALL_GATHER_DONE:
    case HLO_COLLECTIVE_PERMUTE_DONE: return reads_of_structure(reading);
    case HLO_BITCAST: return reads_of_bitcast(reading);
    case HLO_BITCAST_CONVERT: return reads_of_bitcast_convert(reading);
    case HLO_BROADCAST: return reads_of_broadcast(reading);
    case HLO_TRANSPOSE: return reads_of_transpose(reading);
    case HLO_REVERSE: return reads_of_reverse(reading);
    case HLO_SLICE: return reads_of_slice(reading);
    case HLO_RESHAPE: return reads_of_reshape(reading);
    case HLO_CONCATENATE: return reads_of_concatenate(reading);
    case HLO_PAD: return reads_of_pad(reading);
    case HLO_REDUCE: return reads_of_reduce(reading);
    case HLO_REDUCE_WINDOW: return reads_of_reduce_window(reading);
    case HLO_SELECT_AND_SCATTER: return reads_of_select_and_scatter(reading);
    case HLO_SCAN: return reads_of_scan(reading);
    case HLO_DOT: return reads_of_dot(reading);
    case HLO_RAGGED_DOT: return reads_of_ragged_dot(reading);
    case HLO_SCALED_DOT: return reads_of_scaled_dot(reading);
    case HLO_CONVOLUTION: return reads_of_convolution(reading);
    case HLO_BATCH_NORM_TRAINING:
    case HLO_BATCH_NORM_INFERENCE:
    case HLO_BATCH_NORM_GRAD: return reads_of_batch_norm(reading);
    case HLO_DYNAMIC_SLICE: return reads_of_dynamic_slice(reading);
    case HLO_DYNAMIC_UPDATE_SLICE: return reads_of_dynamic_update_slice(reading);
    case HLO_GATHER: return reads_of_gather(reading);
    case HLO_SCATTER: return reads_of_scatter(reading);
    case HLO_SORT: return reads_of_sort(reading);
    case HLO_TOPK: return reads_of_topk(reading);
    case HLO_CHOLESKY: return reads_of_cholesky(reading);
    case HLO_TRIANGULAR_SOLVE: return reads_of_triangular_solve(reading);
    case HLO_FFT: return reads_of_fft(reading);
    case HLO_MAP:
    case HLO_FUSION:
    case HLO_CALL:
    case HLO_ASYNC_START: return reading_lacks(reading, "read through its body");
    case HLO_WHILE:
    case HLO_CONDITIONAL:
      return reading_lacks(reading, "what it reads depends on how often or which body runs");
    case HLO_ALL_REDUCE:
    case HLO_ALL_REDUCE_START:
    case HLO_REDUCE_SCATTER:
    case HLO_ALL_GATHER:
    case HLO_ALL_GATHER_START:
    case HLO_ALL_TO_ALL:
    case HLO_COLLECTIVE_PERMUTE:
    case HLO_COLLECTIVE_PERMUTE_START:
    case HLO_COLLECTIVE_BROADCAST: return reads_of_collective(reading);
    case HLO_RAGGED_ALL_TO_ALL:
      return reading_lacks(
          reading, "which elements move depends on offsets and sizes of other devices");
    case HLO_RNG_BIT_GENERATOR:
      return reading_lacks(
          reading, "which words of the state a number is made of is the algorithm's own");
    case HLO_CUSTOM_CALL: return reading_lacks(reading, "its target alone knows what it reads");
    case HLO_INFEED:
    case HLO_OUTFEED:
    case HLO_SEND:
    case HLO_SEND_DONE:
    case HLO_RECV:
    case HLO_RECV_DONE: return reading_lacks(reading, "data that enters or leaves the program");
    case HLO_GET_DIMENSION_SIZE:
    case HLO_SET_DIMENSION_SIZE:
    case HLO_DYNAMIC_RESHAPE:
    case HLO_DYNAMIC_PAD:
      return reading_lacks(
          reading, "a size that is known at run time alone decides where elements stand");
  }
  unreachable();
}
