/* Which values are computed and which are drawn. */
#include "oracle/evaluate/value_form.h"

#include <assert.h>

static bool is_integral_leaf(const Node *node) {
  return node->leaf_count == 1 && element_type_is_integral(node->leaves[0].shape->type);
}

static bool has_literal(const Node *node) {
  return is_integral_leaf(node) && node->instruction->literal.count == node->leaves[0].elements;
}

/* Floats are not computed: a comparison or conversion of one has a drawn value. */
static bool has_integral_operands(const Node *node) {
  bool all = is_integral_leaf(node) && node->operand_count > 0;
  for (uint32_t i = 0; i < node->operand_count; i++)
    all = all && is_integral_leaf(node->operands[i]);
  return all;
}

/* A bitcast passes values on where every element stays one element. */
static bool keeps_elements(const Node *node) {
  assert(node->operand_count == 1);
  const Leaf *in = &node->operands[0]->leaves[0], *out = &node->leaves[0];
  return has_integral_operands(node) &&
         element_type_bits(in->shape->type) == element_type_bits(out->shape->type);
}

ValueForm value_form(const Node *node) {
  switch (node->instruction->opcode) {
    case HLO_CONSTANT: return has_literal(node) ? VALUE_LITERAL : VALUE_DRAWN;
    case HLO_IOTA: return is_integral_leaf(node) ? VALUE_IOTA : VALUE_DRAWN;
    case HLO_ABS:
    case HLO_ADD:
    case HLO_AND:
    case HLO_CLAMP:
    case HLO_COMPARE:
    case HLO_CONVERT:
    case HLO_COUNT_LEADING_ZEROS:
    case HLO_DIVIDE:
    case HLO_MAXIMUM:
    case HLO_MINIMUM:
    case HLO_MULTIPLY:
    case HLO_NEGATE:
    case HLO_NOT:
    case HLO_OR:
    case HLO_POPCNT:
    case HLO_REMAINDER:
    case HLO_SELECT:
    case HLO_SHIFT_LEFT:
    case HLO_SHIFT_RIGHT_ARITHMETIC:
    case HLO_SHIFT_RIGHT_LOGICAL:
    case HLO_SIGN:
    case HLO_SUBTRACT:
    case HLO_XOR: return has_integral_operands(node) ? VALUE_COMPUTED : VALUE_DRAWN;
    case HLO_BITCAST:
    case HLO_BITCAST_CONVERT: return keeps_elements(node) ? VALUE_MOVED : VALUE_DRAWN;
    case HLO_COPY:
    case HLO_TUPLE:
    case HLO_GET_TUPLE_ELEMENT:
    case HLO_OPTIMIZATION_BARRIER:
    case HLO_DOMAIN:
    case HLO_ADD_DEPENDENCY:
    case HLO_COPY_START:
    case HLO_COPY_DONE:
    case HLO_BROADCAST:
    case HLO_TRANSPOSE:
    case HLO_REVERSE:
    case HLO_SLICE:
    case HLO_RESHAPE:
    case HLO_CONCATENATE:
    case HLO_PAD:
    case HLO_DYNAMIC_SLICE:
    case HLO_DYNAMIC_UPDATE_SLICE:
    case HLO_GATHER:
    case HLO_ASYNC_START:
    case HLO_ASYNC_UPDATE:
    case HLO_ASYNC_DONE: return VALUE_MOVED;
    case HLO_ACOS:
    case HLO_ACOSH:
    case HLO_ASIN:
    case HLO_ASINH:
    case HLO_ATAN2:
    case HLO_ATANH:
    case HLO_CBRT:
    case HLO_CEIL:
    case HLO_COMPLEX:
    case HLO_COSINE:
    case HLO_COSH:
    case HLO_ERF:
    case HLO_EXPONENTIAL:
    case HLO_EXPONENTIAL_MINUS_ONE:
    case HLO_FLOOR:
    case HLO_IMAG:
    case HLO_IS_FINITE:
    case HLO_LOG:
    case HLO_LOG_PLUS_ONE:
    case HLO_LOGISTIC:
    case HLO_POWER:
    case HLO_REAL:
    case HLO_REDUCE_PRECISION:
    case HLO_ROUND_NEAREST_AFZ:
    case HLO_ROUND_NEAREST_EVEN:
    case HLO_RSQRT:
    case HLO_SINE:
    case HLO_SINH:
    case HLO_SQRT:
    case HLO_STOCHASTIC_CONVERT:
    case HLO_TAN:
    case HLO_TANH:
    case HLO_MAP:
    case HLO_PARAMETER:
    case HLO_RNG:
    case HLO_RNG_BIT_GENERATOR:
    case HLO_RNG_GET_AND_UPDATE_STATE:
    case HLO_PARTITION_ID:
    case HLO_REPLICA_ID:
    case HLO_AFTER_ALL:
    case HLO_REDUCE:
    case HLO_REDUCE_WINDOW:
    case HLO_SELECT_AND_SCATTER:
    case HLO_SCAN:
    case HLO_DOT:
    case HLO_RAGGED_DOT:
    case HLO_SCALED_DOT:
    case HLO_CONVOLUTION:
    case HLO_SCATTER:
    case HLO_SORT:
    case HLO_TOPK:
    case HLO_CHOLESKY:
    case HLO_TRIANGULAR_SOLVE:
    case HLO_FFT:
    case HLO_FUSION:
    case HLO_CALL:
    case HLO_WHILE:
    case HLO_CONDITIONAL:
    case HLO_ALL_REDUCE:
    case HLO_ALL_REDUCE_START:
    case HLO_ALL_REDUCE_DONE:
    case HLO_REDUCE_SCATTER:
    case HLO_ALL_GATHER:
    case HLO_ALL_GATHER_START:
    case HLO_ALL_GATHER_DONE:
    case HLO_ALL_TO_ALL:
    case HLO_RAGGED_ALL_TO_ALL:
    case HLO_COLLECTIVE_PERMUTE:
    case HLO_COLLECTIVE_PERMUTE_START:
    case HLO_COLLECTIVE_PERMUTE_DONE:
    case HLO_COLLECTIVE_BROADCAST:
    case HLO_CUSTOM_CALL:
    case HLO_INFEED:
    case HLO_OUTFEED:
    case HLO_SEND:
    case HLO_SEND_DONE:
    case HLO_RECV:
    case HLO_RECV_DONE:
    case HLO_BATCH_NORM_TRAINING:
    case HLO_BATCH_NORM_INFERENCE:
    case HLO_BATCH_NORM_GRAD:
    case HLO_GET_DIMENSION_SIZE:
    case HLO_SET_DIMENSION_SIZE:
    case HLO_DYNAMIC_RESHAPE:
    case HLO_DYNAMIC_PAD: return VALUE_DRAWN;
  }
  return VALUE_DRAWN;
}

bool node_is_fixed(const Node *node) {
  ValueForm form = value_form(node);
  if (form == VALUE_DRAWN || node->is_input) return false;
  for (uint32_t i = 0; i < node->operand_count; i++)
    if (!node->operands[i]->is_fixed) return false;
  return form != VALUE_MOVED || node->operand_count > 0;
}

void index_operands(const Instruction *instruction, uint32_t *first, uint32_t *end) {
  *end = instruction->operand_count;
  *first = *end;
  if (instruction->opcode == HLO_DYNAMIC_SLICE || instruction->opcode == HLO_GATHER) *first = 1;
  if (instruction->opcode == HLO_DYNAMIC_UPDATE_SLICE || instruction->opcode == HLO_RAGGED_DOT)
    *first = 2;
  if (instruction->opcode == HLO_SCATTER) {
    *first = instruction->operand_count / 2;
    *end = *first + 1;
  }
}

void placed_operands(const Instruction *instruction, uint32_t *first, uint32_t *end) {
  *first = 0;
  *end = 0;
  if (instruction->opcode == HLO_DYNAMIC_SLICE || instruction->opcode == HLO_GATHER) *end = 1;
  if (instruction->opcode == HLO_DYNAMIC_UPDATE_SLICE || instruction->opcode == HLO_RAGGED_DOT)
    *end = 2;
  if (instruction->opcode == HLO_SCATTER) {
    *first = instruction->operand_count / 2 + 1;
    *end = instruction->operand_count;
  }
  assert(*first <= *end && *end <= instruction->operand_count);
}
