/* The table of generators, and keys of their joins. */
#include "generate/operations/operation.h"

OperationGenerator *const operation_generators[generated_count] = {
#define GENERATED(id) generate_##id,
#include "generate/operations/operations.def"
#undef GENERATED
};

static ChoiceKey key_of(
    GeneratedOperation operation, const Tensor *in, uint32_t from, uint64_t state) {
  ChoiceKey key = {4, {operation, from, state, in->rank}};
  for (uint32_t i = from; i < in->rank; i++) choice_key_add(&key, (uint64_t)in->sizes[i]);
  return key;
}

ChoiceKey operation_key(GeneratedOperation operation, const Tensor *in) {
  return key_of(operation, in, 0, UINT64_MAX);
}

void operation_join(
    const OperationCase *at_hand, GeneratedOperation operation, uint32_t from, uint64_t state) {
  ChoiceKey key = key_of(operation, &at_hand->in, from, state);
  choices_join(at_hand->choices, &key);
}

void operation_join_tensor(
    const OperationCase *at_hand, GeneratedOperation operation, const Tensor *tensor) {
  ChoiceKey key = key_of(operation, tensor, 0, UINT64_MAX - 1);
  choices_join(at_hand->choices, &key);
}
