/* Classifies values as computed or chosen. */
#include "oracle/evaluate/value_form.h"

#include <assert.h>

static bool is_integral_leaf(const Node *node) {
  return node->leaf_count == 1 && element_type_is_integral(node->leaves[0].shape->type);
}

static bool has_literal(const Node *node) {
  return is_integral_leaf(node) && node->instruction->literal.count == node->leaves[0].elements;
}

/* Floats are not computed: a comparison or conversion of a float has a chosen value. */
static bool has_integral_operands(const Node *node) {
  bool all = is_integral_leaf(node) && node->operand_count > 0;
  for (uint32_t i = 0; i < node->operand_count; i++)
    all = all && is_integral_leaf(node->operands[i]);
  return all;
}

/* A bitcast passes values on if every element stays one element. */
static bool keeps_elements(const Node *node) {
  assert(node->operand_count == 1);
  const Leaf *in = &node->operands[0]->leaves[0], *out = &node->leaves[0];
  return node->leaf_count == 1 && has_integral_operands(node) &&
         element_type_bits(in->shape->type) == element_type_bits(out->shape->type);
}

/* Values of opcodes without a row are chosen. */
static const ValueForm forms[opcode_count] = {
    [HLO_CONSTANT] = VALUE_LITERAL,
    [HLO_IOTA] = VALUE_IOTA,
    [HLO_ABS] = VALUE_COMPUTED,
    [HLO_ADD] = VALUE_COMPUTED,
    [HLO_AND] = VALUE_COMPUTED,
    [HLO_CLAMP] = VALUE_COMPUTED,
    [HLO_COMPARE] = VALUE_COMPUTED,
    [HLO_CONVERT] = VALUE_COMPUTED,
    [HLO_COUNT_LEADING_ZEROS] = VALUE_COMPUTED,
    [HLO_DIVIDE] = VALUE_COMPUTED,
    [HLO_MAXIMUM] = VALUE_COMPUTED,
    [HLO_MINIMUM] = VALUE_COMPUTED,
    [HLO_MULTIPLY] = VALUE_COMPUTED,
    [HLO_NEGATE] = VALUE_COMPUTED,
    [HLO_NOT] = VALUE_COMPUTED,
    [HLO_OR] = VALUE_COMPUTED,
    [HLO_POPCNT] = VALUE_COMPUTED,
    [HLO_REMAINDER] = VALUE_COMPUTED,
    [HLO_SELECT] = VALUE_COMPUTED,
    [HLO_SHIFT_LEFT] = VALUE_COMPUTED,
    [HLO_SHIFT_RIGHT_ARITHMETIC] = VALUE_COMPUTED,
    [HLO_SHIFT_RIGHT_LOGICAL] = VALUE_COMPUTED,
    [HLO_SIGN] = VALUE_COMPUTED,
    [HLO_SUBTRACT] = VALUE_COMPUTED,
    [HLO_XOR] = VALUE_COMPUTED,
    [HLO_BITCAST] = VALUE_MOVED,
    [HLO_BITCAST_CONVERT] = VALUE_MOVED,
    [HLO_COPY] = VALUE_MOVED,
    [HLO_TUPLE] = VALUE_MOVED,
    [HLO_GET_TUPLE_ELEMENT] = VALUE_MOVED,
    [HLO_OPTIMIZATION_BARRIER] = VALUE_MOVED,
    [HLO_DOMAIN] = VALUE_MOVED,
    [HLO_ADD_DEPENDENCY] = VALUE_MOVED,
    [HLO_COPY_START] = VALUE_MOVED,
    [HLO_COPY_DONE] = VALUE_MOVED,
    [HLO_BROADCAST] = VALUE_MOVED,
    [HLO_TRANSPOSE] = VALUE_MOVED,
    [HLO_REVERSE] = VALUE_MOVED,
    [HLO_SLICE] = VALUE_MOVED,
    [HLO_RESHAPE] = VALUE_MOVED,
    [HLO_CONCATENATE] = VALUE_MOVED,
    [HLO_PAD] = VALUE_MOVED,
    [HLO_DYNAMIC_SLICE] = VALUE_MOVED,
    [HLO_DYNAMIC_UPDATE_SLICE] = VALUE_MOVED,
    [HLO_GATHER] = VALUE_MOVED,
    [HLO_ASYNC_START] = VALUE_MOVED,
    [HLO_ASYNC_UPDATE] = VALUE_MOVED,
    [HLO_ASYNC_DONE] = VALUE_MOVED,
};
static_assert(VALUE_CHOSEN == 0, "what no row names is chosen");

static bool is_known(const Node *node, ValueForm form) {
  if (form == VALUE_LITERAL) return has_literal(node);
  if (form == VALUE_IOTA) return is_integral_leaf(node);
  if (form == VALUE_COMPUTED) return has_integral_operands(node);
  OpcodeGroup group = opcode_group(node->instruction->opcode);
  return (group != GROUP_bitcast && group != GROUP_bitcast_convert) || keeps_elements(node);
}

ValueForm value_form(const Node *node) {
  ValueForm form = forms[node->instruction->opcode];
  return form != VALUE_CHOSEN && is_known(node, form) ? form : VALUE_CHOSEN;
}

bool node_is_fixed(const Node *node) {
  ValueForm form = value_form(node);
  if (form == VALUE_CHOSEN || node->is_input) return false;
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
