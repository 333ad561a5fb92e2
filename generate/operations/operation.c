/* The keys of the joins, and a computation that several generators call. */
#include "generate/operations/operation.h"

static ChoiceKey key_of(uint32_t operation, const Tensor *in, uint32_t from, uint64_t state) {
  ChoiceKey key = {4, {operation, from, state, in->rank}};
  for (uint32_t i = from; i < in->rank; i++) choice_key_add(&key, (uint64_t)in->sizes[i]);
  return key;
}

ChoiceKey operation_key(uint32_t operation, const Tensor *in) {
  return key_of(operation, in, 0, UINT64_MAX);
}

void operation_join(
    const OperationCase *at_hand, uint32_t operation, uint32_t from, uint64_t state) {
  ChoiceKey key = key_of(operation, &at_hand->in, from, state);
  choices_join(at_hand->choices, &key);
}

void operation_join_tensor(const OperationCase *at_hand, uint32_t operation, const Tensor *tensor) {
  ChoiceKey key = key_of(operation, tensor, 0, UINT64_MAX - 1);
  choices_join(at_hand->choices, &key);
}

Computation *operation_comparison(ModuleBuilder *module) {
  Builder builder = hlo_build_computation(module, "at_least");
  const Shape *scalar = hlo_build_shape(&builder, TYPE_f32, 0, nullptr);
  Instruction *sides[] = {
      hlo_build_parameter(&builder, scalar), hlo_build_parameter(&builder, scalar)};
  Instruction *compare = hlo_build_begin(&builder, HLO_COMPARE, 2, sides);
  hlo_build_attribute(&builder, compare, "direction", "GE");
  return hlo_build_finish(&builder, hlo_build_end(&builder, compare, nullptr));
}
