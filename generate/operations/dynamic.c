/* dynamic-slice and dynamic-update-slice: the sizes of the part, and for each dimension an offset
 * that is a parameter or a constant; or, with draws_offsets, an offset from the source of
 * operands. */
#include "generate/operations/operation.h"

typedef struct DynamicPart {
  Tensor sizes;
  bool is_constant[tensor_max_rank];
  int64_t constants[tensor_max_rank];
  Instruction *chosen[tensor_max_rank];
} DynamicPart;

/* Choice 0 is a parameter. Constants are -1 to the size, or only -1, 0 and the size. */
static void choose_offset(OperationCase *at_hand, uint32_t i, DynamicPart *part) {
  int64_t size = at_hand->in.sizes[i];
  uint64_t constants = at_hand->limits->all_offsets ? (uint64_t)size + 2 : 3,
           way = choose(at_hand->choices, 1 + constants);
  part->is_constant[i] = way > 0;
  part->constants[i] = at_hand->limits->all_offsets ? (int64_t)way - 2
                       : way == 1                   ? -1
                       : way == 2                   ? 0
                                                    : size;
}

static void choose_part(OperationCase *at_hand, GeneratedOperation id, DynamicPart *part) {
  part->sizes.rank = at_hand->in.rank;
  for (uint32_t i = 0; i < at_hand->in.rank; i++) {
    operation_join(at_hand, id, i, 0);
    int64_t size = at_hand->in.sizes[i];
    part->sizes.sizes[i] = size - choose_between(at_hand->choices, 0, size);
    if (!at_hand->limits->draws_offsets) choose_offset(at_hand, i, part);
    else part->chosen[i] = at_hand->source->offset(at_hand->source);
  }
}

static Instruction *offset_of(OperationCase *at_hand, const DynamicPart *part, uint32_t i) {
  OperandSource *source = at_hand->source;
  if (at_hand->limits->draws_offsets) return part->chosen[i];
  return part->is_constant[i] ? source->constants(source, &(Tensor){}, &part->constants[i])
                              : source->array(source, TYPE_s32, &(Tensor){});
}

static bool dynamic(OperationCase *at_hand, GeneratedOperation id, Opcode opcode) {
  DynamicPart part = {};
  Instruction *operands[2 + tensor_max_rank] = {at_hand->operand};
  uint32_t count = 1;
  bool is_update = opcode == HLO_DYNAMIC_UPDATE_SLICE;
  if (at_hand->in.rank == 0 && at_hand->limits->draws_offsets) return false;
  choose_part(at_hand, id, &part);
  at_hand->out = is_update ? at_hand->in : part.sizes;
  if (at_hand->builder == nullptr) return true;
  if (is_update)
    operands[count++] = at_hand->source->array(at_hand->source, at_hand->type, &part.sizes);
  for (uint32_t i = 0; i < at_hand->in.rank; i++) operands[count++] = offset_of(at_hand, &part, i);
  at_hand->result =
      is_update ? hlo_build_elementwise(at_hand->builder, opcode, count, operands)
                : hlo_build_dynamic_slice(at_hand->builder, count, operands, part.sizes.sizes);
  return true;
}

bool generate_dynamic_slice(OperationCase *at_hand) {
  return dynamic(at_hand, GENERATED_dynamic_slice, HLO_DYNAMIC_SLICE);
}
bool generate_dynamic_update_slice(OperationCase *at_hand) {
  return dynamic(at_hand, GENERATED_dynamic_update_slice, HLO_DYNAMIC_UPDATE_SLICE);
}
